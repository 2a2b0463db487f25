// Fabric: one cloth as its solvers see it: springs and folds with the stiffness of its material, masses, and which of
// them touch which point. ElementList anew when the material or the mesh is edited; nothing in it changes with time.
#pragma once
#include <vector>

#include "solver/cloth/colors.h"
#include "solver/cloth/topology.h"
#include "solver/core/buffer.h"
#include "solver/params/cloth.h"

namespace purl {

// Energy ½ k (|xₐ − x_b| − L)², force damped along the spring by d = dampingTime · k.
struct Spring {
    int a, b;
    float rest;         // m
    float stiffness;    // N/m
    float dampingTime;  // s
};

// Energy ½ k (|d| − r)² of d = Σ cᵢ xᵢ, damped the same way; see Fold.
struct Bend {
    int v[4];
    float c[4];
    float rest;
    float stiffness;    // N/m
    float dampingTime;  // s
};

// One spring or fold of a point: which it is, and the point's weight in it. Springs' are 1 and −1.
struct Incidence {
    int element;
    float weight;
};

// Springs and then folds, counted through, as total of them are seen by their points' velocities or moves.
struct Elements {
    Span<const Spring> springs;
    Span<const Bend> bends;

    PURL_HD bool isSpring(int e) const { return e < springs.count; }
    PURL_HD const Bend& bend(int e) const { return bends[e - springs.count]; }
    PURL_HD float stiffness(int e) const { return isSpring(e) ? springs[e].stiffness : bend(e).stiffness; }
    PURL_HD float dampingTime(int e) const { return isSpring(e) ? springs[e].dampingTime : bend(e).dampingTime; }
    // Σ cᵢ pᵢ of a vector p on each point
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

    // `saturation`: of each point, or none: how wet it is, and so how stiff. Throws Error naming the cloth on a mesh
    // that is none.
    void set(const Cloth& cloth, Span<const Vec3> rest, Span<const float> saturation = {});

    const ClothParams& params() const { return cloth_.params; }
    const WetParams& wetParams() const { return cloth_.pores.params; }
    const std::string& name() const { return cloth_.name; }
    // Another number whenever springs or folds are others, and whenever these are as stiff as before no longer.
    unsigned version() const { return version_; }
    unsigned stiffnessVersion() const { return stiffnessVersion_; }
    // Another number whenever the mesh is another.
    unsigned meshVersion() const { return meshVersion_; }
    int count() const { return inverseMass.size(); }
    const Topology& topology() const { return topology_; }
    Vec3 rest(int i) const { return cloth_.points[static_cast<size_t>(i)]; }
    int layers() const { return cloth_.layers.count; }
    // Share of what its parameters say that each of its layers has.
    float layerShare() const { return 1 / static_cast<float>(layers()); }

    Buffer<Spring> springs;  // by colour, and in a colour by their slots
    Buffer<Bend> bends;
    Colors springColors, bendColors;
    Buffer<float> inverseMass;  // 1/kg, with what it carries; 0: follows the scene's mesh
    Buffer<float> mass;         // kg, its own
    Buffer<float> area;         // m²
    Buffer<float> pin;          // how firmly each follows the mesh; 0 free, 1 pinned
    Buffer<float> coreLength;   // m, from the middle of them total at rest; none: nothing holds them there
    // Of point i: incidences[incidenceStarts[i]] … incidences[incidenceStarts[i + 1] − 1]; springs first, their
    // elements as they are, then bends, theirs counted on from the last spring (B-107).
    Buffer<int> incidenceStarts;
    Buffer<Incidence> incidences;
    std::vector<int> triangles;
    // Triangles around each point, for normals: corners that follow it, two each.
    Buffer<int> fanStarts, fans;

    // Most springs and folds come in runs, with each point at slots()[i].
    bool mostlyInRuns() const;
    const std::vector<int>& slots() const { return slots_; }
    int strips() const { return strips_.count; }

    // s, of total springs and of total folds: what they are damped by, unless told otherwise its parameters' damping.
    float springDampingTime() const { return springDampingTime_; }
    float bendDampingTime() const { return bendDampingTime_; }
    void setDampingTimes(float springTime, float bendTime);
    // kg, of the lightest point that is free; 0: none is.
    float minMass() const { return minMass_; }
    // Each point moves as if it weighed so much more, kg; none: as it is.
    void setAddedMass(Span<const float> addedMass);

    int elementCount() const { return springs.size() + bends.size(); }
    Elements elements() const { return {springs.span(), bends.span()}; }
    // s, the longest step that is stable for explicit integration (Bayraktar 5.28, with every spring of a point counted
    // and damping): no longer than the true one.
    double stepLimit() const;
    // m, the mean length at rest of the mesh's edges.
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
    std::vector<float> wetFactors_;  // of each point, factor of its stiffness for being wet; none: dry
    Buffer<float> drySpringStiffness_, dryBendStiffness_;  // N/m, of each where it is neither painted nor wet
    Buffer<float> stiffnessFactors_;
    Topology topology_;
    std::vector<int> slots_;
    Strips strips_;
    float meanEdge_ = 0, minMass_ = 0;
    float springDampingTime_ = 0, bendDampingTime_ = 0;
    unsigned version_ = 0, stiffnessVersion_ = 0, meshVersion_ = 0;
};

}  // namespace purl
