// Spring and fold network of a mesh: for any faces; for a regular grid of quads exactly Bayraktar's network (§4.1.1:
// structural, shear, bend). Depends on rest positions only, not on materials.
#pragma once
#include <utility>
#include <vector>

#include "solver/core/vec.h"
#include "solver/geometry/faces.h"

namespace purl {

// structural: along edges; shear: diagonals of quads; bend: skips one point. Between layers of thick fabrics: strut,
// straight through; slant, to the neighbours of the point behind.
enum class SpringFamily { structural, shear, bend, strut, slant };

struct Link {
    int a = 0, b = 0;
    SpringFamily family = SpringFamily::structural;
    float rest = 0;  // m
    // Spring stiffness (N/m) per unit of modulus. In plane, for a modulus in N/m: width of fabric represented over
    // length. Between layers, for a modulus in Pa: area over length.
    float stiffnessPerModulus = 0;
};

// A bending element: Σ cᵢ xᵢ is proportional to the curvature. Three points in line, or the four of two adjacent
// triangles; the last weight may be 0.
struct Fold {
    int v[4] = {};
    float c[4] = {};
    float rest = 0;                 // |Σ cᵢ xᵢ| at rest
    float stiffnessPerModulus = 0;  // k of ½ k |Σ cᵢ xᵢ|², N/m, per unit of bending modulus, N·m
};

struct Topology {
    std::vector<Link> links;
    std::vector<Fold> folds;
    std::vector<float> areas;  // m², of each point: its share of the faces around it
};

// Polygons with more than four corners become triangle fans. Throws Error, without the cloth's name, on a zero-length
// edge.
Topology makeTopology(const Faces& faces, const Vec3* points, int count);

// Adds springs between the layers of a thick fabric, which have equal numbers of points (Güdükbay §3 gives no formula).
// Throws Error, without the cloth's name, on layers that touch.
void joinLayers(Topology& topology, const Vec3* points, int layers);
// Adds structural springs between pairs of points.
void sew(Topology& topology, const Vec3* points, const std::vector<std::pair<int, int>>& seams);

}  // namespace purl
