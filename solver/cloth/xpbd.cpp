#include "solver/cloth/xpbd.h"

#include <utility>

#include "solver/core/forEach.h"
#include "solver/core/phases.h"

namespace purl {
namespace {

// Δλ = (−C − α̃ λ − γ ∇C·(x − xₙ)) / ((1 + γ) Σ w |∇C|² + α̃),  x += w ∇C Δλ   Macklin 2016, eq. 26; with α̃ = 1/(k Δt²)
// and damping of d = lag · k:  γ = lag/Δt
struct ProjectSprings {
    Span<const Spring> springs;
    int first;  // of the colour
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
        const float l = length(s), alpha = inverseStep2 / spring.stiffness, gamma = spring.lag * inverseStep;
        if (!(l > 0) || !(wa + wb > 0)) return;
        const Vec3 along = s / l;
        const float moved = dot(s - (xBefore[spring.a] - xBefore[spring.b]), along);
        const float delta = (spring.rest - l - alpha * lambda[e] - gamma * moved) / ((1 + gamma) * (wa + wb) + alpha);
        lambda[e] += delta;
        x[spring.a] += (wa * delta) * along;
        x[spring.b] -= (wb * delta) * along;
    }
};

// The same for C = d (1 − r/|d|), a vector.
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
        const float size = length(d), alpha = inverseStep2 / bend.stiffness, gamma = bend.lag * inverseStep;
        const float beyond = size > 0 ? 1 - bend.rest / size : 0;
        const Vec3 delta = (-1 / ((1 + gamma) * weight + alpha)) * (beyond * d + alpha * lambda[e] + gamma * moved);
        lambda[e] += delta;
        for (int k = 0; k < 4; ++k)
            if (bend.c[k] != 0) x[bend.v[k]] += (bend.c[k] * w[bend.v[k]]) * delta;
    }
};

// Into one load each.
struct PackPoints {
    Span<const float> w;
    const Vec3 *x, *xBefore;
    Span<Float4> points, before;
    PURL_HD void operator()(int i) const {
        points[i] = {x[i].x, x[i].y, x[i].z, w[i]};
        before[i] = {xBefore[i].x, xBefore[i].y, xBefore[i].z, 0};
    }
};
struct UnpackPoints {
    Span<const Float4> points;
    Vec3* x;
    PURL_HD void operator()(int i) const { x[i] = {points[i].x, points[i].y, points[i].z}; }
};

template <class T>
void clear(Buffer<T>& buffer, int count) {
    buffer.resize(0);
    buffer.resize(count);
}

}  // namespace

Xpbd::Xpbd(const Device& device)
    : springForce_(device),
      bendForce_(device),
      springBlocks_(device),
      bendBlocks_(device),
      springForces_(device),
      bendForces_(device),
      points_(device),
      before_(device) {}

void Xpbd::solvePlain(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    const Device& device = fabric.springs.device();
    clear(springForce_, fabric.springs.size());
    clear(bendForce_, fabric.bends.size());
    const float inverseStep = 1 / dt, inverseStep2 = inverseStep * inverseStep;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        for (int c = 0; c < fabric.bendColors.count(); ++c) {
            const int first = fabric.bendColors.starts[static_cast<size_t>(c)];
            const int end = fabric.bendColors.starts[static_cast<size_t>(c) + 1];
            forEach(device, "projectBends", end - first,
                    ProjectBends{fabric.bends.span(), first, fabric.inverseMass.span(), inverseStep2, inverseStep,
                                 xBefore, x, bendForce_.span()});
        }
        for (int c = 0; c < fabric.springColors.count(); ++c) {
            const int first = fabric.springColors.starts[static_cast<size_t>(c)];
            const int end = fabric.springColors.starts[static_cast<size_t>(c) + 1];
            forEach(device, "projectSprings", end - first,
                    ProjectSprings{fabric.springs.span(), first, fabric.inverseMass.span(), inverseStep2, inverseStep,
                                   xBefore, x, springForce_.span()});
        }
    }
}

void Xpbd::solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    if (kHasLanes && !fabric.springs.device().isCuda())
        solveTuned(fabric, dt, iterations, xBefore, x);
    else
        solvePlain(fabric, dt, iterations, xBefore, x);
}

#ifdef __AVX2__

namespace {

struct ProjectSpringBlock {
    const SpringBlock* blocks;
    float inverseStep2, gamma;
    const Float4* before;
    Float4* points;
    float* lambda;  // eight a block

