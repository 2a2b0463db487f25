// Quantities derived from a fluid's parameters: particle mass, support radius, surface threshold, time step limits, and
// the table of constants that kernels look up by a particle's body.
#pragma once
#include <cmath>
#include <type_traits>

#include "solver/core/mirrored.h"
#include "solver/fluid/kernels.h"
#include "solver/scene.h"

namespace purl {

// A particle represents spacing³ of fluid: m = ρ₀ V / n   Kelager 5.12; in 2D spacing² times a metre of depth
double particleMass(const FluidParams& params, int dimensions = 3);
// h = ∛(3 V x / (4π n)) with V/n = spacing³   Kelager 5.14; in 2D √(A x / (π n))
double supportRadius(const FluidParams& params, int dimensions = 3);
// The same for the scene's pressure solver: all but wcsph use one kernel for all fluids, with a support of two spacings
// of the coarsest fluid, so that pair interactions are symmetric.
double supportRadius(const Scene& scene, const FluidParams& params);
// Calls visit(r) for every site of a lattice around one of its sites, including that one: cubic in 3D, square in 2D.
template <class Visit>
void forEachSite(double spacing, double radius, int dimensions, Visit&& visit) {
    const int reach = static_cast<int>(radius / spacing) + 1, layers = dimensions == 3 ? reach : 0;
    for (int z = -layers; z <= layers; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x) visit(spacing * std::sqrt(double(x * x + y * y + z * z)));
}
// V = 1 / Σ W over a lattice: with this volume, particles `spacing` apart have exactly their rest density (for h = 2
// spacings it equals spacing³ to 2 parts in 10 000).
double latticeVolume(double spacing, const CubicSpline& W, int dimensions = 3);
// ℓ = √(ρ₀ / x)   Kelager 5.17, unless the parameter overrides it
double surfaceThreshold(const FluidParams& params);
// The colour field's gradient divided by the distance to the neighbours' centroid, at a flat surface: 1/m². In 3D
// 315/(256 h) over 3/8 h, in 2D 128/(35π h) over 4/(3π) h.
double centroidScale(double h, int dimensions);
// Σ V W over the layers of a lattice on one side of a particle, the first one spacing away: the fluid that a boundary
// half a spacing away replaces.
double shareOfLayers(const CubicSpline& W, double spacing);
// Kernel for boundaries. A boundary should repel a particle like fluid at the particle's pressure, Σ (p + p) V ∇W. A
// boundary that only adds the density of the fluid it replaces gives half of that, Σ p V ∇W. So its kernel is narrower:
// half a spacing from a plane it adds the same density (W's layers one spacing apart) with `steepness` times the
// gradient. Then fluid at rest keeps its distance from boundaries, and its pressure is ρ g h down to the floor.
CubicSpline steepWallSpline(const CubicSpline& W, double spacing, double steepness);
// Steepness for pbf and dfsph, calibrated by the pressure on the floor. On a lattice it would be 2. Settled fluid is
// less regular and denser next to the boundary, pbf leaves it slightly compressed, and a single layer of samples
// (`points`) decays faster than a volume.
double wallSteepness(PressureSolver solver, bool points);
// Steepness for wcsph: 2, unless its kernel reaches more than two layers (`reach`: support radius over spacing). A
// steep spline would add too little density to the second layer; then the boundary is as steep as the fluid and its
// pressure counts twice.
double wallSteepness(double reach);

// Whether pressure is solved for. The other solvers compute it from the current compression.
inline bool solvesPressure(PressureSolver solver) {
    return solver == PressureSolver::pbf || solver == PressureSolver::dfsph;
}

// Time step limit by stiffness: sound may travel at most 0.4 h.   0.4 h / √k
double stiffnessStepLimit(const FluidParams& params, int dimensions = 3);
// The same in a scene, where the pressure of a heavy fluid also acts on a light one. Pressure is k ρ₀ times the
// compression, and each side contributes half of a pair's force:   k = (kᵢ + kⱼ ρⱼ/ρᵢ) / 2
double stiffnessStepLimit(const Scene& scene, const FluidParams& params);
// Time step limit by cohesion: the shortest capillary wave may travel at most one spacing.   √(ρ₀ s³ / (4π σ)), after
// Brackbill et al. 1992, eq. 61
double tensionStepLimit(const FluidParams& params);
// Time step limit by viscosity: longer steps would add energy.   1.5 ρ₀ h² / (15 μ), with 24 instead of 15 for Morris's
// form, because its ∇W is steeper. implicit and xsph are stable at any step; fractional viscosity allows longer ones.
double viscosityStepLimit(const FluidParams& params, int dimensions = 3);
double stepLimit(const FluidParams& params, int dimensions = 3);
// Time step limit of the scene's fluids at rest: the limits above. For pbf and dfsph stiffness does not matter, but
// gravity and fields do:   α √(h/|a|)   Bayraktar 5.26, unless cfl is 0; with α = cfl/2, because longer steps make
// fluid at rest boil
double stepLimit(const Scene& scene);
// Time step limit at a speed in m/s:   α h/|v|   Bayraktar 5.27, with α = cfl, or 1 for wcsph
double speedStepLimit(const Scene& scene, double speed);
// Time step limit at an acceleration in m/s²:   α √(h/|a|)   Bayraktar 5.26
double accelerationStepLimit(const Scene& scene, double acceleration);

// Constants of one fluid, for kernels.
struct FluidConstants {
    Poly6 poly6;
    Spiky spiky;
    ViscosityKernel viscosityKernel;
    CubicSpline spline;
    Wendland wendland;
    int dimensions;
    float spacing;                // m
    float mass, inverseMass;      // kg, 1/kg; per metre of depth in 2D, like volumes
    float restDensity;            // kg/m³
    float inverseRestDensity;     // m³/kg
    float restVolume;             // m³, a particle's volume in pbf and dfsph; see latticeVolume
    float stiffness, attraction;  // m²/s², above and below rest density
    float viscosity;              // Pa·s
    float sweptViscosity;         // Pa·s, in the common pass of all forces; 0 if the model has a separate pass
    ViscosityModel viscosityModel;
    float surfaceTension;     // N/m, of the colour field
    float cohesion, evening;  // coefficients of the cohesion model; see cohesion.h
    float surfaceThreshold;   // 1/m
    float centroidScale;      // 1/m²
    float latticeShare;       // scales the density's kernel to rest density on a lattice; 1 for muller
    FluidKind kind;
    SmoothingKernel kernel;
    StateEquation stateEquation;
    PressureForm pressureForm;
    ReferenceTension referenceTension;  // none: the colour field or cohesion
    FluidParams params;  // as set by the user: buoyancy, drag, dispersion, and others that need no precomputation

