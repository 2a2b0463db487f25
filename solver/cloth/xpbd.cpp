#include "solver/cloth/xpbd.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

// Δλ = (−C − α̃ λ − γ ∇C·(x − xₙ)) / ((1 + γ) Σ w |∇C|² + α̃),  x += w ∇C Δλ   Macklin 2016, eq. 26; with α̃ = 1/(k
// Δt²) and damping d = dampingTime · k:  γ = dampingTime/Δt
struct ProjectSprings {
    Span<const Spring> springs;
    int first;  // first element of the colour
    Span<const float> w;
    float inverseStep2, inverseStep;  // 1/s², 1/s
    const Vec3* xBefore;
    Vec3* x;
    Span<float> lambda;

    PURL_HD void operator()(int i) const {
        const int e = first + i;
        const Spring spring = springs[e];
        const float wa = w[spring.a], wb = w[spring.b];
        const Vec3 s = x[spring.a] - x[spring.b];
        const float l = length(s), alpha = inverseStep2 / spring.stiffness, gamma = spring.dampingTime * inverseStep;
        if (!(l > 0) || !(wa + wb > 0)) return;
        const Vec3 along = s / l;
        const float moved = dot(s - (xBefore[spring.a] - xBefore[spring.b]), along);
        const float delta = (spring.rest - l - alpha * lambda[e] - gamma * moved) / ((1 + gamma) * (wa + wb) + alpha);
        lambda[e] += delta;
        x[spring.a] += (wa * delta) * along;
        x[spring.b] -= (wb * delta) * along;
    }
};

// The same for the vector constraint C = d (1 − r/|d|).
struct ProjectBends {
    Span<const Bend> bends;
    int first;
    Span<const float> w;
    float inverseStep2, inverseStep;
    const Vec3* xBefore;
    Vec3* x;
    Span<Vec3> lambda;

    PURL_HD void operator()(int i) const {
        const int e = first + i;
        const Bend& bend = bends[e];
        Vec3 d, moved;
        float weight = 0;
        for (int k = 0; k < 4; ++k) {
            d += bend.c[k] * x[bend.v[k]];
            moved += bend.c[k] * (x[bend.v[k]] - xBefore[bend.v[k]]);
            weight += square(bend.c[k]) * w[bend.v[k]];
        }
        if (!(weight > 0)) return;
        const float size = length(d), alpha = inverseStep2 / bend.stiffness, gamma = bend.dampingTime * inverseStep;
        const float beyond = size > 0 ? 1 - bend.rest / size : 0;
        const Vec3 delta = (-1 / ((1 + gamma) * weight + alpha)) * (beyond * d + alpha * lambda[e] + gamma * moved);
        lambda[e] += delta;
        for (int k = 0; k < 4; ++k)
            if (bend.c[k] != 0) x[bend.v[k]] += (bend.c[k] * w[bend.v[k]]) * delta;
    }
};

template <class T>
void clear(Buffer<T>& buffer, int count) {
    buffer.resize(0);
    buffer.resize(count);
}

}  // namespace

Xpbd::Xpbd(const Device& device) : springLambda_(device), bendLambda_(device), lanes_(device) {}

void Xpbd::solveScalar(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    const Device& device = fabric.springs.device();
    clear(springLambda_, fabric.springs.size());
    clear(bendLambda_, fabric.bends.size());
    const float inverseStep = 1 / dt, inverseStep2 = inverseStep * inverseStep;
    const auto projectBends = [&](int c) {
        const int first = fabric.bendColors.begin(c), end = fabric.bendColors.end(c);
        forEach(device, "projectBends", end - first,
                ProjectBends{fabric.bends.span(), first, fabric.inverseMass.span(), inverseStep2, inverseStep, xBefore,
                             x, bendLambda_.span()});
    };
    const auto projectSprings = [&](int c) {
        const int first = fabric.springColors.begin(c), end = fabric.springColors.end(c);
        forEach(device, "projectSprings", end - first,
                ProjectSprings{fabric.springs.span(), first, fabric.inverseMass.span(), inverseStep2, inverseStep,
                               xBefore, x, springLambda_.span()});
    };
    // Strip interiors first, then what crosses cuts, as in the parallel version.
    const int bendsWithin = fabric.bendColors.interiorColors, springsWithin = fabric.springColors.interiorColors;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        for (int c = 0; c < bendsWithin; ++c) projectBends(c);
        for (int c = 0; c < springsWithin; ++c) projectSprings(c);
        for (int c = bendsWithin; c < fabric.bendColors.count(); ++c) projectBends(c);
        for (int c = springsWithin; c < fabric.springColors.count(); ++c) projectSprings(c);
    }
}

void Xpbd::solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    if (kHasLanes && fabric.springs.device().isCpu())
        lanes_.solve(fabric, dt, iterations, xBefore, x);
    else
        solveScalar(fabric, dt, iterations, xBefore, x);
}

}  // namespace purl
