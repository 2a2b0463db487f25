// Parallel copies of whole buffers, because a single thread cannot saturate the memory bandwidth; and elements that are
// set on the device.
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

template <class T>
struct PermuteElements {
    const T* from;
    const int* order;
    T* to;
    PURL_HD void operator()(int k) const { to[k] = from[order[k]]; }
};

// to[k] becomes from[order[k]]. All live on the same device.
template <class T>
void permute(Buffer<T>& to, const Buffer<T>& from, const Buffer<int>& order) {
    to.resizeDiscard(order.size());
    forEach(to.device(), "permute", order.size(), PermuteElements<T>{from.data(), order.data(), to.data()}, 4096);
}

template <class T>
struct SetElements {
    T value;
    T* to;
    PURL_HD void operator()(int i) const { to[i] = value; }
};

// Sets elements first … first + count − 1.
template <class T>
void setElements(Buffer<T>& to, int first, int count, const T& value) {
    PURL_ASSERT(first >= 0 && first + count <= to.size());
    forEach(to.device(), "setElements", count, SetElements<T>{value, to.data() + first}, 8192);
}

}  // namespace purl
