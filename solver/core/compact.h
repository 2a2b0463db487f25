// Compaction: the elements of an array whose flag is set, in their order.
#pragma once
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/sort.h"

namespace purl {

template <class T>
struct GatherFlagged {
    Span<const int> flags, places;
    const T* from;
    T* to;
    PURL_HD void operator()(int i) const {
        if (flags[i]) to[places[i]] = from[i];
    }
};

// `flags`: 0 or 1, one per element.
template <class T>
Buffer<T> compacted(const Buffer<T>& from, const Buffer<int>& flags) {
    const Device& device = from.device();
    Buffer<int> places(device, "places of flagged elements");
    scan(flags, places);
    Buffer<T> to(device, from.name());
    to.resizeDiscard(readElement(places, flags.size()));
    forEach(device, "gatherFlagged", flags.size(),
            GatherFlagged<T>{flags.span(), std::as_const(places).span(), from.data(), to.data()}, 2048);
    return to;
}

}  // namespace purl
