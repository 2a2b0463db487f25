#include "solver/cloth/layers.h"

#include <algorithm>
#include <cmath>

#include "solver/cloth/featureEights.h"
#include "solver/colliders/touch.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// ---- thickness ------------------------------------------------------------------------------------------------

// Solids with an inside hold only what is outside.
struct Sides {
    const int* sheetOf;
    Span<const Sheet> sheets;
    const Vec3* outward;

    // `n`: from the second thing to the first.
    PURL_HD bool holds(const Candidate& m, Vec3 n) const {
        const int pointEnd = m.passing == Passing::pointTriangle ? 1 : 2;
        if (sheets[sheetOf[m.v[0]]].solid) {
            Vec3 out;
            for (int k = 0; k < pointEnd; ++k) out += outward[m.v[k]];
            return out == Vec3{} || dot(out, n) < 0;
        }
        if (!sheets[sheetOf[m.v[3]]].solid) return true;
        Vec3 out;
        for (int k = pointEnd; k < 4; ++k) out += outward[m.v[k]];
        return out == Vec3{} || dot(out, n) > 0;
    }
};

PURL_HD inline float larger(float a, float b) { return a > b ? a : b; }

// Where nearly all the weight is on points that are led, the others would be flung far to make up for it: none is moved
// by more than twice what is missing.
constexpr float kLeast = 0.5f;

// Whether a pair is nearer than it is to be, or has passed.
struct MeasurePress {
    Sides sides;
    const MassPoint *from, *to;

    bool operator()(const Candidate& m, Press& press) const {
        Vec3 x[4], before[4];
        for (int k = 0; k < 4; ++k) {
            x[k] = to[m.v[k]].x;
            before[k] = from[m.v[k]].x;
        }
        const Nearest nearest = nearestOf(m.passing, x);
        const float distance = length(nearest.apart);
        // The way out is the side that its places came from: they may have passed each other.
        const Vec3 came = nearest.between(before);
        const bool passed = dot(nearest.apart, came) < 0;
        if (distance >= m.keep && !passed) return false;
        if (passed && distance >= m.keep) {
            // Those that only turned about each other, never near, have not.
            Vec3 way[4];
            for (int k = 0; k < 4; ++k) way[k] = x[k] - before[k];
            if (length(nearestOf(m.passing, before).apart) - mostApproach(m.passing, way) >= m.keep) return false;
        }
        const Vec3 n = distance > 0 ? (passed ? -1 : 1) * nearest.apart / distance : normalized(came);
        if (!sides.holds(m, n)) return false;
        press = {{m.v[0], m.v[1], m.v[2], m.v[3]}, {nearest.w[0], nearest.w[1], nearest.w[2], nearest.w[3]}, n, m.keep};
        return true;
    }
};

// Sets the points of a press apart, by their inverse masses and weights, and takes the approach from their velocities.
// What is missing to the distance is made up for; what slid meanwhile is taken back by up to μ times what approached.
struct PressApart {
    const int* sheetOf;
    Span<const Sheet> sheets;
    const MassPoint* from;
    MassPoint* to;
    Vec3* v;

    // The kick that velocities took, times inverse mass and weight.
    Vec3 operator()(const Press& press) const {
        Vec3 x, before, speed;
        float sum = 0, most = 0;
        for (int k = 0; k < 4; ++k) {
            const int i = press.v[k];
            x += press.w[k] * (to[i].x - to[press.v[0]].x);
            before += press.w[k] * (from[i].x - from[press.v[0]].x);
            speed += press.w[k] * v[i];
            sum += to[i].w * square(press.w[k]);
            most = larger(most, to[i].w * std::fabs(press.w[k]));
        }
        sum = larger(sum, kLeast * most);
        const float missing = press.keep - dot(x, press.n);
        if (!(missing > 0) || !(sum > 0)) return {};
        const float mu = larger(sheets[sheetOf[press.v[0]]].friction, sheets[sheetOf[press.v[3]]].friction);
        const float came = dot(before - x, press.n);
        const float approached = came < missing ? came : missing;
        const Vec3 went = x - before, slid = went - dot(went, press.n) * press.n;
        const Vec3 move = (missing * press.n - limited(slid, approached > 0 ? mu * approached : 0)) / sum;
        const float approach = dot(speed, press.n);
        Vec3 kick;
        if (approach < 0) kick = (-approach * press.n - limited(speed - approach * press.n, -mu * approach)) / sum;
        for (int k = 0; k < 4; ++k) {
            const float share = to[press.v[k]].w * press.w[k];
            to[press.v[k]].x += share * move;
            v[press.v[k]] += share * kick;
        }
        return kick;
    }
};

