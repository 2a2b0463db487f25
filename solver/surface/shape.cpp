#include "solver/surface/shape.h"

#include <cmath>

#include "solver/core/forEach.h"
#include "solver/surface/principalAxes.h"

namespace purl {
namespace {

struct LoneWeight {
    Neighbors::View neighbors;
    bool drop;
    Span<float> weight;

    PURL_HD void operator()(int i) const {
        const int others = neighbors.count(i);
        weight[i] = others >= kMinNeighbors ? 1 : drop ? 0 : static_cast<float>(others + 1) / (kMinNeighbors + 1);
    }
};

// w = 1 − (r/radius)³   Yu and Turk 2013, eq. 11
PURL_HD inline float weightOf(float r2, float radius) {
    const float q = std::sqrt(r2) / radius;
    return q < 1 ? 1 - q * q * q : 0;
}

// Offset from each particle to the weighted centroid of its neighbourhood.
struct CentroidOffsets {
    Neighbors::View neighbors;
    Span<const uint8_t> isNear;
    float radius;
    Span<Vec3> centroidOffset;

    PURL_HD void operator()(int i) const {
        centroidOffset[i] = {};
        if (!isNear[i]) return;
        Vec3 sum;
        float weights = 1;
        neighbors.forEach(i, [&](int, Vec3 d, float r2) {
            const float w = weightOf(r2, radius);
            sum -= w * d;
            weights += w;
        });
        centroidOffset[i] = sum / weights;
    }
};

struct Stretch {
    Neighbors::View neighbors;
    Span<const uint8_t> isNear;
    float radius, maxShift;
    Span<const Vec3> centroidOffset;
    Span<Vec3> shift;
    Span<Ellipsoid> form;
    Span<float> scale;

    PURL_HD void operator()(int i) const {
        const float round = 1 / (radius * radius);
        shift[i] = {};
        scale[i] = 1;
        form[i] = {round, 0, 0, round, 0, round, {radius, radius, radius}};
        const int others = neighbors.count(i);
        if (!isNear[i] || others < kMinForAnisotropy) return;
        // C = Σ w (xⱼ − x̄)(xⱼ − x̄)ᵀ / Σ w   eq. 9; and the weighted mean of the neighbours' centroid offsets
        float c[3][3] = {}, v[3][3];
        float weights = 1;
        Vec3 mean = centroidOffset[i];
        add(c, -centroidOffset[i], 1);
        neighbors.forEach(i, [&](int j, Vec3 d, float r2) {
            const float w = weightOf(r2, radius);
            add(c, -d - centroidOffset[i], w);
            mean += w * centroidOffset[j];
            weights += w;
        });
        mean = mean / weights;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) c[a][b] /= weights;
        diagonalize(c, v);
        // In the interior an eigenvalue is 0.15 radius²; at a flat surface the one along the normal is a third of that.
        // Only such strong anisotropy is applied: smaller differences are noise. With few neighbours it is faded out.
        const float full = 0.15f * radius * radius;
        const float least = std::fmin(c[0][0], std::fmin(c[1][1], c[2][2])) / full;
        const float trust =
            clamp(static_cast<float>(others - kMinForAnisotropy) / (kFullAnisotropy - kMinForAnisotropy), 0, 1);
        const float stretch = trust * clamp((0.8f - least) / 0.3f, 0, 1);
        float axis[3];
        for (int k = 0; k < 3; ++k) axis[k] = clamp(lerp(1, c[k][k] / full, stretch), 1 / kMaxRatio, 1);  // eq. 15
        scale[i] = 1 / (axis[0] * axis[1] * axis[2]);
        // x ← x + λ (centroid offset − mean centroid offset of the neighbourhood)
        shift[i] = (kSmoothing * trust) * (centroidOffset[i] - mean);
        const float distance = length(shift[i]);
        if (distance > maxShift) shift[i] *= maxShift / distance;
        // M = Σ e eᵀ / (radius axis)²; half² = Σ (radius axis e)²
        float m[3][3] = {}, half[3] = {};
        for (int k = 0; k < 3; ++k)
            for (int a = 0; a < 3; ++a) {
                half[a] += square(radius * axis[k] * v[a][k]);
                for (int b = 0; b < 3; ++b) m[a][b] += v[a][k] * v[b][k] * round / square(axis[k]);
            }
        form[i] = {m[0][0],
                   m[0][1],
                   m[0][2],
                   m[1][1],
                   m[1][2],
                   m[2][2],
                   {std::sqrt(half[0]), std::sqrt(half[1]), std::sqrt(half[2])}};
    }

  private:
    static constexpr int kMinForAnisotropy = 6, kFullAnisotropy = 20;
    static constexpr float kMaxRatio = 4;      // kᵣ: largest ratio of axis lengths
    static constexpr float kSmoothing = 0.9f;  // λ

    PURL_HD static void add(float c[3][3], Vec3 d, float w) {
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) c[a][b] += w * d[a] * d[b];
    }
};

}  // namespace

void loneWeights(const Neighbors& neighbors, bool drop, Buffer<float>& weights) {
    const Device& device = weights.device();
    weights.resizeDiscard(neighbors.count());
    forEach(device, "loneWeights", neighbors.count(), LoneWeight{neighbors.view(), drop, weights.span()});
}

Shapes anisotropicShapes(const Neighbors& neighbors, const Buffer<uint8_t>& isNear, float radius, float maxShift) {
    const Device& device = isNear.device();
    const int count = neighbors.count();
    Shapes shapes(device);
    Buffer<Vec3> centroidOffset(device);
    centroidOffset.resizeDiscard(count);
    shapes.shift.resizeDiscard(count);
    shapes.form.resizeDiscard(count);
    shapes.scale.resizeDiscard(count);
    forEach(device, "centroidOffsets", count,
            CentroidOffsets{neighbors.view(), isNear.span(), radius, centroidOffset.span()});
    forEach(device, "stretch", count,
            Stretch{neighbors.view(), isNear.span(), radius, maxShift, std::as_const(centroidOffset).span(),
                    shapes.shift.span(), shapes.form.span(), shapes.scale.span()});
    return shapes;
}

}  // namespace purl
