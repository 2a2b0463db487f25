// A person's wish that what is under way ends: set by a signal handler or a window, asked for by long work.
#pragma once
#include <stdexcept>

namespace purl::host {

// Work that ended because of it. No Error: a scene's warnings and MEL's catch must not swallow it.
struct Interrupted : std::runtime_error {
    Interrupted() : std::runtime_error("cancelled") {}
};

// Safe to call from a signal handler; seen by MComputation::isInterruptRequested.
void requestInterrupt();
void clearInterrupt();
bool interruptRequested();
void throwIfInterrupted();  // throws Interrupted

}  // namespace purl::host
