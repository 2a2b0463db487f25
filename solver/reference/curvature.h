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
struct SurfaceNormalsSweep {
    const Float4* points;  // x, V
    Boundary::View boundary;
    bool hasBoundary;
    CubicSpline wallW;
    float wallShare;  // ratio of the fluid kernel's gradient to wallW's
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Float4* n;          // written: unit normals of the surface and |n|, or zero
    Span<Vec3> normal;  // written: unit length

    template <class F>
    struct Own {
        VecOf<F> x;
        Poly6 color;
        bool fromCentroid;
    };
    template <class F>
    struct Sums {
        VecOf<F> apart;
        F near{0.0f};
    };
    PURL_HD static bool hasNormals(const FluidConstants& fluid) {
        return fluid.kind == FluidKind::liquid && fluid.referenceTension != ReferenceTension::none;
    }
    template <class F>
    PURL_HD Own<F> own(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        return {broadcast<F>(Vec3(points[i])), fluid.poly6,
                fluid.referenceTension == ReferenceTension::centroidNormals};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        const VecOf<F> d = own.x - other.xyz();
        const F inside = own.color.inside(dot(d, d));
        const F isNear = select(inside > F(0.0f), F(1.0f), F(0.0f));
        sums.near = sums.near + isNear;
        // n = xᵢ − Σ xⱼ / k   5.6, 5.7; or −∇c = −Σ mⱼ/ρⱼ ∇W   3.25, with a colour of 1 at particles
        const F weight = own.fromCentroid ? isNear : other.w * (inside * inside);
        sums.apart = fma(weight, d, sums.apart);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        n[i] = {};
        if (!hasNormals(fluid)) return;
        const float others = sums.near;
        // Scaled to the length of colour field normals at a flat surface, so that σ has the same meaning in both
        // models.
        Vec3 sum = (fluid.referenceTension == ReferenceTension::centroidNormals ? fluid.centroidScale / (others + 1)
                                                                                : -fluid.poly6.gradient) *
                   vec3(sums.apart);
        // A boundary is not a free surface: its samples complete the neighbourhood.
        if (hasBoundary)
            boundary.forEach(i, [&](Vec3 x, float wallVolume, Vec3, float) {
                const Vec3 d = Vec3(points[i]) - x;
                sum -= (wallShare * wallVolume * wallW.gradientFactor(length(d))) * d;
            });
        // n̂ = n/|n| where |n| > ε, else 0   3.27. An isolated particle has no preferred direction and gets +y.
        const bool isSurface = lengthSquared(sum) >= square(fluid.surfaceThreshold) && lengthSquared(sum) > 0;
        normal[i] = isSurface ? normalized(sum) : others == 0 ? Vec3{0, 1, 0} : Vec3{};
        if (isSurface) n[i] = {normal[i].x, normal[i].y, normal[i].z, length(sum)};
    }
};

struct CurvatureSweep {
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const float> density;
    const Float4* points;  // x, V
    const Float4* n;       // unit normals and |n|; zero where there is no surface
    Span<Vec3> a;

    static constexpr int kMinNeighbors = 6;  // smaller drops have no meaningful curvature

    template <class F>
    struct Own {
        VecOf<F> x, n;
        Poly6 color;
    };
    template <class F>
    struct Sums {
        F spread{0.0f}, unitCurvature{0.0f}, near{0.0f};
    };
    PURL_HD bool includes(int i) const { return n[i].w > 0; }
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(Vec3(points[i])), broadcast<F>(Vec3(n[i])), fluids[body[i]].poly6};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points), normal = j.row(n);
        const VecOf<F> d = own.x - other.xyz();
        const F r2 = dot(d, d), inside = own.color.inside(r2);
        sums.near = sums.near + select(inside > F(0.0f), F(1.0f), F(0.0f));
        // ∇W without its constant factor, for neighbours with a normal
        const F slope = select(normal.w > F(0.0f), other.w * (inside * inside), F(0.0f)), across = dot(d, own.n);
        sums.spread = fma(slope, dot(own.n - normal.xyz(), d), sums.spread);
        sums.unitCurvature = fma(slope, fnma(across, across, r2), sums.unitCurvature);
    }
    // κ = ∇·n̂ = Σⱼ mⱼ/ρⱼ (n̂ⱼ − n̂ᵢ)·∇W over neighbours with a normal (Morris 2000; 3.26 as printed has the opposite
    // sign). Normalized by what the same pairs would give on a surface of curvature 1, because at a surface half of the
    // neighbours are missing.
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        if (sums.near < kMinNeighbors || !(sums.unitCurvature > 0)) return;
        const FluidConstants& fluid = fluids[body[i]];
        const auto directions = static_cast<float>(fluid.dimensions - 1);
        // Drops smaller than h are not resolved: clamp the curvature.
        const float maxCurvature = directions / fluid.spiky.h;
        const float curvature = clamp(directions * sums.spread / sums.unitCurvature, -maxCurvature, maxCurvature);
        // a = −σ/ρ κ n   3.28
        a[i] -= (fluid.surfaceTension / density[i] * curvature * n[i].w) * Vec3(n[i]);
    }
};

// Adds to accelerations and writes normals, for fluids with a normal-based tension model; requires densities, and
// positions with volumes in memory.points.
void applyCurvatureTension(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                           const Materials& materials, LaneMemory& memory);

}  // namespace purl
