#include "solver/cache/usdText.h"

#include <algorithm>
#include <charconv>

#include "solver/core/error.h"

namespace purl {
namespace {

constexpr int kMaxDepth = 100;  // of nested prims: each level is a call

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Parser {
  public:
    Parser(const std::string& text, const std::string& path) : text_(text), path_(path) {
        constexpr std::string_view kMagic = "#usda ";
        if (text_.substr(0, kMagic.size()) != kMagic) throw Error(path + ": is not a USD text file");
    }

    void layer(UsdPrim& root) {
        skip();
        if (peek() == '(') metadata(root.about);
        for (skip(); at_ < text_.size(); skip()) statement(root, 0);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(path_ + ": " + what + " at byte " + std::to_string(at_));
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    // Skips spaces and comments; stops at the end of the line if `inLine`.
    void skip(bool inLine = false) {
        for (; at_ < text_.size(); ++at_) {
            if (text_[at_] == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
            } else if (text_.substr(at_, 2) == "/*") {
                const size_t end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos) fail("a comment is not closed");
                at_ = end + 1;
            } else if (!isSpace(text_[at_]) || (inLine && text_[at_] == '\n')) {
                return;
            }
        }
    }
    void expect(char c) {
        skip();
        if (peek() != c) fail(std::string("expected ") + c);
        ++at_;
    }
    std::string_view word() {
        const size_t begin = at_;
        while (at_ < text_.size() && !isSpace(text_[at_]) &&
               std::string_view("(){}=;,\"'#").find(text_[at_]) == std::string_view::npos)
            ++at_;
        return text_.substr(begin, at_ - begin);
    }
    // "…", '…', and both with three quotes.
    std::string_view quoted() {
        const size_t begin = at_;
        const char quote = peek();
        if (quote != '"' && quote != '\'') fail("expected a quoted name");
        const bool three = text_.substr(at_, 3) == std::string(3, quote);
        for (at_ += three ? 3 : 1; at_ < text_.size(); ++at_) {
            if (text_[at_] == '\\') {
                ++at_;
            } else if (text_[at_] == quote && (!three || text_.substr(at_, 3) == std::string(3, quote))) {
                at_ += three ? 3 : 1;
                return text_.substr(begin, at_ - begin);
            }
        }
        at_ = begin;
        fail("a text is not closed");
    }
    void skipTo(std::string_view end, size_t from) {
        const size_t found = text_.find(end, from);
        if (found == std::string_view::npos) fail("a value is not closed");
        at_ = found + end.size();
    }
    // A value of any type: number, text, asset, path, tuple, list or dictionary.
    std::string_view value() {
        skip();
        const size_t begin = at_;
        int depth = 0;
        do {
            if (depth > 0) skip();
            switch (peek()) {
                case '[':
                case '(':
                case '{':
                    ++depth;
                    ++at_;
                    break;
                case ']':
                case ')':
                case '}':
                    if (--depth < 0) fail("expected a value");
                    ++at_;
                    break;
                case '"':
                case '\'': quoted(); break;
                case '@': {
                    const bool three = text_.substr(at_, 3) == "@@@";
                    skipTo(three ? "@@@" : "@", at_ + (three ? 3 : 1));
                    break;
                }
                case '<': skipTo(">", at_); break;
                case '\0': fail("truncated"); break;
                default:
                    if (depth > 0) {
                        // Numbers and separators of arrays: the bulk of a file.
                        at_ = std::min(text_.find_first_of("[](){}\"'@<#/", at_ + 1), text_.size());
                    } else {
                        while (at_ < text_.size() && !isSpace(text_[at_]) &&
                               std::string_view(",;(){}[]#").find(text_[at_]) == std::string_view::npos)
                            ++at_;
                        if (at_ == begin) fail("expected a value");
                    }
            }
        } while (depth > 0);
        return text_.substr(begin, at_ - begin);
    }

    void metadata(std::map<std::string, std::string_view, std::less<>>& about) {
        expect('(');
        for (;;) {
            skip();
            if (peek() == ')') break;
            if (peek() == ',' || peek() == ';') {
                ++at_;
            } else if (peek() == '"' || peek() == '\'') {
                quoted();  // documentation
            } else {
                std::string_view key = word();
                for (skip(); !key.empty() && peek() != '=' && peek() != ')'; skip()) {
                    const std::string_view next = word();  // after prepend, append, delete, add, reorder
                    if (next.empty()) fail("expected =");
                    key = next;
                }
                if (key.empty()) fail("expected a word");
                if (peek() != '=') continue;
                ++at_;
                const std::string_view first = value();
                // A reference is an asset, a prim's path and an offset in time.
                for (skip(); peek() == '<' || peek() == '('; skip()) value();
                about.emplace(key, first);
            }
        }
        ++at_;
    }

    void statement(UsdPrim& prim, int depth) {
        if (peek() == ';' || peek() == ',') {
            ++at_;
            return;
        }
        std::vector<std::string_view> words;
        for (; peek() != '=' && peek() != '('; skip(true)) {
            const std::string_view next = word();
            if (next.empty()) break;
            words.push_back(next);
        }
        if (words.empty()) fail("expected a statement");
        const std::string_view first = words.front();
        if (first == "def" || first == "over" || first == "class") {
            child(prim, words, depth);
        } else if (first == "variantSet") {
            quoted();
            expect('=');
            value();
            prim.hasVariants = true;
        } else {
            property(prim, words);
        }
    }

    void child(UsdPrim& parent, const std::vector<std::string_view>& words, int depth) {
        if (depth == kMaxDepth) fail("prims are nested too deeply");
        UsdPrim prim;
        prim.specifier = words[0];
        if (words.size() > 1) prim.type = words[1];
        skip();
        prim.name = usdString(quoted());
        skip();
        if (peek() == '(') metadata(prim.about);
        expect('{');
        for (skip(); peek() != '}'; skip()) {
            if (at_ >= text_.size()) fail("truncated: prim " + prim.name + " is not closed");
            statement(prim, depth + 1);
        }
        ++at_;
        parent.children.push_back(std::move(prim));
    }

    // [custom] [uniform] type name [= value] [(metadata)], or name.timeSamples = {…}.
    void property(UsdPrim& prim, const std::vector<std::string_view>& words) {
        constexpr std::string_view kSamples = ".timeSamples";
        std::string_view name = words.back();
        const bool timed = name.size() > kSamples.size() && name.substr(name.size() - kSamples.size()) == kSamples;
        if (timed) name.remove_suffix(kSamples.size());
        const bool isPlain = name.find('.') == std::string_view::npos;  // connections and the like are not read
        UsdProperty unread, &property = isPlain ? prim.properties[std::string(name)] : unread;
        property.name = name;
        if (words.size() > 1) property.type = words[words.size() - 2];
        if (peek() == '=') {
            ++at_;
            if (timed)
                samples(property);
            else
                property.value = value();
        }
        skip(true);
        if (peek() == '(') metadata(property.about);
    }

    void samples(UsdProperty& property) {
        expect('{');
        for (;;) {
            skip();
            if (peek() == '}') break;
            if (peek() == ',') {
                ++at_;
                continue;
            }
            double time = 0;
            const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), time);
            if (error != std::errc()) fail(property.name + ": expected a time");
            at_ = static_cast<size_t>(end - text_.data());
            expect(':');
            property.samples.emplace_back(time, value());
        }
        ++at_;
        std::stable_sort(property.samples.begin(), property.samples.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    }

    std::string_view text_;
    const std::string& path_;
    size_t at_ = 0;
};

}  // namespace

const UsdProperty* UsdPrim::find(std::string_view wanted) const {
    const auto found = properties.find(wanted);
    return found == properties.end() || !found->second.hasValue() ? nullptr : &found->second;
}

UsdLayer::UsdLayer(const std::string& text, const std::string& path) { Parser(text, path).layer(root); }

std::string usdString(std::string_view value) {
    if (value.size() < 2 || (value.front() != '"' && value.front() != '\'')) return std::string(value);
    const size_t quotes = value.size() >= 6 && value[1] == value[0] && value[2] == value[0] ? 3 : 1;
    value = value.substr(quotes, value.size() - 2 * quotes);
    std::string text;
    for (size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '\\' && i + 1 < value.size()) ++i;
        text += value[i];
    }
    return text;
}

}  // namespace purl
