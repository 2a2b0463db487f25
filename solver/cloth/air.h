// Air drag on cloth: isotropic viscous drag (Bayraktar 4.5) and wind along the normal (4.6).
#pragma once
#include "solver/cloth/fabric.h"
#include "solver/core/math.h"

namespace purl {

// Half the summed area vectors of the faces around point i, m², along the front-facing normal.
PURL_HD inline Vec3 areaVector(int i, const int* fanStarts, const int* fans, const Vec3* x) {
    Vec3 sum;
    for (int f = fanStarts[i]; f < fanStarts[i + 1]; f += 2) sum += cross(x[fans[f]] - x[i], x[fans[f + 1]] - x[i]);
    return 0.5f * sum;
}

// Applies drag over dt seconds. Both laws are linear in the velocity relative to the air and integrated exactly, so any
// step is stable.
//     m dv/dt = −A c_drag (v − v_air) − A c_wind (n·(v − v_air)) n
struct ApplyAirDrag {
    Span<const int> fanStarts, fans;
    Span<const float> inverseMass, area;
    Vec3 wind;                // m/s
    float gusts, time;        // fraction of the wind that varies; s
    float airDrag, windDrag;  // Pa·s/m
    float dt;
    const Vec3* x;
    Vec3* v;

    PURL_HD void operator()(int i) const {
        const float rate = dt * area[i] * inverseMass[i];
        if (!(rate > 0)) return;
        const Vec3 air = gusts > 0 ? (1 - gusts * lull(x[i])) * wind : wind;
        Vec3 u = v[i] - air;
        if (windDrag > 0) {
            const Vec3 n = normalized(areaVector(i, fanStarts.data, fans.data, x), Vec3{});
            u -= ((1 - exp(-rate * windDrag)) * dot(n, u)) * n;
        }
        v[i] = air + exp(-rate * airDrag) * u;
    }

    // Gust noise in [0, 1]: sine waves of about one second and one metre that drift and do not visibly repeat.
    PURL_HD float lull(Vec3 p) const {
        const float a = sin(6.3f * time + 2.1f * p.x + 1.3f * p.z), b = sin(4.1f * time - 3.7f * p.y + 0.9f * p.x),
                    c = sin(11.0f * time + 5.9f * p.z + 4.3f * p.y);
        return 0.5f + 0.2f * a + 0.2f * b + 0.1f * c;
    }
};

}  // namespace purl
