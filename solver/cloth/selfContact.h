// Cloth against itself and other cloths: points that no spring links keep a distance, as balls do that touch and rub
// (Bayraktar §4.3, as a rule on places instead of a force: it needs no small steps). Points only: between them a coarse
// mesh lets things through.
#pragma once
#include "solver/cloth/contact.h"
#include "solver/cloth/fabric.h"
#include "solver/search/neighbors.h"

namespace purl {

// Which cloth a point is of, and where its own fabric's lists begin.
struct Owner {
    int first = 0;   // the cloth's first point
    float half = 0;  // m, half the distance that its points keep; 0: none
    float friction = 0;
    Span<const Spring> springs;
    Span<const Bend> bends;
    Span<const int> starts;
    Span<const Part> parts;
    Span<const float> inverseMass;
    Span<const float> grip;   // factor of the friction, of each point; none: 1
    Span<const float> cling;  // N, that each sticks with when it comes near; none: none does

    PURL_HD float rough(int i) const { return grip.count ? grip[i] * friction : friction; }
    PURL_HD float stick(int i) const { return cling.count ? cling[i] : 0; }

    // Whether two of its points, counted from its first, are in one spring or fold.
    PURL_HD bool links(int i, int j) const {
        for (int p = starts[i]; p < starts[i + 1]; ++p) {
            const int e = parts[p].element;
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

struct PushApart {
    Neighbors::View neighbors;
    Span<const Owner> owners;
    Span<const int> owner;  // one a point
    Span<const Vec3> rest, x, v;
    float dt;
    Span<Vec3> xNew, vNew;

    // Half of what is missing to the distance is each one's, or as their masses say; a point that touches several takes
    // the mean. What approaches comes to rest, and rubs.
    PURL_HD void operator()(int i) const {
        xNew[i] = x[i];
        vNew[i] = v[i];
        const Owner& own = owners[owner[i]];
        const float w = own.inverseMass[i - own.first];
        if (!(w > 0) || !(own.half > 0)) return;
        Vec3 move, change;
        int touching = 0;
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const Owner& other = owners[owner[j]];
            const float distance = own.half + other.half;
            const float stick = 0.5f * (own.stick(i - own.first) + other.stick(j - other.first));
            if (!(other.half > 0) || r2 >= square(stick > 0 ? distance + kClingReach : distance) || !(r2 > 0)) return;
            if (owner[i] == owner[j] &&
                (lengthSquared(rest[i] - rest[j]) < square(distance) || own.links(i - own.first, j - own.first)))
                return;
            const float r = std::sqrt(r2), share = w / (w + other.inverseMass[j - other.first]);
            const Vec3 n = d / r, relative = v[i] - v[j];
            const float approach = dot(relative, n);
            if (approach > 0) {
                // Wet points hold on to each other, no more than brings them to rest.
                const float most = dt * stick * (w + other.inverseMass[j - other.first]);
                change -= (share * (approach < most ? approach : most)) * n;
            }
            if (r2 >= square(distance)) {
                touching += approach > 0 && stick > 0;
                return;
            }
            move += (share * (distance - r)) * n;
            ++touching;
            if (approach >= 0) return;
            const Vec3 sliding = relative - approach * n;
            const float speed = length(sliding), most = -own.rough(i - own.first) * approach;
            change -= share * (approach * n + (speed > most ? most / speed : 1.0f) * sliding);
        });
        if (!touching) return;
        xNew[i] += move / static_cast<float>(touching);
        vNew[i] += change / static_cast<float>(touching);
    }
};

}  // namespace purl
