// The user's request to cancel: set by a signal handler or a window, polled by long computations.
#pragma once
#include <stdexcept>

namespace purl::host {

// Thrown by cancelled work. Not derived from Error, so that load warnings and MEL's catch cannot swallow it.
struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("cancelled") {}
};

// Async-signal-safe; reported by MComputation::isInterruptRequested.
void requestInterrupt();
void clearInterrupt();
bool interruptRequested();
void throwIfInterrupted();  // throws Interrupted

}  // namespace purl::host
