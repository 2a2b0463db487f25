#include "solver/cache/format.h"

#include <gtest/gtest.h>

#include <limits>

#include "solver/cache/file.h"
#include "solver/cache/obj.h"
#include "solver/cache/ply.h"
#include "solver/cache/usd.h"
#include "solver/core/describe.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

Frame meshFrame() {
    Frame frame;
    frame.metersPerUnit = 0.01;
    frame.time = 1.0 / 3;
    frame.meshes.push_back(tetrahedron("pond surface", 3));
    return frame;
}

// Cut anywhere or with a byte changed: an Error or a frame, never a crash.
template <class Decode>
void expectSurvivesDamage(const std::string& whole, Decode&& decode) {
    for (uint64_t seed = 0; seed < 3000; ++seed) {
        std::string damaged = whole.substr(0, seed % 3 ? whole.size() : randomBits(seed, 7) % whole.size());
        if (!damaged.empty()) damaged[randomBits(seed, 0) % damaged.size()] = static_cast<char>(randomBits(seed, 1));
        try {
            decode(damaged);
        } catch (const Error& error) { EXPECT_EQ(std::string(error.what()).find("damaged"), 0u) << error.what(); }
    }
}

TEST(Ply, meshRoundTripsToTheBit) {
    const Frame frame = meshFrame();
    const Frame back = decodePly(encodePly(frame), "m.ply");
    ASSERT_EQ(back.meshes.size(), 1u);
    expectSameMesh(back.meshes[0], frame.meshes[0]);
    EXPECT_EQ(back.time, frame.time);
    EXPECT_EQ(back.metersPerUnit, frame.metersPerUnit);

    Frame bare;
    bare.meshes.push_back({"empty", {}, {}, {}, {}, {}});
    EXPECT_EQ(decodePly(encodePly(bare), "e.ply").meshes.at(0).triangles.size(), 0u);
}

TEST(Ply, pointsRoundTripToTheBit) {
    Frame frame = frameNumbered(4);
    frame.bodies.resize(1);
    frame.meshes.clear();
    frame.points.bodies.assign(frame.points.count(), 0);
    for (const int64_t first : {int64_t{0}, int64_t{1} << 40}) {
        for (size_t i = 0; i < frame.points.count(); ++i) frame.points.ids[i] = first + static_cast<int64_t>(i);
        const Frame back = decodePly(encodePly(frame), "p.ply");
        EXPECT_EQ(back.bodies.at(0).name, "water");
        expectSamePoints(back.points, frame.points);
    }
    frame.points = {};
    EXPECT_EQ(decodePly(encodePly(frame), "p.ply").points.count(), 0u);
}

TEST(Ply, numbersThatNoIdCanBeBecomeZero) {
    std::string bytes =
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
        "property float id\nproperty float source\nend_header\n";
    for (const float value : {1.0f, 2.0f, 3.0f, std::numeric_limits<float>::quiet_NaN(), -4.5e21f})
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    const Frame frame = decodePly(bytes, "f.ply");
    EXPECT_EQ(frame.points.ids, std::vector<int64_t>{0});
    EXPECT_EQ(frame.points.sources.at(0), 0);
    EXPECT_EQ(frame.points.positions.at(0), (Vec3{1, 2, 3}));
}

TEST(Ply, damagedFilesGiveErrorsAndNothingWorse) {
    const std::string whole = encodePly(meshFrame());
    expectSurvivesDamage(whole, [](const std::string& bytes) { decodePly(bytes, "damaged"); });
    for (size_t size = 0; size < whole.size(); ++size)
        EXPECT_EQ(errorOf([&] { decodePly(whole.substr(0, size), "m.ply"); }).find("m.ply: "), 0u);
    EXPECT_NE(errorOf([] {
                  decodePly(
                      "ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\nproperty float x\nend_header\n",
                      "huge.ply");
              }).find("huge.ply: truncated"),
              std::string::npos);
}

TEST(Obj, meshRoundTripsToTheBit) {
    const Frame frame = meshFrame();
    Mesh expected = frame.meshes[0];
    expected.velocities.clear();  // OBJ has none
    expected.name = "pond";       // a name ends at a space
    expectSameMesh(decodeObj(encodeObj(frame), "m.obj").meshes.at(0), expected);
}

