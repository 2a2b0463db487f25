// A knit as a scene has it: its stitches, its yarn, and the mesh that it is knitted on.
#pragma once
#include <string>
#include <vector>

#include "solver/core/describe.h"
#include "solver/core/faces.h"
#include "solver/core/vec.h"

namespace purl {

// What courses and wales go along: texture coordinates, rows of quads, or the first of these that the mesh has.
enum class KnitLayout { automatic, uvs, edgeLoops };
inline Choices choicesOf(KnitLayout) { return {"automatic", "uvs", "edgeLoops"}; }

struct KnitParams {
    std::string pattern = "stockinette";
    float stitchWidth = 0.005f;
    float stitchHeight = 0.004f;
    float thickness = 0.0015f;
    float yarnRadius = 0.0006f;
    KnitLayout layout = KnitLayout::automatic;
    bool turned = false;
    bool edges = true;
    float tighten = 1;
    int plies = 3;
    float twist = 160;
    Vec3 color{0.76f, 0.68f, 0.55f};
    Vec3 secondColor{0.55f, 0.1f, 0.08f};
};

template <class Visit>
void describe(Visit&& visit, KnitParams& p) {
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
    visit(p.turned, About{"turned", "trd", "", "Courses go along v instead of u."});
    visit(p.edges, About{"edges", "edg", "", "A thread is cast on at the beginning and bound off at the end."});
    visit(p.tighten,
          About{"tighten", "tgt", "",
                "How much of what stretching asks of the yarn the loops give up. 0: the yarn stretches.", 0, 1, 0, 1});
    visit(p.plies, About{"plies", "pls", "", "Threads that the yarn is twisted of.", 1, 16, 1, 8});
    visit(p.twist, About{"twist", "tws", "1/m", "Turns of the plies a metre.", -kUnbounded, kUnbounded, 0, 500});
    visit(p.color, About{"color", "clr", "rgb", "Of yarn A, where the chart does not say.", 0, 1, 0, 1});
    visit(p.secondColor, About{"secondColor", "scl", "rgb", "Of the other yarns, where it does not.", 0, 1, 0, 1});
}

// Where its points stand at the start is where its stitches are at rest; they follow the points from then on.
struct Knit {
    std::string name;
    KnitParams params;
    std::string chart;  // text of the file that the pattern names; empty: the pattern is one of our own
    std::vector<Vec3> points;
    Faces faces;

    bool operator==(const Knit& other) const {
        return name == other.name && sameParams(params, other.params) && chart == other.chart &&
               points == other.points && faces == other.faces;
    }
};

// Throws Error naming the knit and what is wrong with its mesh.
void checkKnit(const Knit& knit);

}  // namespace purl
