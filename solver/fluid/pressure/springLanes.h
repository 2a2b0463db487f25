// AVX2 versions of the loops of springs.cpp for one fluid, eight neighbours at a time. The resulting state is bitwise
// equal to that of the plain loops.
#pragma once
#include <array>
#include <cstring>
#include <vector>

#include "solver/fluid/lanes.h"
#include "solver/fluid/pressure/springs.h"

namespace purl {

#ifdef __AVX2__

inline unsigned bitsOf(__m256 lanes) { return static_cast<unsigned>(_mm256_movemask_ps(lanes)); }

// Eight neighbours of a particle: offsets, squared distances, and which of them have a spring to it.
struct SpringLanes {
    __m256 dx, dy, dz, r2;
    __m256i id;
    __m256 joined, held;  // a spring exists; this particle stores it

    // `points`: x, and in w the bits of the id, below 2³¹; −1 for padding.
    SpringLanes(const Float4* points, const int* list, const Float4& own) {
        const Lanes4 other = loadLanes(points, list);
        dx = _mm256_sub_ps(_mm256_set1_ps(own.x), other.x);
        dy = _mm256_sub_ps(_mm256_set1_ps(own.y), other.y);
        dz = _mm256_sub_ps(_mm256_set1_ps(own.z), other.z);
        // No FMA: rest lengths must be bitwise equal to those of the plain loop.
        r2 = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)), _mm256_mul_ps(dz, dz));
        id = _mm256_castps_si256(other.w);
        const __m256i ownId = _mm256_castps_si256(_mm256_set1_ps(own.w));
        joined = _mm256_and_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(id, _mm256_set1_epi32(-1))),
                               _mm256_cmp_ps(r2, _mm256_setzero_ps(), _CMP_GT_OQ));
        held = _mm256_and_ps(joined, _mm256_castsi256_ps(_mm256_cmpgt_epi32(id, ownId)));
    }
};

// Per bit mask: the number of set bits below each lane, and the lanes of the set bits.
struct BitTables {
    std::array<std::array<uint8_t, 8>, 256> below{}, places{};
    constexpr BitTables() {
        for (unsigned bits = 0; bits < 256; ++bits) {
            uint8_t set = 0;
            for (uint8_t lane = 0; lane < 8; ++lane) {
                below[bits][lane] = set;
                if (bits >> lane & 1) places[bits][set++] = lane;
            }
        }
    }
};
alignas(64) inline constexpr BitTables kBits;
inline __m256i laneBytes(const std::array<uint8_t, 8>& row) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(row.data())));
}

// The springs stored by one particle, compacted.
struct HeldSprings {
    std::vector<int> j, id;
    std::vector<float> r2;
    int count = 0;

    void gather(const Neighbors::View& neighbors, const Float4* points, int i) {
        const int* const list = neighbors.begin(i);
        const auto room = static_cast<size_t>(neighbors.paddedCount(i) + Neighbors::kLanes);
        if (j.size() < room) {
            j.resize(2 * room);
            id.resize(2 * room);
            r2.resize(2 * room);
        }
        count = 0;
        for (int n = 0, most = neighbors.count(i); n < most; n += Neighbors::kLanes) {
            const SpringLanes near(points, list + n, points[i]);
            const unsigned held = bitsOf(near.held);
            const __m256i to = laneBytes(kBits.places[held]);
            const auto store = [&](int* at, __m256i lanes) {
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + count), _mm256_permutevar8x32_epi32(lanes, to));
            };
            store(j.data(), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(list + n)));
            store(id.data(), near.id);
            _mm256_storeu_ps(r2.data() + count, _mm256_permutevar8x32_ps(near.r2, to));
            count += __builtin_popcount(held);
        }
    }
};

// pastShear with another order of summation.
inline float pastShearLanes(const VelocityHistory& past, const float* row, int i, int j) {
    const int n = past.samples;
    const float *const a = past.of(i), *const b = past.of(j);
    const auto apart = [&](int at) { return _mm256_sub_ps(_mm256_loadu_ps(a + at), _mm256_loadu_ps(b + at)); };
    __m256 lanes = _mm256_setzero_ps();
    int slot = 0;
    for (; slot + 8 <= n; slot += 8) {
        const __m256 x = apart(slot), y = apart(n + slot), z = apart(2 * n + slot);
        const __m256 u2 = _mm256_fmadd_ps(z, z, _mm256_fmadd_ps(y, y, _mm256_mul_ps(x, x)));
        lanes = _mm256_fmadd_ps(_mm256_loadu_ps(row + slot), _mm256_sqrt_ps(u2), lanes);
    }
    float sum = sumOfLanes(lanes);
    for (; slot < n; ++slot)
        sum += row[slot] * std::sqrt(square(a[slot] - b[slot]) + square(a[n + slot] - b[n + slot]) +
                                     square(a[2 * n + slot] - b[2 * n + slot]));
    return sum;
}

#endif

}  // namespace purl
