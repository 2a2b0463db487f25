#ifdef _WIN32

    #ifndef NOMINMAX
        #define NOMINMAX
    #endif
    #define WIN32_LEAN_AND_MEAN
    #include "solver/core/system.h"

    #include <windows.h>
    // These need windows.h before them.
    #include <fcntl.h>
    #include <io.h>
    #include <malloc.h>
    #include <psapi.h>
    #include <shellapi.h>
    #include <winioctl.h>

    #include <algorithm>
    #include <cerrno>
    #include <cstdio>
    #include <cstring>
    #include <ctime>

    #include "solver/core/path.h"

namespace purl::os {
namespace {

// errno of GetLastError().
int lastError() {
    switch (::GetLastError()) {
        case ERROR_FILE_NOT_FOUND:
        case ERROR_PATH_NOT_FOUND:
        case ERROR_INVALID_NAME:
        case ERROR_BAD_NETPATH: return ENOENT;
        case ERROR_ACCESS_DENIED:
        case ERROR_SHARING_VIOLATION:
        case ERROR_LOCK_VIOLATION:
        case ERROR_WRITE_PROTECT: return EACCES;
        case ERROR_FILE_EXISTS:
        case ERROR_ALREADY_EXISTS: return EEXIST;
        case ERROR_DISK_FULL:
        case ERROR_HANDLE_DISK_FULL: return ENOSPC;
        case ERROR_FILE_TOO_LARGE: return EFBIG;
        case ERROR_TOO_MANY_OPEN_FILES: return EMFILE;
        case ERROR_NOT_ENOUGH_MEMORY:
        case ERROR_OUTOFMEMORY: return ENOMEM;
        case ERROR_FILENAME_EXCED_RANGE: return ENAMETOOLONG;
        case ERROR_DIRECTORY: return ENOTDIR;
        case ERROR_INVALID_FUNCTION:
        case ERROR_NOT_SUPPORTED: return EINVAL;
        default: return EIO;
    }
}

std::string utf8(const wchar_t* wide) {
    const int size = ::WideCharToMultiByte(CP_UTF8, 0, wide, -1, nullptr, 0, nullptr, nullptr);
    std::string text(static_cast<size_t>(std::max(size, 1)), '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, wide, -1, text.data(), size, nullptr, nullptr);
    text.pop_back();  // the final NUL
    return text;
}

HANDLE handleOf(int file) { return reinterpret_cast<HANDLE>(::_get_osfhandle(file)); }

// Others may read, rename and remove the file meanwhile, as on POSIX.
constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE openHandle(const std::string& path, DWORD access, DWORD disposition, DWORD flags) {
    return ::CreateFileW(toSystemPath(path).c_str(), access, kShared, nullptr, disposition, flags, nullptr);
}

bool isFolder(const std::string& path) { return kindOf(path) == Kind::folder; }

int opened(const std::string& path, DWORD access, DWORD disposition, DWORD flags, int how, int& file) {
    file = -1;
    const HANDLE handle = openHandle(path, access, disposition, FILE_ATTRIBUTE_NORMAL | flags);
    if (handle == INVALID_HANDLE_VALUE) {
        const int error = lastError();
        return error == EACCES && isFolder(path) ? EISDIR : error;
    }
    file = ::_open_osfhandle(reinterpret_cast<intptr_t>(handle), how | _O_BINARY | _O_NOINHERIT);
    if (file >= 0) return 0;
    ::CloseHandle(handle);
    return EMFILE;
}

OVERLAPPED placeOf(uint64_t offset) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    return place;
}

constexpr size_t kMaxTransfer = size_t(1) << 30;  // ReadFile and WriteFile count in 32 bits

// Virus scanners and indexers open new files for a moment and so keep others from renaming or removing them.
template <class Attempt>
int withRetries(Attempt attempt) {
    constexpr int kTries = 50;
    constexpr DWORD kPause = 20;  // ms
    for (int tries = 1;; ++tries) {
        if (attempt()) return 0;
        const DWORD why = ::GetLastError();
        if (tries == kTries || (why != ERROR_ACCESS_DENIED && why != ERROR_SHARING_VIOLATION)) {
            ::SetLastError(why);
            return lastError();
        }
        ::Sleep(kPause);
    }
}

// MoveFileEx does not replace a file that someone, like this process itself, has open. A rename with the semantics of
// POSIX does, from Windows 10 (1709) on and on NTFS. Elsewhere, as in wine 8, the open file is moved aside and removed,
// with a short moment in which neither has the name.
bool replaceOpenFile(const std::filesystem::path& from, const std::filesystem::path& to) {
    constexpr auto kRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // not in every header
    constexpr DWORD kReplace = 1, kPosixSemantics = 2;
    const HANDLE file = ::CreateFileW(from.c_str(), DELETE | SYNCHRONIZE, kShared, nullptr, OPEN_EXISTING, 0, nullptr);
    if (file == INVALID_HANDLE_VALUE) return false;
    const std::wstring name = std::filesystem::absolute(to).native();
    std::vector<uint64_t> memory((sizeof(FILE_RENAME_INFO) + name.size() * sizeof(wchar_t)) / sizeof(uint64_t) + 1);
    auto* const info = reinterpret_cast<FILE_RENAME_INFO*>(memory.data());
    const DWORD flags = kReplace | kPosixSemantics;
    std::memcpy(info, &flags, sizeof flags);  // instead of ReplaceIfExists
    info->FileNameLength = static_cast<DWORD>(name.size() * sizeof(wchar_t));
    std::memcpy(info->FileName, name.data(), name.size() * sizeof(wchar_t));
    const auto bytes = static_cast<DWORD>(memory.size() * sizeof(uint64_t));
    const bool renamed = ::SetFileInformationByHandle(file, kRenameInfoEx, info, bytes) != 0;
    ::CloseHandle(file);
    if (renamed) return true;

    std::filesystem::path aside = to;
    aside += L".old";
    ::DeleteFileW(aside.c_str());
    if (!::MoveFileExW(to.c_str(), aside.c_str(), 0)) return false;
    const bool moved = ::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_WRITE_THROUGH) != 0;
    if (!moved) ::MoveFileExW(aside.c_str(), to.c_str(), 0);
    ::DeleteFileW(aside.c_str());
    return moved;
}

// A lock of Windows keeps others from reading what it covers: it lies far behind the content.
constexpr uint64_t kLockPlace = uint64_t(1) << 62;

double secondsOf(const FILETIME& time) {
    return 1e-7 * double((uint64_t(time.dwHighDateTime) << 32) + time.dwLowDateTime);
}

}  // namespace

