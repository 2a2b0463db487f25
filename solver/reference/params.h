// Parameters of the reference variants: methods of the source documents that are kept for comparison only. Each struct
// is the member `reference` of the parameters that it belongs to; registry.h lists the variants and their sources.
#pragma once
#include "solver/core/describe.h"

namespace purl {

// Time integration of wcsph in place of `integrator`. rungeKutta4 evaluates the forces four times per step.
enum class ReferenceIntegrator { none, verlet, velocityVerlet, rungeKutta4 };
inline Choices choicesOf(ReferenceIntegrator) { return {"none", "verlet", "velocityVerlet", "rungeKutta4"}; }

struct SolverReference {
    ReferenceIntegrator integrator = ReferenceIntegrator::none;
    float wallRepulsion = 1;
    float wallRange = 1;
    float wallStiffness = 1e5f;
    float wallDamping = 100;
};

template <class Visit>
void describe(Visit&& visit, SolverReference& p) {
    visit(p.integrator,
          About{"referenceIntegrator", "rfin", "", "Time integration of wcsph in place of integrator."}.reference());
    visit(p.wallRepulsion,
          About{"wallRepulsion", "wrep", "m²/s²",
                "Strength of colliders with referenceBoundary lennardJones; about gravity times depth.", 0, 1e6, 0, 20}
              .reference());
    visit(p.wallRange, About{"wallRange", "wrng", "",
                             "Range of colliders with referenceBoundary lennardJones, in support radii; a shorter one "
                             "leaves a narrower gap.",
                             0, 1, 0, 1}
                           .reference());
    visit(p.wallStiffness, About{"wallStiffness", "wstf", "1/s²",
                                 "Repulsion of colliders with referenceBoundary dem per penetration depth. Stiffer "
                                 "needs shorter steps.",
                                 0, 1e9, 0, 1e6}
                               .reference());
    visit(p.wallDamping,
          About{"wallDamping", "wdmp", "1/s",
                "Damping of colliders with referenceBoundary dem; more takes away the bounce.", 0, 1e6, 0, 1e3}
              .reference());
}

// How the pressures of two particles give one force of wcsph; symmetric is the standard form.
enum class PressureForm { symmetric, mean, basic };
inline Choices choicesOf(PressureForm) { return {"symmetric", "mean", "basic"}; }

// Quadrature of the fractional derivative: trapezoid, the standard one, for any order, simpson for order ½ only.
enum class FractionalOperator { trapezoid, simpson };
inline Choices choicesOf(FractionalOperator) { return {"trapezoid", "simpson"}; }

// calibrated, the standard: steady shear has the viscosity given; literal: the formula as published, in Pa·s^order.
enum class FractionalScale { calibrated, literal };
inline Choices choicesOf(FractionalScale) { return {"calibrated", "literal"}; }

// Surface tension from curvature as the divergence of unit normals (Morris 2000): colorNormals from the colour field,
// centroidNormals from the centroid of the neighbours to the particle (Bayraktar 5.6, 5.7).
enum class ReferenceTension { none, colorNormals, centroidNormals };
inline Choices choicesOf(ReferenceTension) { return {"none", "colorNormals", "centroidNormals"}; }

struct FluidReference {
    ReferenceTension tension = ReferenceTension::none;
    PressureForm pressureForm = PressureForm::symmetric;
    FractionalOperator fractionalOperator = FractionalOperator::trapezoid;
    FractionalScale fractionalScale = FractionalScale::calibrated;
};

template <class Visit>
void describe(Visit&& visit, FluidReference& p) {
    visit(p.tension, About{"referenceTension", "rftn", "",
                           "Surface tension in place of tensionModel, by the divergence of normals: those of the "
                           "colour field, or from the centroid of the neighbours."}
                         .reference());
    visit(p.pressureForm, About{"pressureForm", "prfm", "",
                                "How the pressures of two particles give one force of wcsph: symmetric, or as printed "
                                "in the documents. basic does not conserve momentum."}
                              .reference());
    visit(p.fractionalOperator, About{"fractionalOperator", "frop", "",
                                      "Quadrature of the fractional derivative. simpson requires fractionalOrder 0.5."}
                                    .reference());
    visit(p.fractionalScale, About{"fractionalScale", "frsc", "",
                                   "calibrated: in steady shear, fractional viscosity is the viscosity given; literal: "
                                   "the published formula."}
                                 .reference());
}

// A collider that is not part of the fluid's density: samples on its surface repel particles, by a Lennard-Jones
// potential or as contacts of a discrete element method (Bayraktar §5.1.2).
enum class ReferenceBoundary { none, lennardJones, dem };
inline Choices choicesOf(ReferenceBoundary) { return {"none", "lennardJones", "dem"}; }

struct ColliderReference {
    ReferenceBoundary boundary = ReferenceBoundary::none;
};

template <class Visit>
void describe(Visit&& visit, ColliderReference& p) {
    visit(p.boundary, About{"referenceBoundary", "rfbd", "",
                            "With wcsph, samples repel the fluid in place of boundary, by a Lennard-Jones potential or "
                            "as contacts; the solver's wallRepulsion, wallRange, wallStiffness and wallDamping apply."}
                          .reference());
}

// Approximations of implicit Euler in place of `solver`. precomputedFilter: with isotropic springs, so that one
// factorization serves all steps (Desbrun 1999; Bayraktar 5.39). neighborEstimate: from each point's neighbours without
// a solve (Kang 2000; Bayraktar 5.45). The first slows rotation by Δt² k / m, the second leaves stiff springs too long:
// both settle late, or in another shape.
enum class ReferenceClothSolver { none, precomputedFilter, neighborEstimate };
inline Choices choicesOf(ReferenceClothSolver) { return {"none", "precomputedFilter", "neighborEstimate"}; }

// Order in which directional visits the springs of a point: horizontal (h), vertical (v), diagonal (s).
enum class CorrectionOrder { hvs, hsv, vhs, vsh, shv, svh };
inline Choices choicesOf(CorrectionOrder) { return {"hvs", "hsv", "vhs", "vsh", "shv", "svh"}; }

struct ClothReference {
    ReferenceClothSolver solver = ReferenceClothSolver::none;
    CorrectionOrder correctionOrder = CorrectionOrder::hvs;
};

// Those that woven and knitted fabrics share.
template <class Visit>
void describeFabric(Visit&& visit, ClothReference& p) {
    visit(p.solver, About{"referenceClothSolver", "rfcs", "",
                          "Approximation of implicit Euler in place of solver. precomputedFilter damps rotation; "
                          "neighborEstimate stretches."}
                        .reference());
}

template <class Visit>
void describe(Visit&& visit, ClothReference& p) {
    describeFabric(visit, p);
    visit(p.correctionOrder,
          About{"correctionOrder", "cor", "",
                "Order in which directional corrects springs: horizontal (h), vertical (v) and diagonal (s)."}
              .reference());
}

// Wetting in which the fluid near a fabric stays particles. weight: the fabric is as heavy and as dark as if it held
// that fluid (Bayraktar 5.12, as a load). pores: capillary pressure pulls particles to the fabric's points and holds
// them there (Güdükbay 12).
enum class ReferenceAbsorption { none, weight, pores };
inline Choices choicesOf(ReferenceAbsorption) { return {"none", "weight", "pores"}; }

struct WetReference {
    ReferenceAbsorption absorption = ReferenceAbsorption::none;
    bool poresPush = false;
};

template <class Visit>
void describe(Visit&& visit, WetReference& p) {
    visit(p.absorption, About{"referenceAbsorption", "rfab", "",
                              "Wetting in place of absorption in which fluid stays particles. weight: it weighs the "
                              "fabric down; pores: capillary forces hold it."}
                            .reference());
    visit(p.poresPush, About{"poresPush", "wpp", "",
                             "With referenceAbsorption pores, points repel fluid beyond their capacity, as published. "
                             "Off: they ignore it."}
                           .reference());
}

// root: √Σ (1 − (d/h)²)³, Bayraktar 5.5. The others reduce particles near the surface by their surface value
// (5.8, 5.9): rootWeighted multiplies the kernel, rootRadius its radius, rootPrinted the distance, as eq. 5.10 is
// printed, which thickens the surface.
enum class ReferenceField { none, root, rootWeighted, rootRadius, rootPrinted };
inline Choices choicesOf(ReferenceField) { return {"none", "root", "rootWeighted", "rootRadius", "rootPrinted"}; }

struct SurfaceReference {
    ReferenceField field = ReferenceField::none;
};

template <class Visit>
void describe(Visit&& visit, SurfaceReference& p) {
    visit(p.field, About{"referenceField", "rffd", "",
                         "Field in place of field, after Bayraktar: root, and three forms that weigh particles near "
                         "the surface less."}
                       .reference());
}

}  // namespace purl
