#include "solver/knit/courses.h"

#include <algorithm>
#include <cmath>

#include "solver/core/error.h"

namespace purl {

Courses::Courses(int courses, int wales, bool closed)
    : Courses(wales, std::vector<std::vector<ShapedStitch>>(static_cast<size_t>(courses)), closed) {}

Courses::Courses(int firstWales, const std::vector<std::vector<ShapedStitch>>& shaped, bool closed)
    : closed_(closed), shaped_(shaped) {
    int wales = firstWales;
    for (const auto& course : shaped_) {
        for (const ShapedStitch& stitch : course) wales += stitch.how == Shaping::made ? 1 : -1;
        wales_.push_back(wales);
    }
    // The bind-off row, and the row of points above it.
    wales_.insert(wales_.end(), 2, wales);
    for (int row = 0; row <= rows(); ++row) {
        if (row < rows()) firstCell_.push_back(firstCell_.back() + wales_[row]);
        firstPoint_.push_back(firstPoint_.back() + perRow(row));
    }
    setTops();
}

bool Courses::anyShaped() const {
    return std::any_of(shaped_.begin(), shaped_.end(), [](const auto& course) { return !course.empty(); });
}

void Courses::setTops() {
    for (int row = 0; row < rows(); ++row) {
        int below = 0;
        const auto connect = [&](int column) {
            tops_.push_back({column, column + 1, column, 0});
            ++below;
        };
        int column = 0;
        const auto connectUpTo = [&](int end) {
            for (; column < end; ++column) connect(column);
        };
        if (row + 1 < count())
            for (const ShapedStitch& stitch : shaped(row + 1)) {
                connectUpTo(stitch.column);
                if (stitch.how == Shaping::joinsRight) {
                    connect(column);
                    tops_.push_back({column + 1, column + 1, column, -1});
                } else if (stitch.how == Shaping::joinsLeft) {
                    tops_.push_back({column, column, column, 1});
                    connect(column);
                }
                below += stitch.how == Shaping::made ? 0 : 1;
                ++column;
            }
        connectUpTo(wales(row + 1));
        PURL_ASSERT(below == wales(row));
    }
}

int Courses::corner(int row, int column, int m) const {
    if (m >= 2) return point(row, m == 2 ? column : column + 1);
    const Top& top = tops_[cell(row, column)];
    return point(row + 1, m == 0 ? top.left : top.right);
}

int Courses::madeBefore(int row, int column) const {
    if (column <= 0 || column >= wales(row)) return -1;
    const int right = tops_[cell(row, column - 1)].right;
    return tops_[cell(row, column)].left > right ? right : -1;
}

std::vector<std::array<int, 3>> Courses::gaps() const {
    std::vector<std::array<int, 3>> gaps;
    for (int row = 0; row + 1 < count(); ++row) {
        if (shaped(row + 1).empty()) continue;
        for (int column = 1; column < wales(row); ++column)
            if (const int made = madeBefore(row, column); made >= 0)
                gaps.push_back({point(row + 1, made + 1), point(row + 1, made), point(row, column)});
    }
    return gaps;
}

namespace {

constexpr double kGoldenRatio = 0.6180339887498949;  // 1/φ, so that increases of nearby courses are not stacked
constexpr int kMaxPerSide = 3;                       // increases or decreases at one side in one course

// Decreases spread over a course of `below` stitches to make it shorter by `fewer`. `phase`, 0 … 1: where they start.
std::vector<ShapedStitch> decreases(int below, int fewer, double phase) {
    std::vector<ShapedStitch> stitches;
    // Not at an end unless there is no other room; two decreases must not share a stitch.
    const int inset = below < 9 ? 0 : 1, room = below - 2 * inset;
    for (int k = 0; k < fewer; ++k) {
        const int first = inset + static_cast<int>((k + phase) * (room - 1) / fewer);  // of the two loops
        stitches.push_back({first - k, 2 * first < below ? Shaping::joinsRight : Shaping::joinsLeft});
    }
    return stitches;
}

std::vector<ShapedStitch> increases(int below, int more, double phase) {
    std::vector<ShapedStitch> stitches;
    for (int k = 0; k < more; ++k) {
        const int between = 1 + static_cast<int>((k + phase) * (below - 1) / more);
        stitches.push_back({between + k, Shaping::made});
    }
    return stitches;
}

// Increases or decreases at the sides: `left` of them at the left side, every other stitch, starting with the second.
std::vector<ShapedStitch> atSides(int below, int change, int left) {
    std::vector<ShapedStitch> stitches;
    const int count = std::abs(change);
    for (int k = 0; k < count; ++k) {
        const bool atLeft = k < left;
        const int inward = atLeft ? k : count - 1 - k;
        if (change < 0) {
            const int first = atLeft ? 1 + 2 * inward : below - 3 - 2 * inward;
            stitches.push_back({first - k, atLeft ? Shaping::joinsRight : Shaping::joinsLeft});
        } else {
            const int between = atLeft ? 1 + inward : below - 1 - inward;
            stitches.push_back({between + k, Shaping::made});
        }
    }
    return stitches;
}

}  // namespace

Courses shapeCourses(const std::vector<double>& wanted, bool closed, KnitShaping shaping) {
    const int least = closed ? 3 : 2;
    const int first = std::max(least, static_cast<int>(std::lround(wanted[0])));
    std::vector<std::vector<ShapedStitch>> shaped(wanted.size());
    int wales = first, times = 0, lastLeft = 0;
    for (size_t row = 1; row < wanted.size(); ++row) {
        // Hysteresis: a difference of less than a stitch changes nothing. Otherwise a width between two stitch counts
        // would alternate between them.
        const double off = wanted[row] - wales;
        if (std::abs(off) < 0.75) continue;
        const bool atTheSides = shaping == KnitShaping::sides;
        const int most = atTheSides ? 2 * kMaxPerSide : wales;
        // Leave two stitches between decreases and one between increases. At the sides, an odd one alternates between
        // left and right.
        const int narrowest = -std::min({most, atTheSides ? (wales - 2) / 4 : wales / 3, wales - least});
        const int widest = std::min(most, (wales - 1) / 2);
        const int change = std::clamp(static_cast<int>(std::lround(off)), narrowest, std::max(0, widest));
        if (change == 0) continue;
        if (atTheSides) {
            const int count = std::abs(change);
            const int left = count % 2 ? count / 2 + (lastLeft = 1 - lastLeft) : count / 2;
            shaped[row] = atSides(wales, change, left);
        } else {
            const double phase = 0.5 + kGoldenRatio * times, share = phase - std::floor(phase);
            shaped[row] = change < 0 ? decreases(wales, -change, share) : increases(wales, change, share);
        }
        ++times;
        wales += change;
    }
    return Courses(first, shaped, closed);
}

std::vector<std::vector<double>> coursePositions(const Courses& courses, KnitShaping shaping) {
    constexpr int kSweeps = 40;  // about the number of stitches over which wales bend; more has no visible effect
    std::vector<std::vector<double>> rows(static_cast<size_t>(courses.rows()));
    for (int row = 0; row < courses.rows(); ++row)
        for (int c = 0; c <= courses.wales(row); ++c) rows[row].push_back(double(c) / courses.wales(row));
    // Side shaping keeps the wales upright.
    if (shaping == KnitShaping::sides || !courses.anyShaped()) return rows;
    // Relaxation: each point moves to the middle of its neighbours in the row, with a small weight towards the points
    // above and below. The weight leaves decreases two thirds of their width.
    constexpr double kUpright = 0.2;
    struct Sum {
        double total = 0;
        int count = 0;
        void add(double value) {
            total += value;
            ++count;
        }
    };
    // For each point of a row, the sum over the points of the row below that it stands on.
    std::vector<Sum> below, next;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        below.assign(rows[0].size(), {});
        for (size_t r = 0; r < rows.size(); ++r) {
            const auto row = static_cast<int>(r);
            std::vector<double>& here = rows[r];
            const bool last = r + 1 == rows.size();
            if (!last) next.assign(rows[r + 1].size(), {});
            for (size_t c = 1; c + 1 < here.size(); ++c) {
                // A point has two points above it where a stitch is made between them, else one.
                size_t tops[2] = {};
                Sum upright = below[c];
                for (int side = 0; !last && side < 2; ++side) {
                    const int top = courses.corner(row, static_cast<int>(c) - 1 + side, side == 0 ? 1 : 0);
                    tops[side] = static_cast<size_t>(top - courses.point(row + 1, 0));
                    upright.add(rows[r + 1][tops[side]]);
                }
                const double beside = 0.5 * (here[c - 1] + here[c + 1]), above = upright.total / upright.count;
                here[c] = beside + kUpright * (above - beside);
                for (int side = 0; !last && side < 2; ++side) next[tops[side]].add(here[c]);
            }
            below.swap(next);
        }
    }
    return rows;
}

}  // namespace purl
