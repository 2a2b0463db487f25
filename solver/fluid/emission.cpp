#include "solver/fluid/emission.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "solver/core/error.h"
#include "solver/core/random.h"
#include "solver/fluid/fill.h"
#include "solver/fluid/nozzle.h"
#include "solver/fluid/room.h"

namespace purl {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kLitre = 1e-3;                 // m³
constexpr float kGoldenAngle = 2.39996323f;     // rad
constexpr double kGoldenShare = 0.61803398875;  // of the whole
constexpr double kMaxMouthSites = 1e9;          // of a disc or slit: their squares still fit into 64 bits

// The particles there are in a box, sorted into cells, to be asked whether one is near.
class Crowd {
  public:
    Crowd(const Buffer<Vec3>& x, int count, const Bounds& box, float reach) : reach_(reach), low_(box.low) {
        const Bounds wide = grown(box, reach);
        for (int i = 0; i < count; ++i) {
            Bounds point;
            point.include(x[i]);
            if (overlap(point, wide)) add(x[i]);
        }
        std::sort(entries_.begin(), entries_.end(), byCell);
    }
    // How far p's nearest is, at most the reach.
    float distanceTo(Vec3 p) const {
        float nearest = square(reach_);
        for (const std::vector<Entry>* entries : {&entries_, &recent_})
            for (int64_t z = -1; z <= 1; ++z)
                for (int64_t y = -1; y <= 1; ++y) {
                    // Three cells side by side have keys in a row.
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
    // Cells far apart may share a key; the distance decides.
    int64_t keyOf(Vec3 p) const {
        const auto cell = [&](int axis) {
            return static_cast<int64_t>(std::floor((p[axis] - low_[axis]) / reach_)) + (1 << 19);
        };
        return cell(2) * kSlab + cell(1) * kRow + cell(0);
    }

    float reach_;
    Vec3 low_;
    std::vector<Entry> entries_, recent_;  // the latter came one by one: a short list is quick to insert into
};

// Uniform on the cap around `axes.y` whose half angle is `spread` right angles.
Vec3 direction(const Mat3& axes, float spread, uint64_t seed, uint64_t id) {
    if (spread <= 0) return axes.y;
    const float least = std::cos(spread * static_cast<float>(kPi) / 2);
    const float up = 1 - randomUnit(seed, 2 * id) * (1 - least);
    const float around = 2 * static_cast<float>(kPi) * randomUnit(seed, 2 * id + 1);
    const float across = std::sqrt(std::max(0.0f, 1 - up * up));
    return normalized(axes * Vec3{across * std::cos(around), up, across * std::sin(around)}, axes.y);
}

// A step's share of what one emitter lets out.
struct Outflow {
    double begin, end;      // s, when it flows within this step
    double rate;            // m³/s
    double before, after;   // m³ let out so far
    double particleVolume;  // m³

    // The k-th particle leaves when half of its volume is out.
    int64_t firstParticle() const { return particlesIn(before); }
    int64_t endParticle() const { return particlesIn(after); }
    int64_t particlesIn(double volume) const {
        constexpr double kMaxNumber = 9e15;  // doubles still count by one there
        return static_cast<int64_t>(std::min(kMaxNumber, std::floor(volume / particleVolume + 0.5)));
    }
    double timeOf(int64_t k) const {
        const double wait = ((static_cast<double>(k) + 0.5) * particleVolume - before) / rate;
        return std::min(end, std::max(begin, begin + wait));
    }
};

// The mouth in the plane z = 0, its x and y axes along it, and `aside` along x.
Mouth inPlane(const Mouth& mouth, float aside) {
    const Vec3 up = normalized({mouth.axes.y.x, mouth.axes.y.y, 0}, {0, 1, 0}), right{up.y, -up.x, 0};
    return {Vec3{mouth.x.x, mouth.x.y, 0} + aside * right, {right, up, {0, 0, 1}}, {mouth.motion.x, mouth.motion.y, 0}};
}

// Uniform within `spread` right angles of `axes.y`, in the plane.
Vec3 directionInPlane(const Mat3& axes, float spread, uint64_t seed, uint64_t id) {
    if (spread <= 0) return axes.y;
    const float angle = spread * static_cast<float>(kPi) / 2 * (2 * randomUnit(seed, 2 * id) - 1);
    return std::sin(angle) * axes.x + std::cos(angle) * axes.y;
}

Outflow outflow(const Emitter& emitter, const Nozzle& nozzle, float spacing, int dimensions, double emitted,
                double time, double dt) {
    const EmitterParams& p = emitter.params;
    Outflow flow{};
    flow.particleVolume = std::pow(double(spacing), dimensions);
    flow.begin = std::max(time, double(p.startTime));
    flow.end = p.endTime > 0 ? std::min(time + dt, double(p.endTime)) : time + dt;
    flow.rate = p.rate * kLitre;
    // No more than fits through: Q ≤ A v; in two dimensions a disc is a slit of its width
    const double area = dimensions == 3 ? nozzle.area() : 2 * double(p.radius);
    if (p.shape != EmitterShape::volume) flow.rate = std::min(flow.rate, area * p.speed);
    flow.before = flow.after = emitted;
    if (flow.end > flow.begin) flow.after += flow.rate * (flow.end - flow.begin);
    if (p.maxVolume > 0) flow.after = std::max(emitted, std::min(flow.after, p.maxVolume * kLitre));
    return flow;
}

// One emitter's step.
struct Step {
    const Emitter& emitter;
    const Nozzle& nozzle;
    const Outflow& flow;
    float spacing;
    int dimensions;
    int64_t count;     // of particles wanted
    double time, end;  // s
    const Room& room;

    const EmitterParams& params() const { return emitter.params; }
    uint64_t seed() const { return static_cast<uint64_t>(params().seed); }
    // 0 at the step's beginning, 1 at its end.
    float partOf(double birth) const { return static_cast<float>((birth - time) / (end - time)); }
    Vec3 offset(uint64_t id) const {
        if (params().jitter <= 0) return {};
        const auto random = [&](uint64_t axis) { return 2 * randomUnit(~seed(), 3 * id + axis) - 1; };
        return params().jitter * spacing * Vec3{random(0), random(1), dimensions == 3 ? random(2) : 0};
    }
    // Let out of a mouth as the id-th; it has flown since its birth. False where a wall keeps it in.
    bool letOut(const Mouth& mouth, double birth, uint64_t id, Newborn& newborn) const {
        const Vec3 along = (dimensions == 3 ? direction : directionInPlane)(mouth.axes, params().spread, seed(), id);
        const Vec3 v = params().speed * along + params().inheritVelocity * mouth.motion;
        // Out of a wall first and then on: so the jet has neither layers nor gaps there either.
        Vec3 x = mouth.x + offset(id);
        if (!room.comeOut(x, along)) return false;
        newborn = {x + static_cast<float>(end - birth) * v, v, birth};
        return room.isFree(newborn.x);
    }
};

std::vector<Newborn> throughDisc(const Step& step) {
    std::vector<Newborn> newborns;
    for (int64_t k = step.flow.firstParticle(); k < step.flow.firstParticle() + step.count; ++k) {
        const double birth = step.flow.timeOf(k);
        const float part = step.partOf(birth), radius = step.params().radius;
        const Mouth mouth = step.dimensions == 3
                                ? step.nozzle.ofDisc(discSite(k, radius, step.spacing), part)
                                : inPlane(step.nozzle.ofDisc({}, part), slitSite(k, radius, step.spacing));
        Newborn newborn;
        if (step.letOut(mouth, birth, static_cast<uint64_t>(k), newborn)) newborns.push_back(newborn);
    }
    return newborns;
}

// The k-th of a sequence that fills the unit cube evenly: multiples of the powers of 1/g, g⁴ = g + 1 (Roberts 2018).
Vec3 evenDraw(int64_t k) {
    const auto part = [&](double step) {
        const double turns = step * static_cast<double>(k % (int64_t(1) << 30)) + 0.5;
        return std::min(static_cast<float>(turns - std::floor(turns)), 0.9999999f);
    };
    return {part(0.8191725133961645), part(0.6710436067037893), part(0.5497004779019703)};
}

// Out of a surface or a tube. The first of several places that has nobody near, else the one with most room: even where
// it is crowded nothing comes to lie upon another (Mitchell 1991).
std::vector<Newborn> outOfShape(const Step& step, const State& state) {
    constexpr uint64_t kTries = 12;
    const Bounds box = step.nozzle.bounds();
    const float flight = static_cast<float>(step.end - step.time) * step.params().speed +
                         step.params().inheritVelocity * length(box.size());
    Crowd crowd(state.particles.x, state.particles.count(), grown(box, flight), 0.9f * step.spacing);
    std::vector<Newborn> newborns;
    for (int64_t k = step.flow.firstParticle(); k < step.flow.firstParticle() + step.count; ++k) {
        const double birth = step.flow.timeOf(k);
        const auto id = static_cast<uint64_t>(k);
        Newborn best{};
        float room = -1;
        for (uint64_t t = 0; t < kTries && room < 0.9f * step.spacing; ++t) {
            const auto random = [&](uint64_t axis) { return randomUnit(step.seed(), 3 * (kTries * id + t) + axis); };
            const Vec3 draw = t == 0 ? evenDraw(k) : Vec3{random(0), random(1), random(2)};
            Newborn candidate;
            if (!step.letOut(step.nozzle.ofDraw(draw, step.partOf(birth)), birth, id, candidate)) continue;
            const float distance = crowd.distanceTo(candidate.x);
            if (distance <= room) continue;
            room = distance;
            best = candidate;
        }
        if (room < 0) continue;
        crowd.insert(best.x);
        newborns.push_back(best);
    }
    return newborns;
}

// Looks at the lattice's sites in a scattered order until enough free ones are found.
std::vector<Newborn> intoVolume(const Step& step, const State& state) {
    const TriangleMesh mesh{step.nozzle.verticesAt(1), step.emitter.mesh.triangles};
    TriangleTree tree = volumeTree(mesh);
    tree.refit(mesh.vertices, step.nozzle.verticesAt(0));
    const Lattice lattice(tree.bounds(), step.spacing, step.dimensions);
    Crowd crowd(state.particles.x, state.particles.count(), tree.bounds(), 0.8f * step.spacing);
    const int64_t sites = lattice.sites();
    int64_t stride = std::max<int64_t>(1, std::llround(kGoldenShare * static_cast<double>(sites)));
    while (std::gcd(stride, sites) != 1) ++stride;
    int64_t site =
        randomBits(step.seed(), static_cast<uint64_t>(state.nextId) ^ static_cast<uint64_t>(state.time * 1e6)) % sites;
    const int64_t looks = std::min(sites, 256 + 32 * step.count);  // a full volume costs little
    const Mat3 axes = step.nozzle.poseAt(1).axes;
    const bool moves = step.params().inheritVelocity > 0;
    std::vector<Newborn> newborns;
    for (int64_t look = 0; look < looks && static_cast<int64_t>(newborns.size()) < step.count; ++look) {
        site = (site + stride) % sites;
        Mouth mouth{lattice.site(site), axes, {}};
        if (crowd.isNear(mouth.x) || !tree.isInside(mouth.x) || !step.room.isFree(mouth.x)) continue;
        crowd.insert(mouth.x);
        const auto id = static_cast<uint64_t>(state.nextId) + newborns.size();
        // Inside, it moves as its nearest triangle does.
        if (const ClosestPoint nearest = moves ? tree.view().closest(mouth.x) : ClosestPoint{})
            mouth.motion =
                tree.view().displacement(nearest.triangle, nearest.point) / static_cast<float>(step.end - step.time);
        if (step.dimensions == 2) mouth = inPlane(mouth, 0);
        Newborn newborn;  // it does not fly: it stands on its site
        if (!step.letOut(mouth, step.end, id, newborn) || !tree.isInside(newborn.x)) newborn.x = mouth.x;
        newborn.birth = step.flow.timeOf(step.flow.firstParticle() + static_cast<int64_t>(newborns.size()));
        newborns.push_back(newborn);
    }
    return newborns;
}

// Which of `count` sites is the k-th in a scattered order.
int64_t turnOf(int64_t k, int64_t count) {
    int64_t stride = std::max<int64_t>(1, std::llround(kGoldenShare * static_cast<double>(count)));
    while (std::gcd(stride, count) != 1) ++stride;
    return k % count * stride % count;
}

std::vector<Newborn> letOut(const Step& step, const State& state) {
    const EmitterShape shape = step.params().shape;
    if (step.dimensions == 2 && shape != EmitterShape::disc && shape != EmitterShape::volume)
        throw Error("surfaces and curves let out in three dimensions; use the disc or volume shape in two");
    switch (shape) {
        case EmitterShape::disc: return throughDisc(step);
        case EmitterShape::volume: return intoVolume(step, state);
        case EmitterShape::surface:
        case EmitterShape::curve: return outOfShape(step, state);
    }
    return {};
}

}  // namespace

// Sites lie on Vogel's spiral (1979), rᵢ = R √((i + ½)/n), φᵢ = i · golden angle: n equal shares of the disc, about a
// spacing apart whatever the radius. They take turns in a scattered order, so that the jet has neither layers nor gaps:
// when the jet is full, it has moved one spacing when a site's turn comes again.
Vec3 discSite(int64_t k, float radius, float spacing) {
    const double shares = kPi * double(radius) * radius / (double(spacing) * spacing);
    const int64_t count =
        std::max<int64_t>(1, static_cast<int64_t>(std::min(kMaxMouthSites, std::ceil(shares - 0.01))));
    if (count == 1) return {};
    const int64_t i = turnOf(k, count);
    const float r = radius * static_cast<float>(std::sqrt((static_cast<double>(i) + 0.5) / static_cast<double>(count)));
    const float angle = kGoldenAngle * static_cast<float>(i);
    return {r * std::cos(angle), 0, r * std::sin(angle)};
}

float slitSite(int64_t k, float radius, float spacing) {
    const double sites = std::ceil(2 * double(radius) / spacing - 0.01);
    const int64_t count = std::max<int64_t>(1, static_cast<int64_t>(std::min(kMaxMouthSites, sites)));
    const auto i = static_cast<float>(turnOf(k, count));
    return radius * ((2 * i + 1) / static_cast<float>(count) - 1);
}

void addParticles(State& state, const std::vector<Newborn>& newborns, int body, size_t source, const Scene& scene) {
    const FluidParams& params = scene.fluids[body].params;
    Particles& particles = state.particles;
    int i = particles.count();
    particles.resize(i + static_cast<int>(newborns.size()));
    if (!scene.solver.origins) particles.forgetOrigins();
    const bool origins = !particles.source.empty();
    for (const Newborn& newborn : newborns) {
        particles.x[i] = newborn.x;
        particles.v[i] = newborn.v;
        if (!particles.vHalf.empty()) particles.vHalf[i] = newborn.v;
        particles.density[i] = params.restDensity;
        particles.birth[i] = static_cast<float>(newborn.birth);
        particles.id[i] = state.nextId++;
        particles.body[i] = body;
        if (origins) particles.source[i] = static_cast<int>(source);
        if (origins) particles.rest[i] = newborn.x;
        for (int k = 0; k < particles.color.width; ++k) particles.color.values[3 * i + k] = params.color[k];
        ++i;
    }
}

void fillVolumes(State& state, const Scene& scene, Span<const PlacedCollider> walls, Span<const PlacedCollider> skins) {
    state.particles.x.device().synchronize();
    std::vector<PlacedCollider> solids;
    for (const PlacedCollider& wall : walls)
        if (!wall.kills) solids.push_back(wall);
    const Span<const PlacedCollider> solidSpan{solids.data(), static_cast<int>(solids.size())};
    std::vector<PlacedCollider> fabrics(skins.begin(), skins.end());
    for (size_t body = 0; body < scene.fluids.size(); ++body) {
        const Fluid& fluid = scene.fluids[body];
        const FluidParams& p = fluid.params;
        const Room beside(solidSpan, p.particleSpacing);
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
            const Crowd crowd(state.particles.x, state.particles.count(), box, 0.5f * p.particleSpacing);
            // Closed bodies are seen from half a spacing behind their surface, sheets from the sheet itself: fluid at
            // rest is a whole spacing off.
            for (PlacedCollider& fabric : fabrics)
                if (!fabric.mesh.closed) fabric.gap = std::max(fabric.gap, 0.95f * p.particleSpacing);
            const Room around({fabrics.data(), static_cast<int>(fabrics.size())}, p.particleSpacing);
            std::vector<Newborn> newborns;
            Vec3 velocity = p.startVelocity;
            if (scene.solver.dimensions == 2) velocity.z = 0;
            // Sites that were moved off a wall must not meet another that was.
            Crowd moved(state.particles.x, 0, box, 0.25f * p.particleSpacing);
            for (const Vec3 site : sites) {
                Vec3 x = site;
                if (crowd.isNear(site) || !around.isFree(site) || !beside.moveAway(x)) continue;
                if (scene.solver.dimensions == 2) x.z = 0;
                if (x != site) {
                    if (moved.isNear(x)) continue;
                    moved.insert(x);
                }
                newborns.push_back({x, velocity, state.time});
            }
            addParticles(state, newborns, static_cast<int>(body), volume, scene);
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
                state.particles.x.device().synchronize();
                const Room free(walls, spacing);
                const std::vector<Newborn> newborns = letOut(
                    {emitter, nozzle, flow, spacing, dimensions, count, state.time, state.time + dt, free}, state);
                // What found no place in a volume is not owed: it would gush out as soon as there is some. What was
                // kept in by a wall is lost, for the rest of the mouth cannot let out more than its share.
                const bool fills = emitter.params.shape == EmitterShape::volume;
                const auto let = fills ? static_cast<int64_t>(newborns.size()) : count;
                emitted = let == due ? flow.after : flow.before + static_cast<double>(let) * flow.particleVolume;
                const size_t source = fluid.volumes.size() + static_cast<size_t>(&emitter - fluid.emitters.data());
                addParticles(state, newborns, static_cast<int>(body), source, scene);
            } catch (const Cancelled&) { throw; } catch (const Error& error) {
                throw Error(emitter.name + ": " + error.what());
            }
        }
    }
}

}  // namespace purl
