// Caches of a few small frames, and what their folders hold.
#pragma once
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "solver/cache/cacheWriter.h"
#include "solver/cache/stateFile.h"
#include "solver/cache/stateFolder.h"
#include "tests/solver/cache/frames.h"

namespace purl {

inline std::vector<int> writeFrames(CacheWriter& writer, int first, int last) {
    std::vector<int> numbers;
    for (int n = first; n <= last; ++n) {
        writer.write(n, frameNumbered(n));
        numbers.push_back(n);
    }
    return numbers;
}

// A cache that is finished.
inline void cacheOf(const std::string& directory, int first, int last, const CacheSettings& settings = {}) {
    CacheWriter writer(directory, settings);
    writeFrames(writer, first, last);
    writer.finish();
}

inline std::vector<std::string> listing(const std::string& directory) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

inline void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

// Changes one bit in the middle of a file.
inline void damage(const std::string& path) {
    std::string bytes = readFile(path);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    put(path, bytes);
}

// A state that differs with its number, and a frame that says it was made from it.
inline State stateNumbered(int number) {
    State state;
    state.time = number;
    state.nextId = 3;
    state.particles.resize(3);
    for (int i = 0; i < 3; ++i) {
        state.particles.x[i] = {static_cast<float>(number), static_cast<float>(i), 0};
        state.particles.id[i] = i;
    }
    return state;
}
inline Frame frameOfState(int number, int particles = 20) {
    Frame frame = frameNumbered(number, particles);
    frame.stateHash = hashOf(stateNumbered(number));
    return frame;
}

// Where to put files that need no disk: four times as many walks of CacheModel in a minute.
inline std::filesystem::path memoryFolder() {
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path();
}

// Files may not grow beyond this while it lives: a disk that is full.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit before_{};
    sighandler_t handler_;
};

}  // namespace purl
