// The scalar field whose iso surface is the liquid's surface: sums over blobs at the nodes of blocks. Header only,
// because its kernels are templates of the blob form; surface.cpp runs them.
#pragma once
#include <cmath>

#include "solver/core/lanes.h"
#include "solver/surface/blobs.h"

namespace purl {

// out[k] += peak (1 − q²)³ for the eight nodes of a row at distance dx from the blob.
PURL_HD inline void addRow(const RowQuadratic& row, float floor, float peak, const float* dx, float* out) {
    static_assert(kEdge == kLanes);
    const Lanes d = load(dx), q = Lanes(row.c) - d * (Lanes(row.a) * d + Lanes(row.b));
    const Lanes inside = select(q > Lanes(floor), q, Lanes(0.0f));
    store(load(out) + Lanes(peak) * inside * inside * inside, out);
}

// φ(x) = Σⱼ Wⱼ(x − xⱼ), or its square root. One index is a block; each blob adds to the rows it reaches.
template <class Form>
struct SumField {
    BlobView<Form> blobs;
    int first;                     // first requested block
    Span<const uint64_t> keys;     // of the blocks
    Span<const uint8_t> isLiquid;  // blocks known to be full of liquid: not evaluated
    bool root;
    float full;  // φ in the interior of the liquid
    Span<float> field;

    PURL_HD void operator()(int index) const {
        const int block = first + index;
        float* const nodes = field.data + static_cast<size_t>(index) * kBlock;
        if (isLiquid[block]) {
            for (int k = 0; k < kBlock; ++k) nodes[k] = full;
            return;
        }
        float sum[kBlock] = {};
        constexpr float kLast = kEdge - 1;
        blobs.forEachNear(blockCoord(keys[block]), {0, 0, 0}, {kLast, kLast, kLast}, [&](int j, Vec3 x) {
            const Form form = blobs.forms[j];
            const Vec3 extent = form.extent();
            if (x.x + extent.x <= 0 || x.x - extent.x >= kLast) return;
            const int y0 = firstNode(x.y - extent.y), y1 = lastNode(x.y + extent.y);
            const int z0 = firstNode(x.z - extent.z), z1 = lastNode(x.z + extent.z);
            const float peak = blobs.blobs[j].peak;
            float dx[kEdge];
            for (int k = 0; k < kEdge; ++k) dx[k] = static_cast<float>(k) - x.x;
            for (int z = z0; z <= z1; ++z) {
                const float dz = static_cast<float>(z) - x.z;
                for (int y = y0; y <= y1; ++y) {
                    const RowQuadratic row = form.row(static_cast<float>(y) - x.y, dz);
                    if (form.rowMaximum(row) <= 0) continue;
                    addRow(row, form.floor, peak, dx, sum + z * kSlab + y * kEdge);
                }
            }
        });
        for (int k = 0; k < kBlock; ++k) nodes[k] = root ? std::sqrt(sum[k]) : sum[k];
    }

  private:
    PURL_HD static int firstNode(float x) { return x > 0 ? static_cast<int>(std::ceil(x)) : 0; }
    PURL_HD static int lastNode(float x) { return x < kEdge - 1 ? static_cast<int>(std::floor(x)) : kEdge - 1; }
};

// Coarse sampling of a block: the field of the isotropic blobs at every kStep-th node along each axis. −1 means that
// nothing reaches within kStep of the sample, so that a region between such samples is empty.
template <int kStep>
struct SampleField {
    static constexpr int kAcross = kEdge / kStep, kCount = kAcross * kAcross * kAcross;
    BlobView<Ball> blobs;
    Span<const uint64_t> keys;
    float touch2;  // cells², (blob reach plus half a step along each axis)²
    Span<float> samples;

