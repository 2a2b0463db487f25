// Fabric: one cloth prepared for the solvers: springs and folds with material stiffness, masses and connectivity.
// Rebuilt when the material or the mesh is edited; constant over time otherwise.
#pragma once
#include <vector>

#include "solver/cloth/colors.h"
#include "solver/cloth/topology.h"
#include "solver/core/buffer.h"
#include "solver/core/mirrored.h"
#include "solver/params/cloth.h"

namespace purl {

// Energy ½ k (|xₐ − x_b| − L)²; damping coefficient along the spring d = dampingTime · k.
struct Spring {
    int a, b;
    float rest;         // m
    float stiffness;    // N/m
    float dampingTime;  // s
};

// Energy ½ k (|d| − r)² of d = Σ cᵢ xᵢ, with the same damping; see Fold.
struct Bend {
    int v[4];
    float c[4];
    float rest;
    float stiffness;    // N/m
    float dampingTime;  // s
};

// An element incident to a point, and the point's weight in it; for springs 1 and −1.
struct Incidence {
    int element;
    float weight;
};

// All elements, springs first, then folds, for loops over both.
struct Elements {
    Span<const Spring> springs;
    Span<const Bend> bends;

    PURL_HD bool isSpring(int e) const { return e < springs.count; }
    PURL_HD const Bend& bend(int e) const { return bends[e - springs.count]; }
    PURL_HD float stiffness(int e) const { return isSpring(e) ? springs[e].stiffness : bend(e).stiffness; }
    PURL_HD float dampingTime(int e) const { return isSpring(e) ? springs[e].dampingTime : bend(e).dampingTime; }
    // Σ cᵢ pᵢ for a vector p per point
    PURL_HD Vec3 difference(int e, const Vec3* p) const {
        if (isSpring(e)) return p[springs[e].a] - p[springs[e].b];
        const Bend& b = bend(e);
        Vec3 sum;
        for (int i = 0; i < 4; ++i) sum += b.c[i] * p[b.v[i]];
        return sum;
    }
};

class Fabric {
  public:
    explicit Fabric(const Device& device);

    // `saturation`: wetness of each point, which changes its stiffness; empty: dry. Throws Error with the cloth's name
    // on an invalid mesh.
    void set(const Cloth& cloth, Span<const Vec3> rest, Span<const float> saturation = {});

    const ClothParams& params() const { return cloth_.params; }
    const WetParams& wetParams() const { return cloth_.pores.params; }
    const std::string& name() const { return cloth_.name; }
    // Change whenever the elements change, or only their stiffness.
    unsigned version() const { return version_; }
    unsigned stiffnessVersion() const { return stiffnessVersion_; }
    // Changes whenever the mesh changes.
    unsigned meshVersion() const { return meshVersion_; }
    int count() const { return inverseMass.size(); }
    const Topology& topology() const { return topology_; }
    Vec3 rest(int i) const { return cloth_.points[i]; }
    int layers() const { return cloth_.layers.count; }
    // Fraction of the cloth's parameters that each layer has.
    float layerShare() const { return 1 / static_cast<float>(layers()); }

    Buffer<Spring> springs;  // by colour, within a colour by slot
    Buffer<Bend> bends;
    Colors springColors, bendColors;
    Buffer<float> inverseMass;  // 1/kg, including added mass; 0: pinned
    Mirrored<float> mass;       // kg, without added mass
    Mirrored<float> area;       // m²
    Mirrored<float> pin;        // how strongly a point follows the scene's mesh: 0 free, 1 pinned
    Buffer<float> coreLength;   // m, rest distance from the centre of mass; empty: no core springs
    // CSR: elements of point i are incidences[incidenceStarts[i]] … incidences[incidenceStarts[i + 1] − 1], springs
    // first; folds are numbered after the last spring (B-107).
    Buffer<int> incidenceStarts;
    Buffer<Incidence> incidences;
    std::vector<int> triangles;
    // CSR: triangles around each point, for normals; the two following corners of each.
    Buffer<int> fanStarts, fans;

    // Whether most elements are in runs, with point i in slot slots()[i].
    bool mostlyInRuns() const;
    const std::vector<int>& slots() const { return slots_; }
    int strips() const { return strips_.count; }

    // s, damping time of all springs and of all folds; the damping parameters unless set otherwise.
    float springDampingTime() const { return springDampingTime_; }
    float bendDampingTime() const { return bendDampingTime_; }
    void setDampingTimes(float springTime, float bendTime);
    // kg, mass of the lightest free point; 0: none is free.
    float minMass() const { return minMass_; }
    // Whether a point moves by itself: its inverse mass is not 0.
    bool isFree(int i) const { return mass[i] > 0 && pin[i] < 1; }
    // Adds mass to the inertia of each point, kg, on the device; empty: none.
    void setAddedMass(Span<const float> addedMass);

    int elementCount() const { return springs.size() + bends.size(); }
    Elements elements() const { return {springs.span(), bends.span()}; }
    // s, upper bound of the step for explicit integration, including damping (Bayraktar 5.28, summed over all springs
    // of a point); never above the true limit.
    double stepLimit() const;
    // m, mean rest length of the mesh's edges.
    float meanEdge() const { return meanEdge_; }

  private:
    void setMasses();
    void setCore();
    void setElements();
    void setIncidences();
    void setFans();
    void setStiffnessFactors();
    void updateStiffness();

    Cloth cloth_;
    std::vector<float> wetFactors_;                        // per point: stiffness factor from wetness; empty: dry
    Buffer<float> drySpringStiffness_, dryBendStiffness_;  // N/m, without stiffness map and wetness
    Mirrored<float> stiffnessFactors_;
    Topology topology_;
    std::vector<int> slots_;
    Strips strips_;
    float meanEdge_ = 0, minMass_ = 0;
    float springDampingTime_ = 0, bendDampingTime_ = 0;
    unsigned version_ = 0, stiffnessVersion_ = 0, meshVersion_ = 0;
};

}  // namespace purl
