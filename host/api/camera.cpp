#include <maya/MFnCamera.h>
#include <maya/MFnTransform.h>

#include "host/api/geometry.h"
#include "host/api/nodeValues.h"
#include "solver/core/math.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

constexpr double kMillimetersPerInch = 25.4;

MFloatMatrix::MFloatMatrix(const float m[4][4]) { std::copy(&m[0][0], &m[0][0] + 16, &matrix[0][0]); }
MStatus MFloatMatrix::get(float m[4][4]) const {
    std::copy(&matrix[0][0], &matrix[0][0] + 16, &m[0][0]);
    return MStatus::kSuccess;
}
bool MFloatMatrix::operator==(const MFloatMatrix& o) const {
    return std::equal(&matrix[0][0], &matrix[0][0] + 16, &o.matrix[0][0]);
}

MObject MFnCamera::create(MStatus* s) { return createShape(object_, "camera", MObject::kNullObj, true, s); }
MObject MFnCamera::create(MObject& parent, MStatus* s) { return createShape(object_, "camera", parent, false, s); }

// --- where it looks: along −z of its own space

static MVector axisIn(const MObject& object, const MDagPath& path, const MVector& axis, MSpace::Space space,
                      MStatus* s) {
    MMatrix m;
    const bool known = spaceMatrix(object, path, space, m);
    setStatus(s, known ? MStatus::kSuccess : MStatus::kInvalidParameter);
    return known ? (axis * m).normal() : MVector();
}
MVector MFnCamera::viewDirection(MSpace::Space space, MStatus* s) const {
    return axisIn(object_, path_, MVector::zNegAxis, space, s);
}
MVector MFnCamera::upDirection(MSpace::Space space, MStatus* s) const {
    return axisIn(object_, path_, MVector::yAxis, space, s);
}
MVector MFnCamera::rightDirection(MSpace::Space space, MStatus* s) const {
    return axisIn(object_, path_, MVector::xAxis, space, s);
}
MPoint MFnCamera::eyePoint(MSpace::Space space, MStatus* s) const {
    MMatrix m;
    const bool known = spaceMatrix(object_, path_, space, m);
    setStatus(s, known ? MStatus::kSuccess : MStatus::kInvalidParameter);
    return MPoint() * m;
}
MPoint MFnCamera::centerOfInterestPoint(MSpace::Space space, MStatus* s) const {
    return eyePoint(space, s) + viewDirection(space) * centerOfInterest();
}

MStatus MFnCamera::set(const MPoint& eye, const MVector& view, const MVector& up, double fov, double aspect) {
    MStatus s;
    MDagPath transform = dagPath(&s);
    if (s) s = transform.pop();
    if (!s) return s;
    const MVector back = -view.normal(), right = (up ^ back).normal(), above = back ^ right;
    if (right.length() == 0) return MStatus::kInvalidParameter;  // without a view, or up is parallel to it
    MMatrix world;
    const MVector rows[4] = {right, above, back, MVector(eye)};
    for (unsigned int i = 0; i < 4; ++i)
        for (unsigned int k = 0; k < 3; ++k) world(i, k) = rows[i][k];
    s = MFnTransform(transform).set(MTransformationMatrix(world * transform.exclusiveMatrixInverse()));
    if (s) s = setHorizontalFieldOfView(fov);
    return s ? setAspectRatio(aspect) : s;
}

// --- fields of view: tan(fov / 2) = aperture / (2 focal length)

static double fieldOfView(double inches, double focalLength) {
    return 2 * purl::atan2(inches * kMillimetersPerInch, 2 * focalLength);
}
static double focalLengthFor(double inches, double fov) {
    return inches * kMillimetersPerInch / (2 * purl::tan(fov / 2));
}
static bool isFieldOfView(double fov) { return fov > 0 && fov < 3.141592653589793; }

double MFnCamera::horizontalFieldOfView(MStatus* s) const {
    return fieldOfView(horizontalFilmAperture(s), focalLength());
}
MStatus MFnCamera::setHorizontalFieldOfView(double fov) {
    if (!isFieldOfView(fov)) return MStatus::kInvalidParameter;
    return setFocalLength(focalLengthFor(horizontalFilmAperture(), fov));
}
double MFnCamera::verticalFieldOfView(MStatus* s) const { return fieldOfView(verticalFilmAperture(s), focalLength()); }
MStatus MFnCamera::setVerticalFieldOfView(double fov) {
    if (!isFieldOfView(fov)) return MStatus::kInvalidParameter;
    return setFocalLength(focalLengthFor(verticalFilmAperture(), fov));
}
double MFnCamera::aspectRatio(MStatus* s) const {
    const double height = verticalFilmAperture(s);
    return height > 0 ? horizontalFilmAperture() / height : 0;
}
// Keeps the width, and with it the horizontal field of view.
MStatus MFnCamera::setAspectRatio(double ratio) {
    if (!(ratio > 0)) return MStatus::kInvalidParameter;
    return setVerticalFilmAperture(horizontalFilmAperture() / ratio);
}

