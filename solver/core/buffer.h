// Buffer: an owning array on a device. Span: the non-owning pointer and length that kernels use.
#pragma once
#include <string>
#include <type_traits>
#include <utility>

#include "solver/core/device.h"
#include "solver/core/error.h"
#include "solver/core/platform.h"

namespace purl {

template <class T>
struct Span {
    T* data = nullptr;
    int count = 0;

    PURL_HD T& operator[](int i) const {
        PURL_ASSERT(i >= 0 && i < count);
        return data[i];
    }
    PURL_HD T* begin() const { return data; }
    PURL_HD T* end() const { return data + count; }
    // Conversion to a read-only span. A template, because a plain conversion of Span<const T> to itself triggers a
    // warning.
    template <class U, class = std::enable_if_t<std::is_same_v<U, const T> && !std::is_const_v<T>>>
    PURL_HD operator Span<U>() const {
        return {data, count};
    }
};

// Like std::vector: capacity grows by a factor of 1.5 and never shrinks. New elements are zero bytes. Copies are deep,
// and may lead from one device to another. The host reads and writes elements through solver/core/hostView.h; directly
// only where the device is the CPU.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>, "a buffer is copied byte by byte");

  public:
    using Element = T;

    // `name`: for messages.
    explicit Buffer(Device device = Device::cpu(), const char* name = "a buffer without a name")
        : device_(std::move(device)), name_(name) {}
    Buffer(Device device, int count, const char* name = "a buffer without a name") : Buffer(std::move(device), name) {
        resize(count);
    }
    Buffer(const Buffer& other) : Buffer(other.device_, other.name_) { *this = other; }
    Buffer(Buffer&& other) noexcept : Buffer(other.device_, other.name_) { swap(other); }
    Buffer& operator=(const Buffer& other) {
        if (this == &other) return *this;
        resizeDiscard(other.count_);
        if (device_ == other.device_)
            device_.copy(data_, other.data_, bytes());
        else if (other.device_.isCpu())
            device_.upload(data_, other.data_, bytes());
        else if (device_.isCpu())
            other.device_.download(data_, other.data_, bytes());
        else
            *this = Buffer(device_.host()) = other;
        return *this;
    }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Buffer() {
        if (data_) device_.free(data_);
    }

    void swap(Buffer& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(name_, other.name_);
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
        std::swap(capacity_, other.capacity_);
    }

    void resize(int count) {
        PURL_ASSERT(count >= 0);
        if (count > capacity_) {
            const int capacity = count > capacity_ + capacity_ / 2 ? count : capacity_ + capacity_ / 2;
            T* grown = static_cast<T*>(device_.allocate(sizeof(T) * static_cast<size_t>(capacity), name_));
            device_.copy(grown, data_, bytes());
            if (data_) device_.free(data_);
            data_ = grown;
            capacity_ = capacity;
        }
        if (count > count_) device_.clear(data_ + count_, sizeof(T) * static_cast<size_t>(count - count_));
        count_ = count;
    }

    // Resizes without initializing: the old contents are lost, and the old memory is freed before the new is allocated.
    // The operating system commits pages when they are first written, so unused capacity costs little.
    void resizeDiscard(int count) {
        PURL_ASSERT(count >= 0);
        if (count > capacity_) {
            const int capacity = count > capacity_ + capacity_ / 8 ? count : capacity_ + capacity_ / 8;
            if (data_) device_.free(std::exchange(data_, nullptr));
            count_ = capacity_ = 0;
            data_ = static_cast<T*>(device_.allocate(sizeof(T) * static_cast<size_t>(capacity), name_));
            capacity_ = capacity;
        }
        count_ = count;
    }

    int size() const { return count_; }
    bool empty() const { return count_ == 0; }
    size_t bytes() const { return sizeof(T) * static_cast<size_t>(count_); }
    // For kernels. On the CPU also for the host.
    T* data() { return data_; }
    const T* data() const { return data_; }
    T& operator[](int i) {
        PURL_ASSERT(i >= 0 && i < count_ && device_.isCpu());
        return data_[i];
    }
    const T& operator[](int i) const {
        PURL_ASSERT(i >= 0 && i < count_ && device_.isCpu());
        return data_[i];
    }
    T* begin() { return onHost(); }
    T* end() { return onHost() + count_; }
    const T* begin() const { return onHost(); }
    const T* end() const { return onHost() + count_; }
    Span<T> span() { return {data_, count_}; }
    Span<const T> span() const { return {data_, count_}; }
    const Device& device() const { return device_; }
    const char* name() const { return name_; }

  private:
    T* onHost() const {
        if (!device_.isCpu()) throw Error(std::string(name_) + ": the host cannot read it on device " + device_.name());
        return data_;
    }

    Device device_;
    const char* name_;
    T* data_ = nullptr;
    int count_ = 0;
    int capacity_ = 0;
};

}  // namespace purl
