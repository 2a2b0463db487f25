#include "solver/cache/folderLock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "solver/cache/file.h"
#include "solver/core/error.h"
#include "solver/core/machine.h"

namespace purl {
namespace {

// Content of the lock file: one line, "HOST PID SINCE", and the job if a scheduler runs the process.
struct Holder {
    std::string host, since, job;
    long pid = 0;

    bool isKnown() const { return !since.empty(); }
    std::string text() const { return "process " + std::to_string(pid) + " on " + host + ", since " + since; }
};

std::string lockPath(const std::string& directory) { return (std::filesystem::path(directory) / kLockName).string(); }

Holder parsed(const std::string& line) {
    Holder holder;
    std::istringstream words(line);
    words >> holder.host >> holder.pid >> holder.since >> holder.job;
    return holder;
}

bool isAlive(long pid) { return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM); }

// True if the path still refers to the open file; its last holder may have removed it in the meantime.
bool isAt(const std::string& path, int file) {
    struct stat open {
    }, named{};
    return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
           open.st_dev == named.st_dev;
}

std::string content(int file) {
    char line[512] = {};
    const ssize_t size = ::pread(file, line, sizeof line - 1, 0);
    return size > 0 ? std::string(line, static_cast<size_t>(size)) : "";
}

}  // namespace

FolderLock::FolderLock(const std::string& directory)
    : path_(lockPath(directory)), owner_(static_cast<long>(::getpid())) {
    const auto refuse = [&](const std::string& what) {
        ::close(file_);
        throw Error(what);
    };
    const auto refuseHolder = [&](const Holder& holder, const std::string& help) {
        ::close(file_);
        throw FolderBusy(directory + ": is being written by " + (holder.isKnown() ? holder.text() : "another process") +
                         "; " + help);
    };
    constexpr int kMaxTries = 100;  // other processes may acquire and release it at the same time
    for (int tries = 0; file_ < 0 && tries < kMaxTries; ++tries) {
        file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (file_ < 0) failToWrite(path_, errno);
        const bool locked = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
        const int error = locked ? 0 : errno;
        if (locked && !isAt(path_, file_)) {
            ::close(file_);
            file_ = -1;
            continue;
        }
        const std::string line = content(file_);
        const Holder holder = parsed(line);
        if (!locked && error == EWOULDBLOCK) refuseHolder(holder, "wait for it, or choose another folder");
        if (line.empty()) break;
        if (!holder.isKnown()) refuse(path_ + ": was not written by Purl; move it away or choose another folder");
        // A scheduler starts a job again only once it is gone from its former machine.
        const bool sameJob = !holder.job.empty() && holder.job == schedulerJob();
        if (holder.host != machineName() && !sameJob) refuseHolder(holder, "if that process is dead, remove " + path_);
        // The file system does not support locks: check whether the process is alive.
        if (!locked && !sameJob && isAlive(holder.pid)) refuseHolder(holder, "wait for it, or choose another folder");
        note_ = directory + ": " + holder.text() + ", ended without finishing; its lock was taken over";
    }
    if (file_ < 0) throw FolderBusy(directory + ": is being written by another process; wait for it");
    char since[32] = {};
    const std::time_t now = std::time(nullptr);
    std::tm calendar{};
    std::strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&now, &calendar));
    const std::string line = machineName() + " " + std::to_string(owner_) + " " + since +
                             (schedulerJob().empty() ? "" : " " + schedulerJob()) + "\n";
    int error = ::ftruncate(file_, 0) == 0 ? 0 : errno;
    if (!error) error = writeAt(file_, 0, line.data(), line.size());
    if (error) {
        ::close(file_);
        failToWrite(path_, error);
    }
}

FolderLock::~FolderLock() {
    // A forked child inherits the lock; only the process that acquired it removes it.
    if (owner_ == static_cast<long>(::getpid())) {
        if (isAt(path_, file_)) ::unlink(path_.c_str());
        ::flock(file_, LOCK_UN);
    }
    ::close(file_);
}

bool isBeingWritten(const std::string& directory) {
    const int file = ::open(lockPath(directory).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    const Holder holder = parsed(content(file));
    ::close(file);
    return holder.isKnown() && (holder.host != machineName() || isAlive(holder.pid));
}

}  // namespace purl
