#include "app/memoryReserve.h"

#include <atomic>
#include <cstdlib>
#include <new>
#ifdef __GLIBC__
    #include <execinfo.h>
#endif

namespace purl {
namespace {

// Enough to destroy the manifest of 10,000 frames.
constexpr size_t kReserve = size_t(256) << 10;

std::atomic<void*> reserve{nullptr};

void giveReserve() {
    void* const held = reserve.exchange(nullptr);
    if (!held) throw std::bad_alloc();
    std::free(held);
}

}  // namespace

void holdMemoryReserve() {
    reserve = std::malloc(kReserve);
    std::set_new_handler(giveReserve);
#ifdef __GLIBC__
    // glibc loads its unwinder on first use and aborts if there is no memory for it. This loads it now.
    void* frame = nullptr;
    ::backtrace(&frame, 1);
#endif
}

}  // namespace purl
