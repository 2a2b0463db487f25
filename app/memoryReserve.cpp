#include "app/memoryReserve.h"

#include <atomic>
#include <cstdlib>
#include <new>
#ifdef __GLIBC__
    #include <execinfo.h>
#endif

namespace purl {
namespace {

// More than the manifest of ten thousand frames takes when it is destroyed.
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
    // glibc loads what it needs to pass an exception through its own functions when it first does so, and ends the
    // process where there is no memory for that. This loads it now.
    void* frame = nullptr;
    ::backtrace(&frame, 1);
#endif
}

}  // namespace purl
