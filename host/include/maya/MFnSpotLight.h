// MFnSpotLight: spot lights.
#pragma once
#include <maya/MFnNonExtendedLight.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnSpotLight : public MFnNonExtendedLight {
  public:
    MFnSpotLight() = default;
    MFnSpotLight(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kSpotLight; }
    MFnSpotLight(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }
    // Creates a light with a transform, which is returned; below a parent only if wantTransform is on.
    MObject create(bool UIvisible = true, MStatus* status = nullptr);
    MObject create(const MObject& parent, bool UIvisible = true, bool wantTransform = false, MStatus* status = nullptr);
    double coneAngle(MStatus* status = nullptr) const;  // radians
    MStatus setConeAngle(const double& coneAngle);
    double penumbraAngle(MStatus* status = nullptr) const;  // radians
    MStatus setPenumbraAngle(const double& penumbraAngle);
    double dropOff(MStatus* status = nullptr) const;
    MStatus setDropOff(const double& dropOff);
};

}  // namespace Autodesk::Maya::OpenMayaHost
