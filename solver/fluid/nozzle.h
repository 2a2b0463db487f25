// Nozzle: positions and directions of an emitter's outlets while it moves during a step. Geometry only, no flow rates.
#pragma once
#include <vector>

#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// The position that a particle is emitted from.
struct Outlet {
    Vec3 x;       // m
    Mat3 axes;    // it is emitted along y
    Vec3 motion;  // m/s, velocity of the emitter there
};

// The poses of the scene's emitters, fluid by fluid.
std::vector<ColliderPlace> emitterPlaces(const Scene& scene);

class Nozzle {
  public:
    // The emitter moves linearly from `from` (start of the frame) to its pose in the scene (end of the frame); the step
    // of dt seconds covers the interval [shareBefore, shareAfter] of that motion. Without `from`, or if its number of
    // vertices differs, it is static. Throws Error if a surface has no area or a curve no length.
    Nozzle(const Emitter& emitter, const ColliderPlace* from, float shareBefore, float shareAfter, double dt);

    // m², cross-section of the flow, which limits it to Q = A v. Unbounded for a volume.
    double area() const { return area_; }
    // Encloses all outlets of the step.
    Bounds bounds() const;
    // The mesh or curve at a time within the step, 0 start, 1 end.
    std::vector<Vec3> verticesAt(float part) const;
    Pose poseAt(float part) const;

    // The outlet at a point of the disc's plane, in local coordinates.
    Outlet discOutlet(Vec3 local, float part) const;
    // The outlet for three numbers in [0, 1); uniform numbers give uniform outlets over a surface or along a curve.
    Outlet outletForSample(Vec3 sample, float part) const;

  private:
    float shareAt(float part) const { return lerp(shareBefore_, shareAfter_, part); }
    Vec3 vertexAt(int i, float part) const;
    Vec3 vertexMotion(int i) const;
    Outlet surfaceOutlet(int triangle, Vec3 sample, float part) const;
    Outlet curveOutlet(int segment, float along, Vec3 sample, float part) const;

    const Emitter& emitter_;
    Pose startPose_;
    const std::vector<Vec3>* start_;  // vertices at the start of the frame
    const std::vector<Vec3>* end_;    // at its end
    float shareBefore_, shareAfter_;
    float perSecond_;                 // 1/s, 1/dt; 0 for a step of zero length
    double area_;                     // m²
    std::vector<double> cumulative_;  // cumulative area or length, normalized, per triangle or segment
};

}  // namespace purl
