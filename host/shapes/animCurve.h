// Evaluates animation curves (keys with tangents) like Maya. Time in seconds, values in internal units (cm, radians);
// stored tangents are (seconds, internal units) pairs.
#pragma once
#include <vector>

namespace purl::host {

// The values of .kit, .kot and .tan in files.
enum class Tangent {
    global = 0,
    fixed = 1,
    linear = 2,
    flat = 3,
    step = 5,
    slow = 6,
    fast = 7,
    spline = 9,
    clamped = 10,
    plateau = 16,
    stepNext = 17,
    automatic = 18,
    autoMix = 26,
    autoEase = 27,
    autoCustom = 28
};

// The values of .pre and .pst in files.
enum class Infinity { constant = 0, linear = 1, cycle = 3, cycleRelative = 4, oscillate = 5 };

struct Key {
    double time = 0, value = 0;
    Tangent in = Tangent::global, out = Tangent::global;  // global: the curve's own tangentType
    bool hasIn = false, hasOut = false;                   // a tangent is stored in the file
    double inX = 1, inY = 0, outX = 1, outY = 0;  // unit vectors; weighted curves: three times the Bézier handle
};

struct AnimCurve {
    std::vector<Key> keys;  // sorted by time
    Tangent tangent = Tangent::spline;
    bool weighted = false;
    Infinity pre = Infinity::constant, post = Infinity::constant;
};

double evaluate(const AnimCurve& curve, double time);

// Incoming and outgoing slope dv/dt at key i: stored, or computed from the neighbouring keys.
double slopeIn(const AnimCurve& curve, int i);
double slopeOut(const AnimCurve& curve, int i);

}  // namespace purl::host
