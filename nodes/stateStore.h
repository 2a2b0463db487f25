// StateStore: states in memory by frame, to continue from after scrubbing back or an edit. Above a memory limit every
// other state is dropped: recent ones stay close together, older ones get sparser.
#pragma once
#include <map>
#include <memory>

#include "solver/state.h"

namespace purl {

// Memory that the state takes.
size_t sizeOf(const State& state);

class StateStore {
  public:
    explicit StateStore(size_t maxBytes) : maxBytes_(maxBytes) {}

    // Replaces a state of the same frame.
    void keep(int frame, std::shared_ptr<const State> state);
    // The frame of the latest state up to `frame`, and the state; null if there is none.
    struct Kept {
        int frame = 0;
        std::shared_ptr<const State> state;
    };
    Kept latest(int frame) const;
    void dropAfter(int frame);
    void clear();
    size_t count() const { return states_.size(); }

  private:
    struct Entry {
        std::shared_ptr<const State> state;
        size_t bytes = 0;
    };
    using Entries = std::map<int, Entry>;
    Entries::iterator drop(Entries::iterator entry);

    size_t maxBytes_, bytes_ = 0;
    Entries states_;
};

}  // namespace purl
