#include "solver/surface/foam.h"

#include <algorithm>
#include <cmath>

#include "solver/core/forEach.h"
#include "solver/core/math.h"
#include "solver/core/random.h"
#include "solver/search/cellGrid.h"
#include "solver/search/triangleTree.h"
#include "solver/surface/blobs.h"

namespace purl {
namespace {

// First id: larger than any liquid particle's, and still exact as a double in a file.
constexpr int64_t kFirstId = int64_t(1) << 40;
constexpr float kMaxFrameGap = 0.5f;  // s, longest interval between consecutive frames
constexpr int kMaxSubSteps = 16;
// Particles with fewer liquid neighbours than kSprayBelow are spray, with more than kBubbleAbove bubbles (Ihmsen §3.2).
constexpr int kSprayBelow = 6, kBubbleAbove = 20;

template <class T>
Buffer<T> onDevice(const Device& device, const std::vector<T>& values) {
    Buffer<T> copy(device);
    copy.resizeDiscard(static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), copy.begin());
    return copy;
}

// A liquid's particles, sorted into blocks as wide as the support radius h, for neighbour queries at any point.
struct SortedLiquid {
    SortedPoints points;
    Buffer<Vec3> v;  // units/s
    double cell;

    SortedLiquid(const Device& device, const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities, float h)
        : points(sortIntoBlocks(onDevice(device, positions), static_cast<double>(h) / kEdge, "foam")),
          v(device),
          cell(static_cast<double>(h) / kEdge) {
        v.resizeDiscard(points.count());
        for (int k = 0; k < v.size(); ++k) v[k] = velocities[points.particles[k]];
    }

    struct View {
        BlockRuns runs;
        Span<const Vec3> x, v;
        Span<const int> particle;
        double cell;

        // visit(j, d, r) for all particles j within h of a position in a block; d points from j to it; d and r are in
        // units of h.
        template <class Visit>
        PURL_HD void forEachNear(BlockCoord block, Vec3 at, Visit&& visit) const {
            runs.forEachNear(block, at, at, kEdge, [&](int j, Vec3 offset) {
                const Vec3 d = (1.0f / kEdge) * (at - x[j] - offset);
                const float r2 = lengthSquared(d);
                if (r2 < 1) visit(j, d, std::sqrt(r2));
            });
        }
        // Neighbours of particle k, without itself.
        template <class Visit>
        PURL_HD void forEachNeighbor(int k, Visit&& visit) const {
            forEachNear(blockCoord(runs.keys[blockOf(k)]), x[k], [&](int j, Vec3 d, float r) {
                if (j != k) visit(j, d, r);
            });
        }
        // Neighbours of any position.
        template <class Visit>
        PURL_HD void forEachAround(Vec3 at, Visit&& visit) const {
            const Cell block = cellAt(at, cell * kEdge);
            const auto within = [&](float a, int b) {
                return static_cast<float>(static_cast<double>(a) / cell - static_cast<double>(kEdge) * b);
            };
            forEachNear({block.x, block.y, block.z},
                        {within(at.x, block.x), within(at.y, block.y), within(at.z, block.z)}, visit);
        }
        // The block that holds particle k, by binary search.
        PURL_HD int blockOf(int k) const {
            int low = 0, high = runs.keys.count;
            while (high - low > 1) {
                const int middle = (low + high) / 2;
                (runs.starts[middle] <= k ? low : high) = middle;
            }
            return low;
        }
    };
    View view() const { return {points.runs(), points.x.span(), v.span(), points.particles.span(), cell}; }
};

// ---- emission -----------------------------------------------------------------------------------------------------

// Clamped linear ramp: Φ(I) = (min(I, high) − min(I, low)) / (high − low)   Ihmsen eq. 1
PURL_HD inline float ramp(float value, float low, float high) {
    return high > low ? (std::fmin(value, high) - std::fmin(value, low)) / (high - low) : value > low;
}

// Outward unit normals from the neighbours' centroid to the particle; zero in the interior, where that offset is small.
struct OutwardNormals {
    SortedLiquid::View at;
    Span<Vec3> normal;

