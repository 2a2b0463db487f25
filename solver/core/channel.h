// Channel: an array of values whose copies share one block of memory until one of them is edited.
#pragma once
#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace purl {

// Reads like a const std::vector. Loops over many values should take data() or vector() once: each call here follows
// two pointers.
template <class T>
class Channel {
  public:
    using value_type = T;
    using const_iterator = const T*;
    using iterator = const_iterator;

    Channel() = default;
    // Not inlined: GCC 12 would warn of a delete in the moved vector that never happens.
    [[gnu::noinline]] Channel(std::vector<T>&& values) {
        if (!values.empty()) block_ = std::make_shared<Block>(std::move(values));
    }
    Channel(const std::vector<T>& values) : Channel(std::vector<T>(values)) {}
    Channel(std::initializer_list<T> values) : Channel(std::vector<T>(values)) {}
    Channel(const Channel& other) : block_(other.block_) { markShared(); }
    Channel(Channel&&) noexcept = default;
    Channel& operator=(const Channel& other) {
        block_ = other.block_;
        markShared();
        return *this;
    }
    Channel& operator=(Channel&&) noexcept = default;
    ~Channel() = default;

    size_t size() const { return block_ ? block_->values.size() : 0; }
    bool empty() const { return size() == 0; }
    const T* data() const { return block_ ? block_->values.data() : nullptr; }
    const T& operator[](size_t i) const { return block_->values[i]; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size(); }
    const T& front() const { return block_->values.front(); }
    const T& back() const { return block_->values.back(); }

    // Valid while this channel or a copy of it exists, so not for temporaries.
    const std::vector<T>& vector() const& {
        static const std::vector<T> kNone;
        return block_ ? block_->values : kNone;
    }
    const std::vector<T>& vector() && = delete;
    operator const std::vector<T>&() const& { return vector(); }
    operator const std::vector<T>&() && = delete;

    // The values, to be changed. Copies them first if this channel was copied, or is a copy; other channels keep
    // theirs. The reference must not be used after the channel is copied again.
    std::vector<T>& edit() {
        if (!block_)
            block_ = std::make_shared<Block>(std::vector<T>());
        else if (block_->shared.load(std::memory_order_relaxed))
            block_ = std::make_shared<Block>(block_->values);
        return block_->values;
    }

    // Whether both are copies of one channel.
    bool sharesWith(const Channel& other) const { return block_ == other.block_; }

    friend bool operator==(const Channel& a, const Channel& b) {
        return a.block_ == b.block_ || a.vector() == b.vector();
    }
    friend bool operator!=(const Channel& a, const Channel& b) { return !(a == b); }

  private:
    struct Block {
        explicit Block(std::vector<T> list) : values(std::move(list)) {}
        std::vector<T> values;
        // Whether there was ever a second channel of this block. It stays set: a count that falls back to one would
        // not say that the last reader, on another thread, has finished.
        std::atomic<bool> shared{false};
    };

    void markShared() {
        if (block_) block_->shared.store(true, std::memory_order_relaxed);
    }

    std::shared_ptr<Block> block_;
};

}  // namespace purl
