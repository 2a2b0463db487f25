// Frames with something in every channel, a folder that cleans up after itself, and bit-for-bit comparison.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <type_traits>

#include "solver/core/error.h"
#include "solver/core/random.h"
#include "solver/frame.h"

namespace purl {

class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "purlCacheXXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

inline Mesh tetrahedron(const std::string& name, uint64_t seed) {
    Mesh mesh;
    mesh.name = name;
    mesh.color = {0.25f, 0.5f, 0.75f};
    for (uint64_t i = 0; i < 4; ++i) {
        const auto value = [&](uint64_t k) { return randomUnit(seed, 100 * k + i) * 3 - 1; };
        mesh.positions.push_back({value(0), value(1), value(2)});
        mesh.normals.push_back({value(3), value(4), value(5)});
        mesh.velocities.push_back({value(6), value(7), value(8)});
    }
    mesh.triangles = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    return mesh;
}

// Two liquids whose particles alternate, and a mesh.
inline Frame frameNumbered(int number, int particles = 20) {
    Frame frame;
    frame.time = (number - 1) / 24.0;
    frame.metersPerUnit = 0.01;
    frame.stateHash = 0xfeedfacecafe0000ull + static_cast<uint64_t>(number);
    frame.stats.steps = 10 + number;
    frame.stats.stepLength = 1.0 / 3 / number;
    frame.stats.maxSpeed = 0.1 * number;
    frame.bodies.push_back({"water", BodyKind::liquid, 998.29f, 2.1f, 4.05f, {0.1f, 0.2f, 0.3f}});
    frame.bodies.push_back({"scene:oil", BodyKind::liquid, 900, 2, 4, {0.7f, 0.6f, 0.1f}});
    Points& p = frame.points;
    for (int i = 0; i < particles; ++i) {
        const auto seed = static_cast<uint64_t>(number);
        const auto value = [&](int k) { return randomUnit(seed, static_cast<uint64_t>(100 * k + i)) * 200 - 100; };
        p.ids.push_back(3 * i);
        p.bodies.push_back(i % 2);
        p.positions.push_back({value(0), value(1), value(2)});
        p.velocities.push_back({value(3), value(4), value(5)});
        p.accelerations.push_back({value(6), value(7), value(8)});
        p.normals.push_back({value(9), value(10), value(11)});
        p.densities.push_back(1000 + value(12));
        p.pressures.push_back(value(13));
        p.radii.push_back(1 + value(14) / 200);
        p.ages.push_back(static_cast<float>(frame.time));
    }
    frame.meshes.push_back(tetrahedron("water", static_cast<uint64_t>(number)));
    return frame;
}

// The same with what else a frame may hold: colours, a cloth of quads with texture coordinates, and yarns.
inline Frame everything(int number) {
    Frame frame = frameNumbered(number);
    const auto seed = static_cast<uint64_t>(number);
    const auto value = [&](uint64_t k) { return randomUnit(seed + 7, k) * 3 - 1; };
    const auto vector = [&](uint64_t k) { return Vec3{value(k), value(k + 1), value(k + 2)}; };
    for (size_t i = 0; i < frame.points.count(); ++i) frame.points.colors.push_back(vector(3 * i + 1000));

    Mesh cloth;
    cloth.name = "cloth";
    cloth.kind = MeshKind::cloth;
    for (uint64_t i = 0; i < 6; ++i) {
        cloth.positions.push_back(vector(3 * i));
        cloth.velocities.push_back(vector(3 * i + 100));
        cloth.normals.push_back(vector(3 * i + 200));
    }
    Faces faces;
    faces.counts = {4, 4};
    faces.corners = {0, 1, 4, 3, 1, 2, 5, 4};
    for (int i = 0; i < 8; ++i) {
        faces.u.push_back(0.125f * static_cast<float>(i));
        faces.v.push_back(1 - 0.0625f * static_cast<float>(i));
        faces.cornerUvs.push_back(i);
    }
    takeFaces(cloth, faces);
    frame.meshes.push_back(cloth);

    Curves yarns;
    yarns.name = "jumper";
    yarns.plies = 3;
    yarns.counts = {5, 4};
    yarns.ids = {7, 9};
    yarns.colors = {{0.5f, 0.25f, 0.125f}, {1, 0, 0.5f}};
    for (uint64_t i = 0; i < 9; ++i) {
        yarns.positions.push_back(vector(3 * i + 300));
        yarns.velocities.push_back(vector(3 * i + 400));
        yarns.widths.push_back(0.1f + 0.01f * value(i + 500));
        yarns.twists.push_back(value(i + 600));
        yarns.courses.push_back(static_cast<int>(i / 3) - 1);
        yarns.wales.push_back(static_cast<int>(i));
    }
    frame.curves.push_back(yarns);
    return frame;
}

template <class T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline void expectSamePoints(const Points& a, const Points& b) {
    Points::channels(a, [&](const char* name, const auto& values, bool) {
        Points::channels(b, [&](const char* other, const auto& others, bool) {
            if constexpr (std::is_same_v<decltype(values), decltype(others)>) {
                if (std::string(name) != other) return;
                EXPECT_TRUE(sameBits(values, others)) << name;
            }
        });
    });
}

inline void expectSameMesh(const Mesh& a, const Mesh& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_TRUE(sameBits(a.positions, b.positions));
    EXPECT_TRUE(sameBits(a.normals, b.normals));
    EXPECT_TRUE(sameBits(a.velocities, b.velocities));
    EXPECT_EQ(a.triangles, b.triangles);
}

inline void expectSameCurves(const Curves& a, const Curves& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.plies, b.plies);
    EXPECT_EQ(a.counts, b.counts);
    const auto compare = [](const char* name, const auto& values, const auto& others) {
        EXPECT_TRUE(sameBits(values, others)) << name;
    };
    compare("ids", a.ids, b.ids);
    compare("colors", a.colors, b.colors);
    compare("positions", a.positions, b.positions);
    compare("velocities", a.velocities, b.velocities);
    compare("widths", a.widths, b.widths);
    compare("twists", a.twists, b.twists);
    compare("courses", a.courses, b.courses);
    compare("wales", a.wales, b.wales);
}

