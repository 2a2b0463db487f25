#include "solver/cloth/meetings.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/touch.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// Where each point is looked for, on its way for the steps to come and seen from what drifts along, and how near others
// may come.
struct FitReach {
    const int* sheetOf;
    Span<const Sheet> sheets;
    const Vec3 *foreseen, *way;
    Vec3 drift;         // m a step
    float step, steps;  // from here on to there
    float skin;
    Bounds* reach;

    PURL_HD void operator()(int i) const {
        const Sheet& sheet = sheets[sheetOf[i]];
        const Vec3 along = way[i] - drift, first = foreseen[i] + step * along, last = foreseen[i] + steps * along;
        reach[i] = grown({min(first, last), max(first, last)},
                         0.5f * skin + (sheet.half > sheet.toSolid ? sheet.half : sheet.toSolid));
    }
};

// Foresees points anew that a step takes from where they are further away than this, m, from where they were foreseen.
struct Foresee {
    const Vec3 *from, *to;
    float step;  // since the first was foreseen
    float most;
    FitReach fitReach;
    Vec3 *foreseen, *way;
    int* strayed;

    PURL_HD void operator()(int i) const {
        const Vec3 a = from[i] - foreseen[i] - step * way[i], b = to[i] - foreseen[i] - (step + 1) * way[i];
        const Vec3 off = max(max(a, -a), max(b, -b));
        strayed[i] = !(off.x <= most && off.y <= most && off.z <= most);
        if (!strayed[i]) return;
        way[i] = to[i] - from[i];
        foreseen[i] = from[i] - step * way[i];
        fitReach(i);
    }
};

// Which patches have points that strayed.
struct MarkPatches {
    const int* patchStarts;
    const Item* items;
    const int* strayed;
    int* marked;
    PURL_HD void operator()(int p) const {
        marked[p] = 0;
        for (int i = patchStarts[p]; i < patchStarts[p + 1]; ++i)
            marked[p] |= strayed[items[i].v[0]] | strayed[items[i].v[1]] | strayed[items[i].v[2]];
    }
};

struct Way {
    const Vec3 *from, *to;
    PURL_HD Vec3 operator()(int i) const { return to[i] - from[i]; }
};
struct WayLength {
    const Vec3 *from, *to;
    Vec3 drift;
    PURL_HD float operator()(int i) const { return length(to[i] - from[i] - drift); }
};

struct FitItems {
    const Item* items;
    const Bounds* reach;
    Bounds* boxes;
    PURL_HD void operator()(int i) const {
        const Bounds &a = reach[items[i].v[0]], &b = reach[items[i].v[1]], &c = reach[items[i].v[2]];
        boxes[i] = {min(a.low, min(b.low, c.low)), max(a.high, max(b.high, c.high))};
    }
};

struct FitPatches {
    const int* starts;
    const Bounds* boxes;
    Bounds* patches;
    PURL_HD void operator()(int p) const {
        Bounds all = boxes[starts[p]];
        for (int i = starts[p] + 1; i < starts[p + 1]; ++i)
            all = {min(all.low, boxes[i].low), max(all.high, boxes[i].high)};
        patches[p] = all;
    }
};

// Lists what of a patch and of later ones, or of a solid's edge and of patches, may meet in the steps to come.
struct FindMeetings {
    BoxTreeView tree;
    Span<const Item> items;
    Span<const int> patchStarts;
    const Neighborhoods& neighborhoods;
    const Bounds *reach, *boxes;
    const int* sheetOf;
    Span<const Sheet> sheets;
    Span<const Vec3> rest;
    const float* inverseMass;
    const Vec3 *foreseen, *way;
    float step, steps, skin;

    bool isRobust(int patch) const { return sheets[sheetOf[items[patchStarts[patch]].v[0]]].robust; }