    PURL_HD void operator()(int k) const {
        Vec3 sum;
        int others = 0;
        at.forEachNeighbor(k, [&](int, Vec3 d, float) {
            sum += d;
            ++others;
        });
        const Vec3 away = sum / static_cast<float>(others + 1);
        constexpr float kSurface = 0.2f;  // about the value half a spacing below a flat surface
        normal[k] = lengthSquared(away) > square(kSurface) ? normalized(away) : Vec3{};
    }
};

struct Potentials {
    SortedLiquid::View at;
    Span<const Vec3> normal;
    FoamParams params;
    float meters;  // per unit
    Span<float> air, crest, energy;

    PURL_HD void operator()(int k) const {
        // v_diff = Σ |vᵢⱼ| (1 − v̂ᵢⱼ·x̂ᵢⱼ) W / Σ W; κ = Σ (1 − n̂ᵢ·n̂ⱼ) W / Σ W over those below; W = 1 − r/h   eqs 2, 5, 6
        float weights = 0, turbulence = 0, curvature = 0;
        const Vec3 v = at.v[k], n = normal[k];
        const bool surface = lengthSquared(n) > 0;
        at.forEachNeighbor(k, [&](int j, Vec3 d, float r) {
            const float w = 1 - r;
            const Vec3 relative = v - at.v[j];
            weights += w;
            turbulence += (length(relative) - (r > 0 ? dot(relative, d) / r : 0)) * w;
            if (surface && dot(d, n) > 0 && lengthSquared(normal[j]) > 0) curvature += (1 - dot(n, normal[j])) * w;
        });
        const int i = at.particle[k];
        const float speed = length(v) * meters, scale = weights > 0 ? 1 / weights : 0;
        // A crest breaks where the liquid moves along its outward normal   eq. 7
        const bool breaks = surface && dot(v, n) >= 0.6f * length(v);
        air[i] = ramp(turbulence * scale * meters, params.minTurbulence, params.maxTurbulence);
        crest[i] = breaks ? ramp(curvature * scale, params.minCurvature, params.maxCurvature) : 0;
        energy[i] = ramp(0.5f * speed * speed, 0.5f * square(params.minSpeed), 0.5f * square(params.maxSpeed));
    }
};

// ---- motion -------------------------------------------------------------------------------------------------------

// Number of liquid neighbours of each foam particle, and their mean velocity.
struct SampleLiquid {
    SortedLiquid::View liquid;
    Span<const Vec3> x;
    Span<int> around;
    Span<Vec3> flow;

    PURL_HD void operator()(int i) const {
        int count = 0;
        float weights = 0;
        Vec3 sum;
        liquid.forEachAround(x[i], [&](int j, Vec3, float r) {
            const float w = 1 - r;
            ++count;
            weights += w;
            sum += w * liquid.v[j];
        });
        around[i] = count;
        flow[i] = weights > 0 ? sum / weights : Vec3{};
    }
};

struct MoveFoam {
    Span<const int> around;
    Span<const Vec3> flow;
    Span<const TriangleTreeView> colliders;
    FoamParams params;
    Vec3 gravity;  // units/s²
    float dt, offset;
    Span<Vec3> x, v;
    Span<int> kind;
    Span<float> life;

