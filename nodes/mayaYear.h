// All differences between the API versions of Maya: nodes and commands compile unchanged with each. MAYA_API_VERSION
// has six digits up to 2017 (201600) and eight since 2018 (20180000).
#pragma once
#include <maya/MAnimControl.h>
#include <maya/MObject.h>
#include <maya/MPxLocatorNode.h>
#include <maya/MPxNode.h>
#include <maya/MString.h>
#include <maya/MTime.h>
#include <maya/MUserData.h>

#include <atomic>
#include <limits>
#include <vector>
#if MAYA_API_VERSION >= 20200000
    #include <maya/MCacheSchema.h>
    #include <maya/MNodeCacheDisablingInfo.h>
    #include <maya/MNodeCacheSetupInfo.h>
    #include <maya/MObjectArray.h>
    #include <maya/MTimeRange.h>
#endif

namespace purl {

// No other node of the same kind is evaluated at the same time in the foreground; cached playback may still compute in
// the background. Renamed in Maya 2017.
#if MAYA_API_VERSION >= 201700
constexpr MPxNode::SchedulingType kOneAtATime = MPxNode::kGloballySerial;
#else
constexpr MPxNode::SchedulingType kOneAtATime = MPxNode::kGloballySerialize;
#endif

// Data that a draw override keeps between refreshes. Up to 2021 the constructor takes a flag not to delete it after
// use.
class KeptUserData : public MUserData {
  public:
#if MAYA_API_VERSION >= 20220000
    KeptUserData() = default;
#else
    KeptUserData() : MUserData(false) {}
#endif
};

#if MAYA_API_VERSION >= 20200000
// A change at one time invalidates all later times. Called during dirty propagation: nothing may be evaluated here.
inline MTimeRange fromThereOn(const MTimeRange& input) {
    // Half the representable range: sums of times at its limits would overflow.
    const double limit = 0.5 * double(std::numeric_limits<MTime::MTick>::max()) / double(MTime::ticksPerSecond());
    const MTime first(-limit, MTime::kSeconds), last(limit, MTime::kSeconds);
    if (!input.intersects(first, last)) return input;  // nothing changed
    #if MAYA_API_VERSION >= 20220000
    return input | MTimeRange(input.bounds().min, last);
    #else
    return input | MTimeRange(first, last);  // 2020 has no access to the start of a range
    #endif
}
#endif

// Cached frames of a simulation take memory that Maya does not count: above this many bytes for the playback range,
// they refuse cached playback.
constexpr double kMaxCachedBytes = 4e9;
// Frames of the playback range, at least 1.
inline double framesOfPlayback() {
    const double frames = (MAnimControl::maxTime() - MAnimControl::minTime()).as(MTime::uiUnit()) + 1;
    return frames > 1 ? frames : 1;
}

// A node with a state that carries over to the next frame. Cached playback (2020 and later) computes its frames in
// order and stores with each the state needed to continue from there.
class MemoryNode : public MPxNode {
  public:
    SchedulingType schedulingType() const override { return kOneAtATime; }

#if MAYA_API_VERSION >= 20200000
    void getCacheSetup(const MEvaluationNode& evaluated, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo& setup,
                       MObjectArray& monitored) const override {
        MPxNode::getCacheSetup(evaluated, disabling, setup, monitored);
        for (const MObject& attribute : switches()) monitored.append(attribute);
        setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, simulates());
        setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
        if (bytesPerFrame() * framesOfPlayback() <= kMaxCachedBytes) return;
        disabling.setCacheDisabled(true);
        disabling.setReason(name() + " would take more memory than cached playback should; write a cache to disk");
    }
    void configCache(const MEvaluationNode&, MCacheSchema& schema) const override {
        isCached_ = true;
        for (const MObject& attribute : cachedAttributes()) schema.add(attribute);
    }
    MTimeRange transformInvalidationRange(const MPlug&, const MTimeRange& input) const override {
        return fromThereOn(input);
    }
#endif

    // Memory of one frame and its state, as of the last one computed; 0: none was computed.
    virtual double bytesPerFrame() const { return 0; }

  protected:
    // Outputs that cached playback stores: the displayed result, and the state to continue from.
    virtual std::vector<MObject> cachedAttributes() const = 0;
    // Whether frames depend on the frame before, and the attributes that switch this on and off.
    virtual bool simulates() const { return true; }
    virtual std::vector<MObject> switches() const { return {}; }
    // Whether cached playback needs the state; otherwise it is not copied into the data block.
    bool isCached() const { return isCached_; }

  private:
    mutable std::atomic<bool> isCached_{false};
};

// A node that may write files while it computes, which must not happen ahead of the current frame.
class RecordingNode : public MPxNode {
  public:
    SchedulingType schedulingType() const override { return kOneAtATime; }

#if MAYA_API_VERSION >= 20200000
    void getCacheSetup(const MEvaluationNode& evaluated, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo& setup,
                       MObjectArray& monitored) const override {
        MPxNode::getCacheSetup(evaluated, disabling, setup, monitored);
        monitored.append(recordingSwitch());
        if (!records()) return;
        disabling.setCacheDisabled(true);
        disabling.setReason(name() + " writes frames to disk; set its mode to pass or read");
    }
#endif

  protected:
    virtual bool records() const = 0;
    virtual MObject recordingSwitch() const = 0;  // attribute that decides about it
};

// A locator that cached playback restores, with the attributes that it draws.
class CachedLocator : public MPxLocatorNode {
#if MAYA_API_VERSION >= 20200000
  public:
    void getCacheSetup(const MEvaluationNode& evaluated, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo& setup,
                       MObjectArray& monitored) const override {
        MPxLocatorNode::getCacheSetup(evaluated, disabling, setup, monitored);
        setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
    }
    void configCache(const MEvaluationNode& evaluated, MCacheSchema& schema) const override {
        MPxLocatorNode::configCache(evaluated, schema);
        for (const MObject& attribute : drawnAttributes()) schema.add(attribute);
    }
#endif

  protected:
    virtual std::vector<MObject> drawnAttributes() const = 0;
};

}  // namespace purl
