// Picking: what is seen at a pixel of an image of a moment.
#pragma once
#include <string>

#include "app/view/player.h"
#include "app/view/projection.h"

namespace purl {

struct PickOptions {
    bool points = false;  // particles are drawn instead of meshes
    bool guides = true;   // emitters, fields and cameras are drawn
};

// The name of a body, or of the transform of an object without one; empty: nothing is there. Guides and edges count
// within some pixels.
std::string pickAt(const Moment& moment, const Objects& objects, const Projection& projection, Pixel at,
                   const PickOptions& options);

}  // namespace purl
