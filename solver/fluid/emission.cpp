#include "solver/fluid/emission.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "solver/core/compact.h"
#include "solver/core/copy.h"
#include "solver/core/error.h"
#include "solver/core/math.h"
#include "solver/core/random.h"
#include "solver/fluid/fill.h"
#include "solver/fluid/freeSpace.h"
#include "solver/fluid/nozzle.h"

namespace purl {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kLitre = 1e-3;                 // m³
constexpr float kGoldenAngle = 2.39996323f;     // rad
constexpr double kGoldenRatio = 0.61803398875;  // 1/φ
constexpr double kMaxOutletSites = 1e9;         // of a disc or slit; the squares still fit into 64 bits

struct FlagWithin {
    Bounds box;
    Span<const Vec3> x;
    Span<int> flags;
    PURL_HD void operator()(int i) const { flags[i] = overlap({x[i], x[i]}, box) ? 1 : 0; }
};

// The existing particles in a box, sorted by cell, for nearest-distance queries.
class ParticleGrid {
  public:
    ParticleGrid(const Bounds& box, float reach) : reach_(reach), low_(box.low) {}
    ParticleGrid(const Buffer<Vec3>& x, const Bounds& box, float reach) : ParticleGrid(box, reach) {
        Buffer<int> flags(x.device(), "particles near an emitter");
        flags.resizeDiscard(x.size());
        forEach(x.device(), "flagWithin", x.size(), FlagWithin{grown(box, reach), x.span(), flags.span()}, 2048);
        const Buffer<Vec3> inside = compacted(x, flags);
        for (const Vec3 p : readOnHost(inside)) add(p);
        std::sort(entries_.begin(), entries_.end(), byCell);
    }
    // Distance from p to the nearest particle, at most the reach.
    float distanceTo(Vec3 p) const {
        float nearest = square(reach_);
        for (const std::vector<Entry>* entries : {&entries_, &recent_})
            for (int64_t z = -1; z <= 1; ++z)
                for (int64_t y = -1; y <= 1; ++y) {
                    // Three adjacent cells have consecutive keys.
                    const int64_t key = keyOf(p) + z * kSlab + y * kRow;
                    const auto first = std::lower_bound(entries->begin(), entries->end(), Entry{key - 1, {}}, byCell);
                    for (auto entry = first; entry != entries->end() && entry->key <= key + 1; ++entry)
                        nearest = std::min(nearest, lengthSquared(entry->x - p));
                }
        return std::sqrt(nearest);
    }
    bool isNear(Vec3 p) const { return distanceTo(p) < reach_; }
    void insert(Vec3 p) {
        const Entry entry{keyOf(p), p};
        recent_.insert(std::upper_bound(recent_.begin(), recent_.end(), entry, byCell), entry);
    }

  private:
    struct Entry {
        int64_t key;
        Vec3 x;
    };
    static bool byCell(const Entry& a, const Entry& b) { return a.key < b.key; }
    void add(Vec3 p) { entries_.push_back({keyOf(p), p}); }
    static constexpr int64_t kRow = int64_t(1) << 21, kSlab = kRow * kRow;
    // Distant cells may share a key; the distance test rejects them.
    int64_t keyOf(Vec3 p) const {
        const auto cell = [&](int axis) {
            return static_cast<int64_t>(std::floor((p[axis] - low_[axis]) / reach_)) + (1 << 19);
        };
        return cell(2) * kSlab + cell(1) * kRow + cell(0);
    }

