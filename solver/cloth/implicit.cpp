#include "solver/cloth/implicit.h"

#include <cmath>

#include "solver/cloth/forces.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// How an element's force falls as its ends part: by k along it, and by k (1 − L/l) across where it is stretched. What
// it gains across when pressed together would let it buckle, and the system lose its solution; it is rMr out.
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
        // Folds are damped in every direction.
        acrossStiffness[e] = (dt * dt * across + (spring ? 0 : dt * dampingTime)) * k;
    }
};

// The system's matrix on p, first part: of each element.
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

// And second: of each point; A p = m p + Σ weight · element. Held points have no say.
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

// b = Δt f − Δt² K v, and what the search begins with.
struct InitResidual {
    Span<const float> inverseMass, inverseDiagonal;
    Span<const Vec3> force, slope;
    float dt;
    Span<Vec3> change, rest, way;

    PURL_HD void operator()(int i) const {
        change[i] = {};
        rest[i] = inverseMass[i] > 0 ? dt * force[i] - slope[i] : Vec3{};
        way[i] = inverseDiagonal[i] * rest[i];
    }
};

// Δt² K v of each element: as MultiplyElements without damping, which acts on v in the forces already.
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

struct Dot {
    Span<const Vec3> a, b;
    PURL_HD double operator()(int i) const {
        return double(a[i].x) * double(b[i].x) + double(a[i].y) * double(b[i].y) + double(a[i].z) * double(b[i].z);
    }
};
struct DotScaled {
    Span<const Vec3> a;
    Span<const float> scale;
    PURL_HD double operator()(int i) const { return double(scale[i]) * double(lengthSquared(a[i])); }
};

struct AdvanceSolution {
    float alpha;
    Span<const Vec3> way, product;
    Span<Vec3> change, rest;
    PURL_HD void operator()(int i) const {
        change[i] += alpha * way[i];
        rest[i] -= alpha * product[i];
    }
};
struct UpdateDirection {
    float beta;
    Span<const float> inverseDiagonal;
    Span<const Vec3> rest;
    Span<Vec3> way;
    PURL_HD void operator()(int i) const { way[i] = inverseDiagonal[i] * rest[i] + beta * way[i]; }
};
struct Add {
    Span<const Vec3> change;
    Vec3* v;
    PURL_HD void operator()(int i) const { v[i] += change[i]; }
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
      product_(device) {}

//     (M + Δt D + Δt² K) Δv = Δt (f − Δt K v)   Bayraktar 5.36, H = −K
ClothReport ImplicitEuler::solve(const Fabric& fabric, float dt, float tolerance, const Vec3* x, Vec3* v,
                                 const Vec3* damped) {
    const Device& device = fabric.springs.device();
    const int count = fabric.count(), elements = fabric.elementCount();
    directions_.renew(elements);
    alongStiffness_.renew(elements);
    acrossStiffness_.renew(elements);
    for (Buffer<Vec3>* points : {&force_, &dv_, &r_, &p_, &product_}) points->renew(count);
    inverseDiagonal_.renew(count);

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
            GatherForces{fabric.incidenceStarts.span(), fabric.incidences.span(), element_.span(), product_.data()});
    forEach(device, "initResidual", count,
            InitResidual{fabric.inverseMass.span(), inverseDiagonal_.span(), force_.span(), product_.span(), dt,
                         dv_.span(), r_.span(), p_.span()});

    const auto residualNorm2 = [&] {
        return reduce(device, "residualNorm", count, 0.0, DotScaled{r_.span(), inverseDiagonal_.span()}, Sum{});
    };
    double rMr = residualNorm2();
    const double initialRMr = rMr, targetRMr = initialRMr * double(tolerance) * double(tolerance);
    ClothReport report;
    while (rMr > targetRMr && report.iterations < kMaxIterations) {
        forEach(device, "multiplyElements", elements,
                MultiplyElements{fabric.elements(), directions_.span(), alongStiffness_.span(), acrossStiffness_.span(),
                                 p_.data(), element_.span()});
        forEach(device, "multiplyPoints", count,
                MultiplyPoints{fabric.incidenceStarts.span(), fabric.incidences.span(), element_.span(),
                               fabric.inverseMass.span(), p_.data(), product_.span()});
        const double pAp = reduce(device, "dot", count, 0.0, Dot{p_.span(), product_.span()}, Sum{});
        if (!(pAp > 0)) break;  // numbers have run out
        forEach(device, "advanceSolution", count,
                AdvanceSolution{static_cast<float>(rMr / pAp), p_.span(), product_.span(), dv_.span(), r_.span()});
        const double newRMr = residualNorm2();
        forEach(device, "updateDirection", count,
                UpdateDirection{static_cast<float>(newRMr / rMr), inverseDiagonal_.span(), r_.span(), p_.span()});
        rMr = newRMr;
        ++report.iterations;
    }
    report.error = initialRMr > 0 ? std::sqrt(rMr / initialRMr) : 0;
    forEach(device, "addChange", count, Add{dv_.span(), v});
    return report;
}

}  // namespace purl
