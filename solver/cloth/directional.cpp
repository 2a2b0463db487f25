#include "solver/cloth/directional.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "solver/core/hostView.h"

namespace purl {
namespace {

enum class Heading { across, down, diagonal };

constexpr Heading kOrders[][3] = {
    {Heading::across, Heading::down, Heading::diagonal}, {Heading::across, Heading::diagonal, Heading::down},
    {Heading::down, Heading::across, Heading::diagonal}, {Heading::down, Heading::diagonal, Heading::across},
    {Heading::diagonal, Heading::across, Heading::down}, {Heading::diagonal, Heading::down, Heading::across},
};

struct OutgoingSpring {
    int to;
    float rest;
};

// Springs that lead away from each point, by heading.
struct OutgoingSprings {
    std::vector<std::vector<OutgoingSpring>> byHeading[3];

    OutgoingSprings(const Fabric& fabric, Vec3 down) {
        for (auto& heading : byHeading) heading.resize(static_cast<size_t>(fabric.count()));
        for (const Link& link : fabric.topology().links) {
            add(fabric, link, link.a, link.b, down);
            add(fabric, link, link.b, link.a, down);
        }
    }
    void add(const Fabric& fabric, const Link& link, int from, int to, Vec3 down) {
        if (link.family == SpringFamily::bend) return;
        const float descent = dot(fabric.rest(to) - fabric.rest(from), down) / link.rest;
        // Within 30° of horizontal counts as across; shear springs of a horizontal sheet do not lead down.
        constexpr float kMaxLevelDescent = 0.5f, kMinDiagonalDescent = 0.05f;
        Heading heading = Heading::across;
        if (link.family == SpringFamily::shear) {
            if (descent < kMinDiagonalDescent) return;
            heading = Heading::diagonal;
        } else if (descent < -kMaxLevelDescent) {
            return;
        } else if (descent > kMaxLevelDescent) {
            heading = Heading::down;
        }
        byHeading[static_cast<int>(heading)][from].push_back({to, link.rest});
    }
};

bool isPinned(const Fabric& fabric, int i) { return !fabric.isFree(i); }

// Groups of connected pins: points that hang from different groups are pulled in different directions.
std::vector<int> pinGroups(const Fabric& fabric) {
    std::vector<int> group(static_cast<size_t>(fabric.count()), -1);
    for (int i = 0; i < fabric.count(); ++i)
        if (isPinned(fabric, i)) group[i] = i;
    const auto root = [&](int i) {
        while (group[i] != i) i = group[i];
        return i;
    };
    for (const Link& link : fabric.topology().links)
        if (link.family != SpringFamily::bend && isPinned(fabric, link.a) && isPinned(fabric, link.b)) {
            const int a = root(link.a), b = root(link.b);
            group[std::max(a, b)] = std::min(a, b);
        }
    for (int i = 0; i < fabric.count(); ++i)
        if (isPinned(fabric, i)) group[i] = root(i);
    return group;
}

class CorrectionListBuilder {
  public:
    CorrectionListBuilder(const Fabric& fabric, Vec3 down, const CorrectionRules& rules)
        : fabric_(fabric), rules_(rules), outgoing_(fabric, down), group_(pinGroups(fabric)) {
        const auto count = static_cast<size_t>(fabric.count());
        visits_.assign(count, 0);
        result_.depth.assign(count, -1);
        for (int i = 0; i < fabric.count(); ++i)
            if (isPinned(fabric, i)) result_.depth[i] = 0;
        for (int i = 0; i < fabric.count(); ++i) {
            if (!isPinned(fabric, i)) continue;
            queue_.push_back(i);
            if (!rules.simultaneous) spread();
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
            for (const Heading heading : kOrders[static_cast<int>(rules_.order)])
                for (const OutgoingSpring& spring : outgoing_.byHeading[static_cast<int>(heading)][from])
                    expand(from, spring);
        }
    }

    void expand(int from, const OutgoingSpring& spring) {
        const auto to = static_cast<size_t>(spring.to);
        if (isPinned(fabric_, spring.to) || visits_[to] >= rules_.visitLimit) return;
        result_.sequence.push_back({from, spring.to, spring.rest});
        if (visits_[to]++ == 0) {
            group_[to] = group_[from];
            result_.depth[to] = result_.depth[from] + 1;
        } else if (!rules_.requeueEveryVisit) {
            return;
        }
        queue_.push_back(spring.to);
    }

    void findSeams() {
        const auto& links = fabric_.topology().links;
        const bool seams = std::any_of(links.begin(), links.end(), [&](const Link& link) {
            const int a = group_[link.a], b = group_[link.b];
            return link.family != SpringFamily::bend && a >= 0 && b >= 0 && a != b;
        });
        for (size_t k = 0; k < links.size() && seams; ++k)
            result_.fallback.push_back({links[k].a, links[k].b, links[k].rest});
    }