    // Whether the colour field alone defines the surface; solver/reference/curvature.h handles the others.
    PURL_HD bool hasColorSurface() const {
        return kind == FluidKind::liquid && referenceTension == ReferenceTension::none;
    }
    // The smoothing kernel of wcsph. Müller's is poly6 for the density, and spiky for the pressure.
    template <class W>
    PURL_HD const W& smoothing() const {
        if constexpr (std::is_same_v<W, Poly6>)
            return poly6;
        else if constexpr (std::is_same_v<W, Spiky>)
            return spiky;
        else if constexpr (std::is_same_v<W, CubicSpline>)
            return spline;
        else
            return wendland;
    }
    template <class W>
    PURL_HD bool weightsDensityWith() const {
        return kernel == (std::is_same_v<W, Poly6>         ? SmoothingKernel::muller
                          : std::is_same_v<W, Spiky>       ? SmoothingKernel::spiky
                          : std::is_same_v<W, CubicSpline> ? SmoothingKernel::cubicSpline
                                                           : SmoothingKernel::wendland);
    }
    template <class W>
    PURL_HD bool weightsPressureWith() const {
        return weightsDensityWith<W>() || (std::is_same_v<W, Spiky> && kernel == SmoothingKernel::muller);
    }
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
// The same for wcsph's kernels. Boundary pressure is then the gradient of the density that the boundary adds, as it is
// within the fluid. Twice the pressure of a boundary as steep as the fluid is not such a gradient, and stirs water at
// rest.
CubicSpline steepWallSpline(const FluidConstants& fluid, double steepness);
inline FluidConstants constantsOf(const FluidParams& params) { return constantsOf(params, supportRadius(params)); }

// Constants of one force field, for kernels.
struct FieldConstants {
    Vec3 acceleration;  // m/s²
    Vec3 position;
    float radius;  // m; 0: everywhere
};

// Everything that forces read from a scene. Rebuilt at every call, so that edits between calls take effect in the next
// step.
struct Materials {
    explicit Materials(const Device& device = Device::cpu()) : fluids(device, "fluids"), fields(device, "fields") {}
    void set(const Scene& scene);

    Mirrored<FluidConstants> fluids;
    Mirrored<FieldConstants> fields;
    CubicSpline spline;              // for pbf and dfsph
    CubicSpline wallSpline;          // the same for boundaries; see steepWallSpline
    float wallPush = 1;              // wcsph: scales the gradient of the density that boundaries add
    float wallShare = 1;             // ratio of the fluid kernel's gradient to the wall spline's
    float spacing = 1;               // m, the smallest
    bool uniform = true;             // all fluids have one rest density and one spacing
    bool frictionPass = false;       // some fluid's viscosity is morris or xsph
    bool implicitViscosity = false;  // some fluid's viscosity is implicit
    bool fractional = false;         // some fluid's viscosity is fractional
    bool curved = false;             // some fluid's curvature is computed from normals
    bool cohesive = false;           // some fluid has cohesion
    float dispersion = 0;            // m²/s, the largest
    bool colored = false;            // particles have individual colours: some fluid disperses, or a fabric absorbs
    int dimensions = 3;
    Vec3 gravity;            // m/s²
    float searchRadius = 1;  // m, the largest support radius; each particle weights neighbours with its own
};

// visit(w) for each smoothing kernel that some fluid's density, or pressure, is weighted with: one sweep each.
template <class Visit>
void forEachDensityKernel(const Materials& materials, const Visit& visit) {
    const auto one = [&](auto w) {
        for (const FluidConstants& fluid : materials.fluids.onHost())
            if (fluid.weightsDensityWith<decltype(w)>()) return visit(w);
    };
    one(Poly6()), one(Spiky()), one(CubicSpline()), one(Wendland());
}
template <class Visit>
void forEachPressureKernel(const Materials& materials, const Visit& visit) {
    const auto one = [&](auto w) {
        for (const FluidConstants& fluid : materials.fluids.onHost())
            if (fluid.weightsPressureWith<decltype(w)>()) return visit(w);
    };
    one(Spiky()), one(CubicSpline()), one(Wendland());
}

}  // namespace purl