int openToRead(const std::string& path, int& file, FileInfo& info) {
    if (isFolder(path)) return EISDIR;
    if (const int error = opened(path, GENERIC_READ, OPEN_EXISTING, 0, _O_RDONLY, file)) return error;
    const HANDLE handle = handleOf(file);
    LARGE_INTEGER size{};
    info.regular = ::GetFileType(handle) == FILE_TYPE_DISK && ::GetFileSizeEx(handle, &size);
    info.bytes = static_cast<uint64_t>(size.QuadPart);
    return 0;
}

int create(const std::string& path, int& file) {
    return opened(path, GENERIC_WRITE, CREATE_NEW, FILE_FLAG_OPEN_REPARSE_POINT, _O_WRONLY, file);
}

int openOrCreate(const std::string& path, int& file) {
    const int error =
        opened(path, GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, FILE_FLAG_OPEN_REPARSE_POINT, _O_RDWR, file);
    if (error) return error;
    BY_HANDLE_FILE_INFORMATION about{};
    if (::GetFileInformationByHandle(handleOf(file), &about) &&
        (about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0)
        return 0;
    close(file);
    file = -1;
    return ELOOP;
}

int close(int file) { return ::_close(file) == 0 ? 0 : errno; }

int writeAt(int file, uint64_t offset, const char* bytes, size_t size) {
    while (size > 0) {
        OVERLAPPED place = placeOf(offset);
        DWORD written = 0;
        const auto part = static_cast<DWORD>(std::min(size, kMaxTransfer));
        if (!::WriteFile(handleOf(file), bytes, part, &written, &place)) return lastError();
        bytes += written;
        offset += written;
        size -= written;
    }
    return 0;
}

int readAt(int file, uint64_t offset, char* bytes, size_t size) {
    while (size > 0) {
        OVERLAPPED place = placeOf(offset);
        DWORD got = 0;
        const auto part = static_cast<DWORD>(std::min(size, kMaxTransfer));
        if (!::ReadFile(handleOf(file), bytes, part, &got, &place)) return lastError();
        if (got == 0) return EIO;
        bytes += got;
        offset += got;
        size -= got;
    }
    return 0;
}

std::string readStart(int file, size_t size) {
    std::string bytes(size, '\0');
    OVERLAPPED place = placeOf(0);
    DWORD got = 0;
    if (!::ReadFile(handleOf(file), bytes.data(), static_cast<DWORD>(size), &got, &place)) got = 0;
    bytes.resize(got);
    return bytes;
}

int resize(int file, uint64_t bytes) {
    FILE_END_OF_FILE_INFO end{};
    end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
    return ::SetFileInformationByHandle(handleOf(file), FileEndOfFileInfo, &end, sizeof end) ? 0 : lastError();
}

int sync(int file) {
    if (::FlushFileBuffers(handleOf(file))) return 0;
    const int error = lastError();
    return error == EINVAL ? 0 : error;
}

int syncContent(int file) { return sync(file); }

// Windows has no such call: NTFS journals its folders, and rename() writes through.
int syncFolder(const std::string& path) { return isFolder(path) ? 0 : ENOTDIR; }

int rename(const std::string& from, const std::string& to) {
    if (isFolder(to)) return EISDIR;
    const auto source = toSystemPath(from), target = toSystemPath(to);
    return withRetries([&] {
        if (::MoveFileExW(source.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            return true;
        const DWORD why = ::GetLastError();
        if (why != ERROR_ACCESS_DENIED) return false;
        if (replaceOpenFile(source, target)) return true;
        ::SetLastError(why);
        return false;
    });
}

int remove(const std::string& path) {
    const auto target = toSystemPath(path);
    return withRetries([&] { return ::DeleteFileW(target.c_str()) != 0; });
}

Kind kindOf(const std::string& path, Links links) {
    const auto name = toSystemPath(path);
    const DWORD attributes = ::GetFileAttributesW(name.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return Kind::none;
    if (links == Links::stay && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
        // Files that a cloud service holds are reparse points too, but no links.
        WIN32_FIND_DATAW about{};
        const HANDLE found = ::FindFirstFileW(name.c_str(), &about);
        if (found != INVALID_HANDLE_VALUE) ::FindClose(found);
        if (about.dwReserved0 == IO_REPARSE_TAG_SYMLINK || about.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT)
            return Kind::link;
    }
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return Kind::folder;
    return (attributes & FILE_ATTRIBUTE_DEVICE) != 0 ? Kind::other : Kind::file;
}

int makeFolder(const std::string& path) {
    return ::CreateDirectoryW(toSystemPath(path).c_str(), nullptr) ? 0 : lastError();
}

int removeFolder(const std::string& path) { return ::RemoveDirectoryW(toSystemPath(path).c_str()) ? 0 : lastError(); }

int namesIn(const std::string& path, std::vector<std::string>& names) {
    WIN32_FIND_DATAW about{};
    const HANDLE found = ::FindFirstFileW((toSystemPath(path) / L"*").c_str(), &about);
    if (found == INVALID_HANDLE_VALUE) return lastError();
    do {
        if (const std::string name = utf8(about.cFileName); name != "." && name != "..") names.push_back(name);
    } while (::FindNextFileW(found, &about));
    const int error = ::GetLastError() == ERROR_NO_MORE_FILES ? 0 : lastError();
    ::FindClose(found);
    return error;
}

bool isAt(const std::string& path, int file) {
    const HANDLE named = openHandle(path, 0, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS);
    if (named == INVALID_HANDLE_VALUE) return false;
    BY_HANDLE_FILE_INFORMATION a{}, b{};
    const bool known = ::GetFileInformationByHandle(named, &a) && ::GetFileInformationByHandle(handleOf(file), &b);
    ::CloseHandle(named);
    return known && a.dwVolumeSerialNumber == b.dwVolumeSerialNumber && a.nFileIndexHigh == b.nFileIndexHigh &&
           a.nFileIndexLow == b.nFileIndexLow;
}

Lock lock(int file) {
    OVERLAPPED place = placeOf(kLockPlace);
    if (::LockFileEx(handleOf(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place))
        return Lock::taken;
    const DWORD why = ::GetLastError();
    return why == ERROR_LOCK_VIOLATION || why == ERROR_IO_PENDING ? Lock::held : Lock::unsupported;
}

void unlock(int file) {
    OVERLAPPED place = placeOf(kLockPlace);
    ::UnlockFileEx(handleOf(file), 0, 1, 0, &place);
}

void* allocateAligned(size_t alignment, size_t bytes) { return ::_aligned_malloc(bytes, alignment); }
void freeAligned(void* memory) { ::_aligned_free(memory); }

long processId() { return static_cast<long>(::GetCurrentProcessId()); }

bool isAlive(long process) {
    if (process <= 0) return false;
    const HANDLE handle = ::OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(process));
    if (!handle) return ::GetLastError() == ERROR_ACCESS_DENIED;
    const bool alive = ::WaitForSingleObject(handle, 0) == WAIT_TIMEOUT;
    ::CloseHandle(handle);
    return alive;
}

std::string hostName() {
    wchar_t name[256] = {};
    DWORD size = 256;
    return ::GetComputerNameExW(ComputerNameDnsHostname, name, &size) && name[0] ? utf8(name) : "unknown";
}

std::string utcTime() {
    char text[32] = {};
    const std::time_t now = std::time(nullptr);
    std::tm calendar{};
    ::gmtime_s(&calendar, &now);
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &calendar);
    return text;
}

double physicalBytes() {
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof memory;
    return ::GlobalMemoryStatusEx(&memory) ? double(memory.ullTotalPhys) : 0;
}

double residentBytes() {
    PROCESS_MEMORY_COUNTERS memory{};
    return ::K32GetProcessMemoryInfo(::GetCurrentProcess(), &memory, sizeof memory) ? double(memory.WorkingSetSize) : 0;
}

double peakResidentBytes() {
    PROCESS_MEMORY_COUNTERS memory{};
    return ::K32GetProcessMemoryInfo(::GetCurrentProcess(), &memory, sizeof memory) ? double(memory.PeakWorkingSetSize)
                                                                                    : 0;
}

std::string systemName() {
    SYSTEM_INFO about{};
    ::GetNativeSystemInfo(&about);
    return about.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64 ? "Windows arm64" : "Windows x86_64";
}

std::string processorName() {
    wchar_t name[256] = {};
    DWORD size = sizeof name;
    const LSTATUS status = ::RegGetValueW(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                                          L"ProcessorNameString", RRF_RT_REG_SZ, nullptr, name, &size);
    return status == ERROR_SUCCESS ? utf8(name) : "";
}

void setEnvironment(const char* name, const std::string& value) {
    // The call without `w` would take UTF-8 for the system's code page.
    ::_wputenv_s(std::filesystem::u8path(name).c_str(), std::filesystem::u8path(value).c_str());
}

double threadSeconds() {
    FILETIME created{}, ended{}, kernel{}, user{};
    ::GetThreadTimes(::GetCurrentThread(), &created, &ended, &kernel, &user);
    return secondsOf(kernel) + secondsOf(user);
}

bool isTerminal(std::FILE* stream) { return ::_isatty(::_fileno(stream)) != 0; }

std::vector<std::string> commandLine(int count, char** words) {
    int found = 0;
    wchar_t** const wide = ::CommandLineToArgvW(::GetCommandLineW(), &found);
    if (!wide) return {words, words + count};
    std::vector<std::string> line;
    for (int k = 0; k < found; ++k) line.push_back(utf8(wide[k]));
    ::LocalFree(wide);
    return line;
}

void prepareStandardStreams() {
    ::SetConsoleOutputCP(CP_UTF8);
    // Progress lines move the cursor by escape sequences.
    const HANDLE terminal = ::GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode = 0;
    if (::GetConsoleMode(terminal, &mode)) ::SetConsoleMode(terminal, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    // Lines end alike on every system, so that the output can be compared.
    for (std::FILE* stream : {stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
}

void reportFileSizeLimit() {}  // such a write fails here anyway

}  // namespace purl::os

#endif
