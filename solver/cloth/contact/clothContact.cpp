#include "solver/cloth/contact/clothContact.h"

#include <algorithm>
#include <cmath>

#include "solver/cloth/contact/featurePairLanes.h"
#include "solver/colliders/touch.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// ---- Repulsions ------------------------------------------------------------------------------------------------

// Colliders with an inside act only on cloth outside.
struct OneSidedContact {
    const int* bodyOf;
    Span<const ContactBody> bodies;
    const Vec3* outward;

    // `n`: from the second feature to the first.
    PURL_HD bool applies(const Candidate& pair, Vec3 n) const {
        const int pointEnd = pair.kind == FeaturePair::pointTriangle ? 1 : 2;
        if (bodies[bodyOf[pair.v[0]]].isCollider) {
            Vec3 out;
            for (int k = 0; k < pointEnd; ++k) out += outward[pair.v[k]];
            return out == Vec3{} || dot(out, n) < 0;
        }
        if (!bodies[bodyOf[pair.v[3]]].isCollider) return true;
        Vec3 out;
        for (int k = pointEnd; k < 4; ++k) out += outward[pair.v[k]];
        return out == Vec3{} || dot(out, n) > 0;
    }
};

PURL_HD inline float larger(float a, float b) { return a > b ? a : b; }

// If nearly all the weight is on prescribed points, the remaining ones would be thrown far: no point moves by more than
// 1/kMinInverseMassRatio times the missing distance.
constexpr float kMinInverseMassRatio = 0.5f;

// Tests whether a pair is closer than its thickness, or has passed through.
struct MeasureRepulsion {
    OneSidedContact oneSided;
    const MassPoint *from, *to;

    bool operator()(const Candidate& pair, Repulsion& repulsion) const {
        Vec3 x[4], before[4];
        for (int k = 0; k < 4; ++k) {
            x[k] = to[pair.v[k]].x;
            before[k] = from[pair.v[k]].x;
        }
        const ClosestPair nearest = closestPair(pair.kind, x);
        const float distance = length(nearest.separation);
        // Push towards the side the pair came from: it may have passed through.
        const Vec3 separationBefore = nearest.between(before);
        const bool passed = dot(nearest.separation, separationBefore) < 0;
        if (distance >= pair.thickness && !passed) return false;
        if (passed && distance >= pair.thickness) {
            // Not a pass if the pair only rotated about each other at a distance.
            Vec3 displacement[4];
            for (int k = 0; k < 4; ++k) displacement[k] = x[k] - before[k];
            if (length(closestPair(pair.kind, before).separation) - maxApproach(pair.kind, displacement) >=
                pair.thickness)
                return false;
        }
        const Vec3 n = distance > 0 ? (passed ? -1 : 1) * nearest.separation / distance : normalized(separationBefore);
        if (!oneSided.applies(pair, n)) return false;
        repulsion = {{pair.v[0], pair.v[1], pair.v[2], pair.v[3]},
                     {nearest.w[0], nearest.w[1], nearest.w[2], nearest.w[3]},
                     n,
                     pair.thickness};
        return true;
    }
};

// Separates the points of a repulsion by inverse mass and weight, and removes their approach velocity. Sliding is
// undone by up to μ times the approach distance (Coulomb friction).
struct ApplyRepulsion {
    const int* bodyOf;
    Span<const ContactBody> bodies;
    const MassPoint* from;
    MassPoint* to;
    Vec3* v;

