#include "solver/cache/pov.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <regex>

#include "solver/cache/cache.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

// The triples of one of a mesh2's lists, and how many it says it has.
std::vector<std::array<double, 3>> listOf(const std::string& text, const std::string& name, size_t& count) {
    std::smatch list;
    EXPECT_TRUE(std::regex_search(text, list, std::regex(name + R"( \{\s*(\d+)([^}]*)\})"))) << name;
    count = std::strtoul(list[1].str().c_str(), nullptr, 10);
    std::vector<std::array<double, 3>> triples;
    const std::string inner = list[2];
    const std::regex triple(R"(<([^,]+),([^,]+),([^>]+)>)");
    for (std::sregex_iterator at(inner.begin(), inner.end(), triple), end; at != end; ++at)
        triples.push_back(
            {std::atof((*at)[1].str().c_str()), std::atof((*at)[2].str().c_str()), std::atof((*at)[3].str().c_str())});
    return triples;
}

// B-75
TEST(Pov, fileHasTheMeshsTrianglesAndUnitNormals) {
    Frame frame;
    Mesh mesh = tetrahedron("water|1", 3);
    for (Vec3& normal : mesh.normals.edit()) normal = normal / length(normal);
    frame.meshes.push_back(mesh);
    const std::string text = encodePov(frame, {7, 24});
    EXPECT_NE(text.find("#declare purl_water_1 = mesh2 {"), std::string::npos);
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
    size_t vertices = 0, normals = 0, faces = 0;
    const auto places = listOf(text, "vertex_vectors", vertices), up = listOf(text, "normal_vectors", normals),
               corners = listOf(text, "face_indices", faces);
    EXPECT_EQ(vertices, mesh.positions.size());
    EXPECT_EQ(faces, mesh.triangles.size() / 3);
    ASSERT_EQ(places.size(), vertices);
    ASSERT_EQ(up.size(), normals);
    ASSERT_EQ(corners.size(), faces);
    for (const auto& n : up) EXPECT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-6);
    // Mirrored, and turned round so that the outside stays outside.
    for (size_t i = 0; i < places.size(); ++i) EXPECT_EQ(static_cast<float>(places[i][2]), -mesh.positions[i].z);
    EXPECT_EQ(static_cast<int>(corners[0][1]), mesh.triangles[2]);
}

TEST(Pov, cachesHoldItBesideWhatIsReadBack) {
    Folder folder;
    CacheSettings settings;
    settings.formats = {"pov", "ply"};
    CacheWriter writer(folder / ".", settings);
    const Frame frame = frameNumbered(1);
    writer.write(1, frame);
    EXPECT_TRUE(std::filesystem::exists(folder / "water.0001.inc"));
    expectSameFrame(CacheReader(folder / ".").read(1), frame);
}

}  // namespace
}  // namespace purl
