// The layers of thick fabrics stay in their order, whatever is done to them: springs alone would let one that is pushed
// through another settle on its wrong side.
#pragma once
#include <cmath>

#include "solver/cloth/air.h"
#include "solver/cloth/fabric.h"

namespace purl {

struct MiddleNormals {
    Span<const int> fanStarts, fans;
    int middle;  // the first point of the middle layer
    const Vec3* x;
    Span<Vec3> normal;
    PURL_HD void operator()(int i) const {
        normal[i] = normalized(areaVector(middle + i, fanStarts.data, fans.data, x), Vec3{});
    }
};

// Along the fabric's normal, no layer comes nearer to the next than a share of their distance at rest, nor slides along
// it by more than that distance. What colliders have moved stays where it is, and what is put upright on it as well: so
// a fall on a floor does not flatten it.
struct KeepLayerOrder {
    int layers, pointsPerLayer;
    Span<const float> inverseMass;
    const Vec3 *rest, *xBeforeContact;  // xBeforeContact: places before colliders moved them
    Span<const Vec3> normal;            // of each column
    Vec3 *x, *v;

    static constexpr float kMinSpacing = 0.5f, kMaxSlide = 1, kFacingRatio = 0.7f;

    PURL_HD void operator()(int i) const {
        const Vec3 n = normal[i];
        if (n == Vec3{}) return;
        const int last = i + (layers - 1) * pointsPerLayer;
        // A obstacle that has caught several layers at once wants them all at one distance from it: the one next to it
        // is firm, and the others may go on the direction that it pushed them. Not so where it lies at the fabric's
        // edge, as in a fold: then it does not tell which one is next.
        float pushed = 0, moved = 0;
        for (int a = i; a <= last; a += pointsPerLayer) {
            pushed += dot(x[a] - xBeforeContact[a], n);
            moved += length(x[a] - xBeforeContact[a]);
        }
        const bool faces = std::fabs(pushed) > kFacingRatio * moved;
        const Obstacle obstacle{!faces ? -1 : pushed > 0 ? last : i, pushed};
        // From the side that is held, if one is.
        if (obstacle.next == i || (obstacle.next < 0 && weight(last, n, obstacle) > 0))
            for (int a = i, held = 0; a < last; a += pointsPerLayer)
                held = separate(a, a + pointsPerLayer, held, 0, n, obstacle);
        else
            for (int b = last, held = 0; b > i; b -= pointsPerLayer)
                held = separate(b - pointsPerLayer, b, 0, held, n, obstacle);
    }
    struct Obstacle {
        int next;      // the point next to it; −1: there is none
        float pushed;  // m, along the normal
    };
    PURL_HD float weight(int i, Vec3 n, const Obstacle& obstacle) const {
        const bool onward =
            obstacle.next >= 0 && i != obstacle.next && dot(x[i] - xBeforeContact[i], n) * obstacle.pushed > 0;
        return x[i] == xBeforeContact[i] || onward ? inverseMass[i] : 0;
    }
    // a lies in front of b. Returns whether the one that moved last has something firm behind it.
    PURL_HD int separate(int a, int b, int heldA, int heldB, Vec3 n, const Obstacle& obstacle) const {
        const float apart = length(rest[a] - rest[b]), across = dot(x[a] - x[b], n);
        const Vec3 along = x[a] - x[b] - across * n;
        const float missing = kMinSpacing * apart - across, slid = length(along), beyond = slid - kMaxSlide * apart;
        if (!(missing > 0 || beyond > 0)) return 0;
        const float wa = heldA ? 0 : weight(a, n, obstacle), wb = heldB ? 0 : weight(b, n, obstacle);
        if (!(wa + wb > 0)) return 1;
        Vec3 move, kick;
        if (missing > 0) {
            const float approach = dot(v[a] - v[b], n);
            move = missing * n;
            if (approach < 0) kick = -approach * n;
        }
        if (beyond > 0) {
            const Vec3 direction = along / slid;
            const float away = dot(v[a] - v[b], direction);
            move -= beyond * direction;
            if (away > 0) kick -= away * direction;
        }
        const float ofA = wa / (wa + wb), ofB = wb / (wa + wb);
        x[a] += ofA * move;
        x[b] -= ofB * move;
        v[a] += ofA * kick;
        v[b] -= ofB * kick;
        return wa == 0 || wb == 0;
    }
};

}  // namespace purl
