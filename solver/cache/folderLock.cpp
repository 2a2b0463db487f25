#include "solver/cache/folderLock.h"

#include <sstream>

#include "solver/cache/file.h"
#include "solver/core/error.h"
#include "solver/core/machine.h"
#include "solver/core/path.h"
#include "solver/core/system.h"

namespace purl {
namespace {

// Content of the lock file: one line, "HOST PID SINCE", and the job if a scheduler runs the process.
struct Holder {
    std::string host, since, job;
    long pid = 0;

    bool isKnown() const { return !since.empty(); }
    std::string text() const { return "process " + std::to_string(pid) + " on " + host + ", since " + since; }
};

std::string lockPath(const std::string& directory) { return toText(toPath(directory) / kLockName); }

Holder parsed(const std::string& line) {
    Holder holder;
    std::istringstream words(line);
    words >> holder.host >> holder.pid >> holder.since >> holder.job;
    return holder;
}

std::string content(int file) { return os::readStart(file, 511); }

}  // namespace

FolderLock::FolderLock(const std::string& directory) : path_(lockPath(directory)), owner_(os::processId()) {
    const auto refuse = [&](const std::string& what) {
        os::close(file_);
        throw Error(what);
    };
    const auto refuseHolder = [&](const Holder& holder, const std::string& help) {
        os::close(file_);
        throw FolderBusy(directory + ": is being written by " + (holder.isKnown() ? holder.text() : "another process") +
                         "; " + help);
    };
    constexpr int kMaxTries = 100;  // other processes may acquire and release it at the same time
    for (int tries = 0; file_ < 0 && tries < kMaxTries; ++tries) {
        if (const int error = os::openOrCreate(path_, file_)) failToWrite(path_, error);
        const os::Lock lock = os::lock(file_);
        if (lock == os::Lock::taken && !os::isAt(path_, file_)) {
            os::close(file_);
            file_ = -1;
            continue;
        }
        const std::string line = content(file_);
        const Holder holder = parsed(line);
        if (lock == os::Lock::held) refuseHolder(holder, "wait for it, or choose another folder");
        if (line.empty()) break;
        if (!holder.isKnown()) refuse(path_ + ": was not written by Purl; move it away or choose another folder");
        // A scheduler starts a job again only once it is gone from its former machine.
        const bool sameJob = !holder.job.empty() && holder.job == schedulerJob();
        if (holder.host != machineName() && !sameJob) refuseHolder(holder, "if that process is dead, remove " + path_);
        // The file system does not support locks: check whether the process is alive.
        if (lock == os::Lock::unsupported && !sameJob && os::isAlive(holder.pid))
            refuseHolder(holder, "wait for it, or choose another folder");
        note_ = directory + ": " + holder.text() + ", ended without finishing; its lock was taken over";
    }
    if (file_ < 0) throw Error(directory + ": is being written by another process; wait for it");
    const std::string line = machineName() + " " + std::to_string(owner_) + " " + os::utcTime() +
                             (schedulerJob().empty() ? "" : " " + schedulerJob()) + "\n";
    int error = os::resize(file_, 0);
    if (!error) error = os::writeAt(file_, 0, line.data(), line.size());
    if (error) {
        os::close(file_);
        failToWrite(path_, error);
    }
}

FolderLock::~FolderLock() {
    // A forked child inherits the lock; only the process that acquired it removes it.
    if (owner_ == os::processId()) {
        if (os::isAt(path_, file_)) os::remove(path_);
        os::unlock(file_);
    }
    os::close(file_);
}

bool isBeingWritten(const std::string& directory) {
    int file = -1;
    os::FileInfo info;
    if (os::openToRead(lockPath(directory), file, info)) return false;
    const Holder holder = parsed(content(file));
    os::close(file);
    return holder.isKnown() && (holder.host != machineName() || os::isAlive(holder.pid));
}

}  // namespace purl
