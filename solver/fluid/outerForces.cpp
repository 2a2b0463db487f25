#include "solver/fluid/outerForces.h"

#include "solver/core/forEach.h"

namespace purl {

void applyOuterForces(Particles& particles, const Neighbors& neighbors, const Boundary* walls,
                      const Materials& materials, const SolverParams& params, float dt, Weight weight,
                      const Buffer<Vec3>& v, const Buffer<float>& volume, Buffer<Vec3>& omega) {
    const Device& device = volume.device();
    OuterForces forces;
    forces.neighbors = neighbors.view();
    forces.hasWalls = walls && !walls->empty();
    forces.walls = forces.hasWalls ? walls->view() : Boundary::View{};
    forces.W = materials.spline;
    forces.wallW = materials.wallSpline;
    forces.wallShare = materials.wallSpline.h < materials.spline.h ? 0.5f : 1;
    forces.fluids = materials.fluids.span();
    forces.fields = materials.fields.span();
    forces.gravity = materials.gravity;
    forces.weightToo = weight == Weight::included;
    forces.xsphRate = dt > 0 ? params.xsph / dt : 0;
    forces.body = particles.body.span();
    forces.v = v.span();
    forces.density = particles.density.span();
    forces.volume = volume.span();
    forces.a = particles.a.span();
    forces.normal = particles.normal.span();
    forEach(device, "outerForces", particles.count(), forces);

    if (!(params.vorticityConfinement > 0)) return;
    omega.resize(particles.count());
    forEach(device, "vorticity", particles.count(),
            Vorticity{neighbors.view(), materials.spline, v.span(), volume.span(), omega.span()});
    forEach(device, "confineVorticity", particles.count(),
            ConfineVorticity{neighbors.view(), materials.spline, params.vorticityConfinement, volume.span(),
                             std::as_const(omega).span(), particles.a.span()});
}

}  // namespace purl
