// MFnData: the kinds of data an attribute may hold.
#pragma once
#include <maya/MFnBase.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnData : public MFnBase {
  public:
    enum Type {
        kInvalid,
        kNumeric,
        kPlugin,
        kString,
        kMatrix,
        kStringArray,
        kDoubleArray,
        kFloatArray,
        kIntArray,
        kPointArray,
        kVectorArray,
        kComponentList,
        kMesh,
        kNurbsCurve,
        kNurbsSurface,
        kDynArrayAttrs,
        kAny,
        kLast
    };
    MFnData() = default;
    MFnData(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kData; }
};

}  // namespace Autodesk::Maya::OpenMayaHost