    float reach_;
    Vec3 low_;
    std::vector<Entry> entries_, recent_;  // recent_: inserted later; separate, because a short list is fast to grow
};

// Uniform on the spherical cap around `axes.y` with a half angle of `spread` · 90°.
Vec3 direction(const Mat3& axes, float spread, uint64_t seed, uint64_t id) {
    if (spread <= 0) return axes.y;
    const float minCosine = cos(spread * static_cast<float>(kPi) / 2);
    const float up = 1 - randomUnit(seed, 2 * id) * (1 - minCosine);
    const float around = 2 * static_cast<float>(kPi) * randomUnit(seed, 2 * id + 1);
    const float across = std::sqrt(std::max(0.0f, 1 - up * up));
    return normalized(axes * Vec3{across * cos(around), up, across * sin(around)}, axes.y);
}

// The flow of one emitter in a step.
struct Outflow {
    double begin, end;      // s, active interval within this step
    double rate;            // m³/s
    double before, after;   // m³ emitted so far, before and after the step
    double particleVolume;  // m³

    // The k-th particle is emitted when half of its volume is out.
    int64_t firstParticle() const { return particlesIn(before); }
    int64_t endParticle() const { return particlesIn(after); }
    int64_t particlesIn(double volume) const {
        constexpr double kMaxNumber = 9e15;  // doubles still resolve integers there
        return static_cast<int64_t>(std::min(kMaxNumber, std::floor(volume / particleVolume + 0.5)));
    }
    double timeOf(int64_t k) const {
        const double wait = ((static_cast<double>(k) + 0.5) * particleVolume - before) / rate;
        return std::min(end, std::max(begin, begin + wait));
    }
};

// The outlet projected onto the plane z = 0, displaced by `aside` along its x axis.
Outlet inPlane(const Outlet& outlet, float aside) {
    const Vec3 up = normalized({outlet.axes.y.x, outlet.axes.y.y, 0}, {0, 1, 0}), right{up.y, -up.x, 0};
    return {
        Vec3{outlet.x.x, outlet.x.y, 0} + aside * right, {right, up, {0, 0, 1}}, {outlet.motion.x, outlet.motion.y, 0}};
}

// Uniform within `spread` · 90° of `axes.y`, in the plane.
Vec3 directionInPlane(const Mat3& axes, float spread, uint64_t seed, uint64_t id) {
    if (spread <= 0) return axes.y;
    const float angle = spread * static_cast<float>(kPi) / 2 * (2 * randomUnit(seed, 2 * id) - 1);
    return sin(angle) * axes.x + cos(angle) * axes.y;
}

Outflow outflow(const Emitter& emitter, const Nozzle& nozzle, float spacing, int dimensions, double emitted,
                double time, double dt) {
    const EmitterParams& p = emitter.params;
    Outflow flow{};
    flow.particleVolume = pow(double(spacing), dimensions);
    flow.begin = std::max(time, double(p.startTime));
    flow.end = p.endTime > 0 ? std::min(time + dt, double(p.endTime)) : time + dt;
    flow.rate = p.rate * kLitre;
    // Limited by the opening: Q ≤ A v; in two dimensions a disc is a slit of its width
    const double area = dimensions == 3 ? nozzle.area() : 2 * double(p.radius);
    if (p.shape != EmitterShape::volume) flow.rate = std::min(flow.rate, area * p.speed);
    flow.before = flow.after = emitted;
    if (flow.end > flow.begin) flow.after += flow.rate * (flow.end - flow.begin);
    if (p.maxVolume > 0) flow.after = std::max(emitted, std::min(flow.after, p.maxVolume * kLitre));
    return flow;
}

// The inputs of one emitter's step.
struct Step {
    const Emitter& emitter;
    const Nozzle& nozzle;
    const Outflow& flow;
    float spacing;
    int dimensions;
    int64_t count;     // number of particles due
    double time, end;  // s
    const FreeSpace& freeSpace;

