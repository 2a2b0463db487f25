#include "solver/knit/path.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace purl {
namespace {

// The cell that holds the head of a loop; row -1: none.
struct Head {
    int row = -1, column = 0;
    int stack = 0;        // number of loops already held by the same cell
    int carried = 0;      // columns to the right
    bool inFront = true;  // of other carried loops
};

// A live loop on the needle: the course where it was made (-1: cast-on), and how far it was carried since.
struct Loop {
    int course, wale;
    int carried = 0;
    bool inFront = true;
};

// Displacement of a cell's points by nearby cable crossings.
struct Drift {
    float across = 0;  // columns to the right
    float depth = 0;

    void operator+=(const Drift& other) {
        across += other.across;
        depth += other.depth;
    }
    bool operator==(const Drift& other) const { return across == other.across && depth == other.depth; }
};

class YarnRouter {
  public:
    YarnRouter(const Courses& courses, const std::vector<PatternStitch>& stitches, bool edges)
        : courses_(courses), stitches_(stitches), edges_(edges) {
        assignHeads();
        computeDrift();
    }

    std::vector<YarnPath> route() {
        int yarns = 0;
        for (const PatternStitch& stitch : stitches_) yarns = std::max(yarns, stitch.yarn + 1);
        std::vector<YarnPath> paths;
        for (int yarn = 0; yarn < yarns; ++yarn) {
            YarnPath path{yarn, {}};
            // The yarn of the first course is cast on; the yarn of the last course binds off.
            const bool castsOn = edges_ && at(0, 0).yarn == yarn;
            const bool bindsOff = edges_ && at(last(), courses_.wales(last()) - 1).yarn == yarn;
            bool rightwards = true;
            const auto take = [&](std::vector<YarnPoint> course) {
                if (!rightwards) std::reverse(course.begin(), course.end());
                // Flat knitting turns at the edge; circular knitting continues.
                rightwards = courses_.closed() || !rightwards;
                // On a tube a course ends where the next begins.
                if (courses_.closed() && !path.points.empty() && path.points.back().course >= 0 &&
                    path.points.back().course + 1 == course.front().course)
                    path.points.pop_back();
                path.points.insert(path.points.end(), course.begin(), course.end());
            };
            if (castsOn) {
                rightwards = courses_.closed();
                take(castOn());
            }
            for (int row = 0; row < courses_.count(); ++row)
                if (usesYarn(row, yarn)) take(course(row, yarn));
            if (bindsOff) take(bindOff());
            if (path.points.size() > 1) paths.push_back(std::move(path));
        }
        return paths;
    }

  private:
    int last() const { return courses_.count() - 1; }
    size_t index(int row, int column) const { return static_cast<size_t>(courses_.cell(row, column)); }
    const PatternStitch& at(int row, int column) const { return stitches_[index(row, column)]; }
    // The cast-on row (course -1) has as many loops as the first course.
    size_t indexOfHead(int course, int wale) const {
        return course < 0 ? static_cast<size_t>(wale) : index(course, wale) + static_cast<size_t>(courses_.wales(0));
    }
    Head& head(const Loop& loop) { return heads_[indexOfHead(loop.course, loop.wale)]; }
    const Head& head(int row, int column) const { return heads_[indexOfHead(row, column)]; }
    bool usesYarn(int row, int yarn) const {
        for (int c = 0; c < courses_.wales(row); ++c)
            if (at(row, c).yarn == yarn) return true;
        return false;
    }
    const Stitch& stitchAt(int row, int column) const {
        return stitchOf(row < courses_.count() ? at(row, column).kind : StitchKind::bindOff);
    }

    // Simulates the knitting to find the cell that holds the head of each loop.
    void assignHeads() {
        heads_.assign(indexOfHead(courses_.count(), 0), {});
        std::vector<std::vector<Loop>> needles(static_cast<size_t>(courses_.wales(0))), carried;
        for (int c = 0; edges_ && c < courses_.wales(0); ++c) needles[c].push_back({-1, c});
        const auto take = [&](std::vector<Loop>& loops, int row, int column) {
            // The loop of the same column lies in front of those carried from the side.
            std::stable_sort(loops.begin(), loops.end(),
                             [](const Loop& a, const Loop& b) { return std::abs(a.carried) < std::abs(b.carried); });
            int stack = 0;
            for (const Loop& loop : loops) head(loop) = {row, column, stack++, loop.carried, loop.inFront};
            loops.clear();
        };
        for (int row = 0; row < courses_.count(); ++row) {
            const int wales = courses_.wales(row);
            if (!courses_.shaped(row).empty()) {
                carried.assign(static_cast<size_t>(wales), {});
                for (int c = 0; c < courses_.wales(row - 1); ++c)
                    for (Loop loop : needles[c]) {
                        loop.carried += courses_.carried(row - 1, c);
                        carried[courses_.above(row - 1, c)].push_back(loop);
                    }
                needles.swap(carried);
            }
            carried.assign(static_cast<size_t>(wales), {});
            for (int c = 0; c < wales; ++c) {
                const PatternStitch& stitch = at(row, c);
                int to = c + stitch.shift;
                if (stitch.drops) continue;
                // A decrease on either side takes this loop too.
                if (stitch.shift == 0 && c > 0 && stitchOf(at(row, c - 1).kind).lean == 1) to = c - 1;
                if (stitch.shift == 0 && c + 1 < wales && stitchOf(at(row, c + 1).kind).lean == -1) to = c + 1;
                if (to < 0 || to >= wales) to = c;
                for (Loop loop : needles[c]) {
                    loop.carried += to - c;
                    loop.inFront = stitch.inFront;
                    carried[to].push_back(loop);
                }
            }
            needles.swap(carried);
            for (int c = 0; c < wales; ++c) {
                std::vector<Loop>& needle = needles[c];
                const Stitch& stitch = stitchAt(row, c);
                if (stitch.holds) take(needle, row, c);
                if (stitch.loops) needle.push_back({row, c});
            }
        }
        for (int c = 0; c < courses_.wales(last()); ++c) take(needles[c], courses_.count(), c);
    }

