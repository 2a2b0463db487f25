// CacheRecorder: writes frames and checkpoints to a cache folder in the background, while the next frame is simulated.
// Errors of a background job are thrown by the next call.
#pragma once
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "solver/cache/cache.h"
#include "solver/cache/writeBehind.h"
#include "solver/state.h"

namespace purl {

using FramePtr = std::shared_ptr<const Frame>;
using FrameFuture = std::shared_future<FramePtr>;
FrameFuture readyFrame(FramePtr frame);

class CacheRecorder {
  public:
    // Starts a new cache, or continues one after frame `resumeAfter`; see CacheWriter.
    CacheRecorder(const std::string& directory, CacheSettings settings, std::optional<int> resumeAfter = {});

    // Returns the frame with its deferred work done; see Frame::deferred.
    FrameFuture write(int number, FramePtr frame);
    // Saves a checkpoint after a frame. Of the earlier ones only those of every `every`-th frame after `start` are kept
    // (0: none).
    void saveState(int number, std::shared_ptr<const State> state, int every, int start);
    // Waits until everything is on disk.
    void wait() { behind_.finish(); }
    // Waits, and completes the cache (packs one-file caches).
    void finish();
    // Notice for the user; see CacheWriter::note.
    const std::string& note() const { return writer_.note(); }

  private:
    CacheWriter writer_;
    WriteBehind behind_;  // last member: destroyed first, while the writer still exists
};

}  // namespace purl
