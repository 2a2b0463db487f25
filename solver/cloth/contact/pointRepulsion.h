// Point-based self-collision: cloth points that share no spring or fold keep a minimum distance, with friction and wet
// adhesion (Bayraktar §4.3, as a position correction instead of a force, so it needs no smaller steps). Tests points
// only: thin objects can pass between the points of a coarse mesh.
#pragma once
#include "solver/cloth/contact/colliderContact.h"
#include "solver/cloth/fabric.h"
#include "solver/search/neighbors.h"

namespace purl {

// The data of one cloth that point repulsion needs; spans are indexed from the cloth's first point.
struct ClothView {
    int first = 0;           // the cloth's first point in the arrays of all cloths
    float halfDistance = 0;  // m, half the distance its points keep; 0: self-collision disabled
    float friction = 0;
    Span<const Spring> springs;
    Span<const Bend> bends;
    Span<const int> incidenceStarts;
    Span<const Incidence> incidences;
    Span<const float> inverseMass;
    Span<const float> frictionFactor;  // per point; empty: 1
    Span<const float> adhesion;        // N, per point; empty: none

    PURL_HD float frictionAt(int i) const { return frictionFactor.count ? frictionFactor[i] * friction : friction; }
    PURL_HD float adhesionAt(int i) const { return adhesion.count ? adhesion[i] : 0; }

    // Whether two of its points share a spring or fold.
    PURL_HD bool areLinked(int i, int j) const {
        for (int p = incidenceStarts[i]; p < incidenceStarts[i + 1]; ++p) {
            const int e = incidences[p].element;
            if (e < springs.count) {
                if (springs[e].a == j || springs[e].b == j) return true;
            } else {
                for (const int v : bends[e - springs.count].v)
                    if (v == j) return true;
            }
        }
        return false;
    }
};

struct RepelPoints {
    Neighbors::View neighbors;
    Span<const ClothView> views;
    Span<const int> clothOf;  // cloth index of each point
    Span<const Vec3> rest, x, v;
    float dt;
    Span<Vec3> xNew, vNew;

    // Corrections are split by inverse mass and averaged over the contacts of a point. Approach velocity is removed,
    // with Coulomb friction.
    PURL_HD void operator()(int i) const {
        xNew[i] = x[i];
        vNew[i] = v[i];
        const ClothView& own = views[clothOf[i]];
        const float w = own.inverseMass[i - own.first];
        if (!(w > 0) || !(own.halfDistance > 0)) return;
        Vec3 move, change;
        int touching = 0;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const ClothView& other = views[clothOf[j]];
            const float distance = own.halfDistance + other.halfDistance;
            const float adhesion = 0.5f * (own.adhesionAt(i - own.first) + other.adhesionAt(j - other.first));
            if (!(other.halfDistance > 0) || r2 >= square(adhesion > 0 ? distance + kAdhesionRange : distance) ||
                !(r2 > 0))
                return;
            if (clothOf[i] == clothOf[j] &&
                (lengthSquared(rest[i] - rest[j]) < square(distance) || own.areLinked(i - own.first, j - own.first)))
                return;
            const float r = std::sqrt(r2), share = w / (w + other.inverseMass[j - other.first]);
            const Vec3 n = d / r, relative = v[i] - v[j];
            const float approach = dot(relative, n);
            if (approach > 0) {
                // Adhesion between wet points, limited to what stops them.
                const float limit = dt * adhesion * (w + other.inverseMass[j - other.first]);
                change -= (share * (approach < limit ? approach : limit)) * n;
            }
            if (r2 >= square(distance)) {
                touching += approach > 0 && adhesion > 0;
                return;
            }
            move += (share * (distance - r)) * n;
            ++touching;
            if (approach >= 0) return;
            const Vec3 sliding = relative - approach * n;
            const float speed = length(sliding), limit = -own.frictionAt(i - own.first) * approach;
            change -= share * (approach * n + (speed > limit ? limit / speed : 1.0f) * sliding);
        });
        if (!touching) return;
        xNew[i] += move / static_cast<float>(touching);
        vNew[i] += change / static_cast<float>(touching);
    }
};

}  // namespace purl
