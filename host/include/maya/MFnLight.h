// MFnLight: what all lights have.
#pragma once
#include <maya/MColor.h>
#include <maya/MFloatVector.h>
#include <maya/MFnDagNode.h>
#include <maya/MSpace.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnLight : public MFnDagNode {
  public:
    MFnLight() = default;
    MFnLight(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kLight; }
    MFnLight(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }
    MColor color(MStatus* status = nullptr) const;
    MStatus setColor(const MColor& color);
    float intensity(MStatus* status = nullptr) const;
    MStatus setIntensity(const float& intensity);
    bool useRayTraceShadows(MStatus* status = nullptr) const;
    MStatus setUseRayTraceShadows(const bool& useRayTraceShadows);
    MColor shadowColor(MStatus* status = nullptr) const;
    MStatus setShadowColor(const MColor& shadowColor);
    double centerOfIllumination(MStatus* status = nullptr) const;
    MStatus setCenterOfIllumination(const double& distance);
    short numShadowSamples(MStatus* status = nullptr) const;
    MStatus setNumShadowSamples(const short& samples);
    short rayDepthLimit(MStatus* status = nullptr) const;
    MStatus setRayDepthLimit(const short& limit);
    // The direction in which an instance of the light shines, of unit length.
    MFloatVector lightDirection(int instance, MSpace::Space space = MSpace::kWorld, MStatus* status = nullptr) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost
