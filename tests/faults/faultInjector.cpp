// Preloaded into a program under test: counts calls of the C library, and makes the n-th of one kind fail or the
// process die there. tests/faults/injection.py describes the variables it reads and uses it.
//
//   PURL_FAULT         kind:n:action, like "rename:3:kill" or "write:5:ENOSPC:lasting"; without it calls are only
//   counted PURL_FAULT_FOLDER  files below it count; others, as the loader's or a terminal, never do PURL_FAULT_MARK
//   file whose opening starts the count of memory maps, allocations and threads PURL_FAULT_BYTES   smallest allocation
//   that counts [1] PURL_FAULT_REPORT  file that takes the totals, one "kind n" a line, and "struck PATH" for the call
//   that failed
//
// Actions: an error's name (the call fails and does nothing), "kill" (SIGKILL instead of the call), "tear" (writes
// half, then SIGKILL), "short" (writes half and says so). "lasting": all later calls of the kind fail too.
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// glibc's allocator under names that nothing interposes: dlsym may allocate itself.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);
}

namespace {

enum Kind { kRead, kWrite, kSync, kRename, kUnlink, kOpen, kMkdir, kMap, kAllocation, kThread, kKinds };
const char* const kNames[kKinds] = {"read", "write", "fsync", "rename",     "unlink",
                                    "open", "mkdir", "mmap",  "allocation", "thread"};

enum class Action { none, fail, kill, tear, shorten };

struct ErrorName {
    const char* name;
    int number;
};
constexpr ErrorName kErrors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN},
                                 {"EACCES", EACCES}, {"EDQUOT", EDQUOT}, {"EINTR", EINTR},   {"EMFILE", EMFILE}};

// Zero until the constructor below has run: calls before that go through uncounted.
struct Settings {
    bool ready;
    Kind kind;
    long at;
    Action action;
    int error;
    bool lasting;
    size_t bytes;
    char folder[PATH_MAX], mark[PATH_MAX], report[PATH_MAX];
};
Settings settings;
std::atomic<long> counts[kKinds];
std::atomic<bool> marked;
std::atomic<bool> struck;
std::atomic<long> freed;  // bytes given back since memory ran out for good, that are not in use again

// Counting allocates nothing, but what it calls may.
thread_local bool inside;
struct Inside {
    bool outer = inside;
    Inside() { inside = true; }
    ~Inside() { inside = outer; }
};

template <class F>
F* next(F*, const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}
// The function behind ours, found once.
#define NEXT(name)                                    \
    ([] {                                             \
        static auto* const real = next(&name, #name); \
        return real;                                  \
    }())

void writeReport(const char* where) {
    if (!settings.report[0]) return;
    char text[PATH_MAX + 1024];
    int size = 0;
    const auto room = [&] { return sizeof text - static_cast<size_t>(size); };
    for (int kind = 0; kind < kKinds; ++kind)
        size += std::snprintf(text + size, room(), "%s %ld\n", kNames[kind], counts[kind].load());
    if (where) size += std::snprintf(text + size, room(), "struck %s\n", where);
    const int file = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, settings.report, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file < 0) return;
    if (syscall(SYS_write, file, text, static_cast<size_t>(size)) < 0) std::abort();
    syscall(SYS_close, file);
}

[[noreturn]] void die() {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

// What becomes of this call of the kind; sets errno where it fails.
Action strike(Kind kind, const char* where) {
    if (!settings.ready) return Action::none;
    const long n = counts[kind].fetch_add(1) + 1;
    if (kind != settings.kind || settings.action == Action::none) return Action::none;
    if (n != settings.at && !(settings.lasting && n > settings.at)) return Action::none;
    if (!struck.exchange(true)) {
        const Inside guard;
        writeReport(where);
    }
    if (settings.action == Action::kill) die();
    if (settings.action == Action::fail) errno = settings.error;
    return settings.action;
}

bool fails(Kind kind, const char* where) { return strike(kind, where) == Action::fail; }

bool isBelow(const char* path, const char* folder) {
    const size_t length = std::strlen(folder);
    return std::strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

// A path as the process gave it, made absolute; relative to `folder` where it is an open folder.
struct Place {
    char path[PATH_MAX];

    Place(const char* name, int folder = AT_FDCWD) {
        path[0] = '\0';
        if (!settings.ready || !name) return;
        if (name[0] != '/') {
            if (folder == AT_FDCWD) {
                if (syscall(SYS_getcwd, path, sizeof path) < 0) return;
            } else {
                readLink(folder);
            }
            std::strncat(path, "/", sizeof path - std::strlen(path) - 1);
        }
        std::strncat(path, name, sizeof path - std::strlen(path) - 1);
    }
    explicit Place(int file) {
        path[0] = '\0';
        if (settings.ready && file >= 0) readLink(file);
    }
    bool counts() const { return path[0] == '/' && isBelow(path, settings.folder); }
    bool fails(Kind kind) const { return counts() && ::fails(kind, path); }

  private:
    void readLink(int file) {
        char link[64];
        std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        const ssize_t size = readlink(link, path, sizeof path - 1);
        path[size < 0 ? 0 : size] = '\0';
    }
};

void lookForMark(const Place& place) {
    if (settings.mark[0] && std::strcmp(place.path, settings.mark) == 0) marked = true;
}

bool forWriting(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); }

bool openFails(const Place& place, bool writing) {
    lookForMark(place);
    return writing && place.fails(kOpen);
}

// Of a write of `size` bytes: how many go to the disk. Negative: none, the call fails. Dies after half of them where
// that is asked for, by `put`.
template <class Put>
ssize_t written(int file, size_t size, Put put) {
    const Place place(file);
    const Action action = place.counts() ? strike(kWrite, place.path) : Action::none;
    if (action == Action::fail) return -1;
    if (action == Action::tear) {
        put(size / 2);
        die();
    }
    return put(action == Action::shorten && size > 1 ? size / 2 : size);
}

bool streamFails(FILE* stream, Kind kind) {
    if (!settings.ready || inside || !stream) return false;
    const Inside guard;
    const Place place(fileno_unlocked(stream));
    if (!place.counts()) return false;
    const Action action = strike(kind, place.path);
    if (action == Action::tear) die();  // what a stream holds back is lost with the process
    return action == Action::fail;
}

bool takeFreed(size_t size) {
    const auto wanted = static_cast<long>(size);
    for (long there = freed; there >= wanted;)
        if (freed.compare_exchange_weak(there, there - wanted)) return true;
    return false;
}

bool memoryIsFull() { return settings.kind == kAllocation && settings.lasting && struck; }

bool allocationFails(size_t size) {
    if (!settings.ready || !marked.load(std::memory_order_relaxed) || inside) return false;
    if (memoryIsFull() && takeFreed(size)) return false;
    if (size < settings.bytes && !memoryIsFull()) return false;
    const Inside guard;
    return fails(kAllocation, "memory");
}

void giveBack(void* memory) {
    if (memory && settings.ready && memoryIsFull()) freed += static_cast<long>(malloc_usable_size(memory));
}

void copyVariable(const char* name, char* to) {
    const char* const value = std::getenv(name);
    if (value && std::strlen(value) < PATH_MAX) std::strcpy(to, value);
}

[[noreturn]] void refuse(const char* fault) {
    std::fprintf(stderr, "faultInjector: PURL_FAULT=%s is not kind:n:action\n", fault);
    std::abort();
}

void readFault(const char* fault) {
    char text[128] = "";
    std::strncpy(text, fault, sizeof text - 1);
    char* rest = nullptr;
    const char* const kind = strtok_r(text, ":", &rest);
    const char* const at = strtok_r(nullptr, ":", &rest);
    const char* const action = strtok_r(nullptr, ":", &rest);
    const char* const lasting = strtok_r(nullptr, ":", &rest);
    if (!kind || !at || !action) refuse(fault);
    settings.kind = kKinds;
    for (int k = 0; k < kKinds; ++k)
        if (std::strcmp(kind, kNames[k]) == 0) settings.kind = static_cast<Kind>(k);
    settings.at = std::strtol(at, nullptr, 10);
    settings.lasting = lasting != nullptr;
    if (std::strcmp(action, "kill") == 0) settings.action = Action::kill;
    if (std::strcmp(action, "tear") == 0) settings.action = Action::tear;
    if (std::strcmp(action, "short") == 0) settings.action = Action::shorten;
    for (const ErrorName& error : kErrors)
        if (std::strcmp(action, error.name) == 0) {
            settings.action = Action::fail;
            settings.error = error.number;
        }
    if (settings.kind == kKinds || settings.at < 1 || settings.action == Action::none) refuse(fault);
}

__attribute__((constructor)) void begin() {
    copyVariable("PURL_FAULT_FOLDER", settings.folder);
    copyVariable("PURL_FAULT_MARK", settings.mark);
    copyVariable("PURL_FAULT_REPORT", settings.report);
    const char* const bytes = std::getenv("PURL_FAULT_BYTES");
    settings.bytes = bytes ? std::strtoul(bytes, nullptr, 10) : 1;
    if (const char* const fault = std::getenv("PURL_FAULT")) readFault(fault);
    unsetenv("LD_PRELOAD");  // programs that this one starts are not under test
    settings.ready = settings.folder[0] == '/';
}

__attribute__((destructor)) void end() {
    if (settings.ready && !struck) writeReport(nullptr);
    settings.ready = false;
}

}  // namespace

