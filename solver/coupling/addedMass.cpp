#include "solver/coupling/addedMass.h"

#include <utility>

#include "solver/boundary/sampleSums.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// A particle within half a spacing of a boundary moves with it entirely; farther away its share decreases with Σ V W.
struct MeasureShares {
    Boundary::View boundary;
    CubicSpline W;
    float full;  // Σ V W at a distance of half a spacing
    BoundaryBinding::View binding;
    Span<const Vec3> x;
    Span<float> shares;

    PURL_HD void operator()(int i) const {
        if (boundary.count(i) == 0) return;
        float sum = 0;
        for (const int *b = boundary.begin(i), *last = boundary.end(i); b != last; ++b)
            sum += boundary.points[*b].volume * W(length(x[i] - boundary.points[*b].x));
        const float scale = sum < full ? 1 / full : 1 / sum;
        for (const int *b = boundary.begin(i), *last = boundary.end(i); b != last; ++b)
            shares[static_cast<int>(b - boundary.indices)] =
                binding.of(*b) ? scale * boundary.points[*b].volume * W(length(x[i] - boundary.points[*b].x)) : 0;
    }
};

// The fluid of a particle that moves with a sample, on its side of the sheet.
struct AddNearby {
    Boundary::View boundary;
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const float> shares;
    Span<const Vec3> normals;  // of samples, from `first` on
    int first;
    Span<const Vec3> x, v;

    PURL_HD void operator()(int i, int entry, NearbyFluid& fluid) const {
        const int b = boundary.indices[entry];
        const float mass = fluids[body[i]].mass * shares[entry];
        (dot(x[i] - boundary.points[b].x, normals[b - first]) > 0 ? fluid.above : fluid.below) += mass;
        fluid.momentum += mass * v[i];
    }
};

// The normal of each sample, from the points that carry it.
struct SampleNormals {
    BoundaryBinding::View binding;
    Span<const Vec3> ofPoints;
    Span<Vec3> normals;
    PURL_HD void operator()(int k) const {
        const PointCarrier& carrier = binding.carriers[k];
        Vec3 sum;
        for (int c = 0; c < 3 && carrier.vertex[c] >= 0; ++c) sum += carrier.share[c] * ofPoints[carrier.vertex[c]];
        normals[k] = sum;
    }
};

struct TakeNearby {
    Span<NearbyFluid> nearby;
    PURL_HD void operator()(int point, float share, const NearbyFluid& fluid) const {
        NearbyFluid& own = nearby[point];
        own.above += share * fluid.above;
        own.below += share * fluid.below;
        own.momentum += share * fluid.momentum;
    }
};

struct ApplyChanges {
    Boundary::View boundary;
    BoundaryBinding::View binding;
    Span<const float> shares;
    Span<const Vec3> changes;
    Span<Vec3> v, vHalf;  // vHalf: may be empty

    PURL_HD void operator()(int i) const {
        Vec3 sum;
        for (const int *b = boundary.begin(i), *last = boundary.end(i); b != last; ++b)
            if (const PointCarrier* carrier = binding.of(*b)) {
                const float share = shares[static_cast<int>(b - boundary.indices)];
                for (int k = 0; k < 3 && carrier->vertex[k] >= 0; ++k)
                    sum += (share * carrier->share[k]) * changes[carrier->vertex[k]];
            }
        v[i] += sum;
        if (vHalf.count) vHalf[i] += sum;
    }
};

}  // namespace

AddedMass::AddedMass(const Device& device)
    : device_(device),
      shares_(device, "addedMass.shares"),
      nearby_(device, "addedMass.nearby"),
      atSamples_(device, "addedMass.atSamples"),
      sampleNormals_(device, "addedMass.sampleNormals") {}

const Buffer<NearbyFluid>& AddedMass::measure(const Particles& particles, const Boundary& boundary,
                                              const BoundaryBinding& binding, const Materials& materials,
                                              const Buffer<Vec3>& normals) {
    nearby_.resize(0);
    nearby_.resize(binding.points());  // all zero
    if (boundary.empty() || binding.empty()) return nearby_;
    shares_.resizeDiscard(boundary.entries());
    const auto full = static_cast<float>(0.5 * shareOfLayers(materials.wallSpline, materials.spacing));
    const Boundary::View view = boundary.view();
    const BoundaryBinding::View bound = binding.view();
    forEach(device_, "addedMassShares", particles.count(),
            MeasureShares{view, materials.wallSpline, full, bound, particles.x.span(), shares_.span()});
    sampleNormals_.resizeDiscard(bound.count);
    forEach(device_, "sampleNormals", bound.count, SampleNormals{bound, normals.span(), sampleNormals_.span()});
    atSamples_.resize(0);
    atSamples_.resize(bound.count);  // all zero
    sumOnSamples(device_, "addedMass", view, boundary.entries(), particles.count(), bound.first, atSamples_.span(),
                 AddNearby{view, materials.fluids.span(), particles.body.span(), std::as_const(shares_).span(),
                           std::as_const(sampleNormals_).span(), bound.first, particles.x.span(), particles.v.span()});
    binding.takeFromSamples("takeNearby", std::as_const(atSamples_).span(), TakeNearby{nearby_.span()});
    return nearby_;
}

void AddedMass::apply(const Buffer<Vec3>& changes, const Boundary& boundary, const BoundaryBinding& binding,
                      Particles& particles) {
    if (boundary.empty() || binding.empty()) return;
    forEach(device_, "applyAddedMass", particles.count(),
            ApplyChanges{boundary.view(), binding.view(), shares_.span(), changes.span(), particles.v.span(),
                         particles.vHalf.span()});
}

}  // namespace purl
