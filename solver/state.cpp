#include "solver/state.h"

#include "solver/core/hash.h"
#include "solver/core/hostView.h"

namespace purl {
namespace {

struct Digest {
    Hash hash;

    template <class T>
    void operator()(const Buffer<T>& values) {
        hash.addBytes(readOnHost(values).data(), values.bytes());
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

StateOnHost::StateOnHost(const State& state) : state_(state) {
    const Device& device = state.particles.x.device();
    if (device.isCpu()) return;
    copy_.emplace(device.host());
    *copy_ = state;
}

uint64_t hashOf(const State& state) {
    Digest digest;
    visitFields(state, digest);
    return digest.hash.value();
}

}  // namespace purl
