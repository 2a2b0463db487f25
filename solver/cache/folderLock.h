// Lock of a cache folder: one writer at a time. Readers ignore it.
#pragma once
#include <string>

#include "solver/core/error.h"

namespace purl {

constexpr const char* kLockName = "manifest.lock";

// Thrown if another process holds the lock.
class FolderBusy : public Error {
  public:
    using Error::Error;
};

// Held from construction to destruction, or until the process dies. The lock file names its owner.
class FolderLock {
  public:
    // Throws FolderBusy naming the owner. The lock of a dead process on this machine is taken over; the lock of another
    // machine is not, because its process cannot be checked from here, unless it is of the same job of a scheduler.
    explicit FolderLock(const std::string& directory);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    // Notice that the lock of a dead process was taken over; otherwise empty.
    const std::string& note() const { return note_; }

  private:
    std::string path_, note_;
    int file_ = -1;
    long owner_ = 0;  // process
};

// True if a live process, or one on another machine, is writing to the folder.
bool isBeingWritten(const std::string& directory);

}  // namespace purl
