// Reads whole scene and script files, with a size limit, from regular files only.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace purl::host {

constexpr std::uintmax_t kMaxSceneBytes = std::uintmax_t(2) << 30;   // size limit of a .ma file
constexpr std::uintmax_t kMaxScriptBytes = std::uintmax_t(4) << 20;  // size limit of a .mel file

// Returns the text of a file. Throws Error if the file cannot be read, is not a regular file (a pipe or a device may
// never end), is larger than maxBytes or contains a NUL byte; throws Interrupted if the user cancels. `kind` names the
// expected file type in messages, e.g. ".ma file". `check` is called with the first bytes before the rest is read, and
// may throw.
std::string readTextFile(const std::string& path, const std::string& kind, std::uintmax_t maxBytes,
                         const std::function<void(std::string_view)>& check = {});

}  // namespace purl::host
