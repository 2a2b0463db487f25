#include "solver/guard.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "solver/colliders/rigid.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/fourDigits.h"
#include "solver/core/hostView.h"
#include "solver/stateCheck.h"

namespace purl {
namespace {

constexpr float kMaxSpeed = 1e4f;  // m/s; faster than anything in a plausible scene

PURL_HD bool isSound(Vec3 x, Vec3 v) { return isFinite(x) && isFinite(v) && lengthSquared(v) <= kMaxSpeed * kMaxSpeed; }

std::string faultOf(Vec3 x, Vec3 v) {
    return !isFinite(v) ? "velocity is not finite"
           : !isFinite(x)
               ? "position is not finite"
               : "speed is " + fourDigits(std::sqrt(double(v.x) * v.x + double(v.y) * v.y + double(v.z) * v.z)) +
                     " m/s";
}

[[noreturn]] void throwDiverged(const std::string& body, double time, const std::string& what, const char* help) {
    throw Error(body + ": blew up at " + fourDigits(time) + " s: " + what + "; " + help);
}

// 0: sound; larger for a particle of lower id, so that the maximum names the first one that diverged.
struct LostParticle {
    Span<const Vec3> x, v;
    Span<const int64_t> id;
    PURL_HD int64_t operator()(int i) const {
        return isSound(x[i], v[i]) ? 0 : std::numeric_limits<int64_t>::max() - id[i];
    }
};

void checkParticles(const State& state, const Scene& scene) {
    const Particles& particles = state.particles;
    const int64_t lost = reduce(particles.x.device(), "lostParticle", particles.count(), int64_t(0),
                                LostParticle{particles.x.span(), particles.v.span(), particles.id.span()}, Largest{});
    if (lost == 0) return;
    const int64_t id = std::numeric_limits<int64_t>::max() - lost;
    const HostReader<int64_t> ids = readOnHost(particles.id);
    const int i = static_cast<int>(std::find(ids.begin(), ids.end(), id) - ids.begin());
    throwDiverged(
        scene.fluids[static_cast<size_t>(readElement(particles.body, i))].name, state.time,
        "particle " + std::to_string(id) + "'s " + faultOf(readElement(particles.x, i), readElement(particles.v, i)),
        "a smaller maxTimeStep or stiffness, or more viscosity helps");
}

// 0: sound; larger for an earlier point, so that the maximum names the first one.
struct LostPoint {
    Span<const Vec3> x, v;
    PURL_HD int operator()(int i) const { return isSound(x[i], v[i]) ? 0 : x.count - i; }
};

// The points of all cloths, or of all soft bodies.
template <class Bodies>
void checkPoints(double time, const Buffer<Vec3>& x, const Buffer<Vec3>& v, const Buffer<int>& counts,
                 const Bodies& bodies) {
    const int lost = reduce(x.device(), "lostPoint", x.size(), 0, LostPoint{x.span(), v.span()}, Largest{});
    if (lost == 0) return;
    const int i = x.size() - lost;
    int body = 0, point = i;
    const HostReader<int> numbers = readOnHost(counts);
    while (point >= numbers[body]) point -= numbers[body++];
    throwDiverged(bodies[static_cast<size_t>(body)].name, time,
                  "point " + std::to_string(point) + "'s " + faultOf(readElement(x, i), readElement(v, i)),
                  "a smaller maxTimeStep or stiffness helps");
}

void checkRigids(const State& state, const Scene& scene) {
    for (size_t i = 0; i < scene.colliders.size() && i < state.colliders.size(); ++i) {
        const ColliderPlace& place = state.colliders[i];
        if (!isRigid(scene.colliders[i]) || !place.rigid) continue;
        const Mat3& axes = place.pose.axes;
        const bool turns = isFinite(place.spin) && isFinite(axes.x) && isFinite(axes.y) && isFinite(axes.z);
        if (turns && isSound(place.pose.position, place.velocity)) continue;
        throwDiverged(scene.colliders[i].name, state.time,
                      "its " + (turns ? faultOf(place.pose.position, place.velocity) : "spin is not finite"),
                      "a smaller maxTimeStep, startVelocity or startSpin helps");
    }
}

}  // namespace

void throwIfDiverged(const State& state, const Scene& scene) {
    checkParticles(state, scene);
    checkPoints(state.time, state.cloth.x, state.cloth.v, state.cloth.counts, scene.cloths);
    checkPoints(state.time, state.soft.x, state.soft.v, state.soft.counts, scene.softBodies);
    checkRigids(state, scene);
}

void throwIfNotFinite(const State& state, const FrameStats& stats) {
    bool finite = isFinite(state);
    FrameStats::fields(stats, [&](const char*, auto value) { finite = finite && std::isfinite(double(value)); });
    if (!finite)
        throwDiverged("solver", state.time, "forces or densities are not finite",
                      "a smaller maxTimeStep or stiffness helps");
}

}  // namespace purl
