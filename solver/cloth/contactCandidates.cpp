#include "solver/cloth/contactCandidates.h"

#include <algorithm>
#include <cmath>

#include "solver/cloth/featureEights.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

struct PathOf {
    const MassPoint *from, *to;
    PURL_HD Vec3 operator()(int i) const { return to[i].x - from[i].x; }
};
struct PathLength {
    const MassPoint *from, *to;
    Vec3 drift;
    PURL_HD float operator()(int i) const { return length(to[i].x - from[i].x - drift); }
};

// Sorts a list and takes out what is in it twice.
void makeSet(std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

// m, what two sheets keep between them.
float thickness(const Sheet& one, const Sheet& other) {
    return one.solid ? one.half + other.toSolid : other.solid ? one.toSolid + other.half : one.half + other.half;
}

}  // namespace

// Candidates that are still to be looked at closely.
struct ContactCandidates::Pending {
    alignas(32) int v[4][8];
    alignas(32) float keep[8];
    int partner[8];
    int count = 0;
};

// Lists what of a group and of later ones, or of a solid's edges and of patches, may touch in the steps to come.
struct ContactCandidates::Listing {
    const Group* groups;
    const FeatureBlock* features;
    const MovingBoxes* boxes;
    const MovingBox* groupBoxes;
    const MassPoint *expected, *path, *rest;
    float step, steps;
    Span<const Sheet> sheets;
    const float* inverseMass;
    const int* sheetOf;
    float slack;       // m, what candidates may come nearer by than expected
    const int* dirty;  // of each block, bits of features that are expected elsewhere than before; null: all are
    int group = 0;
    CandidateList& list;
    Pending pending[2] = {};  // by Passing
    int open[2] = {-1, -1};   // the block that is being filled
    int used = 0;             // blocks
    int kept = 0;             // blocks that were taken over whole

