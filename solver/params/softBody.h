// A soft body as a scene has it: what it is made of, its mesh or cloud of points, and what holds it.
#pragma once
#include <string>
#include <vector>

#include "solver/core/describe.h"
#include "solver/core/vec.h"
#include "solver/geometry/faces.h"
#include "solver/params/fluidContact.h"
#include "solver/params/materialTable.h"

namespace purl {

// projection: points are moved towards their goals, and that damps what swings; velocity: they are pushed towards
// them, which neither damps nor feeds it (Müller 2005).
enum class SoftMatching { projection, velocity };
inline Choices choicesOf(SoftMatching) { return {"projection", "velocity"}; }

// What a body may take as its own shape beside turning: stretch and shear, or bends and twists as well.
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

// `stiffness` is the share of its way to the goal that a point goes in a step of this length, the one of Lup's program.
// Steps of other lengths take the share that the same springs would: see softShare.
constexpr double kSoftStep = 1.0 / 60;  // s

template <class Visit>
void describe(Visit&& visit, SoftBodyParams& p) {
    visit(p.matching, About{"matching", "mtc", "",
                            "projection puts points nearer to their goals, and damps; velocity pushes them there, and "
                            "the body swings on."});
    visit(p.goal, About{"goal", "gl", "", "What beta lets the body do: stretch and shear, or bend and twist too."});
    visit(p.stiffness,
          About{"stiffness", "stf", "",
                "1: as rigid as can be, 0: nothing holds the points together. The same for any step.", 0, 1, 0, 1});
    visit(p.beta, About{"beta", "bt", "",
                        "How much of its deformation the body takes for its own shape: 0 none, near 1 it hardly "
                        "springs back.",
                        0, 0.99, 0, 0.95});
    visit(p.keepVolume, About{"keepVolume", "kvl", "", "What beta allows leaves the volume as it is."});
    visit(p.yieldStrain,
          About{"yieldStrain", "yld", "", "Strain from which on deformation stays, as in clay. 0: all of it goes back.",
                0, 10, 0, 0.5});
    visit(p.creep, About{"creep", "crp", "1/s", "How fast it comes to stay.", 0, 1e4, 0, 100});
    visit(p.maxCreep, About{"maxCreep", "mcr", "", "Strain that can stay at most.", 0, 10, 0, 1});
    visit(p.clusterSize, About{"clusterSize", "csz", "m",
                               "Parts of about this size are matched each for itself, so that the body bends. 0: one.",
                               0, kUnbounded, 0, 1});
    visit(p.overlap,
          About{"overlap", "ovl", "",
                "How far they reach into their neighbours, in sizes. More is smoother and stiffer.", 0.1, 2, 0.1, 1});
    visit(p.spacing, About{"spacing", "spc", "m",
                           "Between the points that fill a closed mesh, or of a cloud. 0: a tenth of a mesh's longest "
                           "side. Of the start.",
                           0, kUnbounded, 0, 0.2});
    visit(p.density,
          About{"density", "dens", "kg/m³", "Mass per volume; an open mesh counts as a sheet as thick as the spacing.",
                1e-3, 1e6, 10, 3000});
    visit(p.damping, About{"damping", "dmp", "1/s", "Share of its velocity that it loses in a second.", 0, 1e4, 0, 5});
    visit(p.friction, About{"friction", "fron", "",
                            "Coulomb's coefficient, of the body and of what it touches the larger.", 0, 100, 0, 1});
    visit(p.thickness, About{"thickness", "thss", "m", "Half of it is kept clear of what the body touches.", 0,
                             kUnbounded, 0, 0.02});
    visit(p.bodyCollision, About{"bodyCollision", "bco", "", "It and other soft bodies push each other apart."});
    visit(p.maxTimeStep,
          About{"maxTimeStep", "mts", "s", "Longest step of the body, within a step of the solver. Any is stable.",
                1e-6, 10, 0.0005, 0.05});
    visit(p.iterations, About{"iterations", "itr", "",
                              "Times that shapes are matched and contacts found anew in a step.", 1, 1000, 1, 20});
    visit(p.fluidContact, About{"fluidContact", "fcn", "",
                                "What fluids meet: its surface, its points alone (always so of clouds and in two "
                                "dimensions), or nothing."});
    visit(p.fluidPush, About{"fluidPush", "fpu", "", "Fluids push the body. Off: only it pushes them."});
    visit(p.freeze, About{"freeze", "frz", "", "Follows its mesh; let go, it has the velocity of its way."});
    visit(p.drag, About{"drag", "drg", "", "inDrag's place draws the nearest vertex along that it found in reach."});
    visit(p.dragRadius, About{"dragRadius", "drr", "m", "How near that must have come.", 0, kUnbounded, 0, 1});
    visit(p.smoothing,
          About{"smoothing", "smg", "",
                "How much of what a single vertex stands out by is taken off the mesh that is shown; larger shapes "
                "stay.",
                0, 1, 0, 1});
    visit(p.startVelocity, About{"startVelocity", "stv", "m/s", "Velocity at the start."});
    visit(p.color, About{"color", "clr", "rgb", "Colour in previews.", 0, 1, 0, 1});
}

// Materials by name; what is not the material's they leave alone.
using SoftMaterialTable = MaterialTable<SoftBodyParams, 6>;
const SoftMaterialTable& softMaterials();

// Where its points stand at the start, or when it comes in, is the shape it goes back to; later only what is pinned,
// and frozen bodies, follow them.
struct SoftBody {
    std::string name;
    SoftBodyParams params;
    std::vector<Vec3> points;
    Faces faces;  // none: a cloud of points
    // One a point, or empty: how firmly it follows the mesh, 0 free to 1 pinned.
    std::vector<float> pins;
    Vec3 dragTo;  // m, where what is dragged is drawn

    bool operator==(const SoftBody& other) const {
        return name == other.name && sameParams(params, other.params) && points == other.points &&
               faces == other.faces && pins == other.pins && dragTo == other.dragTo;
    }
};

// Throws Error naming the body and what is wrong with its mesh or pins.
void checkSoftBody(const SoftBody& body);

// The share of its way to the goal that a point goes in dt seconds, and in each of `iterations` that add up to it. A
// spring that would take stiffness α of the way in T takes s/(1 + s) in Δt, s = (Δt/T)² α/(1 − α); and
// k' = 1 − (1 − k)^(1/n) of n (Müller 2007).
double softShare(double stiffness, double dt, int iterations = 1);

}  // namespace purl
