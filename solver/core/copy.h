// Copies of whole buffers by all threads: one thread alone has a part of the memory's bandwidth.
#pragma once
#include "solver/core/forEach.h"

namespace purl {

template <class T>
struct CopyElement {
    const T* from;
    T* to;
    PURL_HD void operator()(int i) const { to[i] = from[i]; }
};

// `to` becomes as long as `from` and has its elements; both live on the device of `to`.
template <class T>
void copyTo(Buffer<T>& to, const Buffer<T>& from) {
    to.renew(from.size());
    forEach(to.device(), "copy", from.size(), CopyElement<T>{from.data(), to.data()}, 8192);
}

}  // namespace purl