// ---- ways -----------------------------------------------------------------------------------------------------

// Up to which share of their paths a pair is safe from touching.
struct SafeShare {
    Sides sides;
    const MassPoint *from, *to;

    float operator()(const Candidate& m) const {
        Vec3 x[4], way[4];
        float free = 0;
        for (int k = 0; k < 4; ++k) {
            const int p = m.v[k];
            x[k] = from[p].x;
            way[k] = to[p].x - x[k];
            free += from[p].w;
        }
        if (!(free > 0)) return 1;
        const float safe = safeShare(m.passing, x, way);
        return safe < 1 && sides.holds(m, nearestOf(m.passing, x).apart) ? safe : 1;
    }
};

// Measures a block's pairs as the step begins.
void measure(CandidateBlock& block, const MassPoint* from) {
    Vec3Eight x[4];
    for (int k = 0; k < 4; ++k) x[k] = loadPoints(from, block.v[k]);
    const NearestEight nearest = nearestOf(block.passing, x);
    store(nearest.apart, block.apart);
    store(nearest.distance2, block.distance2);
}

// Of a block's pairs: how far they are apart at `x` along what parted them when they were measured, times that.
Eight apartAt(const CandidateBlock& block, const MassPoint* points) {
    Vec3Eight x[4];
    for (int k = 0; k < 4; ++k) x[k] = loadPoints(points, block.v[k]);
    return apartAlong(block.passing, x, loadEight(block.apart));
}

// Which of a block's pairs a plane keeps as far apart as they are to be. What touches has none, nor what was never
// measured.
EightMask areKeptApart(const CandidateBlock& block, const MassPoint* points) {
    const Eight distance2 = loadEight(block.distance2);
    return (loadEight(block.keep) * sqrt(distance2) <= apartAt(block, points)) & (eightOf(0) < distance2);
}

// How many groups of features one thread looks at in a row.
constexpr int kGroups = 16;

}  // namespace

Layers::Layers(const Device& device)
    : device_(device), parts_(device), candidates_(device), outward_(device), from_(device), to_(device), v_(device) {}

void Layers::set(const std::vector<Fabric>& fabrics, Span<const Vec3> rest) {
    device_.synchronize();
    if (parts_.setCloths(fabrics, rest)) candidates_.set();
    candidates_.forgetSolids();
}

void Layers::moveSolids(Span<const PlacedCollider> placed) {
    device_.synchronize();
    if (parts_.setSolids(placed)) candidates_.forgetSolids();
    const int count = parts_.points();
    from_.resize(count);
    to_.resize(count);
    v_.resize(count);
    outward_.resize(count);
    parts_.moveSolids(placed, from_.data(), to_.data(), outward_.data());
}

void Layers::listPresses() {
    std::vector<CandidateList>& lists = candidates_.lists();
    const MeasurePress measurePress{
        {parts_.sheetOf.data(), parts_.sheets.span(), outward_.data()}, from_.data(), to_.data()};
    presses_.fill(device_, "listPresses", static_cast<int>(lists.size()), kGroups, [&](int g, std::vector<Press>& out) {
        CandidateList& list = lists[static_cast<size_t>(g)];
        list.measured = true;
        for (CandidateBlock& block : list.blocks) {
            // What a plane of an earlier step keeps apart from the beginning to the end needs no closer look.
            if (bitsOf(areKeptApart(block, from_.data()) & areKeptApart(block, to_.data())) == 255) continue;
            measure(block, from_.data());
            const EightMask apart = areKeptApart(block, to_.data());
            forEachBit(~bitsOf(apart) & ((1 << block.count) - 1), [&](int l) {
                Press press;
                if (measurePress(block.at(l), press)) out.push_back(press);
            });
        }
    });
}

