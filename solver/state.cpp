#include "solver/state.h"

#include "solver/core/hash.h"

namespace purl {
namespace {

struct Digest {
    Hash hash;

    template <class T>
    void operator()(const Buffer<T>& values) {
        hash.addBytes(values.data(), sizeof(T) * static_cast<size_t>(values.size()));
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        hash.add(values);
    }
    template <class T>
    void operator()(const T& value) {
        hash.addBytes(&value, sizeof value);
    }
};

}  // namespace

uint64_t hashOf(const State& state) {
    Digest digest;
    visitFields(state, digest);
    return digest.hash.value();
}

}  // namespace purl
