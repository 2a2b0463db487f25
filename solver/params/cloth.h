// Cloth as a scene has it: the fabric's parameters, its mesh and what holds it. All in SI and per length or area of the
// fabric, so that the same numbers make the same cloth on a coarse mesh and on a fine one.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "solver/core/describe.h"
#include "solver/core/vec.h"
#include "solver/geometry/faces.h"
#include "solver/params/fluidContact.h"
#include "solver/params/materialTable.h"
#include "solver/params/wet.h"

namespace purl {

// xpbd: points are moved until springs have the lengths that their forces leave them (Macklin 2016); implicitEuler:
// velocities after the step are solved for (Baraff and Witkin 1998); precomputedFilter: the same with springs that pull
// alike in all directions, so that one factored matrix serves all steps (Desbrun 1999; Bayraktar 5.39);
// neighborEstimate: the same guessed from a point's neighbours, without solving anything (Kang 2000; Bayraktar 5.45).
// These take any step. velocityVerlet: explicit (Bayraktar 5.25), in as many small steps as the springs need.
// What bends and hangs is of the same shape on any mesh with implicitEuler and velocityVerlet. xpbd is softer than its
// numbers where a step's iterations do not reach across the mesh. The two approximations come to rest late or not where
// the others do: precomputedFilter slows all turning by Δt² k / m, neighborEstimate leaves stiff springs too long.
// directional: soft springs, explicit, and once a step all that is too long is set right, from what is held down along
// gravity (Özgen 2013, chapter 6).
enum class ClothSolver { xpbd, implicitEuler, precomputedFilter, neighborEstimate, velocityVerlet, directional };
inline Choices choicesOf(ClothSolver) {
    return {"xpbd", "implicitEuler", "precomputedFilter", "neighborEstimate", "velocityVerlet", "directional"};
}

// In which order directional goes on from a point: to those across (h), straight down (v), or down diagonals (s).
enum class CorrectionOrder { hvs, hsv, vhs, vsh, shv, svh };
inline Choices choicesOf(CorrectionOrder) { return {"hvs", "hsv", "vhs", "vsh", "shv", "svh"}; }

// points: points that no spring connects keep a distance; on a coarse mesh layers pass between them. robust: points
// against triangles and edges against edges, with continuous detection, so that nothing crosses.
enum class SelfCollision { none, points, robust };
inline Choices choicesOf(SelfCollision) { return {"none", "points", "robust"}; }

// Defaults are a light cotton: 0.15 kg/m², and threads that hardly stretch. The time step is short enough for robust
// self-collision to let a heap of cloth come to rest: at 0.004 s and 5 iterations its pushes feed energy into the heap.
// The iterations keep fabrics apart from each other: with fewer, silk and denim drape alike on a mesh of 1 cm.
struct ClothParams {
    ClothSolver solver = ClothSolver::xpbd;
    float maxTimeStep = 0.002f;
    int iterations = 10;
    float tolerance = 1e-4f;
    CorrectionOrder correctionOrder = CorrectionOrder::hvs;
    int visitLimit = 2;
    float density = 0.15f;
    float stretchStiffness = 1000;
    float shearStiffness = 50;
    float bendStiffness = 2e-5f;
    float bendSpring = 0;
    float damping = 0.002f;
    float bendDamping = 0.01f;
    float strainLimit = 0;
    float tearStrain = 0;
    float coreStiffness = 0;
    float airDrag = 0.02f;
    float windDrag = 0.3f;
    Vec3 wind{0, 0, 0};
    float gusts = 0;
    float friction = 0.3f;
    float stickiness = 0;
    float thickness = 0.004f;
    SelfCollision selfCollision = SelfCollision::robust;
    float selfDistance = 0;
    float immersion = 0;
    float fluidDensity = 1000;
    float fluidViscosity = 0.001f;
    Vec3 current{0, 0, 0};
    float wetDensity = 1050;
    float addedMass = 0.5f;
    float normalDrag = 1.2f;
    float boundaryLayer = 0.001f;
    float historyDrag = 1;
    float memory = 0.1f;
    float follow = 0;
    FluidContact fluidContact = FluidContact::surface;
    bool fluidPush = true;
    Vec3 startVelocity{0, 0, 0};
    Vec3 color{0.62f, 0.2f, 0.16f};
};

// What woven and knitted fabrics have in common.
template <class Visit>
void describeFabric(Visit&& visit, ClothParams& p) {
    visit(p.solver, About{"solver", "slv", "",
                          "How the cloth moves: xpbd is fast and takes any step, but softer than its stiffness on fine "
                          "meshes unless iterations rise with them; implicitEuler is exact in long steps; "
                          "precomputedFilter approximates it and turns as in syrup, neighborEstimate too and "
                          "stretches; velocityVerlet takes as many small steps as its springs need; directional "
                          "has soft springs and sets right what is too long, once, from what is held downwards."});
    visit(p.maxTimeStep, About{"maxTimeStep", "mts", "s",
                               "Longest step of the cloth, within a step of the solver. Shorter is stiffer and "
                               "livelier.",
                               1e-6, 1, 0.0005, 0.02});
    visit(p.iterations,
          About{"iterations", "itr", "",
                "xpbd: times that all springs are gone through in a step. More is stiffer. directional: the same where "
                "the cloth hangs from several things.",
                1, 10000, 1, 50});
    visit(p.tolerance,
          About{"tolerance", "tol", "", "implicitEuler: solves until this share of the forces is unbalanced.", 1e-7, 1,
                1e-6, 0.01});
    visit(p.density, About{"density", "dens", "kg/m²", "Mass of the fabric per area.", 1e-4, 1e4, 0.05, 1});
    visit(p.stretchStiffness,
          About{"stretchStiffness", "sst", "N/m",
                "Force per width that would stretch the threads to double length, were they to bear it.", 0, 1e9, 0,
                5000});
    visit(p.shearStiffness,
          About{"shearStiffness", "shs", "N/m", "The same across the threads' squares; of faces with four corners.", 0,
                1e9, 0, 1000});
    visit(p.bendStiffness, About{"bendStiffness", "bst", "N·m",
                                 "Moment per width that bends the fabric to a radius of a metre.", 0, 1e6, 0, 1e-3});
    visit(p.bendSpring, About{"bendSpring", "bsp", "N/m",
                              "Springs between every other point, which resist sharp folds only; stretchStiffness of "
                              "theirs.",
                              0, 1e9, 0, 1000});
    visit(p.damping, About{"damping", "dmp", "s",
                           "Stretching and shearing is damped as if the fabric had been so much later in strain.", 0,
                           10, 0, 0.02});
    visit(p.bendDamping, About{"bendDamping", "bdm", "s", "The same of bending.", 0, 10, 0, 0.1});
    visit(p.strainLimit,
          About{"strainLimit", "slim", "",
                "No spring gets longer than at rest by more than this share. 0: none is held back.", 0, 10, 0, 0.2});
    visit(p.airDrag, About{"airDrag", "adg", "Pa·s/m", "Still air's hold: force per area and speed.", 0, 1e4, 0, 1});
    visit(p.windDrag,
          About{"windDrag", "wdg", "Pa·s/m", "Air's push along the normals: force per area and speed.", 0, 1e4, 0, 5});
    visit(p.wind, About{"wind", "wnd", "m/s", "Velocity of the air."});
    visit(p.gusts,
          About{"gusts", "gst", "", "Share of the wind that comes and goes, over a second and a metre.", 0, 1, 0, 1});
    visit(p.friction, About{"friction", "fron", "",
                            "Coulomb friction coefficient on colliders and on cloth. Against a collider the larger of "
                            "the two coefficients applies.",
                            0, 100, 0, 1});
    visit(p.stickiness, About{"stickiness", "stck", "Pa",
                              "How hard it sticks to colliders and to itself, dry as it is.", 0, 1e5, 0, 200});
    visit(p.selfCollision,
          About{"selfCollision", "sco", "",
                "Collision of the cloth with itself and with other cloths that have it on. robust: nothing crosses; "
                "the slowest. points: only points push each other apart, so layers can pass between them. none: for "
                "cloth that never touches itself."});
    visit(p.selfDistance, About{"selfDistance", "sdi", "m",
                                "How far apart. 0: of points the thickness, or where that is more, 0.8 of the mesh's "
                                "edges; of robust the thickness, but no more than half of the edges.",
                                0, kUnbounded, 0, 0.05});
    visit(p.follow,
          About{"follow", "fol", "1/s",
                "How fast all of the cloth is drawn to the mesh, which may be animated or a cache: that motion, "
                "as the fabric and the fluid let it. 0: only pins follow.",
                0, 1e4, 0, 50});
    visit(p.fluidContact,
          About{"fluidContact", "fcn", "",
                "What fluids of three dimensions meet: all of its surface, which holds them, its points "
                "alone, between which they leak, or nothing."});
    visit(p.fluidPush, About{"fluidPush", "fpu", "", "Fluids push the cloth. Off: only it pushes them."});
    visit(p.startVelocity, About{"startVelocity", "stv", "m/s", "Velocity at the start."});
}

template <class Visit>
void describe(Visit&& visit, ClothParams& p) {
    describeFabric(visit, p);
    visit(p.correctionOrder, About{"correctionOrder", "cor", "",
                                   "directional: whether springs across (h), down (v) or diagonal (s) come first."});
    visit(p.visitLimit,
          About{"visitLimit", "vli", "", "directional: how often a step may set a point right.", 1, 100, 1, 5});
    visit(p.tearStrain,
          About{"tearStrain", "tst", "",
                "Where an edge gets longer than at rest by more than this share, the mesh comes apart. 0: never; nor "
                "where strainLimit is less, or the solver has fluids.",
                0, 100, 0, 1});
    visit(p.coreStiffness,
          About{"coreStiffness", "cos", "N/m³",
                "Springs from all of it to its middle, force per area and length: a closed mesh does not fall in, as a "
                "cushion or a toy. 0: none.",
                0, 1e9, 0, 20000});
    visit(p.thickness, About{"thickness", "thss", "m", "Half of it is kept clear of what the cloth touches.", 0,
                             kUnbounded, 0, 0.02});
    visit(p.immersion,
          About{"immersion", "imm", "",
                "0 in air, 1 under water: buoyancy, drag, and damping that remembers, without any fluid in the scene.",
                0, 1, 0, 1});
    visit(p.fluidDensity, About{"fluidDensity", "fld", "kg/m³", "Of what it is immersed in.", 0, 1e5, 0, 2000});
    visit(p.fluidViscosity, About{"fluidViscosity", "flv", "Pa·s", "Of what it is immersed in.", 0, 1e5, 0, 1});
    visit(p.current, About{"current", "cur", "m/s", "Velocity of what it is immersed in."});
    visit(p.wetDensity,
          About{"wetDensity", "wde", "kg/m³",
                "Of the soaked fabric: it floats where the fluid's is more, and sinks the faster the less "
                "that is.",
                1, 1e5, 900, 2000});
    visit(p.addedMass, About{"addedMass", "adm", "",
                             "Fluid that is moved along, as a share of what the fabric displaces.", 0, 1e4, 0, 10});
    visit(p.normalDrag, About{"normalDrag", "ndr", "",
                              "Coefficient of the fluid's drag on what moves across it, by the square of its speed; a "
                              "plate's is 1.2.",
                              0, 1000, 0, 5});
    visit(p.boundaryLayer,
          About{"boundaryLayer", "bly", "m",
                "Thickness of the fluid that is sheared beside the cloth. Thinner drags more: 2 viscosity/thickness.",
                1e-6, kUnbounded, 1e-4, 0.01});
    visit(p.historyDrag,
          About{"historyDrag", "hdr", "", "Factor of the drag by how the cloth moved before.", 0, 1000, 0, 5});
    visit(p.memory,
          About{"memory", "mem", "s", "How far back immersed cloth remembers, at most 255 steps.", 0, 1000, 0, 0.5});
    visit(p.color, About{"color", "clr", "rgb", "Colour in previews.", 0, 1, 0, 1});
}

// Fabrics by name; what is not the fabric's (solver, wind, colour, start …) they leave alone.
using FabricTable = MaterialTable<ClothParams, 6>;
const FabricTable& fabrics();

// A thick fabric: as many sheets, one behind the other from the front on, of the same faces each; what the parameters
// say is of all of them together. Springs hold them at their distance, straight and askew.
struct ClothLayers {
    int count = 1;
    float compressStiffness = 0;             // Pa, pressure that would squeeze them to nothing, were they to bear it
    float slideStiffness = 0;                // Pa, the same of what drags one along another by their distance
    std::vector<std::pair<int, int>> seams;  // points that springs sew together, as if there were an edge

