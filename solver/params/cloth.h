// Cloth in a scene: its material, its mesh and its constraints. Material parameters are per length or area of fabric,
// so that they do not depend on the resolution of the mesh.
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
#include "solver/reference/params.h"

namespace purl {

// xpbd: extended position-based dynamics (Macklin 2016). implicitEuler: solves for the velocities after the step
// (Baraff and Witkin 1998). Both are stable at any step. velocityVerlet: explicit (Bayraktar 5.25), in as many substeps
// as the springs need. directional: soft explicit springs, then one correction of overlong springs per step, outwards
// from the pinned points along gravity (Özgen 2013, chapter 6).
// Only implicitEuler and velocityVerlet give a static shape that does not depend on the mesh. xpbd is softer than its
// parameters if the iterations of a step do not reach across the mesh.
enum class ClothSolver { xpbd, implicitEuler, velocityVerlet = 4, directional };
inline Choices choicesOf(ClothSolver) { return {"xpbd", "implicitEuler", "", "", "velocityVerlet", "directional"}; }

// points: points that share no spring keep a distance; on a coarse mesh, layers can pass between them. robust:
// continuous collision detection of vertices against faces and edges against edges, which prevents all crossings.
enum class SelfCollision { none, points, robust };
inline Choices choicesOf(SelfCollision) { return {"none", "points", "robust"}; }

// Defaults are a light cotton. The time step is short enough for a heap of cloth with robust self-collision to come to
// rest: at 0.004 s and 5 iterations, repulsion adds energy to the heap. With fewer iterations, silk and denim drape
// alike on a 1 cm mesh.
struct ClothParams {
    ClothSolver solver = ClothSolver::xpbd;
    float maxTimeStep = 0.002f;
    int iterations = 10;
    float tolerance = 1e-4f;
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
    ClothReference reference;

