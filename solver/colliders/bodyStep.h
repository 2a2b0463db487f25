// A step of cloths and soft bodies, which divide it into smaller ones.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/core/error.h"
#include "solver/core/fourDigits.h"

namespace purl {

struct BodyStep {
    float dt = 0;                     // s
    Shares ofFrame;                   // the part of the frame that it spans
    const StepColliders* colliders;   // those there are
    const std::vector<int>* members;  // and those of them that the bodies meet
};

// One of the sub-steps of such a step, and the parts of the step and of the frame that it spans.
struct SmallStep {
    float dt;  // s
    Shares ofStep, ofFrame;
};

// Number of sub-steps of at most `limit` seconds, which `body` needs. Throws Error where they would take hours.
inline int smallSteps(const BodyStep& step, double limit, const std::string& body) {
    constexpr double kMaxSteps = 20000;
    // Rounding must not add a step, as for the solver's own steps.
    const double needed = std::ceil(double(step.dt) / limit * (1 - 1e-6));
    if (!(needed <= kMaxSteps))
        throw Error(body + ": a step of " + fourDigits(double(step.dt)) + " s takes " + fourDigits(needed) + " of " +
                    fourDigits(limit) + " s, more than " + fourDigits(kMaxSteps) +
                    "; less stiffness, more mass, a longer maxTimeStep or another solver helps");
    return std::max(1, static_cast<int>(needed));
}

inline SmallStep smallStep(const BodyStep& step, int index, int count) {
    const auto share = [&](int s) { return s == count ? 1 : static_cast<float>(s) / static_cast<float>(count); };
    const auto ofFrame = [&](float part) {
        return part >= 1 ? step.ofFrame.after : lerp(step.ofFrame.before, step.ofFrame.after, part);
    };
    const Shares ofStep{share(index), share(index + 1)};
    return {step.dt / static_cast<float>(count), ofStep, {ofFrame(ofStep.before), ofFrame(ofStep.after)}};
}

}  // namespace purl