    int dirtyOf(int block) const { return dirty ? dirty[block] : 255; }
    // Takes out what is to be looked at again.
    void removeDirty(const char* strayed) {
        const size_t count = list.blocks.size();
        for (size_t i = 0; i < count; ++i) {
            const CandidateBlock block = list.blocks[i];
            for (int l = 0; l < block.count; ++l) {
                const int v[4] = {block.v[0][l], block.v[1][l], block.v[2][l], block.v[3][l]};
                if (strayed[v[0]] | strayed[v[1]] | strayed[v[2]] | strayed[v[3]]) continue;
                append(block.passing, v, block.keep[l], (block.sameCloth >> l & 1) != 0);
            }
        }
        kept = used;
        for (const int at : open)
            if (at >= 0) kept = std::min(kept, at);
    }
    // Pairs of this group and another, which may be the same.
    void pair(int other) {
        const MovingBox &ownBox = groupBoxes[group], &otherBox = groupBoxes[other];
        const float keep = thickness(sheets[groups[group].sheet], sheets[groups[other].sheet]);
        pairEdges(other, ownBox, otherBox, keep);
        pairPoints(group, other, other, otherBox, keep);
        if (other != group) pairPoints(other, group, other, ownBox, keep);
    }
    void pairEdges(int other, const MovingBox& ownBox, const MovingBox& otherBox, float keep) {
        const Group &own = groups[group], &far = groups[other];
        for (int b = far.edges; b < far.points; ++b) {
            const int near = overlaps(boxes[b], ownBox), theirDirty = dirtyOf(b);
            if (!near) continue;
            const FeatureBlock& theirs = features[b];
            for (int a = own.edges; a < own.points; ++a) {
                if (other == group && a > b) break;
                const int ownDirty = dirtyOf(a), lanes = near & theirDirty ? 255 : ownDirty;
                if (!lanes) continue;
                forEachBit(lanes & overlaps(boxes[a], otherBox), [&](int l) {
                    const int p = features[a].v[0][l], q = features[a].v[1][l];
                    int bits = near & (ownDirty >> l & 1 ? 255 : theirDirty);
                    bits &= overlaps(boxes[b], boxOf(boxes[a], l));
                    if (other == group && a == b) bits &= ~((2 << l) - 1);
                    if (!bits) return;
                    bits &= ~(bitsEqual(theirs.v[0], p) | bitsEqual(theirs.v[0], q) | bitsEqual(theirs.v[1], p) |
                              bitsEqual(theirs.v[1], q));
                    forEachBit(bits, [&](int m) {
                        wait(Passing::edgeEdge, {p, q, theirs.v[0][m], theirs.v[1][m]}, keep, other);
                    });
                });
            }
        }
    }
    // Vertices of the one and faces of the other, with its box.
    void pairPoints(int one, int two, int other, const MovingBox& box, float keep) {
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
                    bits &= ~(bitsEqual(theirs.v[0], p) | bitsEqual(theirs.v[1], p) | bitsEqual(theirs.v[2], p));
                    forEachBit(bits, [&](int m) {
                        wait(Passing::pointTriangle, {p, theirs.v[0][m], theirs.v[1][m], theirs.v[2][m]}, keep, other);
                    });
                }
            });
        }
    }
    // What holds a point of cloth may be the solid itself.
    bool isHeld(const int (&v)[4]) const {
        for (const int p : v)
            if (!sheets[sheetOf[p]].solid && !(inverseMass[p] > 0)) return true;
        return false;
    }
    void wait(Passing passing, const int (&v)[4], float keep, int partner) {
        if (sheets[groups[group].sheet].solid && isHeld(v)) return;
        Pending& to = pending[static_cast<int>(passing)];
        for (int k = 0; k < 4; ++k) to.v[k][to.count] = v[k];
        to.keep[to.count] = keep;
        to.partner[to.count] = partner;
        if (++to.count == 8) flush(passing);
    }
    // Looks at what waits: neither feature strays from its path by more than half the skin along each axis, so that
    // what a plane keeps apart by more than the slack all the time cannot touch.
    void flush(Passing passing) {
        Pending& all = pending[static_cast<int>(passing)];
        for (int l = all.count; l < 8; ++l) {
            for (int k = 0; k < 4; ++k) all.v[k][l] = all.v[k][0];
            all.keep[l] = all.keep[0];
        }
        Vec3Eight x[4], end[4];
        for (int k = 0; k < 4; ++k) {
            const Vec3Eight from = loadPoints(expected, all.v[k]), along = loadPoints(path, all.v[k]);
            x[k] = from + eightOf(step) * along;
            end[k] = from + eightOf(steps) * along;
        }
        const NearestEight nearest = nearestOf(passing, x);
        const Eight distance = sqrt(nearest.distance2), least = loadEight(all.keep) + eightOf(slack);
        const EightMask apart = (least < distance) & (least * distance < apartAlong(passing, end, nearest.apart));
        forEachBit(~bitsOf(apart) & ((1 << all.count) - 1), [&](int l) {
            const int v[4] = {all.v[0][l], all.v[1][l], all.v[2][l], all.v[3][l]};
            add(passing, v, all.keep[l], all.partner[l]);
        });
        all.count = 0;
    }
    void add(Passing passing, const int (&v)[4], float keep, int partner) {
        const bool same = groups[group].sheet == groups[partner].sheet;
        append(passing, v, keep, same);
        if (std::find(list.partners.rbegin(), list.partners.rend(), partner) == list.partners.rend())
            list.partners.push_back(partner);
    }
    void append(Passing passing, const int (&v)[4], float keep, bool same) {
        int& at = open[static_cast<int>(passing)];
        if (at < 0 || list.blocks[static_cast<size_t>(at)].count == 8) {
            at = used++;
            if (at == static_cast<int>(list.blocks.size())) list.blocks.emplace_back();
            CandidateBlock& block = list.blocks[static_cast<size_t>(at)];
            block.passing = passing;
            block.count = block.sameCloth = 0;
            for (float& each : block.distance2) each = 0;
        }
        list.blocks[static_cast<size_t>(at)].add(v, keep, same);
    }
    void finish() {
        for (const Passing passing : {Passing::pointTriangle, Passing::edgeEdge})
            if (pending[static_cast<int>(passing)].count) flush(passing);
        list.blocks.resize(static_cast<size_t>(used));
        // What is nearer at rest than the thickness stays as near.
        for (int b = kept; b < used; ++b) {
            CandidateBlock& block = list.blocks[static_cast<size_t>(b)];
            if (!block.sameCloth) continue;
            Vec3Eight x[4];
            for (int k = 0; k < 4; ++k) x[k] = loadPoints(rest, block.v[k]);
            alignas(32) float atRest[8];
            store(eightOf(0.7f) * sqrt(nearestOf(block.passing, x).distance2), atRest);
            for (int l = 0; l < 8; ++l)
                if (block.sameCloth >> l & 1) block.keep[l] = std::min(block.keep[l], atRest[l]);
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
      expected_(device),
      path_(device),
      last_(device),
      boxes_(device),
      dirty_(device),
      groupBoxes_(device),
      corners_(device),
      places_(device),
      slabs_(device),
      tree_(device) {}

void ContactCandidates::stepEnds() {
    step_ += 1;
    for (CandidateList& list : lists_) list.measured = false;
}

// Patches of cloths, and eights of solids' edges.
void ContactCandidates::setGroups(const LayerParts& parts) {
    groupsSet_ = true;
    patches_ = static_cast<int>(parts.patchStarts.size()) - 1;
    std::vector<int> starts(parts.patchStarts.begin(), parts.patchStarts.end() - 1);
    const auto solidOf = [&](int i) { return parts.sheetOf[parts.items[i].v[0]]; };
    for (int i = parts.clothItems; i < parts.items.size(); ++i)
        if (i == parts.clothItems || solidOf(i) != solidOf(i - 1) || i - starts.back() == 8) starts.push_back(i);
    starts.push_back(parts.items.size());
    groups_.renew(static_cast<int>(starts.size()) - 1);
    features_.resize(0);
    corners_.resize(0);
    std::vector<std::vector<int>> groupsOf(static_cast<size_t>(parts.points()));
    for (int g = 0; g < groups_.size(); ++g) {
        Group& group = groups_[g];
        int filled = 0;
        const auto add = [&](int a, int b, int c) {
            if (filled % 8 == 0) features_.resize(features_.size() + 1);
            ++filled;
            features_[features_.size() - 1].add(a, b, c);
        };
        const int begin = starts[static_cast<size_t>(g)], end = starts[static_cast<size_t>(g) + 1];
        group.sheet = parts.sheetOf[parts.items[begin].v[0]];
        group.triangles = features_.size();
        group.corners = corners_.size();
        for (int i = begin; i < end; ++i) {
            const Item& item = parts.items[i];
            for (const int v : item.v) {
                std::vector<int>& of = groupsOf[static_cast<size_t>(v)];
                if (!of.empty() && of.back() == g) continue;
                of.push_back(g);
                if (group.corners == corners_.size() || corners_[corners_.size() - 1].count == 8)
                    corners_.resize(corners_.size() + 1);
                corners_[corners_.size() - 1].add(v, v, v);
            }
            if (item.triangle) add(item.v[0], item.v[1], item.v[2]);
        }
        group.cornersEnd = corners_.size();
        group.edges = features_.size();
        filled = 0;
        for (int i = begin; i < end; ++i)
            for (int k = 0; k < 3; ++k)
                if (parts.items[i].edges >> k & 1) {
                    const int a = parts.items[i].v[k], b = parts.items[i].v[(k + 1) % 3];
                    add(a, b, b);
                }
        group.points = features_.size();
        filled = 0;
        for (int i = begin; i < end; ++i)
            for (int k = 0; k < 3; ++k)
                if (parts.items[i].points >> k & 1) {
                    const int p = parts.items[i].v[k];
                    add(p, p, p);
                }
        group.end = features_.size();
    }
    groupStarts_.renew(parts.points() + 1);
    groupOf_.resize(0);
    for (int i = 0; i < parts.points(); ++i) {
        const std::vector<int>& own = groupsOf[static_cast<size_t>(i)];
        groupStarts_[i] = groupOf_.size();
        groupOf_.resize(groupOf_.size() + static_cast<int>(own.size()));
        std::copy(own.begin(), own.end(), groupOf_.begin() + groupStarts_[i]);
    }
    groupStarts_[parts.points()] = groupOf_.size();
    rest_.resize(0);
    rest_.resize(parts.points());
    for (int i = 0; i < parts.clothPoints; ++i) rest_[i].x = parts.rest[i];
    boxes_.renew(features_.size());
    groupBoxes_.renew(groups_.size());
    places_.renew(corners_.size());
    slabs_.renew(groups_.size());
    dirty_.resize(0);
    dirty_.resize(features_.size());
    isStrayed_.assign(static_cast<size_t>(parts.points()), 0);
    for (std::vector<char>* flags : {&isTouched_, &isLost_, &isFit_})
        flags->assign(static_cast<size_t>(groups_.size()), 0);
    partners_.resize(static_cast<size_t>(groups_.size()));
    lists_.resize(static_cast<size_t>(groups_.size()));
}

void ContactCandidates::find(const LayerParts& parts, const Buffer<MassPoint>& from, const Buffer<MassPoint>& to,
                             const std::vector<int>* changed) {
    if (!searched_ || step_ + 1 > steps_) {
        expectAll(parts, from, to);
        return;
    }
    touched_.clear();
    for (int k = 0; changed && k < static_cast<int>(changed->size()); ++k)
        for (const int g : groupsOf((*changed)[static_cast<size_t>(k)]))
            if (g < patches_) touched_.push_back(g);
    makeSet(touched_);
    static const std::vector<int> kNone;
    const std::vector<int>& lost =
        parts.robust ? neighborhoods_.lookAgain(parts, from.data(), to.data(), changed ? &touched_ : nullptr) : kNone;
    const int count = changed ? static_cast<int>(changed->size()) : from.size();
    const std::vector<int>& strayed =
        strayed_.fill(device_, "findStrayed", count, 1024, [&](int k, std::vector<int>& list) {
            const int i = changed ? (*changed)[static_cast<size_t>(k)] : k;
            const Vec3 a = from[i].x - expected_[i].x - step_ * path_[i].x,
                       b = to[i].x - expected_[i].x - (step_ + 1) * path_[i].x;
            const Vec3 off = max(max(a, -a), max(b, -b));
            const float most = 0.5f * skin_;
            if (!(off.x <= most && off.y <= most && off.z <= most)) list.push_back(i);
        });
    if (strayed.empty() && lost.empty()) return;
    touched_.clear();
    for (const int i : strayed)
        for (const int g : groupsOf(i)) touched_.push_back(g);
    makeSet(touched_);
    // Where many strayed, all are expected elsewhere, and more loosely.
    if (4 * static_cast<int>(touched_.size()) > groups_.size()) {
        expectAll(parts, from, to);
        return;
    }
    for (const int i : strayed) {
        expect(i, from[i].x, to[i].x);
        isStrayed_[static_cast<size_t>(i)] = 1;
    }
    // What moves as one no more is listed whole.
    marked_ = lost;
    for (const int g : lost) isLost_[static_cast<size_t>(g)] = 1;
    for (const int g : touched_) isTouched_[static_cast<size_t>(g)] = 1;
    forEachChunk(Device::cpu(device_.threads()), "fitTouched", static_cast<int>(touched_.size()), 32,
                 [&](int begin, int end) {
                     for (int k = begin; k < end; ++k) {
                         fitGroup(parts, touched_[static_cast<size_t>(k)]);
                         markDirty(touched_[static_cast<size_t>(k)]);
                     }
                 });
    if (!touched_.empty()) {
        tree_.fit(Device::cpu(device_.threads()), {groupBoxes_.data(), patches_});
        // Earlier patches list what they have in common with later ones, and solids what they have with cloth.
        marked_.insert(marked_.end(), touched_.begin(), touched_.end());
        const std::vector<int>& overlapped = overlapped_.fill(
            device_, "findOverlapped", static_cast<int>(touched_.size()), 32, [&](int k, std::vector<int>& list) {
                const int q = touched_[static_cast<size_t>(k)];
                if (q < patches_ && parts.robust)
                    tree_.forEachOverlap(groupBoxes_[q], 0, q, [&](int p) { list.push_back(p); });
            });
        marked_.insert(marked_.end(), overlapped.begin(), overlapped.end());
        MovingBox all;
        for (const int q : touched_)
            if (q < patches_) all = hullOf(all, groupBoxes_[q]);
        for (int g = patches_; g < groups_.size(); ++g)
            if (overlap(groupBoxes_[g], all)) marked_.push_back(g);
    }
    makeSet(marked_);
    listMarked(parts, false);
    for (const int i : strayed) isStrayed_[static_cast<size_t>(i)] = 0;
    for (const int g : touched_) {
        isTouched_[static_cast<size_t>(g)] = 0;
        std::fill(dirty_.data() + groups_[g].triangles, dirty_.data() + groups_[g].end, 0);
    }
    for (const int g : lost) isLost_[static_cast<size_t>(g)] = 0;
}

void ContactCandidates::markDirty(int g) {
    for (int b = groups_[g].triangles; b < groups_[g].end; ++b)
        for (int l = 0; l < features_[b].count; ++l)
            for (const auto& corner : features_[b].v)
                if (isStrayed_[static_cast<size_t>(corner[l])]) dirty_[b] |= 1 << l;
}

void ContactCandidates::expectAll(const LayerParts& parts, const Buffer<MassPoint>& from, const Buffer<MassPoint>& to) {
    device_.synchronize();
    if (!groupsSet_) setGroups(parts);
    const int count = from.size();
    // Wide enough to hold for some steps; the wider, the more are listed.
    constexpr float kNarrow = 0.06f, kWide = 0.16f, kFew = 2, kMany = 6;
    const float grow = step_ < kFew ? 1.5f : step_ > kMany ? 0.7f : 1.0f;
    skin_ = clamp(searched_ ? grow * skin_ : skin_, kNarrow * parts.meanEdge, kWide * parts.meanEdge);
    const Vec3 drift = reduce(device_, "drift", count, Vec3{}, PathOf{from.data(), to.data()}, Sum{}) /
                       static_cast<float>(std::max(count, 1));
    // As many steps ahead as move nothing by more than an edge or so, but hardly more than the last lists held. Fewer
    // than five cost more in listing than they save in candidates.
    constexpr float kLeastSteps = 5;
    const float fastest =
        reduce(device_, "pathLength", count, 0.0f, PathLength{from.data(), to.data(), drift}, Largest{});
    steps_ = std::floor(clamp(1.5f * parts.meanEdge / (fastest + 1e-12f), kLeastSteps,
                              searched_ ? 2 * step_ + kLeastSteps : kLeastSteps));
    step_ = 0;
    searched_ = true;
    for (Buffer<MassPoint>* channel : {&expected_, &path_, &last_}) channel->renew(count);
    const Device cpu = Device::cpu(device_.threads());
    forEachChunk(cpu, "expectAll", count, 1024, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) expect(i, from[i].x, to[i].x);
    });
    if (parts.robust) {
        if (!neighborhoodsSet_) neighborhoods_.set(parts);
        neighborhoodsSet_ = true;
        // Those that move as one again are found now and then.
        constexpr int kLookEvery = 3;
        if (looked_ == 0)
            neighborhoods_.look(parts, from.data(), to.data());
        else
            neighborhoods_.lookAgain(parts, from.data(), to.data());
        looked_ = (looked_ + 1) % kLookEvery;
    }
    forEachChunk(cpu, "fitGroups", groups_.size(), 64, [&](int begin, int end) {
        for (int g = begin; g < end; ++g) fitGroup(parts, g);
    });
    tree_.fit(cpu, {groupBoxes_.data(), patches_});
    marked_.resize(static_cast<size_t>(groups_.size()));
    for (int g = 0; g < groups_.size(); ++g) marked_[static_cast<size_t>(g)] = g;
    listMarked(parts, true);
}

