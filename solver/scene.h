// Scene: everything a user may set, at one moment, as plain values with defaults, in SI units.
// Nodes gather it from Maya's graph, Python and tests build it by hand; the Simulator only reads it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/core/describe.h"
#include "solver/core/vec.h"
#include "solver/params/cloth.h"
#include "solver/params/knit.h"
#include "solver/params/softBody.h"

namespace purl {

// Triangles in world space.
struct TriangleMesh {
    std::vector<Vec3> vertices;
    std::vector<int> triangles;  // three vertex indices each, counter-clockwise seen from outside

    bool empty() const { return triangles.empty(); }
    bool operator==(const TriangleMesh& other) const {
        return vertices == other.vertices && triangles == other.triangles;
    }
};

// Where a primitive stands: local point p is at position + axes · p in the world. The axes are orthonormal.
struct Pose {
    Vec3 position;
    Mat3 axes;

    PURL_HD Vec3 toWorld(Vec3 local) const { return position + axes * local; }
    PURL_HD Vec3 toLocal(Vec3 world) const { return transposed(axes) * (world - position); }
    bool operator==(const Pose& other) const { return position == other.position && axes == other.axes; }
};

// ---- solver ---------------------------------------------------------------------------------------------------

// rungeKutta4 measures all forces four times a step, the others once.
enum class Integrator { leapFrog, semiImplicitEuler, verlet, velocityVerlet, rungeKutta4 };
inline Choices choicesOf(Integrator) {
    return {"leapFrog", "semiImplicitEuler", "verlet", "velocityVerlet", "rungeKutta4"};
}

// wcsph: pressure from a state equation (Kelager 2006); pbf: positions are moved until the density is right (Macklin
// and Müller 2013); dfsph: pressures are solved for until density and divergence are right (Bender and Koschier 2015);
// doubleDensity: particles are pushed apart by two densities and held by springs (Clavet 2005), for fluids that harden
// under blows (Özgen 2013).
enum class PressureSolver { wcsph, pbf, dfsph, doubleDensity };
inline Choices choicesOf(PressureSolver) { return {"wcsph", "pbf", "dfsph", "doubleDensity"}; }

struct SolverParams {
    int dimensions = 3;
    float gravity = 9.81f;
    Vec3 gravityDirection{0, -1, 0};
    int subSteps = 1;
    float maxTimeStep = 0;
    float minTimeStep = 1e-5f;
    float cfl = 0.2f;
    Integrator integrator = Integrator::leapFrog;
    PressureSolver pressureSolver = PressureSolver::dfsph;
    float maxDensityError = 0.01f;
    float maxDivergenceError = 0.1f;
    int minIterations = 2;
    int maxIterations = 100;
    int pbfIterations = 5;
    float relaxation = 1e-3f;
    float artificialPressure = 0.1f;
    float artificialPressurePower = 4;
    float artificialPressureDistance = 0.2f;
    float xsph = 0.01f;
    float maxViscosityError = 0.1f;
    int maxViscosityIterations = 100;
    float vorticityConfinement = 0;
    Vec3 periodicSize{0, 0, 0};
    Vec3 periodicCenter{0, 0, 0};
    float wallRepulsion = 1;
    float wallRange = 1;
    float wallStiffness = 1e5f;
    float wallDamping = 100;
    float wallAdhesion = 0;
    float timeScale = 1;
    int maxParticles = 5000000;
    bool origins = false;
};

template <class Visit>
void describe(Visit&& visit, SolverParams& p) {
    visit(p.dimensions,
          About{"dimensions", "dims", "",
                "2: the fluid lives in the plane z = 0, and volumes and masses are those of a metre of depth.", 2, 3, 2,
                3});
    visit(p.gravity, About{"gravity", "grty", "m/s²", "Strength of gravity.", -kUnbounded, kUnbounded, 0, 20});
    visit(p.gravityDirection,
          About{"gravityDirection", "grdi", "", "Where gravity pulls; its length does not matter."});
    visit(p.subSteps, About{"subSteps", "sstp", "", "Fewest steps taken in a frame.", 1, 1000, 1, 20});
    visit(p.maxTimeStep,
          About{"maxTimeStep", "mts", "s",
                "Longest step allowed. 0: the longest that the fluids' stiffness and viscosity allow.", 0, 1, 0, 0.01});
    visit(p.minTimeStep, About{"minTimeStep", "mnts", "s", "Steps are not made shorter than this for fast particles.",
                               0, 1, 0, 0.001});
    visit(p.cfl, About{"cfl", "cfl", "",
                       "Support radii a particle may move in a step; fast ones shorten it (wcsph: 1, and only where "
                       "maxTimeStep is 0). 0: any.",
                       0, 1, 0, 1});
    visit(p.integrator, About{"integrator", "intg", "",
                              "How positions and velocities are carried over a step; of wcsph, the others have one."});
    visit(p.pressureSolver,
          About{"pressureSolver", "psol", "",
                "How the fluid keeps its volume: dfsph keeps it exactly and takes long steps, pbf is fast and "
                "forgiving, wcsph is springy, doubleDensity is for pastes and what hardens under blows."});
    visit(p.maxDensityError,
          About{"maxDensityError", "mxde", "%", "pbf and dfsph iterate until the mean compression is below this.", 1e-6,
                100, 0.001, 1});
    visit(p.maxDivergenceError,
          About{"maxDivergenceError", "mxdv", "%",
                "dfsph iterates until no more than this compression a step is left in the velocities.", 1e-6, 100, 0.01,
                1});
    visit(p.minIterations,
          About{"minIterations", "mnit", "", "Fewest iterations of dfsph's density solver.", 0, 1000, 0, 10});
    visit(p.maxIterations,
          About{"maxIterations", "mxit", "", "Most iterations of each of dfsph's solvers.", 1, 100000, 1, 200});
    visit(p.pbfIterations, About{"pbfIterations", "pbit", "", "Most iterations of pbf.", 1, 10000, 1, 20});
    visit(p.relaxation,
          About{"relaxation", "rlx", "",
                "pbf: softens constraints of thin neighbourhoods; share of a full one's steepness.", 1e-9, 10, 0, 0.1});
    visit(p.artificialPressure, About{"artificialPressure", "apr", "",
                                      "pbf: keeps particles apart, as if so much compressed, where they come "
                                      "as near as artificialPressureDistance.",
                                      0, 10, 0, 1});
    visit(p.artificialPressurePower, About{"artificialPressurePower", "aprp", "",
                                           "pbf: how fast the artificial pressure fades with distance.", 1, 16, 1, 8});
    visit(p.artificialPressureDistance,
          About{"artificialPressureDistance", "aprd", "",
                "pbf: where the artificial pressure is as strong as it says, in support radii.", 0, 0.9, 0.1, 0.5});
    visit(p.xsph,
          About{"xsph", "xsph", "",
                "pbf and dfsph: share by which a particle takes on its neighbours' velocity each step.", 0, 1, 0, 0.2});
    visit(p.maxViscosityError,
          About{"maxViscosityError", "mxve", "%",
                "Implicit viscosity iterates until this share of its work is left undone.", 1e-4, 100, 0.01, 10});
    visit(p.maxViscosityIterations,
          About{"maxViscosityIterations", "mxvi", "", "Most iterations of implicit viscosity.", 1, 100000, 1, 200});
    visit(p.vorticityConfinement,
          About{"vorticityConfinement", "vort", "", "pbf and dfsph: keeps swirls alive.", 0, 1e3, 0, 2});
    visit(p.periodicSize, About{"periodicSize", "pers", "m",
                                "wcsph: what leaves a box this wide on one side comes in on the other. 0: open.", 0,
                                kUnbounded, 0, 10});
    visit(p.periodicCenter, About{"periodicCenter", "perc", "m", "Middle of the periodic box."});
    visit(p.wallRepulsion, About{"wallRepulsion", "wrep", "m²/s²",
                                 "wcsph: strength of lennardJones walls; about gravity times depth.", 0, 1e6, 0, 20});
    visit(p.wallRange,
          About{"wallRange", "wrng", "",
                "wcsph: reach of lennardJones walls in support radii; less leaves a narrower gap.", 0, 1, 0, 1});
    visit(p.wallStiffness, About{"wallStiffness", "wstf", "1/s²",
                                 "wcsph: push of dem walls per depth. Stiffer needs smaller steps.", 0, 1e9, 0, 1e6});
    visit(p.wallDamping, About{"wallDamping", "wdmp", "1/s", "wcsph: how dem walls take the bounce.", 0, 1e6, 0, 1e3});
    visit(p.wallAdhesion,
          About{"wallAdhesion", "wadh", "",
                "wcsph: pull towards walls that the fluid sees, in shares of its pressure there.", 0, 1, 0, 1});
    visit(p.timeScale,
          About{"timeScale", "tisc", "", "Speed of time: 0.5 is half speed, 0 stands still.", 0, 100, 0, 2});
    visit(p.maxParticles, About{"maxParticles", "mxp", "", "Emission stops at this many particles.", 0, 2e9, 0, 1e7});
    visit(p.origins, About{"origins", "org", "",
                           "Particles remember where, and by which volume or emitter, they were let in, for 32 bytes "
                           "each; to be set from the start."});
}

// ---- fluids ---------------------------------------------------------------------------------------------------

enum class FluidKind { liquid, gas };
inline Choices choicesOf(FluidKind) { return {"liquid", "gas"}; }

// linear: p = k (ρ − ρ₀), Kelager 4.12; tait: p = k ρ₀/7 ((ρ/ρ₀)⁷ − 1), as steep at rest and far steeper beyond.
enum class StateEquation { linear, tait };
inline Choices choicesOf(StateEquation) { return {"linear", "tait"}; }

enum class PressureForm { symmetric, mean, basic };
inline Choices choicesOf(PressureForm) { return {"symmetric", "mean", "basic"}; }

// How inner friction is reckoned. mueller: by the Laplacian of its own kernel (Müller 2003); morris: by finite
// differences along the kernel's gradient (Morris 1997); xsph: velocities are blended, never more than is stable;
// implicit: the velocities after the step are solved for, so that any viscosity takes any step (Weiler 2018);
// fractional: mueller's on what velocities were of late (Özgen 2013).
enum class ViscosityModel { mueller, morris, xsph, implicit, fractional };
inline Choices choicesOf(ViscosityModel) { return {"mueller", "morris", "xsph", "implicit", "fractional"}; }

// How a fractional derivative is summed: trapezoid takes any order, simpson only ½.
enum class FractionalOperator { trapezoid, simpson };
inline Choices choicesOf(FractionalOperator) { return {"trapezoid", "simpson"}; }

// calibrated: steady shear is as viscous as `viscosity` says; literal: as the formula has it, in Pa·s^order.
enum class FractionalScale { calibrated, literal };
inline Choices choicesOf(FractionalScale) { return {"calibrated", "literal"}; }

// The length at rest of a spring between particles that have just met: how far apart they are, or the support radius,
// which draws nothing together.
enum class SpringRest { distance, radius };
inline Choices choicesOf(SpringRest) { return {"distance", "radius"}; }

// colorField: pulls the surface flat by its curvature, Kelager 4.32; cohesion: particles attract each other, Akinci et
// al. 2013, which keeps momentum and drops of few particles round, and has the N/m it says. The others measure
// curvature as the spread of unit normals (Morris 2000), which are the colour field's, or point from the middle of the
// neighbours to the particle (Bayraktar 5.6, 5.7).
enum class TensionModel { colorField, cohesion, colorNormals, centroidNormals };
inline Choices choicesOf(TensionModel) { return {"colorField", "cohesion", "colorNormals", "centroidNormals"}; }

// How wcsph weighs neighbours. muller: density by poly6, pressure by spiky (Müller 2003); spiky (Güdükbay 2012) and
// cubicSpline (Monaghan 1992) and wendland (1995): both by one kernel, scaled so that a lattice has its rest density.
enum class SmoothingKernel { muller, spiky, cubicSpline, wendland };
inline Choices choicesOf(SmoothingKernel) { return {"muller", "spiky", "cubicSpline", "wendland"}; }

// Defaults are water. Its viscosity is 50 times the handbook's 0.001 Pa·s: that would damp speed differences between
// neighbouring particles at a spacing of 1 cm within 10 s, and a pool would not calm down. At 0.05 Pa·s it takes 0.2 s,
// while ripples of 10 cm last for 2.5 s and jets and splashes move as without viscosity. Explicit viscosity of this
// size does not limit the step for spacings above half a millimetre. Cohesion holds jets and drops of few particles
// together. Stiffness is wcsph's alone: water that compresses by a few percent (Kelager 2006, §6.5).
struct FluidParams {
    FluidKind kind = FluidKind::liquid;
    float restDensity = 998.29f;
    float particleSpacing = 0.02f;
    float kernelParticles = 30;
    SmoothingKernel kernel = SmoothingKernel::muller;
    StateEquation stateEquation = StateEquation::linear;
    float stiffness = 100;
    float attraction = 0.1f;
    ViscosityModel viscosityModel = ViscosityModel::mueller;
    float viscosity = 0.05f;
    float fractionalOrder = 0.5f;
    int fractionalMemory = 10;
    FractionalOperator fractionalOperator = FractionalOperator::trapezoid;
    FractionalScale fractionalScale = FractionalScale::calibrated;
    float surfaceTension = 0.0728f;
    TensionModel tensionModel = TensionModel::cohesion;
    float surfaceThreshold = 0;
    float buoyancy = 0;
    float drag = 0;
    float dispersion = 0;
    float restitution = 0;
    PressureForm pressureForm = PressureForm::symmetric;
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
    float jitter = 0;
    Vec3 startVelocity{0, 0, 0};
    Vec3 color{0.12f, 0.38f, 0.62f};
    float opacity = 0;
};

template <class Visit>
void describe(Visit&& visit, FluidParams& p) {
    visit(p.kind, About{"kind", "knd", "", "A liquid falls and has a surface; a gas rises by buoyancy and has none."});
    visit(p.restDensity, About{"restDensity", "rdns", "kg/m³", "Density at rest.", 1e-3, 1e5, 0.5, 3000});
    visit(p.particleSpacing, About{"particleSpacing", "psp", "m",
                                   "Distance between particles at rest; half of it, eight times the particles.", 1e-6,
                                   kUnbounded, 0.001, 0.1});
    visit(p.kernelParticles,
          About{"kernelParticles", "kpt", "",
                "wcsph: neighbours meant to lie within the smoothing radius. pbf and dfsph have about 33.", 8, 200, 12,
                60});
    visit(p.kernel, About{"kernel", "knl", "",
                          "wcsph: how neighbours are weighed; muller has a kernel for each force, the others one for "
                          "all, which keeps "
                          "stiff and light fluids calm."});
    visit(p.stateEquation, About{"stateEquation", "steq", "",
                                 "wcsph: how pressure grows with density; tait resists strong compression more."});
    visit(p.stiffness, About{"stiffness", "stf", "m²/s²",
                             "wcsph: pressure per density above rest. Stiffer compresses less and needs smaller steps.",
                             0, 1e6, 1, 500});
    visit(p.attraction,
          About{"attraction", "att", "",
                "wcsph: share of the stiffness that pulls together where the density is below rest.", 0, 1, 0, 1});
    visit(p.viscosityModel,
          About{"viscosityModel", "vmod", "",
                "How inner friction is reckoned; honey and lava want implicit, which allows any step."});
    visit(p.viscosity,
          About{"viscosity", "visc", "Pa·s",
                "Inner friction. Below 0.05 (water) motion finer than the spacing is hardly damped and a pool does not "
                "calm down; honey is 10, lava 100 to 1000, with viscosityModel implicit.",
                0, 1e6, 0, 10});
    visit(p.fractionalOrder, About{"fractionalOrder", "frod", "",
                                   "Order of fractional viscosity and hardening: near 1 nothing is remembered, near 0 "
                                   "all the past counts alike.",
                                   0.001, 0.999, 0.1, 0.9});
    visit(p.fractionalMemory,
          About{"fractionalMemory", "frme", "", "Fractional viscosity: velocities remembered, the newest included.", 1,
                1000, 1, 50});
    visit(p.fractionalOperator, About{"fractionalOperator", "frop", "",
                                      "How the fractional derivative is summed; simpson is of order ½ only."});
    visit(p.fractionalScale,
          About{"fractionalScale", "frsc", "",
                "Fractional viscosity: whether steady shear is as viscous as it says, or the formula "
                "is taken literally."});
    visit(p.surfaceTension,
          About{"surfaceTension", "suft", "N/m", "Pulls the surface flat. Water: 0.0728.", 0, 1e4, 0, 1});
    visit(p.tensionModel,
          About{"tensionModel", "tmdl", "",
                "cohesion makes particles attract each other: jets and drops hold together, and the tension is the N/m "
                "it says; colorField pulls the surface flat by its Laplacian; colorNormals and centroidNormals pull by "
                "the spread of normals."});
    visit(p.surfaceThreshold, About{"surfaceThreshold", "sfth", "1/m",
                                    "Length of the colour field's gradient from which a particle counts as surface. 0: "
                                    "√(restDensity / kernelParticles), or where curvature is taken from normals what "
                                    "marks the outer third of a support radius.",
                                    0, 1e6, 0, 50});
    visit(p.buoyancy,
          About{"buoyancy", "buoy", "", "How fast a gas rises for being thinner than at rest.", 0, 1e3, 0, 20});
    visit(p.drag, About{"drag", "drg", "1/s",
                        "Still air's hold on the fluid: the share of its velocity that it takes a "
                        "second.",
                        0, 1e4, 0, 5});
    visit(p.dispersion,
          About{"dispersion", "disp", "m²/s",
                "How fast its colour spreads into fluids that disperse too. 0: mixes with nothing.", 0, 1e3, 0, 0.01});
    visit(p.restitution, About{"restitution", "rest", "", "Bounce off colliders: 0 none, 1 all.", 0, 1, 0, 1});
    visit(p.pressureForm, About{"pressureForm", "prfm", "",
                                "How two particles' pressures make one force; only symmetric and mean keep momentum."});
    visit(p.nearStiffness,
          About{"nearStiffness", "nstf", "m²/s²",
                "doubleDensity: keeps particles from clustering, and the surface together.", 0, 1e6, 0, 100});
    visit(p.approachDamping,
          About{"approachDamping", "apdm", "1/s",
                "doubleDensity: slows particles that approach each other, by their speed.", 0, 1e5, 0, 200});
    visit(p.impactDamping,
          About{"impactDamping", "imdm", "1/m",
                "doubleDensity: slows particles that approach each other, by its square.", 0, 1e5, 0, 200});
    visit(p.springStiffness,
          About{"springStiffness", "spst", "1/s²",
                "doubleDensity: stiffness of the springs between particles. 0: no springs.", 0, 1e7, 0, 5000});
    visit(p.springRest,
          About{"springRest", "sprs", "", "doubleDensity: the length at rest of a spring between particles that met."});
    visit(p.yieldRatio,
          About{"yieldRatio", "yldr", "", "doubleDensity: strain that springs bear before they flow.", 0, 10, 0, 0.5});
    visit(p.plasticity, About{"plasticity", "plst", "1/s", "doubleDensity: how fast springs flow beyond their yield.",
                              0, 1e4, 0, 50});
    visit(p.hardening, About{"hardening", "hard", "", "doubleDensity: how many times stiffer springs get when sheared.",
                             0, 1e3, 0, 20});
    visit(p.hardeningSpeed,
          About{"hardeningSpeed", "hdsp", "m/s",
                "doubleDensity: relative speed of neighbours that hardens in full, if kept up for all "
                "of the memory.",
                1e-4, 1e4, 0.01, 5});
    visit(p.hardeningMemory,
          About{"hardeningMemory", "hdme", "s", "doubleDensity: how long motion hardens. Real cornstarch: a second.",
                0.001, 100, 0.1, 5});
    visit(p.hardeningStride,
          About{"hardeningStride", "hdsr", "",
                "doubleDensity: steps from one remembered velocity to the next; more save memory and time. 0: as many "
                "as leave a hundred velocities.",
                0, 1000, 0, 10});
    visit(p.wallGrip,
          About{"wallGrip", "wgrp", "",
                "doubleDensity: how fast walls hold what has hardened: 0 not at all, 1 for good.", 0, 1, 0, 1});
    visit(p.jitter, About{"jitter", "jit", "", "Random offset of the filled particles, in spacings.", 0, 0.5, 0, 0.2});
    visit(p.startVelocity, About{"startVelocity", "stv", "m/s", "Velocity of the fill at the start."});
    visit(p.color, About{"color", "clr", "rgb", "Colour in previews.", 0, 1, 0, 1});
    visit(p.opacity, About{"opacity", "opa", "", "Previews: 0 is clear as water, 1 hides what is behind, as milk does.",
                           0, 1, 0, 1});
}

// The documents' materials, and Purl's own default, by name.
struct FluidPreset {
    const char* name;
    FluidParams params;
};
const std::vector<FluidPreset>& fluidPresets();
// Throws Error listing the names there are.
FluidParams fluidPreset(const std::string& name);

// disc: through a disc along its y axis; volume: into the free room of a closed mesh; surface: out of a mesh's faces
// along their normals; curve: out of a tube around a curve.
enum class EmitterShape { disc, volume, surface, curve };
inline Choices choicesOf(EmitterShape) { return {"disc", "volume", "surface", "curve"}; }

// tangent: from anywhere in the tube, along the curve; normal: from the tube's wall, away from the curve.
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
                         "A disc blows along its y axis, a volume fills its mesh, a surface blows along its faces' "
                         "normals, a curve is a tube of fluid."});
    visit(p.rate, About{"rate", "rat", "l/s", "Litres per second.", 0, 1e6, 0, 20});
    visit(p.speed, About{"speed", "spd", "m/s", "Speed of what comes out.", 0, 1e3, 0, 10});
    visit(p.radius,
          About{"radius", "ra", "m", "Radius of the disc, or of the tube around the curve.", 0, kUnbounded, 0, 0.5});
    visit(p.curveFlow, About{"curveFlow", "cvf", "",
                             "Out of the tube along the curve's tangent, or off its wall along the normals."});
    visit(p.spread, About{"spread", "spr", "", "Random turn of the direction: 0 a beam, 1 a hemisphere.", 0, 1, 0, 1});
    visit(p.jitter, About{"jitter", "jit", "", "Random offset of where particles leave, in spacings.", 0, 0.5, 0, 0.5});
    visit(p.inheritVelocity, About{"inheritVelocity", "inhv", "",
                                   "Share of the emitter's own velocity that goes with what comes out.", 0, 1, 0, 1});
    visit(p.startTime,
          About{"startTime", "stt", "s", "Emission begins this long after the simulation.", 0, 1e6, 0, 10});
    visit(p.endTime, About{"endTime", "ent", "s", "Emission ends. 0: never.", 0, 1e6, 0, 10});
    visit(p.maxVolume,
          About{"maxVolume", "mxv", "l", "Emission ends after so many litres. 0: never.", 0, 1e9, 0, 1000});
    visit(p.seed, About{"seed", "sd", "", "Another number, another spray.", 0, 2147483647, 0, 1000});
}

