// States whose hash is right and whose arrays contradict each other, and what simulates on from them.
#include "solver/simulator.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/stateMutator.h"
#include "tests/fuzz/stateScenes.h"

namespace purl {
namespace {

struct Start {
    test::StateScene of;
    State state;
    int fields;
};

const std::vector<Start>& starts() {
    static const std::vector<Start> all = [] {
        std::vector<Start> made;
        for (const test::StateScene& of : test::stateScenes()) {
            State state = of.state();
            const int fields = fieldsOf(state);
            made.push_back({of, std::move(state), fields});
        }
        return made;
    }();
    return all;
}

// The first byte chooses a scene, the others are changes.
void readAndSimulate(const Bytes& bytes) {
    if (bytes.empty()) return;
    const Start& start = starts()[static_cast<unsigned char>(bytes[0]) % starts().size()];
    State state = decodeState(mutated(start.state, bytes.substr(1, 64), start.fields), "f");
    const double time = state.time;
    Simulator simulator(Device::cpu(1));
    simulator.restore(std::move(state), start.of.at(time));
    simulator.advanceTo(start.of.at(time + test::StateScene::kFrame), time + test::StateScene::kFrame);
}

}  // namespace

const std::vector<Reader> kReaders = {
    {"states", readAndSimulate,
     [] {
         std::vector<Bytes> seeds;
         for (size_t k = 0; k < starts().size(); ++k) seeds.push_back(Bytes{static_cast<char>(k), 0, 5, 3, 0});
         return seeds;
     }},
};

}  // namespace purl
