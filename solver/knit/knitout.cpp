// Knitout, the instruction format of knitting machines: front needles knit, back needles purl, transfers carry loops
// sideways. A course ends when a needle is used again. Instructions without meaning here (hooks, stitch sizes,
// extensions) are reported as notes.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "solver/core/error.h"
#include "solver/knit/pattern.h"

namespace purl {
namespace {

constexpr int kMaxNeedle = 100000;  // wider than any machine
constexpr int kMaxCarriers = 256;

struct Word {
    std::string text;
    int column = 1;
};

std::vector<Word> splitWords(const std::string& line) {
    std::vector<Word> words;
    for (size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string::npos;) {
        const size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        words.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
        at = end;
    }
    return words;
}

struct Needle {
    bool front = true;
    int number = 0;

    bool operator<(const Needle& other) const {
        return front != other.front ? front < other.front : number < other.number;
    }
};

// The operations of one course, by column.
struct Course {
    std::map<int, PatternStitch> made;
    std::map<int, int> carried;  // from column to column, before the course is knitted
    std::set<int> dropped;
};

class Reader {
  public:
    explicit Reader(const std::string& who) : who_(who) {}

    void read(const std::string& text) {
        for (size_t at = 0; at < text.size();) {
            const size_t end = std::min(text.find('\n', at), text.size());
            readLine(text.substr(at, end - at));
            at = end + 1;
        }
    }

    Pattern pattern() {
        if (!course_.made.empty()) courses_.push_back(course_);
        if (courses_.empty()) throw Error(who_ + ": has no stitches; a knitout file has lines like knit + f1 A");
        int low = courses_[0].made.begin()->first, high = low;
        for (const Course& course : courses_) {
            low = std::min(low, course.made.begin()->first);
            high = std::max(high, course.made.rbegin()->first);
        }
        Pattern pattern;
        pattern.columns = high - low + 1;
        pattern.rows = static_cast<int>(courses_.size());
        if (int64_t(pattern.columns) * pattern.rows > kMaxPatternStitches)
            throw Error(who_ + ": " + std::to_string(pattern.rows) + " courses over needles " + std::to_string(low) +
                        " to " + std::to_string(high) + " are more than " + std::to_string(kMaxPatternStitches) +
                        " stitches");
        pattern.acrossColumns = {0, pattern.columns};
        pattern.acrossRows = {0, pattern.rows};
        pattern.colors.resize(yarns_.size());
        for (const Course& course : courses_) {
            const int yarn = course.made.begin()->second.yarn;
            for (int column = low; column <= high; ++column) {
                PatternStitch stitch;
                stitch.kind = StitchKind::slip;
                stitch.yarn = yarn;
                const auto made = course.made.find(column);
                if (made != course.made.end()) stitch = made->second;
                const auto carried = course.carried.find(column);
                if (carried != course.carried.end() && carried->second >= low && carried->second <= high) {
                    stitch.shift = carried->second - column;
                    if (std::abs(stitch.shift) >= kMaxCrossing)
                        throw Error(who_ + ": a loop is carried from needle " + std::to_string(column) + " to " +
                                    std::to_string(carried->second) + ", farther than " + std::to_string(kMaxCrossing) +
                                    " needles");
                    // There is no partner: the loop can be carried wherever both columns fit.
                    stitch.groupBegin = std::min(0, stitch.shift);
                    stitch.groupEnd = std::max(0, stitch.shift) + 1;
                }
                stitch.drops = course.dropped.count(column) > 0;
                pattern.stitches.push_back(stitch);
            }
        }
        for (const auto& [what, seen] : skipped_)
            pattern.notes.push_back(who_ + ": skipped " + std::to_string(seen.times) + " × " + what +
                                    ", first in line " + std::to_string(seen.line));
        return pattern;
    }

  private:
    struct Skipped {
        int times = 0, line = 0;
    };

