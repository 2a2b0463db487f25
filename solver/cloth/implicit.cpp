#include "solver/cloth/implicit.h"

#include <cmath>

#include "solver/cloth/forces.h"
#include "solver/core/conjugateGradients.h"

namespace purl {
namespace {

// Derivative of an element's force: stiffness k along it, and k (1 − L/l) across it if stretched. The negative across
// term of compressed elements (buckling) would make the system indefinite and is dropped.
struct Linearize {
    Span<const Spring> springs;
    Span<const Bend> bends;
    const Vec3* x;
    float dt;
    Span<Vec3> along;
    Span<float> alongStiffness, acrossStiffness;

    PURL_HD void operator()(int e) const {
        const bool spring = e < springs.count;
        Vec3 d;
        float rest, k, dampingTime;
        if (spring) {
            const Spring& s = springs[e];
            d = x[s.a] - x[s.b];
            rest = s.rest;
            k = s.stiffness;
            dampingTime = s.dampingTime;
        } else {
            const Bend& b = bends[e - springs.count];
            for (int i = 0; i < 4; ++i) d += b.c[i] * x[b.v[i]];
            rest = b.rest;
            k = b.stiffness;
            dampingTime = b.dampingTime;
        }
        const float l = length(d);
        const float across = l > rest && l > 0 ? 1 - rest / l : 0;
        along[e] = l > 0 ? d / l : Vec3{};
        alongStiffness[e] = (dt * dt + dt * dampingTime) * k;
        // Folds are damped in all directions.
        acrossStiffness[e] = (dt * dt * across + (spring ? 0 : dt * dampingTime)) * k;
    }
};

// Matrix–vector product A p, first part: per element.
struct MultiplyElements {
    Elements elements;
    Span<const Vec3> along;
    Span<const float> alongStiffness, acrossStiffness;
    const Vec3* p;
    Span<Vec3> element;

    PURL_HD void operator()(int e) const {
        const Vec3 u = elements.difference(e, p);
        element[e] = acrossStiffness[e] * u + ((alongStiffness[e] - acrossStiffness[e]) * dot(along[e], u)) * along[e];
    }
};

// Second part: per point, A p = m p + Σ weight · element. Pinned points are constrained: their rows are zero.
struct MultiplyPoints {
    Span<const int> incidenceStarts;
    Span<const Incidence> incidences;
    Span<const Vec3> element;
    Span<const float> inverseMass;
    const Vec3* p;
    Span<Vec3> product;

    PURL_HD void operator()(int i) const {
        product[i] = {};
        if (!(inverseMass[i] > 0)) return;
        Vec3 sum = p[i] / inverseMass[i];
        for (int k = incidenceStarts[i]; k < incidenceStarts[i + 1]; ++k)
            sum += incidences[k].weight * element[incidences[k].element];
        product[i] = sum;
    }
};

// Jacobi preconditioner: the inverse of the diagonal of A.
struct Jacobi {
    Span<const float> inverseDiagonal;  // 1/kg
    PURL_HD Vec3 apply(int i, Vec3 r) const { return inverseDiagonal[i] * r; }
    PURL_HD double energy(int i, Vec3 r) const { return double(inverseDiagonal[i]) * double(lengthSquared(r)); }
};

// 1/(m + Σ weight² stiffness)
struct Diagonal {
    Span<const int> incidenceStarts;
    Span<const Incidence> incidences;
    Span<const float> inverseMass, alongStiffness;
    Span<float> inverse;

    PURL_HD void operator()(int i) const {
        inverse[i] = 0;
        if (!(inverseMass[i] > 0)) return;
        float sum = 1 / inverseMass[i];
        for (int k = incidenceStarts[i]; k < incidenceStarts[i + 1]; ++k)
            sum += square(incidences[k].weight) * alongStiffness[incidences[k].element];
        inverse[i] = 1 / sum;
    }
};

// r = b = Δt f − Δt² K v for Δv = 0, and the first search direction p = M⁻¹ r.
struct InitResidual {
    Span<const float> inverseMass, inverseDiagonal;
    Span<const Vec3> force, velocityTerm;
    float dt;
    Span<Vec3> dv, r, p;

