#include "app/print.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace purl {
namespace {

int outputError = 0;  // errno of the first failure on stdout

}  // namespace

void printOut(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && outputError == 0) outputError = errno;
}

void printError(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

std::string whyOutputIsMissing() {
    if (std::fflush(stdout) != 0 && outputError == 0) outputError = errno;
    return outputError ? std::strerror(outputError) : "";
}

}  // namespace purl
