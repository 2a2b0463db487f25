// MFnDirectionalLight: directional lights.
#pragma once
#include <maya/MFnNonExtendedLight.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnDirectionalLight : public MFnNonExtendedLight {
  public:
    MFnDirectionalLight() = default;
    MFnDirectionalLight(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kDirectionalLight; }
    MFnDirectionalLight(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }
    // Creates a light with a transform, which is returned; below a parent only if wantTransform is on.
    MObject create(bool UIvisible = true, MStatus* status = nullptr);
    MObject create(const MObject& parent, bool UIvisible = true, bool wantTransform = false, MStatus* status = nullptr);
    float shadowAngle(MStatus* status = nullptr) const;  // lightAngle
    MStatus setShadowAngle(const float& shadowAngle);
    bool useLightPosition(MStatus* status = nullptr) const;
    MStatus setUseLightPosition(bool useLightPosition);
};

}  // namespace Autodesk::Maya::OpenMayaHost
