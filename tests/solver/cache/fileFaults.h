// The file operations of this test program on their way to the system: they are counted, may be made to do nothing that
// takes time, and may end the process.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>

namespace purl {

struct FileOperations {
    std::atomic<int64_t> calls{0};       // rename, remove, unlink, pwrite, ftruncate, fsync, mkdir, rmdir
    std::atomic<int64_t> bytes{0};       // handed to pwrite
    std::atomic<int64_t> syncs{0};       // fsync and fdatasync
    std::atomic<int64_t> killAt{0};      // this call is the process's last, and a pwrite does half of its work; 0: none
    std::atomic<bool> skipSyncs{false};  // what is tested is the order of things, not the disk
    static constexpr int kKilled = 77;   // the process's exit code then
    std::function<void(int)> onSync;     // gets the file of each fsync and fdatasync; not for tests with threads
};
FileOperations& fileOperations();

// Of a forked child: it is killed when the test's process ends. That has a time limit; a clock here would end a child
// that other programs only slow down.
void endWithParent();

// Syncs take no time while this lives.
class WithoutSyncs {
  public:
    WithoutSyncs() { fileOperations().skipSyncs = true; }
    ~WithoutSyncs() { fileOperations().skipSyncs = false; }
    WithoutSyncs(const WithoutSyncs&) = delete;
    WithoutSyncs& operator=(const WithoutSyncs&) = delete;
};

}  // namespace purl
