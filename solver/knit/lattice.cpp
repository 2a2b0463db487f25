#include "solver/knit/lattice.h"

#include <algorithm>
#include <cmath>

#include "solver/core/error.h"
#include "solver/knit/surfaceMap.h"

namespace purl {
namespace {

constexpr int kSamples = 96;  // samples along u and v for measuring the mesh
constexpr double kMaxStitches = 2e6;

Vec3 positionOf(const MeshBond& bond, const std::vector<Vec3>& points) {
    Vec3 place;
    for (int k = 0; k < 3; ++k) place += bond.weight[k] * points[bond.vertex[k]];
    return place;
}

// Arc-length parametrization: the coordinate, 0 … 1, at the fraction `share` of a path's length. `cumulative`: lengths
// from the start of the path at even steps of the coordinate.
double parameterAtLength(const std::vector<double>& cumulative, double share) {
    const double wanted = share * cumulative.back();
    const auto steps = static_cast<double>(cumulative.size() - 1);
    auto above = std::upper_bound(cumulative.begin() + 1, cumulative.end() - 1, wanted);
    const double before = *(above - 1), after = *above;
    const double within = after > before ? (wanted - before) / (after - before) : 0;
    return (static_cast<double>(above - 1 - cumulative.begin()) + within) / steps;
}

// The mesh between its outlines: s across from 0 to 1, v along.
class Sheet {
  public:
    Sheet(const SurfaceMap& map, const std::vector<Vec3>& rest) : map_(map) {
        for (int j = 0; j <= kSamples; ++j) outlines_.push_back(map.outline(double(j) / kSamples));
        std::vector<Vec3> row, below;
        across_.assign(kSamples + 1, 0);
        along_.assign(kSamples + 1, 0);
        for (int j = 0; j <= kSamples; ++j) {
            row.clear();
            for (int i = 0; i <= kSamples; ++i)
                row.push_back(positionOf(at(double(i) / kSamples, double(j) / kSamples), rest));
            widths_.push_back(0);
            for (size_t i = 0; i < kSamples; ++i) {
                const auto step = double(length(row[i + 1] - row[i]));
                across_[i + 1] += step;
                widths_.back() += step;
            }
            for (size_t i = 0; j > 0 && i <= kSamples; ++i) along_[j] += double(length(row[i] - below[i]));
            below.swap(row);
        }
        for (std::vector<double>* lengths : {&across_, &along_})
            for (size_t i = 1; i < lengths->size(); ++i) {
                (*lengths)[i] = (*lengths)[i - 1] + (*lengths)[i] / (kSamples + 1);
            }
    }

    double width() const { return across_.back(); }  // m, mean over all heights
    // m, of the course at this fraction of the height.
    double width(double along) const {
        const double at = std::clamp(parameterAtLength(along_, along), 0.0, 1.0) * kSamples;
        const auto j = std::min(static_cast<size_t>(at), static_cast<size_t>(kSamples - 1));
        return widths_[j] + (at - double(j)) * (widths_[j + 1] - widths_[j]);
    }
    double height() const { return along_.back(); }
    // Position at these fractions of width and height, measured as lengths.
    MeshBond cut(double across, double along) const {
        return at(map_.closed() ? across : parameterAtLength(across_, across), parameterAtLength(along_, along));
    }

  private:
    MeshBond at(double s, double v) const {
        const double height = std::clamp(v, 0.0, 1.0) * kSamples;
        const auto j = std::min(static_cast<size_t>(height), static_cast<size_t>(kSamples - 1));
        const double t = height - double(j);
        const double begin = outlines_[j].begin + t * (outlines_[j + 1].begin - outlines_[j].begin);
        const double end = outlines_[j].end + t * (outlines_[j + 1].end - outlines_[j].end);
        return map_.at(begin + s * (end - begin), v);
    }

    const SurfaceMap& map_;
    std::vector<SurfaceMap::Range> outlines_;
    std::vector<double> across_, along_;  // m
    std::vector<double> widths_;          // m, at each sampled height
};

KnitLattice layLattice(const Knit& knit, const SurfaceMap& map, const std::vector<Vec3>& rest, const Pattern& pattern) {
    const Sheet sheet(map, rest);
    const double width = double(knit.params.stitchWidth), courses = sheet.height() / double(knit.params.stitchHeight);
    if (!(sheet.width() / width * courses < kMaxStitches))
        throw Error(knit.name + ": the mesh needs more than two million stitches; it measures " +
                    std::to_string(sheet.width()) + " by " + std::to_string(sheet.height()) +
                    " m; increase stitchWidth or stitchHeight, or check the solver's spaceScale");
    const KnitShaping shaping = knit.params.shaping;
    const bool closed = map.closed();
    // A spiral ends one course higher than it starts.
    const int rows = std::max(2, static_cast<int>(std::lround(courses)) - (closed ? 1 : 0));
    std::vector<double> wanted;
    for (int r = 0; r < rows; ++r)
        wanted.push_back(shaping == KnitShaping::stretch ? sheet.width()
                                                         : sheet.width((r + 0.5) / (closed ? rows + 1 : rows)));
    // The pattern of a tube must be periodic, at least where the tube is widest.
    const double widest = *std::max_element(wanted.begin(), wanted.end());
    int maxWales = std::max(2, static_cast<int>(std::lround(widest / width)));
    if (closed) maxWales = std::max(3, pattern.wholeColumns(maxWales));
    if (double(maxWales) * rows > 2 * kMaxStitches)
        throw Error(knit.name + ": its chart makes courses of " + std::to_string(maxWales) + " stitches, " +
                    std::to_string(rows) + " of them; use a narrower chart or a larger stitchHeight");
    for (double& w : wanted) w *= widest > 0 ? maxWales / widest : 1;

    KnitLattice lattice{shapeCourses(wanted, closed, shaping), {}, {}};
    for (const MappedTriangle& triangle : map.triangles())
        lattice.triangles.insert(lattice.triangles.end(), triangle.vertex.begin(), triangle.vertex.end());
    const std::vector<std::vector<double>> spacing = coursePositions(lattice.courses, shaping);
    const auto put = [&](double across, double along) { lattice.bonds.push_back(sheet.cut(across, along)); };
    for (int r = 0; r <= rows; ++r) {
        const std::vector<double>& row = spacing[r];
        for (int c = 0; c < lattice.courses.perRow(r); ++c) {
            const double across = row[c];
            put(across, closed ? (r + across) / (rows + 1) : double(r) / rows);
        }
    }
    if (closed) put(0, 1);
    return lattice;
}

}  // namespace

std::vector<KnitLattice> layLattices(const Knit& knit, const std::vector<Vec3>& rest, const Pattern& pattern) {
    std::vector<KnitLattice> lattices;
    for (const SurfaceMap& map : SurfaceMap::of(knit, rest)) lattices.push_back(layLattice(knit, map, rest, pattern));
    return lattices;
}

}  // namespace purl
