// A soft body in a scene: its material, its mesh or point cloud, and its constraints.
#pragma once
#include <string>
#include <vector>

#include "solver/core/describe.h"
#include "solver/core/vec.h"
#include "solver/geometry/faces.h"
#include "solver/params/fluidContact.h"
#include "solver/params/materialTable.h"

namespace purl {

// projection: points are moved towards their goals, which damps oscillation. velocity: points are accelerated towards
// them, which conserves it (Müller 2005).
enum class SoftMatching { projection, velocity };
inline Choices choicesOf(SoftMatching) { return {"projection", "velocity"}; }

// Deformation modes that beta admits besides rotation: stretch and shear, or bending and twisting as well.
enum class SoftGoal { linear, quadratic };
inline Choices choicesOf(SoftGoal) { return {"linear", "quadratic"}; }

struct SoftBodyParams {
    SoftMatching matching = SoftMatching::projection;
    SoftGoal goal = SoftGoal::linear;
    float stiffness = 0.8f;
    float beta = 0;
    bool keepVolume = true;
    float yieldStrain = 0;
    float creep = 10;
    float maxCreep = 0.5f;
    float clusterSize = 0;
    float overlap = 0.5f;
    float spacing = 0;
    float density = 1000;
    float damping = 0.06f;
    float friction = 0.3f;
    float thickness = 0;
    bool bodyCollision = true;
    float maxTimeStep = 0.004f;
    int iterations = 2;
    FluidContact fluidContact = FluidContact::surface;
    bool fluidPush = true;
    bool freeze = false;
    bool drag = false;
    float dragRadius = 0.1f;
    float smoothing = 1;
    Vec3 startVelocity{0, 0, 0};
    Vec3 color{0.75f, 0.42f, 0.2f};
};

// `stiffness` is the fraction of the distance to its goal that a point moves in a step of this length, as in Lup's
// program. Other step lengths are converted: see softShare.
constexpr double kSoftStep = 1.0 / 60;  // s

template <class Visit>
void describe(Visit&& visit, SoftBodyParams& p) {
    visit(p.matching, About{"matching", "mtc", "",
                            "projection: moves points towards their goals, which damps oscillation; velocity: "
                            "accelerates them, and the body keeps oscillating."});
    visit(p.goal,
          About{"goal", "gl", "",
                "Deformations that beta allows. linear: stretch and shear; quadratic: bending and twisting too."});
    visit(p.stiffness,
          About{"stiffness", "stf", "",
                "1: almost rigid; 0: nothing holds the points together. Independent of the time step.", 0, 1, 0, 1});
    visit(p.beta, About{"beta", "bt", "",
                        "How much of its deformation the body keeps as its goal shape: 0 none; close to 1 it hardly "
                        "springs back.",
                        0, 0.99, 0, 0.95});
    visit(p.keepVolume, About{"keepVolume", "kvl", "", "The deformation that beta allows preserves the volume."});
    visit(p.yieldStrain,
          About{"yieldStrain", "yld", "", "Strain above which deformation becomes permanent, as in clay. 0: never.", 0,
                10, 0, 0.5});
    visit(p.creep,
          About{"creep", "crp", "1/s", "How fast deformation beyond yieldStrain becomes permanent.", 0, 1e4, 0, 100});
    visit(p.maxCreep, About{"maxCreep", "mcr", "", "Maximum permanent strain.", 0, 10, 0, 1});
    visit(p.clusterSize, About{"clusterSize", "csz", "m",
                               "Size of the clusters that are shape-matched separately, so that the body can bend. 0: "
                               "one cluster.",
                               0, kUnbounded, 0, 1}
                             .section("Clusters", SectionPlace::mechanics)
                             .initialOnly());
    visit(p.overlap,
          About{"overlap", "ovl", "",
                "How far clusters reach into their neighbours, in cluster sizes. More is smoother and stiffer.", 0.1, 2,
                0.1, 1}
              .initialOnly());
    visit(p.spacing, About{"spacing", "spc", "m",
                           "Distance between the points that fill a closed mesh, or of a point cloud. 0: a tenth of "
                           "the mesh's longest side.",
                           0, kUnbounded, 0, 0.2}
                         .initialOnly());
    visit(p.density,
          About{"density", "dens", "kg/m³",
                "Mass per volume. An open mesh counts as a sheet with a thickness of one spacing.", 1e-3, 1e6, 10, 3000}
              .section("Body and contact", SectionPlace::surroundings));
    visit(p.damping, About{"damping", "dmp", "1/s", "Fraction of the velocity lost per second.", 0, 1e4, 0, 5});
    visit(p.friction,
          About{"friction", "fron", "",
                "Coulomb friction coefficient. The larger coefficient of the two in contact applies.", 0, 100, 0, 1});
    visit(p.thickness,
          About{"thickness", "thss", "m", "Half of this distance is kept clear in contacts.", 0, kUnbounded, 0, 0.02});
    visit(p.bodyCollision, About{"bodyCollision", "bco", "", "Collides with other soft bodies."});
    visit(p.maxTimeStep, About{"maxTimeStep", "mts", "s",
                               "Longest time step of the body, within a step of the solver. Any length is stable.",
                               1e-6, 10, 0.0005, 0.05}
                             .section("Solver", SectionPlace::solver));
    visit(p.iterations,
          About{"iterations", "itr", "", "Iterations of shape matching and contacts per step.", 1, 1000, 1, 20});
    visit(p.fluidContact, About{"fluidContact", "fcn", "",
                                "How fluids collide with it. surface: nothing passes; points: with its points only "
                                "(always so for point clouds and in 2-D); none: not at all."}
                              .section("Fluids and dragging"));
    visit(p.fluidPush,
          About{"fluidPush", "fpu", "", "Fluids push the body. Off: the body pushes fluids, but not vice versa."});
    visit(p.freeze,
          About{"freeze", "frz", "", "The body follows its mesh. When switched off, it keeps the mesh's velocity."});
    visit(p.drag, About{"drag", "drg", "", "inDrag pulls the vertex nearest to it within dragRadius."});
    visit(p.dragRadius, About{"dragRadius", "drr", "m", "Reach of drag.", 0, kUnbounded, 0, 1});
    visit(p.smoothing,
          About{"smoothing", "smg", "",
                "Removes noise of single vertices from the displayed mesh; larger shapes are unchanged.", 0, 1, 0, 1});
    visit(p.startVelocity, About{"startVelocity", "stv", "m/s", "Initial velocity."}.initialOnly());
    visit(p.color, About{"color", "clr", "rgb", "Colour in the viewport and in previews.", 0, 1, 0, 1});
}

// Materials by name. They set the material's parameters only.
using SoftMaterialTable = MaterialTable<SoftBodyParams, 6>;
const SoftMaterialTable& softMaterials();

// The points at the start frame, or when the body enters, are the rest shape; afterwards only pinned points, or all if
// the body is frozen, follow them.
struct SoftBody {
    std::string name;
    SoftBodyParams params;
    std::vector<Vec3> points;
    Faces faces;  // empty: a point cloud
    // One per point, or empty: how firmly it follows the mesh, from 0 (free) to 1 (pinned).
    std::vector<float> pins;
    Vec3 dragTo;  // m, where the dragged vertex is pulled

    bool operator==(const SoftBody& other) const {
        return name == other.name && sameParams(params, other.params) && points == other.points &&
               faces == other.faces && pins == other.pins && dragTo == other.dragTo;
    }
};

// Throws Error naming the body and the problem if its mesh or pins are invalid.
void checkSoftBody(const SoftBody& body);

// Fraction of the distance to its goal that a point moves in each of `iterations` iterations of a step of dt seconds. A
// spring that covers the fraction α in T covers s/(1 + s) in Δt, with s = (Δt/T)² α/(1 − α); n iterations with
// k' = 1 − (1 − k)^(1/n) cover k (Müller 2007).
double softShare(double stiffness, double dt, int iterations = 1);

}  // namespace purl
