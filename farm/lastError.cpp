#include "farm/lastError.h"

#include "solver/cache/file.h"
#include "solver/cache/folderLock.h"
#include "solver/core/error.h"
#include "solver/core/path.h"
#include "solver/core/system.h"

namespace purl {
namespace {

constexpr const char* kLastErrorName = "lastError.txt";

std::string lastErrorFile(const std::string& cache) { return toText(toPath(cache) / kLastErrorName); }

}  // namespace

void writeLastError(const std::string& cache, const std::string& message) {
    if (os::kindOf(cache) != os::Kind::folder || isBeingWritten(cache)) return;
    // The disk that made the run fail may refuse this as well.
    try {
        writeFile(lastErrorFile(cache), message + "\n");
    } catch (const Error&) {}
}

void removeLastError(const std::string& cache) { os::remove(lastErrorFile(cache)); }

std::string lastErrorOf(const std::string& cache) {
    constexpr uint64_t kMaxMessage = 1 << 16;
    if (os::kindOf(lastErrorFile(cache)) == os::Kind::none) return "";
    try {
        const std::string text = readFile(lastErrorFile(cache), kMaxMessage);
        return text.substr(0, text.find('\n'));
    } catch (const Error& error) { return error.what(); }
}

}  // namespace purl
