// Forces of springs and folds on a cloth's points (Bayraktar 4.2, 4.3), for force-based solvers. Each element is
// evaluated once and each point gathers its share, so that action equals reaction bitwise and the order of summation
// does not depend on the number of threads.
#pragma once
#include "solver/cloth/fabric.h"
#include "solver/core/forEach.h"

namespace purl {

// Upper bounds for solvers that cannot integrate stiffer elements.
struct SpringLimits {
    float maxStiffness = kUnbounded;    // N/m
    float maxDampingTime = kUnbounded;  // s

    PURL_HD float stiffness(float k) const { return k < maxStiffness ? k : maxStiffness; }
    PURL_HD float dampingTime(float t) const { return t < maxDampingTime ? t : maxDampingTime; }
};

// f = −[k (|s| − L) + d (vₐ − v_b)·ŝ] ŝ on a, s = xₐ − x_b
struct SpringForces {
    Span<const Spring> springs;
    const Vec3 *x, *v;
    Vec3* force;  // N, one per element
    SpringLimits limits = {};

    PURL_HD void operator()(int e) const {
        const Spring spring = springs[e];
        const Vec3 s = x[spring.a] - x[spring.b];
        const float l = length(s);
        const Vec3 along = l > 0 ? s / l : Vec3{};
        const float stretchRate = dot(v[spring.a] - v[spring.b], along);
        force[e] = -(limits.stiffness(spring.stiffness) *
                     (l - spring.rest + limits.dampingTime(spring.dampingTime) * stretchRate)) *
                   along;
    }
};

// The same for d = Σ cᵢ xᵢ and its rate; the force on a point is its weight times this.
struct BendForces {
    Span<const Bend> bends;
    const Vec3 *x, *v;
    Vec3* force;
    SpringLimits limits = {};

    PURL_HD void operator()(int e) const {
        const Bend& bend = bends[e];
        Vec3 d, rate;
        for (int k = 0; k < 4; ++k) {
            d += bend.c[k] * x[bend.v[k]];
            rate += bend.c[k] * v[bend.v[k]];
        }
        const float size = length(d);
        const float beyond = size > 0 ? 1 - bend.rest / size : 0;
        force[e] = -limits.stiffness(bend.stiffness) * (beyond * d + limits.dampingTime(bend.dampingTime) * rate);
    }
};

// Sums the element vectors of each point.
struct GatherForces {
    Span<const int> incidenceStarts;
    Span<const Incidence> incidences;
    Span<const Vec3> element;
    Vec3* sum;

    PURL_HD void operator()(int i) const {
        Vec3 total;
        for (int p = incidenceStarts[i]; p < incidenceStarts[i + 1]; ++p)
            total += incidences[p].weight * element[incidences[p].element];
        sum[i] = total;
    }
};

// Computes the internal force on each point, N.
inline void internalForces(const Fabric& fabric, const Vec3* x, const Vec3* v, Buffer<Vec3>& element, Vec3* force,
                           SpringLimits springLimits = {}, SpringLimits bendLimits = {}) {
    const Device& device = fabric.springs.device();
    element.resizeDiscard(fabric.elementCount());
    forEach(device, "springForces", fabric.springs.size(),
            SpringForces{fabric.springs.span(), x, v, element.data(), springLimits});
    forEach(device, "bendForces", fabric.bends.size(),
            BendForces{fabric.bends.span(), x, v, element.data() + fabric.springs.size(), bendLimits});
    forEach(device, "gatherForces", fabric.count(),
            GatherForces{fabric.incidenceStarts.span(), fabric.incidences.span(), element.span(), force});
}

}  // namespace purl
