#include "solver/fluid/rides.h"

#include <algorithm>

namespace purl {

void Rides::set(const Skins& skins, int firstSkin, const Boundary& walls, const State& state) {
    std::vector<PointCarrier> all;
    const int clothPoints = state.cloth.count();
    points_ = clothPoints + state.soft.count();
    first_ = walls.firstPoint(firstSkin);
    for (size_t s = 0; s < skins.all().size(); ++s) {
        const Skin& skin = skins.all()[s];
        const int first = skin.first + (skin.ofCloth ? 0 : clothPoints);
        const size_t begin = all.size();
        walls.carriersOf(firstSkin + static_cast<int>(s), all);
        for (size_t k = begin; k < all.size(); ++k)
            for (int& vertex : all[k].vertex) vertex = skin.pushed && vertex >= 0 ? vertex + first : -1;
    }
    carriers_.renew(static_cast<int>(all.size()));
    std::copy(all.begin(), all.end(), carriers_.begin());
}

}  // namespace purl
