// What libFuzzer may try: a program has a list of readers, and PURL_READER names the one. Whatever the bytes are, it
// gives what it read or throws Error.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace purl {

using Bytes = std::string;
using Random = std::minstd_rand;

struct Reader {
    const char* name;
    void (*read)(const Bytes&);
    std::vector<Bytes> (*seeds)();  // whole files to begin from
    // Changes a file so that its structure, or its hash, stays right; null: any bytes are changed. The result may be
    // longer than `limit`: then it is not tried.
    void (*mutate)(Bytes& bytes, size_t limit, Random& random) = nullptr;
};

extern const std::vector<Reader> kReaders;

// Changes bytes as libFuzzer does by itself. They grow to `limit` at most.
void mutateBytes(Bytes& bytes, size_t limit);

inline size_t pick(Random& random, size_t count) { return count ? random() % count : 0; }

// What must hold for every input. Where it does not, libFuzzer keeps the input.
inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

}  // namespace purl
