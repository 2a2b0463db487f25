// Knits shared by the tests: flat sheets and tubes of quads, and yarns on them.
#pragma once
#include <cmath>

#include "solver/knit/yarn.h"

namespace purl::testing {

// A sheet in the plane z = 0, columns × rows quads of a metre each: one stitch per quad, as in the documents.
inline Knit unitSheet(int columns, int rows, float thickness = 0.3f) {
    Knit knit;
    knit.name = "swatch";
    for (int j = 0; j <= rows; ++j)
        for (int i = 0; i <= columns; ++i) knit.points.push_back({float(i), float(j), 0});
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const int a = j * (columns + 1) + i, b = a + columns + 1;
            knit.faces.counts.edit().push_back(4);
            knit.faces.corners.edit().insert(knit.faces.corners.edit().end(), {a, a + 1, b + 1, b});
        }
    knit.params.stitchWidth = knit.params.stitchHeight = 1;
    knit.params.thickness = thickness;
    knit.params.yarnRadius = 0.1f;
    return knit;
}

// A simulated knit of this many stitches, in the plane z = 0, below y = 0. Without self-collision, which most tests do
// not need and which takes most of the time.
inline Knit swatch(int wales, int courses) {
    Knit knit = unitSheet(wales, courses);
    knit.params = KnitParams();
    knit.params.selfCollision = SelfCollision::none;
    knit.params.motion = KnitMotion::simulated;
    for (Vec3& p : knit.points)
        p = {p.x * knit.params.stitchWidth, (p.y - float(courses)) * knit.params.stitchHeight, 0};
    return knit;
}
// Pins the points at y = 0.
inline void pinTop(Knit& knit) {
    knit.pins.clear();
    for (const Vec3 p : knit.points) knit.pins.push_back(p.y == 0 ? 1.0f : 0.0f);
}

// A tube around the y axis, open at its ends; faces point outward.
inline Knit tube(int around, int rows, float radius, float height) {
    Knit knit;
    knit.name = "sleeve";
    for (int j = 0; j <= rows; ++j)
        for (int i = 0; i < around; ++i) {
            const float angle = 6.2831853f * float(i) / float(around);
            knit.points.push_back(
                {radius * std::cos(angle), height * float(j) / float(rows), -radius * std::sin(angle)});
        }
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < around; ++i) {
            const int a = j * around + i, b = j * around + (i + 1) % around;
            knit.faces.counts.edit().push_back(4);
            knit.faces.corners.edit().insert(knit.faces.corners.edit().end(), {a, b, b + around, a + around});
        }
    return knit;
}

inline Curves yarnsOn(const KnitFabric& fabric, const std::vector<Vec3>& points) {
    const std::vector<Vec3> still(points.size());
    const auto count = static_cast<int>(points.size());
    return fabric.makeCurves(fabric.follow({points.data(), count}, {still.data(), count}));
}
inline Curves yarnsOf(const Knit& knit) { return yarnsOn(KnitFabric(Device::cpu(2), knit, knit.points), knit.points); }

}  // namespace purl::testing
