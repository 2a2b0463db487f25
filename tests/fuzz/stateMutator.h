// Changes to states that no hash shows: encodeState signs whatever it is given. For tests and fuzzers that want to get
// past the hash of a state file, to what reads the arrays.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "solver/cache/stateFile.h"

namespace purl {

// What can be done to a field: its length, or one of its values.
constexpr int kMutations = 12;
// Values of an array beyond which it grows by one at a time. Repeated growth of one array would otherwise take all
// memory before any reader sees the state.
constexpr int kMaxGrown = 1 << 16;

class StateMutator {
  public:
    // `field` in the order of visitFields, `how` below kMutations; `where` chooses the element of an array.
    StateMutator(int field, int how, unsigned where) : field_(field), how_(how), where_(where) {}

    void apply(State& state) {
        next_ = 0;
        visitFields(state, *this);
    }

    template <class T>
    void operator()(Buffer<T>& values) {
        if (next_++ == field_) change(values, values.size(), [&](int size) { values.resize(size); });
    }
    template <class T>
    void operator()(std::vector<T>& values) {
        if (next_++ == field_)
            change(values, static_cast<int>(values.size()),
                   [&](int size) { values.resize(static_cast<size_t>(size)); });
    }
    // The number of places: visitFields makes as many.
    void operator()(size_t& places) {
        if (next_++ != field_) return;
        const size_t wanted[] = {0, places + 1, places / 2, places + 7};
        places = wanted[how_ % 4];
    }
    template <class T>
    void operator()(T& value) {
        if (next_++ == field_) spoil(value);
    }

  private:
    template <class Values, class Resize>
    void change(Values& values, int size, const Resize& resize) {
        switch (how_) {
            case 0: return resize(0);
            case 1: return resize(size > 0 ? size - 1 : 0);
            case 2: return resize(size / 2);
            case 3: return resize(size + 1);
            case 4: return resize(size < kMaxGrown ? 3 * size + 5 : size + 1);
            default: break;
        }
        if (size > 0) spoil(*(values.begin() + static_cast<int>(where_ % static_cast<unsigned>(size))));
    }

    void spoil(int& value) const { value = integer(value); }
    void spoil(int64_t& value) const { value = integer(value); }
    void spoil(float& value) const { value = real(value); }
    void spoil(double& value) const { value = real(value); }
    void spoil(Vec3& value) const { spoil(value[static_cast<int>(where_ / 3 % 3)]); }
    void spoil(Mat3& value) const {
        Vec3* const axes[] = {&value.x, &value.y, &value.z};
        spoil(*axes[where_ % 3]);
    }
    template <class T>
    T integer(T value) const {
        using Limits = std::numeric_limits<T>;
        const T more = value < Limits::max() ? value + 1 : value, less = value > Limits::min() ? value - 1 : value;
        const T wanted[] = {-1, Limits::max(), Limits::min(), more, 1000000, 0, less};
        return wanted[how_ % 7];
    }
    template <class T>
    T real(T value) const {
        constexpr T kInfinite = std::numeric_limits<T>::infinity();
        const T wanted[] = {std::numeric_limits<T>::quiet_NaN(),
                            kInfinite,
                            -kInfinite,
                            std::numeric_limits<T>::max(),
                            T(1e20),
                            -value,
                            0};
        return wanted[how_ % 7];
    }

    int field_, how_;
    unsigned where_;
    int next_ = 0;
};

// The number of fields that visitFields comes by.
inline int fieldsOf(const State& state) {
    int count = 0;
    visitFields(state, [&](const auto&) { ++count; });
    return count;
}

// Every four bytes of `script` are a change: the field (two bytes), what, and where. Returns the bytes of a state file
// whose hash is right.
inline std::string mutated(State state, const std::string& script, int fields) {
    const auto byte = [&](size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(script[i])); };
    for (size_t i = 0; i + 4 <= script.size(); i += 4)
        StateMutator(static_cast<int>((256 * byte(i) + byte(i + 1)) % static_cast<unsigned>(fields)),
                     static_cast<int>(byte(i + 2) % kMutations), byte(i + 3))
            .apply(state);
    return encodeState(state);
}

}  // namespace purl
