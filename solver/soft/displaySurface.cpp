#include "solver/soft/displaySurface.h"

#include <algorithm>

#include "solver/core/forEach.h"
#include "solver/soft/polar.h"

namespace purl {
namespace {

// One-ring of each vertex, in ascending order (CSR).
struct Rings {
    Span<const int> starts, vertices;

    PURL_HD int count(int i) const { return starts[i + 1] - starts[i]; }
    PURL_HD Vec3 meanOf(const Vec3* x, int i) const {
        Vec3 sum;
        for (int k = starts[i]; k < starts[i + 1]; ++k) sum += x[vertices[k]];
        return sum / static_cast<float>(count(i));
    }
};

// With fewer neighbours the offset from their mean is not determined.
constexpr int kMinRingSize = 3;

// Rest offset of a vertex from the mean of its one-ring, rotated with the ring.
struct RotatedOffsets {
    Rings rings;
    const Vec3 *rest, *x;
    Vec3* offset;

    PURL_HD void operator()(int i) const {
        offset[i] = {};
        if (rings.count(i) < kMinRingSize) return;
        const Vec3 centerMember = rings.meanOf(x, i), atRest = rings.meanOf(rest, i);
        Mat3 a{{}, {}, {}};
        for (int k = rings.starts[i]; k < rings.starts[i + 1]; ++k) {
            const Vec3 p = x[rings.vertices[k]] - centerMember, q = rest[rings.vertices[k]] - atRest;
            a = a + Mat3{q.x * p, q.y * p, q.z * p};
        }
        offset[i] = nearestRotation(a) * (rest[i] - atRest);
    }
};

// Moves each vertex by a fraction towards its ring's prediction; negative: away.
struct SmoothInRings {
    Rings rings;
    const Vec3* offset;
    const char* fixed;
    float factor;
    const Vec3* x;
    Vec3* smoothed;

    PURL_HD void operator()(int i) const {
        smoothed[i] = x[i];
        if (fixed[i] || rings.count(i) < kMinRingSize) return;
        smoothed[i] += factor * (rings.meanOf(x, i) + offset[i] - x[i]);
    }
};

}  // namespace

std::vector<Vec3> displaySurface(const Device& device, const SoftBody& body, Span<const Vec3> rest,
                                 Span<const Vec3> x) {
    std::vector<Vec3> surface(x.begin(), x.end());
    if (body.faces.empty() || !(body.params.smoothing > 0) || body.params.freeze) return surface;
    std::vector<std::vector<int>> around(surface.size());
    forEachFace(body.faces, [&](const int* corners, int count) {
        for (int k = 0; k < count; ++k) {
            const int a = corners[k], b = corners[(k + 1) % count];
            around[a].push_back(b);
            around[b].push_back(a);
        }
    });
    const int count = x.count;
    Buffer<int> starts(device, count + 1), vertices(device);
    Buffer<char> fixed(device, count);
    for (int i = 0; i < count; ++i) {
        std::vector<int>& ring = around[i];
        std::sort(ring.begin(), ring.end());
        ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
        starts[i] = vertices.size();
        vertices.resize(vertices.size() + static_cast<int>(ring.size()));
        std::copy(ring.begin(), ring.end(), vertices.begin() + starts[i]);
        fixed[i] = !body.pins.empty() && body.pins[i] >= 1;
    }
    starts[count] = vertices.size();
    Buffer<Vec3> now(device, count), next(device, count), offset(device, count), atRest(device, count);
    std::copy(x.begin(), x.end(), now.begin());
    std::copy(rest.begin(), rest.end(), atRest.begin());
    const Rings rings{starts.span(), vertices.span()};
    // Taubin smoothing (1995): shrink and slightly over-inflate. Removes waves of the mesh size and keeps larger
    // shapes, such as a flattened body. About a quarter of a single vertex's offset remains.
    constexpr float kShrink = 0.7f, kInflate = -0.75f;
    constexpr int kIterations = 3;
    for (int round = 0; round < kIterations; ++round)
        for (const float factor : {kShrink, kInflate}) {
            if (factor == kShrink)
                forEach(device, "rotatedOffsets", count,
                        RotatedOffsets{rings, atRest.data(), now.data(), offset.data()}, 64);
            forEach(device, "smoothInRings", count,
                    SmoothInRings{rings, offset.data(), fixed.data(), body.params.smoothing * factor, now.data(),
                                  next.data()});
            now.swap(next);
        }
    std::copy(now.begin(), now.end(), surface.begin());
    return surface;
}

}  // namespace purl