TEST(Obj, readsOthersFiles) {
    const Mesh mesh =
        decodeObj("# by hand\r\nv 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nvt 0 0\r\nf 1/1/1 2/1 3 -1\r\n", "q.obj")
            .meshes.at(0);
    EXPECT_EQ(mesh.triangles, (std::vector<int>{0, 1, 2, 0, 2, 3}));
    EXPECT_EQ(errorOf([] { decodeObj("v 0 0 0\nf 1 2 3\n", "q.obj"); }),
              "q.obj:2: a face refers to a vertex that does not exist");
    EXPECT_EQ(errorOf([] { decodeObj("v 0 zero 0\n", "q.obj"); }), "q.obj:1: v needs three numbers");
    expectSurvivesDamage(encodeObj(meshFrame()), [](const std::string& text) { decodeObj(text, "damaged"); });
}

Frame yarnFrame() {
    Frame frame;
    frame.metersPerUnit = 0.01;
    frame.time = 1.0 / 3;
    Curves curves;
    curves.name = "left \"sleeve\"";
    curves.plies = 3;
    curves.counts = {4, 3};
    curves.ids = {0, 1};
    curves.colors = {{0.1f, 0.2f, 0.3f}, {1, 0, 0.5f}};
    for (int i = 0; i < 7; ++i) {
        const float x = 1.0f / static_cast<float>(i + 3);
        curves.positions.push_back({x, -x, 3 * x});
        curves.velocities.push_back({0, x * 1e-9f, 1e9f * x});
        curves.widths.push_back(x);
        curves.twists.push_back(10 * x);
        curves.courses.push_back(i - 1);
        curves.wales.push_back(2 * i);
    }
    frame.curves.push_back(curves);
    return frame;
}

// G-64
TEST(Usd, yarnsRoundTripToTheBit) {
    const Frame frame = yarnFrame();
    const Frame back = decodeUsd(encodeUsd(frame, {12, 24}), "y.usda");
    ASSERT_EQ(back.curves.size(), 1u);
    const Curves &expected = frame.curves[0], &found = back.curves[0];
    EXPECT_EQ(found.name, expected.name);
    EXPECT_EQ(found.plies, expected.plies);
    EXPECT_EQ(found.counts, expected.counts);
    EXPECT_EQ(found.ids, expected.ids);
    EXPECT_EQ(found.colors, expected.colors);
    EXPECT_EQ(found.positions, expected.positions);
    EXPECT_EQ(found.velocities, expected.velocities);
    EXPECT_EQ(found.widths, expected.widths);
    EXPECT_EQ(found.twists, expected.twists);
    EXPECT_EQ(found.courses, expected.courses);
    EXPECT_EQ(found.wales, expected.wales);
    EXPECT_EQ(back.time, frame.time);
    EXPECT_EQ(back.metersPerUnit, frame.metersPerUnit);
}

TEST(Usd, damagedFilesGiveErrorsAndNothingWorse) {
    const std::string whole = encodeUsd(yarnFrame(), {1, 24});
    expectSurvivesDamage(whole, [](const std::string& text) { decodeUsd(text, "damaged"); });
    EXPECT_EQ(errorOf([] { decodeUsd("o mesh\n", "m.usda"); }), "m.usda: is not a USD text file");
    EXPECT_EQ(errorOf([] { encodeUsd({}, {}); }),
              "a USD file can contain yarns, a mesh or particles, and the frame has none");
}

TEST(Formats, extensionPicksTheFormat) {
    Folder folder;
    const Frame frame = meshFrame();
    for (const char* name : {"a.ply", "a.obj"}) {
        writeFrame(folder / name, frame);
        EXPECT_TRUE(sameBits(readFrame(folder / name).meshes.at(0).positions, frame.meshes[0].positions));
    }
    const Frame both = frameNumbered(2);
    for (const char* name : {"a.mcx", "a.mc"}) {
        writeFrame(folder / name, both, {2, 24});
        EXPECT_EQ(readFrame(folder / name).points.count(), both.points.count());
    }
    EXPECT_NE(errorOf([&] { writeFrame(folder / "a.png", frame); }).find("unknown extension"), std::string::npos);
    EXPECT_NE(errorOf([] { formatNamed("tiff"); }).find("choose from: " + joinedNames(formats())), std::string::npos);
    EXPECT_NE(errorOf([&] { readFrame(folder / "gone.ply"); }).find("cannot read"), std::string::npos);
}

}  // namespace
}  // namespace purl
