#include "solver/fluid/reaction.h"

#include "solver/core/forEach.h"
#include "solver/fluid/viscosity.h"
#include "solver/fluid/wallSight.h"

namespace purl {
namespace {

// Summed in double: a body meets many particles.
struct Push {
    double x = 0, y = 0, z = 0, turnX = 0, turnY = 0, turnZ = 0;

    // An impulse that acts at an arm's end.
    PURL_HD void add(Vec3 impulse, Vec3 arm) {
        const Vec3 turn = cross(arm, impulse);
        x += double(impulse.x), y += double(impulse.y), z += double(impulse.z);
        turnX += double(turn.x), turnY += double(turn.y), turnZ += double(turn.z);
    }
};

struct AddPushes {
    PURL_HD Push operator()(const Push& a, const Push& b) const {
        return {a.x + b.x, a.y + b.y, a.z + b.z, a.turnX + b.turnX, a.turnY + b.turnY, a.turnZ + b.turnZ};
    }
};

// J = Δt kᵢ Σ V ∇W over the wall's points, k what the solver's pressures weigh: pᵢ mᵢ/ρ₀ᵢ, or with wcsph
// pᵢ mᵢ c ρ₀ᵢ/ρᵢ²; see WallPressure.
struct WallPush {
    Boundary::View walls;
    int wall;
    Vec3 center;
    bool weakly;
    float c;
    float dt;
    CubicSpline W;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x;
    Span<const float> density, pressure, divergencePressure;

    PURL_HD Push operator()(int i) const {
        Push push;
        const FluidConstants& fluid = fluids[body[i]];
        const float p = pressure[i] + (divergencePressure.count ? divergencePressure[i] : 0);
        if (walls.count(i) == 0 || !(p > 0)) return push;
        const float k =
            p * fluid.mass * (weakly ? c * fluid.restDensity / square(density[i]) : fluid.inverseRestDensity);
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b) {
            if (walls.owners[*b] != wall) continue;
            const Vec3 at = walls.points[*b].x, d = x[i] - at;
            push.add((dt * k * walls.points[*b].volume * W.gradientFactor(length(d))) * d, at - center);
        }
        return push;
    }
};

// J = k (vᵢ − u), k what viscosity held the particle with: 2 Δt μ Vᵢ times a wall point's weight, or xsph's blend.
struct WallDrag {
    WallSight walls;
    int wall;
    Vec3 center;
    bool solved;
    float dt;
    CubicSpline W;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x, v;
    Span<const float> volume;

    PURL_HD Push operator()(int i) const {
        Push push;
        const FluidConstants& fluid = fluids[body[i]];
        const bool blends = fluid.viscosityModel == ViscosityModel::xsph;
        if (solved ? fluid.viscosityModel != ViscosityModel::implicit
                   : !blends && fluid.viscosityModel != ViscosityModel::morris)
            return push;
        const float factor = blends ? dt * fluid.mass * blendRate(fluid, W, dt) : 2 * dt * fluid.viscosity * volume[i];
        for (const int *b = walls.walls.begin(i), *last = walls.walls.end(i); b != last; ++b) {
            if (walls.walls.owners[*b] != wall) continue;
            const BoundaryPoint point = walls.walls.points[*b];
            const BoundaryMotion motion = walls.walls.motions[*b];
            const float weight = blends ? walls.blendWeight(x[i], point.x, point.volume, motion.friction)
                                        : walls.weight(x[i], point.x, point.volume, motion.friction);
            push.add((factor * weight) * (v[i] - motion.v), x[i] - center);
        }
        return push;
    }
};

// J = mᵢ (v − v′), shared out among the walls near by how rough they are there.
struct WallRub {
    Boundary::View walls;
    int wall;
    Vec3 center;
    CubicSpline W;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x, before, v;

    PURL_HD Push operator()(int i) const {
        Push push;
        if (walls.count(i) == 0 || before[i] == v[i]) return push;
        float own = 0, all = 0;
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b) {
            const float weight =
                walls.points[*b].volume * W(length(x[i] - walls.points[*b].x)) * walls.motions[*b].friction;
            all += weight;
            if (walls.owners[*b] == wall) own += weight;
        }
        if (own > 0) push.add((own / all * fluids[body[i]].mass) * (before[i] - v[i]), x[i] - center);
        return push;
    }
};