    // Returns the impulse on the pair, N s: Δv of a point is its inverse mass times weight times this.
    Vec3 operator()(const Repulsion& repulsion) const {
        Vec3 x, before, velocity;
        float sum = 0, largest = 0;
        for (int k = 0; k < 4; ++k) {
            const int i = repulsion.v[k];
            x += repulsion.w[k] * (to[i].x - to[repulsion.v[0]].x);
            before += repulsion.w[k] * (from[i].x - from[repulsion.v[0]].x);
            velocity += repulsion.w[k] * v[i];
            sum += to[i].w * square(repulsion.w[k]);
            largest = larger(largest, to[i].w * std::fabs(repulsion.w[k]));
        }
        sum = larger(sum, kMinInverseMassRatio * largest);
        const float missing = repulsion.thickness - dot(x, repulsion.n);
        if (!(missing > 0) || !(sum > 0)) return {};
        const float mu = larger(bodies[bodyOf[repulsion.v[0]]].friction, bodies[bodyOf[repulsion.v[3]]].friction);
        const float closed = dot(before - x, repulsion.n);
        const float approachDistance = closed < missing ? closed : missing;
        const Vec3 moved = x - before, slid = moved - dot(moved, repulsion.n) * repulsion.n;
        const Vec3 move =
            (missing * repulsion.n - clampedLength(slid, approachDistance > 0 ? mu * approachDistance : 0)) / sum;
        const float approach = dot(velocity, repulsion.n);
        Vec3 impulse;
        if (approach < 0)
            impulse =
                (-approach * repulsion.n - clampedLength(velocity - approach * repulsion.n, -mu * approach)) / sum;
        for (int k = 0; k < 4; ++k) {
            const float factor = to[repulsion.v[k]].w * repulsion.w[k];
            to[repulsion.v[k]].x += factor * move;
            v[repulsion.v[k]] += factor * impulse;
        }
        return impulse;
    }
};

// ---- Impacts ---------------------------------------------------------------------------------------------------

// Time of impact of a candidate, as a fraction of the substep; 1: none.
struct PairTimeOfImpact {
    OneSidedContact oneSided;
    const MassPoint *from, *to;

    float operator()(const Candidate& pair) const {
        Vec3 x[4], displacement[4];
        float free = 0;
        for (int k = 0; k < 4; ++k) {
            const int p = pair.v[k];
            x[k] = from[p].x;
            displacement[k] = to[p].x - x[k];
            free += from[p].w;
        }
        if (!(free > 0)) return 1;
        const float safe = timeOfImpact(pair.kind, x, displacement);
        return safe < 1 && oneSided.applies(pair, closestPair(pair.kind, x).separation) ? safe : 1;
    }
};

// Measures the pairs of a block at the start of the substep.
void measure(CandidateBlock& block, const MassPoint* from) {
    PointLanes x[4];
    for (int k = 0; k < 4; ++k) x[k] = loadPoints(from, block.v[k]);
    const ClosestPairs nearest = closestPair(block.kind, x);
    store(nearest.separation, block.separation);
    store(nearest.distance2, block.distance2);
}

// Gap of each pair at `points` along its last measured separation, times the length of that separation.
Lanes separationAt(const CandidateBlock& block, const MassPoint* points) {
    PointLanes x[4];
    for (int k = 0; k < 4; ++k) x[k] = loadPoints(points, block.v[k]);
    return separationAlong(block.kind, x, load(block.separation));
}

// Pairs that a plane keeps at their thickness or farther apart. False for pairs that touch or were never measured.
LaneMask areKeptSeparated(const CandidateBlock& block, const MassPoint* points) {
    const Lanes distance2 = load(block.distance2);
    return (load(block.thickness) * sqrt(distance2) <= separationAt(block, points)) & (Lanes(0) < distance2);
}

constexpr int kGroupsPerChunk = 16;

}  // namespace

ClothContact::ClothContact(const Device& device)
    : device_(device),
      geometry_(device),
      candidates_(device),
      outward_(device),
      from_(device),
      to_(device),
      v_(device) {}

void ClothContact::set(const std::vector<Fabric>& fabrics, Span<const Vec3> rest) {
    if (geometry_.setCloths(fabrics, rest)) candidates_.invalidateGeometry();
    candidates_.invalidateColliders();
}