    // The courses before and after a crossing lean towards it, and the strands in front bulge: a single course could
    // not bridge the distance.
    void computeDrift() {
        drifts_.assign(static_cast<size_t>(courses_.cells()), {});
        constexpr float kAcross[] = {0.3f, 0.14f, 0.05f}, kDepth[] = {0.5f, 0.3f, 0.1f};
        for (int row = 0; row < courses_.count(); ++row)
            for (int c = 0; c < courses_.wales(row); ++c) {
                const PatternStitch& stitch = at(row, c);
                if (stitch.kind != StitchKind::cable || stitch.shift == 0) continue;
                const auto shift = static_cast<float>(stitch.shift);
                int before = c, after = c + stitch.shift;  // columns in those courses
                for (int k = 0; k < 3; ++k) {
                    const Drift lean{kAcross[k] * shift, stitch.inFront ? -kDepth[k] : kDepth[k]};
                    if (before >= 0 && row - 1 - k >= 0) before = columnBelow(row - 1 - k, before);
                    if (before >= 0 && row - 1 - k >= 0) drifts_[index(row - 1 - k, before)] += lean;
                    if (k > 0 && row + k < courses_.rows()) after = courses_.above(row + k - 1, after);
                    if (row + k < courses_.rows()) drifts_[index(row + k, after)] += {-lean.across, lean.depth};
                }
            }
    }
    // The column of a row below a column of the next row; -1 if that stitch is an increase.
    int columnBelow(int row, int column) const {
        if (row + 1 >= courses_.count() || courses_.shaped(row + 1).empty()) return column;
        for (int c = 0; c < courses_.wales(row); ++c)
            if (courses_.above(row, c) == column && courses_.carried(row, c) == 0) return c;
        return -1;
    }
    // Appends a point to the current course.
    void put(int row, int column, BondingPoint bond, int course, int wale) {
        const Drift& computeDrift = drifts_[index(row, column)];
        if (computeDrift.across != 0 || computeDrift.depth != 0) {
            const float across = static_cast<float>(column) + bond.u() + computeDrift.across;
            column = std::clamp(static_cast<int>(std::floor(across)), 0, courses_.wales(row) - 1);
            bond = bondAt(across - static_cast<float>(column), bond.v(), bond.depth + computeDrift.depth);
        }
        course_.push_back({row, column, bond, course, wale});
    }

    // The point where a stitch begins, which is also the end of its left neighbour if that is a loop of the same yarn.
    void putCorner(int row, int c, bool looped) {
        BondingPoint corner = stitchAt(row, c).t[kCorner];
        if (looped) {
            const BondingPoint& end = stitchAt(row, c - 1).t[kEnd];
            if (drifts_[index(row, c)] == drifts_[index(row, c - 1)])
                corner.depth = 0.5f * (corner.depth + end.depth);  // a knit and a purl meet halfway
            else
                put(row, c - 1, end, row, c - 1);  // the cable pulls them apart
        }
        put(row, c, corner, row, c);
    }

    // An increase: the yarn between a stitch and its left neighbour is lifted, so that a new stitch of the next course
    // hangs in it. A small loop, up one side of the gap and down the other.
    void putIncrease(int row, int c, int made) {
        const Stitch& stitch = stitchAt(row + 1, made);
        // Rises from the depth of the stitches below to the depth of the new stitch's head.
        const auto rise = [&](int column, bool left, float v, float share) {
            const Stitch& below = stitchAt(row, column);
            const float depth = lerp(below.t[left ? kEnd : kCorner].depth, stitch.t[kHead[0]].depth, share);
            put(row, column, bondAt(left ? 1 - 0.1f * (1 - v) : 0.1f * (1 - v), v, depth), row, column);
        };
        rise(c - 1, true, 0.1f, 0.2f);
        rise(c - 1, true, 0.6f, 0.6f);
        for (size_t k = 0; k < kHead.size(); ++k)
            put(row + 1, made, stitch.t[kHead[k]], row, 2 * k < kHead.size() ? c - 1 : c);
        rise(c, false, 0.6f, 0.6f);
        rise(c, false, 0.1f, 0.2f);
    }

