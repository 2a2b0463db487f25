// Parallel copies of whole buffers: a single thread cannot saturate the memory bandwidth.
#pragma once
#include "solver/core/forEach.h"

namespace purl {

template <class T>
struct CopyElement {
    const T* from;
    T* to;
    PURL_HD void operator()(int i) const { to[i] = from[i]; }
};

// Resizes `to` to the length of `from` and copies the elements. Both must live on the device of `to`.
template <class T>
void copyTo(Buffer<T>& to, const Buffer<T>& from) {
    to.resizeDiscard(from.size());
    forEach(to.device(), "copy", from.size(), CopyElement<T>{from.data(), to.data()}, 8192);
}

}  // namespace purl
