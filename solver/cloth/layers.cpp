#include "solver/cloth/layers.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/touch.h"
#include "solver/core/forEach.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

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
        Bounds one, other;
        for (int k = 0; k < 4; ++k) {
            x[k] = to[m.v[k]];
            before[k] = from[m.v[k]];
            Bounds& box = k < (m.passing == Passing::pointTriangle ? 1 : 2) ? one : other;
            box.include(x[k]);
            box.include(before[k]);
        }
        // Most are apart along an axis all the time.
        if (!overlap(grown(one, m.keep), other)) return;
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

// Sets the points of a press apart, by their inverse masses and weights, and takes the approach from their velocities.
// What is missing to the distance is made up for; what slid meanwhile is taken back by up to μ times what approached.
struct PressApart {
    const Press* presses;
    const int* sheetOf;
    Span<const Sheet> sheets;
    const float* inverseMass;
    const Vec3* from;
    Vec3 *to, *v;

    // The kick that velocities took, times inverse mass and weight.
    Vec3 operator()(int p) const {
        const Press& press = presses[p];
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
            const float share = inverseMass[press.v[k]] * press.w[k];
            to[press.v[k]] += share * move;
            v[press.v[k]] += share * kick;
        }
        return kick;
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

}  // namespace

Layers::Layers(const Device& device)
    : device_(device),
      parts_(device),
      meetings_(device),
      outward_(device),
      from_(device),
      to_(device),
      v_(device),
      near_(device),
      starts_(device),
      allPresses_(device),
      presses_(device),
      changed_(device),
      share_(device) {}

void Layers::set(const std::vector<Fabric>& fabrics, Span<const Vec3> rest) {
    device_.synchronize();
    if (parts_.setCloths(fabrics, rest)) meetings_.set(parts_);
    meetings_.forget();
}

void Layers::moveSolids(Span<const PlacedCollider> placed) {
    device_.synchronize();
    if (parts_.setSolids(placed)) meetings_.forget();
    for (Buffer<Vec3>* channel : {&from_, &to_, &v_, &outward_}) channel->resize(parts_.points());
    parts_.moveSolids(placed, from_.data(), to_.data(), outward_.data());
}

void Layers::load(const Buffer<Vec3>& before, const Buffer<Vec3>& x, const Buffer<Vec3>& v, float dt) {
    device_.synchronize();
    dt_ = dt;
    const int count = parts_.points();
    for (Buffer<Vec3>* channel : {&from_, &to_, &v_, &outward_}) channel->resize(count);
    std::copy(before.begin(), before.end(), from_.begin());
    std::copy(x.begin(), x.end(), to_.begin());
    std::copy(v.begin(), v.end(), v_.begin());
    for (int i = parts_.clothPoints; i < count; ++i) v_[i] = (to_[i] - from_[i]) / dt;
}

void Layers::listPresses() {
    const int count = meetings_.all().size();
    near_.renew(count);
    allPresses_.renew(count);
    forEach(device_, "measurePresses", count,
            MeasurePresses{meetings_.all().data(),
                           {parts_.sheetOf.data(), parts_.sheets.span(), outward_.data()},
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
}

void Layers::pushApart(const Buffer<Vec3>& before, Buffer<Vec3>& x, Buffer<Vec3>& v, float dt) {
    constexpr int kPasses = 3;
    pushes_.clear();
    load(before, x, v, dt);
    // What is listed serves here, even if some came from elsewhere: they are met when it is seen that none crosses.
    if (!meetings_.searched()) meetings_.find(parts_, from_, to_);
    listPresses();
    const int count = presses_.size();
    if (!count) return;
    // One after another on the CPU, always in the same order: where many lie on each other, each must see what the one
    // before it did.
    const PressApart press{presses_.data(),
                           parts_.sheetOf.data(),
                           parts_.sheets.span(),
                           parts_.inverseMass.data(),
                           from_.data(),
                           to_.data(),
                           v_.data()};
    for (int pass = 0; pass < kPasses; ++pass)
        for (int p = 0; p < count; ++p) takePush(presses_[p].v, presses_[p].w, press(p));
    std::copy(to_.begin(), to_.begin() + parts_.clothPoints, x.begin());
    std::copy(v_.begin(), v_.begin() + parts_.clothPoints, v.begin());
}

// How many ways would cross; which, in hits_.
int Layers::checkWays() {
    const bool all = meetings_.find(parts_, from_, to_) || changed_.empty();
    const int count = meetings_.all().size();
    share_.renew(count);
    forEach(device_, "checkWays", count,
            CheckWays{meetings_.all().data(),
                      {parts_.sheetOf.data(), parts_.sheets.span(), outward_.data()},
                      parts_.inverseMass.data(),
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

// What would cross is held where it would touch: along the line between the two, and as their masses say. What that
// does not help is kept on the two sides of a plane between where they begin.
void Layers::pushBack(bool byPlanes) {
    changed_.resize(from_.size());
    std::fill(changed_.begin(), changed_.end(), 0);
    for (const int hit : hits_) {
        const Meeting& m = meetings_.all()[hit];
        Vec3 x[4], before[4], after[4];
        for (int k = 0; k < 4; ++k) {
            before[k] = from_[m.v[k]];
            after[k] = to_[m.v[k]];
            x[k] = before[k] + share_[hit] * (after[k] - before[k]);
            changed_[m.v[k]] = 1;  // or else needs another look
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
            sum += parts_.inverseMass[m.v[k]] * square(nearest.w[k]);
            most = larger(most, parts_.inverseMass[m.v[k]] * std::fabs(nearest.w[k]));
        }
        sum = larger(sum, kLeast * most);
        const float aim = byPlanes ? 0 : distance;
        const float missing = std::max(aim, 0.5f * std::min(start, m.keep)) - dot(nearest.between(after), n);
        if (!(missing > 0) || !(sum > 0)) continue;
        const Vec3 move = (missing / sum) * n;
        for (int k = 0; k < 4; ++k) to_[m.v[k]] += (parts_.inverseMass[m.v[k]] * nearest.w[k]) * move;
        takePush(m.v, nearest.w, move / dt_);
    }
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
            at += std::fabs(w[k]) * to_[v[k]];
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
        for (const int hit : hits_) {
            const int* v = meetings_.all()[hit].v;
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
            if (sizes[l] == 1 || !(parts_.inverseMass[i] > 0)) continue;
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
        pushBack(pass > 1);
        hits = checkWays();
    }
    if (hits) moveAsOne();
    meetings_.stepEnds();
    for (int i = 0; i < parts_.clothPoints; ++i) {
        if (to_[i] == x[i]) continue;
        v[i] += (to_[i] - x[i]) / dt;
        x[i] = to_[i];
    }
}

}  // namespace purl
