// MFnCamera: lens, film, clipping planes, view directions and projection of a camera.
#pragma once
#include <maya/MFloatMatrix.h>
#include <maya/MFnDagNode.h>
#include <maya/MPoint.h>
#include <maya/MSpace.h>
#include <maya/MVector.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnCamera : public MFnDagNode {
  public:
    MFnCamera() = default;
    MFnCamera(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kCamera; }
    MFnCamera(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }

    enum FilmFit { kFillFilmFit, kHorizontalFilmFit, kVerticalFilmFit, kOverscanFilmFit, kInvalid };
    MObject create(MStatus* status = nullptr);  // with a transform, which is returned
    MObject create(MObject& parent, MStatus* status = nullptr);

    // In world space the function set needs a path. Directions have unit length.
    MPoint eyePoint(MSpace::Space space = MSpace::kObject, MStatus* status = nullptr) const;
    MVector viewDirection(MSpace::Space space = MSpace::kObject, MStatus* status = nullptr) const;
    MVector upDirection(MSpace::Space space = MSpace::kObject, MStatus* status = nullptr) const;
    MVector rightDirection(MSpace::Space space = MSpace::kObject, MStatus* status = nullptr) const;
    MPoint centerOfInterestPoint(MSpace::Space space = MSpace::kObject, MStatus* status = nullptr) const;
    MStatus set(const MPoint& wsEyeLocation, const MVector& wsViewDirection, const MVector& wsUpDirection,
                double horizFieldOfView, double aspectRatio);

    // Radians. Fields of view are those of the film back and are set by the focal length.
    double horizontalFieldOfView(MStatus* status = nullptr) const;
    MStatus setHorizontalFieldOfView(double fov);
    double verticalFieldOfView(MStatus* status = nullptr) const;
    MStatus setVerticalFieldOfView(double fov);
    // The film back's width to its height.
    double aspectRatio(MStatus* status = nullptr) const;
    MStatus setAspectRatio(double aspectRatio);

    // What is visible in an image of this shape, with film fit, camera scale and film offset. A frustum's sides are on
    // the near clipping plane.
    MStatus getPortFieldOfView(int width, int height, double& horizontalFOV, double& verticalFOV) const;
    MStatus getViewingFrustum(double windowAspect, double& left, double& right, double& bottom, double& top,
                              bool applyOverscan = false, bool applySqueeze = false) const;
    MStatus getRenderingFrustum(double windowAspect, double& left, double& right, double& bottom, double& top) const;
    // As OpenGL's for row vectors, but left-handed: entries [2][2] and [3][2] are negated. For the film's aspect ratio.
    MFloatMatrix projectionMatrix(MStatus* status = nullptr) const;

    bool isOrtho(MStatus* status = nullptr) const;
    MStatus setIsOrtho(bool orthoState);
    double orthoWidth(MStatus* status = nullptr) const;
    MStatus setOrthoWidth(double orthoWidth);
    double nearClippingPlane(MStatus* status = nullptr) const;
    MStatus setNearClippingPlane(double dNear);
    double farClippingPlane(MStatus* status = nullptr) const;
    MStatus setFarClippingPlane(double dFar);
    MStatus setNearFarClippingPlanes(double dNear, double dFar);
    double centerOfInterest(MStatus* status = nullptr) const;
    MStatus setCenterOfInterest(double dist);

    double focalLength(MStatus* status = nullptr) const;  // mm
    MStatus setFocalLength(double focalLength);
    double lensSqueezeRatio(MStatus* status = nullptr) const;
    MStatus setLensSqueezeRatio(double aspectRatio);
    double cameraScale(MStatus* status = nullptr) const;
    MStatus setCameraScale(double scale);
    double overscan(MStatus* status = nullptr) const;
    MStatus setOverscan(double overscan);
    double horizontalFilmAperture(MStatus* status = nullptr) const;  // inches, like offsets
    MStatus setHorizontalFilmAperture(double hFilmAperture);
    double verticalFilmAperture(MStatus* status = nullptr) const;
    MStatus setVerticalFilmAperture(double vFilmAperture);
    double horizontalFilmOffset(MStatus* status = nullptr) const;
    MStatus setHorizontalFilmOffset(double hOffset);
    double verticalFilmOffset(MStatus* status = nullptr) const;
    MStatus setVerticalFilmOffset(double vOffset);
    FilmFit filmFit(MStatus* status = nullptr) const;
    MStatus setFilmFit(FilmFit filmFit);

    bool isDepthOfField(MStatus* status = nullptr) const;
    MStatus setDepthOfField(bool depthOfField);
    double fStop(MStatus* status = nullptr) const;
    MStatus setFStop(double fStop);
    double focusDistance(MStatus* status = nullptr) const;
    MStatus setFocusDistance(double distance);
    double shutterAngle(MStatus* status = nullptr) const;  // radians
    MStatus setShutterAngle(double shutterAngle);
};

}  // namespace Autodesk::Maya::OpenMayaHost
