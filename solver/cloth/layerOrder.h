// Keeps the layers of thick fabrics in order: with springs alone, a layer pushed through another could settle on the
// wrong side.
#pragma once
#include <cmath>

#include "solver/cloth/air.h"
#include "solver/cloth/fabric.h"

namespace purl {

struct MiddleNormals {
    Span<const int> fanStarts, fans;
    int middle;  // first point of the middle layer
    const Vec3* x;
    Span<Vec3> normal;
    PURL_HD void operator()(int i) const {
        normal[i] = normalized(areaVector(middle + i, fanStarts.data, fans.data, x), Vec3{});
    }
};

// Along the fabric's normal, adjacent layers stay at least a fraction of their rest distance apart and slide by at most
// that distance. Points moved by collider contact are fixed, as are points placed directly above them, so that landing
// on a floor does not flatten the fabric.
struct KeepLayerOrder {
    int layers, pointsPerLayer;
    Span<const float> inverseMass;
    const Vec3 *rest, *xBeforeContact;  // xBeforeContact: positions before contact with colliders
    Span<const Vec3> normal;            // per column of points
    Vec3 *x, *v;

    static constexpr float kMinSpacing = 0.5f, kMaxSlide = 1, kFacingRatio = 0.7f;

    PURL_HD void operator()(int i) const {
        const Vec3 n = normal[i];
        if (n == Vec3{}) return;
        const int last = i + (layers - 1) * pointsPerLayer;
        // A collider that has caught several layers pushes all of them to the same distance. The outermost layer on its
        // side is fixed, the others may move on in the push direction. Not if the push is mostly sideways, as in a
        // fold: then the side is unknown.
        float pushed = 0, moved = 0;
        for (int a = i; a <= last; a += pointsPerLayer) {
            pushed += dot(x[a] - xBeforeContact[a], n);
            moved += length(x[a] - xBeforeContact[a]);
        }
        const bool faces = std::fabs(pushed) > kFacingRatio * moved;
        const Obstacle obstacle{!faces ? -1 : pushed > 0 ? last : i, pushed};
        // Start from the fixed side, if any.
        if (obstacle.next == i || (obstacle.next < 0 && weight(last, n, obstacle) > 0))
            for (int a = i, supported = 0; a < last; a += pointsPerLayer)
                supported = separate(a, a + pointsPerLayer, supported, 0, n, obstacle);
        else
            for (int b = last, supported = 0; b > i; b -= pointsPerLayer)
                supported = separate(b - pointsPerLayer, b, 0, supported, n, obstacle);
    }
    struct Obstacle {
        int next;      // the fixed point next to the collider; −1: none
        float pushed;  // m, push along the normal
    };
    PURL_HD float weight(int i, Vec3 n, const Obstacle& obstacle) const {
        const bool onward =
            obstacle.next >= 0 && i != obstacle.next && dot(x[i] - xBeforeContact[i], n) * obstacle.pushed > 0;
        return x[i] == xBeforeContact[i] || onward ? inverseMass[i] : 0;
    }
    // a is in front of b. Returns whether the point that moved last is now supported by a fixed one.
    PURL_HD int separate(int a, int b, int supportedA, int supportedB, Vec3 n, const Obstacle& obstacle) const {
        const float restDistance = length(rest[a] - rest[b]), across = dot(x[a] - x[b], n);
        const Vec3 along = x[a] - x[b] - across * n;
        const float missing = kMinSpacing * restDistance - across, slid = length(along),
                    beyond = slid - kMaxSlide * restDistance;
        if (!(missing > 0 || beyond > 0)) return 0;
        const float wa = supportedA ? 0 : weight(a, n, obstacle), wb = supportedB ? 0 : weight(b, n, obstacle);
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
