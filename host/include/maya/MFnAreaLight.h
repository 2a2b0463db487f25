// MFnAreaLight: area lights.
#pragma once
#include <maya/MFnNonAmbientLight.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnAreaLight : public MFnNonAmbientLight {
  public:
    MFnAreaLight() = default;
    MFnAreaLight(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kAreaLight; }
    MFnAreaLight(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }
    // Creates a light with a transform, which is returned; below a parent only if wantTransform is on.
    MObject create(bool UIvisible = true, MStatus* status = nullptr);
    MObject create(const MObject& parent, bool UIvisible = true, bool wantTransform = false, MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
