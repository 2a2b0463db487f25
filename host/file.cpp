#include "host/file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "host/graph/object.h"
#include "host/interrupt.h"
#include "solver/core/path.h"

namespace purl::host {

namespace fs = std::filesystem;

std::string readTextFile(const std::string& path, const std::string& kind, std::uintmax_t maxBytes,
                         const std::function<void(std::string_view)>& check) {
    std::error_code error;
    const fs::file_status status = fs::status(toPath(path), error);
    if (!fs::exists(status)) throw Error(path + ": no such file");
    if (fs::is_directory(status)) throw Error(path + ": is a folder; expected a " + kind);
    if (!fs::is_regular_file(status)) throw Error(path + ": is a device or a pipe; expected a " + kind);
    const std::uintmax_t size = fs::file_size(toPath(path), error);
    if (error) throw Error(path + ": cannot be read");
    if (size > maxBytes)
        throw Error(path + ": is larger than " + std::to_string(maxBytes >> 20) + " MB, the size limit of a " + kind);
    std::ifstream file(toSystemPath(path), std::ios::binary);
    if (!file) throw Error(path + ": cannot be opened");

    constexpr std::size_t kHeadBytes = 1 << 12, kChunkBytes = 1 << 24;
    std::string text;
    while (text.size() < size) {
        throwIfInterrupted();
        const std::size_t begin = text.size(), part = begin == 0 ? kHeadBytes : kChunkBytes;
        text.resize(begin + std::size_t(std::min<std::uintmax_t>(part, size - begin)));
        file.read(text.data() + begin, static_cast<std::streamsize>(text.size() - begin));
        if (file.gcount() != static_cast<std::streamsize>(text.size() - begin)) throw Error(path + ": cannot be read");
        const std::size_t nul = text.find('\0', begin);
        if (nul != std::string::npos)
            throw Error(path + ": has a NUL byte at " + std::to_string(nul) +
                        "; the file is damaged or not a text file");
        if (begin == 0 && check) check(text);
    }
    if (text.empty() && check) check(text);
    return text;
}

}  // namespace purl::host
