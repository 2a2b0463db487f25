// The message of a run that failed, beside the cache that it was writing: lastError.txt. `purl status` shows it.
#pragma once
#include <string>

namespace purl {

// Does nothing if the folder does not exist or another process is writing to it. Never throws.
void writeLastError(const std::string& cache, const std::string& message);
// After a run that did not fail.
void removeLastError(const std::string& cache);
std::string lastErrorOf(const std::string& cache);  // empty if there is none

}  // namespace purl
