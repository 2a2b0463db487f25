// Splits Maya ASCII text into statements (`command flags arguments ;`) without interpreting them: no MEL is ever
// executed. Tokens are views into the text, so even files of hundreds of megabytes take one pass without copies.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "host/graph/object.h"

namespace purl::host {

// A file that is not valid Maya ASCII: "scene.ma:123: unterminated string".
struct SyntaxError : Error {
    using Error::Error;
};

struct Token {
    std::string_view text;  // without quotes, escapes resolved
    bool quoted = false;    // "…" or ( "…" + "…" ), as opposed to a bare word or number
};

// A flag, named without the dash, and its values: -s 8, -type "double3", -nodeType "a".
struct Flag {
    std::string_view name;
    std::vector<Token> values;
};

struct Statement {
    std::string_view command;
    std::vector<Flag> flags;  // in file order
    std::vector<Token> args;  // everything else, in file order
    int line = 0;             // of the command, from 1

    const Flag* flag(std::string_view shortName, std::string_view longName) const;
    // The flag's first value, or `otherwise` when the flag is absent or bare.
    std::string_view value(std::string_view shortName, std::string_view longName,
                           std::string_view otherwise = {}) const;
    bool has(std::string_view shortName, std::string_view longName) const {
        return flag(shortName, longName) != nullptr;
    }
};

constexpr std::size_t kMaxWords = std::size_t(1) << 25;  // per statement: allows ten million numbers

// Reads statements in sequence. The text must outlive the lexer; a Statement is valid until the next call.
class Lexer {
  public:
    Lexer(std::string_view text, std::string fileName);

    bool next(Statement& statement);  // false at the end of the file; throws SyntaxError

    std::string_view codeset() const { return codeset_; }  // from the //Codeset: line, or ""
    bool hasEndMark() const { return hasEndMark_; }        // the "// End of" line Maya writes last has been seen

  private:
    bool nextToken(Token& token);  // false at ';' (consumed) or at the end of the file
    bool skipSpace();              // false at the end of the file
    Token readString();
    Token readConcatenation();
    std::string_view keep(std::string text);
    [[noreturn]] void fail(int line, const std::string& what) const;

    std::string_view text_;
    std::string fileName_;
    std::string_view codeset_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool hasEndMark_ = false;
    bool ended_ = false;  // the last nextToken() stopped at a ';'
    std::deque<std::string>
        kept_;  // storage of tokens that differ from the file: escapes resolved, strings concatenated
    std::vector<Token> tokens_;
};

// The text of a file that reads as this token, flag or statement; strings are quoted.
std::string asWritten(const Token& token);
std::string asWritten(const Statement& statement);
// Appends the words of a flag: its name and values.
void appendFlag(std::vector<std::string>& words, const Flag& flag);

// Parses a number; false if the text is not exactly one number.
bool readNumber(std::string_view text, double& value);
bool readNumber(std::string_view text, long long& value);
bool readBool(std::string_view text, bool& value);  // yes no on off true false 0 1

// Converts code page 1252 to UTF-8.
std::string utf8FromWindows1252(std::string_view bytes);

}  // namespace purl::host
