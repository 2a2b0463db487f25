// States kept in memory: found by frame, and thinned out above the limit.
#include "nodes/stateStore.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

std::shared_ptr<const State> stateAt(double time) {
    State state;
    state.time = time;
    return std::make_shared<const State>(std::move(state));
}

TEST(StateStore, theLatestStateUpToAFrameIsFound) {
    StateStore store(size_t(1) << 20);
    EXPECT_FALSE(store.latest(100).state);
    for (const int frame : {-5, 10, 20}) store.keep(frame, stateAt(frame));
    EXPECT_FALSE(store.latest(-6).state);
    EXPECT_EQ(store.latest(-5).frame, -5);
    EXPECT_EQ(store.latest(19).frame, 10);
    EXPECT_EQ(store.latest(19).state->time, 10);
    store.keep(10, stateAt(11));
    EXPECT_EQ(store.count(), 3u) << "replaced";
    EXPECT_EQ(store.latest(10).state->time, 11);
    store.dropAfter(10);
    EXPECT_EQ(store.latest(100).frame, 10);
    store.clear();
    EXPECT_EQ(store.count(), 0u);
}

TEST(StateStore, aboveItsLimitEveryOtherStateIsDropped) {
    // Room for less than one state: the first and the last one always stay.
    StateStore smallest(1);
    for (int frame = 1; frame <= 9; ++frame) smallest.keep(frame, stateAt(frame));
    EXPECT_EQ(smallest.count(), 2u);
    EXPECT_EQ(smallest.latest(8).frame, 1);
    EXPECT_EQ(smallest.latest(9).frame, 9);

    // The size of an empty state follows from how many fit.
    size_t bytes = 64;
    for (size_t count = 0; count < 3; bytes += 64) {
        StateStore three(bytes);
        for (int frame = 1; frame <= 3; ++frame) three.keep(frame, stateAt(frame));
        count = three.count();
    }
    StateStore store(4 * bytes);  // at least twelve states
    for (int frame = 1; frame <= 100; ++frame) store.keep(frame, stateAt(frame));
    EXPECT_GE(store.count(), 6u) << "at most half of them are dropped at a time";
    EXPECT_EQ(store.latest(1).frame, 1);
    EXPECT_EQ(store.latest(100).frame, 100);
    EXPECT_GT(store.latest(99).frame, 90) << "recent ones are close together";
}

}  // namespace
}  // namespace purl
