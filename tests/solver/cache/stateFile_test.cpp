#include "solver/cache/stateFile.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "solver/core/random.h"

namespace purl {
namespace {

State someState() {
    State state;
    state.time = 1.25;
    state.lastStep = 0.001;
    state.nextId = 112;
    state.particles.resize(10);
    for (int i = 0; i < 10; ++i) {
        state.particles.x[i] = {randomUnit(1, uint64_t(i)), float(i), -1};
        state.particles.id[i] = 100 + i;
        state.particles.body[i] = i % 2;
    }
    state.colliders.resize(2);
    state.colliders[1].vertices = {{1, 2, 3}, {4, 5, 6}};
    state.shapes.resize(2);
    state.emitted = {0.5, 0.25};
    state.emitters.resize(1);
    state.emitters[0].vertices = {{7, 8, 9}};
    state.filled = 11;
    state.killed = 2;
    return state;
}

std::string temporary(const char* name) { return testing::TempDir() + name; }

TEST(State, savedAndLoadedIsTheSameToTheBit) {
    const State state = someState();
    const std::string path = temporary("state.purl");
    saveState(state, path);
    const State back = loadState(path);
    EXPECT_EQ(hashOf(back), hashOf(state));
    EXPECT_EQ(back.particles.id[7], 107);
    EXPECT_EQ(back.colliders[1].vertices.size(), 2u);
    EXPECT_EQ(back.emitted, state.emitted);
}

TEST(State, everyFieldCountsInItsHash) {
    const uint64_t hash = hashOf(someState());
    State other = someState();
    other.time += 1e-12;
    EXPECT_NE(hashOf(other), hash);
    other = someState();
    other.particles.vHalf[3].y = 1e-30f;
    EXPECT_NE(hashOf(other), hash);
    other = someState();
    other.colliders[1].vertices.edit()[0].x = 2;
    EXPECT_NE(hashOf(other), hash);
    other = someState();
    other.emitted[1] = 0.3;
    EXPECT_NE(hashOf(other), hash);
    other = someState();
    other.emitters[0].vertices.edit()[0].z = 0;
    EXPECT_NE(hashOf(other), hash);
    other = someState();
    other.killed = 3;
    EXPECT_NE(hashOf(other), hash);
}

TEST(State, damagedOrCutFilesAreRefusedByName) {
    const std::string path = temporary("damaged.purl");
    saveState(someState(), path);
    std::ifstream in(path, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    for (const size_t length : {size_t(0), size_t(4), size_t(20), whole.size() / 2, whole.size() - 1}) {
        std::ofstream(path, std::ios::binary) << whole.substr(0, length);
        EXPECT_THROW(loadState(path), Error) << length << " bytes";
    }
    for (size_t at = 0; at < whole.size(); at += 13) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x40);
        std::ofstream(path, std::ios::binary) << flipped;
        try {
            loadState(path);
            FAIL() << "byte " << at;
        } catch (const Error& error) { EXPECT_NE(std::string(error.what()).find("damaged.purl"), std::string::npos); }
    }
    EXPECT_THROW(loadState(temporary("missing.purl")), Error);
    EXPECT_THROW(saveState(someState(), "/nowhere/at/all.purl"), Error);
}

}  // namespace
}  // namespace purl
