#include "solver/core/channel.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

TEST(Channel, copiesShareTheirValues) {
    const Channel<int> one{1, 2, 3};
    const Channel<int> other = one;
    EXPECT_EQ(other.data(), one.data());
    EXPECT_TRUE(other.sharesWith(one));
    EXPECT_EQ(other, (std::vector<int>{1, 2, 3}));
}

TEST(Channel, editingACopyLeavesTheOthersAsTheyWere) {
    const Channel<int> one{1, 2, 3};
    Channel<int> other = one;
    other.edit()[1] = 5;
    EXPECT_EQ(one, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(other, (std::vector<int>{1, 5, 3}));
}

TEST(Channel, valuesOfOneChannelAreEditedInPlace) {
    std::vector<int> values{1, 2, 3};
    const int* const at = values.data();
    Channel<int> one = std::move(values);
    one.edit()[1] = 5;
    EXPECT_EQ(one.data(), at);
    Channel<int> moved = std::move(one);
    moved.edit()[0] = 4;
    EXPECT_EQ(moved.data(), at);
    EXPECT_EQ(moved, (std::vector<int>{4, 5, 3}));
}

TEST(Channel, aChannelWithoutValuesIsEmpty) {
    Channel<int> none;
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.begin(), none.end());
    EXPECT_EQ(none, Channel<int>(std::vector<int>()));
    none.edit().push_back(7);
    EXPECT_EQ(none.size(), 1u);
}

}  // namespace
}  // namespace purl
