// What libFuzzer may try: a program has a list of readers, and PURL_READER names the one. Whatever the bytes are, it
// gives what it read or throws Error.
#pragma once
#include <string>
#include <vector>

namespace purl {

using Bytes = std::string;

struct Reader {
    const char* name;
    void (*read)(const Bytes&);
    std::vector<Bytes> (*seeds)();  // whole files to begin from
};

extern const std::vector<Reader> kReaders;

}  // namespace purl
