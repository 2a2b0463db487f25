// PoreSheet: the scene's fabrics as pore cells, one at each cloth point (of thick cloths in the middle layer), and the
// links between neighbouring cells. Built from the rest shapes; independent of the water, and of the motion except for
// the pore volume under strain.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/scene.h"

namespace purl {

// One cell. Cells of fabrics that do not absorb have fabric -1 and no links.
struct PoreCell {
    int fabric = -1;           // index of the cloth in the scene
    float area = 0;            // m²
    float volume = 0;          // m³, of fabric
    float porosity = 0;        // pore fraction of the volume
    float permeability = 0;    // m²
    float capillaryScale = 0;  // Pa, see capillaryScale

    PURL_HD float pores() const { return porosity * volume; }
};

// Connection to a neighbouring cell; both directions have the same values.
struct PoreLink {
    int to = 0;
    float conductance = 0;  // m³: permeability · depth · width/length, through the pores
    float slope = 0;        // width/length, for the film
    float length = 0;       // m
};

// Properties shared by all cells of a fabric, for kernels.
struct PoreFabric {
    float viscosity = 0;     // Pa s
    float evaporation = 0;   // kg/(m² s)
    float clingingFilm = 0;  // m
    float squeeze = 0;       // pore volume lost per strain
    float intake = 0;
    float depth = 0;  // m
    int pushes = 0;   // whether overfull cells push particles out; see solver/reference/wetting.h
    int soaks = 0;    // whether it retains what it absorbs
};

// A triangle for measuring strain.
struct PoreTriangle {
    int v[3];
    float area;           // m²
    float g11, g12, g22;  // inverse rest metric, 1/m²
    float squeeze;        // per strain
};

class PoreSheet {
  public:
    explicit PoreSheet(const Device& device);

    // The scene's cloths; `rest`, m: their rest positions. Rebuilt only if something changed.
    void set(const Scene& scene, const Buffer<Vec3>& rest);
    bool empty() const { return cells.empty(); }

    Buffer<PoreCell> cells;
    Buffer<PoreFabric> fabrics;  // one per cloth
    Buffer<int> linkStarts;      // CSR offsets, one more than cells
    Buffer<PoreLink> links;

    // m³, pore volume of each cell with the points at x: less where the fabric is compressed or stretched.
    void measureRoom(const Buffer<Vec3>& x, Buffer<float>& room);
    // The pore volume left when each cell loses the fraction `pressed` of its thickness; see Compression.
    void compressRoom(const Buffer<float>& pressed, const Buffer<float>& room, Buffer<float>& left) const;
    // Normal of each cell with the points at x; undefined outside fabrics.
    const Buffer<Vec3>& measureNormals(const Buffer<Vec3>& x);
    // m, mean length of the links between these cells; 0: there are none.
    float meanLink(int first, int end) const;

  private:
    struct Source {
        Faces faces;
        Pores pores;
        std::vector<Vec3> rest;
        bool operator==(const Source& other) const {
            return faces == other.faces && pores == other.pores && rest == other.rest;
        }
    };
    void addFabric(const Cloth& cloth, int fabric, int first, const Vec3* rest);
    void buildLinks();

    struct Edge {
        int a, b;
        double across;  // width/length, weighted by the wicking speeds along course and wale
        double plain;   // the same without the weights
    };

    Device device_;
    std::vector<Source> sources_;
    std::vector<Edge> edges_;
    std::vector<PoreTriangle> triangleList_;
    Buffer<PoreTriangle> triangles_;
    Buffer<int> incidentStarts_, incident_;  // CSR lists of the triangles around each cell
    Buffer<float> closed_;                   // m², per triangle
    Buffer<Vec3> normals_;
};

}  // namespace purl