    PURL_HD void operator()(int i) const {
        const FoamClass is = around[i] < kSprayBelow    ? FoamClass::spray
                             : around[i] > kBubbleAbove ? FoamClass::bubble
                                                        : FoamClass::foam;
        kind[i] = static_cast<int>(is);
        life[i] -= is == FoamClass::foam ? dt : 0.25f * dt;
        // Spray is ballistic, foam is advected, bubbles are buoyant and dragged along   Ihmsen eqs 11 to 13
        if (is == FoamClass::spray) v[i] += dt * gravity;
        if (is == FoamClass::foam) v[i] = flow[i];
        if (is == FoamClass::bubble) v[i] += params.drag * (flow[i] - v[i]) - (dt * params.buoyancy) * gravity;
        const Vec3 from = x[i];
        Vec3 to = from + dt * v[i];
        for (const TriangleTreeView& collider : colliders) {
            const Crossing crossing = collider.crosses(from, to);
            if (!crossing) continue;
            const Vec3 n = crossing.outward ? -crossing.normal : crossing.normal;
            to = crossing.point + offset * n;
            const float into = dot(v[i], n);
            if (into < 0) v[i] -= into * n;
        }
        x[i] = to;
    }
};

// A body's particles at one time.
struct Liquid {
    double time = 0;
    Channel<int64_t> ids;
    Channel<Vec3> x, v;
};

Liquid liquidOf(const Frame& frame, const Points& points) {
    Liquid liquid{frame.time, points.ids, points.positions, points.velocities};
    if (liquid.v.size() != liquid.x.size()) liquid.v.edit().resize(liquid.x.size());
    return liquid;
}

// The liquid between two frames, linearly interpolated. Particles that exist in only one of them are left out.
void interpolate(const Liquid& a, const Liquid& b, float t, std::vector<Vec3>& x, std::vector<Vec3>& v) {
    for (size_t i = 0, j = 0; i < a.ids.size() && j < b.ids.size();) {
        if (a.ids[i] < b.ids[j]) {
            ++i;
        } else if (b.ids[j] < a.ids[i]) {
            ++j;
        } else {
            x.push_back(lerp(a.x[i], b.x[j], t));
            v.push_back(lerp(a.v[i], b.v[j], t));
            ++i;
            ++j;
        }
    }
}

float supportRadius(const BodyInfo& body) { return body.supportRadius > 0 ? body.supportRadius : 2 * body.spacing; }

}  // namespace

FoamPotentials foamPotentials(const Device& device, const Frame& frame, int body, const FoamParams& params) {
    const Points points = pointsOf(frame, body);
    const Liquid liquid = liquidOf(frame, points);
    const int count = static_cast<int>(liquid.x.size());
    const SortedLiquid sorted(device, liquid.x, liquid.v, supportRadius(frame.bodies[body]));
    Buffer<Vec3> normal(device);
    Buffer<float> air(device), crest(device), energy(device);
    normal.resizeDiscard(count);
    for (Buffer<float>* each : {&air, &crest, &energy}) each->resizeDiscard(count);
    forEach(device, "outwardNormals", count, OutwardNormals{sorted.view(), normal.span()});
    forEach(device, "foamPotentials", count,
            Potentials{sorted.view(), std::as_const(normal).span(), params, static_cast<float>(frame.metersPerUnit),
                       air.span(), crest.span(), energy.span()});
    return {{air.begin(), air.end()}, {crest.begin(), crest.end()}, {energy.begin(), energy.end()}};
}

struct Foam::Impl {
    std::string body;
    Device device;
    Liquid last;
    Points points;
    std::vector<float> life;  // s, remaining
    int64_t made = 0;

    void startOver() {
        points = {};
        life.clear();
        made = 0;
    }

