#include "solver/fluid/nozzle.h"

#include <algorithm>
#include <cmath>

#include "solver/colliders/motion.h"
#include "solver/core/describe.h"
#include "solver/core/error.h"
#include "solver/core/math.h"

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;

const std::vector<Vec3>& verticesOf(const Emitter& emitter) {
    return emitter.params.shape == EmitterShape::curve ? emitter.curve : emitter.mesh.vertices.vector();
}

// An orthonormal basis with this y axis.
Mat3 axesAround(Vec3 y) {
    const Vec3 aside = std::fabs(y.x) < 0.7f ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    const Vec3 z = normalized(cross(aside, y));
    return {cross(y, z), y, z};
}

}  // namespace

std::vector<ColliderPlace> emitterPlaces(const Scene& scene) {
    std::vector<ColliderPlace> places;
    for (const Fluid& fluid : scene.fluids)
        for (const Emitter& emitter : fluid.emitters) {
            places.emplace_back().pose = emitter.pose;
            if (emitter.params.shape == EmitterShape::curve)
                places.back().vertices = emitter.curve;
            else if (emitter.params.shape != EmitterShape::disc)
                places.back().vertices = emitter.mesh.vertices;
        }
    return places;
}

Nozzle::Nozzle(const Emitter& emitter, const ColliderPlace* from, float shareBefore, float shareAfter, double dt)
    : emitter_(emitter),
      startPose_(from ? from->pose : emitter.pose),
      end_(&verticesOf(emitter)),
      shareBefore_(shareBefore),
      shareAfter_(shareAfter),
      perSecond_(dt > 0 ? static_cast<float>(1 / dt) : 0) {
    start_ = from && from->vertices.size() == end_->size() ? &from->vertices.vector() : end_;
    const EmitterParams& p = emitter.params;
    const double disc = kPi * double(p.radius) * p.radius;
    area_ = p.shape == EmitterShape::disc ? disc : kUnbounded;
    if (p.shape == EmitterShape::disc || p.shape == EmitterShape::volume) return;

    double sum = 0;
    if (p.shape == EmitterShape::surface) {
        const std::vector<int>& corners = emitter.mesh.triangles;
        for (size_t t = 0; t + 2 < corners.size(); t += 3) {
            const Vec3 a = vertexAt(corners[t], 1);
            sum += 0.5 * length(cross(vertexAt(corners[t + 1], 1) - a, vertexAt(corners[t + 2], 1) - a));
            cumulative_.push_back(sum);
        }
        area_ = sum;
    } else {
        for (int i = 0; i + 1 < static_cast<int>(end_->size()); ++i) {
            sum += length(vertexAt(i + 1, 1) - vertexAt(i, 1));
            cumulative_.push_back(sum);
        }
        // Tangential flow leaves through the tube's cross-section, radial flow through its lateral surface.
        area_ = p.curveFlow == CurveFlow::tangent ? disc : 2 * kPi * p.radius * sum;
    }
    if (!(sum > 0))
        throw Error(p.shape == EmitterShape::curve ? "curve has no length; connect another curve"
                                                   : "mesh has no area; connect another mesh");
    for (double& share : cumulative_) share /= sum;
}

Bounds Nozzle::bounds() const {
    Bounds box;
    for (int i = 0; i < static_cast<int>(end_->size()); ++i)
        for (const float part : {0.0f, 1.0f}) box.include(vertexAt(i, part));
    if (emitter_.params.shape != EmitterShape::curve) return box;
    const float r = emitter_.params.radius;
    return {box.low - Vec3{r, r, r}, box.high + Vec3{r, r, r}};
}

Vec3 Nozzle::vertexAt(int i, float part) const {
    const Vec3 a = (*start_)[i], b = (*end_)[i];
    return a == b ? b : lerp(a, b, shareAt(part));
}

Vec3 Nozzle::vertexMotion(int i) const { return perSecond_ * (vertexAt(i, 1) - vertexAt(i, 0)); }

std::vector<Vec3> Nozzle::verticesAt(float part) const {
    std::vector<Vec3> vertices;
    for (int i = 0; i < static_cast<int>(end_->size()); ++i) vertices.push_back(vertexAt(i, part));
    return vertices;
}

Pose Nozzle::poseAt(float part) const { return poseBetween(startPose_, emitter_.pose, shareAt(part)); }

Outlet Nozzle::discOutlet(Vec3 local, float part) const {
    const Pose pose = poseAt(part);
    if (startPose_ == emitter_.pose) return {pose.toWorld(local), pose.axes, {}};
    return {pose.toWorld(local), pose.axes, perSecond_ * (poseAt(1).toWorld(local) - poseAt(0).toWorld(local))};
}

Outlet Nozzle::outletForSample(Vec3 sample, float part) const {
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, double(sample.x));
    const auto piece = found - cumulative_.begin();
    const double before = piece == 0 ? 0 : cumulative_[piece - 1];
    const auto within = static_cast<float>((double(sample.x) - before) / (*found - before));
    if (emitter_.params.shape == EmitterShape::curve) return curveOutlet(static_cast<int>(piece), within, sample, part);
    return surfaceOutlet(static_cast<int>(piece), sample, part);
}

// Uniform in a triangle: a (1 − √s) + b √s (1 − t) + c √s t   (Turk 1990)
Outlet Nozzle::surfaceOutlet(int triangle, Vec3 sample, float part) const {
    const int* corner = &emitter_.mesh.triangles[3 * triangle];
    const Vec3 a = vertexAt(corner[0], part), b = vertexAt(corner[1], part), c = vertexAt(corner[2], part);
    const float s = std::sqrt(sample.y);
    const Vec3 weights{1 - s, s * (1 - sample.z), s * sample.z};
    const auto mean = [&](Vec3 p, Vec3 q, Vec3 r) { return weights.x * p + weights.y * q + weights.z * r; };
    return {mean(a, b, c), axesAround(normalized(cross(b - a, c - a))),
            mean(vertexMotion(corner[0]), vertexMotion(corner[1]), vertexMotion(corner[2]))};
}

Outlet Nozzle::curveOutlet(int segment, float along, Vec3 sample, float part) const {
    const Vec3 a = vertexAt(segment, part), b = vertexAt(segment + 1, part);
    const Mat3 axes = axesAround(normalized(b - a));
    const float angle = 2 * static_cast<float>(kPi) * sample.y;
    const Vec3 outward = cos(angle) * axes.x + sin(angle) * axes.z;
    const Vec3 motion = lerp(vertexMotion(segment), vertexMotion(segment + 1), along);
    const Vec3 middle = lerp(a, b, along);
    const float radius = emitter_.params.radius;
    if (emitter_.params.curveFlow == CurveFlow::tangent)
        return {middle + radius * std::sqrt(sample.z) * outward, axes, motion};
    return {middle + radius * outward, axesAround(outward), motion};
}

}  // namespace purl
