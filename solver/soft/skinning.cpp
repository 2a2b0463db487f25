#include "solver/soft/skinning.h"

#include <algorithm>

#include "solver/core/forEach.h"
#include "solver/soft/polar.h"

namespace purl {
namespace {

// The vertices around each, in ascending order.
struct Rings {
    Span<const int> starts, vertices;

    PURL_HD int count(int i) const { return starts[i + 1] - starts[i]; }
    PURL_HD Vec3 meanOf(const Vec3* x, int i) const {
        Vec3 sum;
        for (int k = starts[i]; k < starts[i + 1]; ++k) sum += x[vertices[k]];
        return sum / static_cast<float>(count(i));
    }
};

// With fewer around it a vertex could lie on any side of them.
constexpr int kFewest = 3;

// Where a vertex lies from the mean of those around it, at rest and turned as they are.
struct PlaceInRings {
    Rings rings;
    const Vec3 *rest, *x;
    Vec3* place;

    PURL_HD void operator()(int i) const {
        place[i] = {};
        if (rings.count(i) < kFewest) return;
        const Vec3 middle = rings.meanOf(x, i), atRest = rings.meanOf(rest, i);
        Mat3 a{{}, {}, {}};
        for (int k = rings.starts[i]; k < rings.starts[i + 1]; ++k) {
            const Vec3 p = x[rings.vertices[k]] - middle, q = rest[rings.vertices[k]] - atRest;
            a = a + Mat3{q.x * p, q.y * p, q.z * p};
        }
        place[i] = nearestRotation(a) * (rest[i] - atRest);
    }
};

// A share of the way to there; a negative one away from it.
struct MoveInRings {
    Rings rings;
    const Vec3* place;
    const char* fixed;
    float share;
    const Vec3* x;
    Vec3* moved;

    PURL_HD void operator()(int i) const {
        moved[i] = x[i];
        if (fixed[i] || rings.count(i) < kFewest) return;
        moved[i] += share * (rings.meanOf(x, i) + place[i] - x[i]);
    }
};

}  // namespace

std::vector<Vec3> skinOf(const Device& device, const SoftBody& body, Span<const Vec3> rest, Span<const Vec3> x) {
    std::vector<Vec3> skin(x.begin(), x.end());
    if (body.faces.empty() || !(body.params.smoothing > 0) || body.params.freeze) return skin;
    std::vector<std::vector<int>> around(skin.size());
    forEachFace(body.faces, [&](const int* corners, int count) {
        for (int k = 0; k < count; ++k) {
            const int a = corners[k], b = corners[(k + 1) % count];
            around[static_cast<size_t>(a)].push_back(b);
            around[static_cast<size_t>(b)].push_back(a);
        }
    });
    const int count = x.count;
    Buffer<int> starts(device, count + 1), vertices(device);
    Buffer<char> fixed(device, count);
    for (int i = 0; i < count; ++i) {
        std::vector<int>& ring = around[static_cast<size_t>(i)];
        std::sort(ring.begin(), ring.end());
        ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
        starts[i] = vertices.size();
        vertices.resize(vertices.size() + static_cast<int>(ring.size()));
        std::copy(ring.begin(), ring.end(), vertices.begin() + starts[i]);
        fixed[i] = !body.pins.empty() && body.pins[static_cast<size_t>(i)] >= 1;
    }
    starts[count] = vertices.size();
    Buffer<Vec3> now(device, count), next(device, count), place(device, count), atRest(device, count);
    std::copy(x.begin(), x.end(), now.begin());
    std::copy(rest.begin(), rest.end(), atRest.begin());
    const Rings rings{starts.span(), vertices.span()};
    // To and a little more than fro: waves of the mesh's own size go, larger shapes, as of a body squeezed flat, stay
    // (Taubin 1995). Of a single vertex' offset about a quarter is left.
    constexpr float kTo = 0.7f, kFro = -0.75f;
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round)
        for (const float share : {kTo, kFro}) {
            if (share == kTo)
                forEach(device, "placeInRings", count, PlaceInRings{rings, atRest.data(), now.data(), place.data()},
                        64);
            forEach(
                device, "moveInRings", count,
                MoveInRings{rings, place.data(), fixed.data(), body.params.smoothing * share, now.data(), next.data()});
            now.swap(next);
        }
    device.synchronize();
    std::copy(now.begin(), now.end(), skin.begin());
    return skin;
}

}  // namespace purl
