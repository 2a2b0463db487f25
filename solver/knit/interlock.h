// Whether loops hold each other: the check that no yarn was pulled through another, on the curves of any frame.
#pragma once
#include <vector>

#include "solver/geometry/curves.h"

namespace purl {

// Where two yarns cross, seen along the fabric's normal.
struct Crossing {
    float lower, upper;  // where on the lower and on the upper loop, in points from their beginnings
    bool lowerInFront;
    float gap;  // between the middles of the yarns
};

// A loop of a course, as points of its curve; course and wale as Curves has them.
struct LoopOfYarn {
    int piece = 0, course = 0, wale = 0;
    std::vector<Vec3> points;
};
std::vector<LoopOfYarn> loopsOf(const Curves& curves);

// Crossings of a loop with one of a later course, in the order of the lower one; seen along the fabric's normal, or
// from the side that this leans to, along the course and up the wale.
std::vector<Crossing> crossingsOf(const LoopOfYarn& lower, const LoopOfYarn& upper, float leanAlong = 0,
                                  float leanUp = 0);
// Four crossings, where the lower loop lies on one side, twice on the other, and on the first again (G-12).
bool isHeld(const std::vector<Crossing>& crossings);
// Whether the upper loop comes through the lower one and goes back through it, as a needle draws it: one leg passes it
// one way, the other the other way. Seen from nowhere, so that it holds in folds too.
bool passesThrough(const LoopOfYarn& lower, const LoopOfYarn& upper);
// Whether it is held, from where that is seen best: in a sharp fold loops hide each other's crossings, and it is their
// way through each other that counts.
bool isHeldBy(const LoopOfYarn& lower, const LoopOfYarn& upper);

struct Interlocking {
    int loops = 0;                  // that were to be held
    std::vector<LoopOfYarn> loose;  // those that no later loop holds
};
// `reach`: courses and wales away that a loop's holder is looked for; slipped loops are held later, carried ones
// beside. Loops of a piece's last course hold others, and need no holder themselves.
Interlocking checkInterlocking(const Curves& curves, int reach = 6);

// The least distance between the curves of two pieces of yarn.
float clearance(const std::vector<Vec3>& a, const std::vector<Vec3>& b);

}  // namespace purl