struct Emitter {
    std::string name;
    EmitterParams params;
    Pose pose;                // of the disc: it blows along axes.y
    TriangleMesh mesh;        // of the volume or surface
    std::vector<Vec3> curve;  // points along the curve, in order

    bool operator==(const Emitter& other) const {
        return name == other.name && sameParams(params, other.params) && pose == other.pose && mesh == other.mesh &&
               curve == other.curve;
    }
};

struct Fluid {
    std::string name;
    FluidParams params;
    std::vector<TriangleMesh> volumes;  // filled at the start
    std::vector<Emitter> emitters;

    bool operator==(const Fluid& other) const {
        return name == other.name && sameParams(params, other.params) && volumes == other.volumes &&
               emitters == other.emitters;
    }
};

// ---- colliders ------------------------------------------------------------------------------------------------

enum class ColliderShape { mesh, sphere, box, capsule, plane };
inline Choices choicesOf(ColliderShape) { return {"mesh", "sphere", "box", "capsule", "plane"}; }

// Whether the fluid's density sees a wall, and as what. Whichever it is, no particle passes a wall.
// automatic: contact with wcsph; otherwise a volume map for primitives, particles for meshes, which may deform.
// lennardJones and dem, of wcsph only: not seen by the density, but pushing off from points on the wall, by a law of
// molecules or as balls that touch and rub (Bayraktar §5.1.2).
enum class WallModel { automatic, contact, particles, volumeMap, lennardJones, dem };
inline Choices choicesOf(WallModel) {
    return {"automatic", "contact", "particles", "volumeMap", "lennardJones", "dem"};
}

