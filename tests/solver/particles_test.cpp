#include "solver/particles.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

Particles tenParticles() {
    Particles particles;
    particles.resize(10);
    for (int i = 0; i < 10; ++i) {
        particles.x[i] = {0.5f * float(i), float(i), -1};
        particles.id[i] = 100 + i;
        particles.body[i] = i % 2;
    }
    return particles;
}

TEST(Particles, reorderKeepsAllChannelsTogether) {
    Particles particles = tenParticles();
    Buffer<int> order(Device::cpu(), 10);
    for (int i = 0; i < 10; ++i) order[i] = 9 - i;
    particles.reorder(order);
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(particles.id[i], 109 - i);
        EXPECT_EQ(particles.x[i].y, float(9 - i));
        EXPECT_EQ(particles.body[i], (9 - i) % 2);
    }
}

// What a method measures anew is not brought along, nor is there anything to bring of what it has no use for.
TEST(Particles, reorderBringsAlongWhatTheMethodReads) {
    Particles particles = tenParticles();
    for (int i = 0; i < 10; ++i) particles.pressure[i] = float(i);
    Buffer<int> order(Device::cpu(), 4);
    for (int i = 0; i < 4; ++i) order[i] = 9 - i;
    for (const Method method : {kWcsph, kWcsphHalfStep, kPbf, kDfsph}) {
        Particles some = std::as_const(particles);
        some.holdFor(method);
        Buffer<Vec3> vectors;
        Buffer<float> numbers;
        Buffer<int> indices;
        Buffer<int64_t> ids;
        some.reorder(order, {vectors, numbers, indices, ids}, method);
        ASSERT_EQ(some.count(), 4);
        for (int i = 0; i < 4; ++i) EXPECT_EQ(some.id[i], 109 - i);
        EXPECT_EQ(some.pressure.size(), 4);
        EXPECT_EQ(some.pressure[0], method == kDfsph ? 9 : 0);
        EXPECT_EQ(some.vHalf.size(), method == kWcsphHalfStep ? 4 : 0);
        EXPECT_EQ(some.divergencePressure.size(), method == kDfsph ? 4 : 0);
    }
}

// Whoever had one velocity begins with it when half steps are asked for.
TEST(Particles, halfVelocityBeginsAsTheVelocity) {
    Particles particles = tenParticles();
    particles.vHalf[3] = {7, 7, 7};
    particles.holdFor(kWcsphHalfStep);
    EXPECT_EQ(particles.vHalf[3], (Vec3{7, 7, 7}));
    particles.v[3] = {1, 2, 3};
    particles.holdFor(kDfsph);
    particles.holdFor(kWcsphHalfStep);
    ASSERT_EQ(particles.vHalf.size(), 10);
    EXPECT_EQ(particles.vHalf[3], (Vec3{1, 2, 3}));
}

TEST(Particles, deletionKeepsTheOthersInOrder) {
    Particles particles = tenParticles();
    Buffer<int> keep(Device::cpu(), 10);
    for (int i = 0; i < 10; ++i) keep[i] = i % 3 == 0;
    particles.keepOnly(keep);
    ASSERT_EQ(particles.count(), 4);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(particles.id[i], 100 + 3 * i);
}

}  // namespace
}  // namespace purl
