// PoreSheet: the scene's fabrics as cells of pores, one at each point of the cloths (of thick ones in the middle), and
// the links that water takes from cell to cell. Made on the shapes at rest; knows neither water nor motion but how much
// of the pores strain leaves open.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/scene.h"

namespace purl {

// One cell. Those of fabrics that take up nothing are of fabric -1, and nothing links them.
struct PoreCell {
    int fabric = -1;         // which of the scene's cloths
    float area = 0;          // m²
    float volume = 0;        // m³, of fabric
    float porosity = 0;      // share of that
    float permeability = 0;  // m²
    float pull = 0;          // Pa, see capillaryPull

    PURL_HD float pores() const { return porosity * volume; }
};

// Way from one cell to another; both ends have the same numbers.
struct PoreLink {
    int to = 0;
    float conductance = 0;  // m³: permeability · depth · width/length, through the pores
    float slope = 0;        // width/length, of a film
    float length = 0;       // m
};

// What all cells of a fabric have in common, as kernels see it.
struct PoreFabric {
    float viscosity = 0;     // Pa s
    float evaporation = 0;   // kg/(m² s)
    float clingingFilm = 0;  // m
    float squeeze = 0;       // per strain
    float intake = 0;
    float depth = 0;  // m
    int pushes = 0;   // whether overfull cells push particles out; see held.h
    int soaks = 0;    // whether it keeps what it takes up
};

// A triangle whose pores close under strain.
struct PoreTriangle {
    int v[3];
    float area;           // m²
    float g11, g12, g22;  // of the inverse metric at rest, 1/m²
    float squeeze;        // per strain
};

class PoreSheet {
  public:
    explicit PoreSheet(const Device& device);

    // The scene's cloths; `rest`, m: where their points are without strain. What has not changed stays.
    void set(const Scene& scene, const Buffer<Vec3>& rest);
    bool empty() const { return cells.empty(); }

    Buffer<PoreCell> cells;
    Buffer<PoreFabric> fabrics;  // one a cloth
    Buffer<int> linkStarts;      // one more than cells
    Buffer<PoreLink> links;

    // m³, what each cell's pores hold where the points are at x: less where the fabric is crushed or stretched.
    void measureRoom(const Buffer<Vec3>& x, Buffer<float>& room);
    // What is left of that where cells are pressed, each by so much of its thickness; see Pressing.
    void pressRoom(const Buffer<float>& pressed, const Buffer<float>& room, Buffer<float>& left) const;
    // Of each cell, where the points are at x; of no meaning where there is no fabric.
    const Buffer<Vec3>& measureNormals(const Buffer<Vec3>& x);
    // m, of the links between these cells; 0: there are none.
    float meanLink(int first, int end) const;

  private:
    struct Made {
        Faces faces;
        Pores pores;
        std::vector<Vec3> rest;
        bool operator==(const Made& other) const {
            return faces == other.faces && pores == other.pores && rest == other.rest;
        }
    };
    void addFabric(const Cloth& cloth, int fabric, int first, const Vec3* rest);
    void linkUp();

    struct Edge {
        int a, b;
        double across;  // width/length, with the fabric's own directions counted in
        double plain;   // the same without
    };

    Device device_;
    std::vector<Made> made_;
    std::vector<Edge> edges_;
    std::vector<PoreTriangle> list_;
    Buffer<PoreTriangle> triangles_;
    Buffer<int> fanStarts_, fans_;  // the triangles around each cell
    Buffer<float> closed_;          // m², of each triangle
    Buffer<Vec3> normals_;
};

}  // namespace purl
