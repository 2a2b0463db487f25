#include "host/interrupt.h"

#include <atomic>

namespace purl::host {

static std::atomic<bool> interrupt{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must be able to set this");

void requestInterrupt() { interrupt.store(true, std::memory_order_relaxed); }
void clearInterrupt() { interrupt.store(false, std::memory_order_relaxed); }
bool interruptRequested() { return interrupt.load(std::memory_order_relaxed); }

void throwIfInterrupted() {
    if (interruptRequested()) throw Interrupted();
}

}  // namespace purl::host
