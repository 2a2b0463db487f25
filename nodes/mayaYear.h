// All differences between the API versions of Maya: nodes and commands compile unchanged with each. MAYA_API_VERSION
// has six digits up to 2017 (201600) and eight since 2018 (20180000).
#pragma once
#include <maya/MObject.h>
#include <maya/MPxLocatorNode.h>
#include <maya/MPxNode.h>
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

// A simulation uses all threads, so no other node is evaluated in parallel. Renamed in Maya 2017.
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

// A node with a state that carries over to the next frame. Cached playback (2020 and later) computes its frames in
// order and stores with each the state needed to continue from there.
class MemoryNode : public MPxNode {
  public:
    SchedulingType schedulingType() const override { return kOneAtATime; }

#if MAYA_API_VERSION >= 20200000
    void getCacheSetup(const MEvaluationNode& evaluated, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo& setup,
                       MObjectArray& monitored) const override {
        MPxNode::getCacheSetup(evaluated, disabling, setup, monitored);
        setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, true);
        setup.setPreference(MNodeCacheSetupInfo::kWantToCacheByDefault, true);
    }
    void configCache(const MEvaluationNode&, MCacheSchema& schema) const override {
        isCached_ = true;
        for (const MObject& attribute : cachedAttributes()) schema.add(attribute);
    }
    // A change at one time invalidates all later times. Called during dirty propagation: nothing may be evaluated here.
    MTimeRange transformInvalidationRange(const MPlug&, const MTimeRange& input) const override {
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

  protected:
    // Outputs that cached playback stores: the displayed result, and the state to continue from.
    virtual std::vector<MObject> cachedAttributes() const = 0;
    // Whether cached playback needs the state; otherwise it is not copied into the data block.
    bool isCached() const { return isCached_; }

  private:
    mutable std::atomic<bool> isCached_{false};
};

// A locator that supports cached playback, which plugin locators disable by default.
class CachedLocator : public MPxLocatorNode {
#if MAYA_API_VERSION >= 20200000
  public:
    void getCacheSetup(const MEvaluationNode& evaluated, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo& setup,
                       MObjectArray& monitored) const override {
        MPxNode::getCacheSetup(evaluated, disabling, setup, monitored);
    }
#endif
};

}  // namespace purl
