// Curves: the yarns of an output frame, and the spline through their points.
#pragma once
#include <cstddef>
#include <string>

#include "solver/core/channel.h"
#include "solver/core/platform.h"
#include "solver/core/vec.h"
#include "solver/geometry/wetting.h"

namespace purl {

// Yarns A to Z in each separately cast-on piece of a knit.
constexpr int kMaxYarnsPerPiece = 26;

// Uniform Catmull–Rom curves through their points (Bayraktar 4.4), clamped at their ends. Holds all yarns of one knit.
struct Curves {
    std::string name;  // of the knit
    int plies = 1;     // threads twisted into each yarn
    // Per yarn.
    Channel<int> counts;   // number of points
    Channel<int> ids;      // stable: kMaxYarnsPerPiece · piece + letter index
    Channel<Vec3> colors;  // rgb
    // Per point, yarn by yarn.
    Channel<Vec3> positions;
    Channel<Vec3> velocities;  // units per second
    Channel<float> widths;     // diameters
    Channel<float> twists;     // rad, accumulated rotation of the plies since the start of the yarn
    Channel<int> courses;      // row of its stitch; -1: cast-on
    Channel<int> wales;        // column of its stitch
    // Only if the knit absorbs water, else empty.
    Channel<Vec3> pointColors;  // rgb at each point
    Wetting wetting;

    size_t count() const { return positions.size(); }

    // visit(name, channel, isLength) for each per-point channel.
    template <class Self, class Visit>
    static void channels(Self& self, Visit&& visit) {
        visit("position", self.positions, true);
        visit("velocity", self.velocities, true);
        visit("width", self.widths, true);
        visit("twist", self.twists, false);
        visit("course", self.courses, false);
        visit("wale", self.wales, false);
        visit("wetColor", self.pointColors, false);
        Wetting::channels(self.wetting, visit);
    }
    // The same for each per-yarn channel.
    template <class Self, class Visit>
    static void yarnChannels(Self& self, Visit&& visit) {
        visit("yarnId", self.ids, false);
        visit("rgbPP", self.colors, false);
    }
};

// Position between b (t = 0) and c (t = 1):
// P(t) = ½ [2b + (c − a) t + (2a − 5b + 4c − d) t² + (−a + 3b − 3c + d) t³]
PURL_HD inline Vec3 catmullRom(Vec3 a, Vec3 b, Vec3 c, Vec3 d, float t) {
    return 0.5f *
           (2.0f * b + t * ((c - a) + t * ((2.0f * a - 5.0f * b + 4.0f * c - d) + t * (3.0f * b - a - 3.0f * c + d))));
}
// The derivative dP/dt.
PURL_HD inline Vec3 catmullRomTangent(Vec3 a, Vec3 b, Vec3 c, Vec3 d, float t) {
    return 0.5f *
           ((c - a) + t * (2.0f * (2.0f * a - 5.0f * b + 4.0f * c - d) + 3.0f * t * (3.0f * b - a - 3.0f * c + d)));
}

// The four control points of segment `i` of a curve. Beyond the ends the curve is extrapolated linearly: 2 p0 − p1.
struct CurveSpan {
    Vec3 a, b, c, d;

    CurveSpan(const Vec3* points, int count, int i)
        : a(i > 0 ? points[i - 1] : 2.0f * points[0] - points[1]),
          b(points[i]),
          c(points[i + 1]),
          d(i + 2 < count ? points[i + 2] : 2.0f * points[i + 1] - points[i]) {}
    Vec3 at(float t) const { return catmullRom(a, b, c, d, t); }
    Vec3 tangent(float t) const { return catmullRomTangent(a, b, c, d, t); }
};

}  // namespace purl
