#include "solver/cloth/layers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>

#include "solver/contact/touch.h"
#include "solver/core/forEach.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

// ---- search ---------------------------------------------------------------------------------------------------

// Where each point is looked for, on its way for some steps, and how near others may come.
struct FitReach {
    const Vec3 *from, *to;
    const int* sheetOf;
    Span<const Sheet> sheets;
    float steps, skin;
    Vec3 *foreseen, *way;
    Bounds* reach;

    PURL_HD void operator()(int i) const {
        const Sheet& sheet = sheets[sheetOf[i]];
        foreseen[i] = from[i];
        way[i] = to[i] - from[i];
        const Vec3 last = from[i] + steps * way[i];
        reach[i] = grown({min(from[i], last), max(from[i], last)},
                         0.5f * skin + (sheet.half > sheet.toSolid ? sheet.half : sheet.toSolid));
    }
};

// m, how far a point is, along an axis, from where it was foreseen as the step begins and as it ends.
struct Deviation {
    const Vec3 *from, *to, *foreseen, *way;
    float step;  // since then
    PURL_HD float operator()(int i) const {
        const Vec3 a = from[i] - foreseen[i] - step * way[i], b = to[i] - foreseen[i] - (step + 1) * way[i];
        const Vec3 most = max(max(a, -a), max(b, -b));
        const float xy = most.x > most.y ? most.x : most.y;
        return xy > most.z ? xy : most.z;
    }
};

struct WayLength {
    const Vec3 *from, *to;
    PURL_HD float operator()(int i) const { return length(to[i] - from[i]); }
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

// Lists what of an item and of later ones may meet in the steps to come.
struct FindMeetings {
    BoxTreeView tree;
    Span<const Item> items;
    int clothItems;
    const Bounds* reach;
    const int* sheetOf;
    Span<const Sheet> sheets;
    Span<const Vec3> rest;
    const float* inverseMass;
    const Vec3 *from, *way;
    float steps, skin;

    void list(int i, std::vector<Meeting>& meetings) const {
        const Item& own = items[i];
        const bool solid = i >= clothItems;
        const bool robust = !solid && sheets[sheetOf[own.v[0]]].robust;
        const auto emit = [&](Passing passing, int a, int b, int c, int d) {
            if (solid && isHeld(a, b, c, d)) return;
            Meeting meeting{{a, b, c, d}, passing, thickness(sheetOf[a], sheetOf[d])};
            if (mayMeet(meeting)) meetings.push_back(meeting);
        };
        if (solid || robust)
            tree.forEachOverlap(boxOf(own), solid ? 0 : i + 1, [&](int k) {
                const Item& other = items[k];
                if (!solid && !sheets[sheetOf[other.v[0]]].robust) return;
                meet(own, other, emit);
                meetPoints(other, own, emit);
            });
    }