    // A correction depends on earlier ones that wrote what it reads, or read or wrote what it writes.
    void findLevels() {
        std::vector<int> written(visits_.size(), 0), read(visits_.size(), 0), level;
        int levelCount = 0;
        for (const Correction& c : result_.sequence) {
            const auto from = static_cast<size_t>(c.from), to = static_cast<size_t>(c.to);
            const int depth = 1 + std::max({written[from], written[to], read[to]});
            read[from] = std::max(read[from], depth);
            written[to] = depth;
            level.push_back(depth - 1);
            levelCount = std::max(levelCount, depth);
        }
        result_.levels.assign(static_cast<size_t>(levelCount) + 1, 0);
        for (const int l : level) ++result_.levels[static_cast<size_t>(l) + 1];
        for (size_t l = 1; l < result_.levels.size(); ++l) result_.levels[l] += result_.levels[l - 1];
        for (size_t k = 0; k < level.size(); ++k) result_.levelOrder.push_back(static_cast<int>(k));
        std::stable_sort(result_.levelOrder.begin(), result_.levelOrder.end(),
                         [&](int first, int second) { return level[first] < level[second]; });
    }

    const Fabric& fabric_;
    const CorrectionRules& rules_;
    OutgoingSprings outgoing_;
    std::vector<int> group_, visits_;
    std::deque<int> queue_;
    CorrectionList result_;
};

}  // namespace

CorrectionList makeCorrectionList(const Fabric& fabric, Vec3 down, const CorrectionRules& rules) {
    return CorrectionListBuilder(fabric, down, rules).take();
}

int enforce(const std::vector<Correction>& sequence, const Enforcement& options, Span<const float> inverseMass, Vec3* x,
            float threshold) {
    int corrected = 0;
    for (const Correction& c : sequence) {
        const Vec3 s = x[c.to] - x[c.from];
        const float l = length(s), beyond = l - c.rest;
        if (!(l > 0) || std::fabs(beyond) <= threshold * c.rest || (options.stretchedOnly && beyond <= 0)) continue;
        const Vec3 move = (beyond / l) * s;
        const bool fromMoves = inverseMass[c.from] > 0, toMoves = inverseMass[c.to] > 0;
        const float share = !fromMoves ? 1 : !toMoves ? 0 : options.share;
        if (!fromMoves && !toMoves) continue;
        x[c.to] -= share * move;
        if (share < 1) x[c.from] += (1 - share) * move;
        ++corrected;
    }
    return corrected;
}

float Directional::relativeDampingShare(float dt, float gravity, float edge) {
    return edge > 0 ? std::min(0.5f, 2.8f * dt * std::sqrt(gravity / edge)) : 0;
}

const CorrectionList& Directional::listFor(const Fabric& fabric, Vec3 down) {
    const CorrectionRules rules{fabric.params().reference.correctionOrder, fabric.params().visitLimit};
    if (mesh_ != fabric.meshVersion() || rules.order != rules_.order || rules.visitLimit != rules_.visitLimit ||
        !(down == down_))
        cache_.clear();
    mesh_ = fabric.meshVersion();
    rules_ = rules;
    down_ = down;
    std::vector<bool> pinned;
    for (int i = 0; i < fabric.count(); ++i) pinned.push_back(isPinned(fabric, i));
    for (const CachedList& cached : cache_)
        if (cached.pinned == pinned) return cached.list;
    constexpr size_t kMaxCachedLists = 16;  // more sets of pins than this hardly recur
    if (cache_.size() == kMaxCachedLists) cache_.erase(cache_.begin());
    cache_.push_back({pinned, makeCorrectionList(fabric, down, rules)});
    ++listsBuilt_;
    return cache_.back().list;
}

void Directional::dampRelativeMotion(const Fabric& fabric, Vec3 down, float share, Vec3* v) {
    const CorrectionList& list = listFor(fabric, down);
    if (!list.fallback.empty()) return;
    const HostEditor<Vec3> own = editOnHost(fabric.springs.device(), Span<Vec3>{v, fabric.count()});
    for (const Correction& c : list.sequence) own[c.to] -= share * (own[c.to] - own[c.from]);
}

int Directional::apply(const Fabric& fabric, Vec3 down, int passes, Vec3* x) {
    const CorrectionList& list = listFor(fabric, down);
    // The corrections follow one another, on the host.
    const HostReader<float> w = readOnHost(fabric.inverseMass);
    const HostEditor<Vec3> own = editOnHost(fabric.springs.device(), Span<Vec3>{x, fabric.count()});
    if (list.fallback.empty()) return enforce(list.sequence, {}, w.span(), own.data());
    int corrected = 0;
    for (int pass = 0; pass < passes; ++pass) corrected += enforce(list.fallback, {true, 0.5f}, w.span(), own.data());
    return corrected;
}

}  // namespace purl
