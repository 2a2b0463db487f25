#include "solver/stateCheck.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "solver/cache/stateFile.h"
#include "solver/core/error.h"
#include "solver/core/random.h"
#include "tests/fuzz/stateMutator.h"
#include "tests/fuzz/stateScenes.h"

namespace purl {
namespace {

using test::StateScene;

// What became of a state whose file is whole: refused in one line, or simulated on for a frame.
enum class Outcome { refused, ran };

Outcome outcomeOf(const std::string& bytes, const StateScene& of) {
    try {
        State state = decodeState(bytes, "state");
        const double time = state.time;
        Simulator simulator(Device::cpu(1));
        simulator.restore(std::move(state), of.at(time));
        simulator.advanceTo(of.at(time + StateScene::kFrame), time + StateScene::kFrame);
        return Outcome::ran;
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        return Outcome::refused;
    }
}

// The crash of one is the crash of the test.
TEST(StateCheck, mutatedStatesAreRefusedOrSimulated) {
    for (const StateScene& of : test::stateScenes()) {
        const State whole = of.state();
        ASSERT_EQ(outcomeOf(encodeState(whole), of), Outcome::ran) << of.name;
        const int fields = fieldsOf(whole);
        int refused = 0, ran = 0;
        for (int change = 0; change < fields * kMutations; ++change) {
            State state = whole;
            SCOPED_TRACE(of.name + ", field " + std::to_string(change / kMutations) + ", change " +
                         std::to_string(change % kMutations));
            StateMutator(change / kMutations, change % kMutations, static_cast<unsigned>(7 * change)).apply(state);
            if (hashOf(state) == hashOf(whole)) continue;
            ++(outcomeOf(encodeState(state), of) == Outcome::refused ? refused : ran);
        }
        EXPECT_GT(refused, ran) << of.name;
    }
}

// Several changes at once, at random: one may hide another.
void mutateAtRandom(int rounds) {
    for (const StateScene& of : test::stateScenes()) {
        const State whole = of.state();
        const int fields = fieldsOf(whole);
        for (int round = 0; round < rounds; ++round) {
            SCOPED_TRACE(of.name + ", round " + std::to_string(round));
            std::string script;
            for (int k = 0; k < 4 * (1 + round % 3); ++k)
                script.push_back(static_cast<char>(randomBits(1, static_cast<uint64_t>(16 * round + k))));
            outcomeOf(mutated(whole, script, fields), of);
        }
    }
}

TEST(StateCheck, statesMutatedAtRandomAreRefusedOrSimulated) { mutateAtRandom(100); }

TEST(StateCheck, nightlyStatesMutatedAtRandomAreRefusedOrSimulated) { mutateAtRandom(20000); }

// Sixteen changes are what a fuzzer's input holds; it takes single pieces of memory up to 256 MB.
TEST(StateCheck, aStateThatIsGrownAgainAndAgainStaysSmall) {
    const State whole = test::stateScenes()[0].state();
    const int fields = fieldsOf(whole);
    for (int field = 0; field < fields; ++field) {
        std::string script;
        for (int change = 0; change < 16; ++change)
            script += {static_cast<char>(field / 256), static_cast<char>(field % 256), 4, 0};
        EXPECT_LT(mutated(whole, script, fields).size(), size_t(64) << 20) << "field " << field;
    }
}

template <class T>
bool isEmpty(const Buffer<T>& values) {
    return values.empty();
}
template <class T>
bool isEmpty(const std::vector<T>& values) {
    return values.empty();
}
template <class T>
bool isEmpty(const T&) {
    return false;
}

// What is not there cannot be mutated.
TEST(StateCheck, itsScenesFillEveryField) {
    std::vector<char> filled;
    for (const StateScene& of : test::stateScenes()) {
        const State state = of.state();
        size_t field = 0;
        visitFields(state, [&](const auto& values) {
            filled.resize(std::max(filled.size(), field + 1));
            if (!isEmpty(values)) filled[field] = 1;
            ++field;
        });
    }
    // All but the places, which come last.
    for (size_t field = 0; field < static_cast<size_t>(fieldsOf(State())) - 4; ++field)
        EXPECT_TRUE(filled[field]) << "field " << field;
}

}  // namespace
}  // namespace purl