void ClothContact::moveColliders(Span<const PlacedCollider> placed) {
    if (geometry_.setColliders(placed)) candidates_.invalidateColliders();
    const int count = geometry_.points();
    from_.resize(count);
    to_.resize(count);
    v_.resize(count);
    outward_.resize(count);
    geometry_.moveColliders(placed, from_.data(), to_.data(), outward_.data());
}

void ClothContact::listRepulsions() {
    std::vector<CandidateList>& lists = candidates_.lists();
    const MeasureRepulsion measureRepulsion{
        {geometry_.bodyOf.data(), geometry_.bodies.span(), outward_.data()}, from_.data(), to_.data()};
    repulsions_.fill(
        device_, "listRepulsions", static_cast<int>(lists.size()), kGroupsPerChunk,
        [&](int g, std::vector<Repulsion>& out) {
            CandidateList& list = lists[g];
            list.measured = true;
            for (CandidateBlock& block : list.blocks) {
                // Skip blocks that the planes of an earlier substep keep separated at both ends of this one.
                if (bitsOf(areKeptSeparated(block, from_.data()) & areKeptSeparated(block, to_.data())) == 255)
                    continue;
                measure(block, from_.data());
                const LaneMask separated = areKeptSeparated(block, to_.data());
                forEachBit(~bitsOf(separated) & ((1 << block.count) - 1), [&](int l) {
                    Repulsion repulsion;
                    if (measureRepulsion(block.at(l), repulsion)) out.push_back(repulsion);
                });
            }
        });
}

bool ClothContact::applyRepulsions(Span<const Vec3> before, Span<Vec3> x, Span<Vec3> v, float dt) {
    constexpr int kPasses = 3;
    impulses_.clear();
    dt_ = dt;
    forEachChunk(Device::cpu(device_.threads()), "loadPoints", geometry_.points(), 2048, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            from_[i].w = to_[i].w = geometry_.inverseMass[i];
            if (i < geometry_.clothPoints) {
                from_[i].x = before[i];
                to_[i].x = x[i];
                v_[i] = v[i];
            } else {
                v_[i] = (to_[i].x - from_[i].x) / dt;
            }
        }
    });
    // The existing list suffices here, even if some points have left their skin: resolveImpacts searches again.
    if (!candidates_.searched()) candidates_.find(geometry_, from_, to_);
    listRepulsions();
    if (repulsions_.all().empty()) return false;
    // Gauss–Seidel on the CPU in a fixed order: in stacked layers each correction must see the previous ones.
    const ApplyRepulsion repulsion{geometry_.bodyOf.data(), geometry_.bodies.span(), from_.data(), to_.data(),
                                   v_.data()};
    for (int pass = 0; pass < kPasses; ++pass)
        for (const Repulsion& each : repulsions_.all()) recordImpulse(each.v, each.w, repulsion(each));
    for (const Repulsion& each : repulsions_.all())
        for (const int i : each.v)
            if (i < geometry_.clothPoints) {
                x[i] = to_[i].x;
                v[i] = v_[i];
            }
    return true;
}

void ClothContact::findImpacts(const std::vector<int>* changed) {
    candidates_.find(geometry_, from_, to_, changed);
    std::vector<CandidateList>& lists = candidates_.lists();
    if (changed) {
        hasChanged_.assign(lists.size(), 0);
        for (const int i : *changed)
            for (const int g : candidates_.groupsOf(i)) hasChanged_[g] = 1;
    }
    const PairTimeOfImpact impactTime{
        {geometry_.bodyOf.data(), geometry_.bodies.span(), outward_.data()}, from_.data(), to_.data()};
    impacts_.fill(
        device_, "findImpacts", static_cast<int>(lists.size()), kGroupsPerChunk, [&](int g, std::vector<Impact>& out) {
            CandidateList& list = lists[g];
            const bool known = changed && list.measured;
            const auto isChanged = [&](int group) { return hasChanged_[group] != 0; };
            if (known && !isChanged(g) && std::none_of(list.partners.begin(), list.partners.end(), isChanged)) return;
            if (!list.measured)
                for (CandidateBlock& block : list.blocks) measure(block, from_.data());
            list.measured = true;
            for (const CandidateBlock& block : list.blocks) {
                // Same early exit as the first iteration of timeOfImpact.
                const LaneMask safe =
                    Lanes(1.5f * kMinSeparationRatio) * load(block.distance2) <= separationAt(block, to_.data());
                forEachBit(~bitsOf(safe) & ((1 << block.count) - 1), [&](int l) {
                    const Candidate pair = block.at(l);
                    const float time = impactTime(pair);
                    if (time < 1) out.push_back({pair, time});
                });
            }
        });
}

