#include "solver/state.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <type_traits>

#include "solver/core/hash.h"

namespace purl {
namespace {

// A state file: these eight bytes, the hash of the state, then the fields in the order of `walk`, as they lie in
// memory.
constexpr char kMagic[8] = {'p', 'u', 'r', 'l', 's', 't', '0', '1'};

// visits every field of a state in one fixed order: numbers, vectors of plain values, buffers.
template <class StateRef, class Visit>
void walk(StateRef& state, Visit&& visit) {
    visit(state.time);
    visit(state.lastStep);
    visit(state.nextId);
    state.particles.channels([&](const char*, auto& channel) { visit(channel); });
    auto colliders = state.colliders.size();
    visit(colliders);
    if constexpr (!std::is_const_v<StateRef>) state.colliders.resize(colliders);
    for (auto& place : state.colliders) {
        visit(place.pose.position);
        visit(place.pose.axes);
        visit(place.vertices);
    }
    visit(state.emitted);
}

struct Digest {
    Hash hash;

    template <class T>
    void operator()(const Buffer<T>& values) {
        hash.addBytes(values.data(), sizeof(T) * static_cast<size_t>(values.size()));
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        hash.add(values);
    }
    template <class T>
    void operator()(const T& value) {
        hash.addBytes(&value, sizeof value);
    }
};

struct Write {
    std::ofstream& out;

    void bytes(const void* data, size_t size) { out.write(static_cast<const char*>(data), std::streamsize(size)); }
    template <class T>
    void array(const T* data, size_t count) {
        const uint64_t stored = count;
        bytes(&stored, sizeof stored);
        bytes(data, sizeof(T) * count);
    }
    template <class T>
    void operator()(const Buffer<T>& values) {
        array(values.data(), static_cast<size_t>(values.size()));
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        array(values.data(), values.size());
    }
    template <class T>
    void operator()(const T& value) {
        bytes(&value, sizeof value);
    }
};

struct Read {
    std::ifstream& in;
    uint64_t left;  // bytes of the file not read yet: no count may claim more

    void bytes(void* data, size_t size) {
        if (size > left || !in.read(static_cast<char*>(data), std::streamsize(size)))
            throw Error("cut short; resume from an earlier frame");
        left -= size;
    }
    size_t count(size_t elementSize) {
        uint64_t stored = 0;
        bytes(&stored, sizeof stored);
        if (stored > left / elementSize) throw Error("damaged; resume from an earlier frame");
        return static_cast<size_t>(stored);
    }
    template <class T>
    void operator()(Buffer<T>& values) {
        values.resize(static_cast<int>(count(sizeof(T))));
        bytes(values.data(), sizeof(T) * static_cast<size_t>(values.size()));
    }
    template <class T>
    void operator()(std::vector<T>& values) {
        values.resize(count(sizeof(T)));
        bytes(values.data(), sizeof(T) * values.size());
    }
    void operator()(size_t& colliders) {
        bytes(&colliders, sizeof colliders);
        if (colliders > left) throw Error("damaged; resume from an earlier frame");
    }
    template <class T>
    void operator()(T& value) {
        bytes(&value, sizeof value);
    }
};

}  // namespace

uint64_t hashOf(const State& state) {
    Digest digest;
    walk(state, digest);
    return digest.hash.value();
}

void saveState(const State& state, const std::string& path) {
    const std::string part = path + ".part";
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    const uint64_t hash = hashOf(state);
    out.write(kMagic, sizeof kMagic);
    out.write(reinterpret_cast<const char*>(&hash), sizeof hash);
    walk(state, Write{out});
    out.close();
    if (!out || std::rename(part.c_str(), path.c_str()) != 0) {
        const std::string reason = std::strerror(errno);
        std::remove(part.c_str());
        throw Error(path + ": cannot write: " + reason);
    }
}

State loadState(const std::string& path, const Device& device) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) throw Error(path + ": cannot read: " + std::strerror(errno));
    const auto size = static_cast<uint64_t>(in.tellg());
    in.seekg(0);
    State state(device);
    try {
        Read read{in, size};
        char magic[sizeof kMagic];
        uint64_t hash = 0;
        read.bytes(magic, sizeof magic);
        if (std::memcmp(magic, kMagic, sizeof kMagic) != 0) throw Error("not a state file of this version of Purl");
        read.bytes(&hash, sizeof hash);
        walk(state, read);
        if (hashOf(state) != hash) throw Error("damaged; resume from an earlier frame");
    } catch (const Error& error) { throw Error(path + ": " + error.what()); }
    return state;
}

}  // namespace purl
