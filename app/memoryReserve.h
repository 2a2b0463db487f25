// A memory reserve for handling out-of-memory errors.
#pragma once

namespace purl {

// Frees the reserve when an allocation by new fails for the first time, and throws on the next failure, so that stack
// unwinding and error reporting have memory. (nlohmann::json allocates in its destructor, where an exception would
// terminate the process.)
void holdMemoryReserve();

}  // namespace purl