    void listOfPatch(int p, std::vector<Meeting>& meetings) const {
        if (!isRobust(p)) return;
        const Span<const Neighborhood> neighbors = neighborhoods.of(p);
        const int* const asOne = neighborhoods.movesAsOne(p);
        int next = 0;
        const auto emit = [&](Passing passing, int a, int b, int c, int d) {
            list({{a, b, c, d}, passing, thickness(sheetOf[a], sheetOf[d])}, meetings);
        };
        tree.forEachOverlap(tree.boxes[p], p, [&](int q) {
            while (next < neighbors.count && neighbors[next].other < q) ++next;
            if (next < neighbors.count && neighbors[next].other == q && asOne[next]) return;
            if (!isRobust(q)) return;
            const Bounds other = tree.boxes[q];
            for (int i = patchStarts[p]; i < patchStarts[p + 1]; ++i) {
                if (!overlap(boxes[i], other)) continue;
                for (int k = p == q ? i + 1 : patchStarts[q]; k < patchStarts[q + 1]; ++k) {
                    if (!overlap(boxes[i], boxes[k])) continue;
                    meet(items[i], items[k], emit);
                    meetPoints(items[k], items[i], emit);
                }
            }
        });
    }
    void listOfSolid(int i, std::vector<Meeting>& meetings) const {
        const auto emit = [&](Passing passing, int a, int b, int c, int d) {
            if (!isHeld(a, b, c, d)) list({{a, b, c, d}, passing, thickness(sheetOf[a], sheetOf[d])}, meetings);
        };
        tree.forEachOverlap(boxes[i], 0, [&](int q) {
            for (int k = patchStarts[q]; k < patchStarts[q + 1]; ++k) {
                if (!overlap(boxes[i], boxes[k])) continue;
                meet(items[i], items[k], emit);
                meetPoints(items[k], items[i], emit);
            }
        });
    }

    Bounds boxOf(int a, int b) const { return {min(reach[a].low, reach[b].low), max(reach[a].high, reach[b].high)}; }
    Bounds boxOf(const Item& item) const {
        const Bounds &a = reach[item.v[0]], &b = reach[item.v[1]], &c = reach[item.v[2]];
        return {min(a.low, min(b.low, c.low)), max(a.high, max(b.high, c.high))};
    }
    template <class Emit>
    void meet(const Item& own, const Item& other, const Emit& emit) const {
        meetPoints(own, other, emit);
        for (int k = 0; k < 3; ++k) {
            if (!(own.edges >> k & 1)) continue;
            const int a = own.v[k], b = own.v[(k + 1) % 3];
            const Bounds box = boxOf(a, b);
            for (int m = 0; m < 3; ++m) {
                if (!(other.edges >> m & 1)) continue;
                const int c = other.v[m], d = other.v[(m + 1) % 3];
                if (a == c || a == d || b == c || b == d) continue;
                if (overlap(box, boxOf(c, d))) emit(Passing::edgeEdge, a, b, c, d);
            }
        }
    }
    template <class Emit>
    void meetPoints(const Item& own, const Item& other, const Emit& emit) const {
        if (!own.points || !other.triangle) return;
        for (int k = 0; k < 3; ++k) {
            const int p = own.v[k];
            if (!(own.points >> k & 1) || p == other.v[0] || p == other.v[1] || p == other.v[2]) continue;
            if (overlap(reach[p], boxOf(other))) emit(Passing::pointTriangle, p, other.v[0], other.v[1], other.v[2]);
        }
    }
    // What holds a point of cloth may be the solid itself.
    bool isHeld(int a, int b, int c, int d) const {
        for (const int v : {a, b, c, d})
            if (!sheets[sheetOf[v]].solid && !(inverseMass[v] > 0)) return true;
        return false;
    }
    float thickness(int first, int second) const {
        const Sheet &one = sheets[first], &other = sheets[second];
        return one.solid ? one.half + other.toSolid : other.solid ? one.toSolid + other.half : one.half + other.half;
    }
    void list(Meeting meeting, std::vector<Meeting>& meetings) const {
        if (mayMeet(meeting)) meetings.push_back(meeting);
    }
    // Neither thing strays from its way by more than half the skin along each axis.
    bool mayMeet(Meeting& m) const {
        constexpr float kDiagonal = 1.7320508f, kRough = 1.05f;  // see roughDistance
        Vec3 x[4], along[4];
        for (int k = 0; k < 4; ++k) {
            along[k] = way[m.v[k]];
            x[k] = foreseen[m.v[k]] + step * along[k];
        }
        const float apart = roughDistance(m.passing, x) - (steps - step) * mostApproach(m.passing, along);
        if (apart > m.keep + kDiagonal * skin * kRough) return false;
        // What is nearer at rest than the thickness stays as near.
        if (sheetOf[m.v[0]] == sheetOf[m.v[3]]) {
            for (int k = 0; k < 4; ++k) x[k] = rest[m.v[k]];
            const float atRest = 0.7f * length(nearestOf(m.passing, x).apart);
            m.keep = m.keep < atRest ? m.keep : atRest;
        }
        return true;
    }
};

}  // namespace

