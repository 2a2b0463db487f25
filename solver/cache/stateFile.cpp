#include "solver/cache/stateFile.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "solver/cache/file.h"
#include "solver/core/hostView.h"
#include "solver/stateCheck.h"

namespace purl {
namespace {

// A state file consists of these eight bytes, the hash of the state, and its fields in the order of visitFields.
constexpr char kMagic[8] = {'p', 'u', 'r', 'l', 's', 't', '1', '4'};

// Serializes fields in their memory representation.
template <class Out>
struct Pack {
    Out& out;

    void add(const void* data, size_t size) { out.append(static_cast<const char*>(data), size); }
    template <class T>
    void array(const T* data, size_t count) {
        const uint64_t stored = count;
        add(&stored, sizeof stored);
        add(data, sizeof(T) * count);
    }
    template <class T>
    void operator()(const Buffer<T>& values) {
        array(readOnHost(values).data(), static_cast<size_t>(values.size()));
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        array(values.data(), values.size());
    }
    template <class T>
    void operator()(const T& value) {
        add(&value, sizeof value);
    }
};

// Deserializes them. Counts are checked against the size of the file.
struct Unpack {
    const std::string& bytes;
    size_t at = 0;

    size_t left() const { return bytes.size() - at; }
    void take(void* data, size_t size) {
        if (size > left()) throw Error("truncated; resume from an earlier frame");
        if (size) std::memcpy(data, bytes.data() + at, size);
        at += size;
    }
    size_t count(size_t elementSize) {
        uint64_t stored = 0;
        take(&stored, sizeof stored);
        if (stored > std::min<size_t>(left() / elementSize, std::numeric_limits<int>::max()))
            throw Error("damaged; resume from an earlier frame");
        return static_cast<size_t>(stored);
    }
    template <class T>
    void operator()(Buffer<T>& values) {
        values.resize(static_cast<int>(count(sizeof(T))));
        take(writeOnHost(values).data(), values.bytes());
    }
    template <class T>
    void operator()(std::vector<T>& values) {
        values.resize(count(sizeof(T)));
        take(values.data(), sizeof(T) * values.size());
    }
    // The number of ColliderPlaces that follow.
    void operator()(size_t& places) {
        constexpr size_t kLeast =
            sizeof(Pose) + sizeof(uint64_t) + 2 * sizeof(Vec3) + sizeof(int);  // minimum bytes of one
        places = count(kLeast);
    }
    template <class T>
    void operator()(T& value) {
        take(&value, sizeof value);
    }
};

}  // namespace

namespace {

template <class Out>
void packState(const State& state, Out& out) {
    Pack<Out> pack{out};
    pack.add(kMagic, sizeof kMagic);
    pack(hashOf(state));
    visitFields(state, pack);
}

// Buffers small writes.
struct BufferedFile {
    static constexpr size_t kPiece = 1 << 20;
    AtomicFile& file;
    std::string bytes;

    void append(const char* data, size_t size) {
        if (bytes.size() + size > kPiece) flush();
        if (size > kPiece)
            file.append(data, size);
        else
            bytes.append(data, size);
    }
    void flush() {
        file.append(bytes);
        bytes.clear();
    }
};

}  // namespace

std::string encodeState(const State& state) {
    std::string bytes;
    packState(state, bytes);
    return bytes;
}

void saveState(const State& state, const std::string& path) {
    AtomicFile file(path);
    BufferedFile gathered{file, {}};
    packState(state, gathered);
    gathered.flush();
    file.finish();
}

State loadState(const std::string& path, const Device& device) { return decodeState(readFile(path), path, device); }

State decodeState(const std::string& bytes, const std::string& path, const Device& device) {
    State state(device);
    try {
        Unpack unpack{bytes};
        char magic[sizeof kMagic];
        uint64_t hash = 0;
        unpack.take(magic, sizeof magic);
        if (std::memcmp(magic, kMagic, sizeof kMagic) != 0) throw Error("not a state file of this version of Purl");
        unpack.take(&hash, sizeof hash);
        visitFields(state, unpack);
        if (hashOf(state) != hash || unpack.left() > 0) throw Error("damaged; resume from an earlier frame");
        checkState(state);
    } catch (const Error& error) { throw Error(path + ": " + error.what()); }
    return state;
}

}  // namespace purl
