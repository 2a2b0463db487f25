// What follows from a fluid's parameters: particle mass, support radius, threshold, step limit, and the table of
// constants that kernels read by a particle's body.
#pragma once
#include <cmath>

#include "solver/core/buffer.h"
#include "solver/fluid/kernels.h"
#include "solver/scene.h"

namespace purl {

// A particle stands for spacing³ of fluid: m = ρ₀ V / n   Kelager 5.12; in the plane for spacing² by a metre of depth
double particleMass(const FluidParams& params, int dimensions = 3);
// h = ∛(3 V x / (4π n)) with V/n = spacing³   Kelager 5.14; in the plane √(A x / (π n))
double supportRadius(const FluidParams& params, int dimensions = 3);
// The same, as the scene's pressure solver has it: pbf and dfsph weigh all fluids by one kernel, two spacings of the
// coarsest wide, so that what i does to j is what j does to i.
double supportRadius(const Scene& scene, const FluidParams& params);
// visit(r) for every site of the lattice around one of its own, which is included: cubic, or square in the plane.
template <class Visit>
void forEachSite(double spacing, double radius, int dimensions, Visit&& visit) {
    const int reach = static_cast<int>(radius / spacing) + 1, layers = dimensions == 3 ? reach : 0;
    for (int z = -layers; z <= layers; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x) visit(spacing * std::sqrt(double(x * x + y * y + z * z)));
}
// V = 1 / Σ W over a lattice: counted with this volume, particles `spacing` apart have their rest density exactly
// (with h = 2 spacings it is spacing³ to 2 parts in 10 000).
double latticeVolume(double spacing, const CubicSpline& W, int dimensions = 3);
// ℓ = √(ρ₀ / x)   Kelager 5.17, unless the parameter says otherwise
double surfaceThreshold(const FluidParams& params);
// The colour field's gradient over the distance from the neighbours' centroid, at a flat surface: 1/m². In space
// 315/(256 h) over 3/8 h, in the plane 128/(35π h) over 4/(3π) h.
double centroidScale(double h, int dimensions);
// Σ V W over the layers of a lattice on one side of a particle, the first a spacing away: what a boundary half a
// spacing before it stands for.
double shareOfLayers(const CubicSpline& W, double spacing);
// A boundary should repel a particle as fluid of the particle's own pressure would, Σ (p + p) V ∇W. One that adds to
// the density what fluid in its place would gives half of that, Σ p V ∇W. So towards boundaries the kernel is narrower:
// half a spacing before a plane it adds as much (W's own layers a spacing apart) and is `steepness` times as steep.
// Then fluid at rest keeps its distance from boundaries, and its pressure is ρ g h down
// to the floor.
CubicSpline steepWallSpline(const CubicSpline& W, double spacing, double steepness);
// On a lattice it is 2. Fluid that has settled is less even, its layer next to the boundary denser; pbf leaves it
// compressed a little, and one layer of points fades faster than a volume: these are what makes its pressure on the
// floor right.
double wallSteepness(PressureSolver solver, bool points);
// wcsph's: 2, unless its kernel reaches more than two layers (support radius over spacing). A steep spline would add
// too little to the second of them; then a boundary is as steep as the fluid, and its pressure counts twice.
double wallSteepness(double reach);

// Whether pressures are solved for; the others push with what compression there is.
inline bool solvesPressure(PressureSolver solver) {
    return solver == PressureSolver::pbf || solver == PressureSolver::dfsph;
}

// The longest step that stiffness allows: sound may cross 0.4 h.   0.4 h / √k
double stiffnessStepLimit(const FluidParams& params, int dimensions = 3);
// The same among the scene's fluids: the pressure of a heavy one acts on a light one too. A pressure is k ρ₀
// times the compression, and a pair's force comes half from each side:   k = (kᵢ + kⱼ ρⱼ/ρᵢ) / 2
double stiffnessStepLimit(const Scene& scene, const FluidParams& params);
// The longest step that cohesion allows: the shortest capillary wave may cross a spacing.   √(ρ₀ s³ / (4π σ)), after
// Brackbill et al. 1992, eq. 61
double tensionStepLimit(const FluidParams& params);
// The longest step that viscosity allows: more injects energy instead of taking it.   1.5 ρ₀ h² / (15 μ), and with 24
// for Morris's form, ∇W being steeper; implicit and xsph take any. What fractional viscosity remembers allows more.
double viscosityStepLimit(const FluidParams& params, int dimensions = 3);
double stepLimit(const FluidParams& params, int dimensions = 3);
// The longest step the scene's fluids allow when at rest: the above; for pbf and dfsph stiffness does not matter, but
// gravity and fields do:   α √(h/|a|)   Bayraktar 5.26, unless cfl is 0; with α = cfl/2, for longer steps boil at rest
double stepLimit(const Scene& scene);
// The longest step at this speed, m/s:   α h/|v|   Bayraktar 5.27, with α = cfl, of wcsph 1
double speedStepLimit(const Scene& scene, double speed);
// The longest step at this acceleration, m/s²:   α √(h/|a|)   Bayraktar 5.26
double accelerationStepLimit(const Scene& scene, double acceleration);

// One fluid, as kernels read it.
struct FluidConstants {
    Poly6 poly6;
    Spiky spiky;
    ViscosityKernel viscosityKernel;
    CubicSpline spline;
    Wendland wendland;
    int dimensions;
    float spacing;                // m
    float mass, inverseMass;      // kg, 1/kg; of a metre of depth in the plane, like volumes
    float restDensity;            // kg/m³
    float inverseRestDensity;     // m³/kg
    float restVolume;             // m³, that pbf and dfsph count a particle with
    float stiffness, attraction;  // m²/s², above and below rest density
    float viscosity;              // Pa·s
    float sweptViscosity;         // Pa·s, in the one sweep of all forces; 0 where the model has separate passes
    ViscosityModel viscosityModel;
    float surfaceTension;     // N/m, of the colour field
    float cohesion, evening;  // of the tension by cohesion; see cohesion.h
    float surfaceThreshold;   // 1/m
    float centroidScale;      // 1/m²
    float latticeShare;       // that scales the density's kernel; 1 for muller
    FluidKind kind;
    SmoothingKernel kernel;
    StateEquation stateEquation;
    PressureForm pressureForm;
    ReferenceTension referenceTension;  // none: the colour field or cohesion
    FluidParams params;  // as set by the user: buoyancy, drag, dispersion, and whatever needs no precomputation

