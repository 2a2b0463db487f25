#include "solver/stateCheck.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "solver/core/error.h"
#include "solver/core/hostView.h"

namespace purl {
namespace {

constexpr double kMaxTime = 1e9;                 // s, some thirty years
constexpr int64_t kMaxCount = int64_t(1) << 53;  // of ids and samples; exact as a double
constexpr double kMaxWetInterval = 1;            // s, between two wicking steps

[[noreturn]] void refuse(const std::string& what) {
    throw Error("damaged: " + what + "; resume from an earlier frame");
}

void checkThat(bool holds, const char* what) {
    if (!holds) refuse(what);
}

void checkLength(const std::string& what, int64_t length, int64_t wanted) {
    if (length != wanted) refuse("it holds " + std::to_string(length) + " " + what + ", not " + std::to_string(wanted));
}

template <class T>
void checkRange(const char* what, const Buffer<T>& values, int64_t least, int64_t end) {
    for (const T value : readOnHost(values))
        if (value < least || value >= end) refuse(what + (" " + std::to_string(value)) + " is out of range");
}

int64_t sumOf(const Buffer<int>& counts) {
    int64_t sum = 0;
    for (const int count : readOnHost(counts)) sum += count;
    return sum;
}

bool finite(double number) { return std::isfinite(number); }
bool finite(int64_t) { return true; }
bool finite(size_t) { return true; }
bool finite(int) { return true; }
bool finite(Vec3 v) { return isFinite(v); }
bool finite(const Mat3& m) { return isFinite(m.x) && isFinite(m.y) && isFinite(m.z); }

struct AllFinite {
    bool& all;

