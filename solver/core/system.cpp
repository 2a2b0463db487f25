#ifndef _WIN32

    #include "solver/core/system.h"

    #include <dirent.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <sys/file.h>
    #include <sys/resource.h>
    #include <sys/stat.h>
    #include <sys/utsname.h>
    #include <time.h>
    #include <unistd.h>

    #include <algorithm>
    #include <cerrno>
    #include <chrono>
    #include <cstdio>
    #include <cstdlib>
    #include <fstream>

namespace purl::os {
namespace {

int opened(const std::string& path, int how, int& file) {
    file = ::open(path.c_str(), how | O_CLOEXEC, 0666);
    return file < 0 ? errno : 0;
}

int result(int status) { return status == 0 ? 0 : errno; }
// EINVAL: the file system does not support this.
int synced(int status) { return status == 0 || errno == EINVAL ? 0 : errno; }

}  // namespace

int openToRead(const std::string& path, int& file, FileInfo& info) {
    if (const int error = opened(path, O_RDONLY | O_NONBLOCK, file)) return error;
    struct stat about {};
    if (::fstat(file, &about) != 0) {
        const int error = errno;
        ::close(file);
        return error;
    }
    info = {S_ISREG(about.st_mode), S_ISDIR(about.st_mode), static_cast<uint64_t>(about.st_size)};
    return 0;
}

int create(const std::string& path, int& file) { return opened(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, file); }

int openOrCreate(const std::string& path, int& file) {
    return opened(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, file);
}

int close(int file) { return result(::close(file)); }

int writeAt(int file, uint64_t offset, const char* bytes, size_t size) {
    while (size > 0) {
        const ssize_t written = ::pwrite(file, bytes, size, static_cast<off_t>(offset));
        if (written < 0 && errno != EINTR) return errno;
        if (written <= 0) continue;
        bytes += written;
        offset += static_cast<uint64_t>(written);
        size -= static_cast<size_t>(written);
    }
    return 0;
}

int readAt(int file, uint64_t offset, char* bytes, size_t size) {
    while (size > 0) {
        const ssize_t got = ::pread(file, bytes, size, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? errno : EIO;
        bytes += got;
        offset += static_cast<uint64_t>(got);
        size -= static_cast<size_t>(got);
    }
    return 0;
}

std::string readStart(int file, size_t size) {
    std::string bytes(size, '\0');
    const ssize_t got = ::pread(file, bytes.data(), size, 0);
    bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return bytes;
}

int resize(int file, uint64_t bytes) { return result(::ftruncate(file, static_cast<off_t>(bytes))); }

int sync(int file) { return synced(::fsync(file)); }

int syncContent(int file) {
    #ifdef __APPLE__
    return synced(::fsync(file));
    #else
    return synced(::fdatasync(file));
    #endif
}

int syncFolder(const std::string& path) {
    int folder = -1;
    if (const int error = opened(path, O_RDONLY | O_DIRECTORY, folder)) return error;
    const int error = synced(::fsync(folder));
    ::close(folder);
    return error;
}

int rename(const std::string& from, const std::string& to) { return result(std::rename(from.c_str(), to.c_str())); }

int remove(const std::string& path) { return result(::unlink(path.c_str())); }

Kind kindOf(const std::string& path, Links links) {
    struct stat about {};
    if ((links == Links::follow ? ::stat(path.c_str(), &about) : ::lstat(path.c_str(), &about)) != 0) return Kind::none;
    if (S_ISREG(about.st_mode)) return Kind::file;
    if (S_ISDIR(about.st_mode)) return Kind::folder;
    return S_ISLNK(about.st_mode) ? Kind::link : Kind::other;
}

int makeFolder(const std::string& path) { return result(::mkdir(path.c_str(), 0777)); }

int removeFolder(const std::string& path) { return result(::rmdir(path.c_str())); }

int namesIn(const std::string& path, std::vector<std::string>& names) {
    DIR* const folder = ::opendir(path.c_str());
    if (!folder) return errno;
    errno = 0;
    while (const dirent* entry = ::readdir(folder))
        if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
    const int error = errno;
    ::closedir(folder);
    return error;
}

bool isAt(const std::string& path, int file) {
    struct stat open {
    }, named{};
    return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

Lock lock(int file) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return Lock::taken;
    return errno == EWOULDBLOCK ? Lock::held : Lock::unsupported;
}

void unlock(int file) { ::flock(file, LOCK_UN); }

void* allocateAligned(size_t alignment, size_t bytes) { return std::aligned_alloc(alignment, bytes); }
void freeAligned(void* memory) { std::free(memory); }

long processId() { return static_cast<long>(::getpid()); }

bool isAlive(long process) { return process > 0 && (::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM); }

std::string hostName() {
    char name[256] = {};
    if (::gethostname(name, sizeof name - 1) != 0 || !name[0]) return "unknown";
    return name;
}

std::string utcTime() {
    char text[32] = {};
    const std::time_t now = std::time(nullptr);
    std::tm calendar{};
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&now, &calendar));
    return text;
}

double physicalBytes() { return double(::sysconf(_SC_PHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE)); }

double residentBytes() {
    long pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    return double(pages) * double(::sysconf(_SC_PAGESIZE));
}

double peakResidentBytes() {
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    #ifdef __APPLE__
    return double(usage.ru_maxrss);
    #else
    return 1024.0 * double(usage.ru_maxrss);
    #endif
}

std::string systemName() {
    utsname about;
    return ::uname(&about) == 0 ? std::string(about.sysname) + " " + about.machine : "";
}

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(std::min(line.find(':') + 2, line.size()));
    return "";
}

void setEnvironment(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }

double threadSeconds() {
    timespec now;
    if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0) return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool isTerminal(std::FILE* stream) { return ::isatty(::fileno(stream)) != 0; }

std::vector<std::string> commandLine(int count, char** words) { return {words, words + count}; }

void prepareStandardStreams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
        // open() returns the lowest free descriptor: this one.
        const int held = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (held != stream && held >= 0) ::close(held);
    }
    ::signal(SIGPIPE, SIG_IGN);
}

void reportFileSizeLimit() { ::signal(SIGXFSZ, SIG_IGN); }

}  // namespace purl::os

#endif
