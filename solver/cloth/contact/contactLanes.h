// Points and their bounds in contact detection, eight at a time.
#pragma once
#include "solver/core/lanes.h"

namespace purl {

// Position, m, and inverse mass, 1/kg, in one aligned load.
struct alignas(16) MassPoint {
    Vec3 x;
    float w = 0;
};

using PointLanes = VecOf<Lanes>;

inline PointLanes min(const PointLanes& a, const PointLanes& b) {
    return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
}
inline PointLanes max(const PointLanes& a, const PointLanes& b) {
    return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
}
inline PointLanes load(const float (&a)[3][kLanes]) { return {load(a[0]), load(a[1]), load(a[2])}; }
inline void store(const PointLanes& a, float (&to)[3][kLanes]) {
    store(a.x, to[0]);
    store(a.y, to[1]);
    store(a.z, to[2]);
}
// Positions of points list[0] … list[7].
inline PointLanes loadPoints(const MassPoint* points, const int* list) { return loadRows(points, list).xyz(); }
// Bits of the lanes where list equals a.
inline int lanesEqual(const int* list, int a) { return bitsOf(load(list) == LaneInts(a)); }

}  // namespace purl
