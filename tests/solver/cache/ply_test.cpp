#include "solver/cache/ply.h"

#include <gtest/gtest.h>

#include "solver/cache/points.h"
#include "tests/solver/cache/frames.h"
#include "tests/solver/messageOf.h"

namespace purl {
namespace {

// The file with one word of its header, or all of that name, put in another's place.
std::string renamed(std::string bytes, const std::string& from, const std::string& to) {
    const size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return bytes.replace(at, from.size(), to);
}

// Without positions, faces named vertices that were not there.
TEST(Ply, refusesAMeshWithoutPositions) {
    const std::string whole = encodePly(onlyMesh(everything(2), 0));
    ASSERT_EQ(decodePly(whole, "m.ply").meshes.size(), 1u);
    for (const char* axis : {"x", "y", "z"})
        EXPECT_NE(test::messageOf([&] {
                      decodePly(renamed(whole, std::string("property float ") + axis, "property float q"), "m.ply");
                  }).find("m.ply: "),
                  std::string::npos)
            << axis;
}

TEST(Ply, refusesPointsWithoutPositions) {
    const std::string whole = encodePly(onlyBody(everything(2), 0));
    ASSERT_GT(decodePly(whole, "p.ply").points.count(), 0u);
    EXPECT_NE(test::messageOf([&] {
                  decodePly(renamed(whole, "property float x", "property float q"), "p.ply");
              }).find("values for 0 points"),
              std::string::npos);
}

}  // namespace
}  // namespace purl
