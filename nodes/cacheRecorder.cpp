#include "nodes/cacheRecorder.h"

#include <maya/MThreadUtils.h>

#include "solver/cache/stateFile.h"
#include "solver/cache/stateFolder.h"

namespace purl {

FrameFuture readyFrame(FramePtr frame) {
    std::promise<FramePtr> promise;
    promise.set_value(std::move(frame));
    return promise.get_future().share();
}

CacheRecorder::CacheRecorder(const std::string& directory, CacheSettings settings, std::optional<int> resumeAfter)
    : writer_(resumeAfter ? CacheWriter::resume(directory, std::move(settings), *resumeAfter)
                          : CacheWriter(directory, std::move(settings))),
      // Leave a core to the simulation.
      behind_(2, MThreadUtils::getNumThreads() > 2 ? 2 : 1) {}

FrameFuture CacheRecorder::write(int number, FramePtr frame) {
    if (frame->deferred.empty()) {
        writer_.writeBehind(behind_, number, frame);
        return readyFrame(std::move(frame));
    }
    const auto promise = std::make_shared<std::promise<FramePtr>>();
    FrameFuture future = promise->get_future().share();
    writer_.writeBehind(behind_, number, [frame, promise] {
        try {
            const auto whole = std::make_shared<Frame>(*frame);
            complete(*whole);
            promise->set_value(whole);
            return FramePtr(whole);
        } catch (...) {
            promise->set_exception(std::current_exception());
            throw;
        }
    });
    return future;
}

void CacheRecorder::saveState(int number, std::shared_ptr<const State> state, int every, int start) {
    behind_.add([this, number, state = std::move(state), every, start] {
        keepState(encodeState(*state), writer_.directory(), number, every, start);
    });
}

void CacheRecorder::finish() {
    wait();
    writer_.finish();
}

}  // namespace purl