extern "C" {

// ---- files ------------------------------------------------------------------------------------------------------

// The mode that comes behind the flags of a file that may be made.
#define TAKE_MODE                                                \
    mode_t mode = 0;                                             \
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
        va_list list;                                            \
        va_start(list, flags);                                   \
        mode = va_arg(list, mode_t);                             \
        va_end(list);                                            \
    }
#define OPEN(name)                                                                      \
    int name(const char* path, int flags, ...) {                                        \
        TAKE_MODE                                                                       \
        return openFails(path, forWriting(flags)) ? -1 : NEXT(name)(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
#define OPENAT(name)                                                                                      \
    int name(int folder, const char* path, int flags, ...) {                                              \
        TAKE_MODE                                                                                         \
        return openFails({path, folder}, forWriting(flags)) ? -1 : NEXT(name)(folder, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)
#define FOPEN(name)                                                                           \
    FILE* name(const char* path, const char* mode) {                                          \
        return openFails(path, std::strpbrk(mode, "wa+")) ? nullptr : NEXT(name)(path, mode); \
    }
FOPEN(fopen)
FOPEN(fopen64)

ssize_t read(int file, void* to, size_t size) { return Place(file).fails(kRead) ? -1 : NEXT(read)(file, to, size); }
ssize_t pread(int file, void* to, size_t size, off_t offset) {
    return Place(file).fails(kRead) ? -1 : NEXT(pread)(file, to, size, offset);
}
ssize_t pread64(int file, void* to, size_t size, off64_t offset) {
    return Place(file).fails(kRead) ? -1 : NEXT(pread64)(file, to, size, offset);
}

ssize_t write(int file, const void* from, size_t size) {
    return written(file, size, [&](size_t part) { return NEXT(write)(file, from, part); });
}
ssize_t pwrite(int file, const void* from, size_t size, off_t offset) {
    return written(file, size, [&](size_t part) { return NEXT(pwrite)(file, from, part, offset); });
}
ssize_t pwrite64(int file, const void* from, size_t size, off64_t offset) {
    return written(file, size, [&](size_t part) { return NEXT(pwrite64)(file, from, part, offset); });
}
// Half of a list is its first piece.
ssize_t writev(int file, const iovec* pieces, int count) {
    return written(file, static_cast<size_t>(count),
                   [&](size_t part) { return part ? NEXT(writev)(file, pieces, static_cast<int>(part)) : 0; });
}

size_t fwrite(const void* from, size_t size, size_t count, FILE* stream) {
    if (!streamFails(stream, kWrite)) return NEXT(fwrite)(from, size, count, stream);
    stream->_flags |= 0x20;  // glibc's mark of a failed stream, which ferror() reads
    return 0;
}
int fflush(FILE* stream) {
    if (stream && __fwriting(stream) && streamFails(stream, kWrite)) return EOF;
    return NEXT(fflush)(stream);
}
int fclose(FILE* stream) {
    const bool fails = __fwriting(stream) && streamFails(stream, kWrite);
    const int error = errno;
    const int done = NEXT(fclose)(stream);
    if (!fails) return done;
    errno = error;
    return EOF;
}

// What a process wrote outlives its own death: only a power cut would need a true fsync, which takes most of a small
// run's time.
int fsync(int file) {
    const Place place(file);
    if (!place.counts()) return NEXT(fsync)(file);
    return place.fails(kSync) ? -1 : 0;
}
int fdatasync(int file) {
    const Place place(file);
    if (!place.counts()) return NEXT(fdatasync)(file);
    return place.fails(kSync) ? -1 : 0;
}

// ---- names ------------------------------------------------------------------------------------------------------

int rename(const char* from, const char* to) noexcept { return Place(to).fails(kRename) ? -1 : NEXT(rename)(from, to); }
int renameat(int fromFolder, const char* from, int toFolder, const char* to) noexcept {
    return Place(to, toFolder).fails(kRename) ? -1 : NEXT(renameat)(fromFolder, from, toFolder, to);
}
int unlink(const char* path) noexcept { return Place(path).fails(kUnlink) ? -1 : NEXT(unlink)(path); }
int unlinkat(int folder, const char* path, int flags) noexcept {
    return Place(path, folder).fails(kUnlink) ? -1 : NEXT(unlinkat)(folder, path, flags);
}
int remove(const char* path) noexcept { return Place(path).fails(kUnlink) ? -1 : NEXT(remove)(path); }
int rmdir(const char* path) noexcept { return Place(path).fails(kUnlink) ? -1 : NEXT(rmdir)(path); }
int mkdir(const char* path, mode_t mode) noexcept { return Place(path).fails(kMkdir) ? -1 : NEXT(mkdir)(path, mode); }

// ---- memory and threads -----------------------------------------------------------------------------------------

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept {
    if (settings.ready && marked && !inside && fails(kMap, "map")) return MAP_FAILED;
    return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, protection, flags, file, offset));
}
void* mmap64(void* at, size_t size, int protection, int flags, int file, off64_t offset) noexcept {
    return mmap(at, size, protection, flags, file, offset);
}

void* malloc(size_t size) noexcept { return allocationFails(size) ? nullptr : __libc_malloc(size); }
void* calloc(size_t count, size_t size) noexcept {
    return allocationFails(count * size) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) noexcept {
    if (allocationFails(size)) return nullptr;
    giveBack(old);
    return __libc_realloc(old, size);
}
void free(void* memory) noexcept {
    giveBack(memory);
    __libc_free(memory);
}
void* memalign(size_t alignment, size_t size) noexcept {
    return allocationFails(size) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** to, size_t alignment, size_t size) noexcept {
    void* const made = memalign(alignment, size);
    if (!made) return ENOMEM;
    *to = made;
    return 0;
}

// Only what std::thread makes: a graphics driver's own threads are not under test.
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) noexcept {
    Dl_info caller{};
    const bool ours =
        dladdr(__builtin_return_address(0), &caller) && caller.dli_fname && std::strstr(caller.dli_fname, "libstdc++");
    if (ours && settings.ready && marked && fails(kThread, "thread")) return settings.error;
    return NEXT(pthread_create)(thread, attributes, body, argument);
}
}
