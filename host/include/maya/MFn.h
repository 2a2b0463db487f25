// MFn: the object types that the host supports.
#pragma once
#include <maya/MApiNamespace.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFn {
  public:
    enum Type {
        kInvalid,
        kBase,
        kNamedObject,
        // nodes
        kDependencyNode,
        kDagNode,
        kTransform,
        kJoint,
        kShape,
        kGeometric,
        kMesh,
        kNurbsCurve,
        kNurbsSurface,
        kCamera,
        kLight,
        kAmbientLight,
        kNonAmbientLight,
        kAreaLight,
        kNonExtendedLight,
        kDirectionalLight,
        kPointLight,
        kSpotLight,
        kLocator,
        kTime,
        kAnimCurve,
        kSet,
        kPluginDependNode,
        kPluginLocatorNode,
        kUnknown,
        // attributes
        kAttribute,
        kNumericAttribute,
        kAttribute2Double,
        kAttribute2Float,
        kAttribute2Int,
        kAttribute2Short,
        kAttribute3Double,
        kAttribute3Float,
        kAttribute3Int,
        kAttribute3Short,
        kAttribute4Double,
        kUnitAttribute,
        kTimeAttribute,
        kDoubleAngleAttribute,
        kDoubleLinearAttribute,
        kEnumAttribute,
        kTypedAttribute,
        kMatrixAttribute,
        kCompoundAttribute,
        kMessageAttribute,
        // data
        kData,
        kNumericData,
        kStringData,
        kMatrixData,
        kDoubleArrayData,
        kFloatArrayData,
        kIntArrayData,
        kVectorArrayData,
        kPointArrayData,
        kStringArrayData,
        kComponentListData,
        kDynArrayAttrsData,
        kMeshData,
        kNurbsCurveData,
        kNurbsSurfaceData,
        kPluginData,
        // others
        kPlugin,
        kComponent,
    };
};

}  // namespace Autodesk::Maya::OpenMayaHost
