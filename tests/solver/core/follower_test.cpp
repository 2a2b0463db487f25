#include "solver/core/follower.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

std::vector<float> valuesOn(const Device& device, Span<const float> span) {
    const HostReader<float> all(device, span);
    return {all.begin(), all.end()};
}

// B-106
TEST(Follower, uploadsTheElementsThatChanged) {
    const Device device = Device::rehearsal(1);
    Follower<float> follower(device, "test.follower");
    std::vector<float> values(100, 1.0f);
    const auto bytesToFollow = [&] {
        const int64_t before = device.counts().uploadedBytes;
        const Span<const float> copy = follower.follow({values.data(), static_cast<int>(values.size())});
        const int64_t bytes = device.counts().uploadedBytes - before;
        EXPECT_EQ(valuesOn(device, copy), values);
        return bytes;
    };
    EXPECT_EQ(bytesToFollow(), 400) << "all, the first time";
    EXPECT_EQ(bytesToFollow(), 0);
    values[3] = 2;
    values[99] = -0.0f;
    EXPECT_EQ(bytesToFollow(), 2 * (4 + 4)) << "an index and a value each";
    values[99] = 0.0f;
    EXPECT_EQ(bytesToFollow(), 4 + 4) << "zeros of different signs are different bits";
    for (float& value : values) value += 1;
    EXPECT_EQ(bytesToFollow(), 400) << "all, where that is less";
    values.resize(7);
    EXPECT_EQ(bytesToFollow(), 28);
}

TEST(Follower, isTheArrayItselfOnTheCpu) {
    Follower<float> follower(Device::cpu(1), "test.follower");
    const float values[2] = {1, 2};
    EXPECT_EQ(follower.follow({values, 2}).data, values);
}

}  // namespace
}  // namespace purl
