// Character-level scanning of MEL for the parser: blanks, comments, symbols, words and string literals. Errors name
// file and line.
#pragma once
#include <cctype>
#include <string>

#include "host/graph/object.h"

namespace purl::host::mel {

inline bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
inline bool inName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
inline bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

class Scanner {
  protected:
    Scanner(const std::string& text, const std::string& file) : text_(text), file_(file) {}

    bool atEnd() const { return at_ >= text_.size(); }
    char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    void advance() {
        if (text_[at_++] == '\n') ++line_;
    }
    void skip() {
        while (!atEnd()) {
            if (std::isspace(static_cast<unsigned char>(peek()))) {
                advance();
            } else if (peek() == '/' && peek(1) == '/') {
                while (!atEnd() && peek() != '\n') advance();
            } else if (peek() == '/' && peek(1) == '*') {
                advance(), advance();
                while (!atEnd() && !(peek() == '*' && peek(1) == '/')) advance();
                if (atEnd()) fail("unterminated comment");
                advance(), advance();
            } else {
                return;
            }
        }
    }
    bool lookingAt(const char* word) {
        skip();
        return text_.compare(at_, std::char_traits<char>::length(word), word) == 0;
    }
    bool take(const char* symbol) {
        if (!lookingAt(symbol)) return false;
        at_ += std::char_traits<char>::length(symbol);
        return true;
    }
    void expect(const char* symbol) {
        if (!take(symbol))
            fail(std::string("expected '") + symbol + "'" + (atEnd() ? "" : std::string(", not '") + peek() + "'"));
    }
    // True at this word, but not at a longer word that starts with it.
    bool lookingAtWord(const std::string& word) {
        skip();
        return text_.compare(at_, word.size(), word) == 0 && !inName(peek(word.size()));
    }
    bool takeWord(const std::string& word) {
        if (!lookingAtWord(word)) return false;
        at_ += word.size();
        return true;
    }
    std::string name() {
        skip();
        if (!startsName(peek())) fail("expected a name");
        const size_t from = at_;
        while (inName(peek())) ++at_;
        return text_.substr(from, at_ - from);
    }
    std::string variableName() {
        skip();
        if (peek() != '$') fail("expected a variable");
        ++at_;
        return "$" + name();
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(file_ + ":" + std::to_string(line_) + ": " + what);
    }
    std::string string() {
        const int line = line_;
        expect("\"");
        std::string out;
        while (!atEnd() && peek() != '"') {
            if (peek() == '\\') {
                ++at_;
                const char c = peek();
                out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
                if (!atEnd()) advance();
            } else {
                out += peek();
                advance();
            }
        }
        if (atEnd()) {
            line_ = line;
            fail("unterminated string");
        }
        ++at_;
        return out;
    }

    const std::string& text_;
    std::string file_;
    size_t at_ = 0;
    int line_ = 1;
};

}  // namespace purl::host::mel