    PURL_HD Bounds boxOf(const Item& item) const {
        const Bounds &a = reach[item.v[0]], &b = reach[item.v[1]], &c = reach[item.v[2]];
        return {min(a.low, min(b.low, c.low)), max(a.high, max(b.high, c.high))};
    }
    template <class Emit>
    PURL_HD void meet(const Item& own, const Item& other, const Emit& emit) const {
        meetPoints(own, other, emit);
        for (int k = 0; k < 3; ++k) {
            if (!(own.edges >> k & 1)) continue;
            const int a = own.v[k], b = own.v[(k + 1) % 3];
            const Bounds box{min(reach[a].low, reach[b].low), max(reach[a].high, reach[b].high)};
            for (int m = 0; m < 3; ++m) {
                if (!(other.edges >> m & 1)) continue;
                const int c = other.v[m], d = other.v[(m + 1) % 3];
                if (a == c || a == d || b == c || b == d) continue;
                if (overlap(box, {min(reach[c].low, reach[d].low), max(reach[c].high, reach[d].high)}))
                    emit(Passing::edgeEdge, a, b, c, d);
            }
        }
    }
    template <class Emit>
    PURL_HD void meetPoints(const Item& own, const Item& other, const Emit& emit) const {
        if (!own.points || !other.triangle) return;
        for (int k = 0; k < 3; ++k) {
            const int p = own.v[k];
            if (!(own.points >> k & 1) || p == other.v[0] || p == other.v[1] || p == other.v[2]) continue;
            if (overlap(reach[p], boxOf(other))) emit(Passing::pointTriangle, p, other.v[0], other.v[1], other.v[2]);
        }
    }
    // What holds a point of cloth may be the solid itself.
    PURL_HD bool isHeld(int a, int b, int c, int d) const {
        for (const int v : {a, b, c, d})
            if (!sheets[sheetOf[v]].solid && !(inverseMass[v] > 0)) return true;
        return false;
    }
    PURL_HD float thickness(int first, int second) const {
        const Sheet &one = sheets[first], &other = sheets[second];
        return one.solid ? one.half + other.toSolid : other.solid ? one.toSolid + other.half : one.half + other.half;
    }
    // Neither thing strays from its way by more than half the skin along each axis.
    bool mayMeet(Meeting& m) const {
        constexpr float kDiagonal = 1.7320508f;
        Vec3 x[4], along[4];
        for (int k = 0; k < 4; ++k) {
            x[k] = from[m.v[k]];
            along[k] = way[m.v[k]];
        }
        const float apart = length(nearestOf(m.passing, x).apart) - steps * mostApproach(m.passing, along);
        if (apart > m.keep + kDiagonal * skin) return false;
        // What is nearer at rest than the thickness stays as near.
        if (sheetOf[m.v[0]] == sheetOf[m.v[3]]) {
            for (int k = 0; k < 4; ++k) x[k] = rest[m.v[k]];
            const float atRest = 0.7f * length(nearestOf(m.passing, x).apart);
            m.keep = m.keep < atRest ? m.keep : atRest;
        }
        return true;
    }
};

template <class T>
struct GatherIf {
    const int *wanted, *starts;
    const T* all;
    T* some;
    PURL_HD void operator()(int i) const {
        if (wanted[i]) some[starts[i]] = all[i];
    }
};

// ---- thickness ------------------------------------------------------------------------------------------------

// Solids with an inside hold only what is outside.
struct Sides {
    const int* sheetOf;
    Span<const Sheet> sheets;
    const Vec3* outward;

