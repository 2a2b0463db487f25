// Wetting: channels for the water in and on a fabric, per vertex, curve point or particle.
#pragma once
#include "solver/core/channel.h"
#include "solver/core/vec.h"

namespace purl {

// Each channel is empty or has one entry per vertex, point or particle. A fluid particle has the values of the fabric
// it touches, except timeSinceWet, which counts from its own contact.
struct Wetting {
    Channel<float> wetness;        // saturation of the pores: 0 dry to 1 full
    Channel<float> filmThickness;  // thickness of the water film on the surface
    Channel<float> timeSinceWet;   // s since the last contact with water; -1: never wet
    Channel<Vec3> dye;             // rgb of the absorbed water; for fluid particles their own colour

    bool empty() const { return wetness.empty(); }

    // visit(name, channel, isLength)
    template <class Self, class Visit>
    static void channels(Self& self, Visit&& visit) {
        visit("wetness", self.wetness, false);
        visit("filmThickness", self.filmThickness, true);
        visit("timeSinceWet", self.timeSinceWet, false);
        visit("dye", self.dye, false);
    }
};

}  // namespace purl
