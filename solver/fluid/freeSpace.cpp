#include "solver/fluid/freeSpace.h"

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

FreeSpace::FreeSpace(Span<const PlacedCollider> walls, float spacing)
    : spacing_(spacing), solids_(walls.begin(), walls.end()), walls_(solids_) {
    // Fluid rests half a spacing away. Slightly less here, because lattices start at exactly that distance.
    for (PlacedCollider& wall : walls_) wall.gap = std::max(wall.gap, 0.49f * spacing);
}

bool FreeSpace::isFree(Vec3 x) const { return isClear(walls_, x); }

bool FreeSpace::pushOff(Vec3& x) const {
    constexpr int kMaxPasses = 8;  // as many as contact resolution needs in corners
    if (!isClear(solids_, x)) return false;
    for (int pass = 0; pass < kMaxPasses; ++pass) {
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

bool FreeSpace::moveOut(Vec3& x, Vec3 along) const {
    constexpr float kStep = 0.25f, kMaxDistance = 4;  // spacings
    if (walls_.empty()) return true;
    for (float distance = 0; distance <= kMaxDistance; distance += kStep) {
        const Vec3 there = x + (distance * spacing_) * along;
        if (!isFree(there)) continue;
        x = there;
        return true;
    }
    return false;
}

}  // namespace purl
