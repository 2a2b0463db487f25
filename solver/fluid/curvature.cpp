#include "solver/fluid/curvature.h"

#include "solver/core/forEach.h"

namespace purl {

void applyCurvatureTension(Particles& particles, const Neighbors& neighbors, const Boundary* walls,
                           const Materials& materials, const Buffer<float>& volume, Buffer<Vec3>& n) {
    const Device& device = volume.device();
    n.resize(particles.count());
    SurfaceNormals normals;
    normals.neighbors = neighbors.view();
    normals.hasWalls = walls && !walls->empty();
    normals.walls = normals.hasWalls ? walls->view() : Boundary::View{};
    normals.wallW = materials.wallSpline;
    normals.wallShare = materials.wallSpline.h < materials.spline.h ? 0.5f : 1;
    normals.fluids = materials.fluids.span();
    normals.body = particles.body.span();
    normals.volume = volume.span();
    normals.n = n.span();
    normals.normal = particles.normal.span();
    forEach(device, "surfaceNormals", particles.count(), normals);
    forEach(device, "curvatureTension", particles.count(),
            CurvatureTension{neighbors.view(), materials.fluids.span(), particles.body.span(),
                             std::as_const(particles.density).span(), volume.span(), std::as_const(n).span(),
                             particles.a.span()});
}

}  // namespace purl
