#include "tests/solver/cache/fileFaults.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "solver/cache/file.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {

FileOperations& fileOperations() {
    static FileOperations operations;
    return operations;
}

void endWithParent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

namespace {

// Whether the call that is about to be made is the last.
bool isLast() {
    FileOperations& all = fileOperations();
    return ++all.calls == all.killAt;
}
[[noreturn]] void end() { _exit(FileOperations::kKilled); }
void countCall() {
    if (isLast()) end();
}
template <class... Arguments>
int call(long number, Arguments... arguments) {
    countCall();
    return static_cast<int>(syscall(number, arguments...));
}
int sync(long number, int file) {
    ++fileOperations().syncs;
    countCall();
    const int status = fileOperations().skipSyncs ? 0 : static_cast<int>(syscall(number, file));
    if (status == 0 && fileOperations().onSync) fileOperations().onSync(file);
    return status;
}

}  // namespace
}  // namespace purl

// In the place of the C library's, for all of the program and its libraries.
#pragma GCC visibility push(default)
extern "C" {
int rename(const char* from, const char* to) noexcept { return purl::call(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to); }
int unlink(const char* path) noexcept { return purl::call(SYS_unlinkat, AT_FDCWD, path, 0); }
int rmdir(const char* path) noexcept { return purl::call(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char* path) noexcept {
    struct stat about {};
    const bool folder = lstat(path, &about) == 0 && S_ISDIR(about.st_mode);
    return folder ? rmdir(path) : unlink(path);
}
int mkdir(const char* path, mode_t mode) noexcept { return purl::call(SYS_mkdirat, AT_FDCWD, path, mode); }
int ftruncate(int file, off_t size) noexcept { return purl::call(SYS_ftruncate, file, size); }
int fsync(int file) { return purl::sync(SYS_fsync, file); }
int fdatasync(int file) { return purl::sync(SYS_fdatasync, file); }
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    purl::fileOperations().bytes += static_cast<int64_t>(size);
    if (purl::isLast()) {
        syscall(SYS_pwrite64, file, bytes, size / 2, offset);
        purl::end();
    }
    return syscall(SYS_pwrite64, file, bytes, size, offset);
}
}
#pragma GCC visibility pop

namespace purl {
namespace {

TEST(FileFaults, endTheProcessAtTheCallAskedFor) {
    Folder folder;
    for (int killAt = 1; killAt < 20; ++killAt) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            fileOperations().calls = 0;
            fileOperations().killAt = killAt;
            writeFile(folder / "a", "whole");
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        const bool renamed = killAt > 4;  // unlink of an old part, pwrite, fsync, rename, fsync of the folder
        ASSERT_EQ(WEXITSTATUS(status), killAt <= 5 ? FileOperations::kKilled : 0) << killAt;
        EXPECT_EQ(std::filesystem::exists(folder / "a"), renamed) << killAt;
        EXPECT_EQ(std::filesystem::exists(folder / "a.part"), !renamed && killAt > 1) << killAt;
        if (killAt == 2) { EXPECT_EQ(readFile(folder / "a.part"), "wh"); }
    }
}

}  // namespace
}  // namespace purl
