#include "farm/replay.h"

#include <algorithm>

#include "solver/core/error.h"

namespace purl {

Replay::Replay(Playback& playback, const CacheReader& cache) : playback_(playback) {
    for (const CacheReader* at = &cache; at; at = at->parent()) line_.insert(line_.begin(), at);
    playback_.writeNothing();
    for (const std::string& assignment : line_.front()->manifest().run.assignments) playback_.set(assignment);
    check(*line_.front());
    next_ = playback_.startFrame();
}

void Replay::check(const CacheReader& cache) {
    const std::string difference = differenceOf(cache.manifest().run, playback_.identity());
    if (!difference.empty())
        throw Error(cache.directory() + ": cannot be simulated as it was: " + difference + "; simulate it again");
}

int Replay::restore(int last) {
    const int none = playback_.startFrame() - 1;
    for (size_t k = line_.size(); k-- > 0;) {
        const int frame = playback_.restore(line_[k]->directory(), last);
        if (frame > none) {
            enterBranches(frame);
            next_ = frame + 1;
            return frame;
        }
        // Before a branch began its parent has the frames.
        last = std::min(last, line_[k]->manifest().branchFrame - 1);
    }
    return none;
}

void Replay::enterBranches(int number) {
    for (; entered_ < line_.size() && line_[entered_]->manifest().branchFrame <= number; ++entered_) {
        const Manifest &before = line_[entered_ - 1]->manifest(), &after = line_[entered_]->manifest();
        // A branch lists its parent's assignments before its own.
        for (size_t i = before.run.assignments.size(); i < after.run.assignments.size(); ++i)
            playback_.set(after.run.assignments[i]);
        playback_.enterBranch(after.branch, after.parent, before.run, after.branchFrame);
        check(*line_[entered_]);
    }
}

std::shared_ptr<const Frame> Replay::frame(int number) {
    std::shared_ptr<const Frame> frame;
    for (; next_ <= number; ++next_) {
        enterBranches(next_);
        frame = playback_.frame(next_);
    }
    return frame;
}

const FrameRecord* Replay::record(int number) const {
    for (size_t k = line_.size(); k-- > 0;)
        if (k == 0 || line_[k]->manifest().branchFrame <= number) return line_[k]->manifest().find(number);
    return nullptr;
}

}  // namespace purl