Meetings::Meetings(const Device& device)
    : device_(device),
      neighborhoods_(device),
      foreseen_(device),
      way_(device),
      reach_(device),
      boxes_(device),
      strayed_(device),
      marked_(device),
      patchStarts_(device),
      tree_(device),
      meetings_(device) {}

void Meetings::set(const LayerParts& parts) {
    patchStarts_.renew(static_cast<int>(parts.patchStarts.size()));
    std::copy(parts.patchStarts.begin(), parts.patchStarts.end(), patchStarts_.begin());
    neighborhoodsSet_ = false;
    forget();
}

bool Meetings::find(const LayerParts& parts, const Buffer<Vec3>& from, const Buffer<Vec3>& to) {
    if (!searched_ || step_ + 1 > steps_ || (parts.robust && !neighborhoods_.hold(parts, from.data(), to.data()))) {
        foreseeAll(parts, from, to);
        return true;
    }
    const int strayed = foreseeStrayed(parts, from, to);
    if (strayed == 0) return false;
    // Where many strayed, all is foreseen anew, and wider.
    if (4 * strayed > patchStarts_.size()) foreseeAll(parts, from, to);
    return true;
}

void Meetings::foreseeAll(const LayerParts& parts, const Buffer<Vec3>& from, const Buffer<Vec3>& to) {
    const int count = from.size(), patches = patchStarts_.size() - 1;
    // Wide enough to hold for some steps; the wider, the more are listed.
    constexpr float kNarrow = 0.06f, kWide = 0.16f, kFew = 2, kMany = 6;
    const float grow = step_ < kFew ? 1.5f : step_ > kMany ? 0.7f : 1.0f;
    skin_ = clamp(searched_ ? grow * skin_ : skin_, kNarrow * parts.meanEdge, kWide * parts.meanEdge);
    drift_ = reduce(device_, "drift", count, Vec3{}, Way{from.data(), to.data()}, Sum{}) /
             static_cast<float>(std::max(count, 1));
    // As many steps ahead as move nothing by more than an edge or so, but hardly more than the last foresight held.
    const float fastest =
        reduce(device_, "wayLength", count, 0.0f, WayLength{from.data(), to.data(), drift_}, Largest{});
    steps_ = std::floor(clamp(1.5f * parts.meanEdge / (fastest + 1e-12f), 1, searched_ ? 2 * step_ + 2 : 4));
    step_ = 0;
    searched_ = true;
    for (Buffer<Vec3>* channel : {&foreseen_, &way_}) channel->renew(count);
    reach_.renew(count);
    strayed_.renew(count);
    constexpr float kNone = -1;
    foresee(parts, from, to, kNone);
    if (parts.robust) {
        if (!neighborhoodsSet_) neighborhoods_.set(parts);
        neighborhoodsSet_ = true;
        neighborhoods_.look(parts, from.data(), to.data());
    }
    marked_.renew(patches);
    std::fill(marked_.begin(), marked_.end(), 1);
    fitTree(parts);
    listMarked(parts);
}

