#include "nodes/world.h"

#include <algorithm>
#include <cmath>

#include "solver/core/error.h"

namespace purl {
namespace {

Vec3 directionOf(const char* attribute, Vec3 v) {
    const float length = std::sqrt(dot(v, v));
    if (!(length > 0))
        throw Error(std::string(attribute) + " is 0 0 0 and has no direction; set one of its components");
    return v / length;
}

// Orthonormal axes with y along the normal.
Mat3 axesAbout(Vec3 normal) {
    const Vec3 aside = std::abs(normal.x) < 0.9f ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
    Vec3 z = cross(aside, normal);
    z = z / std::sqrt(dot(z, z));
    return {cross(normal, z), normal, z};
}

}  // namespace

void addWindAndGround(Scene& scene, const WorldParams& world, const std::string& groundName) {
    if (world.windSpeed > 0) {
        const Vec3 wind = world.windSpeed * directionOf("windDirection", world.windDirection);
        const auto blow = [&](auto& params) {
            params.wind += wind;
            params.gusts = std::max(params.gusts, world.windNoise);
        };
        for (Cloth& cloth : scene.cloths) blow(cloth.params);
        for (Knit& knit : scene.knits) blow(knit.params);
    }
    if (!world.usePlane) return;
    Collider plane;
    plane.name = groundName;
    plane.params.shape = ColliderShape::plane;
    plane.params.friction = world.planeFriction;
    plane.pose = {world.planeOrigin, axesAbout(directionOf("planeNormal", world.planeNormal))};
    scene.colliders.push_back(std::move(plane));
}

}  // namespace purl
