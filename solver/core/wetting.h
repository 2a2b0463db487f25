// Wetting: what is told of the water in a fabric, or by one, at each vertex, curve point or particle.
#pragma once
#include <vector>

#include "solver/core/vec.h"

namespace purl {

// Each empty, or one a vertex, point or particle. A particle's are those of the fabric that it touches, but for
// timeSinceWet, which is since it touched one.
struct Wetting {
    std::vector<float> wetness;        // saturation of the pores: 0 dry to 1 full
    std::vector<float> filmThickness;  // of the water upon it
    std::vector<float> timeSinceWet;   // s since water last came; -1: never
    std::vector<Vec3> dye;             // rgb of the water in it; of particles it is their colour

    bool empty() const { return wetness.empty(); }

    // visit(name, vector, isLength)
    template <class Self, class Visit>
    static void channels(Self& self, Visit&& visit) {
        visit("wetness", self.wetness, false);
        visit("filmThickness", self.filmThickness, true);
        visit("timeSinceWet", self.timeSinceWet, false);
        visit("dye", self.dye, false);
    }
};

}  // namespace purl
