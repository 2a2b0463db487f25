// How the host reads and writes buffers. On the CPU these are the buffers themselves, at no cost; from and to other
// devices the elements are copied, and counted. A view waits for the kernels before it.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "solver/core/buffer.h"

namespace purl {

// Memory for `count` elements, with the padding that buffers have.
template <class T>
std::vector<T> hostMemory(int count) {
    constexpr size_t kPadding = 64 / sizeof(T) + 1;
    return std::vector<T>(static_cast<size_t>(count) + kPadding);
}

// The elements of a buffer. The buffer must not change meanwhile.
template <class T>
class HostReader {
  public:
    explicit HostReader(const Buffer<T>& buffer) : HostReader(buffer.device(), buffer.span()) {}
    HostReader(const Device& device, Span<const T> elements) : data_(elements.data), count_(elements.count) {
        if (device.isCpu()) return;
        copy_ = hostMemory<T>(count_);
        device.download(copy_.data(), elements.data, sizeof(T) * static_cast<size_t>(count_));
        data_ = copy_.data();
    }
    HostReader(const HostReader&) = delete;
    HostReader& operator=(const HostReader&) = delete;

    int size() const { return count_; }
    bool empty() const { return count_ == 0; }
    const T& operator[](int i) const {
        PURL_ASSERT(i >= 0 && i < count_);
        return data_[i];
    }
    const T* data() const { return data_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + count_; }
    Span<const T> span() const { return {data_, count_}; }

  private:
    std::vector<T> copy_;
    const T* data_;
    int count_;
};
template <class T>
HostReader<T> readOnHost(const Buffer<T>& buffer) {
    return HostReader<T>(buffer);
}
template <class T>
HostReader<T> readOnHost(Buffer<T>&& buffer) = delete;  // the view would outlive it
template <class T>
HostReader<T> readOnHost(const Buffer<T>&& buffer) = delete;
// Part of a buffer of `device`.
template <class T>
HostReader<T> readOnHost(const Device& device, Span<const T> part) {
    return {device, part};
}

// The elements of a buffer, to be changed; other devices get them back when the view ends. No kernel may use the buffer
// meanwhile.
template <class T>
class HostEditor {
  public:
    // reads: whether the elements that the view begins with are needed.
    HostEditor(const Device& device, Span<T> elements, bool reads)
        : device_(device), elements_(elements), data_(elements.data) {
        if (device.isCpu()) return;
        copy_ = hostMemory<T>(size());
        if (reads) device.download(copy_.data(), elements.data, bytes());
        data_ = copy_.data();
    }
    ~HostEditor() {
        if (!device_.isCpu()) device_.upload(elements_.data, copy_.data(), bytes());
    }
    HostEditor(const HostEditor&) = delete;
    HostEditor& operator=(const HostEditor&) = delete;

    int size() const { return elements_.count; }
    T& operator[](int i) const {
        PURL_ASSERT(i >= 0 && i < size());
        return data_[i];
    }
    T* data() const { return data_; }
    T* begin() const { return data_; }
    T* end() const { return data_ + size(); }
    Span<T> span() const { return {data_, size()}; }

  private:
    size_t bytes() const { return sizeof(T) * static_cast<size_t>(elements_.count); }

    const Device& device_;
    Span<T> elements_;
    std::vector<T> copy_;
    T* data_;
};
template <class T>
HostEditor<T> editOnHost(Buffer<T>& buffer) {
    return {buffer.device(), buffer.span(), true};
}
// Part of a buffer of `device`.
template <class T>
HostEditor<T> editOnHost(const Device& device, Span<T> part) {
    return {device, part, true};
}
// Every element must be written.
template <class T>
HostEditor<T> writeOnHost(Buffer<T>& buffer) {
    return {buffer.device(), buffer.span(), false};
}

// Replaces the elements.
template <class T>
void upload(Buffer<T>& to, const T* from, int count) {
    to.resizeDiscard(count);
    to.device().upload(to.data(), from, to.bytes());
}
template <class T>
void upload(Buffer<T>& to, const std::vector<T>& from) {
    upload(to, from.data(), static_cast<int>(from.size()));
}
// For kernels on the device of `copy`: the array itself on the CPU, else a copy.
template <class T>
Span<const T> spanOnDevice(Span<const T> from, Buffer<T>& copy) {
    if (copy.device().isCpu()) return from;
    upload(copy, from.data, from.count);
    return std::as_const(copy).span();
}
// For code that takes a buffer of the host: the buffer itself on the CPU, else a copy in `copy`, which lives there.
template <class T>
const Buffer<T>& bufferOnHost(const Buffer<T>& buffer, Buffer<T>& copy) {
    if (buffer.device().isCpu()) return buffer;
    copy = buffer;
    return copy;
}
// One element.
template <class T>
T readElement(const Buffer<T>& buffer, int i) {
    PURL_ASSERT(i >= 0 && i < buffer.size());
    T value;
    buffer.device().download(&value, buffer.data() + i, sizeof value);
    return value;
}

}  // namespace purl