    void move(const Liquid& now, float t, float dt, const BodyInfo& info, const Frame& frame, const FoamParams& params,
              Span<const TriangleTreeView> colliders) {
        const int count = static_cast<int>(points.count());
        if (count == 0) return;
        std::vector<Vec3> x, v;
        interpolate(last, now, t, x, v);
        const SortedLiquid sorted(device, x, v, supportRadius(info));
        Buffer<int> around(device), kind = onDevice(device, points.sources.vector());
        Buffer<Vec3> flow(device), to = onDevice(device, points.positions.vector()),
                                   speed = onDevice(device, points.velocities.vector());
        Buffer<float> left = onDevice(device, life);
        around.resizeDiscard(count);
        flow.resizeDiscard(count);
        forEach(device, "senseLiquid", count,
                SampleLiquid{sorted.view(), std::as_const(to).span(), around.span(), flow.span()});
        forEach(device, "moveFoam", count,
                MoveFoam{std::as_const(around).span(), std::as_const(flow).span(), colliders, params,
                         static_cast<float>(1 / frame.metersPerUnit) * params.gravity, dt, 0.05f * info.spacing,
                         to.span(), speed.span(), kind.span(), left.span()});
        points.positions = std::vector<Vec3>(to.begin(), to.end());
        points.velocities = std::vector<Vec3>(speed.begin(), speed.end());
        points.sources = std::vector<int>(kind.begin(), kind.end());
        life.assign(left.begin(), left.end());
        for (float& age : points.ages.edit()) age += dt;
    }

    void removeDead() {
        std::vector<size_t> alive;
        for (size_t i = 0; i < life.size(); ++i)
            if (life[i] > 0 && isFinite(points.positions[i])) alive.push_back(i);
        if (alive.size() == life.size()) return;
        const auto keep = [&](auto& values) {
            if (values.empty()) return;
            for (size_t k = 0; k < alive.size(); ++k) values[k] = values[alive[k]];
            values.resize(alive.size());
        };
        Points::channels(points, [&](const char*, auto& channel, bool) {
            if (!channel.empty()) keep(channel.edit());
        });
        keep(life);
    }

