#include "solver/cloth/implicit.h"

#include <cmath>

#include "solver/cloth/forces.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// How an element's force falls as its ends part: by k along it, and by k (1 − L/l) across where it is stretched. What
// it gains across when pressed together would let it buckle, and the system lose its solution; it is left out.
struct Linearize {
    Span<const Spring> springs;
    Span<const Bend> bends;
    const Vec3* x;
    float dt;
    Span<Vec3> along;
    Span<float> stiff, turn;

    PURL_HD void operator()(int e) const {
        const bool spring = e < springs.count;
        Vec3 d;
        float rest, k, lag;
        if (spring) {
            const Spring& s = springs[e];
            d = x[s.a] - x[s.b];
            rest = s.rest;
            k = s.stiffness;
            lag = s.lag;
        } else {
            const Bend& b = bends[e - springs.count];
            for (int i = 0; i < 4; ++i) d += b.c[i] * x[b.v[i]];
            rest = b.rest;
            k = b.stiffness;
            lag = b.lag;
        }
        const float l = length(d);
        const float across = l > rest && l > 0 ? 1 - rest / l : 0;
        along[e] = l > 0 ? d / l : Vec3{};
        stiff[e] = (dt * dt + dt * lag) * k;
        // Folds are damped in every direction.
        turn[e] = (dt * dt * across + (spring ? 0 : dt * lag)) * k;
    }
};

// The system's matrix on p, first part: of each element.
struct MultiplyElements {
    Elements elements;
    Span<const Vec3> along;
    Span<const float> stiff, turn;
    const Vec3* p;
    Span<Vec3> element;

    PURL_HD void operator()(int e) const {
        const Vec3 u = elements.difference(e, p);
        element[e] = turn[e] * u + ((stiff[e] - turn[e]) * dot(along[e], u)) * along[e];
    }
};

// And second: of each point; A p = m p + Σ weight · element. Held points have no say.
struct MultiplyPoints {
    Span<const int> starts;
    Span<const Part> parts;
    Span<const Vec3> element;
    Span<const float> inverseMass;
    const Vec3* p;
    Span<Vec3> product;

    PURL_HD void operator()(int i) const {
        product[i] = {};
        if (!(inverseMass[i] > 0)) return;
        Vec3 sum = p[i] / inverseMass[i];
        for (int k = starts[i]; k < starts[i + 1]; ++k) sum += parts[k].weight * element[parts[k].element];
        product[i] = sum;
    }
};

// 1/(m + Σ weight² stiffness)
struct Diagonal {
    Span<const int> starts;
    Span<const Part> parts;
    Span<const float> inverseMass, stiff;
    Span<float> inverse;

    PURL_HD void operator()(int i) const {
        inverse[i] = 0;
        if (!(inverseMass[i] > 0)) return;
        float sum = 1 / inverseMass[i];
        for (int k = starts[i]; k < starts[i + 1]; ++k) sum += square(parts[k].weight) * stiff[parts[k].element];
        inverse[i] = 1 / sum;
    }
};

// b = Δt f − Δt² K v, and what the search begins with.
struct Begin {
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
struct Drift {
    Elements elements;
    Span<const Vec3> along;
    Span<const float> turn;
    const Vec3* v;
    float dt;
    Span<Vec3> element;

    PURL_HD void operator()(int e) const {
        const Vec3 u = elements.difference(e, v);
        const float k = elements.stiffness(e);
        const float across = turn[e] - (elements.isSpring(e) ? 0 : dt * elements.lag(e) * k);
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

struct GoOn {
    float step;
    Span<const Vec3> way, product;
    Span<Vec3> change, rest;
    PURL_HD void operator()(int i) const {
        change[i] += step * way[i];
        rest[i] -= step * product[i];
    }
};
struct Turn {
    float share;
    Span<const float> inverseDiagonal;
    Span<const Vec3> rest;
    Span<Vec3> way;
    PURL_HD void operator()(int i) const { way[i] = inverseDiagonal[i] * rest[i] + share * way[i]; }
};
struct Add {
    Span<const Vec3> change;
    Vec3* v;
    PURL_HD void operator()(int i) const { v[i] += change[i]; }
};

constexpr int kMostIterations = 2000;

}  // namespace

ImplicitEuler::ImplicitEuler(const Device& device)
    : along_(device),
      stiff_(device),
      turn_(device),
      inverseDiagonal_(device),
      element_(device),
      sum_(device),
      change_(device),
      rest_(device),
      way_(device),
      product_(device) {}

//     (M + Δt D + Δt² K) Δv = Δt (f − Δt K v)   Bayraktar 5.36, H = −K
ClothReport ImplicitEuler::solve(const Fabric& fabric, float dt, float tolerance, const Vec3* x, Vec3* v,
                                 const Vec3* damped) {
    const Device& device = fabric.springs.device();
    const int count = fabric.count(), elements = fabric.elementCount();
    along_.renew(elements);
    stiff_.renew(elements);
    turn_.renew(elements);
    for (Buffer<Vec3>* points : {&sum_, &change_, &rest_, &way_, &product_}) points->renew(count);
    inverseDiagonal_.renew(count);

    innerForces(fabric, x, damped ? damped : v, element_, sum_.data());
    forEach(device, "linearize", elements,
            Linearize{fabric.springs.span(), fabric.bends.span(), x, dt, along_.span(), stiff_.span(), turn_.span()});
    forEach(device, "diagonal", count,
            Diagonal{fabric.starts.span(), fabric.parts.span(), fabric.inverseMass.span(), stiff_.span(),
                     inverseDiagonal_.span()});
    forEach(device, "drift", elements, Drift{fabric.elements(), along_.span(), turn_.span(), v, dt, element_.span()});
    forEach(device, "gatherForces", count,
            GatherForces{fabric.starts.span(), fabric.parts.span(), element_.span(), product_.data()});
    forEach(device, "begin", count,
            Begin{fabric.inverseMass.span(), inverseDiagonal_.span(), sum_.span(), product_.span(), dt, change_.span(),
                  rest_.span(), way_.span()});

    const auto size = [&] {
        return reduce(device, "size", count, 0.0, DotScaled{rest_.span(), inverseDiagonal_.span()}, Sum{});
    };
    double left = size();
    const double start = left, enough = start * double(tolerance) * double(tolerance);
    ClothReport report;
    while (left > enough && report.iterations < kMostIterations) {
        forEach(device, "multiplyElements", elements,
                MultiplyElements{fabric.elements(), along_.span(), stiff_.span(), turn_.span(), way_.data(),
                                 element_.span()});
        forEach(device, "multiplyPoints", count,
                MultiplyPoints{fabric.starts.span(), fabric.parts.span(), element_.span(), fabric.inverseMass.span(),
                               way_.data(), product_.span()});
        const double bend = reduce(device, "dot", count, 0.0, Dot{way_.span(), product_.span()}, Sum{});
        if (!(bend > 0)) break;  // numbers have run out
        forEach(device, "goOn", count,
                GoOn{static_cast<float>(left / bend), way_.span(), product_.span(), change_.span(), rest_.span()});
        const double now = size();
        forEach(device, "turn", count,
                Turn{static_cast<float>(now / left), inverseDiagonal_.span(), rest_.span(), way_.span()});
        left = now;
        ++report.iterations;
    }
    report.error = start > 0 ? std::sqrt(left / start) : 0;
    forEach(device, "addChange", count, Add{change_.span(), v});
    return report;
}

}  // namespace purl