// Stops each pair at its impact, along the normal there and by inverse mass. Pairs for which that fails are kept on the
// two sides of a plane between their start positions.
void ClothContact::correctImpacts(bool bySeparatingPlane) {
    changed_.clear();
    for (const Impact& impact : impacts_.all()) {
        const Candidate& pair = impact.pair;
        Vec3 x[4], before[4], after[4];
        for (int k = 0; k < 4; ++k) {
            before[k] = from_[pair.v[k]].x;
            after[k] = to_[pair.v[k]].x;
            x[k] = before[k] + impact.time * (after[k] - before[k]);
            changed_.push_back(pair.v[k]);  // even if not moved below: the pair must be tested again
        }
        const ClosestPair first = closestPair(pair.kind, before);
        const float start = length(first.separation);
        ClosestPair nearest = bySeparatingPlane ? first : closestPair(pair.kind, x);
        const float distance = length(nearest.separation);
        if (!(distance > 0)) continue;
        const Vec3 n = nearest.separation / distance;
        if (bySeparatingPlane) nearest = supportPoints(pair.kind, after, n);
        float sum = 0, largest = 0;
        for (int k = 0; k < 4; ++k) {
            sum += to_[pair.v[k]].w * square(nearest.w[k]);
            largest = larger(largest, to_[pair.v[k]].w * std::fabs(nearest.w[k]));
        }
        sum = larger(sum, kMinInverseMassRatio * largest);
        const float aim = bySeparatingPlane ? 0 : distance;
        const float missing = std::max(aim, 0.5f * std::min(start, pair.thickness)) - dot(nearest.between(after), n);
        if (!(missing > 0) || !(sum > 0)) continue;
        const Vec3 move = (missing / sum) * n;
        for (int k = 0; k < 4; ++k) to_[pair.v[k]].x += (to_[pair.v[k]].w * nearest.w[k]) * move;
        recordImpulse(pair.v, nearest.w, move / dt_);
    }
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
}

void ClothContact::recordImpulse(const int (&v)[4], const float (&w)[4], Vec3 pairImpulse) {
    if (pairImpulse == Vec3{} || !geometry_.hasColliders()) return;
    int collider = -1;
    float weight = 0;
    Vec3 impulse, at;
    for (int k = 0; k < 4; ++k) {
        const int of = geometry_.colliderOf(geometry_.bodyOf[v[k]]);
        if (of >= 0) {
            collider = of;
            weight += std::fabs(w[k]);
            at += std::fabs(w[k]) * to_[v[k]].x;
        } else if (geometry_.inverseMass[v[k]] > 0) {
            impulse -= w[k] * pairImpulse;
        }
    }
    if (collider >= 0 && weight > 0) impulses_.push_back({collider, -1, at / weight, impulse});
}

