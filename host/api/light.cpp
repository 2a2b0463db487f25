#include <maya/MFnAmbientLight.h>
#include <maya/MFnAreaLight.h>
#include <maya/MFnDirectionalLight.h>
#include <maya/MFnPointLight.h>
#include <maya/MFnSpotLight.h>

#include "host/api/nodeValues.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

// --- all lights

static MColor colorOf(const MObject& object, const char* attribute, MStatus* status) {
    const NodePtr n = Api::node(object);
    setStatus(status, n ? MStatus::kSuccess : MStatus::kFailure);
    if (!n) return {};
    const auto c = n->plug(attribute).vec3();
    return {float(c[0]), float(c[1]), float(c[2])};
}
static MStatus setColorOf(const MObject& object, const char* attribute, const MColor& c) {
    const NodePtr n = Api::node(object);
    return n ? attempt([&] { n->plug(attribute).set(double(c.r), double(c.g), double(c.b)); })
             : MStatus(MStatus::kFailure);
}

MColor MFnLight::color(MStatus* s) const { return colorOf(object_, "color", s); }
MStatus MFnLight::setColor(const MColor& c) { return setColorOf(object_, "color", c); }
float MFnLight::intensity(MStatus* s) const { return float(numberOf(object_, "intensity", s)); }
MStatus MFnLight::setIntensity(const float& x) { return setNumber(object_, "intensity", double(x)); }
bool MFnLight::useRayTraceShadows(MStatus* s) const { return numberOf(object_, "useRayTraceShadows", s) != 0; }
MStatus MFnLight::setUseRayTraceShadows(const bool& on) { return setNumber(object_, "useRayTraceShadows", on); }
MColor MFnLight::shadowColor(MStatus* s) const { return colorOf(object_, "shadowColor", s); }
MStatus MFnLight::setShadowColor(const MColor& c) { return setColorOf(object_, "shadowColor", c); }
double MFnLight::centerOfIllumination(MStatus* s) const { return numberOf(object_, "centerOfIllumination", s); }
MStatus MFnLight::setCenterOfIllumination(const double& x) { return setNumber(object_, "centerOfIllumination", x); }
short MFnLight::numShadowSamples(MStatus* s) const { return short(numberOf(object_, "shadowRays", s)); }
MStatus MFnLight::setNumShadowSamples(const short& n) { return setNumber(object_, "shadowRays", n); }
short MFnLight::rayDepthLimit(MStatus* s) const { return short(numberOf(object_, "rayDepthLimit", s)); }
MStatus MFnLight::setRayDepthLimit(const short& n) { return setNumber(object_, "rayDepthLimit", n); }

MFloatVector MFnLight::lightDirection(int instance, MSpace::Space space, MStatus* s) const {
    const NodePtr n = Api::node(object_);
    const auto paths = n && n->graph ? n->graph->dagPaths(*n) : std::vector<DagPath>();
    if (instance < 0 || size_t(instance) >= paths.size()) {
        setStatus(s, MStatus::kInvalidParameter);
        return {};
    }
    setStatus(s, MStatus::kSuccess);
    const MMatrix m = space == MSpace::kWorld ? Api::make(paths[size_t(instance)]).inclusiveMatrix() : MMatrix();
    return (MVector::zNegAxis * m).normal();
}

// --- by kind

short MFnNonAmbientLight::decayRate(MStatus* s) const { return short(numberOf(object_, "decayRate", s)); }
MStatus MFnNonAmbientLight::setDecayRate(const short& rate) {
    return rate >= 0 && rate <= 3 ? setNumber(object_, "decayRate", rate) : MStatus(MStatus::kInvalidParameter);
}

float MFnNonExtendedLight::shadowRadius(MStatus* s) const { return float(numberOf(object_, "lightRadius", s)); }
MStatus MFnNonExtendedLight::setShadowRadius(const float& x) { return setNumber(object_, "lightRadius", double(x)); }
bool MFnNonExtendedLight::castSoftShadows(MStatus* s) const { return numberOf(object_, "castSoftShadows", s) != 0; }
MStatus MFnNonExtendedLight::setCastSoftShadows(const bool& on) { return setNumber(object_, "castSoftShadows", on); }
bool MFnNonExtendedLight::useDepthMapShadows(MStatus* s) const {
    return numberOf(object_, "useDepthMapShadows", s) != 0;
}
MStatus MFnNonExtendedLight::setUseDepthMapShadows(const bool& on) {
    return setNumber(object_, "useDepthMapShadows", on);
}

