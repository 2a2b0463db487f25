// Parameters of the simulation as a whole: gravity, time steps, the pressure solver and its accuracy.
#pragma once
#include "solver/core/describe.h"
#include "solver/core/vec.h"
#include "solver/reference/params.h"

namespace purl {

enum class Integrator { leapFrog, semiImplicitEuler };
inline Choices choicesOf(Integrator) { return {"leapFrog", "semiImplicitEuler"}; }

// wcsph: pressure from an equation of state (Kelager 2006). pbf: position corrections until the density constraint
// holds (Macklin and Müller 2013). dfsph: pressure solves for constant density and zero divergence (Bender and Koschier
// 2015). doubleDensity: double-density relaxation with springs (Clavet 2005), which can harden under impact (Özgen
// 2013).
enum class PressureSolver { wcsph, pbf, dfsph, doubleDensity };
inline Choices choicesOf(PressureSolver) { return {"wcsph", "pbf", "dfsph", "doubleDensity"}; }

struct WcsphParams {
    Integrator integrator = Integrator::leapFrog;
    Vec3 periodicSize{0, 0, 0};
    Vec3 periodicCenter{0, 0, 0};
    float wallAdhesion = 0;
};

template <class Visit>
void describe(Visit&& visit, WcsphParams& p) {
    visit(p.integrator, About{"integrator", "intg", "", "Time integration scheme."}.section("Weakly compressible SPH",
                                                                                            SectionPlace::solver));
    visit(p.periodicSize,
          About{"periodicSize", "pers", "m",
                "Size of a periodic box. Particles that leave it on one side enter on the opposite side. 0: open.", 0,
                kUnbounded, 0, 10});
    visit(p.periodicCenter, About{"periodicCenter", "perc", "m", "Centre of the periodic box."});
    visit(p.wallAdhesion,
          About{"wallAdhesion", "wadh", "",
                "Attraction to particles and volumeMap boundaries, as a fraction of the pressure there.", 0, 1, 0, 1});
}

struct PbfParams {
    int iterations = 5;
    float relaxation = 1e-3f;
    float artificialPressure = 0.1f;
    float artificialPressurePower = 4;
    float artificialPressureDistance = 0.2f;
};

template <class Visit>
void describe(Visit&& visit, PbfParams& p) {
    visit(p.iterations, About{"pbfIterations", "pbit", "", "Maximum iterations per step.", 1, 10000, 1, 20}.section(
                            "Position-based fluids", SectionPlace::solver));
    visit(p.relaxation, About{"relaxation", "rlx", "",
                              "Softens the density constraint of particles with few neighbours, relative to the "
                              "constraint gradient of a full neighbourhood.",
                              1e-9, 10, 0, 0.1});
    visit(p.artificialPressure,
          About{"artificialPressure", "apr", "",
                "Keeps particles from clumping, with the repulsion of this much compression at a distance of "
                "artificialPressureDistance.",
                0, 10, 0, 1});
    visit(p.artificialPressurePower, About{"artificialPressurePower", "aprp", "",
                                           "How steeply artificialPressure falls off with distance.", 1, 16, 1, 8});
    visit(p.artificialPressureDistance,
          About{"artificialPressureDistance", "aprd", "",
                "Distance at which artificialPressure has the given strength, in support radii.", 0, 0.9, 0.1, 0.5});
}

struct DfsphParams {
    float maxDivergenceError = 0.1f;
    int minIterations = 2;
    int maxIterations = 100;
};

template <class Visit>
void describe(Visit&& visit, DfsphParams& p) {
    visit(p.maxDivergenceError,
          About{"maxDivergenceError", "mxdv", "%",
                "Iterate until the velocities compress the fluid by less than this per step.", 1e-6, 100, 0.01, 1}
              .section("Divergence-free SPH", SectionPlace::solver));
    visit(p.minIterations,
          About{"minIterations", "mnit", "", "Minimum iterations of the density solver.", 0, 1000, 0, 10});
    visit(p.maxIterations, About{"maxIterations", "mxit", "",
                                 "Maximum iterations of the density and of the divergence solver.", 1, 100000, 1, 200});
}

struct SolverParams {
    int dimensions = 3;
    float gravity = 9.81f;
    Vec3 gravityDirection{0, -1, 0};
    int subSteps = 1;
    float maxTimeStep = 0;
    float minTimeStep = 1e-5f;
    float cfl = 0.2f;
    PressureSolver pressureSolver = PressureSolver::dfsph;
    float maxDensityError = 0.01f;
    float xsph = 0.01f;
    float vorticityConfinement = 0;
    float maxViscosityError = 0.1f;
    int maxViscosityIterations = 100;
    DfsphParams dfsph;
    PbfParams pbf;
    WcsphParams wcsph;
    float timeScale = 1;
    int maxParticles = 5000000;
    bool origins = false;
    SolverReference reference;
};

template <class Visit>
void describe(Visit&& visit, SolverParams& p) {
    visit(p.dimensions,
          About{"dimensions", "dims", "",
                "3, or 2 for a fluid in the plane z = 0, with volumes and masses per metre of depth.", 2, 3, 2, 3}
              .section("World", SectionPlace::construction)
              .initialOnly());
    visit(p.gravity, About{"gravity", "grty", "m/s²", "Strength of gravity.", -kUnbounded, kUnbounded, 0, 20});
    visit(p.gravityDirection, About{"gravityDirection", "grdi", "", "Direction of gravity; its length is ignored."});
    visit(p.subSteps, About{"subSteps", "sstp", "", "Minimum number of steps per frame.", 1, 1000, 1, 20}.section(
                          "Time steps", SectionPlace::solver));
    visit(p.maxTimeStep,
          About{"maxTimeStep", "mts", "s",
                "Longest time step. 0: the longest that the fluids' stiffness and viscosity allow.", 0, 1, 0, 0.01});
    visit(p.minTimeStep,
          About{"minTimeStep", "mnts", "s", "Fast particles do not shorten the time step below this.", 0, 1, 0, 0.001});
    visit(p.cfl, About{"cfl", "cfl", "",
                       "How far a particle may travel in one step, in support radii; faster particles shorten the "
                       "step. 0: no limit. With wcsph it is 1, and applies only if maxTimeStep is 0.",
                       0, 1, 0, 1});
    visit(p.pressureSolver,
          About{"pressureSolver", "psol", "",
                "How the fluid keeps its volume. dfsph: accurate, with long steps; pbf: fast and robust; wcsph: "
                "slightly compressible and springy; doubleDensity: for pastes and fluids that harden under impact."}
              .section("Pressure", SectionPlace::solver)
              .initialOnly());
    visit(p.maxDensityError,
          About{"maxDensityError", "mxde", "%", "With dfsph and pbf, iterate until the mean compression is below this.",
                1e-6, 100, 0.001, 1});
    visit(p.xsph, About{"xsph", "xsph", "",
                        "Fraction of the velocity difference to its neighbours that a particle gives up each step, "
                        "with dfsph and pbf.",
                        0, 1, 0, 0.2});
    visit(p.maxViscosityError,
          About{"maxViscosityError", "mxve", "%",
                "Iterate implicit viscosity until the relative residual is below this.", 1e-4, 100, 0.01, 10}
              .section("Viscosity and swirls"));
    visit(p.maxViscosityIterations,
          About{"maxViscosityIterations", "mxvi", "", "Maximum iterations of implicit viscosity.", 1, 100000, 1, 200});
    visit(p.vorticityConfinement,
          About{"vorticityConfinement", "vort", "", "Amplifies swirls that would otherwise fade, with dfsph and pbf.",
                0, 1e3, 0, 2});
    describe(visit, p.dfsph);
    describe(visit, p.pbf);
    describe(visit, p.wcsph);
    visit(p.timeScale,
          About{"timeScale", "tisc", "", "Speed of time: 0.5 is half speed, 0 stops it.", 0, 100, 0, 2}.section(
              "Limits", SectionPlace::display));
    visit(p.maxParticles, About{"maxParticles", "mxp", "", "Emission stops at this many particles.", 0, 2e9, 0, 1e7});
    visit(p.origins, About{"origins", "org", "",
                           "Store where each particle was created, and by which volume or emitter; 32 bytes per "
                           "particle."}
                         .initialOnly());
    describe(visit, p.reference);
}

}  // namespace purl
