// MFnAmbientLight: ambient lights.
#pragma once
#include <maya/MFnLight.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnAmbientLight : public MFnLight {
  public:
    MFnAmbientLight() = default;
    MFnAmbientLight(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kAmbientLight; }
    MFnAmbientLight(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }
    // Creates a light with a transform, which is returned; below a parent only if wantTransform is on.
    MObject create(bool UIvisible = true, MStatus* status = nullptr);
    MObject create(const MObject& parent, bool UIvisible = true, bool wantTransform = false, MStatus* status = nullptr);
    float ambientShade(MStatus* status = nullptr) const;
    MStatus setAmbientShade(const float& ambientShade);
    bool castSoftShadows(MStatus* status = nullptr) const;
    MStatus setCastSoftShadows(const bool& castSoftShadows);
    float shadowRadius(MStatus* status = nullptr) const;
    MStatus setShadowRadius(const float& shadowRadius);
};

}  // namespace Autodesk::Maya::OpenMayaHost