// --- the frustum

// The part of the film that an image of this shape shows, as a factor of its width and height.
static void filmShare(MFnCamera::FilmFit fit, double window, double film, double& x, double& y) {
    x = y = 1;
    const bool wideFilm = film > window;
    const bool fitsWidth = fit == MFnCamera::kHorizontalFilmFit || (fit == MFnCamera::kFillFilmFit && !wideFilm) ||
                           (fit == MFnCamera::kOverscanFilmFit && wideFilm);
    if (fitsWidth)
        y = film / window;
    else
        x = window / film;
}

MStatus MFnCamera::getViewingFrustum(double window, double& left, double& right, double& bottom, double& top,
                                     bool applyOverscan, bool applySqueeze) const {
    if (!Api::node(object_)) return MStatus::kFailure;
    if (!(window > 0)) return MStatus::kInvalidParameter;
    const double scale = applyOverscan ? overscan() : 1;
    double halfWidth, halfHeight, x = 0, y = 0;
    if (isOrtho()) {
        halfWidth = scale * orthoWidth() / 2;
        halfHeight = halfWidth / window;
    } else {
        const double squeeze = applySqueeze ? lensSqueezeRatio() : 1;
        const double width = horizontalFilmAperture() * squeeze, height = verticalFilmAperture();
        double shownX, shownY;
        filmShare(filmFit(), window, width / height, shownX, shownY);
        // from inches on the film to cm on the near plane
        const double perInch = nearClippingPlane() * kMillimetersPerInch / focalLength() * cameraScale();
        halfWidth = scale * perInch * width * shownX / 2;
        halfHeight = scale * perInch * height * shownY / 2;
        x = perInch * horizontalFilmOffset();
        y = perInch * verticalFilmOffset();
    }
    left = x - halfWidth, right = x + halfWidth;
    bottom = y - halfHeight, top = y + halfHeight;
    return MStatus::kSuccess;
}

MStatus MFnCamera::getRenderingFrustum(double window, double& left, double& right, double& bottom, double& top) const {
    return getViewingFrustum(window, left, right, bottom, top, false, true);
}

MStatus MFnCamera::getPortFieldOfView(int width, int height, double& horizontalFOV, double& verticalFOV) const {
    if (width <= 0 || height <= 0) return MStatus::kInvalidParameter;
    double left, right, bottom, top;
    const MStatus s = getViewingFrustum(double(width) / height, left, right, bottom, top);
    if (!s) return s;
    horizontalFOV = 2 * purl::atan2((right - left) / 2, nearClippingPlane());
    verticalFOV = 2 * purl::atan2((top - bottom) / 2, nearClippingPlane());
    return s;
}

MFloatMatrix MFnCamera::projectionMatrix(MStatus* status) const {
    double left, right, bottom, top;
    const MStatus s = getViewingFrustum(aspectRatio(), left, right, bottom, top);
    if (status) *status = s;
    if (!s) return {};
    const double n = nearClippingPlane(), f = farClippingPlane();
    const double w = right - left, h = top - bottom, depth = f - n;
    double m[4][4] = {};
    if (isOrtho()) {
        m[0][0] = 2 / w, m[1][1] = 2 / h, m[2][2] = 2 / depth;
        m[3][0] = -(right + left) / w, m[3][1] = -(top + bottom) / h, m[3][2] = (f + n) / depth, m[3][3] = 1;
    } else {
        m[0][0] = 2 * n / w, m[1][1] = 2 * n / h;
        m[2][0] = (right + left) / w, m[2][1] = (top + bottom) / h, m[2][2] = (f + n) / depth, m[2][3] = -1;
        m[3][2] = 2 * f * n / depth;
    }
    MFloatMatrix projection;
    for (unsigned int i = 0; i < 4; ++i)
        for (unsigned int k = 0; k < 4; ++k) projection(i, k) = float(m[i][k]);
    return projection;
}

// --- attributes

