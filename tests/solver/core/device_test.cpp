// Device::rehearsal(): the code path of a GPU without one.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "solver/core/compact.h"
#include "solver/core/copy.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/mirrored.h"
#include "solver/core/profile.h"
#include "solver/core/random.h"
#include "solver/core/sort.h"
#include "tests/solver/messageOf.h"

namespace purl {
namespace {

struct Double {
    Span<float> x;
    PURL_HD void operator()(int i) const { x[i] = 2 * x[i]; }
};
struct Value {
    Span<const float> x;
    PURL_HD double operator()(int i) const { return double(x[i]); }
};
struct ReadsHost {
    const float* from;
    float* to;
    PURL_HD void operator()(int i) const { to[i] = from[i]; }
};

std::vector<float> randomNumbers(int count) {
    std::vector<float> numbers;
    for (int i = 0; i < count; ++i) numbers.push_back(randomUnit(1, static_cast<uint64_t>(i)));
    return numbers;
}
template <class T>
std::vector<T> elementsOf(const Buffer<T>& buffer) {
    const HostReader<T> values = readOnHost(buffer);
    return {values.begin(), values.end()};
}

TEST(Rehearsal, runsKernelsInOrderWhenTheHostReads) {
    const Device device = Device::rehearsal(2);
    Buffer<float> x(device, "x");
    upload(x, {1.0f, 2.0f, 3.0f});
    forEach(device, "double", 3, Double{x.span()});
    setElements(x, 1, 1, 7.0f);
    forEach(device, "double", 3, Double{x.span()});
    EXPECT_EQ(device.counts().launches, 3);
    EXPECT_EQ(device.counts().synchronizations, 0) << "nobody has read anything yet";
    EXPECT_EQ(elementsOf(x), (std::vector<float>{4, 14, 12}));
    EXPECT_EQ(device.counts().synchronizations, 1);
    EXPECT_EQ(device.counts().downloadedBytes, 12);
    EXPECT_EQ(device.counts().uploadedBytes, 12);
}

TEST(Rehearsal, computesTheBitsOfTheCpu) {
    const Device cpu = Device::cpu(1), device = Device::rehearsal(2);
    const std::vector<float> numbers = randomNumbers(5000);
    const auto results = [&](const Device& where) {
        Buffer<float> x(where);
        upload(x, numbers);
        const double sum = reduce(where, "sum", x.size(), 0.25, Value{std::as_const(x).span()}, Sum{});
        std::vector<uint64_t> keys;
        std::vector<int> counts;
        for (const float number : numbers) {
            keys.push_back(static_cast<uint64_t>(100 * number));
            counts.push_back(number < 0.5f ? 1 : 0);
        }
        Buffer<uint64_t> sorted(where);
        Buffer<int> order(where), flags(where), starts(where);
        upload(sorted, keys);
        std::vector<int> identity(keys.size());
        std::iota(identity.begin(), identity.end(), 0);
        upload(order, identity);
        upload(flags, counts);
        sortByKey(sorted, order, 7);
        scan(flags, starts);
        return std::make_tuple(sum, elementsOf(sorted), elementsOf(order), elementsOf(starts),
                               elementsOf(compacted(x, flags)));
    };
    EXPECT_EQ(results(cpu), results(device));
}

TEST(Rehearsal, copiesBuffersBetweenDevices) {
    const Device device = Device::rehearsal(1), other = Device::rehearsal(1);
    const std::vector<float> numbers = randomNumbers(100);
    Buffer<float> onHost, onDevice(device), onOther(other);
    upload(onHost, numbers);
    onDevice = std::as_const(onHost);
    onOther = std::as_const(onDevice);
    Buffer<float> copy = onOther;
    EXPECT_EQ(copy.device(), other);
    EXPECT_EQ(elementsOf(copy), numbers);
    onDevice.resize(102);
    onDevice.resize(300);
    EXPECT_EQ(readElement(onDevice, 99), numbers[99]);
    EXPECT_EQ(readElement(onDevice, 299), 0);
    onHost = std::as_const(onDevice);
    EXPECT_EQ(onHost.size(), 300);
    EXPECT_EQ(onHost[0], numbers[0]);
}

TEST(Rehearsal, editsBuffersOnTheHost) {
    const Device device = Device::rehearsal(1);
    Buffer<int> x(device, 3);
    editOnHost(x)[1] = 5;
    EXPECT_EQ(elementsOf(x), (std::vector<int>{0, 5, 0}));
    Mirrored<int> table(device);
    table.onHost().resize(2);
    table.onHost()[1] = 8;
    table.upload();
    int second = 0;
    device.download(&second, table.data() + 1, sizeof second);
    EXPECT_EQ(second, 8);
}

TEST(Rehearsal, keepsFreedMemoryForTheNextAllocation) {
    const Device device = Device::rehearsal(1);
    for (int pass = 0; pass < 5; ++pass) {
        Buffer<float> x(device, 1000), y(device, 1000);
        EXPECT_EQ(device.counts().allocations, 2) << pass;
    }
}

// A GPU's memory is not zero either.
TEST(Rehearsal, givesNewMemoryThatHoldsNoNumbers) {
    const Device device = Device::rehearsal(1);
    Buffer<float> x(device);
    x.resizeDiscard(4);
    EXPECT_TRUE(std::isnan(readElement(x, 2)));
}

TEST(RehearsalDeathTest, stopsAHostThatTouchesDeviceMemory) {
    EXPECT_DEATH(
        {
            const Device device = Device::rehearsal(1);
            std::vector<PhaseTime> phases;
            Buffer<float> x(device, 10, "particles.x");
            device.synchronize();
            Profile(device, phases)("emit", [&] { x.data()[3] = 1; });
        },
        "the host touched particles.x on the device, byte 12, in phase emit");
    EXPECT_DEATH(
        {
            const Device device = Device::rehearsal(1);
            const float* data = nullptr;
            {
                Buffer<float> x(device, 10, "particles.x");
                data = x.data();
            }
            if (*data > 0) std::abort();
        },
        "the host touched a buffer that was freed on the device, byte 0, in phase none");
}

TEST(Rehearsal, refusesElementsToTheHost) {
    const Device device = Device::rehearsal(1);
    const Buffer<float> x(device, 10, "particles.x");
    EXPECT_EQ(test::messageOf([&] { x.begin(); }), "particles.x: the host cannot read it on device rehearsal");
}

TEST(Rehearsal, refusesKernelsThatReadHostMemory) {
#ifndef PURL_CLEARS_PADDING
    GTEST_SKIP() << "fields are not checked: this compiler has no __builtin_clear_padding";
#endif
    const Device device = Device::rehearsal(1);
    const std::vector<float> numbers(10);
    Buffer<float> x(device, 10);
    EXPECT_EQ(test::messageOf([&] {
                  forEach(device, "copyHost", 10, ReadsHost{numbers.data(), x.data()});
              }),
              "kernel copyHost: byte 0 of its fields is an address of host memory; give it a buffer of the device");
}

TEST(Rehearsal, countsWhatCrossesPerPhase) {
    const Device device = Device::rehearsal(1);
    std::vector<PhaseTime> phases;
    const Profile phase(device, phases);
    Buffer<float> x(device);
    phase("outer", [&] {
        upload(x, randomNumbers(8));
        phase("inner", [&] { forEach(device, "double", 8, Double{x.span()}); });
        readElement(x, 0);
    });
    ASSERT_EQ(phases.size(), 2u);
    const PhaseTime& inner = phases[0].phase == "inner" ? phases[0] : phases[1];
    const PhaseTime& outer = phases[0].phase == "inner" ? phases[1] : phases[0];
    EXPECT_EQ(inner.device.launches, 1);
    EXPECT_EQ(inner.device.uploadedBytes, 0);
    EXPECT_EQ(outer.device.launches, 0);
    EXPECT_EQ(outer.device.uploadedBytes, 32);
    EXPECT_EQ(outer.device.synchronizations, 1);
}

}  // namespace
}  // namespace purl
