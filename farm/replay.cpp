#include "farm/replay.h"

#include <algorithm>

#include "solver/cache/stateFolder.h"
#include "solver/core/error.h"

namespace purl {

Replay::Replay(Playback& playback, const CacheReader& cache) : playback_(playback) {
    for (const CacheReader* at = &cache; at; at = at->parent()) lineage_.insert(lineage_.begin(), at);
    playback_.writeNothing();
    for (const std::string& assignment : lineage_.front()->manifest().run.assignments) playback_.set(assignment);
    check(*lineage_.front());
    next_ = playback_.startFrame();
}

void Replay::check(const CacheReader& cache) {
    const std::string difference = differenceOf(cache.manifest().run, playback_.identity());
    if (!difference.empty())
        throw Error(cache.directory() + ": cannot be reproduced: " + difference + "; simulate it again");
}

int Replay::restore(int last) {
    const int none = playback_.startFrame() - 1;
    for (size_t k = lineage_.size(); k-- > 0;) {
        const int frame = playback_.restore(lineage_[k]->directory(), last);
        if (frame > none) {
            enterBranches(frame);
            next_ = frame + 1;
            return frame;
        }
        // Frames before the start of a branch belong to its parent.
        last = std::min(last, lineage_[k]->manifest().branchFrame - 1);
    }
    return none;
}

void Replay::skipTo(int number) {
    const bool nearer = std::any_of(lineage_.begin(), lineage_.end(), [&](const CacheReader* cache) {
        const std::vector<int> saved = savedStates(cache->directory());
        return std::any_of(saved.begin(), saved.end(), [&](int state) { return state >= next_ && state < number; });
    });
    if (nearer) restore(number - 1);
}

void Replay::enterBranches(int number) {
    for (; entered_ < lineage_.size() && lineage_[entered_]->manifest().branchFrame <= number; ++entered_) {
        const Manifest &before = lineage_[entered_ - 1]->manifest(), &after = lineage_[entered_]->manifest();
        // A branch lists its parent's assignments before its own.
        for (size_t i = before.run.assignments.size(); i < after.run.assignments.size(); ++i)
            playback_.set(after.run.assignments[i]);
        playback_.enterBranch(after.branch, after.parent, before.run, after.branchFrame);
        check(*lineage_[entered_]);
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
    for (size_t k = lineage_.size(); k-- > 0;)
        if (k == 0 || lineage_[k]->manifest().branchFrame <= number) return lineage_[k]->manifest().find(number);
    return nullptr;
}

}  // namespace purl
