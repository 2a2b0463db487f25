// Paths as text are UTF-8 with forward slashes on every system. std::filesystem would take them for the system's code
// page on Windows, so every path goes through these functions. Header only: host/ uses it too.
#pragma once
#include <cstdio>
#include <filesystem>
#include <string>

namespace purl {

inline std::filesystem::path toPath(const std::string& text) {
    std::filesystem::path path = std::filesystem::u8path(text);
#ifdef _WIN32
    // Windows limits paths to 260 characters (248 of a folder) unless they are absolute and begin with \\?\.
    constexpr size_t kMaxPlain = 230;  // room for a file name's ending
    if (path.native().size() >= kMaxPlain && path.native().compare(0, 2, L"\\\\") != 0) {
        std::error_code failed;
        const std::filesystem::path full = std::filesystem::absolute(path, failed).lexically_normal().make_preferred();
        if (!failed) path = L"\\\\?\\" + full.native();
    }
#endif
    return path;
}

inline std::string toText(const std::filesystem::path& path) {
    std::string text = path.generic_u8string();
#ifdef _WIN32
    if (text.compare(0, 4, "//?/") == 0) text.erase(0, 4);
#endif
    return text;
}

// std::fopen for a UTF-8 path. `x` (refuse an existing file) has no effect on Windows.
inline std::FILE* openStream(const std::string& path, const char* mode) {
#ifdef _WIN32
    std::wstring wide;
    for (; *mode; ++mode)
        if (*mode != 'x' && *mode != 'e') wide += static_cast<wchar_t>(*mode);
    return ::_wfopen(toPath(path).c_str(), (wide + L"N").c_str());  // N: child processes do not inherit it
#else
    return std::fopen(path.c_str(), mode);
#endif
}

}  // namespace purl