    [[noreturn]] void fail(const Word& word, const std::string& what) const {
        throw Error(who_ + ":" + std::to_string(line_) + ":" + std::to_string(word.column) + ": " + what);
    }
    void skip(const std::string& what) {
        Skipped& seen = skipped_[what];
        if (seen.times++ == 0) seen.line = line_;
    }
    Needle needle(const std::vector<Word>& words, size_t i) const {
        if (i >= words.size()) fail(words.back(), "a needle like f5 or b5 is missing");
        const std::string& text = words[i].text;
        Needle needle;
        needle.front = text[0] == 'f';
        // Sliders, fs5 and bs5, hold loops like the needles of their bed.
        const size_t digits = text.size() > 1 && text[1] == 's' ? 2 : 1;
        const char* end = text.data() + text.size();
        const auto [next, error] = std::from_chars(text.data() + std::min(digits, text.size()), end, needle.number);
        if ((text[0] != 'f' && text[0] != 'b') || error != std::errc() || next != end)
            fail(words[i], "\"" + text + "\" is not a needle; use f5 or b5, for example");
        if (std::abs(int64_t(needle.number)) > kMaxNeedle)
            fail(words[i], "needle " + text + " is beyond " + std::to_string(kMaxNeedle) + "; no machine is that wide");
        return needle;
    }
    int yarn(const std::vector<Word>& words, size_t i) {
        if (words.size() > i + 1) skip("second carrier");
        const int yarn = yarns_.emplace(words[i].text, static_cast<int>(yarns_.size())).first->second;
        if (yarn >= kMaxCarriers) fail(words[i], "more than " + std::to_string(kMaxCarriers) + " carriers");
        return yarn;
    }
    void newCourseIfMade(int column) {
        if (course_.made.count(column) == 0) return;
        courses_.push_back(std::move(course_));
        course_ = {};
        course_.dropped.swap(droppedNext_);
    }

    void make(const std::vector<Word>& words, bool tuck) {
        if (words.size() < 3 || (words[1].text != "+" && words[1].text != "-"))
            fail(words.back(), words[0].text + " needs a direction + or -, a needle and a carrier");
        const Needle at = needle(words, 2);
        const int column = at.number;
        if (words.size() < 4) {  // knitting without a carrier drops the loops
            drop(at);
            return;
        }
        newCourseIfMade(column);
        PatternStitch stitch;
        stitch.kind = tuck ? StitchKind::tuck : at.front ? StitchKind::knit : StitchKind::purl;
        stitch.yarn = yarn(words, 3);
        course_.made[column] = stitch;
        std::set<int>& loops = loops_[at];
        for (const int from : loops)
            if (from != column) course_.carried[from] = column;
        // A tuck joins the waiting loops; from then on they are carried together.
        loops = {column};
    }
    void drop(const Needle& at) {
        for (const int from : loops_[at]) (course_.made.count(from) ? droppedNext_ : course_.dropped).insert(from);
        loops_[at].clear();
    }

    void readLine(const std::string& whole) {
        ++line_;
        const std::string line = whole.substr(0, whole.find(';'));
        const std::vector<Word> words = splitWords(line);
        if (words.empty()) return;
        const std::string& op = words[0].text;
        if (op == "knit" || op == "tuck") {
            make(words, op == "tuck");
        } else if (op == "drop") {
            drop(needle(words, 1));
        } else if (op == "xfer") {
            const Needle from = needle(words, 1), to = needle(words, 2);
            if (from.front == to.front) fail(words[2], "xfer goes from one bed to the other");
            std::set<int>& loops = loops_[from];
            std::set<int>& there = loops_[to];
            if (there.size() < loops.size()) there.swap(loops);
            there.merge(loops);
            loops.clear();
            // Racking shifts the back bed: needles with different numbers face each other.
            const Needle& back = from.front ? to : from;
            const Needle& front = from.front ? from : to;
            if (front.number - back.number != rack_)
                fail(words[2], "needles do not face each other at rack " + std::to_string(rack_));
        } else if (op == "rack") {
            float rack = 0;
            const char* end = words.back().text.data() + words.back().text.size();
            if (words.size() != 2 || std::from_chars(words[1].text.data(), end, rack).ec != std::errc())
                fail(words.back(), "rack needs a number");
            if (!(std::fabs(rack) <= kMaxNeedle)) fail(words.back(), "rack is beyond " + std::to_string(kMaxNeedle));
            rack_ = static_cast<int>(std::floor(rack));
        } else if (op != "miss" && op != "in" && op != "out" && op != "inhook" && op != "outhook" &&
                   op != "releasehook") {
            skip(op);
        }
    }

    const std::string& who_;
    int line_ = 0;
    int rack_ = 0;                           // front needle number minus the number of the back needle facing it
    std::map<std::string, int> yarns_;       // by carrier, in order of appearance
    std::map<Needle, std::set<int>> loops_;  // columns where the loops on a needle were knitted
    Course course_;
    std::set<int> droppedNext_;  // loops of this course, dropped before the next
    std::vector<Course> courses_;
    std::map<std::string, Skipped> skipped_;
};

}  // namespace

Pattern parseKnitout(const std::string& text, const std::string& who) {
    Reader reader(who);
    reader.read(text);
    Pattern pattern = reader.pattern();
    if (text.compare(0, 11, ";!knitout-2") != 0)
        pattern.notes.insert(pattern.notes.begin(), who + ": is not knitout version 2; read as version 2 anyway");
    if (text.find(";;Carriers:") == std::string::npos)
        pattern.notes.push_back(who + ": has no ;;Carriers: line, which knitout requires");
    return pattern;
}

}  // namespace purl
