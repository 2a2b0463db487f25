// Reading the files that scenes and scripts are: whole, bounded, and only from a disk.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace purl::host {

constexpr std::uintmax_t kMaxSceneBytes = std::uintmax_t(2) << 30;   // of one .ma file
constexpr std::uintmax_t kMaxScriptBytes = std::uintmax_t(4) << 20;  // of one .mel file

// The text of a file. Throws Error where it cannot be read, is no regular file (a pipe or a device may never end), is
// larger than maxBytes or holds a NUL byte; Interrupted where a person asks for it. `kind` is what is expected: ".ma
// file". `check` sees the beginning before the rest is read, and may throw.
std::string readTextFile(const std::string& path, const std::string& kind, std::uintmax_t maxBytes,
                         const std::function<void(std::string_view)>& check = {});

}  // namespace purl::host
