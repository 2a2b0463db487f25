#include "solver/coupling/reaction.h"

#include <algorithm>

#include "solver/boundary/sampleSums.h"
#include "solver/colliders/contacts.h"
#include "solver/core/compact.h"
#include "solver/core/forEach.h"
#include "solver/fluid/boundaryViscosity.h"
#include "solver/fluid/viscosity.h"

namespace purl {
namespace {

// Summed in double: a body touches many particles.
struct ImpulseSum {
    double x = 0, y = 0, z = 0, turnX = 0, turnY = 0, turnZ = 0;

    // Adds an impulse with this lever arm.
    PURL_HD void add(Vec3 impulse, Vec3 arm) {
        const Vec3 turn = cross(arm, impulse);
        x += double(impulse.x), y += double(impulse.y), z += double(impulse.z);
        turnX += double(turn.x), turnY += double(turn.y), turnZ += double(turn.z);
    }
};

struct AddImpulseSums {
    PURL_HD ImpulseSum operator()(const ImpulseSum& a, const ImpulseSum& b) const {
        return {a.x + b.x, a.y + b.y, a.z + b.z, a.turnX + b.turnX, a.turnY + b.turnY, a.turnZ + b.turnZ};
    }
};

// J = Δt kᵢ Σ V ∇W over boundary samples. With solvers for pressure k = pᵢ mᵢ/ρ₀ᵢ, with wcsph k = pᵢ mᵢ c ρ₀ᵢ/ρᵢ²; see
// addBoundaryPressure.
struct PressureImpulse {
    Boundary::View boundary;
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
        if (boundary.count(i) == 0 || !(p > 0)) return;
        const float k =
            p * fluid.mass * (weakly ? c * fluid.restDensity / square(density[i]) : fluid.inverseRestDensity);
        for (const int *b = boundary.begin(i), *last = boundary.end(i); b != last; ++b) {
            const Vec3 at = boundary.points[*b].x, d = x[i] - at;
            give(b, (dt * k * boundary.points[*b].volume * W.gradientFactor(length(d))) * d, at);
        }
    }
};

// J = k (vᵢ − u), with the coefficient k of the viscosity model: 2 Δt μ Vᵢ times the weight of a sample, or the blend
// rate of XSPH.
struct ViscousImpulse {
    BoundaryViscosity viscosity;
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
        for (const int *b = viscosity.boundary.begin(i), *last = viscosity.boundary.end(i); b != last; ++b) {
            const BoundarySample point = viscosity.boundary.points[*b];
            const BoundaryMotion motion = viscosity.boundary.motions[*b];
            const float weight = blends ? viscosity.blendWeight(x[i], point.x, point.volume, motion.friction)
                                        : viscosity.weight(x[i], point.x, point.volume, motion.friction);
            give(b, (factor * weight) * (v[i] - motion.v), x[i]);
        }
    }
};

// J = mᵢ (v − v′), distributed over nearby samples in proportion to their friction.
struct FrictionImpulse {
    Boundary::View boundary;
    CubicSpline W;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x, before, v;

    PURL_HD float weight(int i, int b) const {
        return boundary.points[b].volume * W(length(x[i] - boundary.points[b].x)) * boundary.motions[b].friction;
    }
    template <class Give>
    PURL_HD void forEach(int i, Give&& give) const {
        if (boundary.count(i) == 0 || before[i] == v[i]) return;
        float all = 0;
        for (const int *b = boundary.begin(i), *last = boundary.end(i); b != last; ++b) all += weight(i, *b);
        if (!(all > 0)) return;
        const Vec3 lost = (fluids[body[i]].mass / all) * (before[i] - v[i]);
        for (const int *b = boundary.begin(i), *last = boundary.end(i); b != last; ++b)
            give(b, weight(i, *b) * lost, x[i]);
    }
};

// The sum of any of these impulses on one collider of the boundary ...
template <class Impulses>
struct OnCollider {
    Impulses impulses;
    const int* owners;
    int wall;
    Vec3 center;

    PURL_HD ImpulseSum operator()(int i) const {
        ImpulseSum sum;
        impulses.forEach(i, [&](const int* b, Vec3 impulse, Vec3 at) {
            if (owners[*b] == wall) sum.add(impulse, at - center);
        });
        return sum;
    }
};

// ... and the impulse per entry of the neighbour lists.
template <class Impulses>
struct OnEntries {
    Impulses impulses;
    Boundary::View boundary;
    Span<Vec3> entries;

    PURL_HD void operator()(int i) const {
        for (const int *b = boundary.begin(i), *last = boundary.end(i); b != last; ++b)
            entries[static_cast<int>(b - boundary.indices)] = {};
        impulses.forEach(
            i, [&](const int* b, Vec3 impulse, Vec3) { entries[static_cast<int>(b - boundary.indices)] = impulse; });
    }
};

struct AddEntry {
    Span<const Vec3> entries;
    PURL_HD void operator()(int, int entry, Vec3& sum) const { sum += entries[entry]; }
};

struct ContactOnRigid {
    int collider;
    Vec3 center;
    Span<const int> touched, body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x, before, v;

