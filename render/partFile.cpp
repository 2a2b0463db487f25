#include "render/partFile.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "solver/core/error.h"

namespace purl {

PartFile::PartFile(const std::string& path) : path_(path), part_(path + ".part") {
    ::unlink(part_.c_str());
    file_.reset(std::fopen(part_.c_str(), "wbxe"));  // x: O_EXCL, which follows no link
    if (!file_) throw Error(path_ + ": cannot write: " + std::strerror(errno));
}

PartFile::~PartFile() {
    if (!file_) return;
    file_.reset();
    ::unlink(part_.c_str());
}

void PartFile::fail(int error) {
    file_.reset();
    ::unlink(part_.c_str());
    throw Error(path_ + ": cannot write: " + std::strerror(error));
}

void PartFile::finish() {
    if (std::fflush(file_.get()) != 0) fail(errno);
    struct stat open {
    }, named{};
    if (::fstat(::fileno(file_.get()), &open) != 0 || ::lstat(part_.c_str(), &named) != 0) fail(errno);
    if (open.st_ino != named.st_ino || open.st_dev != named.st_dev) {
        file_.reset();  // and what is in its place stays: it is not ours
        throw Error(path_ + ": another program replaced " + part_ + " while it was written; write it again");
    }
    if (std::fclose(file_.release()) != 0 || std::rename(part_.c_str(), path_.c_str()) != 0) fail(errno);
}

}  // namespace purl