// keyed: stands where the scene puts it; dynamic: a rigid body, which only starts there.
enum class ColliderMotion { keyed, dynamic };
inline Choices choicesOf(ColliderMotion) { return {"keyed", "dynamic"}; }

// collide: a wall; kill: what comes into it (a container: out of it) is deleted.
enum class ColliderEffect { collide, kill };
inline Choices choicesOf(ColliderEffect) { return {"collide", "kill"}; }

struct ColliderParams {
    ColliderShape shape = ColliderShape::mesh;
    ColliderEffect effect = ColliderEffect::collide;
    ColliderMotion motion = ColliderMotion::keyed;
    bool container = false;
    WallModel boundary = WallModel::automatic;
    float radius = 0.5f;
    Vec3 halfSize{0.5f, 0.5f, 0.5f};
    float halfLength = 0.5f;
    float friction = 0.4f;
    float adhesion = 0;
    float thickness = 0;
    float density = 500;
    float bounce = 0;
    Vec3 startVelocity{0, 0, 0};
    Vec3 startSpin{0, 0, 0};
};

template <class Visit>
void describe(Visit&& visit, ColliderParams& p) {
    visit(p.shape,
          About{"shape", "shp", "", "The connected mesh, or a primitive that stands where the node's matrix says."});
    visit(p.effect, About{"effect", "eff", "",
                          "A wall, or the end of every particle that comes in (a container: that gets out)."});
    visit(p.motion, About{"motion", "mot", "",
                          "keyed: moves as the scene says; dynamic: a solid body that falls, floats and is pushed."});
    visit(p.container, About{"container", "cont", "", "Keeps particles inside instead of outside."});
    visit(p.boundary, About{"boundary", "bndy", "",
                            "How the fluid's density sees the wall: not at all (contact only), as particles on it, or "
                            "as a volume (rigid ones only); wcsph: or points on it push, as molecules or as balls."});
    visit(p.radius, About{"radius", "ra", "m", "Radius of the sphere or capsule.", 0, kUnbounded, 0, 2});
    visit(p.halfSize, About{"halfSize", "hsz", "m", "Half the box's edges.", 0, kUnbounded, 0, 2});
    visit(p.halfLength, About{"halfLength", "hln", "m", "Half the capsule's axis, along y.", 0, kUnbounded, 0, 2});
    visit(
        p.friction,
        About{"friction", "fron", "",
              "0: everything slides freely; 1: what touches it moves along with it. Fluid at 0.4 loses nine tenths of "
              "its sliding speed in a frame. For cloth and between rigid bodies Coulomb's coefficient.",
              0, 1, 0, 1});
    visit(p.adhesion, About{"adhesion", "adh", "N/m",
                            "Work it takes to pull a square metre of fluid off, in J/m². Against cohesion, from its "
                            "surfaceTension on drops cling, and from twice that on they spread out.",
                            0, 1e4, 0, 1});
    visit(p.thickness,
          About{"thickness", "thss", "m", "Particles keep this far from the surface.", 0, kUnbounded, 0, 0.1});
    visit(p.density, About{"density", "dens", "kg/m³", "dynamic: mass per volume; below the fluid's it floats.", 1e-3,
                           1e6, 10, 8000});
    visit(p.bounce, About{"bounce", "bnc", "", "dynamic: off other colliders; 0 none, 1 all.", 0, 1, 0, 1});
    visit(p.startVelocity, About{"startVelocity", "stv", "m/s", "dynamic: velocity at the start."});
    visit(p.startSpin, About{"startSpin", "stsp", "rad/s", "dynamic: spin at the start, about the world's axes."});
}

