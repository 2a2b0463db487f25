#include "solver/reference/curvature.h"

#include "solver/core/forEach.h"
#include "solver/fluid/pressure/pressureLanes.h"

namespace purl {
namespace {

#ifdef __AVX2__
struct SurfaceNormalsLanes {
    const SurfaceNormals& plain;
    const Float4* points;

    void operator()(int i) const {
        const FluidConstants& fluid = plain.fluids[0];
        const bool fromCentroid = fluid.referenceTension == ReferenceTension::centroidNormals;
        const Vec3 xi = plain.neighbors.x[i];
        const __m256 h2 = _mm256_set1_ps(fluid.poly6.h2), one = _mm256_set1_ps(1), zero = _mm256_setzero_ps();
        const int* const list = plain.neighbors.begin(i);
        __m256 near = zero;
        LaneSum3 sum;
        for (int n = 0, count = plain.neighbors.count(i); n < count; n += Neighbors::kLanes) {
            const Lanes4 other = loadLanes(points, list + n);
            const LaneOffsets d(xi, other);
            const __m256 inside = _mm256_max_ps(_mm256_sub_ps(h2, d.lengthSquared()), zero);
            const __m256 isNear = _mm256_and_ps(_mm256_cmp_ps(inside, zero, _CMP_GT_OQ), one);
            near = _mm256_add_ps(near, isNear);
            // −V ∇W without its constant factor, or d alone
            const __m256 weight = fromCentroid ? isNear : _mm256_mul_ps(other.w, _mm256_mul_ps(inside, inside));
            sum.add(weight, d.x, d.y, d.z);
        }
        plain.n[i] = {};
        plain.finish(i, fluid, (fromCentroid ? 1 : -fluid.poly6.gradient) * sum.total(),
                     1 + static_cast<int>(sumOfLanes(near)));
    }
};
#endif

}  // namespace

void applyCurvatureTension(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                           const Materials& materials, const Buffer<float>& volume, Buffer<Vec3>& n,
                           [[maybe_unused]] const Float4* packed) {
    const Device& device = volume.device();
    n.resize(particles.count());
    SurfaceNormals normals;
    normals.neighbors = neighbors.view();
    normals.hasBoundary = boundary && !boundary->empty();
    normals.boundary = normals.hasBoundary ? boundary->view() : Boundary::View{};
    normals.wallW = materials.wallSpline;
    normals.wallShare = materials.wallShare;
    normals.fluids = materials.fluids.span();
    normals.body = particles.body.span();
    normals.volume = volume.span();
    normals.n = n.span();
    normals.normal = particles.normal.span();
#ifdef __AVX2__
    if (packed && materials.fluids[0].kind == FluidKind::liquid)
        forEachOnCpu(device, "surfaceNormals", particles.count(), SurfaceNormalsLanes{normals, packed});
    else
#endif
        forEach(device, "surfaceNormals", particles.count(), normals);
    forEach(device, "curvatureTension", particles.count(),
            CurvatureTension{neighbors.view(), materials.fluids.span(), particles.body.span(),
                             std::as_const(particles.density).span(), volume.span(), std::as_const(n).span(),
                             particles.a.span()});
}

}  // namespace purl
