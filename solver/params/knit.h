// A knit in a scene: its stitches, its yarn and the mesh it is knitted on.
#pragma once
#include <string>
#include <vector>

#include "solver/params/cloth.h"

namespace purl {

// What courses and wales follow: UVs, rows of quads, or (automatic) UVs if the mesh has them and rows of quads
// otherwise.
enum class KnitLayout { automatic, uvs, edgeLoops };
inline Choices choicesOf(KnitLayout) { return {"automatic", "uvs", "edgeLoops"}; }

// Which UV shells, or connected grids of quads, are knitted.
enum class KnitShells { largest, all };
inline Choices choicesOf(KnitShells) { return {"largest", "all"}; }

// What happens where the mesh narrows or widens. stretch: the stitches change their width. even, sides: the number of
// stitches changes, by decreases and increases all along the course or at its ends.
enum class KnitShaping { stretch, even, sides };
inline Choices choicesOf(KnitShaping) { return {"stretch", "even", "sides"}; }

// follow: stitches follow the mesh. simulated: stitches have mass and springs, and only pinned ones follow the mesh.
enum class KnitMotion { follow, simulated };
inline Choices choicesOf(KnitMotion) { return {"follow", "simulated"}; }

// Defaults are worsted wool in stockinette; see gauges().
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
                          "follow: the stitches follow the mesh; simulated: the knit falls, swings and collides, and "
                          "only pinned vertices follow the mesh. Stiffness, contact and air apply to simulated only."}
                        .initialOnly());
    visit(p.pattern, About{"pattern", "ptn", "",
                           "stockinette, reverseStockinette, garter, rib, rib2x2, seed, cable, lace, fairIsle, or a "
                           "chart or knitout file. Empty: stockinette."}
                         .section("Stitches", SectionPlace::construction)
                         .initialOnly());
    visit(p.stitchWidth,
          About{"stitchWidth", "stw", "m",
                "Width of a stitch along its course. With the size of the mesh, it gives the number of stitches.", 1e-5,
                kUnbounded, 0.001, 0.02}
              .initialOnly());
    visit(p.stitchHeight,
          About{"stitchHeight", "sth", "m", "Height of a stitch, from course to course.", 1e-5, kUnbounded, 0.001, 0.02}
              .initialOnly());
    visit(p.thickness, About{"thickness", "thss", "m",
                             "Distance between the centre lines of the yarn at the front and at the back of the "
                             "fabric.",
                             0, kUnbounded, 0, 0.01});
    visit(p.yarnRadius,
          About{"yarnRadius", "yrd", "m",
                "Radius of the yarn. Yarns do not intersect as long as it is below an eighth of a stitch.", 1e-6,
                kUnbounded, 0.0001, 0.005});
    visit(p.layout, About{"layout", "lyt", "",
                          "What courses follow. automatic: UVs if the mesh has them, otherwise rows of quads."}
                        .initialOnly());
    visit(p.shells, About{"shells", "shls", "",
                          "Which parts of the mesh are knitted. largest: the largest one, such as a tube without its "
                          "caps; all: every one, such as body and sleeves, each with its own courses and sewn together "
                          "where their edges meet."}
                        .initialOnly());
    visit(p.shaping, About{"shaping", "shpg", "",
                           "What happens where the mesh narrows or widens. stretch: the stitches change their width; "
                           "even: stitches are decreased and increased all along the course; sides: at its ends, as in "
                           "sleeves. A course changes by at most a third."}
                         .initialOnly());
    visit(p.turned, About{"turned", "trd", "", "Courses run along v instead of u."}.initialOnly());
    visit(p.edges, About{"edges", "edg", "", "Adds a cast-on edge at the beginning and a bind-off edge at the end."}
                       .initialOnly());
    visit(p.tighten,
          About{"tighten", "tgt", "",
                "How far loops tighten to feed stretching yarn: 1 fully, 0 the yarn itself stretches.", 0, 1, 0, 1});
    visit(p.plies, About{"plies", "pls", "", "Number of plies twisted into the yarn.", 1, 16, 1, 8}.section(
                       "Yarn", SectionPlace::construction));
    visit(p.twist,
          About{"twist", "tws", "1/m", "Twist of the plies, in turns per metre.", -kUnbounded, kUnbounded, 0, 500});
    visit(p.color, About{"color", "clr", "rgb", "Colour of yarn A, unless the chart sets it.", 0, 1, 0, 1});
    visit(p.secondColor,
          About{"secondColor", "scl", "rgb", "Colour of the other yarns, unless the chart sets it.", 0, 1, 0, 1});
    visit(p.compressStiffness,
          About{"compressStiffness", "cst", "Pa",
                "Resistance to compression of the thickness: pressure at 100 % strain.", 0, 1e9, 0, 1e5});
    visit(p.slideStiffness,
          About{"slideStiffness", "sls", "Pa",
                "Resistance to sliding of the front along the back: shear stress at 100 % strain.", 0, 1e9, 0, 1e4});
    visit(p.openness,
          About{"openness", "opn", "", "Fraction of the fabric that is holes, which let wind through.", 0, 1, 0, 1});
    describeFabric(visit, p);
    describeFabric(visit, p.reference);
}

// Yarns with their usual gauge, by name. They set the material only, not solver, wind, colour and so on.
using GaugeTable = MaterialTable<KnitParams, 14>;
const GaugeTable& gauges();

// The points at the start frame define the rest positions of the stitches.
struct Knit {
    std::string name;
    KnitParams params;
    std::string chart;  // text of the file named by `pattern`; empty: a built-in pattern
    std::vector<Vec3> points;
    Faces faces;
    // If simulated, as in Cloth: one per point of the mesh, or empty.
    std::vector<float> pins, stiffnessMap, massMap;
    Pores pores{YarnWetParams(), {}, {}, {}};

    bool operator==(const Knit& other) const {
        return name == other.name && sameParams(params, other.params) && chart == other.chart &&
               points == other.points && faces == other.faces && pins == other.pins &&
               stiffnessMap == other.stiffnessMap && massMap == other.massMap && pores == other.pores;
    }
};

// Throws Error naming the knit and the problem if its mesh or maps are invalid.
void checkKnit(const Knit& knit);

}  // namespace purl
