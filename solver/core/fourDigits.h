// Formats numbers with four significant digits for messages.
#pragma once
#include <cstdio>
#include <string>

namespace purl {

inline std::string fourDigits(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.4g", number);
    return digits;
}

}  // namespace purl