    const EmitterParams& params() const { return emitter.params; }
    uint64_t seed() const { return static_cast<uint64_t>(params().seed); }
    // 0 at the start of the step, 1 at its end.
    float partOf(double birth) const { return static_cast<float>((birth - time) / (end - time)); }
    Vec3 offset(uint64_t id) const {
        if (params().jitter <= 0) return {};
        const auto random = [&](uint64_t axis) { return 2 * randomUnit(~seed(), 3 * id + axis) - 1; };
        return params().jitter * spacing * Vec3{random(0), random(1), dimensions == 3 ? random(2) : 0};
    }
    // Creates particle `id` at an outlet, advanced by its time since birth. False if a collider blocks it.
    bool createParticle(const Outlet& outlet, double birth, uint64_t id, NewParticle& particle) const {
        const Vec3 along = (dimensions == 3 ? direction : directionInPlane)(outlet.axes, params().spread, seed(), id);
        const Vec3 v = params().speed * along + params().inheritVelocity * outlet.motion;
        // First out of the collider, then forward, so that the jet has neither layers nor gaps there.
        Vec3 x = outlet.x + offset(id);
        if (!freeSpace.moveOut(x, along)) return false;
        particle = {x + static_cast<float>(end - birth) * v, v, birth};
        return freeSpace.isFree(particle.x);
    }
};

std::vector<NewParticle> emitFromDisc(const Step& step) {
    std::vector<NewParticle> created;
    for (int64_t k = step.flow.firstParticle(); k < step.flow.firstParticle() + step.count; ++k) {
        const double birth = step.flow.timeOf(k);
        const float part = step.partOf(birth), radius = step.params().radius;
        const Outlet outlet = step.dimensions == 3
                                  ? step.nozzle.discOutlet(discSite(k, radius, step.spacing), part)
                                  : inPlane(step.nozzle.discOutlet({}, part), slitSite(k, radius, step.spacing));
        NewParticle particle;
        if (step.createParticle(outlet, birth, static_cast<uint64_t>(k), particle)) created.push_back(particle);
    }
    return created;
}

// The k-th point of a low-discrepancy sequence in the unit cube: multiples of powers of 1/g, g⁴ = g + 1 (Roberts 2018).
Vec3 lowDiscrepancyPoint(int64_t k) {
    const auto part = [&](double step) {
        const double turns = step * static_cast<double>(k % (int64_t(1) << 30)) + 0.5;
        return std::min(static_cast<float>(turns - std::floor(turns)), 0.9999999f);
    };
    return {part(0.8191725133961645), part(0.6710436067037893), part(0.5497004779019703)};
}

// From a surface or tube, by best-candidate sampling (Mitchell 1991): the first of several candidates without a nearby
// particle, otherwise the one farthest from all others. So no particles coincide even in a crowded flow.
std::vector<NewParticle> emitFromSurfaceOrCurve(const Step& step, const State& state) {
    constexpr uint64_t kTries = 12;
    const Bounds box = step.nozzle.bounds();
    const float flight = static_cast<float>(step.end - step.time) * step.params().speed +
                         step.params().inheritVelocity * length(box.size());
    ParticleGrid occupied(state.particles.x, grown(box, flight), 0.9f * step.spacing);
    std::vector<NewParticle> created;
    for (int64_t k = step.flow.firstParticle(); k < step.flow.firstParticle() + step.count; ++k) {
        const double birth = step.flow.timeOf(k);
        const auto id = static_cast<uint64_t>(k);
        NewParticle best{};
        float room = -1;
        for (uint64_t t = 0; t < kTries && room < 0.9f * step.spacing; ++t) {
            const auto random = [&](uint64_t axis) { return randomUnit(step.seed(), 3 * (kTries * id + t) + axis); };
            const Vec3 sample = t == 0 ? lowDiscrepancyPoint(k) : Vec3{random(0), random(1), random(2)};
            NewParticle candidate;
            if (!step.createParticle(step.nozzle.outletForSample(sample, step.partOf(birth)), birth, id, candidate))
                continue;
            const float distance = occupied.distanceTo(candidate.x);
            if (distance <= room) continue;
            room = distance;
            best = candidate;
        }
        if (room < 0) continue;
        occupied.insert(best.x);
        created.push_back(best);
    }
    return created;
}

// Visits the lattice sites in a scattered order until enough free ones are found.
std::vector<NewParticle> emitIntoVolume(const Step& step, const State& state) {
    const TriangleMesh mesh{step.nozzle.verticesAt(1), step.emitter.mesh.triangles};
    TriangleTree tree = volumeTree(mesh);
    tree.refit(mesh.vertices, step.nozzle.verticesAt(0));
    const FillLattice lattice(tree.bounds(), step.spacing, step.dimensions);
    ParticleGrid occupied(state.particles.x, tree.bounds(), 0.8f * step.spacing);
    const int64_t sites = lattice.sites();
    int64_t stride = std::max<int64_t>(1, std::llround(kGoldenRatio * static_cast<double>(sites)));
    while (std::gcd(stride, sites) != 1) ++stride;
    int64_t site =
        randomBits(step.seed(), static_cast<uint64_t>(state.nextId) ^ static_cast<uint64_t>(state.time * 1e6)) % sites;
    const int64_t maxVisits = std::min(sites, 256 + 32 * step.count);  // bounded, so that a full volume costs little
    const Mat3 axes = step.nozzle.poseAt(1).axes;
    const bool moves = step.params().inheritVelocity > 0;
    std::vector<NewParticle> created;
    for (int64_t visit = 0; visit < maxVisits && static_cast<int64_t>(created.size()) < step.count; ++visit) {
        site = (site + stride) % sites;
        Outlet outlet{lattice.site(site), axes, {}};
        if (occupied.isNear(outlet.x) || !tree.isInside(outlet.x) || !step.freeSpace.isFree(outlet.x)) continue;
        occupied.insert(outlet.x);
        const auto id = static_cast<uint64_t>(state.nextId) + created.size();
        // Inside the volume a particle takes the velocity of the nearest triangle.
        if (const ClosestPoint nearest = moves ? tree.view().closest(outlet.x) : ClosestPoint{})
            outlet.motion =
                tree.view().displacement(nearest.triangle, nearest.point) / static_cast<float>(step.end - step.time);
        if (step.dimensions == 2) outlet = inPlane(outlet, 0);
        NewParticle particle;  // volume emitters place particles exactly on their sites
        if (!step.createParticle(outlet, step.end, id, particle) || !tree.isInside(particle.x)) particle.x = outlet.x;
        particle.birth = step.flow.timeOf(step.flow.firstParticle() + static_cast<int64_t>(created.size()));
        created.push_back(particle);
    }
    return created;
}

// The index of the k-th of `count` sites in a scattered order.
int64_t scatteredIndex(int64_t k, int64_t count) {
    int64_t stride = std::max<int64_t>(1, std::llround(kGoldenRatio * static_cast<double>(count)));
    while (std::gcd(stride, count) != 1) ++stride;
    return k % count * stride % count;
}

std::vector<NewParticle> createParticles(const Step& step, const State& state) {
    const EmitterShape shape = step.params().shape;
    if (step.dimensions == 2 && shape != EmitterShape::disc && shape != EmitterShape::volume)
        throw Error("surface and curve emitters need three dimensions; use the disc or volume shape in two");
    switch (shape) {
        case EmitterShape::disc: return emitFromDisc(step);
        case EmitterShape::volume: return emitIntoVolume(step, state);
        case EmitterShape::surface:
        case EmitterShape::curve: return emitFromSurfaceOrCurve(step, state);
    }
    return {};
}

}  // namespace

