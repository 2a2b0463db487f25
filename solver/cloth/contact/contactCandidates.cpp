#include "solver/cloth/contact/contactCandidates.h"

#include <algorithm>
#include <cmath>

#include "solver/cloth/contact/featurePairLanes.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

struct Displacement {
    const MassPoint *from, *to;
    PURL_HD Vec3 operator()(int i) const { return to[i].x - from[i].x; }
};
struct PathLength {
    const MassPoint *from, *to;
    Vec3 meanDisplacement;
    PURL_HD float operator()(int i) const { return length(to[i].x - from[i].x - meanDisplacement); }
};

// Of numbers below `limit`. Long lists are marked off instead of sorted.
void sortUnique(std::vector<int>& list, int limit) {
    if (4 * list.size() > static_cast<size_t>(limit)) {
        std::vector<char> isListed(static_cast<size_t>(limit));
        for (const int number : list) isListed[number] = 1;
        list.clear();
        for (int number = 0; number < limit; ++number)
            if (isListed[number]) list.push_back(number);
        return;
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

// m, distance that two bodies keep.
float pairThickness(const ContactBody& one, const ContactBody& other) {
    return one.isCollider     ? one.halfThickness + other.colliderGap
           : other.isCollider ? one.colliderGap + other.halfThickness
                              : one.halfThickness + other.halfThickness;
}

}  // namespace

// Candidate pairs waiting for the exact distance test.
struct ContactCandidates::Pending {
    alignas(32) int v[4][8];
    alignas(32) float thickness[8];
    int partner[8];
    int count = 0;
};

// Lists the candidate pairs of one group with itself and later groups, or of a group of collider edges with patches.
struct ContactCandidates::Lister {
    const Group* groups;
    const FeatureBlock* features;
    const MovingBoxes* boxes;
    const MovingBox* groupBoxes;
    const MassPoint *predicted, *displacement, *rest;
    float step, steps;
    Span<const ContactBody> bodies;
    const float* inverseMass;
    const int* bodyOf;
    float slack;       // m, by how much a pair may come closer than predicted
    const int* dirty;  // per block: bits of features with new predictions; null: all
    int group = 0;
    CandidateList& list;
    Pending pending[2] = {};  // indexed by FeaturePair
    int open[2] = {-1, -1};   // the block being filled
    int used = 0;             // blocks in use
    int kept = 0;             // leading blocks that are unchanged

    int dirtyOf(int block) const { return dirty ? dirty[block] : 255; }
    // Removes the pairs with strayed points.
    void removeDirty(const char* strayed) {
        const size_t count = list.blocks.size();
        for (size_t i = 0; i < count; ++i) {
            const CandidateBlock block = list.blocks[i];
            for (int l = 0; l < block.count; ++l) {
                const int v[4] = {block.v[0][l], block.v[1][l], block.v[2][l], block.v[3][l]};
                if (strayed[v[0]] | strayed[v[1]] | strayed[v[2]] | strayed[v[3]]) continue;
                append(block.kind, v, block.thickness[l], (block.sameCloth >> l & 1) != 0);
            }
        }
        kept = used;
        for (const int at : open)
            if (at >= 0) kept = std::min(kept, at);
    }
    // Pairs between this group and another, which may be the same.
    void pair(int other) {
        const MovingBox &ownBox = groupBoxes[group], &otherBox = groupBoxes[other];
        const float thickness = pairThickness(bodies[groups[group].body], bodies[groups[other].body]);
        pairEdges(other, ownBox, otherBox, thickness);
        pairPoints(group, other, other, otherBox, thickness);
        if (other != group) pairPoints(other, group, other, ownBox, thickness);
    }
    void pairEdges(int other, const MovingBox& ownBox, const MovingBox& otherBox, float thickness) {
        const Group &own = groups[group], &far = groups[other];
        for (int b = far.edges; b < far.points; ++b) {
            const int overlapping = overlaps(boxes[b], ownBox), theirDirty = dirtyOf(b);
            if (!overlapping) continue;
            const FeatureBlock& theirs = features[b];
            for (int a = own.edges; a < own.points; ++a) {
                if (other == group && a > b) break;
                const int ownDirty = dirtyOf(a), lanes = overlapping & theirDirty ? 255 : ownDirty;
                if (!lanes) continue;
                forEachBit(lanes & overlaps(boxes[a], otherBox), [&](int l) {
                    const int p = features[a].v[0][l], q = features[a].v[1][l];
                    int bits = overlapping & (ownDirty >> l & 1 ? 255 : theirDirty);
                    bits &= overlaps(boxes[b], boxOf(boxes[a], l));
                    if (other == group && a == b) bits &= ~((2 << l) - 1);
                    if (!bits) return;
                    bits &= ~(lanesEqual(theirs.v[0], p) | lanesEqual(theirs.v[0], q) | lanesEqual(theirs.v[1], p) |
                              lanesEqual(theirs.v[1], q));
                    forEachBit(bits, [&](int m) {
                        enqueue(FeaturePair::edgeEdge, {p, q, theirs.v[0][m], theirs.v[1][m]}, thickness, other);
                    });
                });
            }
        }
    }
    // Vertices of group `one` against faces of group `two`, which has this box.
    void pairPoints(int one, int two, int other, const MovingBox& box, float thickness) {
        const Group &own = groups[one], &far = groups[two];
        if (far.triangles == far.edges) return;
        int theirDirty = 0;
        for (int b = far.triangles; b < far.edges; ++b) theirDirty |= dirtyOf(b);
        for (int a = own.points; a < own.end; ++a) {
            const int ownDirty = dirtyOf(a), lanes = theirDirty ? 255 : ownDirty;
            if (!lanes) continue;
            forEachBit(lanes & overlaps(boxes[a], box), [&](int l) {
                const int p = features[a].v[0][l];
                const MovingBox reach = boxOf(boxes[a], l);
                for (int b = far.triangles; b < far.edges; ++b) {
                    const FeatureBlock& theirs = features[b];
                    int bits = ownDirty >> l & 1 ? 255 : dirtyOf(b);
                    if (bits) bits &= overlaps(boxes[b], reach);
                    if (!bits) continue;
                    bits &= ~(lanesEqual(theirs.v[0], p) | lanesEqual(theirs.v[1], p) | lanesEqual(theirs.v[2], p));
                    forEachBit(bits, [&](int m) {
                        enqueue(FeaturePair::pointTriangle, {p, theirs.v[0][m], theirs.v[1][m], theirs.v[2][m]},
                                thickness, other);
                    });
                }
            });
        }
    }
    // Whether a pair contains a prescribed cloth point: it may be attached to the collider itself.
    bool hasPrescribedPoint(const int (&v)[4]) const {
        for (const int p : v)
            if (!bodies[bodyOf[p]].isCollider && !(inverseMass[p] > 0)) return true;
        return false;
    }
    void enqueue(FeaturePair kind, const int (&v)[4], float thickness, int partner) {
        if (bodies[groups[group].body].isCollider && hasPrescribedPoint(v)) return;
        Pending& to = pending[static_cast<int>(kind)];
        for (int k = 0; k < 4; ++k) to.v[k][to.count] = v[k];
        to.thickness[to.count] = thickness;
        to.partner[to.count] = partner;
        if (++to.count == 8) flush(kind);
    }
    // Tests the pending pairs. No point strays by more than half the skin along each axis, so a pair that a plane
    // separates by more than the slack over all substeps cannot touch.
    void flush(FeaturePair kind) {
        Pending& all = pending[static_cast<int>(kind)];
        for (int l = all.count; l < 8; ++l) {
            for (int k = 0; k < 4; ++k) all.v[k][l] = all.v[k][0];
            all.thickness[l] = all.thickness[0];
        }
        PointLanes x[4], end[4];
        for (int k = 0; k < 4; ++k) {
            const PointLanes from = loadPoints(predicted, all.v[k]), along = loadPoints(displacement, all.v[k]);
            x[k] = from + Lanes(step) * along;
            end[k] = from + Lanes(steps) * along;
        }
        const ClosestPairs nearest = closestPair(kind, x);
        const Lanes distance = sqrt(nearest.distance2), minDistance = load(all.thickness) + Lanes(slack);
        const LaneMask separated =
            (minDistance < distance) & (minDistance * distance < separationAlong(kind, end, nearest.separation));
        forEachBit(~bitsOf(separated) & ((1 << all.count) - 1), [&](int l) {
            const int v[4] = {all.v[0][l], all.v[1][l], all.v[2][l], all.v[3][l]};
            add(kind, v, all.thickness[l], all.partner[l]);
        });
        all.count = 0;
    }
    void add(FeaturePair kind, const int (&v)[4], float thickness, int partner) {
        const bool same = groups[group].body == groups[partner].body;
        append(kind, v, thickness, same);
        if (std::find(list.partners.rbegin(), list.partners.rend(), partner) == list.partners.rend())
            list.partners.push_back(partner);
    }
    void append(FeaturePair kind, const int (&v)[4], float thickness, bool same) {
        int& at = open[static_cast<int>(kind)];
        if (at < 0 || list.blocks[at].count == 8) {
            at = used++;
            if (at == static_cast<int>(list.blocks.size())) list.blocks.emplace_back();
            CandidateBlock& block = list.blocks[at];
            block.kind = kind;
            block.count = block.sameCloth = 0;
            for (float& each : block.distance2) each = 0;
        }
        list.blocks[at].add(v, thickness, same);
    }
    void finish() {
        for (const FeaturePair kind : {FeaturePair::pointTriangle, FeaturePair::edgeEdge})
            if (pending[static_cast<int>(kind)].count) flush(kind);
        list.blocks.resize(static_cast<size_t>(used));
        // Pairs closer than their thickness at rest keep 0.7 of their rest distance instead.
        for (int b = kept; b < used; ++b) {
            CandidateBlock& block = list.blocks[b];
            if (!block.sameCloth) continue;
            PointLanes x[4];
            for (int k = 0; k < 4; ++k) x[k] = loadPoints(rest, block.v[k]);
            alignas(32) float atRest[8];
            store(Lanes(0.7f) * sqrt(closestPair(block.kind, x).distance2), atRest);
            for (int l = 0; l < 8; ++l)
                if (block.sameCloth >> l & 1) block.thickness[l] = std::min(block.thickness[l], atRest[l]);
        }
    }
};

ContactCandidates::ContactCandidates(const Device& device)
    : device_(device),
      neighborhoods_(device),
      groups_(device),
      features_(device),
      groupStarts_(device),
      groupOf_(device),
      rest_(device),
      predicted_(device),
      displacement_(device),
      predictedEnd_(device),
      boxes_(device),
      dirty_(device),
      groupBoxes_(device),
      corners_(device),
      positions_(device),
      slabs_(device),
      tree_(device) {}

void ContactCandidates::endStep() {
    step_ += 1;
    for (CandidateList& list : lists_) list.measured = false;
}

// Groups: cloth patches, then collider edges in groups of eight.
void ContactCandidates::setGroups(const ContactGeometry& geometry) {
    groupsSet_ = true;
    patches_ = static_cast<int>(geometry.patchStarts.size()) - 1;
    std::vector<int> starts(geometry.patchStarts.begin(), geometry.patchStarts.end() - 1);
    const auto colliderOf = [&](int i) { return geometry.bodyOf[geometry.primitives[i].v[0]]; };
    for (int i = geometry.clothPrimitives; i < geometry.primitives.size(); ++i)
        if (i == geometry.clothPrimitives || colliderOf(i) != colliderOf(i - 1) || i - starts.back() == 8)
            starts.push_back(i);
    starts.push_back(geometry.primitives.size());
    groups_.resizeDiscard(static_cast<int>(starts.size()) - 1);
    features_.resize(0);
    corners_.resize(0);
    std::vector<std::vector<int>> groupsOf(static_cast<size_t>(geometry.points()));
    for (int g = 0; g < groups_.size(); ++g) {
        Group& group = groups_[g];
        int filled = 0;
        const auto add = [&](int a, int b, int c) {
            if (filled % 8 == 0) features_.resize(features_.size() + 1);
            ++filled;
            features_[features_.size() - 1].add(a, b, c);
        };
        const int begin = starts[g], end = starts[static_cast<size_t>(g) + 1];
        group.body = geometry.bodyOf[geometry.primitives[begin].v[0]];
        group.triangles = features_.size();
        group.corners = corners_.size();
        for (int i = begin; i < end; ++i) {
            const ContactPrimitive& primitive = geometry.primitives[i];
            for (const int v : primitive.v) {
                std::vector<int>& of = groupsOf[v];
                if (!of.empty() && of.back() == g) continue;
                of.push_back(g);
                if (group.corners == corners_.size() || corners_[corners_.size() - 1].count == 8)
                    corners_.resize(corners_.size() + 1);
                corners_[corners_.size() - 1].add(v, v, v);
            }
            if (primitive.triangle) add(primitive.v[0], primitive.v[1], primitive.v[2]);
        }
        group.cornersEnd = corners_.size();
        group.edges = features_.size();
        filled = 0;
        for (int i = begin; i < end; ++i)
            for (int k = 0; k < 3; ++k)
                if (geometry.primitives[i].edges >> k & 1) {
                    const int a = geometry.primitives[i].v[k], b = geometry.primitives[i].v[(k + 1) % 3];
                    add(a, b, b);
                }
        group.points = features_.size();
        filled = 0;
        for (int i = begin; i < end; ++i)
            for (int k = 0; k < 3; ++k)
                if (geometry.primitives[i].points >> k & 1) {
                    const int p = geometry.primitives[i].v[k];
                    add(p, p, p);
                }
        group.end = features_.size();
    }
    groupStarts_.resizeDiscard(geometry.points() + 1);
    groupOf_.resize(0);
    for (int i = 0; i < geometry.points(); ++i) {
        const std::vector<int>& own = groupsOf[i];
        groupStarts_[i] = groupOf_.size();
        groupOf_.resize(groupOf_.size() + static_cast<int>(own.size()));
        std::copy(own.begin(), own.end(), groupOf_.begin() + groupStarts_[i]);
    }
    groupStarts_[geometry.points()] = groupOf_.size();
    rest_.resize(0);
    rest_.resize(geometry.points());
    for (int i = 0; i < geometry.clothPoints; ++i) rest_[i].x = geometry.rest[i];
    boxes_.resizeDiscard(features_.size());
    groupBoxes_.resizeDiscard(groups_.size());
    positions_.resizeDiscard(corners_.size());
    slabs_.resizeDiscard(groups_.size());
    dirty_.resize(0);
    dirty_.resize(features_.size());
    isStrayed_.assign(static_cast<size_t>(geometry.points()), 0);
    for (std::vector<char>* flags : {&isChanged_, &isLost_, &hasBoxes_})
        flags->assign(static_cast<size_t>(groups_.size()), 0);
    partners_.resize(static_cast<size_t>(groups_.size()));
    lists_.resize(static_cast<size_t>(groups_.size()));
}

void ContactCandidates::find(const ContactGeometry& geometry, const Buffer<MassPoint>& from,
                             const Buffer<MassPoint>& to, const std::vector<int>* changed) {
    if (!searched_ || step_ + 1 > steps_) {
        rebuild(geometry, from, to);
        return;
    }
    changedGroups_.clear();
    for (int k = 0; changed && k < static_cast<int>(changed->size()); ++k)
        for (const int g : groupsOf((*changed)[k]))
            if (g < patches_) changedGroups_.push_back(g);
    sortUnique(changedGroups_, groups_.size());
    static const std::vector<int> kNone;
    const std::vector<int>& lost =
        geometry.anySelfCollision
            ? neighborhoods_.recheck(geometry, from.data(), to.data(), changed ? &changedGroups_ : nullptr)
            : kNone;
    const int count = changed ? static_cast<int>(changed->size()) : from.size();
    const std::vector<int>& strayed =
        strayed_.fill(device_, "findStrayed", count, 1024, [&](int k, std::vector<int>& list) {
            const int i = changed ? (*changed)[k] : k;
            const Vec3 a = from[i].x - predicted_[i].x - step_ * displacement_[i].x,
                       b = to[i].x - predicted_[i].x - (step_ + 1) * displacement_[i].x;
            const Vec3 deviation = max(max(a, -a), max(b, -b));
            const float maxDeviation = 0.5f * skin_;
            if (!(deviation.x <= maxDeviation && deviation.y <= maxDeviation && deviation.z <= maxDeviation))
                list.push_back(i);
        });
    if (strayed.empty() && lost.empty()) return;
    changedGroups_.clear();
    for (const int i : strayed)
        for (const int g : groupsOf(i)) changedGroups_.push_back(g);
    sortUnique(changedGroups_, groups_.size());
    // If many points strayed, start over with a wider skin.
    if (4 * static_cast<int>(changedGroups_.size()) > groups_.size()) {
        rebuild(geometry, from, to);
        return;
    }
    for (const int i : strayed) {
        predict(i, from[i].x, to[i].x);
        isStrayed_[i] = 1;
    }
    // Groups with lost near-rigid neighbours are relisted completely.
    relisted_ = lost;
    for (const int g : lost) isLost_[g] = 1;
    for (const int g : changedGroups_) isChanged_[g] = 1;
    forEachChunk(Device::cpu(device_.threads()), "fitChanged", static_cast<int>(changedGroups_.size()), 32,
                 [&](int begin, int end) {
                     for (int k = begin; k < end; ++k) {
                         fitGroup(geometry, changedGroups_[k]);
                         markDirty(changedGroups_[k]);
                     }
                 });
    if (!changedGroups_.empty()) {
        tree_.fit(Device::cpu(device_.threads()), {groupBoxes_.data(), patches_});
        // A pair is listed by the patch with the lower index, or by the collider group.
        relisted_.insert(relisted_.end(), changedGroups_.begin(), changedGroups_.end());
        const std::vector<int>& overlapped = overlapped_.fill(
            device_, "findOverlapped", static_cast<int>(changedGroups_.size()), 32, [&](int k, std::vector<int>& list) {
                const int q = changedGroups_[k];
                if (q < patches_ && geometry.anySelfCollision)
                    tree_.forEachOverlap(groupBoxes_[q], 0, q, [&](int p) { list.push_back(p); });
            });
        relisted_.insert(relisted_.end(), overlapped.begin(), overlapped.end());
        MovingBox all;
        for (const int q : changedGroups_)
            if (q < patches_) all = unionOf(all, groupBoxes_[q]);
        for (int g = patches_; g < groups_.size(); ++g)
            if (overlap(groupBoxes_[g], all)) relisted_.push_back(g);
    }
    sortUnique(relisted_, groups_.size());
    listCandidates(geometry, false);
    for (const int i : strayed) isStrayed_[i] = 0;
    for (const int g : changedGroups_) {
        isChanged_[g] = 0;
        std::fill(dirty_.data() + groups_[g].triangles, dirty_.data() + groups_[g].end, 0);
    }
    for (const int g : lost) isLost_[g] = 0;
}

void ContactCandidates::markDirty(int g) {
    for (int b = groups_[g].triangles; b < groups_[g].end; ++b)
        for (int l = 0; l < features_[b].count; ++l)
            for (const auto& corner : features_[b].v)
                if (isStrayed_[corner[l]]) dirty_[b] |= 1 << l;
}

void ContactCandidates::rebuild(const ContactGeometry& geometry, const Buffer<MassPoint>& from,
                                const Buffer<MassPoint>& to) {
    if (!groupsSet_) setGroups(geometry);
    const int count = from.size();
    // The skin should last for several substeps; a wider one lists more candidates.
    constexpr float kMinSkin = 0.06f, kMaxSkin = 0.16f, kFewSteps = 2, kManySteps = 6;
    const float grow = step_ < kFewSteps ? 1.5f : step_ > kManySteps ? 0.7f : 1.0f;
    skin_ = clamp(searched_ ? grow * skin_ : skin_, kMinSkin * geometry.meanEdge, kMaxSkin * geometry.meanEdge);
    const Vec3 meanDisplacement =
        reduce(device_, "meanDisplacement", count, Vec3{}, Displacement{from.data(), to.data()}, Sum{}) /
        static_cast<float>(std::max(count, 1));
    // Predict as many substeps as move no point by much more than an edge length, but not many more than the last lists
    // lasted. Below five, listing costs more than the shorter lists save.
    constexpr float kMinSteps = 5;
    const float fastest =
        reduce(device_, "pathLength", count, 0.0f, PathLength{from.data(), to.data(), meanDisplacement}, Largest{});
    steps_ = std::floor(
        clamp(1.5f * geometry.meanEdge / (fastest + 1e-12f), kMinSteps, searched_ ? 2 * step_ + kMinSteps : kMinSteps));
    step_ = 0;
    searched_ = true;
    for (Buffer<MassPoint>* channel : {&predicted_, &displacement_, &predictedEnd_}) channel->resizeDiscard(count);
    const Device cpu = Device::cpu(device_.threads());
    forEachChunk(cpu, "predictPoints", count, 1024, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) predict(i, from[i].x, to[i].x);
    });
    if (geometry.anySelfCollision) {
        if (!neighborhoodsSet_) neighborhoods_.set(geometry);
        neighborhoodsSet_ = true;
        // Full updates find neighbourhoods that have become near-rigid again.
        constexpr int kUpdateInterval = 3;
        if (searchesSinceUpdate_ == 0)
            neighborhoods_.update(geometry, from.data(), to.data());
        else
            neighborhoods_.recheck(geometry, from.data(), to.data());
        searchesSinceUpdate_ = (searchesSinceUpdate_ + 1) % kUpdateInterval;
    }
    forEachChunk(cpu, "fitGroups", groups_.size(), 64, [&](int begin, int end) {
        for (int g = begin; g < end; ++g) fitGroup(geometry, g);
    });
    tree_.fit(cpu, {groupBoxes_.data(), patches_});
    relisted_.resize(static_cast<size_t>(groups_.size()));
    for (int g = 0; g < groups_.size(); ++g) relisted_[g] = g;
    listCandidates(geometry, true);
}

