#include "app/print.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
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

void holdStandardStreams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
        // open() returns the lowest free descriptor: this one.
        const int held = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (held != stream && held >= 0) close(held);
    }
    std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace purl
