// Sampling of yarn centre lines, with a rotation-minimising frame.
#pragma once
#include <vector>

#include "solver/geometry/curves.h"

namespace purl {

// A sample of a yarn's centre line.
struct YarnSample {
    Vec3 x, along, side;  // side and cross(along, side): rotation-minimising frame (Bishop 1975)
    Vec3 color, velocity;
    float radius = 0, twist = 0, wetness = 0;
    int run = 0;  // samples of one run are connected; a yarn is one run unless some of its points are not finite
};

enum class YarnShape { spline, straight };  // straight: polyline, as in fig. 3a

// Samples at equal arc-length steps, yarn by yarn; the step divides each run's length and is close to `gap`.
std::vector<YarnSample> sampleYarns(const Curves& curves, float gap, YarnShape shape = YarnShape::spline);

// `perSpan` samples per span, at equal steps of the spline parameter.
std::vector<YarnSample> sampleSpans(const Curves& curves, int perSpan);

}  // namespace purl