// Sites lie on Vogel's spiral (1979), rᵢ = R √((i + ½)/n), φᵢ = i · golden angle: n equal areas of the disc, about a
// spacing apart for any radius. They are used in a scattered order, so that the jet has neither layers nor gaps: a full
// jet has moved by one spacing when a site is used again.
Vec3 discSite(int64_t k, float radius, float spacing) {
    const double shares = kPi * double(radius) * radius / (double(spacing) * spacing);
    const int64_t count =
        std::max<int64_t>(1, static_cast<int64_t>(std::min(kMaxOutletSites, std::ceil(shares - 0.01))));
    if (count == 1) return {};
    const int64_t i = scatteredIndex(k, count);
    const float r = radius * static_cast<float>(std::sqrt((static_cast<double>(i) + 0.5) / static_cast<double>(count)));
    const float angle = kGoldenAngle * static_cast<float>(i);
    return {r * cos(angle), 0, r * sin(angle)};
}

float slitSite(int64_t k, float radius, float spacing) {
    const double sites = std::ceil(2 * double(radius) / spacing - 0.01);
    const int64_t count = std::max<int64_t>(1, static_cast<int64_t>(std::min(kMaxOutletSites, sites)));
    const auto i = static_cast<float>(scatteredIndex(k, count));
    return radius * ((2 * i + 1) / static_cast<float>(count) - 1);
}