    PURL_HD ImpulseSum operator()(int i) const {
        ImpulseSum sum;
        if (touched[i] == collider) sum.add(fluids[body[i]].mass * (before[i] - v[i]), x[i] - center);
        return sum;
    }
};

void add(Impulse& impulse, const ImpulseSum& sum) {
    impulse.linear += {static_cast<float>(sum.x), static_cast<float>(sum.y), static_cast<float>(sum.z)};
    impulse.angular += {static_cast<float>(sum.turnX), static_cast<float>(sum.turnY), static_cast<float>(sum.turnZ)};
}

// Contact impulses on deforming colliders, at the surface point closest to the particle.
struct ContactOnDeforming {
    Span<const PlacedCollider> colliders;
    Span<const int> firstPoint, touched, body;
    Span<const FluidConstants> fluids;
    Span<const Vec3> x, before, v;
    Span<ContactImpulse> held;

    PURL_HD void operator()(int i) const {
        held[i] = {};
        const int c = touched[i];
        if (c < 0 || firstPoint[c] < 0 || before[i] == v[i]) return;
        const TriangleTreeView& mesh = colliders[c].mesh;
        const ClosestPoint nearest = mesh.closest(x[i]);
        if (!nearest) return;
        ContactImpulse& own = held[i];
        own.collider = c;
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

struct TakeImpulse {
    Span<Vec3> onPoints;
    PURL_HD void operator()(int point, float share, Vec3 impulse) const { onPoints[point] += share * impulse; }
};

// Adds a contact to the point at place c of its carrier.
struct TakeContact {
    Span<const int> firstPoint;
    Span<Vec3> onPoints;
    Span<float> touching;
    PURL_HD void operator()(const ContactImpulse& held, int c) const {
        const int point = firstPoint[held.collider] + held.carrier.vertex[c];
        onPoints[point] += held.carrier.share[c] * held.impulse;
        touching[point] += held.carrier.share[c] * held.mass;
    }
};
struct ContactKeys {
    Span<const ContactImpulse> contacts;
    Span<const int> firstPoint;
    Span<uint64_t> keys;
    Span<int> order;
    PURL_HD void operator()(int entry) const {
        const ContactImpulse& held = contacts[entry / 3];
        keys[entry] = static_cast<uint64_t>(firstPoint[held.collider] + held.carrier.vertex[entry % 3]);
        order[entry] = entry;
    }
};
// The sorted contacts of a point.
struct TakeContacts {
    Span<const uint64_t> keys;
    Span<const int> order;
    Span<const ContactImpulse> contacts;
    TakeContact take;
    PURL_HD void operator()(int point) const {
        const auto own = static_cast<uint64_t>(point);
        for (int at = firstAtLeast(keys, own); at < keys.count && keys[at] == own; ++at)
            take(contacts[order[at] / 3], order[at] % 3);
    }
};

struct FlagContacts {
    Span<const ContactImpulse> contacts;
    Span<int> flags;
    PURL_HD void operator()(int i) const { flags[i] = contacts[i].collider >= 0 ? 1 : 0; }
};

}  // namespace

// Adds the impulses on each rigid body in the density, and on the points that carry samples.
template <class Impulses>
void Reaction::addOnBodies(const char* name, int particles, const Boundary& boundary, const Impulses& impulses) {
    const Boundary::View view = boundary.view();
    for (Target& target : targets_)
        if (target.wall >= 0)
            add(target.impulse,
                reduce(device_, name, particles, ImpulseSum{},
                       OnCollider<Impulses>{impulses, view.owners, target.wall, target.center}, AddImpulseSums{}));
    if (!binding_ || binding_->empty()) return;
    entries_.resizeDiscard(boundary.entries());
    forEach(device_, name, particles, OnEntries<Impulses>{impulses, view, entries_.span()});
    const BoundaryBinding::View bound = binding_->view();
    onSamples_.resize(0);
    onSamples_.resize(bound.count);  // all zero
    sumOnSamples(device_, name, view, boundary.entries(), particles, bound.first, onSamples_.span(),
                 AddEntry{std::as_const(entries_).span()});
    binding_->takeFromSamples(name, std::as_const(onSamples_).span(), TakeImpulse{onPoints_.span()});
}

Reaction::Reaction(const Device& device)
    : device_(device),
      firstPoint_(device, "reaction.firstPoint"),
      entries_(device, "reaction.entries"),
      contacts_(device, "reaction.contacts"),
      onSamples_(device, "reaction.onSamples"),
      onPoints_(device, "reaction.onPoints"),
      touching_(device, "reaction.touching"),
      before_(device, "reaction.before") {}

void Reaction::begin(const RigidBodies& rigids, const State& state, const StepColliders& colliders,
                     const std::vector<int>& inDensity, const BoundaryBinding& binding) {
    targets_.clear();
    for (int b = 0; b < rigids.count(); ++b) {
        Target target;
        target.collider = rigids.colliderOf(b);
        for (size_t w = 0; w < inDensity.size(); ++w)
            if (inDensity[w] == target.collider) target.wall = static_cast<int>(w);
        target.center = state.colliders[target.collider].pose.position;
        targets_.push_back(target);
    }
    binding_ = &binding;
    onPoints_.resize(0);
    touching_.resize(0);
    Buffer<int>& firstPoint = firstPoint_.onHost();
    firstPoint.resizeDiscard(0);
    if (colliders.deforming.empty()) return;
    onPoints_.resize(state.cloth.count() + state.soft.count());  // all zero
    touching_.resize(onPoints_.size());
    firstPoint.resizeDiscard(static_cast<int>(colliders.forFluids.size()));
    std::fill(firstPoint.begin(), firstPoint.end(), -1);
    for (const DeformingCollider& one : colliders.deforming)
        if (one.placed >= 0 && one.pushed) firstPoint[one.placed] = one.first + (one.isCloth ? 0 : state.cloth.count());
    firstPoint_.upload();
}

void Reaction::addPressure(const Particles& particles, const Boundary& boundary, const Materials& materials,
                           PressureSolver solver, float dt) {
    if (boundary.empty()) return;
    const Span<const float> more =
        solver == PressureSolver::dfsph ? particles.divergencePressure.span() : Span<const float>{};
    addOnBodies("pressureImpulses", particles.count(), boundary,
                PressureImpulse{boundary.view(), solver == PressureSolver::wcsph, materials.wallPush, dt,
                                materials.wallSpline, particles.body.span(), materials.fluids.span(),
                                particles.x.span(), particles.density.span(), particles.pressure.span(), more});
}

void Reaction::addViscosity(const Particles& particles, const Boundary& boundary, const Materials& materials,
                            Viscous when, float dt, const Buffer<float>& volume, const Buffer<Vec3>& v) {
    if (boundary.empty()) return;
    addOnBodies(
        "viscousImpulses", particles.count(), boundary,
        ViscousImpulse{BoundaryViscosity(&boundary, materials), when == Viscous::solved, dt, materials.spline,
                       particles.body.span(), materials.fluids.span(), particles.x.span(), v.span(), volume.span()});
}

void Reaction::addFriction(const Particles& particles, const Boundary& boundary, const Materials& materials,
                           const Buffer<Vec3>& v) {
    if (boundary.empty()) return;
    addOnBodies("frictionImpulses", particles.count(), boundary,
                FrictionImpulse{boundary.view(), materials.wallSpline, particles.body.span(), materials.fluids.span(),
                                particles.x.span(), std::as_const(before_).span(), v.span()});
}

void Reaction::addContact(const Particles& particles, const Buffer<int>& touched, const Colliders& colliders,
                          const Materials& materials, const Buffer<Vec3>& v) {
    if (touched.size() != particles.count()) return;  // there are no colliders
    const int count = particles.count();
    for (Target& target : targets_) {
        const ContactOnRigid contact{target.collider,
                                     target.center,
                                     touched.span(),
                                     particles.body.span(),
                                     materials.fluids.span(),
                                     particles.x.span(),
                                     std::as_const(before_).span(),
                                     v.span()};
        add(target.impulse, reduce(device_, "contactImpulses", count, ImpulseSum{}, contact, AddImpulseSums{}));
    }
    if (firstPoint_.empty()) return;
    contacts_.resizeDiscard(count);
    forEach(device_, "contactOnDeforming", count,
            ContactOnDeforming{colliders.onDevice(), firstPoint_.span(), touched.span(), particles.body.span(),
                               materials.fluids.span(), particles.x.span(), std::as_const(before_).span(), v.span(),
                               contacts_.span()});
    if (!device_.isCpu()) {
        Buffer<int> flags(device_, "particles in contact");
        flags.resizeDiscard(count);
        forEach(device_, "flagContacts", count, FlagContacts{std::as_const(contacts_).span(), flags.span()});
        contacts_ = compacted(contacts_, flags);
    }
    addContactsOnPoints();
}

// Contacts are added in the order of the particles.
void Reaction::addContactsOnPoints() {
    const TakeContact take{firstPoint_.span(), onPoints_.span(), touching_.span()};
    if (device_.isCpu()) {
        for (const ContactImpulse& held : contacts_)
            for (int c = 0; c < 3 && held.collider >= 0; ++c) take(held, c);
        return;
    }
    const int entries = 3 * contacts_.size();
    Buffer<uint64_t> keys(device_, "points of contacts");
    Buffer<int> order(device_, "order of contacts");
    keys.resizeDiscard(entries);
    order.resizeDiscard(entries);
    forEach(device_, "contactKeys", entries,
            ContactKeys{std::as_const(contacts_).span(), firstPoint_.span(), keys.span(), order.span()});
    sortByKey(keys, order, bitsOfKeys(onPoints_.size()));
    forEach(
        device_, "takeContacts", onPoints_.size(),
        TakeContacts{std::as_const(keys).span(), std::as_const(order).span(), std::as_const(contacts_).span(), take});
}

void Reaction::deliver(const RigidBodies& rigids, State& state) const {
    for (size_t b = 0; b < targets_.size(); ++b) rigids.push(state, static_cast<int>(b), targets_[b].impulse);
}

}  // namespace purl
