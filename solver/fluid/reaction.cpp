#include "solver/fluid/reaction.h"

#include <algorithm>

#include "solver/boundary/wallSums.h"
#include "solver/contact/contacts.h"
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
    bool weakly;
    float c;
    float dt;
    CubicSpline W;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x;
    Span<const float> density, pressure, divergencePressure;

    template <class Give>
    PURL_HD void forEach(int i, Give&& give) const {
        const FluidConstants& fluid = fluids[body[i]];
        const float p = pressure[i] + (divergencePressure.count ? divergencePressure[i] : 0);
        if (walls.count(i) == 0 || !(p > 0)) return;
        const float k =
            p * fluid.mass * (weakly ? c * fluid.restDensity / square(density[i]) : fluid.inverseRestDensity);
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b) {
            const Vec3 at = walls.points[*b].x, d = x[i] - at;
            give(b, (dt * k * walls.points[*b].volume * W.gradientFactor(length(d))) * d, at);
        }
    }
};

// J = k (vᵢ − u), k what viscosity held the particle with: 2 Δt μ Vᵢ times a wall point's weight, or xsph's blend.
struct WallDrag {
    WallSight sight;
    bool solved;
    float dt;
    CubicSpline W;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x, v;
    Span<const float> volume;

    template <class Give>
    PURL_HD void forEach(int i, Give&& give) const {
        const FluidConstants& fluid = fluids[body[i]];
        const bool blends = fluid.viscosityModel == ViscosityModel::xsph;
        if (solved ? fluid.viscosityModel != ViscosityModel::implicit
                   : !blends && fluid.viscosityModel != ViscosityModel::morris)
            return;
        const float factor = blends ? dt * fluid.mass * blendRate(fluid, W, dt) : 2 * dt * fluid.viscosity * volume[i];
        for (const int *b = sight.walls.begin(i), *last = sight.walls.end(i); b != last; ++b) {
            const BoundaryPoint point = sight.walls.points[*b];
            const BoundaryMotion motion = sight.walls.motions[*b];
            const float weight = blends ? sight.blendWeight(x[i], point.x, point.volume, motion.friction)
                                        : sight.weight(x[i], point.x, point.volume, motion.friction);
            give(b, (factor * weight) * (v[i] - motion.v), x[i]);
        }
    }
};

// J = mᵢ (v − v′), shared out among the walls near by how rough they are there.
struct WallRub {
    Boundary::View walls;
    CubicSpline W;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x, before, v;

    PURL_HD float weight(int i, int b) const {
        return walls.points[b].volume * W(length(x[i] - walls.points[b].x)) * walls.motions[b].friction;
    }
    template <class Give>
    PURL_HD void forEach(int i, Give&& give) const {
        if (walls.count(i) == 0 || before[i] == v[i]) return;
        float all = 0;
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b) all += weight(i, *b);
        if (!(all > 0)) return;
        const Vec3 lost = (fluids[body[i]].mass / all) * (before[i] - v[i]);
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b) give(b, weight(i, *b) * lost, x[i]);
    }
};

// Of any of these, what one wall takes ...
template <class Pushes>
struct OnWall {
    Pushes pushes;
    const int* owners;
    int wall;
    Vec3 center;

    PURL_HD Push operator()(int i) const {
        Push push;
        pushes.forEach(i, [&](const int* b, Vec3 impulse, Vec3 at) {
            if (owners[*b] == wall) push.add(impulse, at - center);
        });
        return push;
    }
};

// ... and what each entry of the lists does.
template <class Pushes>
struct OnEntries {
    Pushes pushes;
    Boundary::View walls;
    Span<Vec3> entries;

    PURL_HD void operator()(int i) const {
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b)
            entries[static_cast<int>(b - walls.indices)] = {};
        pushes.forEach(
            i, [&](const int* b, Vec3 impulse, Vec3) { entries[static_cast<int>(b - walls.indices)] = impulse; });
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

// What contact gave to skins: the point of the triangle that is nearest to where the particle was put.
struct HoldOn {
    Span<const PlacedCollider> colliders;
    Span<const int> firstOf, touched, body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x, before, v;
    Span<HeldBySkin> held;

    PURL_HD void operator()(int i) const {
        held[i] = {};
        const int c = touched[i];
        if (c < 0 || firstOf[c] < 0 || before[i] == v[i]) return;
        const TriangleTreeView& mesh = colliders[c].mesh;
        const ClosestPoint nearest = mesh.closest(x[i]);
        if (!nearest) return;
        HeldBySkin& own = held[i];
        own.skin = c;
        own.mass = fluids[body[i]].mass;
        own.impulse = own.mass * (before[i] - v[i]);
        Vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            own.carrier.vertex[k] = mesh.corners[3 * nearest.triangle + k];
            p[k] = mesh.corner(nearest.triangle, k);
        }
        const Vec3 n = cross(p[1] - p[0], p[2] - p[0]);
        const float all = lengthSquared(n);
        for (int k = 0; k < 3; ++k)
            own.carrier.share[k] =
                all > 0 ? dot(cross(p[(k + 2) % 3] - p[(k + 1) % 3], nearest.point - p[(k + 1) % 3]), n) / all
                        : 1.0f / 3;
    }
};

}  // namespace

