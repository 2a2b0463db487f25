// The entry points of libFuzzer (clang). With PURL_SEEDS a folder is filled with whole files to begin from, and nothing
// is run.
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cstdint>

#include "solver/cache/file.h"
#include "solver/core/error.h"

// What is tried is what files hold, not the disk.
extern "C" int fsync(int) { return 0; }

static const purl::Reader* chosen = nullptr;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t limit);

void purl::mutateBytes(Bytes& bytes, size_t limit) {
    const size_t size = std::min(bytes.size(), limit);
    bytes.resize(limit);
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes.data()), size, limit));
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* const wanted = std::getenv("PURL_READER");
    for (const purl::Reader& reader : purl::kReaders)
        if (wanted && std::string(wanted) == reader.name) chosen = &reader;
    if (!chosen) {
        for (const purl::Reader& reader : purl::kReaders) std::printf("%s\n", reader.name);
        std::exit(wanted ? 2 : 0);
    }
    if (const char* folder = std::getenv("PURL_SEEDS")) {
        int number = 0;
        for (const std::string& seed : chosen->seeds())
            purl::writeFile(std::string(folder) + "/" + std::to_string(number++), seed);
        std::exit(0);
    }
    return 0;
}

// Now and then any bytes are changed of those readers too that have mutations of their own.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t limit, unsigned seed) {
    purl::Random random(seed);
    if (!chosen->mutate || random() % 8 == 0) return LLVMFuzzerMutate(data, size, limit);
    purl::Bytes bytes(reinterpret_cast<const char*>(data), size);
    chosen->mutate(bytes, limit, random);
    if (bytes.size() > limit) return LLVMFuzzerMutate(data, size, limit);
    std::copy(bytes.begin(), bytes.end(), data);
    return bytes.size();
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
    try {
        chosen->read(std::string(reinterpret_cast<const char*>(data), size));
    } catch (const purl::Error&) {
        // Refused: what it should do.
    }
    return 0;
}