struct ContactPush {
    int collider;
    Vec3 center;
    Span<const int> touched, body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x, before, v;

    PURL_HD Push operator()(int i) const {
        Push push;
        if (touched[i] == collider) push.add(fluids[body[i]].mass * (before[i] - v[i]), x[i] - center);
        return push;
    }
};

void add(Impulse& impulse, const Push& push) {
    impulse.linear += {static_cast<float>(push.x), static_cast<float>(push.y), static_cast<float>(push.z)};
    impulse.angular += {static_cast<float>(push.turnX), static_cast<float>(push.turnY), static_cast<float>(push.turnZ)};
}

}  // namespace

// Adds what the particles give to each body that the fluid sees; pushOn(target) is one particle's.
template <class PushOn>
void Reaction::forEachWall(const char* name, int particles, const PushOn& pushOn) {
    for (Target& target : targets_)
        if (target.wall >= 0)
            add(target.impulse, reduce(device_, name, particles, Push{}, pushOn(target), AddPushes{}));
}

Reaction::Reaction(const Device& device) : device_(device), before_(device) {}

void Reaction::begin(const RigidBodies& rigids, const State& state, const std::vector<int>& members) {
    targets_.clear();
    for (int b = 0; b < rigids.count(); ++b) {
        Target target;
        target.collider = rigids.colliderOf(b);
        for (size_t w = 0; w < members.size(); ++w)
            if (members[w] == target.collider) target.wall = static_cast<int>(w);
        target.center = state.colliders[static_cast<size_t>(target.collider)].pose.position;
        targets_.push_back(target);
    }
}

void Reaction::addPressure(const Particles& particles, const Boundary& walls, const Materials& materials,
                           PressureSolver solver, float dt) {
    if (walls.empty()) return;
    const Span<const float> more =
        solver == PressureSolver::dfsph ? particles.divergencePressure.span() : Span<const float>{};
    forEachWall("wallPush", particles.count(), [&](const Target& target) {
        return WallPush{walls.view(),
                        target.wall,
                        target.center,
                        solver == PressureSolver::wcsph,
                        materials.wallPush,
                        dt,
                        materials.wallSpline,
                        particles.body.span(),
                        materials.fluids.span(),
                        particles.x.span(),
                        particles.density.span(),
                        particles.pressure.span(),
                        more};
    });
}

void Reaction::addViscosity(const Particles& particles, const Boundary& walls, const Materials& materials, Viscous when,
                            float dt, const Buffer<float>& volume, const Buffer<Vec3>& v) {
    if (walls.empty()) return;
    forEachWall("wallDrag", particles.count(), [&](const Target& target) {
        return WallDrag{WallSight(&walls, materials),
                        target.wall,
                        target.center,
                        when == Viscous::solved,
                        dt,
                        materials.spline,
                        particles.body.span(),
                        materials.fluids.span(),
                        particles.x.span(),
                        v.span(),
                        volume.span()};
    });
}

void Reaction::addFriction(const Particles& particles, const Boundary& walls, const Materials& materials,
                           const Buffer<Vec3>& v) {
    if (walls.empty()) return;
    forEachWall("wallRub", particles.count(), [&](const Target& target) {
        return WallRub{walls.view(),
                       target.wall,
                       target.center,
                       materials.wallSpline,
                       particles.body.span(),
                       materials.fluids.span(),
                       particles.x.span(),
                       std::as_const(before_).span(),
                       v.span()};
    });
}

void Reaction::addContact(const Particles& particles, const Buffer<int>& touched, const Materials& materials,
                          const Buffer<Vec3>& v) {
    for (Target& target : targets_) {
        const ContactPush push{target.collider,
                               target.center,
                               touched.span(),
                               particles.body.span(),
                               materials.fluids.span(),
                               particles.x.span(),
                               std::as_const(before_).span(),
                               v.span()};
        add(target.impulse, reduce(device_, "contactPush", particles.count(), Push{}, push, AddPushes{}));
    }
}

void Reaction::deliver(const RigidBodies& rigids, State& state) const {
    for (size_t b = 0; b < targets_.size(); ++b) rigids.push(state, static_cast<int>(b), targets_[b].impulse);
}

}  // namespace purl
