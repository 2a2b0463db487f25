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