// To each rigid body that the fluid sees, and to the points of skins.
template <class Pushes>
void Reaction::addAll(const char* name, int particles, const Boundary& walls, const Pushes& pushes) {
    const Boundary::View view = walls.view();
    for (Target& target : targets_)
        if (target.wall >= 0)
            add(target.impulse, reduce(device_, name, particles, Push{},
                                       OnWall<Pushes>{pushes, view.owners, target.wall, target.center}, AddPushes{}));
    if (!rides_ || rides_->empty()) return;
    entries_.renew(walls.entries());
    forEach(device_, name, particles, OnEntries<Pushes>{pushes, view, entries_.span()});
    const Rides::View rides = rides_->view();
    onWalls_.assign(static_cast<size_t>(rides.count), {});
    sumOnWalls(device_, name, view, particles, rides.first, Span<Vec3>{onWalls_.data(), rides.count},
               [&](int, const int* b, Vec3& sum) { sum += entries_[static_cast<int>(b - view.indices)]; });
    rides.forEachEntry(device_, onWalls_, [&](int point, float share, Vec3 impulse) {
        onPoints_[static_cast<size_t>(point)] += share * impulse;
    });
}

void Reaction::addAt(const PointCarrier& carrier, int first, Vec3 impulse) {
    for (int k = 0; k < 3 && carrier.vertex[k] >= 0; ++k)
        onPoints_[static_cast<size_t>(first + carrier.vertex[k])] += carrier.share[k] * impulse;
}

Reaction::Reaction(const Device& device)
    : device_(device), firstOf_(device), entries_(device), held_(device), before_(device) {}

void Reaction::begin(const RigidBodies& rigids, const State& state, const std::vector<int>& members, const Skins& skins,
                     const Rides& rides) {
    targets_.clear();
    for (int b = 0; b < rigids.count(); ++b) {
        Target target;
        target.collider = rigids.colliderOf(b);
        for (size_t w = 0; w < members.size(); ++w)
            if (members[w] == target.collider) target.wall = static_cast<int>(w);
        target.center = state.colliders[static_cast<size_t>(target.collider)].pose.position;
        targets_.push_back(target);
    }
    rides_ = &rides;
    onPoints_.clear();
    touching_.clear();
    firstOf_.renew(0);
    if (skins.empty()) return;
    onPoints_.resize(static_cast<size_t>(state.cloth.count() + state.soft.count()));
    touching_.resize(onPoints_.size());
    firstOf_.renew(static_cast<int>(skins.scene().colliders.size()));
    std::fill(firstOf_.begin(), firstOf_.end(), -1);
    for (const Skin& skin : skins.all())
        if (skin.collider >= 0 && skin.pushed)
            firstOf_[skin.collider] = skin.first + (skin.ofCloth ? 0 : state.cloth.count());
}

void Reaction::addPressure(const Particles& particles, const Boundary& walls, const Materials& materials,
                           PressureSolver solver, float dt) {
    if (walls.empty()) return;
    const Span<const float> more =
        solver == PressureSolver::dfsph ? particles.divergencePressure.span() : Span<const float>{};
    addAll("wallPush", particles.count(), walls,
           WallPush{walls.view(), solver == PressureSolver::wcsph, materials.wallPush, dt, materials.wallSpline,
                    particles.body.span(), materials.fluids.span(), particles.x.span(), particles.density.span(),
                    particles.pressure.span(), more});
}

void Reaction::addViscosity(const Particles& particles, const Boundary& walls, const Materials& materials, Viscous when,
                            float dt, const Buffer<float>& volume, const Buffer<Vec3>& v) {
    if (walls.empty()) return;
    addAll("wallDrag", particles.count(), walls,
           WallDrag{WallSight(&walls, materials), when == Viscous::solved, dt, materials.spline, particles.body.span(),
                    materials.fluids.span(), particles.x.span(), v.span(), volume.span()});
}

void Reaction::addFriction(const Particles& particles, const Boundary& walls, const Materials& materials,
                           const Buffer<Vec3>& v) {
    if (walls.empty()) return;
    addAll("wallRub", particles.count(), walls,
           WallRub{walls.view(), materials.wallSpline, particles.body.span(), materials.fluids.span(),
                   particles.x.span(), std::as_const(before_).span(), v.span()});
}

void Reaction::addContact(const Particles& particles, const Buffer<int>& touched, const Colliders& colliders,
                          const Materials& materials, const Buffer<Vec3>& v) {
    if (touched.size() != particles.count()) return;  // there is nothing to touch
    const int count = particles.count();
    for (Target& target : targets_) {
        const ContactPush push{target.collider,
                               target.center,
                               touched.span(),
                               particles.body.span(),
                               materials.fluids.span(),
                               particles.x.span(),
                               std::as_const(before_).span(),
                               v.span()};
        add(target.impulse, reduce(device_, "contactPush", count, Push{}, push, AddPushes{}));
    }
    if (firstOf_.empty()) return;
    held_.renew(count);
    forEach(device_, "holdOn", count,
            HoldOn{colliders.placed(), firstOf_.span(), touched.span(), particles.body.span(), materials.fluids.span(),
                   particles.x.span(), std::as_const(before_).span(), v.span(), held_.span()});
    device_.synchronize();
    for (const HeldBySkin& held : held_) {
        if (held.skin < 0) continue;
        addAt(held.carrier, firstOf_[held.skin], held.impulse);
        for (int k = 0; k < 3; ++k)
            touching_[static_cast<size_t>(firstOf_[held.skin] + held.carrier.vertex[k])] +=
                held.carrier.share[k] * held.mass;
    }
}

void Reaction::deliver(const RigidBodies& rigids, State& state) const {
    for (size_t b = 0; b < targets_.size(); ++b) rigids.push(state, static_cast<int>(b), targets_[b].impulse);
}

}  // namespace purl