    // The head of a loop in the cell that holds it. Heads in the same cell are stacked in depth and lean towards where
    // they come from.
    void putHead(const Head& head, int course, int wale) {
        if (head.row < 0) return;
        const Stitch& stitch = stitchAt(head.row, head.column);
        const float away = stitch.t[1].depth < 0.5f ? -0.5f : 0.5f;
        for (const int t : kHead) {
            BondingPoint bond = stitch.t[t];
            if (head.stack > 0) {
                const auto stack = static_cast<float>(head.stack);
                const float lean = head.carried > 0 ? -0.12f : head.carried < 0 ? 0.12f : 0.0f;
                const float rise = t == 1 || t == 2 ? 0.1f * stack : 0.0f;
                bond = bondAt(bond.u() + lean, bond.v() + rise, bond.depth + away * stack);
            }
            put(head.row, head.column, bond, course, wale);
        }
    }
    // A carried loop passes in front of or behind the others.
    void putCrossing(const Head& head, int row, int column, float u) {
        if (std::abs(head.carried) < 2 && head.stack > 0) return;
        if (head.carried == 0) return;
        const float across = static_cast<float>(column) + u + 0.5f * static_cast<float>(head.carried);
        const int cell = std::clamp(static_cast<int>(std::floor(across)), 0, courses_.wales(row) - 1);
        course_.push_back(
            {row, cell, bondAt(across - static_cast<float>(cell), 0.7f, head.inFront ? -0.7f : 1.7f), row, column});
    }

    std::vector<YarnPoint> castOn() {
        for (int c = 0; c < courses_.wales(0); ++c) {
            // Before, after and between the loops, the cast-on yarn dips below the first course.
            if (c == 0) put(0, c, bondAt(0, -0.15f, 0.5f), -1, c);
            putHead(head(-1, c), -1, c);
            put(0, c, bondAt(1, -0.15f, 0.5f), -1, c);
        }
        return std::exchange(course_, {});
    }

    std::vector<YarnPoint> bindOff() {
        const int row = courses_.count(), wales = courses_.wales(row);
        const Stitch& stitch = stitchOf(StitchKind::bindOff);
        for (int c = 0; c < wales; ++c) {
            putCorner(row, c, c > 0);
            for (const int t : kUp) put(row, c, stitch.t[t], row, c);
            for (const int t : kDown) put(row, c, stitch.t[t], row, c);
        }
        put(row, wales - 1, stitch.t[kEnd], row, wales - 1);
        return std::exchange(course_, {});
    }

    std::vector<YarnPoint> course(int row, int yarn) {
        const int wales = courses_.wales(row);
        const auto loopsHere = [&](int c) { return at(row, c).yarn == yarn && stitchAt(row, c).loops; };
        for (int c = 0; c < wales; ++c) {
            const Stitch& stitch = stitchAt(row, c);
            const bool loops = loopsHere(c), looped = c > 0 && loopsHere(c - 1);
            const bool crossed = c > 0 && at(row, c).yarn != at(row, c - 1).yarn;
            if (loops && crossed)
                put(row, c, bondAt(0, 0, 1.6f), row, c);  // from behind the yarn that ends here
            else if (looped && crossed)
                put(row, c, bondAt(0, 0.16f, 1.1f), row, c);
            else if (const int made = courses_.madeBefore(row, c); made >= 0 && loops && looped)
                putIncrease(row, c, made);
            else if (loops || looped || c == 0)
                putCorner(row, c, looped);
            if (!loops) {
                put(row, c, bondAt(0.5f, 0.1f, 1.45f), row, c);
                continue;
            }
            const Head& held = head(row, c);
            for (const int t : kUp) {
                // An unheld loop has only its feet.
                if (held.row < 0 && t == kUp[1]) continue;
                put(row, c, stitch.t[t], row, c);
            }
            putCrossing(held, row, c, stitch.t[kHead[0]].u());
            putHead(held, row, c);
            putCrossing(held, row, c, stitch.t[kHead[3]].u());
            for (const int t : kDown) {
                if (held.row < 0 && t == kDown[0]) continue;
                put(row, c, stitch.t[t], row, c);
            }
        }
        put(row, wales - 1, stitchAt(row, wales - 1).t[kEnd], row, wales - 1);
        return std::exchange(course_, {});
    }

    const Courses& courses_;
    const std::vector<PatternStitch>& stitches_;
    bool edges_;
    std::vector<Drift> drifts_;  // of each cell
    std::vector<Head> heads_;    // of each loop, the cast-on row first
    std::vector<YarnPoint> course_;
};

}  // namespace

std::vector<YarnPath> routeYarns(const Courses& courses, const std::vector<PatternStitch>& stitches, bool edges) {
    return YarnRouter(courses, stitches, edges).route();
}

}  // namespace purl