bool Layers::pushApart(const Buffer<Vec3>& before, Buffer<Vec3>& x, Buffer<Vec3>& v, float dt) {
    constexpr int kPasses = 3;
    pushes_.clear();
    device_.synchronize();
    dt_ = dt;
    forEachChunk(Device::cpu(device_.threads()), "loadPoints", parts_.points(), 2048, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            from_[i].w = to_[i].w = parts_.inverseMass[i];
            if (i < parts_.clothPoints) {
                from_[i].x = before[i];
                to_[i].x = x[i];
                v_[i] = v[i];
            } else {
                v_[i] = (to_[i].x - from_[i].x) / dt;
            }
        }
    });
    // What is listed serves here, even if some came from elsewhere: they are met when it is seen that none crosses.
    if (!candidates_.searched()) candidates_.find(parts_, from_, to_);
    listPresses();
    if (presses_.all().empty()) return false;
    // One after another on the CPU, always in the same order: where many lie on each other, each must see what the one
    // before it did.
    const PressApart press{parts_.sheetOf.data(), parts_.sheets.span(), from_.data(), to_.data(), v_.data()};
    for (int pass = 0; pass < kPasses; ++pass)
        for (const Press& each : presses_.all()) takePush(each.v, each.w, press(each));
    for (const Press& each : presses_.all())
        for (const int i : each.v)
            if (i < parts_.clothPoints) {
                x[i] = to_[i].x;
                v[i] = v_[i];
            }
    return true;
}

void Layers::findImpacts(const std::vector<int>* changed) {
    candidates_.find(parts_, from_, to_, changed);
    std::vector<CandidateList>& lists = candidates_.lists();
    if (changed) {
        hasChanged_.assign(lists.size(), 0);
        for (const int i : *changed)
            for (const int g : candidates_.groupsOf(i)) hasChanged_[static_cast<size_t>(g)] = 1;
    }
    const SafeShare safeShareOf{
        {parts_.sheetOf.data(), parts_.sheets.span(), outward_.data()}, from_.data(), to_.data()};
    impacts_.fill(device_, "findImpacts", static_cast<int>(lists.size()), kGroups,
                  [&](int g, std::vector<Impact>& out) {
                      CandidateList& list = lists[static_cast<size_t>(g)];
                      const bool known = changed && list.measured;
                      const auto isChanged = [&](int group) { return hasChanged_[static_cast<size_t>(group)] != 0; };
                      if (known && !isChanged(g) && std::none_of(list.partners.begin(), list.partners.end(), isChanged))
                          return;
                      if (!list.measured)
                          for (CandidateBlock& block : list.blocks) measure(block, from_.data());
                      list.measured = true;
                      for (const CandidateBlock& block : list.blocks) {
                          // As the first look of safeShare.
                          const EightMask safe =
                              eightOf(1.5f * kKeptShare) * loadEight(block.distance2) <= apartAt(block, to_.data());
                          forEachBit(~bitsOf(safe) & ((1 << block.count) - 1), [&](int l) {
                              const Candidate pair = block.at(l);
                              const float share = safeShareOf(pair);
                              if (share < 1) out.push_back({pair, share});
                          });
                      }
                  });
}

// What would cross is held where it would touch: along the line between the two, and as their masses say. What that
// does not help is kept on the two sides of a plane between where they begin.
void Layers::pushBack(bool byPlanes) {
    changed_.clear();
    for (const Impact& impact : impacts_.all()) {
        const Candidate& m = impact.pair;
        Vec3 x[4], before[4], after[4];
        for (int k = 0; k < 4; ++k) {
            before[k] = from_[m.v[k]].x;
            after[k] = to_[m.v[k]].x;
            x[k] = before[k] + impact.share * (after[k] - before[k]);
            changed_.push_back(m.v[k]);  // or else needs another look
        }
        const Nearest first = nearestOf(m.passing, before);
        const float start = length(first.apart);
        Nearest nearest = byPlanes ? first : nearestOf(m.passing, x);
        const float distance = length(nearest.apart);
        if (!(distance > 0)) continue;
        const Vec3 n = nearest.apart / distance;
        if (byPlanes) nearest = outermost(m.passing, after, n);
        float sum = 0, most = 0;
        for (int k = 0; k < 4; ++k) {
            sum += to_[m.v[k]].w * square(nearest.w[k]);
            most = larger(most, to_[m.v[k]].w * std::fabs(nearest.w[k]));
        }
        sum = larger(sum, kLeast * most);
        const float aim = byPlanes ? 0 : distance;
        const float missing = std::max(aim, 0.5f * std::min(start, m.keep)) - dot(nearest.between(after), n);
        if (!(missing > 0) || !(sum > 0)) continue;
        const Vec3 move = (missing / sum) * n;
        for (int k = 0; k < 4; ++k) to_[m.v[k]].x += (to_[m.v[k]].w * nearest.w[k]) * move;
        takePush(m.v, nearest.w, move / dt_);
    }
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
}

