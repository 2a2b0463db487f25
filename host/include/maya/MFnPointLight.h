// MFnPointLight: point lights.
#pragma once
#include <maya/MFnNonExtendedLight.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnPointLight : public MFnNonExtendedLight {
  public:
    MFnPointLight() = default;
    MFnPointLight(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kPointLight; }
    MFnPointLight(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }
    // Creates a light with a transform, which is returned; below a parent only if wantTransform is on.
    MObject create(bool UIvisible = true, MStatus* status = nullptr);
    MObject create(const MObject& parent, bool UIvisible = true, bool wantTransform = false, MStatus* status = nullptr);
};

}  // namespace Autodesk::Maya::OpenMayaHost
