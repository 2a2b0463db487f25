// Replay: repeats the simulation of a cache in a Playback. For a branch, the frames of its parents are simulated with
// their settings; its own settings apply from its first frame on.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "farm/playback.h"
#include "solver/cache/cache.h"

namespace purl {

class Replay {
  public:
    // Applies the settings of the root cache. Throws Error with the difference if it belongs to another run than the
    // playback's scene. Keeps references to both arguments.
    Replay(Playback& playback, const CacheReader& cache);

    // Restores the latest checkpoint up to frame `last` in the cache or its parents. Returns its frame, or startFrame()
    // − 1 if there is none.
    int restore(int last);
    // Restores the latest checkpoint before a frame, unless simulating on is not longer.
    void skipTo(int number);
    // Simulates up to a frame after the last one.
    std::shared_ptr<const Frame> frame(int number);
    // The manifest's record of a frame, or null.
    const FrameRecord* record(int number) const;
    // Applies the settings of all branches that begin at or before this frame.
    void enterBranches(int number);

  private:
    void check(const CacheReader& cache);

    Playback& playback_;
    std::vector<const CacheReader*> lineage_;  // from the root cache to the branch
    size_t entered_ = 1;                       // the first so many of lineage_ have their settings applied
    int next_;                                 // next frame to simulate
};

}  // namespace purl
