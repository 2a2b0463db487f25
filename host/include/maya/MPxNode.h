// MPxNode: the base class of plugin nodes.
#pragma once
#include <maya/MDataBlock.h>
#include <maya/MEvaluationNode.h>
#include <maya/MObjectArray.h>
#include <maya/MPlug.h>
#include <maya/MPlugArray.h>
#include <maya/MString.h>
#include <maya/MStringArray.h>
#include <maya/MTypeId.h>
#if MAYA_API_VERSION >= 20200000
    #include <maya/MCacheSchema.h>
    #include <maya/MNodeCacheDisablingInfo.h>
    #include <maya/MNodeCacheSetupInfo.h>
    #include <maya/MTimeRange.h>
#endif

namespace Autodesk::Maya::OpenMayaHost {

class MPxNode {
  public:
    enum Type { kDependNode, kLocatorNode, kDeformerNode, kLast };
    // Maya 2017 renamed two of these and kept the old names.
    enum SchedulingType {
        kParallel = 1,
        kSerialize,
        kGloballySerialize,
        kUntrusted,
#if MAYA_API_VERSION >= 201700
        kSerial = kSerialize,
        kGloballySerial = kGloballySerialize,
#endif
        kDefaultScheduling = kSerialize
    };
    enum PostEvaluationEnum { kEvaluatedIndirectly, kEvaluatedDirectly, kLeaveDirty };
    typedef PostEvaluationEnum PostEvaluationType;

    MPxNode() = default;
    virtual ~MPxNode();
    MPxNode(const MPxNode&) = delete;
    MPxNode& operator=(const MPxNode&) = delete;

    virtual void postConstructor();
    virtual Type type() const;
    virtual MStatus compute(const MPlug& plug, MDataBlock& block);
    virtual MStatus setDependentsDirty(const MPlug& plug, MPlugArray& affected);
    virtual MStatus preEvaluation(const MDGContext& context, const MEvaluationNode& evaluationNode);
    virtual MStatus postEvaluation(const MDGContext& context, const MEvaluationNode& evaluationNode,
                                   PostEvaluationType type);
    virtual SchedulingType schedulingType() const;
#if MAYA_API_VERSION >= 20200000
    // --- cached playback (see host/playback.h)
    virtual void getCacheSetup(const MEvaluationNode& evaluationNode, MNodeCacheDisablingInfo& disablingInfo,
                               MNodeCacheSetupInfo& setupInfo, MObjectArray& monitoredAttributes) const;
    virtual void configCache(const MEvaluationNode& evaluationNode, MCacheSchema& schema) const;
    virtual MTimeRange transformInvalidationRange(const MPlug& source, const MTimeRange& input) const;
#endif
    virtual MStatus connectionMade(const MPlug& plug, const MPlug& other, bool asSource);
    virtual MStatus connectionBroken(const MPlug& plug, const MPlug& other, bool asSource);

    // Files that File > Archive Scene packs; by default those of attributes that are used as file names.
    virtual MStringArray getFilesToArchive(bool shortName = false, bool unresolvedName = false,
                                           bool markCouldBeImageSequence = false) const;

    MObject thisMObject() const;
    MTypeId typeId() const;
    MString typeName() const;
    MString name() const;

    static MStatus addAttribute(const MObject& attribute);
    static MStatus attributeAffects(const MObject& whenChanges, const MObject& isAffected);
    static MStatus inheritAttributesFrom(const MString& typeName);

    static MObject message, caching, frozen, isHistoricallyInteresting, state;

  protected:
    MDataBlock forceCache();

  private:
    friend struct purl::host::Api;
    std::weak_ptr<purl::host::Object> node_;
};

}  // namespace Autodesk::Maya::OpenMayaHost