void ContactCandidates::expect(int i, Vec3 from, Vec3 to) {
    path_[i].x = to - from;
    expected_[i].x = from - step_ * path_[i].x;
    last_[i].x = expected_[i].x + steps_ * path_[i].x;
}

float ContactCandidates::marginOf(const LayerParts& parts, int g) const {
    const Sheet& sheet = parts.sheets[groups_[g].sheet];
    return 0.5f * skin_ + std::max(sheet.half, sheet.toSolid);
}

void ContactCandidates::fitGroup(const LayerParts& parts, int g) {
    const Group& group = groups_[g];
    isFit_[static_cast<size_t>(g)] = 0;
    const float by = marginOf(parts, g);
    const Vec3 margin{by, by, by};
    Vec3Eight normals = eightOf(Vec3{});
    for (int b = group.triangles; b < group.edges; ++b) {
        const MassPoint* const x = expected_.data();
        const Vec3Eight p = loadPoints(x, features_[b].v[0]);
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
        const MassPoint* const x = end ? last_.data() : expected_.data();
        Vec3Eight low = eightOf(Vec3{1e30f, 1e30f, 1e30f}), high = eightOf(Vec3{-1e30f, -1e30f, -1e30f});
        Eight least = eightOf(1e30f), most = eightOf(-1e30f);
        for (int b = group.corners; b < group.cornersEnd; ++b) {
            const Vec3Eight at = loadPoints(x, corners_[b].v[0]);
            store(at, places_[b].x[end]);
            low = min(low, at);
            high = max(high, at);
            const Eight along = dot(at, eightOf(slab.n));
            least = min(least, along);
            most = max(most, along);
        }
        Bounds& box = end ? groupBoxes_[g].last : groupBoxes_[g].first;
        box.low = Vec3{leastOf(low.x), leastOf(low.y), leastOf(low.z)} - margin;
        box.high = Vec3{mostOf(high.x), mostOf(high.y), mostOf(high.z)} + margin;
        slab.low[end] = leastOf(least);
        slab.high[end] = mostOf(most);
    }
}