namespace {

// Sets one part of the colour.
struct SetColor {
    float value;
    int first;
    Span<float> values;
    PURL_HD void operator()(int i) const { values[first + 3 * i] = value; }
};

}  // namespace

void addParticles(State& state, const std::vector<NewParticle>& created, int body, size_t source, const Scene& scene) {
    const FluidParams& params = scene.fluids[body].params;
    Particles& particles = state.particles;
    const int first = particles.count(), count = static_cast<int>(created.size());
    particles.resize(first + count);
    if (!scene.solver.origins) particles.forgetOrigins();
    const bool origins = !particles.source.empty();
    std::vector<Vec3> x, v;
    std::vector<float> birth;
    std::vector<int64_t> ids;
    for (const NewParticle& particle : created) {
        x.push_back(particle.x);
        v.push_back(particle.v);
        birth.push_back(static_cast<float>(particle.birth));
        ids.push_back(state.nextId++);
    }
    const auto store = [&](auto& channel, const auto& values) {
        channel.device().upload(channel.data() + first, values.data(), sizeof(values[0]) * values.size());
    };
    store(particles.x, x);
    store(particles.v, v);
    if (!particles.vHalf.empty()) store(particles.vHalf, v);
    setElements(particles.density, first, count, params.restDensity);
    store(particles.birth, birth);
    store(particles.id, ids);
    setElements(particles.body, first, count, body);
    if (origins) setElements(particles.source, first, count, static_cast<int>(source));
    if (origins) store(particles.rest, x);
    for (int k = 0; k < 3 && particles.color.width == 3; ++k)
        forEach(particles.x.device(), "setColor", count,
                SetColor{params.color[k], 3 * first + k, particles.color.values.span()});
}

