#include "solver/fluid/room.h"

#include <algorithm>

#include "solver/contact/contacts.h"

namespace purl {

Room::Room(Span<const PlacedCollider> walls, float spacing) : spacing_(spacing), walls_(walls.begin(), walls.end()) {
    // Fluid lies half a spacing off; a hair less, for lattices begin there.
    for (PlacedCollider& wall : walls_) wall.gap = std::max(wall.gap, 0.49f * spacing);
}

bool Room::isFree(Vec3 x) const {
    return std::none_of(walls_.begin(), walls_.end(), [&](const PlacedCollider& wall) {
        return bool(wall.shape == ColliderShape::mesh ? meshContact(wall, x, x, false) : primitiveContact(wall, x));
    });
}

bool Room::comeOut(Vec3& x, Vec3 along) const {
    constexpr float kStep = 0.25f, kFarthest = 4;  // spacings
    if (walls_.empty()) return true;
    for (float way = 0; way <= kFarthest; way += kStep) {
        const Vec3 there = x + (way * spacing_) * along;
        if (!isFree(there)) continue;
        x = there;
        return true;
    }
    return false;
}

}  // namespace purl