    bool operator==(const ClothLayers& other) const {
        return count == other.count && compressStiffness == other.compressStiffness &&
               slideStiffness == other.slideStiffness && seams == other.seams;
    }
};

// Where its points stand at the start is the shape that it is without strain; later only pinned points follow them.
struct Cloth {
    std::string name;
    ClothParams params;
    std::vector<Vec3> points;
    Faces faces;
    // One a point, or empty: how firmly it follows the mesh, 0 free to 1 pinned; and factors of its stiffness and mass.
    std::vector<float> pins, stiffnessMap, massMap;
    Pores pores;
    // What is fixed to a collider, and goes where it goes: those listed, or if none are all that at the start are in it
    // or no further away than this, m.
    std::string attachTo;  // the collider's name; empty: nothing is
    std::vector<int> attachedVertices;
    float attachDistance = 0.01f;
    // Points and faces are layer by layer. Of a knit, faces' first edges go along courses, their second along wales.
    ClothLayers layers;

    int pointsOfLayer() const { return static_cast<int>(points.size()) / layers.count; }
    // Its first point in the middle of the thickness, where fluids meet it.
    int middle() const { return layers.count / 2 * pointsOfLayer(); }
    // Faces of one layer, as points counted from its first.
    Faces facesOfLayer() const;

    bool operator==(const Cloth& other) const {
        return name == other.name && sameParams(params, other.params) && points == other.points &&
               faces == other.faces && pins == other.pins && stiffnessMap == other.stiffnessMap &&
               massMap == other.massMap && pores == other.pores && attachTo == other.attachTo &&
               attachedVertices == other.attachedVertices && attachDistance == other.attachDistance &&
               layers == other.layers;
    }
};

// Throws Error naming the cloth and what is wrong with its mesh or maps.
void checkCloth(const Cloth& cloth);

}  // namespace purl
