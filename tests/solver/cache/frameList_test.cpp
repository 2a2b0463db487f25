#include "solver/cache/frameList.h"

#include <gtest/gtest.h>

#include "solver/core/error.h"

namespace purl {
namespace {

std::vector<int> numbersOf(const char* text) { return FrameList::parse(text).numbers(); }

TEST(FrameList, readsRangesListsAndSteps) {
    EXPECT_EQ(numbersOf("21"), std::vector<int>({21}));
    EXPECT_EQ(numbersOf("3-7"), std::vector<int>({3, 4, 5, 6, 7}));
    EXPECT_EQ(numbersOf("-3--1"), std::vector<int>({-3, -2, -1}));
    EXPECT_EQ(numbersOf("1,5,9"), std::vector<int>({1, 5, 9}));
    EXPECT_EQ(numbersOf("1-72x12"), std::vector<int>({1, 13, 25, 37, 49, 61}));
    EXPECT_EQ(numbersOf("-2-2x2"), std::vector<int>({-2, 0, 2}));
    EXPECT_EQ(numbersOf("9,1-5x2,4,3"), std::vector<int>({1, 3, 4, 5, 9}));  // sorted, each once
    EXPECT_EQ(numbersOf("1-3x10000000"), std::vector<int>({1}));
}

TEST(FrameList, refusesWhatIsNotAList) {
    for (const char* wrong : {"", "a", "5-", "-", "7-3", "1-2-3", "1.5", "1,", ",1", "1,,2", "1-5x", "1-5x0", "1-5x-2",
                              "5x2", "1-2 ", " 1", "10000001", "99999999999", "1-10000001"})
        EXPECT_THROW(FrameList::parse(wrong), Error) << wrong;
}

TEST(FrameList, writesTheShortestText) {
    for (const char* text : {"21", "1-72", "1,5", "1-9x4", "1-61x12", "-3--1", "1-3,7", "2,9-11,20-40x10"})
        EXPECT_EQ(FrameList::parse(text).text(), text);
    EXPECT_EQ(FrameList().text(), "");
}

TEST(FrameList, unitesLists) {
    FrameList list(1, 3);
    list.add(FrameList::parse("2-6x2"));
    list.add(5);
    EXPECT_EQ(list.text(), "1-6");
    EXPECT_TRUE(list.contains(6));
    EXPECT_FALSE(list.contains(7));
}

}  // namespace
}  // namespace purl