struct Collider {
    std::string name;
    ColliderParams params;
    Pose pose;          // of a primitive
    TriangleMesh mesh;  // of shape mesh

    bool operator==(const Collider& other) const {
        return name == other.name && sameParams(params, other.params) && pose == other.pose && mesh == other.mesh;
    }
};

// ---- fields ---------------------------------------------------------------------------------------------------

struct FieldParams {
    float magnitude = 9.81f;
    Vec3 direction{0, -1, 0};
    float radius = 0;
};

template <class Visit>
void describe(Visit&& visit, FieldParams& p) {
    visit(p.magnitude, About{"magnitude", "mag", "m/s²", "Acceleration, added to the solver's gravity.", -kUnbounded,
                             kUnbounded, 0, 20});
    visit(p.direction, About{"direction", "dir", "", "Where the field pushes; its length does not matter."});
    visit(p.radius, About{"radius", "ra", "m", "Reach around the field's place. 0: everywhere.", 0, kUnbounded, 0, 10});
}

struct Field {
    std::string name;
    FieldParams params;
    Vec3 position;

    bool operator==(const Field& other) const {
        return name == other.name && sameParams(params, other.params) && position == other.position;
    }
};

// ---- the whole ------------------------------------------------------------------------------------------------

struct Scene {
    SolverParams solver;
    std::vector<Fluid> fluids;
    std::vector<Cloth> cloths;
    std::vector<SoftBody> softBodies;
    std::vector<Knit> knits;
    std::vector<Collider> colliders;
    std::vector<Field> fields;

    bool operator==(const Scene& other) const {
        return sameParams(solver, other.solver) && fluids == other.fluids && cloths == other.cloths &&
               softBodies == other.softBodies && knits == other.knits && colliders == other.colliders &&
               fields == other.fields;
    }
};

// Adds the bodies of `part` to `whole`; the solver's own settings stay the whole's.
void append(Scene& whole, const Scene& part);
// Every length of the scene times `factor`: geometry and the parameters in metres. Velocities and the rest are SI.
void scaleLengths(Scene& scene, double factor);
// Throws Error naming the body and the field that is out of its limits, or two bodies of one name.
void checkScene(const Scene& scene);
// A collider's surface where it stands, for pictures and caches; an endless plane has none.
TriangleMesh outlineOf(const Collider& collider);
// One line a setting, as `purl info` prints it.
std::string toString(const Scene& scene);

}  // namespace purl
