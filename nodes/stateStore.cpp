#include "nodes/stateStore.h"

#include <iterator>
#include <vector>

namespace purl {
namespace {

struct SizeOfFields {
    size_t bytes = 0;
    template <class T>
    void operator()(const Buffer<T>& values) {
        bytes += sizeof(T) * static_cast<size_t>(values.size());
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        bytes += sizeof(T) * values.size();
    }
    template <class T>
    void operator()(const T&) {
        bytes += sizeof(T);
    }
};

}  // namespace

size_t sizeOf(const State& state) {
    SizeOfFields size;
    visitFields(state, size);
    return size.bytes;
}

void StateStore::keep(int frame, std::shared_ptr<const State> state) {
    if (const auto before = states_.find(frame); before != states_.end()) drop(before);
    const size_t bytes = sizeOf(*state);
    states_[frame] = {std::move(state), bytes};
    bytes_ += bytes;
    // The first and the last one stay.
    for (bool drops = true; bytes_ > maxBytes_ && states_.size() > 2;)
        for (auto each = std::next(states_.begin()); each != states_.end() && std::next(each) != states_.end();
             drops = !drops)
            each = drops ? drop(each) : std::next(each);
}

StateStore::Kept StateStore::latest(int frame) const {
    const auto after = states_.upper_bound(frame);
    if (after == states_.begin()) return {};
    const auto found = std::prev(after);
    return {found->first, found->second.state};
}

void StateStore::dropAfter(int frame) {
    for (auto each = states_.upper_bound(frame); each != states_.end();) each = drop(each);
}

void StateStore::clear() {
    states_.clear();
    bytes_ = 0;
}

StateStore::Entries::iterator StateStore::drop(Entries::iterator entry) {
    bytes_ -= entry->second.bytes;
    return states_.erase(entry);
}

}  // namespace purl
