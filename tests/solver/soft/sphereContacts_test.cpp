#include "solver/soft/sphereContacts.h"

#include <gtest/gtest.h>

#include <vector>

namespace purl {
namespace {

// The two balls after one push: how far each went along x.
struct Pushed {
    float first, second;
};
Pushed pushed(float apart, float distance, float w1, float w2) {
    Buffer<Vec3> x(Device::cpu(), 2);
    x[0] = {apart, 0, 0};
    const NearPoint near[2] = {{0, 0, 0.5f * distance, w1, 0}, {1, 1, 0.5f * distance, w2, 0}};
    Neighbors neighbors;
    neighbors.build(x, 100);
    int counts[2], contactCounts[2];
    Vec3 displacements[2];
    const Buffer<Vec3>& read = x;
    const int* const starts = neighbors.view().starts;
    std::vector<int> others(static_cast<size_t>(neighbors.listSize())), ones(others.size());
    const Span<int> othersOf{others.data(), neighbors.listSize()}, onesOf{ones.data(), neighbors.listSize()};
    const ListOthers list{neighbors.view(), {near, 2}, othersOf, {counts, 2}};
    const ListTouching collideWithColliders{starts,      othersOf,    {counts, 2}, {near, 2},
                                            read.span(), read.span(), onesOf,      {contactCounts, 2}};
    const SeparateBodies push{starts,      onesOf,      {contactCounts, 2}, {near, 2},
                              read.span(), read.span(), {displacements, 2}};
    for (int k : {0, 1}) list(k);
    for (int k : {0, 1}) collideWithColliders(k);
    for (int k : {0, 1}) push(k);
    return {displacements[0].x, displacements[1].x};
}

}  // namespace

// L-37
TEST(Pairs, closestPointOnAPath) {
    EXPECT_EQ(closestOnPath({0, 1, 0}, {10, 11, 0}, {10, 1, 0}), (Vec3{5, 6, 0}));
    EXPECT_EQ(closestOnPath({2, 3, 0}, {2, 3, 0}, {10, 1, 0}), (Vec3{2, 3, 0}));
    EXPECT_EQ(closestOnPath({0, 0, 0}, {1, 0, 0}, {5, 2, 0}), (Vec3{1, 0, 0}));
    EXPECT_EQ(closestOnPath({0, 0, 0}, {1, 0, 0}, {-5, 2, 0}), (Vec3{0, 0, 0}));
}

// L-38. Past a ball at (50, 4): neither end of the displacement touches it.
TEST(Pairs, meetAlongTheirWay) {
    const auto collideWithColliders = [](Vec3 ball) {
        return sweptSphereContact(Vec3{0, 0, 0} - ball, Vec3{100, 0, 0} - ball, 6);
    };
    EXPECT_GT(collideWithColliders({50, 4, 0}).depth, 0);
    EXPECT_EQ(collideWithColliders({50, 6.5f, 0}).depth, 0);
    // Run through head-on it goes back to the side it came from.
    const SphereContact head = sweptSphereContact({-50, 0, 0}, {50, 0, 0}, 6);
    EXPECT_EQ(head.normal, (Vec3{-1, 0, 0}));
    EXPECT_FLOAT_EQ(head.depth, 56);
    // At one offset there is still a displacement apart.
    EXPECT_FLOAT_EQ(sweptSphereContact({}, {}, 6).depth, 6);
    EXPECT_FLOAT_EQ(length(sweptSphereContact({}, {}, 6).normal), 1);
}

// L-05 L-07 L-39
TEST(Pairs, goApartByTheirMasses) {
    EXPECT_FLOAT_EQ(pushed(4, 6, 1, 1).first, 1);
    EXPECT_FLOAT_EQ(pushed(4, 6, 1, 1).second, -1);
    EXPECT_FLOAT_EQ(pushed(4, 6, 1, 0.5f).first, 4.0f / 3);
    EXPECT_FLOAT_EQ(pushed(4, 6, 1, 0.5f).second, -2.0f / 3);
    EXPECT_FLOAT_EQ(pushed(4, 6, 0, 0.5f).first, 0);
    EXPECT_EQ(pushed(7, 6, 1, 1).first, 0);
    EXPECT_EQ(pushed(7, 6, 1, 1).second, 0);
}

}  // namespace purl
