// Directional constraint enforcement (Özgen 2013, chapter 6): cloth is overstretched most where it is held, and from
// there down. So springs are set right once a step, from all that is held at once, along gravity, each moving only the
// end that is farther from what is held. In which order is found beforehand.
#pragma once
#include <vector>

#include "solver/cloth/fabric.h"

namespace purl {

struct CorrectionRules {
    CorrectionOrder order = CorrectionOrder::hvs;
    int visitLimit = 2;  // options often a point may be corrected
    bool requeueEveryVisit =
        false;  // whether it hands on each time it is reached, and not the first only (algorithm 3, literally)
    bool simultaneous = true;  // whether all that is held begins at once, and not one after the other
};

// `to` is brought to its rest length from `from`.
struct Correction {
    int from, to;
    float rest;  // m
};

// What is corrected, in order: a spring once for each time that it is gone through. Springs across are H, those down V,
// diagonals down S; those up and those that bend are left alone. Where they go is read off the mesh at rest.
struct CorrectionList {
    std::vector<Correction> sequence;
    // The same in levels that may be done side by side: sequence[levelOrder[k]], k from levels[l] to levels[l + 1] − 1,
    // with the same result to the bit.
    std::vector<int> levelOrder, levels{0};
    std::vector<int> depth;  // one a point: springs from what is held; -1 where none lead there
    // All springs, where some join parts that hang from different things. One end alone cannot pass on what those pull
    // at each other: there Provot's passes (1995) take the list's place, in which both ends move.
    std::vector<Correction> fallback;
};

// `down`: of gravity, of length 1. Points of no mass are held.
CorrectionList makeCorrectionList(const Fabric& fabric, Vec3 down, const CorrectionRules& rules);

// How the list is gone through.
struct Enforcement {
    bool stretchedOnly = true;  // not what is too short
    float share = 1;            // of a correction that moves `to`; the rest moves `from`, unless it is held
};

// Goes through them once; options many there were to correct. Springs are let be up to `threshold` of their length too
// much.
int enforce(const std::vector<Correction>& sequence, const Enforcement& options, Span<const float> inverseMass, Vec3* x,
            float threshold = 0);
// Lists by what is held: listsBuilt when it is met first, and cached for when it comes again (§6.4.1).
class Directional {
  public:
    // x, m, of points after the step without it; `passes` of those that take the list's place. How many corrections
    // there were.
    int apply(const Fabric& fabric, Vec3 down, int passes, Vec3* x);

    // A correction gives its point velocity and takes it from no other, so that a chain of them is a chain of pendulums
    // each of which drives the next, at √(g/ℓ). What points move against those that they hang from is damped, and the
    // cloth as a whole is not: v −= share (v − v_from), down the list.
    void dampRelativeMotion(const Fabric& fabric, Vec3 down, float share, Vec3* v);
    // That share: twice what damping of all velocities would need to settle, 1.4 Δt √(g/ℓ).
    static float relativeDampingShare(float dt, float gravity, float edge);
    // What one pass a step can bear of springs: k Δt²/m of 0.015 (found by trial, shared/spec of Özgen 7.8).
    static constexpr float kMaxStiffnessNumber = 0.015f;

    int listsBuilt() const { return listsBuilt_; }

  private:
    struct CachedList {
        std::vector<bool> held;
        CorrectionList list;
    };
    const CorrectionList& listFor(const Fabric& fabric, Vec3 down);

    std::vector<CachedList> cache_;
    CorrectionRules rules_;
    Vec3 down_;
    unsigned mesh_ = 0;
    int listsBuilt_ = 0;
};

}  // namespace purl
