// What loops say about themselves for the predicted times of `purl sim --stats`.
#pragma once

namespace purl {

// Says how many bytes the next loop of this thread moves to and from memory where caches keep nothing from the loops
// before it. Without effect unless loops are recorded; see ScopedLoopRecord.
void expectTraffic(double bytes);

// For loops that are cut by the number of threads: `threads`, or the most that times are predicted for where loops are
// recorded.
int threadsToCutFor(int threads);

}  // namespace purl
