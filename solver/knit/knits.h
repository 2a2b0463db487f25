// All knits of a scene: their fabrics, which depend on the rest shapes and are kept from frame to frame, and the yarns
// of a state.
#pragma once
#include "solver/knit/yarn.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

class Knits {
  public:
    explicit Knits(const Device& device) : device_(device) {}

    // Builds the fabrics from the rest shapes of a state. All methods throw Error naming the knit.
    void make(const Scene& scene, const State& state);
    // Rebuilds them if the settings of a knit changed. Knits that are simulated as cloth must keep their number of
    // stitches.
    void update(const Scene& scene, const State& state);
    // The scene with its knits appended to its cloths: simulated knits as cloths of three layers, knits that follow
    // their mesh as fully pinned sheets if there are fluids to interact with. `scene` itself if it has no such knits,
    // otherwise a copy of it in `storage`.
    const Scene& withKnitCloths(const Scene& scene, Scene& storage) const;
    // The yarns of a state of the scene with cloths for its knits; `scene` is the original one.
    std::vector<Curves> makeCurves(const State& state, const Scene& scene) const;
    const KnitFabric& fabric(size_t k) const { return fabrics_[k]; }
    // Ignored parts of the patterns, one line each.
    std::vector<std::string> notes() const;

  private:
    Device device_;
    std::vector<KnitFabric> fabrics_;
};

// Total number of points of all knit meshes.
int knitPointCount(const Scene& scene);
// Initial state: the meshes of the scene, at rest.
void startKnits(State& state, const Scene& scene);
// Moves the meshes to where the scene has them `duration` seconds after the state.
void moveKnits(State& state, const Scene& scene, double duration);

}  // namespace purl
