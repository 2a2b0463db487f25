// A time step of cloths and soft bodies, and its division into sub-steps.
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
    TimeInterval ofFrame;             // the interval of the frame that it spans
    const StepColliders* colliders;   // all colliders
    const std::vector<int>* members;  // indices of those that the bodies collide with
};

// A sub-step, and the intervals of the step and of the frame that it spans.
struct SubStep {
    float dt;  // s
    TimeInterval ofStep, ofFrame;
};

// Number of sub-steps of at most `limit` seconds for `body`. Throws Error if there are so many that the step would take
// hours.
inline int subStepCount(const BodyStep& step, double limit, const std::string& body) {
    constexpr double kMaxSteps = 20000;
    // The factor keeps rounding errors from adding a step, as for the solver's time steps.
    const double needed = std::ceil(double(step.dt) / limit * (1 - 1e-6));
    if (!(needed <= kMaxSteps))
        throw Error(body + ": a time step of " + fourDigits(double(step.dt)) + " s needs " + fourDigits(needed) +
                    " sub-steps of " + fourDigits(limit) + " s, more than " + fourDigits(kMaxSteps) +
                    "; less stiffness, more mass, a longer maxTimeStep or another solver helps");
    return std::max(1, static_cast<int>(needed));
}

inline SubStep subStepAt(const BodyStep& step, int index, int count) {
    const auto share = [&](int s) { return s == count ? 1 : static_cast<float>(s) / static_cast<float>(count); };
    const auto ofFrame = [&](float part) {
        return part >= 1 ? step.ofFrame.after : lerp(step.ofFrame.before, step.ofFrame.after, part);
    };
    const TimeInterval ofStep{share(index), share(index + 1)};
    return {step.dt / static_cast<float>(count), ofStep, {ofFrame(ofStep.before), ofFrame(ofStep.after)}};
}

}  // namespace purl
