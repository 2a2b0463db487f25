// MNodeCacheDisablingInfoHelper: the usual reasons for which a node disables cached playback.
#pragma once
#include <maya/MApiNamespace.h>
#include <maya/MString.h>

#if MAYA_API_VERSION < 20200000
    #error "MNodeCacheDisablingInfoHelper requires Maya 2020 or later"
#endif

namespace Autodesk::Maya::OpenMayaHost {

class MNodeCacheDisablingInfo;
class MEvaluationNode;
class MObjectArray;

class MNodeCacheDisablingInfoHelper {
  public:
    enum ConnectionTestFlag { kTestDirtyPlug, kTestHierarchy, kTestPlug, kTestDefaultValue = kTestDirtyPlug };

    static void setUnsafeNode(MNodeCacheDisablingInfo& disablingInfo, const MEvaluationNode& node,
                              const MString* nodeCategory = nullptr);
    static void setUnsafeValue(MNodeCacheDisablingInfo& disablingInfo, const MEvaluationNode& node,
                               const MObject& attribute, const MString& attributeValue, const MString& supportedValue,
                               const MString* nodeCategory = nullptr);
    // True if the attribute has, or might have because it is animated, another value than the supported one; then
    // `disablingInfo` says so, unless it is null. The attribute is added to the monitored ones.
    static bool testBooleanAttribute(MNodeCacheDisablingInfo* disablingInfo, MObjectArray& monitoredAttributes,
                                     const MEvaluationNode& node, const MObject& attribute, bool supportedValue,
                                     ConnectionTestFlag connectionTest = kTestDefaultValue,
                                     const MString* nodeCategory = nullptr, MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