void ContactCandidates::predict(int i, Vec3 from, Vec3 to) {
    displacement_[i].x = to - from;
    predicted_[i].x = from - step_ * displacement_[i].x;
    predictedEnd_[i].x = predicted_[i].x + steps_ * displacement_[i].x;
}

float ContactCandidates::marginOf(const ContactGeometry& geometry, int g) const {
    const ContactBody& body = geometry.bodies[groups_[g].body];
    return 0.5f * skin_ + std::max(body.halfThickness, body.colliderGap);
}

void ContactCandidates::fitGroup(const ContactGeometry& geometry, int g) {
    const Group& group = groups_[g];
    hasBoxes_[g] = 0;
    const float by = marginOf(geometry, g);
    const Vec3 margin{by, by, by};
    PointLanes normals = broadcast<Lanes>(Vec3{});
    for (int b = group.triangles; b < group.edges; ++b) {
        const MassPoint* const x = predicted_.data();
        const PointLanes p = loadPoints(x, features_[b].v[0]);
        normals = normals + cross(loadPoints(x, features_[b].v[1]) - p, loadPoints(x, features_[b].v[2]) - p);
    }
    Slab& slab = slabs_[g];
    alignas(32) float each[3][8];
    store(normals, each);
    Vec3 sum;
    for (int l = 0; l < 8; ++l) sum += {each[0][l], each[1][l], each[2][l]};
    slab.n = normalized(sum);
    slab.reach = std::fabs(slab.n.x) + std::fabs(slab.n.y) + std::fabs(slab.n.z);
    for (const int end : {0, 1}) {
        const MassPoint* const x = end ? predictedEnd_.data() : predicted_.data();
        PointLanes low = broadcast<Lanes>(Vec3{1e30f, 1e30f, 1e30f}),
                   high = broadcast<Lanes>(Vec3{-1e30f, -1e30f, -1e30f});
        Lanes lowest = Lanes(1e30f), highest = Lanes(-1e30f);
        for (int b = group.corners; b < group.cornersEnd; ++b) {
            const PointLanes at = loadPoints(x, corners_[b].v[0]);
            store(at, positions_[b].x[end]);
            low = min(low, at);
            high = max(high, at);
            const Lanes along = dot(at, broadcast<Lanes>(slab.n));
            lowest = min(lowest, along);
            highest = max(highest, along);
        }
        Bounds& box = end ? groupBoxes_[g].last : groupBoxes_[g].first;
        box.low = Vec3{minLane(low.x), minLane(low.y), minLane(low.z)} - margin;
        box.high = Vec3{maxLane(high.x), maxLane(high.y), maxLane(high.z)} + margin;
        slab.low[end] = minLane(lowest);
        slab.high[end] = maxLane(highest);
    }
}

