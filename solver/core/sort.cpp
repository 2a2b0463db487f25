#include "solver/core/sort.h"

#include <algorithm>
#include <array>
#include <vector>

#include "solver/core/forEach.h"

#ifdef __CUDACC__
    #include <thrust/execution_policy.h>
    #include <thrust/scan.h>
    #include <cub/device/device_radix_sort.cuh>
#endif

namespace purl {
namespace {

constexpr int kDigitBits = 8;
constexpr int kDigits = 1 << kDigitBits;

// One stable counting-sort pass over one digit. Each chunk of the input has its own histogram; an exclusive scan over
// (digit, chunk) gives each chunk its output offsets.
struct RadixPass {
    const Device& device;
    int pieces;

    void operator()(const uint64_t* keys, const int* values, uint64_t* sortedKeys, int* sortedValues, int count,
                    int shift) const {
        std::vector<std::array<int, kDigits>> place(static_cast<size_t>(pieces));
        const auto begin = [&](int piece) { return static_cast<int>(int64_t(count) * piece / pieces); };
        const auto digit = [&](int i) { return static_cast<size_t>((keys[i] >> shift) & (kDigits - 1)); };

        forEachChunk(device, "countDigits", pieces, 1, [&](int p, int) {
            auto& counts = place[p];
            counts.fill(0);
            for (int i = begin(p); i < begin(p + 1); ++i) ++counts[digit(i)];
        });
        int sum = 0;
        for (size_t d = 0; d < kDigits; ++d)
            for (auto& counts : place) sum += std::exchange(counts[d], sum);
        forEachChunk(device, "placeByDigit", pieces, 1, [&](int p, int) {
            auto& places = place[p];
            for (int i = begin(p); i < begin(p + 1); ++i) {
                const int to = places[digit(i)]++;
                sortedKeys[to] = keys[i];
                sortedValues[to] = values[i];
            }
        });
    }
};

}  // namespace

void scan(const Buffer<int>& counts, Buffer<int>& starts) {
    const int n = counts.size();
    starts.resizeDiscard(n + 1);
#ifdef __CUDACC__
    if (counts.device().isCuda()) {
        starts[0] = 0;
        thrust::inclusive_scan(thrust::device, counts.begin(), counts.end(), starts.begin() + 1);
        counts.device().synchronize();
        return;
    }
#endif
    // Sum each chunk, scan the sums, then scan each chunk from its offset.
    constexpr int kPiece = 8192;
    const int pieces = (n + kPiece - 1) / kPiece;
    std::vector<int> before(static_cast<size_t>(pieces));
    const auto endOf = [&](int piece) { return std::min(n, (piece + 1) * kPiece); };
    if (pieces > 1)
        forEachChunk(counts.device(), "sumPieces", pieces, 1, [&](int p, int) {
            int sum = 0;
            for (int i = p * kPiece; i < endOf(p); ++i) sum += counts[i];
            before[p] = sum;
        });
    int sum = 0;
    for (int& each : before) sum += std::exchange(each, sum);
    starts[0] = 0;
    const auto fill = [&](int p, int) {
        int sum = before[p];
        for (int i = p * kPiece; i < endOf(p); ++i) {
            sum += counts[i];
            starts[i + 1] = sum;
        }
    };
    if (pieces > 1)
        forEachChunk(counts.device(), "scanPieces", pieces, 1, fill);
    else if (pieces == 1)
        fill(0, 1);
}

void sortByKey(Buffer<uint64_t>& keys, Buffer<int>& order, int keyBits) {
    PURL_ASSERT(keys.size() == order.size());
    const Device& device = keys.device();
    const int n = keys.size();
    if (n < 2) return;
    Buffer<uint64_t> otherKeys(device, n);
    Buffer<int> otherOrder(device, n);
#ifdef __CUDACC__
    if (device.isCuda()) {
        size_t bytes = 0;
        cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.data(), otherKeys.data(), order.data(), otherOrder.data(),
                                        n, 0, keyBits);
        Buffer<unsigned char> scratch(device, static_cast<int>(bytes));
        cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, keys.data(), otherKeys.data(), order.data(),
                                        otherOrder.data(), n, 0, keyBits);
        keys.swap(otherKeys);
        order.swap(otherOrder);
        device.synchronize();
        return;
    }
#endif
    constexpr int kPiece = 16384, kMaxPieces = 128;
    const RadixPass pass{device, std::clamp(n / kPiece, 1, kMaxPieces)};
    for (int shift = 0; shift < keyBits; shift += kDigitBits) {
        device.throwIfCancelled();
        pass(keys.data(), order.data(), otherKeys.data(), otherOrder.data(), n, shift);
        keys.swap(otherKeys);
        order.swap(otherOrder);
    }
}

}  // namespace purl
