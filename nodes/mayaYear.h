// What differs from one year's Maya API to another's, all of it: nodes and commands look the same whatever the year.
// MAYA_API_VERSION has six digits up to 2017 (201600) and eight from 2018 on (20180000).
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

// A simulation takes all threads there are: while one computes, no other node of the scene does. Maya 2017 renamed it.
#if MAYA_API_VERSION >= 201700
constexpr MPxNode::SchedulingType kOneAtATime = MPxNode::kGloballySerial;
#else
constexpr MPxNode::SchedulingType kOneAtATime = MPxNode::kGloballySerialize;
#endif

// What a draw override keeps from one refresh to the next. Up to 2021 it says that it is not for one use only.
class KeptUserData : public MUserData {
  public:
#if MAYA_API_VERSION >= 20220000
    KeptUserData() = default;
#else
    KeptUserData() : MUserData(false) {}
#endif
};

// A node with memory. Its next frame follows from its last, so cached playback (2020 and later) computes frames in
// order, and keeps with each what the node needs to go on from there.
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
        remembers_ = true;
        for (const MObject& attribute : rememberedAttributes()) schema.add(attribute);
    }
    // What changes at one time changes all later ones. Asked while dirt spreads: nothing may be evaluated here.
    MTimeRange transformInvalidationRange(const MPlug&, const MTimeRange& input) const override {
        // Half of what fits: ends at the limit overflow when times are added.
        const double most = 0.5 * double(std::numeric_limits<MTime::MTick>::max()) / double(MTime::ticksPerSecond());
        const MTime first(-most, MTime::kSeconds), last(most, MTime::kSeconds);
        if (!input.intersects(first, last)) return input;  // nothing changed
    #if MAYA_API_VERSION >= 20220000
        return input | MTimeRange(input.bounds().min, last);
    #else
        return input | MTimeRange(first, last);  // 2020 does not tell where a range begins
    #endif
    }
#endif

  protected:
    // Outputs that cached playback keeps: what is shown, and the state to go on from.
    virtual std::vector<MObject> rememberedAttributes() const = 0;
    // States are copied into the data block only for those who come back for them.
    bool remembers() const { return remembers_; }

  private:
    mutable std::atomic<bool> remembers_{false};
};

// A locator that does not stand in the way of cached playback, as those of plugins do unless they say so.
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