    // Whether the colour field alone defines its surface; see solver/reference/curvature.h for the rest.
    PURL_HD bool hasColorSurface() const {
        return kind == FluidKind::liquid && referenceTension == ReferenceTension::none;
    }
    // wcsph's kernels: what density and pressure weigh by.
    PURL_HD float densityWeight(float r2) const {
        if (kernel == SmoothingKernel::muller) return poly6(r2);
        const float r = std::sqrt(r2);
        return latticeShare * (kernel == SmoothingKernel::spiky         ? spiky(r)
                               : kernel == SmoothingKernel::cubicSpline ? spline(r)
                                                                        : wendland(r));
    }
    PURL_HD float pressureGradient(float r) const {
        return kernel == SmoothingKernel::cubicSpline ? spline.gradientFactor(r)
               : kernel == SmoothingKernel::wendland  ? wendland.gradientFactor(r)
                                                      : spiky.gradientFactor(r);
    }
};
FluidConstants constantsOf(const FluidParams& params, double support, int dimensions = 3);
// The same for wcsph's kernels. With it boundary pressure is the gradient of the density that a boundary adds, as it is
// among the fluid: twice the pressure of a boundary as steep as the fluid is no such gradient, and stirs water at rest.
CubicSpline steepWallSpline(const FluidConstants& fluid, double steepness);
inline FluidConstants constantsOf(const FluidParams& params) { return constantsOf(params, supportRadius(params)); }

// One field, as kernels read it.
struct FieldConstants {
    Vec3 acceleration;  // m/s²
    Vec3 position;
    float radius;  // m; 0: everywhere
};

// All that forces read of a scene. Remade at every call, so that edits between calls hold from the next step on.
struct Materials {
    explicit Materials(const Device& device = Device::cpu()) : fluids(device), fields(device) {}
    void set(const Scene& scene);

    Buffer<FluidConstants> fluids;
    Buffer<FieldConstants> fields;
    CubicSpline spline;              // of pbf and dfsph
    CubicSpline wallSpline;          // the same, towards boundaries; see steepWallSpline
    float wallPush = 1;              // of wcsph: times the gradient of what boundaries add to the density
    float wallShare = 1;             // of the wall spline's gradient that is the fluid's own
    float spacing = 1;               // m, the smallest
    bool uniform = true;             // all fluids have one rest density and one spacing
    bool frictionPass = false;       // some fluid's viscosity is morris or xsph
    bool implicitViscosity = false;  // some fluid's is implicit
    bool fractional = false;         // some fluid's is fractional
    bool curved = false;             // some fluid takes its curvature from normals
    bool cohesive = false;           // some fluid has cohesion
    float dispersion = 0;            // m²/s, the largest
    bool colored = false;            // each particle has a colour: some fluid disperses, or a fabric soaks
    int dimensions = 3;
    Vec3 gravity;            // m/s²
    float searchRadius = 1;  // m, the largest support radius: each particle weighs what it finds by its own
};

}  // namespace purl
