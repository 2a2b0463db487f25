#include "solver/reference/curvature.h"

namespace purl {

void applyCurvatureTension(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                           const Materials& materials, LaneMemory& memory) {
    const Device& device = particles.x.device();
    const int count = particles.count();
    memory.normals.resizeDiscard(count + 1);
    forEach(device, "clearPadding", 1, ClearRow{memory.normals.data() + count});
    SurfaceNormalsSweep normals;
    normals.points = memory.points.data();
    normals.hasBoundary = boundary && !boundary->empty();
    normals.boundary = normals.hasBoundary ? boundary->view() : Boundary::View{};
    normals.wallW = materials.wallSpline;
    normals.wallShare = materials.wallShare;
    normals.fluids = materials.fluids.span();
    normals.body = particles.body.span();
    normals.n = memory.normals.data();
    normals.normal = particles.normal.span();
    sweep(device, "surfaceNormals", count, neighbors.view(), normals);
    sweep(device, "curvatureTension", count, neighbors.view(),
          CurvatureSweep{materials.fluids.span(), std::as_const(particles.body).span(),
                         std::as_const(particles.density).span(), memory.points.data(), memory.normals.data(),
                         particles.a.span()});
}

}  // namespace purl
