// The way of yarns through their points: places on it, and the frame that turns along.
#pragma once
#include <vector>

#include "solver/geometry/curves.h"

namespace purl {

// A point of a yarn's path.
struct YarnSample {
    Vec3 x, along, side;  // side and cross(along, side) turn as little as they can (Bishop 1975)
    Vec3 color, velocity;
    float radius = 0, twist = 0, wetness = 0;
    int run = 0;  // samples of one run are joined; a yarn is one, but for where its points are not finite
};

enum class YarnShape { spline, straight };  // straight: from point to point, as fig. 3a has it

// At even distances, yarn by yarn; in each run the gap is its length over a whole number, near `gap`.
std::vector<YarnSample> sampleYarns(const Curves& curves, float gap, YarnShape shape = YarnShape::spline);

// So many from each point to the next, at even steps of the spline's parameter.
std::vector<YarnSample> sampleSpans(const Curves& curves, int perSpan);

}  // namespace purl
