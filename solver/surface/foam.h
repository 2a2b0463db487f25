// Foam, spray and bubbles: secondary particles that a liquid emits where it traps air and where wave crests break,
// generated from its frames after the simulation. They follow the liquid and do not act on it.   Ihmsen et al. 2012,
// Unified spray, foam and air bubbles for particle-based fluids
#pragma once
#include <memory>

#include "solver/core/describe.h"
#include "solver/core/device.h"
#include "solver/frame.h"
#include "solver/geometry/faces.h"

namespace purl {

// Current class of a foam particle, by the amount of liquid around it; stored in Points::sources of a foam body.
enum class FoamClass { spray, foam, bubble };

struct FoamParams {
    float airRate = 200;
    float crestRate = 200;
    float minTurbulence = 0.5f, maxTurbulence = 3;
    float minCurvature = 0.1f, maxCurvature = 0.5f;
    float minSpeed = 1, maxSpeed = 5;
    float lifetime = 2;
    float size = 0.3f;
    float buoyancy = 2;
    float drag = 0.8f;
    Vec3 gravity{0, -9.81f, 0};
    Vec3 color{0.95f, 0.97f, 1};
    int maxParticles = 2000000;
    int seed = 0;
};

template <class Visit>
void describe(Visit&& visit, FoamParams& p) {
    visit(p.airRate, About{"airRate", "arr", "1/s",
                           "Particles a second that a liquid particle throws up where it traps all the air it can.", 0,
                           1e6, 0, 4000});
    visit(p.crestRate,
          About{"crestRate", "crr", "1/s",
                "Particles a second that a liquid particle throws up on the sharpest crests.", 0, 1e6, 0, 4000});
    visit(
        p.minTurbulence,
        About{"minTurbulence", "mit", "m/s", "Speed at which neighbours must meet to trap air.", 0, 1000, 0, 5}.section(
            "Where it comes from"));
    visit(p.maxTurbulence,
          About{"maxTurbulence", "mat", "m/s", "Speed at which they trap as much as they can.", 0, 1000, 0, 20});
    visit(p.minCurvature,
          About{"minCurvature", "mic", "", "How bent a crest must be to break: 0 is flat.", 0, 2, 0, 1});
    visit(p.maxCurvature, About{"maxCurvature", "mac", "", "How bent the sharpest crests are.", 0, 2, 0, 2});
    visit(p.minSpeed, About{"minSpeed", "mis", "m/s", "Liquid slower than this makes no foam.", 0, 1000, 0, 5});
    visit(p.maxSpeed,
          About{"maxSpeed", "mas", "m/s", "Faster liquid makes no more foam than at this.", 0, 1000, 0, 20});
    visit(p.lifetime,
          About{"lifetime", "lft", "s", "How long foam lasts at most; spray and bubbles age a quarter as fast.", 0.01,
                1000, 0.1, 10}
              .section("Life and look"));
    visit(p.size, About{"size", "siz", "", "Largest diameter, in particle spacings.", 0.01, 2, 0.1, 0.5});
    visit(p.buoyancy, About{"buoyancy", "byc", "", "How many times their weight bubbles are lifted.", 0, 100, 0, 5});
    visit(p.drag, About{"drag", "drg", "", "How much of the liquid's velocity bubbles take on at once.", 0, 1, 0, 1});
    visit(p.gravity, About{"gravity", "grv", "m/s²", "What spray falls by, in m/s² whatever the scene's unit."});
    visit(p.color, About{"color", "clr", "rgb", "Colour in previews.", 0, 1});
    visit(p.maxParticles, About{"maxParticles", "mxp", "", "No more are made beyond this many.", 0, 2e9, 0, 1e7});
    visit(p.seed, About{"seed", "sd", "", "Another number, other foam.", 0, 1e9, 0, 100});
}

// A solid obstacle at a frame, in the frames' unit.
struct FoamCollider {
    Channel<Vec3> vertices;
    Channel<int> triangles;
};

// Emission potentials of the liquid's particles, each 0 … 1   Ihmsen eqs 2 to 8, with weighted means instead of sums.
struct FoamPotentials {
    std::vector<float> air, crest, energy;
};
FoamPotentials foamPotentials(const Device& device, const Frame& frame, int body, const FoamParams& params);

// The foam of one liquid, advanced from frame to frame. The same frames give the same foam for any thread count.
class Foam {
  public:
    // `body`: name of the liquid in the frames.
    explicit Foam(std::string body, const Device& device = Device::cpu());
    ~Foam();
    Foam(const Foam&);
    Foam& operator=(const Foam&);
    Foam(Foam&&) noexcept;
    Foam& operator=(Foam&&) noexcept;

    // Advances to the next frame. The first frame only initializes the liquid; a frame that is not later than the last
    // one, or more than half a second later, starts again.
    void advance(const Frame& frame, const FoamParams& params, const std::vector<FoamCollider>& colliders = {});
    // Adds the foam to a frame of the same time, as an extra body named after the liquid.
    void addTo(Frame& frame, const FoamParams& params) const;
    const Points& points() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace purl
