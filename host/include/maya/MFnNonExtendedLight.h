// MFnNonExtendedLight: lights that shine from one point or in one direction.
#pragma once
#include <maya/MFnNonAmbientLight.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnNonExtendedLight : public MFnNonAmbientLight {
  public:
    MFnNonExtendedLight() = default;
    MFnNonExtendedLight(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kNonExtendedLight; }
    MFnNonExtendedLight(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }
    float shadowRadius(MStatus* status = nullptr) const;  // lightRadius
    MStatus setShadowRadius(const float& shadowRadius);
    bool castSoftShadows(MStatus* status = nullptr) const;
    MStatus setCastSoftShadows(const bool& castSoftShadows);
    bool useDepthMapShadows(MStatus* status = nullptr) const;
    MStatus setUseDepthMapShadows(const bool& useDepthMap);
};

}  // namespace Autodesk::Maya::OpenMayaHost
