// Memory held back for the moment when there is none left.
#pragma once

namespace purl {

// From here on the first allocation by new that fails is tried again with what was held back, and the next one that
// fails throws: what is then destroyed and reported on the way out has room. nlohmann::json allocates in its
// destructor, where an exception would end the process.
void holdMemoryReserve();

}  // namespace purl
