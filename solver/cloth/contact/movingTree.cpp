#include "solver/cloth/contact/movingTree.h"

namespace purl {

void MovingTree::fit(const Device& device, Span<const MovingBox> boxes) {
    count_ = boxes.count;
    levels_.clear();
    int first = 0;
    for (int below = count_; levels_.empty() || below > 1; below = (below + 7) / 8) {
        levels_.push_back(first);
        first += (below + 7) / 8;
    }
    nodes_.resizeDiscard(first);
    for (size_t level = 0; level < levels_.size(); ++level) {
        const int begin = levels_[level], blocks = (level + 1 < levels_.size() ? levels_[level + 1] : first) - begin;
        const int below = level ? begin - levels_[level - 1] : count_;
        forEachChunk(device, "fitTree", blocks, 64, [&](int from, int to) {
            for (int b = from; b < to; ++b)
                for (int l = 0; l < 8; ++l) {
                    const int child = 8 * b + l;
                    setBox(nodes_[begin + b], l,
                           child >= below ? MovingBox{}
                           : level        ? unionOf(nodes_[levels_[level - 1] + child])
                                          : boxes[child]);
                }
        });
    }
}

}  // namespace purl
