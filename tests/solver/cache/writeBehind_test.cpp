#include "solver/cache/writeBehind.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
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

// The first job's first half waits for the second's, so that both must be under way at once.
TEST(WriteBehind, firstHalvesGoSideBySideAndLastOnesInOrder) {
    std::promise<void> secondBegun;
    std::vector<int> done;
    WriteBehind behind;
    behind.add(
        [&] { EXPECT_EQ(secondBegun.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready); },
        [&] { done.push_back(1); });
    behind.add([&] { secondBegun.set_value(); }, [&] { done.push_back(2); });
    behind.add([&] { done.push_back(3); });
    behind.finish();
    EXPECT_EQ(done, (std::vector<int>{1, 2, 3}));
}

// The first job's last half waits until all jobs are added: otherwise add() might rethrow the failure instead of
// finish().
TEST(WriteBehind, aFirstHalfThatFailsIsToldInItsTurn) {
    std::promise<void> failed;
    std::promise<void> allAdded;
    std::vector<int> done;
    WriteBehind behind(4);
    behind.add([&] { EXPECT_EQ(failed.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready); },
               [&] {
                   allAdded.get_future().wait();
                   done.push_back(1);
               });
    behind.add(
        [&] {
            failed.set_value();
            throw Error("disk full");
        },
        [&] { done.push_back(2); });
    behind.add([] {}, [&] { done.push_back(3); });
    allAdded.set_value();
    EXPECT_THROW(behind.finish(), Error);
    EXPECT_EQ(done, std::vector<int>{1});
    behind.add([] {}, [&] { done.push_back(4); });
    behind.finish();
    EXPECT_EQ(done, (std::vector<int>{1, 4}));
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
