// The air and the ground of a whole scene, by the names that nucleus has for them: what artists set once, and not body
// by body.
#pragma once
#include <string>

#include "solver/scene.h"

namespace purl {

struct WorldParams {
    float windSpeed = 0;
    Vec3 windDirection{1, 0, 0};
    float windNoise = 0;
    bool usePlane = false;
    Vec3 planeOrigin{0, 0, 0};
    Vec3 planeNormal{0, 1, 0};
    float planeFriction = ColliderParams().friction;
};
template <class Visit>
void describe(Visit&& visit, WorldParams& p) {
    visit(p.windSpeed,
          About{"windSpeed", "wisp", "m/s",
                "Of the air around all cloths and knits, besides the wind that each has of its own.", 0, 1000, 0, 20});
    visit(p.windDirection, About{"windDirection", "widi", "", "Where the wind blows; its length does not matter."});
    visit(p.windNoise,
          About{"windNoise", "wnoi", "", "Share of the wind that comes and goes, of fabrics whose own gusts are less.",
                0, 1, 0, 1});
    visit(p.usePlane, About{"usePlane", "nupl", "", "A ground for everything, without end."});
    visit(p.planeOrigin, About{"planeOrigin", "npor", "m", "A point of the ground."});
    visit(p.planeNormal, About{"planeNormal", "npun", "", "Away from the ground; its length does not matter."});
    visit(p.planeFriction, About{"planeFriction", "npfr", "", "As a purlCollider's friction.", 0, 1, 0, 1});
}

// Gives every fabric the wind, and the scene its ground: a collider with this name.
void furnish(Scene& scene, const WorldParams& world, const std::string& ground);

}  // namespace purl
