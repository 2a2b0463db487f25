// Nozzle: where particles leave an emitter, and which way, while it moves over a step. Knows geometry, not rates.
#pragma once
#include <vector>

#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// The place a particle leaves from.
struct Mouth {
    Vec3 x;       // m
    Mat3 axes;    // it leaves along y
    Vec3 motion;  // m/s, of the emitter there
};

// Where the scene's emitters stand, fluid by fluid.
std::vector<ColliderPlace> emitterPlacesOf(const Scene& scene);

class Nozzle {
  public:
    // The emitter moves evenly from `from` (the frame's start) to its place in the scene (its end); the step of dt
    // seconds spans the shares [shareBefore, shareAfter] of that way. No `from`, or one with another number of
    // vertices: it stands. Throws Error on a surface or curve that has no size.
    Nozzle(const Emitter& emitter, const ColliderPlace* from, float shareBefore, float shareAfter, double dt);

    // m², that the flow passes through: no more than Q = A v fits. Of a volume: no limit.
    double area() const { return area_; }
    // All mouths of the step lie inside.
    Bounds bounds() const;
    // The mesh or curve at a part of the step, 0 its beginning and 1 its end.
    std::vector<Vec3> verticesAt(float part) const;
    Pose poseAt(float part) const;

    // The mouth of a point of the disc's plane, in its own frame.
    Mouth ofDisc(Vec3 local, float part) const;
    // The mouth of three numbers in [0, 1): evenly spread over a surface or along a curve for even numbers.
    Mouth ofDraw(Vec3 draw, float part) const;

  private:
    float shareAt(float part) const { return lerp(shareBefore_, shareAfter_, part); }
    Vec3 vertexAt(int i, float part) const;
    Vec3 vertexMotion(int i) const;
    Mouth ofSurface(int triangle, Vec3 draw, float part) const;
    Mouth ofCurve(int segment, float along, Vec3 draw, float part) const;

    const Emitter& emitter_;
    Pose startPose_;
    const std::vector<Vec3>* start_;  // the frame's first vertices
    const std::vector<Vec3>* end_;    // its last
    float shareBefore_, shareAfter_;
    float perSecond_;             // 1/s, 1/dt; 0 for a step of no length
    double area_;                 // m²
    std::vector<double> shares_;  // of the whole area or length, up to each triangle's or segment's end
};

}  // namespace purl
