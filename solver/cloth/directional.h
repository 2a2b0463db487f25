// Directional constraint enforcement (Özgen 2013, chapter 6). Cloth overstretches most next to its pins and from there
// downward. Springs are therefore corrected once per step in a precomputed order, from all pins along gravity; each
// correction moves only the end farther from the pins.
#pragma once
#include <vector>

#include "solver/cloth/fabric.h"

namespace purl {

struct CorrectionRules {
    CorrectionOrder order = CorrectionOrder::hvs;
    int visitLimit = 2;              // how often a point may be corrected
    bool requeueEveryVisit = false;  // expand a point on every visit, not only the first (algorithm 3, literally)
    bool simultaneous = true;        // start from all pins at once instead of one after another
};

// Moves `to` to the rest length from `from`.
struct Correction {
    int from, to;
    float rest;  // m
};

// Corrections in order; a spring occurs once for each visit. Horizontal springs are H, downward ones V, downward
// diagonals S; upward and bending springs are skipped. Directions are taken from the rest mesh.
struct CorrectionList {
    std::vector<Correction> sequence;
    // The same corrections in levels that can run in parallel, with bitwise the same result: sequence[levelOrder[k]]
    // for levels[l] ≤ k < levels[l + 1].
    std::vector<int> levelOrder, levels{0};
    std::vector<int> depth;  // per point: number of springs from the nearest pin; −1: not reached
    // All springs, if any of them joins parts that hang from different pins. One-sided corrections cannot balance those
    // parts; Provot's passes (1995), in which both ends move, replace the sequence.
    std::vector<Correction> fallback;
};

// `down`: unit direction of gravity. Points with zero inverse mass are pins.
CorrectionList makeCorrectionList(const Fabric& fabric, Vec3 down, const CorrectionRules& rules);

struct Enforcement {
    bool stretchedOnly = true;  // leave compressed springs alone
    float share = 1;            // fraction of a correction that moves `to`; the rest moves `from` if it is free
};

// Runs through the corrections once and returns how many were needed. Springs may exceed their length by the fraction
// `threshold`.
int enforce(const std::vector<Correction>& sequence, const Enforcement& options, Span<const float> inverseMass, Vec3* x,
            float threshold = 0);
// Correction lists by set of pins: built on first use and cached (§6.4.1).
class Directional {
  public:
    // Corrects x, m, the unconstrained positions after the step. `passes`: number of fallback passes. Returns the
    // number of corrections.
    int apply(const Fabric& fabric, Vec3 down, int passes, Vec3* x);

    // Corrections add velocity to one end only, so a chain of them acts as a chain of driven pendulums of frequency
    // √(g/ℓ). Damps the motion of each point relative to the one it hangs from, not the cloth as a whole: v −= share (v
    // − v_from), in list order.
    void dampRelativeMotion(const Fabric& fabric, Vec3 down, float share, Vec3* v);
    // The share for dampRelativeMotion: twice what global damping would need to settle, 1.4 Δt √(g/ℓ).
    static float relativeDampingShare(float dt, float gravity, float edge);
    // Largest k Δt²/m of springs that one pass per step integrates stably; found by experiment.
    static constexpr float kMaxStiffnessNumber = 0.015f;

    int listsBuilt() const { return listsBuilt_; }

  private:
    struct CachedList {
        std::vector<bool> pinned;
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
