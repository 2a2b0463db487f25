#include "solver/core/hash.h"

#include <charconv>
#include <cstdio>

#include "solver/core/error.h"

namespace purl {

std::string toHex(uint64_t hash) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

uint64_t fromHex(const std::string& digits) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + digits.size())
        throw Error("hash \"" + digits + "\": sixteen hexadecimal digits expected");
    return value;
}

}  // namespace purl
