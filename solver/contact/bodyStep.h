// A step as bodies see it that take steps of their own: cloths and soft bodies.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/contact/colliders.h"

namespace purl {

struct BodyStep {
    float dt = 0;                            // s
    Shares ofFrame;                          // the part of the frame that it spans
    const Scene* placed;                     // colliders where they go
    const std::vector<ColliderPlace>* from;  // and where they come from; see Colliders::moveTo
};

// One of the small steps that make up such a step, and the parts of the step and of the frame that it spans.
struct SmallStep {
    float dt;  // s
    Shares ofStep, ofFrame;
};

// How many of at most `limit` seconds there are.
inline int smallSteps(const BodyStep& step, double limit) {
    // A hair less than whole is whole, as for the solver's own steps.
    return std::max(1, static_cast<int>(std::min(1e7, std::ceil(double(step.dt) / limit * (1 - 1e-6)))));
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
