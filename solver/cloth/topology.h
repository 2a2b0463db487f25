// Which points of a mesh are linked by springs, and where its fabric folds: from any faces, and from a regular grid of
// squares exactly Bayraktar's network (§4.1.1: structural, shear, bend). Knows places at rest, no materials.
#pragma once
#include <utility>
#include <vector>

#include "solver/core/vec.h"
#include "solver/geometry/faces.h"

namespace purl {

// structural: along edges; shear: across faces of four corners; bend: past a point, to the one behind it. Between the
// layers of thick fabrics: strut, straight through; slant, to the neighbours of the point behind.
enum class SpringFamily { structural, shear, bend, strut, slant };

struct Link {
    int a = 0, b = 0;
    SpringFamily family = SpringFamily::structural;
    float rest = 0;  // m
    // What a modulus in N/m is multiplied by to give the spring's stiffness, N/m: the width of fabric that it stands
    // for over its length. Between layers, a modulus in Pa: the area over the length.
    float share = 0;
};

// A place where the fabric bends: Σ cᵢ xᵢ is the curvature there, up to a factor. Three points in line, or the four of
// two triangles. The last may be of weight 0.
struct Fold {
    int v[4] = {};
    float c[4] = {};
    float rest = 0;   // length of the sum at rest
    float share = 0;  // what the bending modulus, N·m, is multiplied by to give ½ k |Σ cᵢ xᵢ|² its k, N/m
};

struct Topology {
    std::vector<Link> links;
    std::vector<Fold> folds;
    std::vector<float> areas;  // m², of each point: its part of the faces around
};

// Polygons of more than four corners count as fans of triangles. Throws Error, to be completed by the cloth's name, on
// an edge without length.
Topology topologyOf(const Faces& faces, const Vec3* points, int count);

// Adds what holds `layers` sheets, of as many points each, to the ones behind them (Güdükbay §3; the document has no
// formula). Throws Error likewise, on layers that touch.
void joinLayers(Topology& topology, const Vec3* points, int layers);
// Adds springs, as along edges, between pairs of points.
void sew(Topology& topology, const Vec3* points, const std::vector<std::pair<int, int>>& seams);

}  // namespace purl