    void operator()(int block) const {
        const SpringBlock& spring = blocks[block];
        Lanes4 a = loadLanes(points, spring.a), b = loadLanes(points, spring.b);
        const __m256 dx = _mm256_sub_ps(a.x, b.x), dy = _mm256_sub_ps(a.y, b.y), dz = _mm256_sub_ps(a.z, b.z);
        const __m256 l2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
        const __m256 l = _mm256_sqrt_ps(l2);
        // Ends in one place have no direction; they stay.
        const __m256 perLength = _mm256_div_ps(_mm256_set1_ps(1), _mm256_max_ps(l, _mm256_set1_ps(1e-30f)));
        const __m256 alpha = _mm256_mul_ps(_mm256_load_ps(spring.compliance), _mm256_set1_ps(inverseStep2));
        const __m256 force = _mm256_load_ps(lambda + 8 * block);
        __m256 error = _mm256_fnmadd_ps(alpha, force, _mm256_sub_ps(_mm256_load_ps(spring.rest), l));
        if (gamma > 0) {
            const Lanes4 p = loadLanes(before, spring.a), q = loadLanes(before, spring.b);
            const __m256 mx = _mm256_sub_ps(dx, _mm256_sub_ps(p.x, q.x)),
                         my = _mm256_sub_ps(dy, _mm256_sub_ps(p.y, q.y)),
                         mz = _mm256_sub_ps(dz, _mm256_sub_ps(p.z, q.z));
            const __m256 moved =
                _mm256_mul_ps(perLength, _mm256_fmadd_ps(mz, dz, _mm256_fmadd_ps(my, dy, _mm256_mul_ps(mx, dx))));
            error = _mm256_fnmadd_ps(_mm256_set1_ps(gamma), moved, error);
        }
        const __m256 weight = _mm256_fmadd_ps(_mm256_set1_ps(1 + gamma), _mm256_add_ps(a.w, b.w), alpha);
        const __m256 delta = _mm256_div_ps(error, weight);
        _mm256_store_ps(lambda + 8 * block, _mm256_add_ps(force, delta));
        const __m256 scale = _mm256_mul_ps(delta, perLength);
        const __m256 onA = _mm256_mul_ps(a.w, scale), onB = _mm256_mul_ps(b.w, scale);
        a.x = _mm256_fmadd_ps(onA, dx, a.x);
        a.y = _mm256_fmadd_ps(onA, dy, a.y);
        a.z = _mm256_fmadd_ps(onA, dz, a.z);
        b.x = _mm256_fnmadd_ps(onB, dx, b.x);
        b.y = _mm256_fnmadd_ps(onB, dy, b.y);
        b.z = _mm256_fnmadd_ps(onB, dz, b.z);
        storeLanes(a, points, spring.a);
        storeLanes(b, points, spring.b);
    }
};

struct ProjectBendBlock {
    const BendBlock* blocks;
    float inverseStep2, gamma;
    const Float4* before;
    Float4* points;
    float* lambda;  // eight x, eight y, eight z a block

    void operator()(int block) const {
        const BendBlock& bend = blocks[block];
        Lanes4 p[4];
        __m256 d[3], m[3], weight = _mm256_setzero_ps();
        for (int k = 0; k < 3; ++k) d[k] = m[k] = _mm256_setzero_ps();
        for (int i = 0; i < bend.points; ++i) {
            const __m256 c = _mm256_load_ps(bend.c[i]);
            p[i] = loadLanes(points, bend.v[i]);
            d[0] = _mm256_fmadd_ps(c, p[i].x, d[0]);
            d[1] = _mm256_fmadd_ps(c, p[i].y, d[1]);
            d[2] = _mm256_fmadd_ps(c, p[i].z, d[2]);
            weight = _mm256_fmadd_ps(_mm256_mul_ps(c, c), p[i].w, weight);
            if (!(gamma > 0)) continue;
            const Lanes4 q = loadLanes(before, bend.v[i]);
            m[0] = _mm256_fmadd_ps(c, _mm256_sub_ps(p[i].x, q.x), m[0]);
            m[1] = _mm256_fmadd_ps(c, _mm256_sub_ps(p[i].y, q.y), m[1]);
            m[2] = _mm256_fmadd_ps(c, _mm256_sub_ps(p[i].z, q.z), m[2]);
        }
        const __m256 l2 = _mm256_fmadd_ps(d[2], d[2], _mm256_fmadd_ps(d[1], d[1], _mm256_mul_ps(d[0], d[0])));
        const __m256 l = _mm256_max_ps(_mm256_sqrt_ps(l2), _mm256_set1_ps(1e-30f));
        const __m256 beyond = _mm256_sub_ps(_mm256_set1_ps(1), _mm256_div_ps(_mm256_load_ps(bend.rest), l));
        const __m256 alpha = _mm256_mul_ps(_mm256_load_ps(bend.compliance), _mm256_set1_ps(inverseStep2));
        const __m256 share =
            _mm256_div_ps(_mm256_set1_ps(-1), _mm256_fmadd_ps(_mm256_set1_ps(1 + gamma), weight, alpha));
        __m256 delta[3];
        for (int k = 0; k < 3; ++k) {
            float* const own = lambda + 24 * block + 8 * k;
            const __m256 force = _mm256_load_ps(own);
            __m256 error = _mm256_fmadd_ps(alpha, force, _mm256_mul_ps(beyond, d[k]));
            error = _mm256_fmadd_ps(_mm256_set1_ps(gamma), m[k], error);
            delta[k] = _mm256_mul_ps(share, error);
            _mm256_store_ps(own, _mm256_add_ps(force, delta[k]));
        }
        for (int i = 0; i < bend.points; ++i) {
            const __m256 on = _mm256_mul_ps(_mm256_load_ps(bend.c[i]), p[i].w);
            p[i].x = _mm256_fmadd_ps(on, delta[0], p[i].x);
            p[i].y = _mm256_fmadd_ps(on, delta[1], p[i].y);
            p[i].z = _mm256_fmadd_ps(on, delta[2], p[i].z);
            storeLanes(p[i], points, bend.v[i]);
        }
    }
};

// Blocks of eight, colour by colour.
template <class Block, class Fill>
Colors toBlocks(const Colors& colors, Buffer<Block>& blocks, const Fill& fill) {
    Colors result;
    for (int c = 0; c < colors.count(); ++c) {
        const int elements = colors.starts[static_cast<size_t>(c) + 1] - colors.starts[static_cast<size_t>(c)];
        result.starts.push_back(result.starts.back() + (elements + 7) / 8);
    }
    blocks.renew(result.starts.back());
    for (int c = 0; c < colors.count(); ++c) {
        const int first = colors.starts[static_cast<size_t>(c)], end = colors.starts[static_cast<size_t>(c) + 1];
        for (int block = result.starts[static_cast<size_t>(c)], e = first; e < end; ++block, e += 8)
            for (int lane = 0; lane < 8; ++lane) fill(blocks[block], lane, e + lane < end ? e + lane : -1);
    }
    return result;
}

}  // namespace

