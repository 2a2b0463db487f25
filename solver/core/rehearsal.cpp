#include "solver/core/rehearsal.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "solver/core/error.h"

namespace purl {

Rehearsal::Rehearsal() : pages_(this, &describe) {}

Rehearsal::~Rehearsal() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void* Rehearsal::allocate(size_t bytes) {
    const size_t padded = (bytes + GuardedPages::kPage - 1) / GuardedPages::kPage * GuardedPages::kPage;
    if (padded > pages_.size() - used_) return nullptr;
    char* const begin = pages_.begin() + used_;
    used_ += padded;
    blocks_.push_back({begin, padded, nullptr});
    return begin;
}

void Rehearsal::setOwner(void* block, const char* name) {
    const auto found = std::lower_bound(blocks_.begin(), blocks_.end(), static_cast<const char*>(block),
                                        [](const Block& one, const char* address) { return one.begin < address; });
    found->name = name;
}

size_t Rehearsal::describe(const void* self, const void* address, char* line, size_t room) {
    const auto& own = *static_cast<const Rehearsal*>(self);
    const auto* const at = static_cast<const char*>(address);
    const char* name = "memory that belongs to no buffer";
    size_t offset = 0;
    for (const Block& block : own.blocks_)
        if (at >= block.begin && at < block.begin + block.bytes) {
            name = block.name ? block.name : "a buffer that was freed";
            offset = static_cast<size_t>(at - block.begin);
        }
    const char* const phase = own.phase_;
    const int length =
        std::snprintf(line, room,
                      "purl: the host touched %s on the device, byte %zu, in phase %s; use readOnHost() or "
                      "editOnHost()",
                      name, offset, phase ? phase : "none");
    return std::min(room, static_cast<size_t>(std::max(0, length)));
}

void Rehearsal::enqueue(std::function<void()> work) {
    if (queue_.size() >= kQueue) wait();
    queue_.push_back(std::move(work));
}

void Rehearsal::wait() {
    if (queue_.empty()) return;
    std::unique_lock<std::mutex> lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
    running_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !running_; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Rehearsal::serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return running_ || ending_; });
        if (ending_) return;
        drain();
        running_ = false;
        changed_.notify_all();
    }
}

void Rehearsal::drain() {
    try {
        pages_.open(used_);
        for (const std::function<void()>& work : queue_) work();
    } catch (...) { failure_ = std::current_exception(); }
    pages_.close();
    queue_.clear();
}

void Rehearsal::checkFields(const char* kernel, const void* fields, size_t bytes) const {
    constexpr uint64_t kLowest = uint64_t(1) << 32, kHighest = uint64_t(1) << 47;
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        std::memcpy(&word, static_cast<const char*>(fields) + at, sizeof word);
        if (word < kLowest || word >= kHighest) continue;
        const auto* const address = reinterpret_cast<const void*>(word);
        if (!holds(address) && GuardedPages::isMapped(address))
            throw Error(std::string("kernel ") + kernel + ": byte " + std::to_string(at) +
                        " of its fields is an address of host memory; give it a buffer of the device");
    }
}

}  // namespace purl
