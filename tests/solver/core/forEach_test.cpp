#include "solver/core/forEach.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "solver/core/buffer.h"
#include "solver/core/random.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

struct Square {
    Span<int> out;
    PURL_HD void operator()(int i) const { out[i] = i * i; }
};

struct Noise {
    PURL_HD float operator()(int i) const { return randomUnit(7, static_cast<uint64_t>(i)) * 1e6f - 3e5f; }
};

// L-61 L-64. Also where threads do not share them evenly, and where there are more threads than cores.
TEST(ForEach, visitsEveryIndexOnceForAnyThreadCount) {
    for (const int threads : {1, 2, 5, 6, 24})
        for (const int count : {0, 1, 511, 512, 2500, 10007}) {
            Buffer<int> out(Device::cpu(threads), count);
            forEach(out.device(), "square", count, Square{out.span()});
            for (int i = 0; i < count; ++i) ASSERT_EQ(out[i], i * i);
        }
}

// L-59. Threads are made when first asked for, and then there.
TEST(ForEach, makesNoThreadTwice) {
    const std::filesystem::path tasks = "/proc/self/task";
    if (!std::filesystem::exists(tasks)) GTEST_SKIP() << "only Linux lists threads there";
    const auto count = [&] {
        return std::distance(std::filesystem::directory_iterator(tasks), std::filesystem::directory_iterator());
    };
    for (const int threads : {1, 4, 24}) {
        Buffer<int> out(Device::cpu(threads), 100000);
        forEach(out.device(), "square", 10000, Square{out.span()});
        const auto made = count();
        EXPECT_GE(made, threads);
        for (int i = 0; i < 50; ++i) forEach(out.device(), "square", 10000, Square{out.span()});
        // Fewer where those of a larger team before end only now.
        EXPECT_LE(count(), made);
    }
}

TEST(ForEach, stopsBeforeTheNextKernelWhenCancelled) {
    Device device = Device::cpu(1);
    bool stop = false;
    device.onCancel([&] { return stop; });
    Buffer<int> out(device, 4);
    EXPECT_NO_THROW(forEach(device, "square", 4, Square{out.span()}));
    stop = true;
    EXPECT_THROW(forEach(device, "square", 4, Square{out.span()}), Cancelled);
}

// Floating-point sums depend on their order, so this holds only because the order is fixed.
TEST(Reduce, givesTheSameBitsForAnyThreadCount) {
    for (const int count : {1, 1023, 1024, 1025, 300000}) {
        const float one = reduce(Device::cpu(1), "sum", count, 0.0f, Noise{}, Sum{});
        for (const int threads : {2, 3, 7})
            EXPECT_EQ(one, reduce(Device::cpu(threads), "sum", count, 0.0f, Noise{}, Sum{}));
    }
}

TEST(Reduce, findsTheLargest) {
    float largest = -1e30f;
    for (int i = 0; i < 5000; ++i) largest = std::max(largest, Noise{}(i));
    EXPECT_EQ(largest, reduce(Device::cpu(2), "largest", 5000, -1e30f, Noise{}, Largest{}));
}

TEST(Scan, startsAreTheSumsBefore) {
    Buffer<int> counts(Device::cpu(2), 1000), starts(Device::cpu(2));
    for (int i = 0; i < 1000; ++i) counts[i] = i % 7;
    scan(counts, starts);
    ASSERT_EQ(starts.size(), 1001);
    for (int i = 0, sum = 0; i < 1000; sum += counts[i++]) ASSERT_EQ(starts[i], sum);
    EXPECT_EQ(starts[1000], std::accumulate(counts.begin(), counts.end(), 0));
}

// B-85
TEST(SortByKey, isStableAndEqualForAnyThreadCount) {
    const int n = 50000;
    for (const int threads : {1, 2, 5}) {
        Buffer<uint64_t> keys(Device::cpu(threads), n);
        Buffer<int> order(Device::cpu(threads), n);
        for (int i = 0; i < n; ++i) {
            keys[i] = (uint64_t(randomBits(1, uint64_t(i)) % 100) << 40) | (randomBits(2, uint64_t(i)) % 50);
            order[i] = i;
        }
        std::vector<uint64_t> original(keys.begin(), keys.end());
        sortByKey(keys, order);
        for (int i = 0; i < n; ++i) ASSERT_EQ(keys[i], original[size_t(order[i])]);
        for (int i = 1; i < n; ++i) {
            ASSERT_LE(keys[i - 1], keys[i]);
            if (keys[i - 1] == keys[i]) { ASSERT_LT(order[i - 1], order[i]); }
        }
    }
}

TEST(Device, refusesWhatIsNotThere) {
    EXPECT_THROW(Device::named("quantum"), Error);
    EXPECT_THROW(Device::cpu(-1), Error);
    EXPECT_EQ(Device::named("cpu", 3).threads(), 3);
}

TEST(Buffer, keepsItsContentWhenItGrowsAndZeroesTheRest) {
    Buffer<int> buffer;
    buffer.resize(3);
    for (int i = 0; i < 3; ++i) buffer[i] = i + 1;
    buffer.resize(100);
    EXPECT_EQ(buffer[0], 1);
    EXPECT_EQ(buffer[2], 3);
    for (int i = 3; i < 100; ++i) ASSERT_EQ(buffer[i], 0);
    const Buffer<int> copy = buffer;
    buffer[0] = 9;
    EXPECT_EQ(copy[0], 1);
}

}  // namespace
}  // namespace purl
