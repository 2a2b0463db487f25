// A folder that cleans up after itself, and bit-for-bit comparison of frames.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <type_traits>

#include "solver/core/error.h"
#include "tests/solver/cache/frames.h"

namespace purl {

class Folder {
  public:
    explicit Folder(const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
        std::string name = (parent / "purlCacheXXXXXX").string();
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

// Of vectors or channels.
template <class Values>
bool sameBits(const Values& a, const Values& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(*a.data())) == 0);
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

// Every channel that there is one of a point or vertex.
template <class Item>
void expectSameChannels(const Item& a, const Item& b) {
    std::vector<const void*> others;
    Item::channels(b, [&](const char*, const auto& values, bool) { others.push_back(&values); });
    size_t next = 0;
    Item::channels(a, [&](const char* name, const auto& values, bool) {
        EXPECT_TRUE(sameBits(values, *static_cast<std::remove_reference_t<decltype(values)>*>(others[next++]))) << name;
    });
}

inline void expectSameMesh(const Mesh& a, const Mesh& b) {
    EXPECT_EQ(a.name, b.name);
    expectSameChannels(a, b);
    EXPECT_EQ(a.triangles, b.triangles);
}

inline void expectSameCurves(const Curves& a, const Curves& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.plies, b.plies);
    EXPECT_EQ(a.counts, b.counts);
    EXPECT_EQ(a.ids, b.ids);
    EXPECT_TRUE(sameBits(a.colors, b.colors));
    expectSameChannels(a, b);
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
