#include "solver/fluid/room.h"

#include <algorithm>

#include "solver/colliders/contacts.h"

namespace purl {
namespace {

Contact contactAt(const PlacedCollider& wall, Vec3 x) {
    return wall.shape == ColliderShape::mesh ? meshContact(wall, x, x, false) : primitiveContact(wall, x);
}

bool isClear(const std::vector<PlacedCollider>& walls, Vec3 x) {
    return std::none_of(walls.begin(), walls.end(),
                        [&](const PlacedCollider& wall) { return bool(contactAt(wall, x)); });
}

}  // namespace

Room::Room(Span<const PlacedCollider> walls, float spacing)
    : spacing_(spacing), solids_(walls.begin(), walls.end()), walls_(solids_) {
    // Fluid lies half a spacing off; a hair less, for lattices begin there.
    for (PlacedCollider& wall : walls_) wall.gap = std::max(wall.gap, 0.49f * spacing);
}

bool Room::isFree(Vec3 x) const { return isClear(walls_, x); }

bool Room::moveAway(Vec3& x) const {
    constexpr int kPasses = 8;  // as many as contacts take in corners
    if (!isClear(solids_, x)) return false;
    for (int pass = 0; pass < kPasses; ++pass) {
        bool moved = false;
        for (const PlacedCollider& wall : walls_)
            if (const Contact contact = contactAt(wall, x)) {
                x = contact.point;
                moved = true;
            }
        if (!moved) return true;
    }
    return isFree(x);
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
