// Rehearsal: what Device::rehearsal() has in place of a GPU. Its memory is closed to the host, and its kernels wait in
// a queue until the host waits for them; then another thread runs them, in order, while the memory is open.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "solver/core/guardedPages.h"

namespace purl {

class Rehearsal {
  public:
    Rehearsal();
    ~Rehearsal();

    // New memory; it is never returned, see DeviceMemory. nullptr if there is none left.
    void* allocate(size_t bytes);
    // The buffer that has a block from now on, for messages; null: none has.
    void setOwner(void* block, const char* name);
    // The phase in which the host is, for messages.
    void setPhase(const char* name) { phase_ = name; }

    void enqueue(std::function<void()> work);
    // Runs everything in the queue on the other thread, then returns. Rethrows the first exception.
    void wait();

    bool holds(const void* address) const { return pages_.holds(address); }
    // Throws Error if the fields of a kernel contain an address of host memory, which a GPU could not read.
    void checkFields(const char* kernel, const void* fields, size_t bytes) const;

  private:
    struct Block {
        const char* begin;
        size_t bytes;
        const char* name;
    };

    static size_t describe(const void* self, const void* address, char* line, size_t room);
    void drain();
    void serve();

    static constexpr size_t kQueue = 512;

    GuardedPages pages_;
    size_t used_ = 0;            // bytes of pages_
    std::vector<Block> blocks_;  // by address
    std::atomic<const char*> phase_{nullptr};
    std::vector<std::function<void()>> queue_;

    std::mutex mutex_;
    std::condition_variable changed_;
    bool running_ = false, ending_ = false;
    std::exception_ptr failure_;
    std::thread thread_;
};

}  // namespace purl
