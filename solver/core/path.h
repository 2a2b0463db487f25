// Paths as text are UTF-8 with forward slashes on every system. std::filesystem would take them for the system's code
// page on Windows, so every path goes through these functions. Header only: host/ uses it too.
#pragma once
#include <cstdio>
#include <filesystem>
#include <string>

namespace purl {

inline std::filesystem::path toPath(const std::string& text) { return std::filesystem::u8path(text); }

inline std::string toText(const std::filesystem::path& path) { return path.generic_u8string(); }

#ifdef _WIN32
// True for //server/share/file.
inline bool isOnShare(const std::string& path) {
    const auto isSlash = [](char c) { return c == '/' || c == '\\'; };
    return path.size() > 2 && isSlash(path[0]) && isSlash(path[1]);
}
#endif

// From the root on, without . and .. in it; empty stays empty.
inline std::string absolutePath(const std::string& path) {
#ifdef _WIN32
    // GCC's library would take a share for a folder of the current drive.
    if (isOnShare(path)) return "//" + toText(toPath(path.substr(2)).lexically_normal());
#endif
    std::error_code failed;
    const std::filesystem::path full = std::filesystem::absolute(toPath(path), failed);
    return failed ? path : toText(full.lexically_normal());
}

// As the functions of the system take it. Windows limits paths to 260 characters, and those of folders to 248, unless
// they begin with \\?\; such a path is taken as it stands.
inline std::filesystem::path toSystemPath(const std::string& path) {
#ifdef _WIN32
    constexpr size_t kMaxPlain = 230;  // room for the ending of a temporary file
    const std::string full = absolutePath(path);
    if (full.size() >= kMaxPlain && full.compare(0, 4, "//?/") != 0)
        return toPath(isOnShare(full) ? "//?/UNC" + full.substr(1) : "//?/" + full).make_preferred();
#endif
    return toPath(path);
}

// std::fopen for a UTF-8 path. `x` (refuse an existing file) has no effect on Windows.
inline std::FILE* openStream(const std::string& path, const char* mode) {
#ifdef _WIN32
    std::wstring wide;
    for (; *mode; ++mode)
        if (*mode != 'x' && *mode != 'e') wide += static_cast<wchar_t>(*mode);
    return ::_wfopen(toSystemPath(path).c_str(), (wide + L"N").c_str());  // N: child processes do not inherit it
#else
    return std::fopen(path.c_str(), mode);
#endif
}

}  // namespace purl