    PURL_HD void operator()(int block) const {
        float sampleX[kCount], sampleY[kCount], sampleZ[kCount], sum[kCount], nearest[kCount];
        for (int k = 0; k < kCount; ++k) {
            sampleX[k] = static_cast<float>(kStep * (k % kAcross));
            sampleY[k] = static_cast<float>(kStep * (k / kAcross % kAcross));
            sampleZ[k] = static_cast<float>(kStep * (k / (kAcross * kAcross)));
            sum[k] = 0;
            nearest[k] = 1e30f;
        }
        constexpr float kLast = kEdge - kStep;
        blobs.forEachNear(blockCoord(keys[block]), {0, 0, 0}, {kLast, kLast, kLast}, [&](int j, Vec3 x) {
            const float inverse = blobs.forms[j].inverse, peak = blobs.blobs[j].peak;
            for (int k = 0; k < kCount; ++k) {
                const float r2 = square(sampleX[k] - x.x) + square(sampleY[k] - x.y) + square(sampleZ[k] - x.z);
                const float q = 1 - r2 * inverse, inside = q > 0 ? q : 0;
                sum[k] += peak * inside * inside * inside;
                nearest[k] = r2 < nearest[k] ? r2 : nearest[k];
            }
        });
        for (int k = 0; k < kCount; ++k) samples[kCount * block + k] = nearest[k] < touch2 ? sum[k] : -1;
    }
};

enum class Fill : uint8_t { air, mixed, liquid };

// Classifies a block by the samples in it and on its far faces.
template <int kStep>
struct ClassifyBlocks {
    static constexpr int kAcross = kEdge / kStep, kCount = kAcross * kAcross * kAcross;
    BlockView blocks;
    Span<const float> samples;
    float fullThreshold;  // if all samples are larger, there is no air between them
    Span<uint8_t> fill;

    PURL_HD void operator()(int block) const {
        bool empty = true, full = true;
        for (int z = 0; z <= kAcross; ++z)
            for (int y = 0; y <= kAcross; ++y)
                for (int x = 0; x <= kAcross; ++x) {
                    const int owner =
                        blocks.ahead[8 * block + ((x == kAcross) | (y == kAcross) << 1 | (z == kAcross) << 2)];
                    const float value =
                        owner < 0
                            ? -1
                            : samples[kCount * owner + (z % kAcross * kAcross + y % kAcross) * kAcross + x % kAcross];
                    empty = empty && value < 0;
                    full = full && value > fullThreshold;
                }
        fill[block] = static_cast<uint8_t>(empty ? Fill::air : full ? Fill::liquid : Fill::mixed);
    }
};

// Marks particles whose surrounding samples are all low: they may lie in thin liquid. One index is an occupied block.
template <int kStep>
struct FindThin {
    static constexpr int kAcross = kEdge / kStep, kCount = kAcross * kAcross * kAcross;
    BlockView blocks;
    BlockRuns runs;
    Span<const Blob> blobs;
    Span<const float> samples;
    float thick;
    Span<uint8_t> mayBeThin;

    PURL_HD void operator()(int index) const {
        const int block = lowerBound(blocks.keys, runs.keys[index]);
        for (int i = runs.starts[index]; i < runs.starts[index + 1]; ++i) {
            const Vec3 x = blobs[i].x;
            float most = 0;
            for (int corner = 0; corner < 8; ++corner) {
                const int a = at(x.x) + (corner & 1), b = at(x.y) + (corner >> 1 & 1), c = at(x.z) + (corner >> 2);
                const int owner =
                    blocks.ahead[8 * block + ((a == kAcross) | (b == kAcross) << 1 | (c == kAcross) << 2)];
                if (owner < 0) continue;
                const float value =
                    samples[kCount * owner + (c % kAcross * kAcross + b % kAcross) * kAcross + a % kAcross];
                most = value > most ? value : most;
            }
            mayBeThin[i] = most < thick;
        }
    }

  private:
    // Index of the sample before x along an axis.
    PURL_HD static int at(float x) {
        const int sample = static_cast<int>(x / kStep);
        return sample < 0 ? 0 : sample < kAcross ? sample : kAcross - 1;
    }
};

}  // namespace purl