    PURL_HD void operator()(int i) const {
        dv[i] = {};
        r[i] = inverseMass[i] > 0 ? dt * force[i] - velocityTerm[i] : Vec3{};
        p[i] = inverseDiagonal[i] * r[i];
    }
};

// Δt² K v per element: as MultiplyElements without damping, which is already in the forces.
struct VelocityTerm {
    Elements elements;
    Span<const Vec3> along;
    Span<const float> acrossStiffness;
    const Vec3* v;
    float dt;
    Span<Vec3> element;

    PURL_HD void operator()(int e) const {
        const Vec3 u = elements.difference(e, v);
        const float k = elements.stiffness(e);
        const float across = acrossStiffness[e] - (elements.isSpring(e) ? 0 : dt * elements.dampingTime(e) * k);
        element[e] = across * u + ((dt * dt * k - across) * dot(along[e], u)) * along[e];
    }
};

struct AddDv {
    Span<const Vec3> dv;
    Vec3* v;
    PURL_HD void operator()(int i) const { v[i] += dv[i]; }
};

// Whether the residual is at most this fraction of the first one.
struct RelativeTo {
    double tolerance;
    PURL_HD bool operator()(const ConjugateGradientState& now) const {
        return now.rz <= now.initialRz * tolerance * tolerance;
    }
};

constexpr int kMaxIterations = 2000;

}  // namespace

ImplicitEuler::ImplicitEuler(const Device& device)
    : directions_(device),
      alongStiffness_(device),
      acrossStiffness_(device),
      inverseDiagonal_(device),
      element_(device),
      force_(device),
      dv_(device),
      r_(device),
      p_(device),
      ap_(device) {}

//     (M + Δt D + Δt² K) Δv = Δt (f − Δt K v)   Bayraktar 5.36, H = −K
ClothReport ImplicitEuler::solve(const Fabric& fabric, float dt, float tolerance, const Vec3* x, Vec3* v,
                                 const Vec3* damped) {
    const Device& device = fabric.springs.device();
    const int count = fabric.count(), elements = fabric.elementCount();
    directions_.resizeDiscard(elements);
    alongStiffness_.resizeDiscard(elements);
    acrossStiffness_.resizeDiscard(elements);
    for (Buffer<Vec3>* points : {&force_, &dv_, &r_, &p_, &ap_}) points->resizeDiscard(count);
    inverseDiagonal_.resizeDiscard(count);

    internalForces(fabric, x, damped ? damped : v, element_, force_.data());
    forEach(device, "linearize", elements,
            Linearize{fabric.springs.span(), fabric.bends.span(), x, dt, directions_.span(), alongStiffness_.span(),
                      acrossStiffness_.span()});
    forEach(device, "diagonal", count,
            Diagonal{fabric.incidenceStarts.span(), fabric.incidences.span(), fabric.inverseMass.span(),
                     alongStiffness_.span(), inverseDiagonal_.span()});
    forEach(device, "velocityTerm", elements,
            VelocityTerm{fabric.elements(), directions_.span(), acrossStiffness_.span(), v, dt, element_.span()});
    forEach(device, "gatherForces", count,
            GatherForces{fabric.incidenceStarts.span(), fabric.incidences.span(), element_.span(), ap_.data()});
    forEach(device, "initResidual", count,
            InitResidual{fabric.inverseMass.span(), inverseDiagonal_.span(), force_.span(), ap_.span(), dt, dv_.span(),
                         r_.span(), p_.span()});

    ConjugateGradients<Vec3, Jacobi> cg{device,   {inverseDiagonal_.span()}, dv_.span(), r_.span(), ap_.span(),
                                        p_.span()};
    const auto multiply = [&](const int* done) {
        forEachUnless(done, device, "multiplyElements", elements,
                      MultiplyElements{fabric.elements(), directions_.span(), alongStiffness_.span(),
                                       acrossStiffness_.span(), p_.data(), element_.span()});
        forEachUnless(done, device, "multiplyPoints", count,
                      MultiplyPoints{fabric.incidenceStarts.span(), fabric.incidences.span(), element_.span(),
                                     fabric.inverseMass.span(), p_.data(), ap_.span()});
    };
    const ConjugateGradientState end = cg.solve(multiply, RelativeTo{double(tolerance)}, kMaxIterations);
    const ClothReport report{end.iterations, end.initialRz > 0 ? std::sqrt(end.rz / end.initialRz) : 0};
    forEach(device, "addDv", count, AddDv{dv_.span(), v});
    return report;
}

}  // namespace purl
