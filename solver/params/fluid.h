// Parameters of fluids and emitters, and the table of fluid presets.
#pragma once
#include <string>
#include <vector>

#include "solver/core/describe.h"
#include "solver/core/vec.h"
#include "solver/reference/params.h"

namespace purl {

enum class FluidKind { liquid, gas };
inline Choices choicesOf(FluidKind) { return {"liquid", "gas"}; }

// linear: p = k (ρ − ρ₀), Kelager 4.12. tait: p = k ρ₀/7 ((ρ/ρ₀)⁷ − 1), with the same slope at rest density.
enum class StateEquation { linear, tait };
inline Choices choicesOf(StateEquation) { return {"linear", "tait"}; }

// mueller: Laplacian of the viscosity kernel (Müller 2003). morris: finite differences along the kernel gradient
// (Morris 1997). xsph: velocity blending, clamped to what is stable. implicit: solves for the velocities after the
// step, so that any viscosity is stable (Weiler 2018). fractional: mueller applied to the velocity history (Özgen
// 2013).
enum class ViscosityModel { mueller, morris, xsph, implicit, fractional };
inline Choices choicesOf(ViscosityModel) { return {"mueller", "morris", "xsph", "implicit", "fractional"}; }

// Rest length of a new spring: the current distance of its particles, or the support radius, which attracts nothing.
enum class SpringRest { distance, radius };
inline Choices choicesOf(SpringRest) { return {"distance", "radius"}; }

// colorField: curvature from the Laplacian of the colour field, Kelager 4.32. cohesion: pairwise attraction, Akinci et
// al. 2013, which conserves momentum, keeps drops of few particles round and reproduces the N/m given.
enum class TensionModel { colorField, cohesion };
inline Choices choicesOf(TensionModel) { return {"colorField", "cohesion"}; }

// Smoothing kernels of wcsph. muller: poly6 for density, spiky for pressure (Müller 2003). spiky (Güdükbay 2012),
// cubicSpline (Monaghan 1992) and wendland (1995): one kernel for both, scaled so that a lattice has its rest density.
enum class SmoothingKernel { muller, spiky, cubicSpline, wendland };
inline Choices choicesOf(SmoothingKernel) { return {"muller", "spiky", "cubicSpline", "wendland"}; }

struct WcsphFluidParams {
    float kernelParticles = 30;
    SmoothingKernel kernel = SmoothingKernel::muller;
    StateEquation stateEquation = StateEquation::linear;
    float attraction = 0.1f;
};

template <class Visit>
void describe(Visit&& visit, WcsphFluidParams& p) {
    visit(
        p.kernelParticles,
        About{"kernelParticles", "kpt", "",
              "Target number of neighbours within the support radius. The other solvers have about 33.", 8, 200, 12, 60}
            .section("Weakly compressible SPH", SectionPlace::solver)
            .initialOnly());
    visit(p.kernel, About{"kernel", "knl", "",
                          "Smoothing kernel. muller has one per force; the others use one for all forces, which "
                          "keeps stiff and light fluids calm."});
    visit(p.stateEquation,
          About{"stateEquation", "steq", "", "How pressure grows with density. tait resists strong compression more."});
    visit(p.attraction, About{"attraction", "att", "",
                              "Fraction of the stiffness that pulls particles together where the density is "
                              "below rest.",
                              0, 1, 0, 1});
}

struct FractionalParams {
    float order = 0.5f;
    int memory = 10;
};

template <class Visit>
void describe(Visit&& visit, FractionalParams& p) {
    visit(p.order,
          About{"fractionalOrder", "frod", "",
                "Order of the fractional derivative in viscosity and hardening: near 1 only the present counts, near 0 "
                "all of the history counts equally.",
                0.001, 0.999, 0.1, 0.9}
              .section("Fractional viscosity", SectionPlace::mechanics));
    visit(p.memory, About{"fractionalMemory", "frme", "",
                          "Length of the velocity history in steps, the current one included.", 1, 1000, 1, 50});
}

// Double-density relaxation with springs that harden: pastes.
struct DoubleDensityParams {
    float nearStiffness = 10;
    float approachDamping = 20;
    float impactDamping = 10;
    float springStiffness = 300;
    SpringRest springRest = SpringRest::distance;
    float yieldRatio = 0.1f;
    float plasticity = 3;
    float hardening = 10;
    float hardeningSpeed = 1;
    float hardeningMemory = 1;
    int hardeningStride = 0;
    float wallGrip = 1;
};

template <class Visit>
void describe(Visit&& visit, DoubleDensityParams& p) {
    visit(p.nearStiffness, About{"nearStiffness", "nstf", "m²/s²",
                                 "Keeps particles from clustering and the surface together.", 0, 1e6, 0, 100}
                               .section("Pastes (double density)"));
    visit(p.approachDamping,
          About{"approachDamping", "apdm", "1/s",
                "Damping of particles that approach each other, linear in their speed.", 0, 1e5, 0, 200});
    visit(p.impactDamping,
          About{"impactDamping", "imdm", "1/m",
                "Damping of particles that approach each other, quadratic in their speed.", 0, 1e5, 0, 200});
    visit(p.springStiffness, About{"springStiffness", "spst", "1/s²",
                                   "Stiffness of the springs between particles. 0: no springs.", 0, 1e7, 0, 5000});
    visit(p.springRest, About{"springRest", "sprs", "",
                              "Rest length of a new spring: the distance of its particles, or the "
                              "support radius."});
    visit(p.yieldRatio, About{"yieldRatio", "yldr", "", "Strain that springs bear before they yield.", 0, 10, 0, 0.5});
    visit(p.plasticity,
          About{"plasticity", "plst", "1/s", "How fast rest lengths change beyond the yield strain.", 0, 1e4, 0, 50});
    visit(p.hardening, About{"hardening", "hard", "", "By what factor shearing stiffens the springs.", 0, 1e3, 0, 20});
    visit(p.hardeningSpeed, About{"hardeningSpeed", "hdsp", "m/s",
                                  "Relative speed of neighbours that gives full hardening when kept up "
                                  "for all of hardeningMemory.",
                                  1e-4, 1e4, 0.01, 5});
    visit(p.hardeningMemory,
          About{"hardeningMemory", "hdme", "s",
                "How long past motion contributes to hardening. Cornstarch: about a second.", 0.001, 100, 0.1, 5});
    visit(p.hardeningStride, About{"hardeningStride", "hdsr", "",
                                   "Steps between two samples of the velocity history; more saves memory and time. 0: "
                                   "chosen for about a hundred samples.",
                                   0, 1000, 0, 10});
    visit(p.wallGrip, About{"wallGrip", "wgrp", "",
                            "How firmly colliders hold hardened fluid: 0 not at all, 1 it sticks.", 0, 1, 0, 1});
}

// Defaults are water, with 50 times the physical viscosity of 0.001 Pa·s: at a spacing of 1 cm, that would damp
// velocity differences between neighbouring particles within 10 s, and a pool would not calm down. 0.05 Pa·s takes 0.2
// s, while 10 cm ripples last 2.5 s and jets and splashes move as if inviscid. Explicit viscosity of this size does not
// limit the time step for spacings above half a millimetre. Cohesion holds jets and drops of few particles together.
// The stiffness lets water compress by a few percent with wcsph (Kelager 2006, §6.5).
struct FluidParams {
    FluidKind kind = FluidKind::liquid;
    float restDensity = 998.29f;
    float particleSpacing = 0.02f;
    float stiffness = 100;
    WcsphFluidParams wcsph;
    ViscosityModel viscosityModel = ViscosityModel::mueller;
    float viscosity = 0.05f;
    FractionalParams fractional;
    float surfaceTension = 0.0728f;
    TensionModel tensionModel = TensionModel::cohesion;
    float surfaceThreshold = 0;
    float buoyancy = 0;
    float drag = 0;
    float dispersion = 0;
    float restitution = 0;
    DoubleDensityParams doubleDensity;
    float jitter = 0;
    Vec3 startVelocity{0, 0, 0};
    Vec3 color{0.12f, 0.38f, 0.62f};
    float opacity = 0;
    FluidReference reference;
};

template <class Visit>
void describe(Visit&& visit, FluidParams& p) {
    visit(p.kind, About{"kind", "knd", "", "A liquid falls and has a surface; a gas rises by buoyancy and has none."});
    visit(p.restDensity,
          About{"restDensity", "rdns", "kg/m³", "Density of the fluid at rest.", 1e-3, 1e5, 0.5, 3000}.initialOnly());
    visit(p.particleSpacing,
          About{"particleSpacing", "psp", "m",
                "Distance between particles at rest. Halving it makes eight times as many particles.", 1e-6, kUnbounded,
                0.001, 0.1}
              .initialOnly());
    visit(p.stiffness, About{"stiffness", "stf", "m²/s²",
                             "Pressure per density above rest, with wcsph and doubleDensity. Stiffer fluids compress "
                             "less and need shorter steps.",
                             0, 1e6, 1, 500}
                           .section("Pressure", SectionPlace::solver));
    describe(visit, p.wcsph);
    visit(p.viscosityModel,
          About{"viscosityModel", "vmod", "",
                "How viscosity is computed. Use implicit for honey and lava: it is stable at any time step."}
              .section("Viscosity", SectionPlace::mechanics));
    visit(p.viscosity,
          About{"viscosity", "visc", "Pa·s",
                "Internal friction. Below 0.05 (water), motion finer than the particle spacing is hardly damped and a "
                "pool does not calm down. Honey is 10, lava 100 to 1000, both with viscosityModel implicit.",
                0, 1e6, 0, 10});
    describe(visit, p.fractional);
    visit(p.surfaceTension,
          About{"surfaceTension", "suft", "N/m", "Contracts the surface. Water has 0.0728.", 0, 1e4, 0, 1}.section(
              "Surface"));
    visit(p.tensionModel,
          About{"tensionModel", "tmdl", "",
                "cohesion: particles attract each other, jets and drops hold together, and the tension is accurate; "
                "colorField: flattens the surface by the Laplacian of the colour field."});
    visit(p.surfaceThreshold,
          About{"surfaceThreshold", "sfth", "1/m",
                "Colour field gradient above which a particle belongs to the surface. 0: √(restDensity / "
                "kernelParticles), or with referenceTension the outer third of a support radius.",
                0, 1e6, 0, 50});
    visit(p.buoyancy, About{"buoyancy", "buoy", "", "How fast a gas rises where it is thinner than its rest density.",
                            0, 1e3, 0, 20}
                          .section("In the air"));
    visit(p.drag, About{"drag", "drg", "1/s", "Drag of the surrounding air: fraction of the velocity lost per second.",
                        0, 1e4, 0, 5});
    visit(p.dispersion, About{"dispersion", "disp", "m²/s",
                              "How fast the colour spreads into other fluids with a dispersion above 0. 0: no mixing.",
                              0, 1e3, 0, 0.01});
    visit(p.restitution,
          About{"restitution", "rest", "", "Bounce off colliders: 0 is none, 1 is perfectly elastic.", 0, 1, 0, 1});
    describe(visit, p.doubleDensity);
    visit(p.jitter, About{"jitter", "jit", "", "Random offset of the initial particles, in spacings.", 0, 0.5, 0, 0.2}
                        .section("Start and look", SectionPlace::display)
                        .initialOnly());
    visit(p.startVelocity,
          About{"startVelocity", "stv", "m/s", "Velocity of the fluid that fills inMesh at the start."}.initialOnly());
    visit(p.color, About{"color", "clr", "rgb", "Colour in the viewport and in previews.", 0, 1, 0, 1});
    visit(p.opacity,
          About{"opacity", "opa", "",
                "Opacity in the viewport and in previews: 0 is clear like water, 1 is opaque like milk.", 0, 1, 0, 1});
    describe(visit, p.reference);
}

// A named material. Saved scenes store its index in the table: append new ones at the end.
struct FluidPreset {
    const char* name;
    FluidParams params;
    Vec3 glow{};  // light that it emits, linear RGB; previews show it if the mesh has no shader
};
const std::vector<FluidPreset>& fluidPresets();
// Throws Error listing the known names.
FluidParams fluidPreset(const std::string& name);

// disc: flows through a disc along its y axis. volume: fills the free space of a closed mesh. surface: flows off the
// faces of a mesh along their normals. curve: flows out of a tube around a curve.
enum class EmitterShape { disc, volume, surface, curve };
inline Choices choicesOf(EmitterShape) { return {"disc", "volume", "surface", "curve"}; }

// tangent: from the tube's cross-section along the curve; normal: off the tube's wall, away from the curve.
enum class CurveFlow { tangent, normal };
inline Choices choicesOf(CurveFlow) { return {"tangent", "normal"}; }

struct EmitterParams {
    EmitterShape shape = EmitterShape::disc;
    float rate = 1;
    float speed = 1;
    float radius = 0.05f;
    CurveFlow curveFlow = CurveFlow::tangent;
    float spread = 0;
    float jitter = 0;
    float inheritVelocity = 0;
    float startTime = 0;
    float endTime = 0;
    float maxVolume = 0;
    int seed = 1;
};

template <class Visit>
void describe(Visit&& visit, EmitterParams& p) {
    visit(p.shape, About{"shape", "shp", "",
                         "disc: emits along its y axis; volume: fills its mesh; surface: emits along the normals of "
                         "its mesh; curve: emits from a tube around its curve."}
                       .section("Emitter", SectionPlace::identity));
    visit(p.rate, About{"rate", "rat", "l/s", "Emitted volume in litres per second.", 0, 1e6, 0, 20});
    visit(p.speed, About{"speed", "spd", "m/s", "Speed of the emitted fluid.", 0, 1e3, 0, 10});
    visit(p.radius,
          About{"radius", "ra", "m", "Radius of the disc, or of the tube around the curve.", 0, kUnbounded, 0, 0.5});
    visit(p.curveFlow, About{"curveFlow", "cvf", "",
                             "tangent: flows along the curve; normal: flows off the tube, away from the curve."});
    visit(p.spread, About{"spread", "spr", "", "Random change of direction: 0 is a beam, 1 a hemisphere.", 0, 1, 0, 1});
    visit(p.jitter, About{"jitter", "jit", "", "Random offset of the emitted particles, in spacings.", 0, 0.5, 0, 0.5});
    visit(p.inheritVelocity, About{"inheritVelocity", "inhv", "",
                                   "Fraction of the emitter's own velocity added to the emitted fluid.", 0, 1, 0, 1});
    visit(p.startTime,
          About{"startTime", "stt", "s", "Emission starts this long after the start of the simulation.", 0, 1e6, 0, 10}
              .section("When"));
    visit(p.endTime, About{"endTime", "ent", "s",
                           "Emission stops this long after the start of the simulation. 0: never.", 0, 1e6, 0, 10});
    visit(p.maxVolume,
          About{"maxVolume", "mxv", "l", "Emission stops after this many litres. 0: never.", 0, 1e9, 0, 1000});
    visit(p.seed, About{"seed", "sd", "", "Seed of the random numbers.", 0, 2147483647, 0, 1000});
}

}  // namespace purl
