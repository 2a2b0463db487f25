// The lock of a cache folder that is being written: one writer at a time. Readers do not ask for it.
#pragma once
#include <string>

namespace purl {

constexpr const char* kLockName = "manifest.lock";

// Held from construction to destruction, or to the death of the process. The file says who holds it.
class FolderLock {
  public:
    // Throws Error saying who holds it. One left by a dead process of this machine is taken over; one of another
    // machine is not, as nobody here can know whether its process lives.
    explicit FolderLock(const std::string& directory);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    // Where a dead process's was taken over: a line that says so. Else empty.
    const std::string& note() const { return note_; }

  private:
    std::string path_, note_;
    int file_ = -1;
    long owner_ = 0;  // process
};

// Whether a living process, or one of another machine, is writing to the folder.
bool isBeingWritten(const std::string& directory);

}  // namespace purl
