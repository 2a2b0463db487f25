// Errors caused by input, the disk or diverging numbers. The message is one line: who, what, and what would help.
#pragma once
#include <stdexcept>
#include <string>

namespace purl {

class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

// Thrown between kernels after a cancel request; Simulator::advanceTo rolls the state back before rethrowing it.
class Cancelled : public Error {
  public:
    Cancelled() : Error("cancelled") {}
};

}  // namespace purl