    template <class Values>
    void every(const Values& values) {
        all = all && std::all_of(values.begin(), values.end(), [](const auto& value) { return finite(value); });
    }
    template <class T>
    void operator()(const Buffer<T>& values) {
        every(readOnHost(values));
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        every(values);
    }
    template <class T>
    void operator()(const T& value) {
        all = all && finite(value);
    }
};

void checkClock(const HistoryClock& clock) {
    checkThat(clock.sampleCount >= 0 && clock.sampleCount < kMaxCount && clock.waited >= 0 &&
                  clock.waited < kMaxCount && clock.interval >= 0 && (clock.sampleCount == 0 || clock.interval > 0),
              "the times of its velocity history are out of range");
}

// The width must be a multiple of `unit`, and at most `most`.
void checkWide(const char* name, const WideChannel& wide, int count, int unit, int most) {
    if (wide.width < 0 || wide.width % unit != 0 || wide.width > most)
        refuse(std::string(name) + " cannot have " + std::to_string(wide.width) + " values each");
    checkLength(std::string("values of ") + name, wide.values.size(), int64_t(wide.width) * count);
}

void checkIds(const State& state) {
    checkRange("particle id", state.particles.id, 0, state.nextId);
    const HostReader<int64_t> id = readOnHost(state.particles.id);
    std::vector<int64_t> sorted(id.begin(), id.end());
    std::sort(sorted.begin(), sorted.end());
    checkThat(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "two particles have the same id");
}

void checkParticles(const State& state) {
    const Particles& particles = state.particles;
    const int count = particles.count();
    particles.channels([&](const char* name, const auto& channel, unsigned) {
        const void* const which = &channel;
        const bool optional = which == &particles.vHalf || which == &particles.divergencePressure ||
                              which == &particles.source || which == &particles.rest;
        if (!optional || !channel.empty())
            checkLength(std::string("particles' values of ") + name, channel.size(), count);
    });
    checkLength("particles' rest positions", particles.rest.size(), particles.source.size());
    checkIds(state);
    checkRange("fluid", particles.body, 0, std::numeric_limits<int>::max());
    checkRange("particle source", particles.source, 0, std::numeric_limits<int>::max());
    constexpr int kAny = std::numeric_limits<int>::max();
    checkWide("history", particles.history, count, 3, kAny);
    checkWide("color", particles.color, count, 3, 3);
    checkWide("viscousChange", particles.viscousChange, count, 3, 3);
    checkWide("soaking", particles.soaking, count, kSoakings, kSoakings);
    checkClock(state.history);
}

void checkSprings(const State& state) {
    const Springs& springs = state.springs;
    checkLength("springs' first ends", springs.a.size(), springs.count());
    checkLength("springs' second ends", springs.b.size(), springs.count());
    checkLength("springs' shears", springs.shear.size(), springs.count());
    checkRange("spring end", springs.a, 0, state.nextId);
    checkRange("spring end", springs.b, 0, state.nextId);
    const HostReader<int64_t> ends = readOnHost(springs.a);
    std::vector<int64_t> runs;  // the first ends, once per run of springs with the same one
    for (int s = 0; s < springs.count(); ++s)
        if (s == 0 || ends[s] != ends[s - 1]) runs.push_back(ends[s]);
    std::sort(runs.begin(), runs.end());
    checkThat(std::adjacent_find(runs.begin(), runs.end()) == runs.end(), "its springs are out of order");
}

void checkCloth(const ClothPoints& cloth) {
    const int count = cloth.count(), cloths = cloth.counts.size();
    for (const Buffer<Vec3>* channel : {&cloth.v, &cloth.rest, &cloth.target, &cloth.reaction})
        checkLength("values of cloth points", channel->size(), count);
    checkLength("added masses of cloth points", cloth.addedMass.size(), count);
    checkRange("number of cloth points", cloth.counts, 0, int64_t(count) + 1);
    checkLength("cloth points of all cloths", sumOf(cloth.counts), count);
    checkWide("past velocities of cloth", cloth.past, count, 3, std::numeric_limits<int>::max());
    checkClock(cloth.clock);
    if (cloth.origins.empty() && cloth.corners.empty() && cloth.cornerCounts.empty()) return;
    checkLength("origins of cloth points", cloth.origins.size(), count);
    checkLength("cloths with faces", cloth.cornerCounts.size(), cloths);
    checkRange("number of corners", cloth.cornerCounts, 0, int64_t(cloth.corners.size()) + 1);
    checkLength("corners of all cloths", sumOf(cloth.cornerCounts), cloth.corners.size());
    checkRange("origin of a cloth point", cloth.origins, 0, std::numeric_limits<int>::max());
    for (int c = 0, next = 0; c < cloths; ++c)
        for (const int end = next + cloth.cornerCounts[c]; next < end; ++next)
            checkThat(cloth.corners[next] >= 0 && cloth.corners[next] < cloth.counts[c],
                      "a face refers to a cloth point that does not exist");
}

void checkSoft(const SoftPoints& soft) {
    const int count = soft.count(), bodies = soft.bodies();
    for (const Buffer<Vec3>* channel : {&soft.v, &soft.rest, &soft.target})
        checkLength("values of soft bodies' points", channel->size(), count);
    checkRange("number of a soft body's points", soft.counts, 0, int64_t(count) + 1);
    checkLength("points of all soft bodies", sumOf(soft.counts), count);
    for (const Buffer<int>* channel : {&soft.held, &soft.clusters})
        checkLength("values of soft bodies", channel->size(), bodies);
    checkLength("values of soft bodies", soft.dragAt.size(), bodies);
    for (int b = 0; b < bodies; ++b)
        checkThat(soft.held[b] >= -1 && soft.held[b] < soft.counts[b],
                  "a soft body is dragged by a point that does not exist");
    checkRange("number of clusters", soft.clusters, 0, int64_t(soft.plastic.size()) + 1);
    checkLength("clusters of all soft bodies", sumOf(soft.clusters), soft.plastic.size());
}

void checkWet(const WetCells& wet) {
    checkThat(wet.width >= (wet.count() > 0 ? 1 : 0), "its wet fabrics have no contents");
    checkLength("contents of wet fabrics", wet.contents.size(), int64_t(wet.width) * wet.count());
    checkThat(wet.waited >= 0 && wet.waited <= kMaxWetInterval, "the time since the last wicking step is out of range");
    checkThat(wet.absorbed >= 0 && wet.dripped >= 0, "a number of particles is negative");
}

}  // namespace

bool isFinite(const State& state) {
    bool all = true;
    visitFields(state, AllFinite{all});
    return all;
}

void checkState(const State& state) {
    checkThat(isFinite(state), "it holds numbers that are not finite");
    checkThat(state.time >= 0 && state.time <= kMaxTime && state.lastStep >= 0, "its time is out of range");
    checkThat(state.nextId >= 0 && state.nextId < kMaxCount && state.filled >= 0 && state.filled <= state.nextId &&
                  state.killed >= 0 && state.killed <= state.nextId,
              "its particle counts are inconsistent");
    checkParticles(state);
    checkSprings(state);
    checkCloth(state.cloth);
    checkSoft(state.soft);
    for (const Buffer<Vec3>* channel : {&state.knit.v, &state.knit.rest})
        checkLength("values of knits' points", channel->size(), state.knit.x.size());
    checkWet(state.wet);
    checkLength("shapes of colliders", static_cast<int64_t>(state.shapes.size()),
                static_cast<int64_t>(state.colliders.size()));
    checkThat(std::all_of(state.emitted.begin(), state.emitted.end(), [](double volume) { return volume >= 0; }),
              "the emitted volume of an emitter is negative");
}

}  // namespace purl
