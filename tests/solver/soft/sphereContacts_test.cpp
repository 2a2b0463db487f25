#include "solver/soft/sphereContacts.h"

#include <gtest/gtest.h>

#include <vector>

namespace purl {
namespace {

// Displacement of two spheres along x by one separation.
struct Separated {
    float first, second;
};
Separated separated(float distanceNow, float distance, float w1, float w2) {
    Buffer<Vec3> x(Device::cpu(), 2);
    x[0] = {distanceNow, 0, 0};
    const NearPoint near[2] = {{0, 0, 0.5f * distance, w1, 0}, {1, 1, 0.5f * distance, w2, 0}};
    Neighbors neighbors;
    neighbors.build(x, 100);
    int counts[2], contactCounts[2];
    Vec3 displacements[2];
    const Buffer<Vec3>& read = x;
    const int* const starts = neighbors.view().starts;
    std::vector<int> candidates(static_cast<size_t>(neighbors.listSize())), contacts(candidates.size());
    const Span<int> candidateSpan{candidates.data(), neighbors.listSize()},
        contactSpan{contacts.data(), neighbors.listSize()};
    const ListOthers list{neighbors.view(), {near, 2}, candidateSpan, {counts, 2}};
    const ListTouching listTouching{starts,      candidateSpan, {counts, 2}, {near, 2},
                                    read.span(), read.span(),   contactSpan, {contactCounts, 2}};
    const SeparateBodies separate{starts,      contactSpan, {contactCounts, 2}, {near, 2},
                                  read.span(), read.span(), {displacements, 2}};
    for (int k : {0, 1}) list(k);
    for (int k : {0, 1}) listTouching(k);
    for (int k : {0, 1}) separate(k);
    return {displacements[0].x, displacements[1].x};
}

}  // namespace

// L-37
TEST(SphereContacts, closestPointOnAPath) {
    EXPECT_EQ(closestOnPath({0, 1, 0}, {10, 11, 0}, {10, 1, 0}), (Vec3{5, 6, 0}));
    EXPECT_EQ(closestOnPath({2, 3, 0}, {2, 3, 0}, {10, 1, 0}), (Vec3{2, 3, 0}));
    EXPECT_EQ(closestOnPath({0, 0, 0}, {1, 0, 0}, {5, 2, 0}), (Vec3{1, 0, 0}));
    EXPECT_EQ(closestOnPath({0, 0, 0}, {1, 0, 0}, {-5, 2, 0}), (Vec3{0, 0, 0}));
}

// L-38. Passes a sphere at (50, 4): neither end of the path touches it.
TEST(SphereContacts, sweptTestFindsContactAlongThePath) {
    const auto contactWith = [](Vec3 ball) {
        return sweptSphereContact(Vec3{0, 0, 0} - ball, Vec3{100, 0, 0} - ball, 6);
    };
    EXPECT_GT(contactWith({50, 4, 0}).depth, 0);
    EXPECT_EQ(contactWith({50, 6.5f, 0}).depth, 0);
    // After passing head-on it is moved back to the side it came from.
    const SphereContact head = sweptSphereContact({-50, 0, 0}, {50, 0, 0}, 6);
    EXPECT_EQ(head.normal, (Vec3{-1, 0, 0}));
    EXPECT_FLOAT_EQ(head.depth, 56);
    // Coincident spheres still have a separation direction.
    EXPECT_FLOAT_EQ(sweptSphereContact({}, {}, 6).depth, 6);
    EXPECT_FLOAT_EQ(length(sweptSphereContact({}, {}, 6).normal), 1);
}

// L-05 L-07 L-39
TEST(SphereContacts, separateByInverseMass) {
    EXPECT_FLOAT_EQ(separated(4, 6, 1, 1).first, 1);
    EXPECT_FLOAT_EQ(separated(4, 6, 1, 1).second, -1);
    EXPECT_FLOAT_EQ(separated(4, 6, 1, 0.5f).first, 4.0f / 3);
    EXPECT_FLOAT_EQ(separated(4, 6, 1, 0.5f).second, -2.0f / 3);
    EXPECT_FLOAT_EQ(separated(4, 6, 0, 0.5f).first, 0);
    EXPECT_EQ(separated(7, 6, 1, 1).first, 0);
    EXPECT_EQ(separated(7, 6, 1, 1).second, 0);
}

}  // namespace purl
