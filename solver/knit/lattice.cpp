#include "solver/knit/lattice.h"

#include <algorithm>
#include <cmath>

#include "solver/core/error.h"
#include "solver/knit/surfaceMap.h"

namespace purl {
namespace {

constexpr int kSamples = 96;  // along u and along v, to measure the mesh with
constexpr double kMostStitches = 2e6;

Vec3 placeOf(const MeshBond& bond, const std::vector<Vec3>& points) {
    Vec3 place;
    for (int k = 0; k < 3; ++k) place += bond.weight[k] * points[static_cast<size_t>(bond.vertex[k])];
    return place;
}

// A way cut where lengths on it are equal: `cumulative` are lengths from its beginning at even steps of a coordinate
// from 0 to 1, `share` is of the whole length.
double cutAt(const std::vector<double>& cumulative, double share) {
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
                row.push_back(placeOf(at(double(i) / kSamples, double(j) / kSamples), rest));
            for (size_t i = 0; i < kSamples; ++i) across_[i + 1] += double(length(row[i + 1] - row[i]));
            for (size_t i = 0; j > 0 && i <= kSamples; ++i)
                along_[static_cast<size_t>(j)] += double(length(row[i] - below[i]));
            below.swap(row);
        }
        for (std::vector<double>* lengths : {&across_, &along_})
            for (size_t i = 1; i < lengths->size(); ++i) {
                (*lengths)[i] = (*lengths)[i - 1] + (*lengths)[i] / (kSamples + 1);
            }
    }

    double width() const { return across_.back(); }  // m, the mean of all heights
    double height() const { return along_.back(); }
    // Shares of the width and height, as lengths.
    MeshBond cut(double across, double along) const {
        return at(map_.closed() ? across : cutAt(across_, across), cutAt(along_, along));
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
};

Lattice layLattice(const Knit& knit, const SurfaceMap& map, const std::vector<Vec3>& rest, const Pattern& pattern) {
    const Sheet sheet(map, rest);
    const double wales = sheet.width() / double(knit.params.stitchWidth);
    const double courses = sheet.height() / double(knit.params.stitchHeight);
    if (!(wales * courses < kMostStitches))
        throw Error(knit.name + ": stitches of this size would be more than two million on a mesh of " +
                    std::to_string(sheet.width()) + " by " + std::to_string(sheet.height()) +
                    " m; a larger stitchWidth or stitchHeight helps, or the solver's spaceScale");
    Lattice lattice;
    LatticeSize& size = lattice.size;
    size.closed = map.closed();
    size.wales = std::max(2, static_cast<int>(std::lround(wales)));
    // A tube's pattern has to meet itself.
    if (size.closed) size.wales = std::max(3, pattern.wholeColumns(size.wales));
    // A spiral ends one course higher than it began.
    size.courses = std::max(2, static_cast<int>(std::lround(courses)) - (size.closed ? 1 : 0));

    const auto put = [&](double across, double along) { lattice.bonds.push_back(sheet.cut(across, along)); };
    if (size.closed)
        for (int n = 0; n <= (size.courses + 1) * size.wales; ++n)
            put(double(n % size.wales) / size.wales, double(n) / size.wales / (size.courses + 1));
    else
        for (int r = 0; r <= size.courses; ++r)
            for (int c = 0; c <= size.wales; ++c) put(double(c) / size.wales, double(r) / size.courses);

    return lattice;
}

}  // namespace

std::vector<Lattice> layLattices(const Knit& knit, const std::vector<Vec3>& rest, const Pattern& pattern) {
    std::vector<Lattice> lattices;
    for (const SurfaceMap& map : SurfaceMap::of(knit, rest)) lattices.push_back(layLattice(knit, map, rest, pattern));
    return lattices;
}

}  // namespace purl
