#include "solver/core/guardedPages.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

#include "solver/core/error.h"

#ifndef _WIN32
    #include <sys/mman.h>
    #include <unistd.h>
#endif

namespace purl {

#ifdef _WIN32

GuardedPages::GuardedPages(const void*, Describe) {
    throw Error("device rehearsal: not available on Windows; use --device cpu");
}
GuardedPages::~GuardedPages() = default;
void GuardedPages::open(size_t) {}
void GuardedPages::close() {}
bool GuardedPages::isMapped(const void*) { return false; }

#else

namespace {

constexpr size_t kLargest = size_t(64) << 30, kSmallest = size_t(1) << 30;
constexpr int kMaxReserved = 64;

// Every reserved range of the process, for the signal handler.
struct Reserved {
    std::atomic<const char*> begin{nullptr};
    std::atomic<size_t> size{0};
    const void* owner = nullptr;
    GuardedPages::Describe describe = nullptr;
};
Reserved reserved[kMaxReserved];
struct sigaction before[2];
constexpr int kSignals[] = {SIGSEGV, SIGBUS};

void onFault(int signal, siginfo_t* info, void*) {
    const char* const address = static_cast<const char*>(info->si_addr);
    for (const Reserved& one : reserved) {
        const char* const begin = one.begin.load();
        if (!begin || address < begin || address >= begin + one.size.load()) continue;
        char line[512];
        const size_t length = one.describe(one.owner, address, line, sizeof line - 1);
        line[length] = '\n';
        if (write(STDERR_FILENO, line, length + 1) < 0) {
            // Nothing can be done about it here.
        }
        break;
    }
    // The access is repeated with the handler of before, and ends the process.
    for (size_t k = 0; k < 2; ++k)
        if (kSignals[k] == signal) sigaction(signal, &before[k], nullptr);
}

void watchFaults() {
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action = {};
        action.sa_sigaction = onFault;
        action.sa_flags = SA_SIGINFO;
        for (size_t k = 0; k < 2; ++k) sigaction(kSignals[k], &action, &before[k]);
    });
}

}  // namespace

GuardedPages::GuardedPages(const void* owner, Describe describe) {
    watchFaults();
    for (size_ = kLargest; size_ >= kSmallest; size_ /= 2) {
        void* const at = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) continue;
        begin_ = static_cast<char*>(at);
        break;
    }
    if (!begin_) throw Error("device rehearsal: no address space is left; use --device cpu");
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    for (int k = 0; k < kMaxReserved && slot_ < 0; ++k)
        if (!reserved[k].begin) slot_ = k;
    if (slot_ < 0) {
        munmap(begin_, size_);
        throw Error("device rehearsal: 64 of them exist already; use --device cpu");
    }
    Reserved& own = reserved[slot_];
    own.owner = owner;
    own.describe = describe;
    own.size = size_;
    own.begin = begin_;
}

GuardedPages::~GuardedPages() {
    reserved[slot_].begin = nullptr;
    munmap(begin_, size_);
}

void GuardedPages::open(size_t bytes) {
    opened_ = bytes;
    if (bytes > 0 && mprotect(begin_, bytes, PROT_READ | PROT_WRITE) != 0)
        throw Error("device rehearsal: out of memory; a coarser particleSpacing helps");
}

void GuardedPages::close() {
    if (opened_ > 0) mprotect(begin_, opened_, PROT_NONE);
    opened_ = 0;
}

bool GuardedPages::isMapped(const void* address) {
    // msync fails with ENOMEM where nothing is mapped.
    const auto page = reinterpret_cast<uintptr_t>(address) / kPage * kPage;
    return msync(reinterpret_cast<void*>(page), kPage, MS_ASYNC) == 0;
}

#endif

}  // namespace purl