void ContactCandidates::fitBoxes(const ContactGeometry& geometry, int g) {
    const float by = marginOf(geometry, g);
    const PointLanes margin = broadcast<Lanes>(Vec3{by, by, by});
    const Group& group = groups_[g];
    for (int b = group.triangles; b < group.end; ++b) {
        const FeatureBlock& block = features_[b];
        MovingBoxes& own = boxes_[b];
        const int corners = b < group.edges ? 3 : b < group.points ? 2 : 1;
        for (const int end : {0, 1}) {
            const MassPoint* const x = end ? predictedEnd_.data() : predicted_.data();
            PointLanes low = loadPoints(x, block.v[0]), high = low;
            for (int k = 1; k < corners; ++k) {
                const PointLanes at = loadPoints(x, block.v[k]);
                low = min(low, at);
                high = max(high, at);
            }
            store(low - margin, own.low[end]);
            store(high + margin, own.high[end]);
            for (int l = block.count; l < 8; ++l)
                for (int k = 0; k < 3; ++k) {
                    own.low[end][k][l] = 1e30f;
                    own.high[end][k][l] = -1e30f;
                }
        }
    }
}

// Whether another group stays on one side of this group's slab.
bool ContactCandidates::isSeparatedBySlab(int one, int other, float thickness) const {
    const Slab& slab = slabs_[one];
    const PointLanes n = broadcast<Lanes>(slab.n);
    const float margin = thickness + slab.reach * skin_;
    bool above = true, below = true;
    for (const int end : {0, 1}) {
        Lanes low = Lanes(1e30f), high = Lanes(-1e30f);
        for (int b = groups_[other].corners; b < groups_[other].cornersEnd; ++b) {
            const Lanes along = dot(load(positions_[b].x[end]), n);
            low = min(low, along);
            high = max(high, along);
        }
        above = above && bitsOf(Lanes(slab.high[end] + margin) < low) == 255;
        below = below && bitsOf(high < Lanes(slab.low[end] - margin)) == 255;
        if (!above && !below) return false;
    }
    return true;
}

