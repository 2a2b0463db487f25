// What goes wrong because of input, disk or numbers: one line that says who, what, and what would help.
#pragma once
#include <stdexcept>
#include <string>

namespace purl {

class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

// Thrown between kernels when the user asked to stop; Simulator::advanceTo rolls the state back before passing it on.
class Cancelled : public Error {
  public:
    Cancelled() : Error("cancelled") {}
};

}  // namespace purl
