// Transfers channels from the particles to the vertices of a surface: normals from the field gradient, velocities,
// colours, …
#pragma once
#include "solver/surface/blobs.h"

namespace purl {

constexpr int kMaxBlendedFloats = 10;  // per vertex: velocity, colour, rest position, age

// One index is a block. Its vertices are handled in groups, each with all blobs that reach one of them.
template <class Form>
struct TransferChannels {
    BlobView<Form> blobs;
    Span<const uint64_t> keys;
    Span<const int> firstVertex;
    Span<const Vec3> local;     // vertices, relative to the first node of their block
    Span<const float> numbers;  // of the blobs, `width` per blob
    int width;
    Span<Vec3> normal;  // −∇φ, normalized
    Span<float> mixed;  // Σ W numbers / Σ W, `width` per vertex
    Span<int> nearest;  // index of the nearest blob

    PURL_HD void operator()(int block) const {
        const BlockCoord place = blockCoord(keys[block]);
        for (int first = firstVertex[block]; first < firstVertex[block + 1]; first += kGroup)
            transfer(place, first, firstVertex[block + 1] - first < kGroup ? firstVertex[block + 1] - first : kGroup);
    }

  private:
    static constexpr int kGroup = 32;

    PURL_HD void transfer(BlockCoord place, int first, int count) const {
        float x[kGroup], y[kGroup], z[kGroup], nx[kGroup], ny[kGroup], nz[kGroup], weight[kGroup], closest[kGroup],
            sum[kMaxBlendedFloats * kGroup];
        int nearestBlob[kGroup];
        Bounds box;
        for (int i = 0; i < kGroup; ++i) {
            // Groups are padded by repetition, so that the loops below have a constant length.
            const Vec3 p = local[first + (i < count ? i : 0)];
            box.include(p);
            x[i] = p.x;
            y[i] = p.y;
            z[i] = p.z;
            nx[i] = ny[i] = nz[i] = weight[i] = 0;
            closest[i] = 1e30f;
            nearestBlob[i] = -1;
        }
        for (int i = 0; i < width * kGroup; ++i) sum[i] = 0;
        blobs.forEachNear(place, box.low, box.high, [&](int j, Vec3 at) {
            const Form form = blobs.forms[j];
            const Vec3 extent = form.extent();
            for (int axis = 0; axis < 3; ++axis)
                if (at[axis] + extent[axis] < box.low[axis] || at[axis] - extent[axis] > box.high[axis]) return;
            const float peak = blobs.blobs[j].peak;
            float w[kGroup];
            float most = 0;
            for (int i = 0; i < kGroup; ++i) {
                const Vec3 d{x[i] - at.x, y[i] - at.y, z[i] - at.z};
                const float q = form.falloff(d), slope = peak * q * q;
                const Vec3 n = form.halfGradient(d);
                nx[i] += slope * n.x;
                ny[i] += slope * n.y;
                nz[i] += slope * n.z;
                w[i] = slope * q;
                weight[i] += w[i];
                most = w[i] > most ? w[i] : most;
                const float r2 = lengthSquared(d);
                const bool nearer = r2 < closest[i];
                closest[i] = nearer ? r2 : closest[i];
                nearestBlob[i] = nearer ? j : nearestBlob[i];
            }
            if (most <= 0) return;
            for (int k = 0; k < width; ++k) {
                const float value = numbers[width * j + k];
                float* const out = sum + k * kGroup;
                for (int i = 0; i < kGroup; ++i) out[i] += w[i] * value;
            }
        });
        for (int i = 0; i < count; ++i) {
            if (!(weight[i] > 0)) {
                transferNearest(place, first + i, box);
                continue;
            }
            normal[first + i] = normalized({nx[i], ny[i], nz[i]});
            nearest[first + i] = nearestBlob[i];
            for (int k = 0; k < width; ++k) mixed[width * (first + i) + k] = sum[k * kGroup + i] / weight[i];
        }
    }

    // A vertex beyond every blob gets the values of the nearest one. Where a blob ends within a cell, as where the
    // printed root field is cut off, the interpolated vertex may lie outside of it.
    PURL_HD void transferNearest(BlockCoord place, int vertex, const Bounds& box) const {
        float closest = 1e30f;
        int nearestOne = 0;
        Vec3 outward{0, 1, 0};
        blobs.forEachNear(place, box.low, box.high, [&](int j, Vec3 at) {
            const Vec3 d = local[vertex] - at;
            if (!(lengthSquared(d) < closest)) return;
            closest = lengthSquared(d);
            nearestOne = j;
            outward = d;
        });
        normal[vertex] = normalized(outward);
        nearest[vertex] = nearestOne;
        for (int k = 0; k < width; ++k) mixed[width * vertex + k] = numbers[width * nearestOne + k];
    }
};

}  // namespace purl