void Meetings::foresee(const LayerParts& parts, const Buffer<Vec3>& from, const Buffer<Vec3>& to, float most) {
    const FitReach fitReach{
        parts.sheetOf.data(), parts.sheets.span(), foreseen_.data(), way_.data(), drift_, step_, steps_, skin_,
        reach_.data()};
    forEach(device_, "foresee", from.size(),
            Foresee{from.data(), to.data(), step_, most, fitReach, foreseen_.data(), way_.data(), strayed_.data()});
}

void Meetings::fitTree(const LayerParts& parts) {
    const int patches = patchStarts_.size() - 1;
    boxes_.renew(parts.items.size());
    forEach(device_, "fitItems", parts.items.size(), FitItems{parts.items.data(), reach_.data(), boxes_.data()});
    tree_.boxes().renew(patches);
    forEach(device_, "fitPatches", patches, FitPatches{patchStarts_.data(), boxes_.data(), tree_.boxes().data()});
    tree_.fit();
    device_.synchronize();
}

// How many patches have points that strayed. What they may meet is listed besides what was.
int Meetings::foreseeStrayed(const LayerParts& parts, const Buffer<Vec3>& from, const Buffer<Vec3>& to) {
    foresee(parts, from, to, 0.5f * skin_);
    const int patches = patchStarts_.size() - 1;
    forEach(device_, "markPatches", patches,
            MarkPatches{patchStarts_.data(), parts.items.data(), strayed_.data(), marked_.data()});
    device_.synchronize();
    int strayed = 0;
    for (const int marked : marked_) strayed += marked;
    const bool solids = std::find(strayed_.begin() + parts.clothPoints, strayed_.end(), 1) != strayed_.end();
    if (strayed == 0 && !solids) return 0;
    if (4 * strayed > patchStarts_.size()) return strayed;
    fitTree(parts);
    // Earlier patches speak for what they have in common with later ones.
    const BoxTreeView tree = tree_.view();
    std::vector<int> earlier;
    for (int q = 0; q < patches; ++q)
        if (marked_[q])
            tree.forEachOverlap(tree.boxes[q], 0, [&](int p) {
                if (p < q) earlier.push_back(p);
            });
    for (const int p : earlier) marked_[p] = 1;
    listMarked(parts);
    return std::max(strayed, 1);
}

// On the CPU, patch by patch and then the edges of solids, so that the order does not depend on the number of threads.
void Meetings::listMarked(const LayerParts& parts) {
    const int patches = patchStarts_.size() - 1, all = patches + parts.items.size() - parts.clothItems;
    const FindMeetings find{tree_.view(),
                            parts.items.span(),
                            patchStarts_.span(),
                            neighborhoods_,
                            reach_.data(),
                            boxes_.data(),
                            parts.sheetOf.data(),
                            parts.sheets.span(),
                            parts.rest.span(),
                            parts.inverseMass.data(),
                            foreseen_.data(),
                            way_.data(),
                            step_,
                            steps_,
                            skin_};
    lists_.resize(static_cast<size_t>(all));
    constexpr int kAtOnce = 16;
    forEachChunk(Device::cpu(device_.threads()), "findMeetings", all, kAtOnce, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            std::vector<Meeting>& list = lists_[static_cast<size_t>(i)];
            if (i < patches && !marked_[i]) continue;
            list.clear();
            if (i >= patches)
                find.listOfSolid(parts.clothItems + i - patches, list);
            else if (parts.robust)
                find.listOfPatch(i, list);
        }
    });
    size_t total = 0;
    for (const std::vector<Meeting>& list : lists_) total += list.size();
    meetings_.renew(static_cast<int>(total));
    Meeting* at = meetings_.data();
    for (const std::vector<Meeting>& list : lists_) at = std::copy(list.begin(), list.end(), at);
}

}  // namespace purl
