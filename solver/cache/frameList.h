// FrameList: frame numbers as users write them: "21", "1-72", "1,5,9", "1-72x12" (every 12th), and mixtures.
#pragma once
#include <string>
#include <vector>

namespace purl {

// Largest frame number, positive or negative, that is accepted anywhere.
constexpr int kMaxFrame = 10000000;

class FrameList {
  public:
    FrameList() = default;  // empty
    FrameList(int first, int last);
    // Throws Error that quotes the text, unless it is a list of frames within ±kMaxFrame.
    static FrameList parse(const std::string& text);

    bool empty() const { return numbers_.empty(); }
    size_t size() const { return numbers_.size(); }
    int first() const { return numbers_.front(); }
    int last() const { return numbers_.back(); }
    bool contains(int number) const;
    void add(int number);
    void add(const FrameList& other);
    // Ascending, each number once.
    const std::vector<int>& numbers() const { return numbers_; }
    // The shortest text that parses to the same list: "1-72", "1,5,9", "1-61x12".
    std::string text() const;

  private:
    std::vector<int> numbers_;
};

}  // namespace purl