void fillVolumes(State& state, const Scene& scene, Span<const PlacedCollider> walls,
                 Span<const PlacedCollider> deforming) {
    std::vector<PlacedCollider> solids;
    for (const PlacedCollider& wall : walls)
        if (!wall.kills) solids.push_back(wall);
    const Span<const PlacedCollider> solidSpan{solids.data(), static_cast<int>(solids.size())};
    std::vector<PlacedCollider> fabrics(deforming.begin(), deforming.end());
    for (size_t body = 0; body < scene.fluids.size(); ++body) {
        const Fluid& fluid = scene.fluids[body];
        const FluidParams& p = fluid.params;
        const FreeSpace beside(solidSpan, p.particleSpacing);
        for (size_t volume = 0; volume < fluid.volumes.size(); ++volume) {
            const int room = std::max(0, scene.solver.maxParticles - state.particles.count());
            std::vector<Vec3> sites;
            try {
                sites = fillVolume(fluid.volumes[volume], p.particleSpacing, p.jitter, 1 + volume, room,
                                   state.particles.x.device(), scene.solver.dimensions, scene.solver.gravityDirection);
            } catch (const Cancelled&) { throw; } catch (const Error& error) {
                throw Error(fluid.name + ": " + error.what());
            }
            if (sites.empty()) {
                std::ostringstream message;
                message << fluid.name << ": volume mesh holds no particle at spacing " << p.particleSpacing
                        << " m; use a smaller spacing"
                        << (scene.solver.dimensions == 2 ? ", or a mesh that the plane z = 0 cuts" : "");
                throw Error(message.str());
            }
            Bounds box;
            for (const Vec3 x : sites) box.include(x);
            const ParticleGrid occupied(state.particles.x, box, 0.5f * p.particleSpacing);
            // Boundary samples of closed bodies are half a spacing behind the surface, those of sheets on the sheet
            // itself, so fluid at rest is a whole spacing away from a sheet.
            for (PlacedCollider& fabric : fabrics)
                if (!fabric.mesh.closed) fabric.gap = std::max(fabric.gap, 0.95f * p.particleSpacing);
            const FreeSpace around({fabrics.data(), static_cast<int>(fabrics.size())}, p.particleSpacing);
            std::vector<NewParticle> created;
            Vec3 velocity = p.startVelocity;
            if (scene.solver.dimensions == 2) velocity.z = 0;
            // Sites that were moved away from a collider must not coincide with each other.
            ParticleGrid moved(box, 0.25f * p.particleSpacing);
            for (const Vec3 site : sites) {
                Vec3 x = site;
                if (occupied.isNear(site) || !around.isFree(site) || !beside.pushOff(x)) continue;
                if (scene.solver.dimensions == 2) x.z = 0;
                if (x != site) {
                    if (moved.isNear(x)) continue;
                    moved.insert(x);
                }
                created.push_back({x, velocity, state.time});
            }
            addParticles(state, created, static_cast<int>(body), volume, scene);
        }
    }
    state.filled = state.nextId;
}

void emit(State& state, const Scene& scene, double dt, float shareBefore, float shareAfter,
          Span<const PlacedCollider> walls) {
    const int dimensions = scene.solver.dimensions;
    size_t index = 0;
    for (size_t body = 0; body < scene.fluids.size(); ++body) {
        const Fluid& fluid = scene.fluids[body];
        const float spacing = fluid.params.particleSpacing;
        for (const Emitter& emitter : fluid.emitters) {
            if (state.emitted.size() <= index) state.emitted.resize(index + 1);
            const ColliderPlace* const from = index < state.emitters.size() ? &state.emitters[index] : nullptr;
            double& emitted = state.emitted[index++];
            try {
                const Nozzle nozzle(emitter, from, shareBefore, shareAfter, dt);
                const Outflow flow = outflow(emitter, nozzle, spacing, dimensions, emitted, state.time, dt);
                const int64_t room = std::max(0, scene.solver.maxParticles - state.particles.count());
                const int64_t due = flow.endParticle() - flow.firstParticle();
                const int64_t count = std::min(due, room);
                if (count == 0) {
                    if (due == 0) emitted = flow.after;
                    continue;
                }
                const FreeSpace free(walls, spacing);
                const std::vector<NewParticle> created = createParticles(
                    {emitter, nozzle, flow, spacing, dimensions, count, state.time, state.time + dt, free}, state);
                // A volume emitter does not carry over particles that found no free site; otherwise it would gush as
                // soon as there is space. Particles blocked by a collider are lost, because the rest of the opening
                // must not emit more than its share.
                const bool fills = emitter.params.shape == EmitterShape::volume;
                const auto released = fills ? static_cast<int64_t>(created.size()) : count;
                emitted =
                    released == due ? flow.after : flow.before + static_cast<double>(released) * flow.particleVolume;
                const size_t source = fluid.volumes.size() + static_cast<size_t>(&emitter - fluid.emitters.data());
                addParticles(state, created, static_cast<int>(body), source, scene);
            } catch (const Cancelled&) { throw; } catch (const Error& error) {
                throw Error(emitter.name + ": " + error.what());
            }
        }
    }
}

}  // namespace purl