    // `n`: from the second thing to the first.
    PURL_HD bool holds(const Meeting& m, Vec3 n) const {
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

struct MeasurePresses {
    const Meeting* meetings;
    Sides sides;
    const Vec3 *from, *to;
    int* near;
    Press* presses;

    PURL_HD void operator()(int i) const {
        near[i] = 0;
        const Meeting& m = meetings[i];
        Vec3 x[4], before[4];
        for (int k = 0; k < 4; ++k) {
            x[k] = to[m.v[k]];
            before[k] = from[m.v[k]];
        }
        const Nearest nearest = nearestOf(m.passing, x);
        const float distance = length(nearest.apart);
        // The way out is the side that its places came from: they may have passed each other.
        const Vec3 came = nearest.between(before);
        const bool passed = dot(nearest.apart, came) < 0;
        if (distance >= m.keep && !passed) return;
        if (passed && distance >= m.keep) {
            // Those that only turned about each other, never near, have not.
            Vec3 way[4];
            for (int k = 0; k < 4; ++k) way[k] = x[k] - before[k];
            if (length(nearestOf(m.passing, before).apart) - mostApproach(m.passing, way) >= m.keep) return;
        }
        const Vec3 n = distance > 0 ? (passed ? -1 : 1) * nearest.apart / distance : normalized(came);
        if (!sides.holds(m, n)) return;
        near[i] = 1;
        presses[i] = {
            {m.v[0], m.v[1], m.v[2], m.v[3]}, {nearest.w[0], nearest.w[1], nearest.w[2], nearest.w[3]}, n, m.keep};
    }
};

// What each press asks of its points, times their inverse masses and weights: moves of places, and kicks of velocities.
// What is missing to the distance is made up for; what slid meanwhile is taken back by up to μ times what approached.
struct PressApart {
    const Press* presses;
    const int* sheetOf;
    Span<const Sheet> sheets;
    const float* inverseMass;
    const Vec3 *from, *to, *v;
    Vec3 *move, *kick;

    PURL_HD void operator()(int p) const {
        const Press& press = presses[p];
        move[p] = kick[p] = {};
        Vec3 x, before, speed;
        float sum = 0, most = 0;
        for (int k = 0; k < 4; ++k) {
            const int i = press.v[k];
            x += press.w[k] * (to[i] - to[press.v[0]]);
            before += press.w[k] * (from[i] - from[press.v[0]]);
            speed += press.w[k] * v[i];
            sum += inverseMass[i] * square(press.w[k]);
            most = larger(most, inverseMass[i] * std::fabs(press.w[k]));
        }
        sum = larger(sum, kLeast * most);
        const float missing = press.keep - dot(x, press.n);
        if (!(missing > 0) || !(sum > 0)) return;
        const float f = sheets[sheetOf[press.v[0]]].friction, g = sheets[sheetOf[press.v[3]]].friction;
        const float mu = f > g ? f : g;
        const float came = dot(before - x, press.n);
        const float approached = came < missing ? came : missing;
        const Vec3 went = x - before, slid = went - dot(went, press.n) * press.n;
        move[p] = (missing * press.n - limited(slid, approached > 0 ? mu * approached : 0)) / sum;
        const float approach = dot(speed, press.n);
        if (approach >= 0) return;
        kick[p] = (-approach * press.n - limited(speed - approach * press.n, -mu * approach)) / sum;
    }
};

// A point in several presses takes their mean.
struct TakePresses {
    const int *starts, *parts;
    const Press* presses;
    const Vec3 *move, *kick;
    const float* inverseMass;
    Vec3 *x, *v;

    PURL_HD void operator()(int i) const {
        Vec3 moved, kicked;
        int count = 0;
        for (int p = starts[i]; p < starts[i + 1]; ++p) {
            const int press = parts[p] / 4;
            const float w = presses[press].w[parts[p] % 4];
            if (move[press] == Vec3{} || w == 0) continue;
            moved += w * move[press];
            kicked += w * kick[press];
            ++count;
        }
        if (!count) return;
        const float share = inverseMass[i] / static_cast<float>(count);
        x[i] += share * moved;
        v[i] += share * kicked;
    }
};

// ---- ways -----------------------------------------------------------------------------------------------------

struct CheckWays {
    const Meeting* meetings;
    Sides sides;
    const float* inverseMass;
    const int* changed;  // or null: all are
    const Vec3 *from, *to;
    float* share;

    PURL_HD void operator()(int i) const {
        share[i] = 1;
        const Meeting& m = meetings[i];
        if (changed && !(changed[m.v[0]] | changed[m.v[1]] | changed[m.v[2]] | changed[m.v[3]])) return;
        Vec3 x[4], way[4];
        Bounds one, other;
        float free = 0;
        for (int k = 0; k < 4; ++k) {
            const int p = m.v[k];
            x[k] = from[p];
            way[k] = to[p] - x[k];
            free += inverseMass[p];
            Bounds& box = k < (m.passing == Passing::pointTriangle ? 1 : 2) ? one : other;
            box.include(x[k]);
            box.include(to[p]);
        }
        // What is apart along an axis all the time needs no closer look.
        if (!(free > 0) || !overlap(grown(one, kKeptShare * m.keep), other)) return;
        const float safe = safeShare(m.passing, x, way);
        if (safe < 1 && sides.holds(m, nearestOf(m.passing, x).apart)) share[i] = safe;
    }
};

struct IsHit {
    const float* share;
    PURL_HD int operator()(int i) const { return share[i] < 1 ? 1 : 0; }
};

template <class T>
void put(Buffer<T>& buffer, const std::vector<T>& values) {
    buffer.renew(static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
}

uint64_t keyOf(int a, int b) { return uint64_t(std::min(a, b)) << 32 | uint64_t(std::max(a, b)); }

// Edges and corners that something soft is held up by: those that stand out by more than this, and rims.
constexpr float kFlat = 0.985f;  // cosine of 10°

// Edges of a collider, two points each; a box' points are its corners, one bit an axis.
std::vector<int> sharpEdges(const PlacedCollider& collider) {
    std::vector<int> edges;
    if (collider.container || collider.kills) return edges;
    if (collider.shape == ColliderShape::box) {
        for (int corner = 0; corner < 8; ++corner)
            for (const int axis : {1, 2, 4})
                if (!(corner & axis)) edges.insert(edges.end(), {corner, corner | axis});
        return edges;
    }
    if (collider.shape != ColliderShape::mesh) return edges;
    const TriangleTreeView& mesh = collider.mesh;
    for (int t = 0; 3 * t < mesh.corners.count; ++t)
        for (int k = 0; k < 3; ++k) {
            const int twin = mesh.twins[3 * t + k], a = mesh.corners[3 * t + k], b = mesh.corners[3 * t + (k + 1) % 3];
            if (twin >= 0) {
                if (twin < t || dot(mesh.faceNormals[t], mesh.faceNormals[twin]) > kFlat) continue;
                // Of a closed mesh only what is convex: the other's middle lies behind this face.
                const Vec3 middle =
                    (mesh.corner(twin, 0) + mesh.corner(twin, 1) + mesh.corner(twin, 2)) / 3.0f - mesh.vertices[a];
                if (mesh.closed && dot(middle, mesh.faceNormals[t]) > 0) continue;
            }
            edges.insert(edges.end(), {a, b});
        }
    return edges;
}

}  // namespace

Layers::Layers(const Device& device)
    : device_(device),
      items_(device),
      sheetOf_(device),
      sheets_(device),
      inverseMass_(device),
      rest_(device),
      outward_(device),
      from_(device),
      to_(device),
      v_(device),
      foreseen_(device),
      way_(device),
      reach_(device),
      tree_(device),
      meetings_(device),
      near_(device),
      starts_(device),
      allPresses_(device),
      presses_(device),
      pressStarts_(device),
      pressParts_(device),
      move_(device),
      kick_(device),
      changed_(device),
      share_(device) {}

void Layers::set(const std::vector<Fabric>& fabrics, Span<const Vec3> rest) {
    device_.synchronize();
    std::vector<unsigned> versions;
    for (const Fabric& fabric : fabrics) versions.push_back(fabric.version());
    solidKinds_.clear();  // they are looked at anew with the next step
    solids_.clear();
    searched_ = false;
    robust_ = false;
    clothPoints_ = rest.count;
    sheets_.resize(static_cast<int>(fabrics.size()));
    sheetOf_.resize(clothPoints_);
    inverseMass_.resize(clothPoints_);
    skin_ = 1e30f;
    int first = 0, index = 0;
    for (const Fabric& fabric : fabrics) {
        const ClothParams& params = fabric.params();
        // Layers cannot be kept further apart than the mesh can bend between them.
        const float own = params.selfDistance > 0
                              ? params.selfDistance
                              : clamp(params.thickness, 0.02f * fabric.meanEdge(), 0.5f * fabric.meanEdge());
        const bool robust = params.selfCollision == SelfCollision::robust;
        robust_ = robust_ || robust;
        sheets_[index] = {0.5f * own, 0.5f * params.thickness, params.friction, robust, 0};
        std::fill(sheetOf_.begin() + first, sheetOf_.begin() + first + fabric.count(), index);
        std::copy(fabric.inverseMass.begin(), fabric.inverseMass.end(), inverseMass_.begin() + first);
        skin_ = std::min(skin_, 0.15f * fabric.meanEdge());
        first += fabric.count();
        ++index;
    }
    rest_.resize(clothPoints_);
    const bool newRest = !std::equal(rest.begin(), rest.end(), rest_.begin());
    std::copy(rest.begin(), rest.end(), rest_.begin());
    if (versions == versions_ && !newRest) {
        items_.resize(clothItems_);
        return;
    }
    versions_ = versions;
    setItems(fabrics, rest);
}

// Cloth after cloth, each in an order that follows its places at rest: what is near there stays near.
void Layers::setItems(const std::vector<Fabric>& fabrics, Span<const Vec3> rest) {
    std::vector<Item> items;
    int first = 0;
    for (const Fabric& fabric : fabrics) {
        const std::vector<int>& triangles = fabric.triangles;
        std::vector<Vec3> centers;
        for (size_t t = 0; t + 2 < triangles.size(); t += 3) {
            Vec3 sum;
            for (size_t k = 0; k < 3; ++k) sum += rest[first + triangles[t + k]];
            centers.push_back(sum / 3.0f);
        }
        std::vector<char> met(static_cast<size_t>(fabric.count()));
        std::unordered_set<uint64_t> edges;
        for (const int t : BoxTree::orderOf(centers)) {
            Item item{};
            for (int k = 0; k < 3; ++k) item.v[k] = first + triangles[static_cast<size_t>(3 * t + k)];
            for (int k = 0; k < 3; ++k) {
                char& known = met[static_cast<size_t>(item.v[k] - first)];
                if (!known) item.points |= 1 << k;
                known = 1;
                if (edges.insert(keyOf(item.v[k], item.v[(k + 1) % 3])).second) item.edges |= 1 << k;
            }
            item.triangle = 1;
            items.push_back(item);
        }
        first += fabric.count();
    }
    put(items_, items);
    clothItems_ = items_.size();
}

void Layers::setSolids(Span<const PlacedCollider> placed) {
    solids_.clear();
    items_.resize(clothItems_);
    int next = clothPoints_, sheet = static_cast<int>(versions_.size());
    sheetOf_.resize(clothPoints_);
    inverseMass_.resize(clothPoints_);
    sheets_.resize(sheet);
    for (int c = 0; c < placed.count; ++c) {
        const std::vector<int> edges = sharpEdges(placed[c]);
        if (edges.empty()) continue;
        Solid solid{c, next, edges};
        std::sort(solid.corners.begin(), solid.corners.end());
        solid.corners.erase(std::unique(solid.corners.begin(), solid.corners.end()), solid.corners.end());
        const auto pointOf = [&](int corner) {
            return next + static_cast<int>(std::lower_bound(solid.corners.begin(), solid.corners.end(), corner) -
                                           solid.corners.begin());
        };
        std::vector<char> met(solid.corners.size());
        for (size_t e = 0; e < edges.size(); e += 2) {
            const int a = pointOf(edges[e]), b = pointOf(edges[e + 1]);
            Item item{{a, b, b}, 0, 1, 0};
            for (int k = 0; k < 2; ++k) {
                char& known = met[static_cast<size_t>(item.v[k] - next)];
                if (!known) item.points |= 1 << k;
                known = 1;
            }
            items_.resize(items_.size() + 1);
            items_[items_.size() - 1] = item;
        }
        next += static_cast<int>(solid.corners.size());
        sheetOf_.resize(next);
        inverseMass_.resize(next);
        std::fill(sheetOf_.begin() + solid.first, sheetOf_.end(), sheet++);
        sheets_.resize(sheet);
        solids_.push_back(std::move(solid));
    }
    searched_ = false;
}

void Layers::moveSolids(Span<const PlacedCollider> placed) {
    device_.synchronize();
    std::vector<int> kinds;
    for (const PlacedCollider& collider : placed)
        kinds.insert(kinds.end(), {static_cast<int>(collider.shape), collider.mesh.corners.count});
    if (kinds != solidKinds_) {
        solidKinds_ = kinds;
        setSolids(placed);
    }
    const int count = sheetOf_.size();
    for (Buffer<Vec3>* channel : {&from_, &to_, &v_, &outward_}) channel->resize(count);
    int sheet = static_cast<int>(versions_.size());
    for (const Solid& solid : solids_) {
        const PlacedCollider& collider = placed[solid.collider];
        sheets_[sheet++] = {collider.gap, 0, collider.friction, 0, 1};
        int i = solid.first;
        for (const int corner : solid.corners) {
            if (collider.shape == ColliderShape::box) {
                const Vec3 sign{corner & 1 ? 1.0f : -1.0f, corner & 2 ? 1.0f : -1.0f, corner & 4 ? 1.0f : -1.0f};
                const Vec3 h = collider.halfSize, at{sign.x * h.x, sign.y * h.y, sign.z * h.z};
                from_[i] = collider.before.toWorld(at);
                to_[i] = collider.after.toWorld(at);
                outward_[i] = collider.after.axes * sign;
            } else {
                from_[i] = collider.mesh.verticesBefore[corner];
                to_[i] = collider.mesh.vertices[corner];
                outward_[i] = collider.mesh.closed ? collider.mesh.cornerNormals[corner] : Vec3{};
            }
            ++i;
        }
    }
}

void Layers::load(const Buffer<Vec3>& before, const Buffer<Vec3>& x, const Buffer<Vec3>& v, float dt) {
    device_.synchronize();
    const int count = sheetOf_.size();
    for (Buffer<Vec3>* channel : {&from_, &to_, &v_, &outward_}) channel->resize(count);
    std::copy(before.begin(), before.end(), from_.begin());
    std::copy(x.begin(), x.end(), to_.begin());
    std::copy(v.begin(), v.end(), v_.begin());
    for (int i = clothPoints_; i < count; ++i) v_[i] = (to_[i] - from_[i]) / dt;
}

bool Layers::findMeetings() {
    const int count = from_.size();
    if (searched_ && step_ + 1 <= steps_) {
        const Deviation deviation{from_.data(), to_.data(), foreseen_.data(), way_.data(), step_};
        if (reduce(device_, "deviation", count, 0.0f, deviation, Largest{}) <= 0.5f * skin_) return false;
    }
    // As many steps ahead as move nothing by more than a few edges.
    const float fastest = reduce(device_, "wayLength", count, 0.0f, WayLength{from_.data(), to_.data()}, Largest{});
    steps_ = std::floor(clamp(10 * skin_ / (fastest + 1e-12f), 1, 64));
    step_ = 0;
    searched_ = true;
    for (Buffer<Vec3>* channel : {&foreseen_, &way_}) channel->renew(count);
    reach_.renew(count);
    forEach(device_, "fitReach", count,
            FitReach{from_.data(), to_.data(), sheetOf_.data(), sheets_.span(), steps_, skin_, foreseen_.data(),
                     way_.data(), reach_.data()});
    tree_.boxes().renew(clothItems_);
    forEach(device_, "fitItems", clothItems_, FitItems{items_.data(), reach_.data(), tree_.boxes().data()});
    tree_.fit();
    device_.synchronize();
    // On the CPU, in pieces that do not depend on the number of threads, so that neither does the order.
    constexpr int kPiece = 256;
    const FindMeetings find{tree_.view(),    items_.span(),  clothItems_,  reach_.data(),
                            sheetOf_.data(), sheets_.span(), rest_.span(), inverseMass_.data(),
                            from_.data(),    way_.data(),    steps_,       skin_};
    pieces_.resize(static_cast<size_t>(items_.size() / kPiece + 1));
    for (std::vector<Meeting>& piece : pieces_) piece.clear();
    forEachChunk(Device::cpu(device_.threads()), "findMeetings", items_.size(), kPiece, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) find.list(i, pieces_[static_cast<size_t>(begin / kPiece)]);
    });
    size_t total = 0;
    for (const std::vector<Meeting>& piece : pieces_) total += piece.size();
    meetings_.renew(static_cast<int>(total));
    Meeting* at = meetings_.data();
    for (const std::vector<Meeting>& piece : pieces_) at = std::copy(piece.begin(), piece.end(), at);
    return true;
}

void Layers::listPresses() {
    const int count = meetings_.size();
    near_.renew(count);
    allPresses_.renew(count);
    forEach(device_, "measurePresses", count,
            MeasurePresses{meetings_.data(),
                           {sheetOf_.data(), sheets_.span(), outward_.data()},
                           from_.data(),
                           to_.data(),
                           near_.data(),
                           allPresses_.data()});
    scan(near_, starts_);
    device_.synchronize();
    const int pressCount = starts_[count];
    presses_.renew(pressCount);
    if (!pressCount) return;
    forEach(device_, "gatherPresses", count,
            GatherIf<Press>{near_.data(), starts_.data(), allPresses_.data(), presses_.data()});
    device_.synchronize();
    pressStarts_.renew(clothPoints_ + 1);
    std::fill(pressStarts_.begin(), pressStarts_.end(), 0);
    for (const Press& press : presses_)
        for (const int point : press.v)
            if (point < clothPoints_) ++pressStarts_[point + 1];
    for (int i = 0; i < clothPoints_; ++i) pressStarts_[i + 1] += pressStarts_[i];
    pressParts_.renew(pressStarts_[clothPoints_]);
    // Filled from the last to the first, so that the starts end where they began and each point's parts ascend.
    for (int p = pressCount - 1; p >= 0; --p)
        for (int k = 3; k >= 0; --k)
            if (presses_[p].v[k] < clothPoints_) pressParts_[--pressStarts_[presses_[p].v[k] + 1]] = 4 * p + k;
    for (int i = 0; i < clothPoints_; ++i) pressStarts_[i] = pressStarts_[i + 1];
    pressStarts_[clothPoints_] = pressParts_.size();
}

void Layers::pushApart(const Buffer<Vec3>& before, Buffer<Vec3>& x, Buffer<Vec3>& v, float dt) {
    constexpr int kPasses = 4;
    load(before, x, v, dt);
    findMeetings();
    listPresses();
    const int count = presses_.size();
    if (!count) return;
    move_.renew(count);
    kick_.renew(count);
    for (int pass = 0; pass < kPasses; ++pass) {
        forEach(device_, "pressApart", count,
                PressApart{presses_.data(), sheetOf_.data(), sheets_.span(), inverseMass_.data(), from_.data(),
                           to_.data(), v_.data(), move_.data(), kick_.data()});
        forEach(device_, "takePresses", clothPoints_,
                TakePresses{pressStarts_.data(), pressParts_.data(), presses_.data(), move_.data(), kick_.data(),
                            inverseMass_.data(), to_.data(), v_.data()});
    }
    device_.synchronize();
    std::copy(to_.begin(), to_.begin() + clothPoints_, x.begin());
    std::copy(v_.begin(), v_.begin() + clothPoints_, v.begin());
}

// How many ways would cross; which, in hits_.
int Layers::checkWays() {
    const bool all = findMeetings() || changed_.empty();
    const int count = meetings_.size();
    share_.renew(count);
    forEach(device_, "checkWays", count,
            CheckWays{meetings_.data(),
                      {sheetOf_.data(), sheets_.span(), outward_.data()},
                      inverseMass_.data(),
                      all ? nullptr : changed_.data(),
                      from_.data(),
                      to_.data(),
                      share_.data()},
            64);
    hits_.clear();
    if (reduce(device_, "isHit", count, 0, IsHit{share_.data()}, Sum{}) == 0) return 0;
    for (int i = 0; i < count; ++i)
        if (share_[i] < 1) hits_.push_back(i);
    return static_cast<int>(hits_.size());
}

// What would cross is held where it would touch: along the line between the two, and as their masses say.
void Layers::pushBack() {
    changed_.resize(from_.size());
    std::fill(changed_.begin(), changed_.end(), 0);
    for (const int hit : hits_) {
        const Meeting& m = meetings_[hit];
        Vec3 x[4], before[4], after[4];
        for (int k = 0; k < 4; ++k) {
            before[k] = from_[m.v[k]];
            after[k] = to_[m.v[k]];
            x[k] = before[k] + share_[hit] * (after[k] - before[k]);
            changed_[m.v[k]] = 1;  // or else needs another look
        }
        const Nearest nearest = nearestOf(m.passing, x);
        const float distance = length(nearest.apart), start = length(nearestOf(m.passing, before).apart);
        float sum = 0, most = 0;
        for (int k = 0; k < 4; ++k) {
            sum += inverseMass_[m.v[k]] * square(nearest.w[k]);
            most = larger(most, inverseMass_[m.v[k]] * std::fabs(nearest.w[k]));
        }
        sum = larger(sum, kLeast * most);
        if (!(distance > 0) || !(sum > 0)) continue;
        const Vec3 n = nearest.apart / distance;
        const float missing = std::max(distance, 0.5f * std::min(start, m.keep)) - dot(nearest.between(after), n);
        if (!(missing > 0)) continue;
        for (int k = 0; k < 4; ++k) to_[m.v[k]] += (inverseMass_[m.v[k]] * nearest.w[k] * missing / sum) * n;
    }
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
        for (const int hit : hits_) {
            const int* v = meetings_[hit].v;
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
            const bool led = !(inverseMass_[i] > 0);
            if (led && motion.led == 0) motion = {0, 1, 0, 0, 0};
            if (!led && motion.led > 0) continue;
            const double mass = led ? 1 : 1 / double(inverseMass_[i]);
            const Vec3 way = to_[i] - from_[i];
            motion.mass += mass;
            motion.x += mass * double(way.x);
            motion.y += mass * double(way.y);
            motion.z += mass * double(way.z);
        }
        jammed_ = 0;
        changed_.resize(0);
        for (int i = 0; i < from_.size(); ++i) {
            const auto l = static_cast<size_t>(group[static_cast<size_t>(i)]);
            if (sizes[l] == 1 || !(inverseMass_[i] > 0)) continue;
            const Motion& motion = motions[l];
            to_[i] =
                from_[i] + Vec3{static_cast<float>(motion.x / motion.mass), static_cast<float>(motion.y / motion.mass),
                                static_cast<float>(motion.z / motion.mass)};
            ++jammed_;
        }
        checkWays();
    }
}

void Layers::holdBack(const Buffer<Vec3>& before, Buffer<Vec3>& x, Buffer<Vec3>& v, float dt) {
    constexpr int kPasses = 12;
    jammed_ = 0;
    load(before, x, v, dt);
    changed_.resize(0);
    int hits = checkWays();
    for (int pass = 0; hits && pass < kPasses; ++pass) {
        pushBack();
        hits = checkWays();
    }
    if (hits) moveAsOne();
    step_ += 1;
    for (int i = 0; i < clothPoints_; ++i) {
        if (to_[i] == x[i]) continue;
        v[i] += (to_[i] - x[i]) / dt;
        x[i] = to_[i];
    }
}

}  // namespace purl
