// All knits of a scene: what their rest shapes decide, kept from frame to frame, and the yarns of a state.
#pragma once
#include "solver/knit/yarn.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

class Knits {
  public:
    explicit Knits(const Device& device) : device_(device) {}

    // Makes the fabrics of a state's rest shapes. All throw Error naming the knit.
    void make(const Scene& scene, const State& state);
    // Makes them again where a knit's settings changed. Those that are cloths keep their number of stitches.
    void update(const Scene& scene, const State& state);
    // The scene with its knits among its cloths, behind the others: simulated ones as cloths of three layers, those
    // that follow as sheets held everywhere, where there are fluids to meet them.
    Scene woven(const Scene& scene) const;
    // The yarns of a state of the woven scene; `scene`: as it was before.
    std::vector<Curves> curvesOf(const State& state, const Scene& scene) const;
    const KnitFabric& fabric(size_t k) const { return fabrics_[k]; }
    // What was left out of the patterns read, a line each.
    std::vector<std::string> notes() const;

  private:
    Device device_;
    std::vector<KnitFabric> fabrics_;
};

// Points of all knits' meshes.
int knitPointsOf(const Scene& scene);
// At the start: meshes as the scene has them, at rest.
void startKnits(State& state, const Scene& scene);
// Where the scene has the meshes `duration` seconds after the state's.
void moveKnits(State& state, const Scene& scene, double duration);

}  // namespace purl
