// Mixing of fluids: colour diffuses between particles (Bayraktar §5.4, after Zhu and Fox 2001). Fluids without
// dispersion neither give nor receive colour.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// dCᵢ/dt = Σⱼ (Dᵢ nᵢ + Dⱼ nⱼ)(Cᵢ − Cⱼ)/(nᵢ nⱼ r²) r·∇W   5.15, with rest volumes for 1/n. The exchange is symmetric, so
// Σ V C is conserved.
struct DisperseSweep {
    CubicSpline W;  // the same for all fluids, so that the exchange is symmetric
    float dt;
    const Float4* points;  // x, m/ρ₀
    const Float4* from;    // colour, D
    Span<float> to;        // three components per particle

    template <class F>
    struct Own {
        VecOf<F> x, color;
        F dispersion;
    };
    template <class F>
    struct Sums {
        VecOf<F> rate;
    };
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(Vec3(points[i])), broadcast<F>(Vec3(from[i])), F(from[i].w)};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points), color = j.row(from);
        const VecOf<F> d = own.x - other.xyz();
        const F weight = (own.dispersion + color.w) * other.w * W.slope(sqrt(dot(d, d)));
        sums.rate = fma(select(color.w > F(0.0f), weight, F(0.0f)), own.color - color.xyz(), sums.rate);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        Vec3 mixed = Vec3(from[i]);
        if (from[i].w > 0) mixed += (dt * W.gradient) * vec3(sums.rate);
        to[3 * i] = mixed.x;
        to[3 * i + 1] = mixed.y;
        to[3 * i + 2] = mixed.z;
    }
};

// Adds or removes per-particle colours as the materials require. New ones start as the fluid's colour.
void takeUpColors(Particles& particles, const Materials& materials);
// Diffuses colours for dt seconds, in as many substeps as stability requires.
void disperse(Particles& particles, const Neighbors& neighbors, const Materials& materials, float dt,
              LaneMemory& memory);

}  // namespace purl
