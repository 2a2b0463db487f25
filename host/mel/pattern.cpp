// Regular expressions as a Pike VM: the pattern is compiled to a program, and all its threads advance in lockstep, one
// character of the text at a time (Thompson 1968; thread priorities as in Pike's sam).
#include "host/mel/pattern.h"

#include <bitset>
#include <vector>

#include "host/graph/object.h"
#include "host/interrupt.h"

namespace purl::host::mel {
namespace {

enum class Op { one, split, jump, lineBegin, lineEnd, done };

struct Instruction {
    Op op = Op::done;
    int a = 0, b = 0;          // relative targets: split prefers a over b, jump goes to a
    std::bitset<256> accepts;  // one: accepted characters
};

class Compiler {
  public:
    explicit Compiler(const std::string& pattern) : pattern_(pattern) {
        if (pattern.size() > kMaxPatternBytes)
            fail("patterns are limited to " + std::to_string(kMaxPatternBytes) + " characters");
    }

    std::vector<Instruction> program() {
        std::vector<int> groups;  // start of each open group
        int atom = kNone;         // start of the operand of * and +
        while (at_ < pattern_.size()) {
            const char c = pattern_[at_++];
            const int here = int(program_.size());
            if (c == '*' || c == '+') {
                if (atom == kNone) fail(std::string("nothing to repeat before '") + c + "'");
                repeat(atom, c == '*');
                continue;
            }
            atom = here;
            if (c == '(') {
                groups.push_back(here);
                atom = kNone;
            } else if (c == ')') {
                if (groups.empty()) fail("missing '('");
                atom = groups.back();
                groups.pop_back();
            } else if (c == '^' || c == '$') {
                emit(c == '^' ? Op::lineBegin : Op::lineEnd);
            } else if (c == '.') {
                emit(Op::one).accepts.set();
            } else if (c == '[') {
                emit(Op::one).accepts = set();
            } else {
                emit(Op::one).accepts.set(byte(c == '\\' ? escaped() : c));
            }
        }
        if (!groups.empty()) fail("missing ')'");
        emit(Op::done);
        return std::move(program_);
    }

  private:
    static constexpr int kNone = -1;

    [[noreturn]] void fail(const std::string& why) const { throw Error("invalid pattern '" + pattern_ + "': " + why); }
    static std::size_t byte(char c) { return static_cast<unsigned char>(c); }

    Instruction& emit(Op op) {
        program_.emplace_back();
        program_.back().op = op;
        return program_.back();
    }

    // Repeats the instructions from `atom` to the end. Their jumps are relative, so they can be moved.
    void repeat(int atom, bool maybeNone) {
        const int size = int(program_.size()) - atom;
        Instruction split;
        split.op = Op::split;
        if (!maybeNone) {
            split.a = -size, split.b = 1;
            program_.push_back(split);
            return;
        }
        split.a = 1, split.b = size + 2;
        program_.insert(program_.begin() + atom, split);
        emit(Op::jump).a = -(size + 1);
    }

    char escaped() {
        if (at_ == pattern_.size()) fail("trailing \\");
        return pattern_[at_++];
    }

    std::bitset<256> set() {
        std::bitset<256> accepts;
        const bool others = at_ < pattern_.size() && pattern_[at_] == '^';
        if (others) ++at_;
        while (true) {
            if (at_ == pattern_.size()) fail("missing ']'");
            char c = pattern_[at_++];
            if (c == ']') break;
            if (c == '\\') c = escaped();
            std::size_t last = byte(c);
            // a range a-z; the - of [a-] is literal
            if (at_ + 1 < pattern_.size() && pattern_[at_] == '-' && pattern_[at_ + 1] != ']') {
                ++at_;
                last = byte(pattern_[at_++]);
                if (last == byte('\\')) last = byte(escaped());
            }
            for (std::size_t k = byte(c); k <= last; ++k) accepts.set(k);
        }
        return others ? ~accepts : accepts;
    }

    const std::string& pattern_;
    std::vector<Instruction> program_;
    std::size_t at_ = 0;
};

struct Thread {
    int at;             // index of the instruction
    std::size_t begin;  // start of the match in the text
};

class ThreadList {
  public:
    explicit ThreadList(const std::vector<Instruction>& program)
        : program_(program), addedAt_(program.size(), kNever) {}

    // Follows a thread to the instructions that consume a character or end the match, and adds these. Skips
    // instructions that a thread of higher priority has already reached at this place.
    void add(const Thread& thread, const std::string& text, std::size_t place, std::vector<Thread>& threads) {
        pending_ = {thread.at};
        while (!pending_.empty()) {
            const int at = pending_.back();
            pending_.pop_back();
            if (addedAt_[at] == place) continue;
            addedAt_[at] = place;
            const Instruction& i = program_[at];
            switch (i.op) {
                case Op::jump: pending_.push_back(at + i.a); break;
                case Op::split:
                    pending_.push_back(at + i.b);
                    pending_.push_back(at + i.a);
                    break;
                case Op::lineBegin:
                    if (place == 0 || text[place - 1] == '\n') pending_.push_back(at + 1);
                    break;
                case Op::lineEnd:
                    if (place == text.size() || text[place] == '\n') pending_.push_back(at + 1);
                    break;
                default: threads.push_back({at, thread.begin});
            }
        }
    }

  private:
    static constexpr std::size_t kNever = std::size_t(-1);

    const std::vector<Instruction>& program_;
    std::vector<std::size_t> addedAt_;  // text position at which each instruction was last reached
    std::vector<int> pending_;
};

}  // namespace

Match search(const std::string& pattern, const std::string& text) {
    const std::vector<Instruction> program = Compiler(pattern).program();
    ThreadList list(program);
    std::vector<Thread> now, next;  // at the current and the next text position, by descending priority
    Match match;
    for (std::size_t place = 0;; ++place) {
        if (place % 4096 == 0) throwIfInterrupted();
        if (!match.found) list.add({0, place}, text, place, now);
        next.clear();
        for (const Thread& thread : now) {
            const Instruction& i = program[thread.at];
            if (i.op == Op::done) {
                match = {true, thread.begin, place};
                break;  // the remaining threads have lower priority
            }
            if (place < text.size() && i.accepts[static_cast<unsigned char>(text[place])])
                list.add({thread.at + 1, thread.begin}, text, place + 1, next);
        }
        std::swap(now, next);
        if (place >= text.size() || (match.found && now.empty())) return match;
    }
}

}  // namespace purl::host::mel