    // n = Φ_energy (k_air Φ_air + k_crest Φ_crest) Δt per particle, in the cylinder that it sweeps   Ihmsen eqs 9, 10
    void emit(const Frame& frame, int index, const Liquid& now, float dt, const FoamParams& params,
              Span<const TriangleTreeView> colliders) {
        const BodyInfo& info = frame.bodies[index];
        const FoamPotentials potentials = foamPotentials(device, frame, index, params);
        const auto seed = static_cast<uint64_t>(params.seed);
        const auto tick = static_cast<uint64_t>(std::llround(frame.time * 1e5));
        for (size_t i = 0; i < now.x.size(); ++i) {
            const float wanted = potentials.energy[i] * dt *
                                 (params.airRate * potentials.air[i] + params.crestRate * potentials.crest[i]);
            const auto id = static_cast<uint64_t>(now.ids.empty() ? static_cast<int64_t>(i) : now.ids[i]);
            // The fractional t is rounded up with that probability.
            const int count = static_cast<int>(wanted + randomUnit(2 * seed, id * 0x9e3779b97f4a7c15ull + tick));
            const Vec3 along = normalized(now.v[i]);
            const Vec3 side = normalized(cross(along, std::fabs(along.x) < 0.7f ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
            const Vec3 up = cross(along, side);
            for (int k = 0; k < count && points.count() < static_cast<size_t>(params.maxParticles); ++k) {
                const auto random = [&](int which) {
                    return randomUnit(2 * seed + 1, 8 * static_cast<uint64_t>(made) + static_cast<uint64_t>(which));
                };
                const float r = 0.5f * info.spacing * std::sqrt(random(0)), angle = 6.2831853f * random(1);
                const Vec3 out = (r * cos(angle)) * side + (r * sin(angle)) * up;
                const float back = random(2) * dt;
                Vec3 at = now.x[i] + out - back * now.v[i];
                // The swept position may lie behind a collider that has deflected the particle.
                for (const TriangleTreeView& collider : colliders)
                    if (collider.crosses(now.x[i], at)) at = now.x[i];
                points.positions.edit().push_back(at);
                // Sideways velocity in proportion to the distance from the axis of the cylinder   Ihmsen §3.1
                points.velocities.edit().push_back(now.v[i] + out / std::max(dt, 1e-3f) * 0.1f);
                points.radii.edit().push_back(0.5f * params.size * info.spacing * (0.4f + 0.6f * random(3)));
                points.ages.edit().push_back(0);
                points.sources.edit().push_back(static_cast<int>(FoamClass::foam));
                points.ids.edit().push_back(kFirstId + made);
                life.push_back(params.lifetime * (0.3f + 0.7f * random(4)));
                ++made;
            }
        }
    }
};

Foam::Foam(std::string body, const Device& device) : impl_(new Impl{std::move(body), device, {}, {}, {}, 0}) {}
Foam::~Foam() = default;
Foam::Foam(const Foam& o) : impl_(new Impl(*o.impl_)) {}
Foam& Foam::operator=(const Foam& o) {
    if (this != &o) impl_.reset(new Impl(*o.impl_));
    return *this;
}
Foam::Foam(Foam&&) noexcept = default;
Foam& Foam::operator=(Foam&&) noexcept = default;

const Points& Foam::points() const { return impl_->points; }

void Foam::advance(const Frame& frame, const FoamParams& params, const std::vector<FoamCollider>& colliders) {
    const int index = findBody(frame, impl_->body);
    if (index < 0) throw Error("foam: the frame has no liquid called \"" + impl_->body + "\"");
    checkParams("foam", params);
    const BodyInfo& info = frame.bodies[index];
    if (!(info.spacing > 0)) throw Error(info.name + ": has no particle spacing; foam needs one");
    Liquid now = liquidOf(frame, pointsOf(frame, index));
    const double gap = frame.time - impl_->last.time;
    if (impl_->last.x.empty() || gap <= 0 || gap > static_cast<double>(kMaxFrameGap)) {
        impl_->startOver();
        impl_->last = std::move(now);
        return;
    }
    std::vector<TriangleTree> trees;
    for (const FoamCollider& collider : colliders) {
        if (collider.triangles.empty()) continue;
        trees.emplace_back(impl_->device);
        trees.back().build(collider.vertices, collider.triangles);
    }
    Buffer<TriangleTreeView> views(impl_->device);
    views.resizeDiscard(static_cast<int>(trees.size()));
    for (size_t i = 0; i < trees.size(); ++i) views[static_cast<int>(i)] = trees[i].view();

    float fastest = 0;
    for (const Vec3 v : now.v) fastest = std::max(fastest, length(v));
    for (const Vec3 v : impl_->points.velocities) fastest = std::max(fastest, length(v));
    const auto dt = static_cast<float>(gap);
    // No particle may move farther in a substep than its support radius.
    const float wanted = std::ceil(fastest * dt / supportRadius(info));
    const int steps = static_cast<int>(std::clamp(wanted, 1.0f, static_cast<float>(kMaxSubSteps)));
    for (int s = 0; s < steps; ++s)
        impl_->move(now, (static_cast<float>(s) + 0.5f) / static_cast<float>(steps), dt / static_cast<float>(steps),
                    info, frame, params, std::as_const(views).span());
    impl_->removeDead();
    impl_->emit(frame, index, now, dt, params, std::as_const(views).span());
    impl_->last = std::move(now);
}

void Foam::addTo(Frame& frame, const FoamParams& params) const {
    const Points& own = impl_->points;
    const int index = findBody(frame, impl_->body);
    if (index < 0) throw Error("foam: the frame has no liquid called \"" + impl_->body + "\"");
    BodyInfo body = frame.bodies[index];
    body.name += "Foam";
    body.kind = BodyKind::foam;
    body.spacing *= params.size;
    body.color = params.color;
    body.opacity = 1;
    Frame part;
    part.bodies.push_back(std::move(body));
    part.points = own;
    part.points.restPositions = own.positions;
    if (!frame.points.colors.empty()) part.points.colors = std::vector<Vec3>(own.count(), params.color);
    appendPoints(frame, part);
}

}  // namespace purl
