#include "solver/surface/thin.h"

#include <cmath>

#include "solver/core/forEach.h"
#include "solver/core/math.h"
#include "solver/surface/principalAxes.h"

namespace purl {
namespace {

struct ShapeThin {
    Neighbors::View neighbors;
    Span<const uint8_t> wanted;
    Span<const float> peak;
    float radius, loneRadius;
    Span<float> factor, reach;

    PURL_HD void operator()(int i) const {
        factor[i] = 1;
        reach[i] = radius;
        if (!wanted[i] || !(peak[i] > 0)) return;
        const Neighborhood around = measure(i, radius);
        const float thin = clamp((kThick - around.phi) / (kThick - kThin), 0, 1);
        if (!(thin > 0)) return;
        // Wide kernels would bridge particles that barely overlap long after they separated. And in a film much thinner
        // than the kernel, a little noise in the field is a large part of its thickness.
        const float connected =
            clamp(around.first + around.second - 0.5f, 0, 1) * clamp(0.5f + 0.5f * around.phi / kLayer, 0, 1);
        const float own = lerp(radius, loneRadius < radius ? loneRadius : radius, thin * (1 - connected));
        // (a/radius)² from φ = 1.5667 V/radius³, 1.4324 A/radius², 1.2305 t/radius: the values at the centre of (1 −
        // q²)³, normalized to a volume integral of 1, and of its integrals along a line and over a plane through the
        // centre.
        Neighborhood narrow = own < radius ? measure(i, own) : around;
        narrow.first = lerp(narrow.first, around.first, connected);
        narrow.second = lerp(narrow.second, around.second, connected);
        const float phi = narrow.phi;
        const float drop2 = square(cbrt(phi * (3 / (4 * kPi * 1.5667f))));
        const float thread2 = phi / (kPi * 1.4324f);
        const float film2 = square(phi / (2 * 1.2305f));
        const auto overCube = [&](float a2) {
            const float q = 1 - a2;
            return kVolumeLevel / (q * q * q);
        };
        const float drop = overCube(drop2), thread = overCube(thread2) / std::sqrt(1 - thread2),
                    film = overCube(film2) / (1 - film2);
        const float needed = (1 - narrow.first) * drop + (narrow.first - narrow.second) * thread + narrow.second * film;
        reach[i] = own;
        // A film so thin that noise would tear holes is kept closed, slightly too thick.
        const float least = kMinFilmLevel * kVolumeLevel, level = needed > least ? needed : least;
        factor[i] = (level > phi ? lerp(1, level / phi, thin) : 1) * cube(radius / own);
    }

  private:
    static constexpr float kPi = 3.14159265f;
    // Field at a particle above which the surface encloses its volume without help, and below which it does not.
    static constexpr float kThick = 0.8f, kThin = 0.6f;

    static constexpr float kMinFilmLevel = 1.1f;
    static constexpr float kLayer = 0.55f;  // field in the middle of a layer of particles one spacing apart

    // The field of kernels of some radius around a particle.
    struct Neighborhood {
        float phi;            // at the particle
        float first, second;  // largest two variances relative to those of unbounded liquid, 0 … 1
    };

    PURL_HD static float cube(float x) { return x * x * x; }

    PURL_HD Neighborhood measure(int i, float r) const {
        const float inverse = 1 / (r * r), scale = cube(radius / r);
        float phi = scale * peak[i];
        Vec3 sum;
        float c[3][3] = {}, axes[3][3];
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const float q = 1 - r2 * inverse;
            if (!(q > 0)) return;
            const float w = scale * peak[j] * q * q * q;
            phi += w;
            sum -= w * d;
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) c[a][b] += w * d[a] * d[b];
        });
        if (phi > kThick && r == radius) return {phi, 1, 1};
        const Vec3 mean = sum / phi;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) c[a][b] = c[a][b] / phi - mean[a] * mean[b];
        diagonalize(c, axes);
        // Unbounded liquid has a variance of r²/9 along a thread, r²/10 in a film and r²/11 in a pool.
        Neighborhood around{phi, 0, 0};
        for (int k = 0; k < 3; ++k) {
            const float extent = clamp(10 * inverse * c[k][k], 0, 1);
            if (extent > around.first) {
                around.second = around.first;
                around.first = extent;
            } else if (extent > around.second) {
                around.second = extent;
            }
        }
        return around;
    }
};

}  // namespace

ThinBlobs shapeThin(const Neighbors& neighbors, const Buffer<uint8_t>& wanted, const Buffer<float>& peak, float radius,
                    float loneRadius) {
    const Device& device = peak.device();
    ThinBlobs blobs(device);
    blobs.factor.resizeDiscard(neighbors.count());
    blobs.radius.resizeDiscard(neighbors.count());
    forEach(device, "shapeThin", neighbors.count(),
            ShapeThin{neighbors.view(), wanted.span(), peak.span(), radius, loneRadius, blobs.factor.span(),
                      blobs.radius.span()});
    return blobs;
}

}  // namespace purl