MObject MFnAmbientLight::create(bool, MStatus* s) {
    return createShape(object_, "ambientLight", MObject::kNullObj, true, s);
}
MObject MFnAmbientLight::create(const MObject& parent, bool, bool wantTransform, MStatus* s) {
    return createShape(object_, "ambientLight", parent, wantTransform, s);
}
float MFnAmbientLight::ambientShade(MStatus* s) const { return float(numberOf(object_, "ambientShade", s)); }
MStatus MFnAmbientLight::setAmbientShade(const float& x) { return setNumber(object_, "ambientShade", double(x)); }
bool MFnAmbientLight::castSoftShadows(MStatus* s) const { return numberOf(object_, "castSoftShadows", s) != 0; }
MStatus MFnAmbientLight::setCastSoftShadows(const bool& on) { return setNumber(object_, "castSoftShadows", on); }
float MFnAmbientLight::shadowRadius(MStatus* s) const { return float(numberOf(object_, "shadowRadius", s)); }
MStatus MFnAmbientLight::setShadowRadius(const float& x) { return setNumber(object_, "shadowRadius", double(x)); }

MObject MFnAreaLight::create(bool, MStatus* s) { return createShape(object_, "areaLight", MObject::kNullObj, true, s); }
MObject MFnAreaLight::create(const MObject& parent, bool, bool wantTransform, MStatus* s) {
    return createShape(object_, "areaLight", parent, wantTransform, s);
}

MObject MFnDirectionalLight::create(bool, MStatus* s) {
    return createShape(object_, "directionalLight", MObject::kNullObj, true, s);
}
MObject MFnDirectionalLight::create(const MObject& parent, bool, bool wantTransform, MStatus* s) {
    return createShape(object_, "directionalLight", parent, wantTransform, s);
}
float MFnDirectionalLight::shadowAngle(MStatus* s) const { return float(numberOf(object_, "lightAngle", s)); }
MStatus MFnDirectionalLight::setShadowAngle(const float& x) { return setNumber(object_, "lightAngle", double(x)); }
bool MFnDirectionalLight::useLightPosition(MStatus* s) const { return numberOf(object_, "useLightPosition", s) != 0; }
MStatus MFnDirectionalLight::setUseLightPosition(bool on) { return setNumber(object_, "useLightPosition", on); }

MObject MFnPointLight::create(bool, MStatus* s) {
    return createShape(object_, "pointLight", MObject::kNullObj, true, s);
}
MObject MFnPointLight::create(const MObject& parent, bool, bool wantTransform, MStatus* s) {
    return createShape(object_, "pointLight", parent, wantTransform, s);
}

MObject MFnSpotLight::create(bool, MStatus* s) { return createShape(object_, "spotLight", MObject::kNullObj, true, s); }
MObject MFnSpotLight::create(const MObject& parent, bool, bool wantTransform, MStatus* s) {
    return createShape(object_, "spotLight", parent, wantTransform, s);
}
double MFnSpotLight::coneAngle(MStatus* s) const { return numberOf(object_, "coneAngle", s); }
MStatus MFnSpotLight::setConeAngle(const double& radians) { return setNumber(object_, "coneAngle", radians); }
double MFnSpotLight::penumbraAngle(MStatus* s) const { return numberOf(object_, "penumbraAngle", s); }
MStatus MFnSpotLight::setPenumbraAngle(const double& radians) { return setNumber(object_, "penumbraAngle", radians); }
double MFnSpotLight::dropOff(MStatus* s) const { return numberOf(object_, "dropoff", s); }
MStatus MFnSpotLight::setDropOff(const double& x) { return setNumber(object_, "dropoff", x); }

}  // namespace Autodesk::Maya::OpenMayaHost