inline void expectSameFrame(const Frame& a, const Frame& b) {
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.metersPerUnit, b.metersPerUnit);
    EXPECT_EQ(a.stateHash, b.stateHash);
    EXPECT_EQ(a.stats.steps, b.stats.steps);
    EXPECT_EQ(a.stats.stepLength, b.stats.stepLength);
    EXPECT_EQ(a.stats.maxSpeed, b.stats.maxSpeed);
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    for (size_t i = 0; i < a.bodies.size(); ++i) {
        EXPECT_EQ(a.bodies[i].name, b.bodies[i].name);
        EXPECT_EQ(a.bodies[i].kind, b.bodies[i].kind);
        EXPECT_EQ(a.bodies[i].restDensity, b.bodies[i].restDensity);
        EXPECT_EQ(a.bodies[i].spacing, b.bodies[i].spacing);
        EXPECT_EQ(a.bodies[i].supportRadius, b.bodies[i].supportRadius);
        EXPECT_EQ(a.bodies[i].color, b.bodies[i].color);
    }
    expectSamePoints(a.points, b.points);
    ASSERT_EQ(a.meshes.size(), b.meshes.size());
    for (size_t i = 0; i < a.meshes.size(); ++i) {
        expectSameMesh(a.meshes[i], b.meshes[i]);
        EXPECT_EQ(a.meshes[i].color, b.meshes[i].color);
    }
    ASSERT_EQ(a.curves.size(), b.curves.size());
    for (size_t i = 0; i < a.curves.size(); ++i) expectSameCurves(a.curves[i], b.curves[i]);
}

// Runs `act` and returns the message of the Error it throws; a test fails where it throws none or more than one line.
template <class Act>
std::string errorOf(Act&& act) {
    try {
        act();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        return error.what();
    }
    ADD_FAILURE() << "no error was thrown";
    return "";
}

}  // namespace purl
