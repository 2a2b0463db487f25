#include "solver/cache/frameList.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "solver/core/error.h"

namespace purl {
namespace {

// Reads one part of a list: "5", "-3--1", "1-72x12".
class Part {
  public:
    Part(const std::string& text, const std::string& whole)
        : at_(text.data()), end_(text.data() + text.size()), who_("frames \"" + whole + "\"") {}

    void read(std::vector<int>& numbers) {
        const int first = number();
        int last = first, step = 1;
        if (take('-')) {
            last = number();
            if (take('x')) step = number();
        }
        if (at_ != end_) refuse();
        if (last < first) throw Error(who_ + ": the last frame is before the first");
        if (step < 1) throw Error(who_ + ": the step must be at least 1");
        for (int n = first; n <= last; n += step) numbers.push_back(n);
    }

  private:
    [[noreturn]] void refuse() const {
        throw Error(who_ + ": expected frames like 21, 1-120, 1,5,9 or 1-72x12 (every 12th)");
    }
    bool take(char c) {
        if (at_ == end_ || *at_ != c) return false;
        ++at_;
        return true;
    }
    int number() {
        int value = 0;
        const auto [end, error] = std::from_chars(at_, end_, value);
        if (error == std::errc::invalid_argument) refuse();
        if (error != std::errc() || value < -kMaxFrame || value > kMaxFrame)
            throw Error(who_ + ": frames go from -" + std::to_string(kMaxFrame) + " to " + std::to_string(kMaxFrame));
        at_ = end;
        return value;
    }

    const char *at_, *end_;
    std::string who_;
};

}  // namespace

FrameList::FrameList(int first, int last) {
    for (int n = first; n <= last; ++n) numbers_.push_back(n);
}

FrameList FrameList::parse(const std::string& text) {
    FrameList list;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        Part(part, text).read(list.numbers_);
        begin = end + 1;
    }
    std::sort(list.numbers_.begin(), list.numbers_.end());
    list.numbers_.erase(std::unique(list.numbers_.begin(), list.numbers_.end()), list.numbers_.end());
    return list;
}

bool FrameList::contains(int number) const { return std::binary_search(numbers_.begin(), numbers_.end(), number); }

void FrameList::add(int number) {
    const auto place = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    if (place == numbers_.end() || *place != number) numbers_.insert(place, number);
}

void FrameList::add(const FrameList& other) {
    std::vector<int> all;
    std::set_union(numbers_.begin(), numbers_.end(), other.numbers_.begin(), other.numbers_.end(),
                   std::back_inserter(all));
    numbers_ = std::move(all);
}

std::string FrameList::text() const {
    std::string text;
    for (size_t i = 0; i < numbers_.size();) {
        // The longest run of equal steps; two frames make a run only if they are neighbours.
        size_t end = i + 1;
        const int step = end < numbers_.size() ? numbers_[end] - numbers_[i] : 1;
        while (end < numbers_.size() && numbers_[end] - numbers_[end - 1] == step) ++end;
        if (end - i == 2 && step > 1) end = i + 1;
        text += (text.empty() ? "" : ",") + std::to_string(numbers_[i]);
        if (end - i > 1) text += "-" + std::to_string(numbers_[end - 1]);
        if (end - i > 1 && step > 1) text += "x" + std::to_string(step);
        i = end;
    }
    return text;
}

}  // namespace purl
