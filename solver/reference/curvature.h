// Surface tension from the curvature ∇·n̂ of surface normals (Morris 2000, Bayraktar 3.26 to 3.28), for fluids with a
// referenceTension. A separate pass, because it needs the neighbours' normals.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// Outward normals n, 1/m: from the colour field's gradient or the neighbours' centroid. Zero inside the fluid, and for
// fluids with other tension models.
struct SurfaceNormals {
    Neighbors::View neighbors;
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline wallW;
    float wallShare;  // ratio of the fluid kernel's gradient to wallW's
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const float> volume;
    Span<Vec3> n, normal;  // output; normal has unit length

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        n[i] = {};
        if (fluid.kind != FluidKind::liquid || fluid.referenceTension == ReferenceTension::none) return;
        const bool fromCentroid = fluid.referenceTension == ReferenceTension::centroidNormals;
        Vec3 sum;
        int near = 1;  // i itself
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            if (r2 >= fluid.poly6.h2) return;
            ++near;
            // n = xᵢ − Σ xⱼ / k   5.6, 5.7; or −∇c = −Σ mⱼ/ρⱼ ∇W   3.25, with a colour of 1 at particles
            sum += fromCentroid ? d : (-volume[j] * fluid.poly6.gradientFactor(r2)) * d;
        });
        finish(i, fluid, sum, near);
    }

    PURL_HD void finish(int i, const FluidConstants& fluid, Vec3 sum, int near) const {
        // Scaled to the length of colour field normals at a flat surface, so that σ has the same meaning in both
        // models.
        if (fluid.referenceTension == ReferenceTension::centroidNormals)
            sum *= fluid.centroidScale / static_cast<float>(near);
        // A boundary is not a free surface: its samples complete the neighbourhood.
        if (hasBoundary)
            boundary.forEach(i, [&](Vec3 x, float wallVolume, Vec3, float) {
                const Vec3 d = neighbors.x[i] - x;
                sum -= (wallShare * wallVolume * wallW.gradientFactor(length(d))) * d;
            });
        // n̂ = n/|n| where |n| > ε, else 0   3.27. An isolated particle has no preferred direction and gets +y.
        const bool isSurface = lengthSquared(sum) >= square(fluid.surfaceThreshold) && lengthSquared(sum) > 0;
        if (isSurface) n[i] = sum;
        normal[i] = isSurface ? normalized(sum) : near == 1 ? Vec3{0, 1, 0} : Vec3{};
    }
};

struct CurvatureTension {
    Neighbors::View neighbors;
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const float> density, volume;
    Span<const Vec3> n;
    Span<Vec3> a;

    static constexpr int kMinNeighbors = 6;  // smaller drops have no meaningful curvature

    // κ = ∇·n̂ = Σⱼ mⱼ/ρⱼ (n̂ⱼ − n̂ᵢ)·∇W over neighbours with a normal (Morris 2000; 3.26 as printed has the opposite
    // sign). Normalized by what the same pairs would give on a surface of curvature 1, because at a surface half of the
    // neighbours are missing.
    PURL_HD float curvature(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 own = normalized(n[i]);
        float spread = 0, unitCurvature = 0;
        int near = 0;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            if (r2 >= fluid.poly6.h2) return;
            ++near;
            if (n[j] == Vec3{}) return;
            const float slope = -volume[j] * fluid.poly6.gradientFactor(r2), across = dot(d, own);
            spread += slope * dot(own - normalized(n[j]), d);
            unitCurvature += slope * (r2 - across * across);
        });
        if (near < kMinNeighbors || !(unitCurvature > 0)) return 0;
        const auto directions = static_cast<float>(fluid.dimensions - 1);
        // Drops smaller than h are not resolved: clamp the curvature.
        const float maxCurvature = directions / fluid.spiky.h;
        return clamp(directions * spread / unitCurvature, -maxCurvature, maxCurvature);
    }

    // a = −σ/ρ κ n   3.28
    PURL_HD void operator()(int i) const {
        if (n[i] == Vec3{}) return;
        a[i] -= (fluids[body[i]].surfaceTension / density[i] * curvature(i)) * n[i];
    }
};

// Adds to accelerations and writes normals, for fluids with a normal-based tension model; requires densities and
// volumes. `n` is scratch memory. `packed`: LaneMemory::points for the vectorized loop, if the scene has one fluid on a
// CPU.
void applyCurvatureTension(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                           const Materials& materials, const Buffer<float>& volume, Buffer<Vec3>& n,
                           const Float4* packed = nullptr);

}  // namespace purl