void ContactCandidates::fitBoxes(const LayerParts& parts, int g) {
    const float by = marginOf(parts, g);
    const Vec3Eight margin = eightOf(Vec3{by, by, by});
    const Group& group = groups_[g];
    for (int b = group.triangles; b < group.end; ++b) {
        const FeatureBlock& block = features_[b];
        MovingBoxes& own = boxes_[b];
        const int corners = b < group.edges ? 3 : b < group.points ? 2 : 1;
        for (const int end : {0, 1}) {
            const MassPoint* const x = end ? last_.data() : expected_.data();
            Vec3Eight low = loadPoints(x, block.v[0]), high = low;
            for (int k = 1; k < corners; ++k) {
                const Vec3Eight at = loadPoints(x, block.v[k]);
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

// Whether another group stays on one side of all that this one takes up along its normal.
bool ContactCandidates::isBeside(int one, int other, float keep) const {
    const Slab& slab = slabs_[one];
    const Vec3Eight n = eightOf(slab.n);
    const float margin = keep + slab.reach * skin_;
    bool above = true, below = true;
    for (const int end : {0, 1}) {
        Eight low = eightOf(1e30f), high = eightOf(-1e30f);
        for (int b = groups_[other].corners; b < groups_[other].cornersEnd; ++b) {
            const Eight along = dot(loadEight(places_[b].x[end]), n);
            low = min(low, along);
            high = max(high, along);
        }
        above = above && bitsOf(eightOf(slab.high[end] + margin) < low) == 255;
        below = below && bitsOf(high < eightOf(slab.low[end] - margin)) == 255;
        if (!above && !below) return false;
    }
    return true;
}

// Which later patches a patch, or which patches a solid, may touch in the steps to come; of those that are listed again
// in part only where one has points that strayed.
void ContactCandidates::findPartners(const LayerParts& parts, int g, bool whole) {
    std::vector<int>& partners = partners_[static_cast<size_t>(g)];
    partners.clear();
    const auto sheetOf = [&](int of) -> const Sheet& { return parts.sheets[groups_[of].sheet]; };
    const bool all = whole || isTouched_[static_cast<size_t>(g)];
    const auto consider = [&](int q) {
        if (!all && !isTouched_[static_cast<size_t>(q)]) return;
        const float keep = thickness(sheetOf(g), sheetOf(q));
        if (g == q || (!isBeside(g, q, keep) && !isBeside(q, g, keep))) partners.push_back(q);
    };
    if (g >= patches_) {
        tree_.forEachOverlap(groupBoxes_[g], 0, patches_, consider);
    } else if (sheetOf(g).robust) {
        const Span<const Neighborhood> neighbors = neighborhoods_.of(g);
        const int* const asOne = neighborhoods_.movesAsOne(g);
        int next = 0;
        tree_.forEachOverlap(groupBoxes_[g], g, patches_, [&](int q) {
            while (next < neighbors.count && neighbors[next].other < q) ++next;
            if (next < neighbors.count && neighbors[next].other == q && asOne[next]) return;
            if (sheetOf(q).robust) consider(q);
        });
    }
}

// On the CPU, group by group, so that the order does not depend on the number of threads.
void ContactCandidates::listMarked(const LayerParts& parts, bool whole) {
    const Device cpu = Device::cpu(device_.threads());
    constexpr float kDiagonal = 1.7320508f, kRounding = 1.05f;
    const float slack = kDiagonal * skin_ * kRounding;
    const auto isWhole = [&](int g) { return whole || isLost_[static_cast<size_t>(g)]; };
    forEachChunk(cpu, "findPartners", static_cast<int>(marked_.size()), 32, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const int g = marked_[static_cast<size_t>(k)];
            findPartners(parts, g, isWhole(g));
        }
    });
    // Features' boxes are made for groups that have any near.
    unfit_.clear();
    for (const int g : marked_) {
        const std::vector<int>& partners = partners_[static_cast<size_t>(g)];
        const auto need = [&](int of) {
            char& fit = isFit_[static_cast<size_t>(of)];
            if (!fit) unfit_.push_back(of);
            fit = 1;
        };
        if (!partners.empty()) need(g);
        for (const int q : partners) need(q);
    }
    forEachChunk(cpu, "fitBoxes", static_cast<int>(unfit_.size()), 32, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) fitBoxes(parts, unfit_[static_cast<size_t>(k)]);
    });
    forEachChunk(cpu, "listCandidates", static_cast<int>(marked_.size()), 16, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const int g = marked_[static_cast<size_t>(k)];
            CandidateList& list = lists_[static_cast<size_t>(g)];
            list.measured = false;
            const bool all = isWhole(g);
            if (all) list.partners.clear();
            Listing listing{groups_.data(),
                            features_.data(),
                            boxes_.data(),
                            groupBoxes_.data(),
                            expected_.data(),
                            path_.data(),
                            rest_.data(),
                            step_,
                            steps_,
                            parts.sheets.span(),
                            parts.inverseMass.data(),
                            parts.sheetOf.data(),
                            slack,
                            all ? nullptr : dirty_.data(),
                            g,
                            list};
            if (!all) listing.removeDirty(isStrayed_.data());
            for (const int q : partners_[static_cast<size_t>(g)]) listing.pair(q);
            listing.finish();
        }
    });
}

}  // namespace purl
