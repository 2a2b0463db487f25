#include "solver/reference/registry.h"

namespace purl {
namespace {

template <class Matches>
const ReferenceVariant* find(const std::string& attribute, Matches&& matches) {
    for (const ReferenceVariant& variant : referenceVariants())
        if (isFormerValue(variant, attribute) && matches(variant)) return &variant;
    return nullptr;
}

}  // namespace

const std::vector<ReferenceVariant>& referenceVariants() {
    static const std::vector<ReferenceVariant> variants = {
        {"referenceIntegrator", "verlet", "Kelager 4.63", "K-31 B-95",
         "Position Verlet: velocities are differences of positions.", "integrator", 2},
        {"referenceIntegrator", "velocityVerlet", "Bayraktar 5.25", "B-96 G-06",
         "Velocity Verlet: forces are computed at the end of the step.", "integrator", 3},
        {"referenceIntegrator", "rungeKutta4", "Bayraktar §5.6.1", "B-93",
         "Classical Runge-Kutta method, with four evaluations of the forces per step.", "integrator", 4},
        {"referenceTension", "colorNormals", "Bayraktar 3.25 to 3.28", "B-15 B-16 B-18 B-19",
         "Curvature is the divergence of the colour field's normals.", "tensionModel", 2},
        {"referenceTension", "centroidNormals", "Bayraktar 5.6, 5.7", "B-17 B-20",
         "Curvature is the divergence of normals from the centroid of the neighbours.", "tensionModel", 3},
        {"referenceBoundary", "lennardJones", "Bayraktar 5.3", "B-62 B-64",
         "Samples of a collider repel particles by a Lennard-Jones potential.", "boundary", 4},
        {"referenceBoundary", "dem", "Bayraktar 4.9, 4.10", "B-63 B-64 G-22 G-23",
         "Samples of a collider touch particles as in a discrete element method.", "boundary", 5},
        {"referenceClothSolver", "precomputedFilter", "Desbrun 1999, Bayraktar 5.39", "B-100",
         "Implicit Euler with isotropic springs, so that one factorization serves all steps.", "solver", 2},
        {"referenceClothSolver", "neighborEstimate", "Kang 2000, Bayraktar 5.45", "B-101",
         "Implicit Euler, estimated from each point's neighbours without a solve.", "solver", 3},
        {"referenceAbsorption", "weight", "Bayraktar 5.12", "B-27 G-31",
         "The fabric is as heavy and as dark as if it held the fluid near it.", "absorption", 2},
        {"referenceAbsorption", "pores", "Güdükbay 12, Bayraktar 5.11", "B-26 G-24",
         "Capillary pressure pulls particles to the fabric and holds them there.", "absorption", 3},
        {"referenceField", "root", "Bayraktar 5.5", "B-69", "√Σ (1 − (d/h)²)³ over the particles.", "field", 1},
        {"referenceField", "rootWeighted", "Bayraktar 5.8, 5.9", "B-70 B-71",
         "The surface value of a particle multiplies its kernel.", "field", 2},
        {"referenceField", "rootRadius", "Bayraktar 5.10, read as a radius", "B-71 G-50",
         "The surface value of a particle multiplies the radius of its kernel.", "field", 3},
        {"referenceField", "rootPrinted", "Bayraktar 5.10", "B-71",
         "The surface value of a particle multiplies distances to it, which thickens the surface.", "field", 4},
        {"pressureForm", "mean", "Kelager 4.11", "K-11 B-11", "The mean of both pressures."},
        {"pressureForm", "basic", "Kelager 4.9", "K-11 B-12",
         "The neighbour's pressure only; does not conserve momentum."},
        {"fractionalOperator", "simpson", "Coimbra 2003, Özgen 3.5", "O-05", "Simpson's rule, for order ½ only."},
        {"fractionalScale", "literal", "Özgen 2013, chapter 4", "O-45", "Viscosity in Pa·s^order, as published."},
        {"correctionOrder", "hsv", "Özgen 2013, chapter 6", "O-92", "Horizontal, diagonal, then vertical springs."},
        {"correctionOrder", "vhs", "Özgen 2013, chapter 6", "O-92", "Vertical, horizontal, then diagonal springs."},
        {"correctionOrder", "vsh", "Özgen 2013, chapter 6", "O-92", "Vertical, diagonal, then horizontal springs."},
        {"correctionOrder", "shv", "Özgen 2013, chapter 6", "O-92", "Diagonal, horizontal, then vertical springs."},
        {"correctionOrder", "svh", "Özgen 2013, chapter 6", "O-92", "Diagonal, vertical, then horizontal springs."},
    };
    return variants;
}

bool isFormerValue(const ReferenceVariant& variant, const std::string& attribute) {
    return variant.formerAttribute && attribute == variant.formerAttribute;
}

const ReferenceVariant* formerVariant(const std::string& attribute, int index) {
    return find(attribute, [&](const ReferenceVariant& variant) { return variant.formerIndex == index; });
}

const ReferenceVariant* formerVariant(const std::string& attribute, const std::string& name) {
    return find(attribute, [&](const ReferenceVariant& variant) { return name == variant.name; });
}

std::string deprecationOf(const ReferenceVariant& variant) {
    return std::string(variant.formerAttribute) + " " + variant.name + " is deprecated; set " + variant.attribute +
           " to " + variant.name + " instead";
}

}  // namespace purl
