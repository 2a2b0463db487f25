// Particles → triangles: the closed surface of a liquid, by marching cubes over its colour field.
// A gas has no surface and is shown as points.
#pragma once
#include "solver/core/describe.h"
#include "solver/core/device.h"
#include "solver/frame.h"

namespace purl {

// At the default kernelScale a lone particle's drop is as large as the particle's volume.
struct SurfaceParams {
    float resolution = 2;
    float kernelScale = 1.15f;
    float isoValue = 0.5f;
    int smoothing = 4;
};

template <class Visit>
void describe(Visit&& visit, SurfaceParams& p) {
    visit(p.resolution,
          About{"resolution", "rsl", "", "Grid cells per particle spacing: 2 shows every ripple.", 0.5, 8, 1, 4});
    visit(p.kernelScale,
          About{"kernelScale", "ksc", "",
                "Reach of a particle, in smoothing radii: more is flatter and loses thin sheets.", 0.5, 3, 0.8, 1.5});
    visit(p.isoValue,
          About{"isoValue", "iso", "", "Share of liquid that counts as inside: less is fatter.", 0.01, 0.99, 0.2, 0.8});
    visit(p.smoothing,
          About{"smoothing", "smth", "", "Passes that flatten ripples and keep the volume.", 0, 100, 0, 20});
}

// The surface of body number `body`, in the frame's units, with velocities and normals; empty where it has no
// particles. Throws Error for a gas.
Mesh makeSurface(const Device& device, const Frame& frame, int body, const SurfaceParams& params = {});

}  // namespace purl
