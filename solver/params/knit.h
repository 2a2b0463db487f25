// A knit as a scene has it: its stitches, its yarn, and the mesh that it is knitted on.
#pragma once
#include <string>
#include <vector>

#include "solver/params/cloth.h"

namespace purl {

// What courses and wales go along: texture coordinates, rows of quads, or the first of these that the mesh has.
enum class KnitLayout { automatic, uvs, edgeLoops };
inline Choices choicesOf(KnitLayout) { return {"automatic", "uvs", "edgeLoops"}; }

// Of a mesh of several shells in texture space, or of several nets of quads: which are knitted.
enum class KnitShells { largest, all };
inline Choices choicesOf(KnitShells) { return {"largest", "all"}; }

// Where a mesh narrows or widens: its stitches do (stretch), or courses have fewer or more of them, put in and taken
// out all along the course or at its sides.
enum class KnitShaping { stretch, even, sides };
inline Choices choicesOf(KnitShaping) { return {"stretch", "even", "sides"}; }

// follow: stitches go where the mesh goes; simulated: they have weight and springs of their own, and only what is
// pinned follows it.
enum class KnitMotion { follow, simulated };
inline Choices choicesOf(KnitMotion) { return {"follow", "simulated"}; }

// Defaults are a worsted wool in stockinette; see gauges().
struct KnitParams : ClothParams {
    KnitParams();

    KnitMotion motion = KnitMotion::follow;
    std::string pattern = "stockinette";
    float stitchWidth = 0.005f;
    float stitchHeight = 0.004f;
    float yarnRadius = 0.0006f;
    KnitLayout layout = KnitLayout::automatic;
    KnitShells shells = KnitShells::largest;
    KnitShaping shaping = KnitShaping::even;
    bool turned = false;
    bool edges = true;
    float tighten = 1;
    int plies = 3;
    float twist = 160;
    float compressStiffness = 20000;
    float slideStiffness = 200;
    float openness = 0.3f;
    Vec3 secondColor{0.55f, 0.1f, 0.08f};
};

template <class Visit>
void describe(Visit&& visit, KnitParams& p) {
    visit(p.motion, About{"motion", "mot", "",
                          "follow: goes where the mesh goes; simulated: falls, swings and lies on things, and only "
                          "what is pinned follows. What is said below of motion is for simulated."});
    visit(p.pattern, About{"pattern", "ptn", "",
                           "stockinette, reverseStockinette, garter, rib, rib2x2, seed, cable, lace, fairIsle, or a "
                           "chart's or knitout's file. Empty: stockinette."});
    visit(p.stitchWidth,
          About{"stitchWidth", "stw", "m", "Of a stitch along its course; the mesh's size tells how many there are.",
                1e-5, kUnbounded, 0.001, 0.02});
    visit(p.stitchHeight, About{"stitchHeight", "sth", "m", "From course to course.", 1e-5, kUnbounded, 0.001, 0.02});
    visit(p.thickness, About{"thickness", "thss", "m", "Between the yarn's middle at the front and at the back.", 0,
                             kUnbounded, 0, 0.01});
    visit(p.yarnRadius, About{"yarnRadius", "yrd", "m",
                              "Of the yarn. Below an eighth of a stitch, yarns do not go through each other.", 1e-6,
                              kUnbounded, 0.0001, 0.005});
    visit(p.layout,
          About{"layout", "lyt", "", "What courses follow. automatic: texture coordinates, or rows of quads."});
    visit(p.shells, About{"shells", "shls", "",
                          "Which parts of the mesh are knitted: the largest, as of a tube with caps, or all, as body "
                          "and sleeves, each with courses of its own and sewn together where their edges meet."});
    visit(p.shaping,
          About{"shaping", "shpg", "",
                "Where the mesh narrows or widens. stretch: stitches do too; even: they keep their width, and "
                "some are knitted together or made all along the course; sides: at its sides, or at a tube's "
                "beginning, as sleeves are. One course changes by a third at most."});
    visit(p.turned, About{"turned", "trd", "", "Courses go along v instead of u."});
    visit(p.edges, About{"edges", "edg", "", "A thread is cast on at the beginning and bound off at the end."});
    visit(p.tighten,
          About{"tighten", "tgt", "",
                "How much of what stretching asks of the yarn the loops give up. 0: the yarn stretches.", 0, 1, 0, 1});
    visit(p.plies, About{"plies", "pls", "", "Threads that the yarn is twisted of.", 1, 16, 1, 8});
    visit(p.twist, About{"twist", "tws", "1/m", "Turns of the plies a metre.", -kUnbounded, kUnbounded, 0, 500});
    visit(p.color, About{"color", "clr", "rgb", "Of yarn A, where the chart does not say.", 0, 1, 0, 1});
    visit(p.secondColor, About{"secondColor", "scl", "rgb", "Of the other yarns, where it does not.", 0, 1, 0, 1});
    visit(p.compressStiffness,
          About{"compressStiffness", "cst", "Pa",
                "Pressure that would squeeze the fabric's thickness to nothing, were it to bear it.", 0, 1e9, 0, 1e5});
    visit(p.slideStiffness,
          About{"slideStiffness", "sls", "Pa",
                "Pull that would drag the front along the back by the thickness, were it to bear it.", 0, 1e9, 0, 1e4});
    visit(p.openness,
          About{"openness", "opn", "", "Share of the fabric that is holes: wind blows through them.", 0, 1, 0, 1});
    describeFabric(visit, p);
}

// Yarns and how they are commonly knitted, by name; what is not the fabric's (solver, wind, colour …) they leave alone.
using GaugeTable = MaterialTable<KnitParams, 14>;
const GaugeTable& gauges();

// Where its points stand at the start is where its stitches are at rest.
struct Knit {
    std::string name;
    KnitParams params;
    std::string chart;  // text of the file that the pattern names; empty: the pattern is one of our own
    std::vector<Vec3> points;
    Faces faces;
    // Of simulated ones, as Cloth has them: one a point of the mesh, or empty.
    std::vector<float> pins, stiffnessMap, massMap;
    Pores pores{YarnWetParams(), {}, {}, {}};

    bool operator==(const Knit& other) const {
        return name == other.name && sameParams(params, other.params) && chart == other.chart &&
               points == other.points && faces == other.faces && pins == other.pins &&
               stiffnessMap == other.stiffnessMap && massMap == other.massMap && pores == other.pores;
    }
};

// Throws Error naming the knit and what is wrong with its mesh.
void checkKnit(const Knit& knit);

}  // namespace purl