void Xpbd::pack(const Fabric& fabric) {
    if (packed_ == fabric.version()) return;
    packed_ = fabric.version();
    const int nobody = fabric.count();
    springColors_ = toBlocks(fabric.springColors, springBlocks_, [&](SpringBlock& block, int lane, int e) {
        block.a[lane] = block.b[lane] = nobody;
        block.rest[lane] = block.compliance[lane] = 1;
        if (e < 0) return;
        const Spring& spring = fabric.springs[e];
        block.a[lane] = spring.a;
        block.b[lane] = spring.b;
        block.rest[lane] = spring.rest;
        block.compliance[lane] = 1 / spring.stiffness;
    });
    bendColors_ = toBlocks(fabric.bendColors, bendBlocks_, [&](BendBlock& block, int lane, int e) {
        if (lane == 0) block.points = 3;
        for (int k = 0; k < 4; ++k) {
            block.v[k][lane] = e < 0 ? nobody : fabric.bends[e].v[k];
            block.c[k][lane] = e < 0 ? 0 : fabric.bends[e].c[k];
        }
        block.rest[lane] = e < 0 ? 0 : fabric.bends[e].rest;
        block.compliance[lane] = e < 0 ? 1 : 1 / fabric.bends[e].stiffness;
        if (block.c[3][lane] != 0) block.points = 4;
    });
}

void Xpbd::solveTuned(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    const Device& device = fabric.springs.device();
    const int count = fabric.count();
    pack(fabric);
    clear(springForces_, 8 * springBlocks_.size());
    clear(bendForces_, 24 * bendBlocks_.size());
    points_.renew(count + 1);
    before_.renew(count + 1);
    forEach(device, "packPoints", count,
            PackPoints{fabric.inverseMass.span(), x, xBefore, points_.span(), before_.span()});
    points_[count] = before_[count] = {};

    const float inverseStep = 1 / dt, inverseStep2 = inverseStep * inverseStep;
    const ProjectBendBlock bends{bendBlocks_.data(), inverseStep2,   fabric.bendLag() * inverseStep,
                                 before_.data(),     points_.data(), bendForces_.data()};
    const ProjectSpringBlock springs{springBlocks_.data(), inverseStep2,   fabric.springLag() * inverseStep,
                                     before_.data(),       points_.data(), springForces_.data()};
    const int bendColors = bendColors_.count(), colors = bendColors + springColors_.count();
    const auto range = [&](int phase) {
        const int color = phase % colors;
        const Colors& of = color < bendColors ? bendColors_ : springColors_;
        const auto c = static_cast<size_t>(color < bendColors ? color : color - bendColors);
        return std::pair(of.starts[c], of.starts[c + 1]);
    };
    forEachInPhases(device, "project", iterations * colors, range, [&](int phase, int block) {
        if (phase % colors < bendColors)
            bends(block);
        else
            springs(block);
    });
    forEach(device, "unpackPoints", count, UnpackPoints{points_.span(), x});
}

#else

void Xpbd::solveTuned(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x) {
    solvePlain(fabric, dt, iterations, xBefore, x);
}

#endif

}  // namespace purl
