// Particles → triangles: the closed surface of a liquid, by marching cubes over a scalar field of its particles. Gases
// have no surface and are shown as points.
#pragma once
#include "solver/core/describe.h"
#include "solver/core/device.h"
#include "solver/frame.h"
#include "solver/reference/params.h"

namespace purl {

// color: Σ m/ρ W, Kelager 4.27. anisotropic: the same with anisotropic kernels and smoothed positions, after Yu and
// Turk 2013.
enum class SurfaceField { color, anisotropic = 5 };
inline Choices choicesOf(SurfaceField) { return {"color", "", "", "", "", "anisotropic"}; }

// Particles with fewer than four neighbours. keep: each is a drop of its volume; fade: the fewer neighbours, the
// smaller the drop; drop: removed.
enum class LoneParticles { keep, fade, drop };
inline Choices choicesOf(LoneParticles) { return {"keep", "fade", "drop"}; }

struct SurfaceParams {
    SurfaceField field = SurfaceField::color;
    float resolution = 2;
    float kernelScale = 1.15f;
    float isoValue = 0.5f;
    LoneParticles loneParticles = LoneParticles::keep;
    float contactAngle = 90;
    int smoothing = 10;
    float decimation = 0;
    SurfaceReference reference;
};

template <class Visit>
void describe(Visit&& visit, SurfaceParams& p) {
    visit(p.field, About{"field", "fld", "", "What the surface is a level of; anisotropic is the smoothest."});
    visit(p.resolution,
          About{"resolution", "rsl", "", "Grid cells per particle spacing: 2 shows every ripple.", 0.5, 8, 1, 4});
    visit(p.kernelScale, About{"kernelScale", "ksc", "",
                               "Reach of a particle, in smoothing radii: more is flatter, less shows finer ripples.",
                               0.5, 3, 0.8, 1.5});
    visit(p.isoValue, About{"isoValue", "iso", "",
                            "Share of liquid that counts as inside: 0.5 keeps the liquid's volume, less is fatter.",
                            0.01, 0.99, 0.2, 0.8});
    visit(
        p.loneParticles,
        About{"loneParticles", "lpt", "",
              "Particles with fewer than four others in reach: kept as drops, faded the fewer there are, or dropped."});
    visit(p.contactAngle,
          About{"contactAngle", "cang", "°",
                "Angle at which the free surface meets walls, measured in the liquid: less than 90 climbs, as water "
                "does on clean glass, more than 90 is pushed down, as on wax. No effect with referenceField.",
                20, 160, 30, 150});
    visit(p.smoothing,
          About{"smoothing", "smth", "", "Passes that flatten ripples and keep the volume.", 0, 100, 0, 20});
    visit(p.decimation,
          About{"decimation", "dcm", "", "Share of the triangles that is taken away, first where the surface is flat.",
                0, 0.95, 0, 0.9});
    describe(visit, p.reference);
}

// Statistics of a surface reconstruction.
struct SurfaceReport {
    int blocks = 0;        // blocks of 8³ nodes whose field was evaluated
    int liquidBlocks = 0;  // blocks found to be full without it
    double megabytes = 0;  // peak memory, the mesh included
};

// Volume within a closed mesh, in the cube of its unit.
double enclosedVolume(const Mesh& mesh);
// Rest volume of a body's particles, in the cube of the frame's unit; excludes what fabrics have absorbed.
double liquidVolume(const Frame& frame, int body);

// One common surface of these bodies, in the frame's units, with all channels of Mesh; empty if they have no particles.
// Name and colour are those of the first body. Throws Error for a gas or foam.
Mesh makeSurface(const Device& device, const Frame& frame, const std::vector<int>& bodies,
                 const SurfaceParams& params = {}, SurfaceReport* report = nullptr);
Mesh makeSurface(const Device& device, const Frame& frame, int body, const SurfaceParams& params = {},
                 SurfaceReport* report = nullptr);

}  // namespace purl
