// Replay: the simulation that a cache holds, played again in a Playback. A branch goes through its parents' frames with
// their settings, and takes its own at its first frame.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "farm/playback.h"
#include "solver/cache/cache.h"

namespace purl {

class Replay {
  public:
    // Sets what the first cache of the line says. Throws Error where it is of another run than this playback's scene,
    // and says what differs. Both must outlive this.
    Replay(Playback& playback, const CacheReader& cache);

    // Goes on from the latest state that the line has kept of frame `last` or before; returns its frame, or
    // startFrame() − 1 where there is none.
    int restore(int last);
    // Plays on to a frame after the last one.
    std::shared_ptr<const Frame> frame(int number);
    // What the cache says of a frame; null: nothing.
    const FrameRecord* record(int number) const;
    // Takes the settings of all branches that begin at this frame or before.
    void enterBranches(int number);

  private:
    void check(const CacheReader& cache);

    Playback& playback_;
    std::vector<const CacheReader*> line_;  // from the first cache to the branch
    size_t entered_ = 1;                    // of line_: their settings are in force
    int next_;                              // frame
};

}  // namespace purl
