// The region of interest of a frame.
#include "app/shot.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

Frame block() {
    Frame frame;
    frame.bodies.resize(1);
    for (int i = 0; i < 1000; ++i) {
        frame.points.positions.edit().push_back({float(i % 10), float(i / 10 % 10), float(i / 100)});
        frame.points.bodies.edit().push_back(0);
    }
    return frame;
}

}  // namespace

TEST(Subject, isTheBulkOfAFluidWithoutStrayDrops) {
    Frame frame = block();
    const Bounds bulk = subjectOf(frame);
    for (int k = 0; k < 5; ++k) {
        frame.points.positions.edit().push_back({500, 0, 0});
        frame.points.bodies.edit().push_back(0);
    }
    const Bounds subject = subjectOf(frame);
    EXPECT_EQ(subject.low, bulk.low);
    EXPECT_EQ(subject.high, bulk.high);
    EXPECT_EQ(subject.high, (Vec3{9, 9, 9}));
}

TEST(Subject, holdsEveryPointOfCloths) {
    Frame frame = block();
    Mesh cloth;
    cloth.kind = MeshKind::cloth;
    cloth.positions = {{0, 0, 0}, {100, 0, 0}, {0, 50, 0}};
    cloth.triangles = {0, 1, 2};
    frame.meshes.push_back(cloth);
    EXPECT_EQ(subjectOf(frame).high, (Vec3{100, 50, 9}));
}

// For caches without particles the surface represents the liquid.
TEST(Subject, isTheSurfaceWhereThereAreNoParticles) {
    Frame frame;
    Mesh surface;
    surface.positions = block().points.positions;
    frame.meshes.push_back(surface);
    EXPECT_EQ(subjectOf(frame).high, (Vec3{9, 9, 9}));
    EXPECT_TRUE(subjectOf(Frame()).empty());
}

}  // namespace purl