// Finds the later patches that a patch may touch, or the patches that a collider group may touch. For partial relisting
// only pairs of groups with strayed points.
void ContactCandidates::findPartners(const ContactGeometry& geometry, int g, bool whole) {
    std::vector<int>& partners = partners_[g];
    partners.clear();
    const auto bodyOf = [&](int of) -> const ContactBody& { return geometry.bodies[groups_[of].body]; };
    const bool all = whole || isChanged_[g];
    const auto consider = [&](int q) {
        if (!all && !isChanged_[q]) return;
        const float thickness = pairThickness(bodyOf(g), bodyOf(q));
        if (g == q || (!isSeparatedBySlab(g, q, thickness) && !isSeparatedBySlab(q, g, thickness)))
            partners.push_back(q);
    };
    if (g >= patches_) {
        tree_.forEachOverlap(groupBoxes_[g], 0, patches_, consider);
    } else if (bodyOf(g).selfCollides) {
        const Span<const Neighborhood> neighbors = neighborhoods_.neighborhoodsOf(g);
        const int* const nearRigid = neighborhoods_.isNearRigid(g);
        int next = 0;
        tree_.forEachOverlap(groupBoxes_[g], g, patches_, [&](int q) {
            while (next < neighbors.count && neighbors[next].other < q) ++next;
            if (next < neighbors.count && neighbors[next].other == q && nearRigid[next]) return;
            if (bodyOf(q).selfCollides) consider(q);
        });
    }
}