void Layers::takePush(const int (&v)[4], const float (&w)[4], Vec3 kick) {
    if (kick == Vec3{} || !parts_.anySolids()) return;
    int collider = -1;
    float weight = 0;
    Vec3 impulse, at;
    for (int k = 0; k < 4; ++k) {
        const int of = parts_.colliderOf(parts_.sheetOf[v[k]]);
        if (of >= 0) {
            collider = of;
            weight += std::fabs(w[k]);
            at += std::fabs(w[k]) * to_[v[k]].x;
        } else if (parts_.inverseMass[v[k]] > 0) {
            impulse -= w[k] * kick;
        }
    }
    if (collider >= 0 && weight > 0) pushes_.push_back({collider, -1, at / weight, impulse});
}

// The last resort: what would still cross moves as one, with the momentum that it has, or as what leads it. Groups only
// grow, and a group that is moved without being turned crosses nothing within; so this ends.
void Layers::moveAsOne() {
    std::vector<int> group(static_cast<size_t>(from_.size()));
    for (size_t i = 0; i < group.size(); ++i) group[i] = static_cast<int>(i);
    const auto leader = [&](int i) {
        while (group[static_cast<size_t>(i)] != i) i = group[static_cast<size_t>(i)];
        return i;
    };
    struct Motion {
        double mass = 0, led = 0;
        double x = 0, y = 0, z = 0;
    };
    std::vector<Motion> motions(group.size());
    for (bool joined = true; joined;) {
        joined = false;
        for (const Impact& impact : impacts_.all()) {
            const int* v = impact.pair.v;
            const int first = std::min(std::min(leader(v[0]), leader(v[1])), std::min(leader(v[2]), leader(v[3])));
            for (int k = 0; k < 4; ++k) {
                const int other = leader(v[k]);
                joined = joined || other != first;
                group[static_cast<size_t>(other)] = first;
            }
        }
        if (!joined) return;
        std::fill(motions.begin(), motions.end(), Motion{});
        std::vector<int> sizes(group.size());
        for (int i = 0; i < from_.size(); ++i) {
            const int l = leader(i);
            group[static_cast<size_t>(i)] = l;
            ++sizes[static_cast<size_t>(l)];
            Motion& motion = motions[static_cast<size_t>(l)];
            const bool led = !(parts_.inverseMass[i] > 0);
            if (led && motion.led == 0) motion = {0, 1, 0, 0, 0};
            if (!led && motion.led > 0) continue;
            const double mass = led ? 1 : 1 / double(parts_.inverseMass[i]);
            const Vec3 way = to_[i].x - from_[i].x;
            motion.mass += mass;
            motion.x += mass * double(way.x);
            motion.y += mass * double(way.y);
            motion.z += mass * double(way.z);
        }
        jammed_ = 0;
        for (int i = 0; i < from_.size(); ++i) {
            const auto l = static_cast<size_t>(group[static_cast<size_t>(i)]);
            if (sizes[l] == 1 || !(parts_.inverseMass[i] > 0)) continue;
            const Motion& motion = motions[l];
            to_[i].x = from_[i].x + Vec3{static_cast<float>(motion.x / motion.mass),
                                         static_cast<float>(motion.y / motion.mass),
                                         static_cast<float>(motion.z / motion.mass)};
            ++jammed_;
        }
        findImpacts(nullptr);
    }
}

void Layers::holdBack(Buffer<Vec3>& x, Buffer<Vec3>& v, float dt) {
    constexpr int kPasses = 12;
    const Device cpu = Device::cpu(device_.threads());
    jammed_ = 0;
    device_.synchronize();
    forEachChunk(cpu, "loadPlaces", parts_.clothPoints, 2048, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) to_[i].x = x[i];
    });
    findImpacts(nullptr);
    for (int pass = 0; !impacts_.all().empty() && pass < kPasses; ++pass) {
        pushBack(pass > 1);
        findImpacts(&changed_);
    }
    if (!impacts_.all().empty()) moveAsOne();
    candidates_.stepEnds();
    forEachChunk(cpu, "takePlaces", parts_.clothPoints, 2048, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const Vec3 move = to_[i].x - x[i];
            const float moved = length(move);
            if (!(moved > 0)) continue;
            // What it goes on with goes no further against the move than its place did, and takes no more than that:
            // pushApart may have stopped it already, and to take the move again would throw it back.
            //     v += clamp((x − x₀) · n/Δt − v · n, 0, |move|/Δt) n,  n = move/|move|
            const Vec3 n = move / moved;
            v[i] += clamp(dot(to_[i].x - from_[i].x, n) / dt - dot(v[i], n), 0, moved / dt) * n;
            x[i] = to_[i].x;
        }
    });
}

}  // namespace purl
