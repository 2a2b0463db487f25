#include "solver/cache/writeBehind.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

#include "solver/core/error.h"

namespace purl {
namespace {

TEST(WriteBehind, doesItsJobsInOrder) {
    std::vector<int> done;
    WriteBehind behind;
    for (int i = 0; i < 100; ++i) behind.add([&done, i] { done.push_back(i); });
    behind.finish();
    ASSERT_EQ(done.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(done[static_cast<size_t>(i)], i);
}

TEST(WriteBehind, whoeverBringsMoreThanMayWaitWaits) {
    std::promise<void> open;
    const std::shared_future<void> gate = open.get_future().share();
    WriteBehind behind(2);
    std::promise<void> begun;
    behind.add([&] {
        begun.set_value();
        gate.wait();
    });
    begun.get_future().wait();  // one is under way, two may wait
    behind.add([] {});
    behind.add([] {});
    std::atomic<bool> added{false};
    std::thread more([&] {
        behind.add([] {});
        added = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_FALSE(added);
    open.set_value();
    more.join();
    EXPECT_TRUE(added);
    behind.finish();
}

TEST(WriteBehind, aFailureIsToldOnceAndWhatStoodBehindItIsNotDone) {
    std::promise<void> open;
    const std::shared_future<void> gate = open.get_future().share();
    bool after = false;
    WriteBehind behind(4);
    behind.add([gate] {
        gate.wait();
        throw Error("disk full");
    });
    behind.add([&] { after = true; });
    open.set_value();
    EXPECT_THROW(behind.finish(), Error);
    EXPECT_FALSE(after);
    behind.add([&] { after = true; });
    behind.finish();
    EXPECT_TRUE(after);
}

TEST(WriteBehind, whatWaitsIsDoneBeforeItEnds) {
    int done = 0;
    {
        WriteBehind behind;
        for (int i = 0; i < 3; ++i) behind.add([&] { ++done; });
    }
    EXPECT_EQ(done, 3);
}

}  // namespace
}  // namespace purl