// On the CPU, group by group, so that the order does not depend on the number of threads.
void ContactCandidates::listCandidates(const ContactGeometry& geometry, bool whole) {
    const Device cpu = Device::cpu(device_.threads());
    constexpr float kDiagonal = 1.7320508f, kRounding = 1.05f;
    const float slack = kDiagonal * skin_ * kRounding;
    const auto isWhole = [&](int g) { return whole || isLost_[g]; };
    forEachChunk(cpu, "findPartners", static_cast<int>(relisted_.size()), 32, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const int g = relisted_[k];
            findPartners(geometry, g, isWhole(g));
        }
    });
    // Fit feature boxes only for groups with partners.
    groupsToFit_.clear();
    for (const int g : relisted_) {
        const std::vector<int>& partners = partners_[g];
        const auto need = [&](int of) {
            char& fit = hasBoxes_[of];
            if (!fit) groupsToFit_.push_back(of);
            fit = 1;
        };
        if (!partners.empty()) need(g);
        for (const int q : partners) need(q);
    }
    forEachChunk(cpu, "fitBoxes", static_cast<int>(groupsToFit_.size()), 32, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) fitBoxes(geometry, groupsToFit_[k]);
    });
    forEachChunk(cpu, "listCandidates", static_cast<int>(relisted_.size()), 16, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const int g = relisted_[k];
            CandidateList& list = lists_[g];
            list.measured = false;
            const bool all = isWhole(g);
            if (all) list.partners.clear();
            Lister lister{groups_.data(),
                          features_.data(),
                          boxes_.data(),
                          groupBoxes_.data(),
                          predicted_.data(),
                          displacement_.data(),
                          rest_.data(),
                          step_,
                          steps_,
                          geometry.bodies.span(),
                          geometry.inverseMass.data(),
                          geometry.bodyOf.data(),
                          slack,
                          all ? nullptr : dirty_.data(),
                          g,
                          list};
            if (!all) lister.removeDirty(isStrayed_.data());
            for (const int q : partners_[g]) lister.pair(q);
            lister.finish();
        }
    });
}

}  // namespace purl
