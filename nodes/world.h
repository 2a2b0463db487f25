// Wind and ground of the whole scene, with the attribute names of nucleus.
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
    visit(p.windSpeed, About{"windSpeed", "wisp", "m/s",
                             "Speed of the air around all cloths and knits, added to the wind of each.", 0, 1000, 0, 20}
                           .section("Air and ground", SectionPlace::surroundings));
    visit(p.windDirection,
          About{"windDirection", "widi", "", "Direction in which the wind blows; its length is ignored."});
    visit(p.windNoise,
          About{"windNoise", "wnoi", "",
                "Fraction of the wind that varies. A cloth's own gusts apply if they are larger.", 0, 1, 0, 1});
    visit(p.usePlane, About{"usePlane", "nupl", "", "Adds an infinite ground plane that everything collides with."});
    visit(p.planeOrigin, About{"planeOrigin", "npor", "m", "A point on the ground plane."});
    visit(p.planeNormal, About{"planeNormal", "npun", "", "Normal of the ground plane; its length is ignored."});
    visit(p.planeFriction,
          About{"planeFriction", "npfr", "", "Friction of the ground plane, as on a purlCollider.", 0, 1, 0, 1});
}

// Adds the wind to every fabric, and the ground plane as a collider with this name.
void addWindAndGround(Scene& scene, const WorldParams& world, const std::string& groundName);

}  // namespace purl