// Last resort: the points of remaining impacts form rigid impact zones, which translate with their mean momentum, or
// with their prescribed points. Zones only grow, and a pure translation causes no impact within a zone, so this
// terminates.
void ClothContact::applyRigidImpactZones() {
    std::vector<int> zoneOf(static_cast<size_t>(from_.size()));
    for (size_t i = 0; i < zoneOf.size(); ++i) zoneOf[i] = static_cast<int>(i);
    const auto rootOf = [&](int i) {
        while (zoneOf[i] != i) i = zoneOf[i];
        return i;
    };
    struct ZoneMotion {
        double mass = 0, prescribed = 0;
        double x = 0, y = 0, z = 0;
    };
    std::vector<ZoneMotion> zoneMotions(zoneOf.size());
    for (bool merged = true; merged;) {
        merged = false;
        for (const Impact& impact : impacts_.all()) {
            const int* v = impact.pair.v;
            const int first = std::min(std::min(rootOf(v[0]), rootOf(v[1])), std::min(rootOf(v[2]), rootOf(v[3])));
            for (int k = 0; k < 4; ++k) {
                const int other = rootOf(v[k]);
                merged = merged || other != first;
                zoneOf[other] = first;
            }
        }
        if (!merged) return;
        std::fill(zoneMotions.begin(), zoneMotions.end(), ZoneMotion{});
        std::vector<int> sizes(zoneOf.size());
        for (int i = 0; i < from_.size(); ++i) {
            const int zone = rootOf(i);
            zoneOf[i] = zone;
            ++sizes[zone];
            ZoneMotion& zoneMotion = zoneMotions[zone];
            const bool prescribed = !(geometry_.inverseMass[i] > 0);
            if (prescribed && zoneMotion.prescribed == 0) zoneMotion = {0, 1, 0, 0, 0};
            if (!prescribed && zoneMotion.prescribed > 0) continue;
            const double mass = prescribed ? 1 : 1 / double(geometry_.inverseMass[i]);
            const Vec3 displacement = to_[i].x - from_[i].x;
            zoneMotion.mass += mass;
            zoneMotion.x += mass * double(displacement.x);
            zoneMotion.y += mass * double(displacement.y);
            zoneMotion.z += mass * double(displacement.z);
        }
        rigidZonePoints_ = 0;
        for (int i = 0; i < from_.size(); ++i) {
            const int zone = zoneOf[i];
            if (sizes[zone] == 1 || !(geometry_.inverseMass[i] > 0)) continue;
            const ZoneMotion& zoneMotion = zoneMotions[zone];
            to_[i].x = from_[i].x + Vec3{static_cast<float>(zoneMotion.x / zoneMotion.mass),
                                         static_cast<float>(zoneMotion.y / zoneMotion.mass),
                                         static_cast<float>(zoneMotion.z / zoneMotion.mass)};
            ++rigidZonePoints_;
        }
        findImpacts(nullptr);
    }
}

bool ClothContact::resolveImpacts(Span<Vec3> x, Span<Vec3> v, float dt) {
    constexpr int kPasses = 12;
    const Device cpu = Device::cpu(device_.threads());
    rigidZonePoints_ = 0;
    forEachChunk(cpu, "loadPositions", geometry_.clothPoints, 2048, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) to_[i].x = x[i];
    });
    findImpacts(nullptr);
    const bool any = !impacts_.all().empty();
    for (int pass = 0; !impacts_.all().empty() && pass < kPasses; ++pass) {
        correctImpacts(pass > 1);
        findImpacts(&changed_);
    }
    if (!impacts_.all().empty()) applyRigidImpactZones();
    candidates_.endStep();
    if (!any) return false;
    forEachChunk(cpu, "storePositions", geometry_.clothPoints, 2048, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const Vec3 move = to_[i].x - x[i];
            const float moved = length(move);
            if (!(moved > 0)) continue;
            // Corrects the velocity so that, along the correction, it is no less than the actual motion, by at most
            // what the correction explains: applyRepulsions may have stopped the point already, and applying the
            // correction twice would throw it back.
            //     v += clamp((x − x₀) · n/Δt − v · n, 0, |move|/Δt) n,  n = move/|move|
            const Vec3 n = move / moved;
            v[i] += clamp(dot(to_[i].x - from_[i].x, n) / dt - dot(v[i], n), 0, moved / dt) * n;
            x[i] = to_[i].x;
        }
    });
    return true;
}

}  // namespace purl
