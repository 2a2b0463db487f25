#include "solver/cloth/directional.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace purl {
namespace {

enum class Way { across, down, diagonal };

constexpr Way kOrders[][3] = {
    {Way::across, Way::down, Way::diagonal}, {Way::across, Way::diagonal, Way::down},
    {Way::down, Way::across, Way::diagonal}, {Way::down, Way::diagonal, Way::across},
    {Way::diagonal, Way::across, Way::down}, {Way::diagonal, Way::down, Way::across},
};

struct Arm {
    int to;
    float rest;
};

// Of each point the springs that lead on from it, by their ways.
struct Arms {
    std::vector<std::vector<Arm>> of[3];

    Arms(const Fabric& fabric, Vec3 down) {
        for (auto& way : of) way.resize(static_cast<size_t>(fabric.count()));
        for (const Link& link : fabric.topology().links) {
            add(fabric, link, link.a, link.b, down);
            add(fabric, link, link.b, link.a, down);
        }
    }
    void add(const Fabric& fabric, const Link& link, int from, int to, Vec3 down) {
        if (link.family == SpringFamily::bend) return;
        const float falls = dot(fabric.rest(to) - fabric.rest(from), down) / link.rest;
        // Within 30° of level is across; a shear spring hardly goes down in a sheet that lies.
        constexpr float kLevel = 0.5f, kHardly = 0.05f;
        Way way = Way::across;
        if (link.family == SpringFamily::shear) {
            if (falls < kHardly) return;
            way = Way::diagonal;
        } else if (falls < -kLevel) {
            return;
        } else if (falls > kLevel) {
            way = Way::down;
        }
        of[static_cast<int>(way)][static_cast<size_t>(from)].push_back({to, link.rest});
    }
};

bool isHeld(const Fabric& fabric, int i) { return !(fabric.inverseMass[i] > 0); }

// Which points hang from the same thing: held ones that springs join are one.
std::vector<int> groupsOfHeld(const Fabric& fabric) {
    std::vector<int> group(static_cast<size_t>(fabric.count()), -1);
    for (int i = 0; i < fabric.count(); ++i)
        if (isHeld(fabric, i)) group[static_cast<size_t>(i)] = i;
    const auto root = [&](int i) {
        while (group[static_cast<size_t>(i)] != i) i = group[static_cast<size_t>(i)];
        return i;
    };
    for (const Link& link : fabric.topology().links)
        if (link.family != SpringFamily::bend && isHeld(fabric, link.a) && isHeld(fabric, link.b)) {
            const int a = root(link.a), b = root(link.b);
            group[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
        }
    for (int i = 0; i < fabric.count(); ++i)
        if (isHeld(fabric, i)) group[static_cast<size_t>(i)] = root(i);
    return group;
}

class Maker {
  public:
    Maker(const Fabric& fabric, Vec3 down, const CorrectionRules& rules)
        : fabric_(fabric), rules_(rules), arms_(fabric, down), group_(groupsOfHeld(fabric)) {
        const auto count = static_cast<size_t>(fabric.count());
        visits_.assign(count, 0);
        result_.depth.assign(count, -1);
        for (int i = 0; i < fabric.count(); ++i)
            if (isHeld(fabric, i)) result_.depth[static_cast<size_t>(i)] = 0;
        for (int i = 0; i < fabric.count(); ++i) {
            if (!isHeld(fabric, i)) continue;
            queue_.push_back(i);
            if (!rules.together) spread();
        }
        spread();
        findSeams();
        findLevels();
    }
    CorrectionList take() { return std::move(result_); }

  private:
    void spread() {
        while (!queue_.empty()) {
            const int from = queue_.front();
            queue_.pop_front();
            for (const Way way : kOrders[static_cast<int>(rules_.order)])
                for (const Arm& arm : arms_.of[static_cast<int>(way)][static_cast<size_t>(from)]) expand(from, arm);
        }
    }

    void expand(int from, const Arm& arm) {
        const auto to = static_cast<size_t>(arm.to);
        if (isHeld(fabric_, arm.to) || visits_[to] >= rules_.visitLimit) return;
        result_.walk.push_back({from, arm.to, arm.rest});
        if (visits_[to]++ == 0) {
            group_[to] = group_[static_cast<size_t>(from)];
            result_.depth[to] = result_.depth[static_cast<size_t>(from)] + 1;
        } else if (!rules_.everyVisit) {
            return;
        }
        queue_.push_back(arm.to);
    }

    void findSeams() {
        const auto& links = fabric_.topology().links;
        const bool seams = std::any_of(links.begin(), links.end(), [&](const Link& link) {
            const int a = group_[static_cast<size_t>(link.a)], b = group_[static_cast<size_t>(link.b)];
            return link.family != SpringFamily::bend && a >= 0 && b >= 0 && a != b;
        });
        for (size_t k = 0; k < links.size() && seams; ++k)
            result_.instead.push_back({links[k].a, links[k].b, links[k].rest});
    }

    // A correction waits for those before it that wrote what it reads, or read or wrote what it writes.
    void findLevels() {
        std::vector<int> written(visits_.size(), 0), read(visits_.size(), 0), level;
        int most = 0;
        for (const Correction& c : result_.walk) {
            const auto from = static_cast<size_t>(c.from), to = static_cast<size_t>(c.to);
            const int own = 1 + std::max({written[from], written[to], read[to]});
            read[from] = std::max(read[from], own);
            written[to] = own;
            level.push_back(own - 1);
            most = std::max(most, own);
        }
        result_.levels.assign(static_cast<size_t>(most) + 1, 0);
        for (const int l : level) ++result_.levels[static_cast<size_t>(l) + 1];
        for (size_t l = 1; l < result_.levels.size(); ++l) result_.levels[l] += result_.levels[l - 1];
        for (size_t k = 0; k < level.size(); ++k) result_.levelOrder.push_back(static_cast<int>(k));
        std::stable_sort(result_.levelOrder.begin(), result_.levelOrder.end(), [&](int one, int other) {
            return level[static_cast<size_t>(one)] < level[static_cast<size_t>(other)];
        });
    }

    const Fabric& fabric_;
    const CorrectionRules& rules_;
    Arms arms_;
    std::vector<int> group_, visits_;
    std::deque<int> queue_;
    CorrectionList result_;
};

}  // namespace

CorrectionList correctionsOf(const Fabric& fabric, Vec3 down, const CorrectionRules& rules) {
    return Maker(fabric, down, rules).take();
}

int enforce(const std::vector<Correction>& walk, const Enforcement& how, Span<const float> inverseMass, Vec3* x,
            float threshold) {
    int corrected = 0;
    for (const Correction& c : walk) {
        const Vec3 s = x[c.to] - x[c.from];
        const float l = length(s), beyond = l - c.rest;
        if (!(l > 0) || std::fabs(beyond) <= threshold * c.rest || (how.stretchedOnly && beyond <= 0)) continue;
        const Vec3 move = (beyond / l) * s;
        const bool fromMoves = inverseMass[c.from] > 0, toMoves = inverseMass[c.to] > 0;
        const float share = !fromMoves ? 1 : !toMoves ? 0 : how.share;
        if (!fromMoves && !toMoves) continue;
        x[c.to] -= share * move;
        if (share < 1) x[c.from] += (1 - share) * move;
        ++corrected;
    }
    return corrected;
}

float Directional::steadyShare(float dt, float gravity, float edge) {
    return edge > 0 ? std::min(0.5f, 2.8f * dt * std::sqrt(gravity / edge)) : 0;
}

const CorrectionList& Directional::listFor(const Fabric& fabric, Vec3 down) {
    const CorrectionRules rules{fabric.params().correctionOrder, fabric.params().visitLimit};
    if (mesh_ != fabric.meshVersion() || rules.order != rules_.order || rules.visitLimit != rules_.visitLimit ||
        !(down == down_))
        kept_.clear();
    mesh_ = fabric.meshVersion();
    rules_ = rules;
    down_ = down;
    std::vector<bool> held;
    for (int i = 0; i < fabric.count(); ++i) held.push_back(isHeld(fabric, i));
    for (const Kept& kept : kept_)
        if (kept.held == held) return kept.list;
    constexpr size_t kMostKept = 16;  // beyond, what is held hardly comes again
    if (kept_.size() == kMostKept) kept_.erase(kept_.begin());
    kept_.push_back({held, correctionsOf(fabric, down, rules)});
    ++made_;
    return kept_.back().list;
}

void Directional::steady(const Fabric& fabric, Vec3 down, float share, Vec3* v) {
    const CorrectionList& list = listFor(fabric, down);
    if (!list.instead.empty()) return;
    for (const Correction& c : list.walk) v[c.to] -= share * (v[c.to] - v[c.from]);
}

int Directional::enforceOn(const Fabric& fabric, Vec3 down, int passes, Vec3* x) {
    const CorrectionList& list = listFor(fabric, down);
    const Span<const float> w = fabric.inverseMass.span();
    if (list.instead.empty()) return enforce(list.walk, {}, w, x);
    int corrected = 0;
    for (int pass = 0; pass < passes; ++pass) corrected += enforce(list.instead, {true, 0.5f}, w, x);
    return corrected;
}

}  // namespace purl