    // Whether this solver is in use: a reference solver takes the place of all.
    bool isSolvedBy(ClothSolver one) const { return reference.solver == ReferenceClothSolver::none && solver == one; }
};

// Parameters that woven and knitted fabrics share.
template <class Visit>
void describeFabric(Visit&& visit, ClothParams& p) {
    visit(p.solver, About{"solver", "slv", "",
                          "How the cloth is simulated. xpbd: fast and stable at any step, but too soft on fine meshes "
                          "unless iterations grow with them; implicitEuler: accurate at long steps; velocityVerlet: "
                          "explicit, with as many substeps as the springs need; directional: soft "
                          "springs, with overlong ones corrected once per step from the pins downwards."}
                        .section("Solver", SectionPlace::solver));
    visit(p.maxTimeStep, About{"maxTimeStep", "mts", "s",
                               "Longest time step of the cloth, within a step of the solver. Shorter is stiffer and "
                               "less damped.",
                               1e-6, 1, 0.0005, 0.02});
    visit(
        p.iterations,
        About{
            "iterations", "itr", "",
            "Iterations per step of xpbd, and of directional where the cloth hangs from several pins; more is stiffer.",
            1, 10000, 1, 50});
    visit(p.tolerance,
          About{"tolerance", "tol", "", "Relative residual at which the linear solver of implicitEuler stops.", 1e-7, 1,
                1e-6, 0.01});
    visit(p.density, About{"density", "dens", "kg/m²", "Mass of the fabric per area.", 1e-4, 1e4, 0.05, 1}.section(
                         "Stiffness", SectionPlace::mechanics));
    visit(p.stretchStiffness,
          About{"stretchStiffness", "sst", "N/m",
                "Resistance to stretching along the threads: force per width at 100 % strain.", 0, 1e9, 0, 5000});
    visit(p.shearStiffness, About{"shearStiffness", "shs", "N/m",
                                  "Resistance to shearing, likewise. Applies to quads only.", 0, 1e9, 0, 1000});
    visit(p.bendStiffness,
          About{"bendStiffness", "bst", "N·m",
                "Resistance to bending: moment per width at a bending radius of one metre.", 0, 1e6, 0, 1e-3});
    visit(p.bendSpring, About{"bendSpring", "bsp", "N/m",
                              "Stretch stiffness of additional springs between every other point, which resist sharp "
                              "folds only.",
                              0, 1e9, 0, 1000});
    visit(p.damping,
          About{"damping", "dmp", "s",
                "Damping of stretching and shearing, as a time: the ratio of damping to stiffness.", 0, 10, 0, 0.02});
    visit(p.bendDamping, About{"bendDamping", "bdm", "s", "Damping of bending, likewise.", 0, 10, 0, 0.1});
    visit(p.strainLimit,
          About{"strainLimit", "slim", "",
                "Maximum strain of a spring: 0.1 allows it to become 10 % longer. 0: no limit.", 0, 10, 0, 0.2});
    visit(
        p.airDrag,
        About{"airDrag", "adg", "Pa·s/m", "Drag of still air: force per area and speed.", 0, 1e4, 0, 1}.section("Air"));
    visit(p.windDrag,
          About{"windDrag", "wdg", "Pa·s/m",
                "Drag along the normals, by which wind moves the cloth: force per area and speed.", 0, 1e4, 0, 5});
    visit(p.wind, About{"wind", "wnd", "m/s", "Velocity of the air."});
    visit(p.gusts,
          About{"gusts", "gst", "", "Fraction of the wind that varies, over about a second and a metre.", 0, 1, 0, 1});
    visit(p.friction, About{"friction", "fron", "",
                            "Coulomb friction coefficient against colliders and cloth. The larger coefficient of the "
                            "two in contact applies.",
                            0, 100, 0, 1}
                          .section("Contact", SectionPlace::surroundings));
    visit(p.stickiness, About{"stickiness", "stck", "Pa", "How strongly dry cloth sticks to colliders and to itself.",
                              0, 1e5, 0, 200});
    visit(p.selfCollision,
          About{"selfCollision", "sco", "",
                "Collision of the cloth with itself and with other cloths that have it on. robust: nothing crosses; "
                "the slowest. points: only points repel each other, so layers can pass between them. none: for cloth "
                "that never touches itself."});
    visit(p.selfDistance, About{"selfDistance", "sdi", "m",
                                "Distance kept in self-collision. 0: for points, the thickness or 0.8 of the edge "
                                "length, whichever is larger; for robust, the thickness, but at most half the edge "
                                "length.",
                                0, kUnbounded, 0, 0.05});
    visit(p.follow, About{"follow", "fol", "1/s",
                          "How fast the whole cloth is drawn towards its animated mesh. 0: only pinned points follow.",
                          0, 1e4, 0, 50});
    visit(p.fluidContact,
          About{"fluidContact", "fcn", "",
                "How 3-D fluids collide with it. surface: nothing passes; points: with its points only, so that fluid "
                "leaks through coarse meshes; none: not at all."});
    visit(p.fluidPush,
          About{"fluidPush", "fpu", "", "Fluids push the cloth. Off: the cloth pushes fluids, but not vice versa."});
    visit(p.startVelocity, About{"startVelocity", "stv", "m/s", "Initial velocity."}.initialOnly());
}

template <class Visit>
void describe(Visit&& visit, ClothParams& p) {
    describeFabric(visit, p);
    visit(
        p.visitLimit,
        About{"visitLimit", "vli", "", "How often one step of directional may correct a point.", 1, 100, 1, 5}.section(
            "Solver", SectionPlace::solver));
    visit(p.tearStrain,
          About{"tearStrain", "tst", "",
                "The mesh tears where an edge stretches by more than this: 0.5 is 50 %. 0: never. No effect above "
                "strainLimit or in a scene with fluids.",
                0, 100, 0, 1}
              .section("Tearing and volume"));
    visit(p.coreStiffness, About{"coreStiffness", "cos", "N/m³",
                                 "Stiffness of springs from every point to the centre, per area: keeps a closed mesh "
                                 "such as a cushion from collapsing. 0: none.",
                                 0, 1e9, 0, 20000});
    visit(p.thickness,
          About{"thickness", "thss", "m", "Thickness of the cloth in contacts; half of it is kept clear on each side.",
                0, kUnbounded, 0, 0.02}
              .section("Contact", SectionPlace::surroundings));
    visit(p.immersion,
          About{"immersion", "imm", "",
                "0 in air, 1 under water: buoyancy, drag and history forces without simulating a fluid.", 0, 1, 0, 1}
              .section("Under water"));
    visit(p.fluidDensity,
          About{"fluidDensity", "fld", "kg/m³", "Density of the fluid it is immersed in.", 0, 1e5, 0, 2000});
    visit(p.fluidViscosity,
          About{"fluidViscosity", "flv", "Pa·s", "Viscosity of the fluid it is immersed in.", 0, 1e5, 0, 1});
    visit(p.current, About{"current", "cur", "m/s", "Velocity of the fluid it is immersed in."});
    visit(p.wetDensity, About{"wetDensity", "wde", "kg/m³",
                              "Density of the immersed fabric. It floats if this is below fluidDensity and sinks "
                              "otherwise.",
                              1, 1e5, 900, 2000});
    visit(p.addedMass,
          About{"addedMass", "adm", "",
                "Fluid accelerated along with the cloth, as a fraction of the fluid it displaces.", 0, 1e4, 0, 10});
    visit(p.normalDrag, About{"normalDrag", "ndr", "",
                              "Drag coefficient of motion along the normals, quadratic in speed; a flat plate has 1.2.",
                              0, 1000, 0, 5});
    visit(p.boundaryLayer,
          About{"boundaryLayer", "bly", "m",
                "Thickness of the boundary layer. Tangential drag is 2 fluidViscosity / boundaryLayer.", 1e-6,
                kUnbounded, 1e-4, 0.01});
    visit(p.historyDrag,
          About{"historyDrag", "hdr", "", "Factor on the drag from past motion (Basset force).", 0, 1000, 0, 5});
    visit(p.memory,
          About{"memory", "mem", "s", "How far back historyDrag reaches, at most 255 steps.", 0, 1000, 0, 0.5});
    visit(p.color, About{"color", "clr", "rgb", "Colour in the viewport and in previews.", 0, 1, 0, 1}.section(
                       "Look", SectionPlace::display));
    describe(visit, p.reference);
}

// Fabrics by name. They set the material only, not solver, wind, colour and so on.
using FabricTable = MaterialTable<ClothParams, 6>;
const FabricTable& fabrics();

// A thick fabric: `count` sheets with the same faces, one behind the other from the front, connected by straight and
// diagonal springs. The cloth's parameters are those of all sheets together.
struct ClothLayers {
    int count = 1;
    float compressStiffness = 0;             // Pa, stress at 100 % compression of the thickness
    float slideStiffness = 0;                // Pa, stress at 100 % shear between the sheets
    std::vector<std::pair<int, int>> seams;  // pairs of points joined by springs, as if by an edge

