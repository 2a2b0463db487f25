#include "solver/core/sort.h"

#include <algorithm>
#include <array>
#include <vector>

#include "solver/core/forEach.h"

#ifdef __CUDACC__
    #include <cub/device/device_radix_sort.cuh>
    #include <cub/device/device_scan.cuh>
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

// Sums each chunk, scans the sums, then scans each chunk from its offset.
void scanOnHost(const Device& device, const int* counts, int* starts, int n) {
    constexpr int kPiece = 8192;
    const int pieces = (n + kPiece - 1) / kPiece;
    std::vector<int> before(static_cast<size_t>(pieces));
    const auto endOf = [&](int piece) { return std::min(n, (piece + 1) * kPiece); };
    if (pieces > 1)
        forEachChunk(device, "sumPieces", pieces, 1, [&](int p, int) {
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
        forEachChunk(device, "scanPieces", pieces, 1, fill);
    else if (pieces == 1)
        fill(0, 1);
}

// Leaves the result in the first two arrays if the number of passes is even, else in the others.
int passesFor(int keyBits) { return (keyBits + kDigitBits - 1) / kDigitBits; }
void sortOnHost(const Device& device, uint64_t* keys, int* order, uint64_t* otherKeys, int* otherOrder, int n,
                int keyBits) {
    constexpr int kPiece = 16384, kMaxPieces = 128;
    const RadixPass pass{device, std::clamp(n / kPiece, 1, kMaxPieces)};
    for (int shift = 0; shift < keyBits; shift += kDigitBits) {
        device.throwIfCancelled();
        pass(keys, order, otherKeys, otherOrder, n, shift);
        std::swap(keys, otherKeys);
        std::swap(order, otherOrder);
    }
}

}  // namespace

void scan(const Buffer<int>& counts, Buffer<int>& starts) {
    const Device& device = counts.device();
    const int n = counts.size();
    starts.resizeDiscard(n + 1);
    if (device.isCpu()) return scanOnHost(device, counts.data(), starts.data(), n);
#ifdef __CUDACC__
    if (device.isCuda()) {
        device.clear(starts.data(), sizeof(int));
        size_t bytes = 0;
        cub::DeviceScan::InclusiveSum(nullptr, bytes, counts.data(), starts.data() + 1, n);
        Buffer<unsigned char> scratch(device, "scratch memory of a scan");
        scratch.resizeDiscard(static_cast<int>(bytes));
        cub::DeviceScan::InclusiveSum(scratch.data(), bytes, counts.data(), starts.data() + 1, n);
        return device.countLaunch();
    }
#endif
    device.enqueue(
        [host = device.host(), from = counts.data(), to = starts.data(), n] { scanOnHost(host, from, to, n); });
}

void sortByKey(Buffer<uint64_t>& keys, Buffer<int>& order, int keyBits) {
    PURL_ASSERT(keys.size() == order.size());
    const Device& device = keys.device();
    const int n = keys.size();
    if (n < 2) return;
    Buffer<uint64_t> otherKeys(device, "sort keys");
    Buffer<int> otherOrder(device, "sort order");
    otherKeys.resizeDiscard(n);
    otherOrder.resizeDiscard(n);
    bool swaps = passesFor(keyBits) % 2 == 1;
    if (device.isCpu()) {
        sortOnHost(device, keys.data(), order.data(), otherKeys.data(), otherOrder.data(), n, keyBits);
    } else if (!device.isCuda()) {
        device.enqueue([=, host = device.host(), k = keys.data(), o = order.data(), otherK = otherKeys.data(),
                        otherO = otherOrder.data()] { sortOnHost(host, k, o, otherK, otherO, n, keyBits); });
    }
#ifdef __CUDACC__
    if (device.isCuda()) {
        size_t bytes = 0;
        cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.data(), otherKeys.data(), order.data(), otherOrder.data(),
                                        n, 0, keyBits);
        Buffer<unsigned char> scratch(device, "scratch memory of a sort");
        scratch.resizeDiscard(static_cast<int>(bytes));
        cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, keys.data(), otherKeys.data(), order.data(),
                                        otherOrder.data(), n, 0, keyBits);
        device.countLaunch();
        swaps = true;
    }
#endif
    if (!swaps) return;
    keys.swap(otherKeys);
    order.swap(otherOrder);
}

}  // namespace purl
