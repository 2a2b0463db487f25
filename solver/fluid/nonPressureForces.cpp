#include "solver/fluid/nonPressureForces.h"

#include "solver/core/forEach.h"
#include "solver/core/traffic.h"
#include "solver/fluid/pressure/pressureLanes.h"
#include "solver/reference/curvature.h"

namespace purl {
namespace {

#ifdef __AVX2__

// NonPressureForces for one fluid, eight neighbours at a time. Factors common to all pairs are applied after the sums.
template <bool kFractional>
struct NonPressureForcesLanes {
    const NonPressureForces& plain;
    const Float4 *points, *flow, *past;  // x and V; v; fractional derivative

    void operator()(int i) const {
        const FluidConstants& fluid = plain.fluids[0];
        const Vec3 xi{points[i].x, points[i].y, points[i].z}, vi{flow[i].x, flow[i].y, flow[i].z};
        const __m256 zero = _mm256_setzero_ps(), h = _mm256_set1_ps(fluid.viscosityKernel.h),
                     h2 = _mm256_set1_ps(fluid.poly6.h2), from = _mm256_set1_ps(fluid.poly6.laplaceFrom),
                     outward = _mm256_set1_ps(fluid.poly6.laplaceOutward);
        LaneSum3 friction, blend, gradient;
        __m256 laplacian = zero;
        const int* const list = plain.neighbors.begin(i);
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const Lanes4 other = loadLanes(points, list + n);
            const LaneOffsets d(xi, other), slip(vi, loadLanes(flow, list + n));
            const __m256 r2 = d.lengthSquared();
            const SplineLanes W(plain.W, r2);
            const __m256 r = _mm256_sqrt_ps(r2);
            const __m256 viscosityWeight = _mm256_mul_ps(other.w, _mm256_max_ps(_mm256_sub_ps(h, r), zero));
            if constexpr (kFractional) {
                const LaneOffsets drift({past[i].x, past[i].y, past[i].z}, loadLanes(past, list + n));
                friction.add(viscosityWeight, drift.x, drift.y, drift.z);
            } else {
                friction.add(viscosityWeight, slip.x, slip.y, slip.z);
            }
            blend.add(W.value(), slip.x, slip.y, slip.z);
            const __m256 inside = _mm256_max_ps(_mm256_sub_ps(h2, r2), zero), weight = _mm256_mul_ps(other.w, inside);
            gradient.add(_mm256_mul_ps(weight, inside), d.x, d.y, d.z);
            laplacian = _mm256_fmadd_ps(weight, _mm256_fnmadd_ps(outward, r2, from), laplacian);
        }
        ColorField color;
        color.addSelf(fluid.poly6, plain.volume[i]);
        color.gradient = fluid.poly6.gradient * gradient.total();
        color.laplacian += fluid.poly6.gradient * sumOfLanes(laplacian);
        plain.finish(i, -(fluid.sweptViscosity * fluid.viscosityKernel.laplace) * friction.total(),
                     -(fluid.mass / fluid.restDensity * plain.W.value) * blend.total(), color);
    }
};

void applyTuned(const NonPressureForces& plain, const Device& device, int listSize, LaneMemory& memory) {
    const int count = plain.a.count;
    packFlow(device, {plain.neighbors.x, count}, plain.v, plain.volume, memory);
    const Float4 *const points = memory.points.data(), *const flow = memory.flow();
    // Reads neighbour lists with their offsets and counts, points and flow; writes acceleration and normal.
    const double traffic = 4.0 * listSize + (8 + 32 + 4 + 48.0) * count;
    if (plain.past.count == 0 || !isFractional(plain.fluids[0])) {
        expectTraffic(traffic);
        return forEachOnCpu(device, "nonPressureForces", count,
                            NonPressureForcesLanes<false>{plain, points, flow, nullptr});
    }
    memory.past.resize(count + 1);
    memory.past[count] = {};
    forEachOnCpu(device, "packPast", count, [&](int i) {
        const Vec3 past = plain.past[i];
        memory.past[i] = {past.x, past.y, past.z, 0};
    });
    expectTraffic(traffic + 16.0 * count);
    forEachOnCpu(device, "nonPressureForces", count,
                 NonPressureForcesLanes<true>{plain, points, flow, memory.past.data()});
}

#endif

}  // namespace

void applyNonPressureForces(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                            const Materials& materials, const SolverParams& params, float dt, Gravity gravity,
                            const Buffer<Vec3>& v, const Buffer<float>& volume, Buffer<Vec3>& omega, LaneMemory& memory,
                            [[maybe_unused]] bool tuned, Span<const Vec3> past) {
    const Device& device = volume.device();
    NonPressureForces forces;
    forces.neighbors = neighbors.view();
    forces.hasBoundary = boundary && !boundary->empty();
    forces.boundary = forces.hasBoundary ? boundary->view() : Boundary::View{};
    forces.W = materials.spline;
    forces.wallW = materials.wallSpline;
    forces.wallShare = materials.wallShare;
    forces.fluids = materials.fluids.span();
    forces.fields = materials.fields.span();
    forces.gravity = materials.gravity;
    forces.includeGravity = gravity == Gravity::include;
    forces.xsphRate = dt > 0 ? params.xsph / dt : 0;
    forces.body = particles.body.span();
    forces.v = v.span();
    forces.past = past;
    forces.density = particles.density.span();
    forces.volume = volume.span();
    forces.a = particles.a.span();
    forces.normal = particles.normal.span();
    if (materials.cohesive) forces.gradient = roomForGradients(memory, particles.count());
    const Float4* packed = nullptr;
#ifdef __AVX2__
    if (tuned && materials.fluids.size() == 1 && device.isCpu()) {
        applyTuned(forces, device, neighbors.listSize(), memory);
        packed = memory.points.data();
    } else
#endif
        forEach(device, "nonPressureForces", particles.count(), forces);
    if (materials.curved)
        applyCurvatureTension(particles, neighbors, boundary, materials, volume, memory.normals, packed);

    if (!(params.vorticityConfinement > 0)) return;
    omega.resize(particles.count());
    forEach(device, "vorticity", particles.count(),
            Vorticity{neighbors.view(), materials.spline, v.span(), volume.span(), omega.span()});
    forEach(device, "confineVorticity", particles.count(),
            ConfineVorticity{neighbors.view(), materials.spline, params.vorticityConfinement, volume.span(),
                             std::as_const(omega).span(), particles.a.span()});
}

}  // namespace purl