bool MFnCamera::isOrtho(MStatus* s) const { return numberOf(object_, "orthographic", s) != 0; }
MStatus MFnCamera::setIsOrtho(bool on) { return setNumber(object_, "orthographic", on); }
double MFnCamera::orthoWidth(MStatus* s) const { return numberOf(object_, "orthographicWidth", s); }
MStatus MFnCamera::setOrthoWidth(double width) { return setNumber(object_, "orthographicWidth", width); }
double MFnCamera::nearClippingPlane(MStatus* s) const { return numberOf(object_, "nearClipPlane", s); }
MStatus MFnCamera::setNearClippingPlane(double distance) { return setNumber(object_, "nearClipPlane", distance); }
double MFnCamera::farClippingPlane(MStatus* s) const { return numberOf(object_, "farClipPlane", s); }
MStatus MFnCamera::setFarClippingPlane(double distance) { return setNumber(object_, "farClipPlane", distance); }
MStatus MFnCamera::setNearFarClippingPlanes(double dNear, double dFar) {
    const MStatus s = setNearClippingPlane(dNear);
    return s ? setFarClippingPlane(dFar) : s;
}
double MFnCamera::centerOfInterest(MStatus* s) const { return numberOf(object_, "centerOfInterest", s); }
MStatus MFnCamera::setCenterOfInterest(double distance) { return setNumber(object_, "centerOfInterest", distance); }

double MFnCamera::focalLength(MStatus* s) const { return numberOf(object_, "focalLength", s); }
MStatus MFnCamera::setFocalLength(double length) { return setNumber(object_, "focalLength", length); }
double MFnCamera::lensSqueezeRatio(MStatus* s) const { return numberOf(object_, "lensSqueezeRatio", s); }
MStatus MFnCamera::setLensSqueezeRatio(double ratio) { return setNumber(object_, "lensSqueezeRatio", ratio); }
double MFnCamera::cameraScale(MStatus* s) const { return numberOf(object_, "cameraScale", s); }
MStatus MFnCamera::setCameraScale(double scale) { return setNumber(object_, "cameraScale", scale); }
double MFnCamera::overscan(MStatus* s) const { return numberOf(object_, "overscan", s); }
MStatus MFnCamera::setOverscan(double factor) { return setNumber(object_, "overscan", factor); }
double MFnCamera::horizontalFilmAperture(MStatus* s) const { return numberOf(object_, "horizontalFilmAperture", s); }
MStatus MFnCamera::setHorizontalFilmAperture(double inches) {
    return setNumber(object_, "horizontalFilmAperture", inches);
}
double MFnCamera::verticalFilmAperture(MStatus* s) const { return numberOf(object_, "verticalFilmAperture", s); }
MStatus MFnCamera::setVerticalFilmAperture(double inches) { return setNumber(object_, "verticalFilmAperture", inches); }
double MFnCamera::horizontalFilmOffset(MStatus* s) const { return numberOf(object_, "horizontalFilmOffset", s); }
MStatus MFnCamera::setHorizontalFilmOffset(double inches) { return setNumber(object_, "horizontalFilmOffset", inches); }
double MFnCamera::verticalFilmOffset(MStatus* s) const { return numberOf(object_, "verticalFilmOffset", s); }
MStatus MFnCamera::setVerticalFilmOffset(double inches) { return setNumber(object_, "verticalFilmOffset", inches); }
MFnCamera::FilmFit MFnCamera::filmFit(MStatus* s) const {
    MStatus read;
    const int fit = int(numberOf(object_, "filmFit", &read));
    if (s) *s = read;
    return read ? FilmFit(fit) : kInvalid;
}
MStatus MFnCamera::setFilmFit(FilmFit fit) {
    return fit < kInvalid ? setNumber(object_, "filmFit", fit) : MStatus(MStatus::kInvalidParameter);
}

bool MFnCamera::isDepthOfField(MStatus* s) const { return numberOf(object_, "depthOfField", s) != 0; }
MStatus MFnCamera::setDepthOfField(bool on) { return setNumber(object_, "depthOfField", on); }
double MFnCamera::fStop(MStatus* s) const { return numberOf(object_, "fStop", s); }
MStatus MFnCamera::setFStop(double stop) { return setNumber(object_, "fStop", stop); }
double MFnCamera::focusDistance(MStatus* s) const { return numberOf(object_, "focusDistance", s); }
MStatus MFnCamera::setFocusDistance(double distance) { return setNumber(object_, "focusDistance", distance); }
double MFnCamera::shutterAngle(MStatus* s) const { return numberOf(object_, "shutterAngle", s); }
MStatus MFnCamera::setShutterAngle(double radians) { return setNumber(object_, "shutterAngle", radians); }

}  // namespace Autodesk::Maya::OpenMayaHost