    bool operator==(const ClothLayers& other) const {
        return count == other.count && compressStiffness == other.compressStiffness &&
               slideStiffness == other.slideStiffness && seams == other.seams;
    }
};

// The points at the start frame are the rest shape; afterwards only pinned points follow them.
struct Cloth {
    std::string name;
    ClothParams params;
    std::vector<Vec3> points;
    Faces faces;
    // One per point, or empty: how firmly it follows the mesh, from 0 (free) to 1 (pinned); factors on stiffness and
    // mass.
    std::vector<float> pins, stiffnessMap, massMap;
    Pores pores;
    // Points attached to a collider: those listed or, if none are, all that are inside it or within attachDistance (m)
    // at the start.
    std::string attachTo;  // name of the collider; empty: none
    std::vector<int> attachedVertices;
    float attachDistance = 0.01f;
    // Points and faces are stored layer by layer. In a knit, the first edge of a face runs along a course, the second
    // along a wale.
    ClothLayers layers;

    int pointsOfLayer() const { return static_cast<int>(points.size()) / layers.count; }
    // Index of the first point of the middle layer, which fluids collide with.
    int middle() const { return layers.count / 2 * pointsOfLayer(); }
    // Faces of one layer, with indices relative to its first point.
    Faces facesOfLayer() const;

    bool operator==(const Cloth& other) const {
        return name == other.name && sameParams(params, other.params) && points == other.points &&
               faces == other.faces && pins == other.pins && stiffnessMap == other.stiffnessMap &&
               massMap == other.massMap && pores == other.pores && attachTo == other.attachTo &&
               attachedVertices == other.attachedVertices && attachDistance == other.attachDistance &&
               layers == other.layers;
    }
};

// Throws Error naming the cloth and the problem if its mesh or maps are invalid.
void checkCloth(const Cloth& cloth);

}  // namespace purl
