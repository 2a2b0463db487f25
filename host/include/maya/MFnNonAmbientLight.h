// MFnNonAmbientLight: lights that decay with distance.
#pragma once
#include <maya/MFnLight.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnNonAmbientLight : public MFnLight {
  public:
    MFnNonAmbientLight() = default;
    MFnNonAmbientLight(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kNonAmbientLight; }
    MFnNonAmbientLight(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }
    // Intensity decays with this power of the distance, 0 to 3.
    short decayRate(MStatus* status = nullptr) const;
    MStatus setDecayRate(const short& decayRate);
};

}  // namespace Autodesk::Maya::OpenMayaHost
