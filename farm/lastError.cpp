#include "farm/lastError.h"

#include <filesystem>

#include "solver/cache/file.h"
#include "solver/cache/folderLock.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace purl {
namespace {

constexpr const char* kLastErrorName = "lastError.txt";

std::string lastErrorFile(const std::string& cache) { return toText(toPath(cache) / kLastErrorName); }

}  // namespace

void writeLastError(const std::string& cache, const std::string& message) {
    std::error_code none;
    if (!std::filesystem::is_directory(cache, none) || isBeingWritten(cache)) return;
    // The disk that made the run fail may refuse this as well.
    try {
        writeFile(lastErrorFile(cache), message + "\n");
    } catch (const Error&) {}
}

void removeLastError(const std::string& cache) {
    std::error_code none;
    std::filesystem::remove(lastErrorFile(cache), none);
}

std::string lastErrorOf(const std::string& cache) {
    constexpr uint64_t kMaxMessage = 1 << 16;
    std::error_code none;
    if (!std::filesystem::exists(lastErrorFile(cache), none)) return "";
    try {
        const std::string text = readFile(lastErrorFile(cache), kMaxMessage);
        return text.substr(0, text.find('\n'));
    } catch (const Error& error) { return error.what(); }
}

}  // namespace purl
