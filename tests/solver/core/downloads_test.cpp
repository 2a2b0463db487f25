#include "solver/core/downloads.h"

#include <gtest/gtest.h>

#include "solver/core/hostView.h"

namespace purl {
namespace {

// B-106
TEST(Downloads, bringArraysOfDifferentTypesWithOneWait) {
    for (const Device& device : {Device::cpu(1), Device::rehearsal(1)}) {
        Buffer<int> whole(device, "test.whole"), none(device, "test.none");
        Buffer<double> real(device, "test.real");
        upload(whole, std::vector<int>{1, 2, 3, 4, 5});
        upload(real, std::vector<double>{0.5, 0.25});
        const int64_t waits = device.counts().synchronizations;
        int middle[3] = {}, nothing = 7;
        double all[2] = {};
        Downloads downloads(device);
        downloads.add(middle, Span<const int>{whole.data() + 1, 3});
        downloads.add(&nothing, std::as_const(none).span());
        downloads.add(all, std::as_const(real).span());
        downloads.wait();
        EXPECT_EQ(middle[0], 2);
        EXPECT_EQ(middle[2], 4);
        EXPECT_EQ(nothing, 7);
        EXPECT_EQ(all[0], 0.5);
        EXPECT_EQ(all[1], 0.25);
        EXPECT_EQ(device.counts().synchronizations - waits, device.isCpu() ? 0 : 1);
    }
}

}  // namespace
}  // namespace purl
