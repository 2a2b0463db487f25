// The tokenizer, and the table of how many values each flag of each command takes.
#include "host/ma/lexer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "host/graph/text.h"
#include "host/interrupt.h"

namespace purl::host {
namespace {

// Number of values of a command's flag. Flags that are not listed take none.
struct FlagArity {
    std::string_view command;
    std::string_view shortName;
    std::string_view longName;
    int values;
};

constexpr FlagArity kFlagArities[] = {
    {"requires", "nt", "nodeType", 1},
    {"requires", "dt", "dataType", 1},
    {"currentUnit", "l", "linear", 1},
    {"currentUnit", "a", "angle", 1},
    {"currentUnit", "t", "time", 1},
    {"createNode", "n", "name", 1},
    {"createNode", "p", "parent", 1},
    {"rename", "uid", "uuid", 1},
    {"setAttr", "k", "keyable", 1},
    {"setAttr", "l", "lock", 1},
    {"setAttr", "cb", "channelBox", 1},
    {"setAttr", "ca", "caching", 1},
    {"setAttr", "s", "size", 1},
    {"setAttr", "ch", "capacityHint", 1},
    {"setAttr", "typ", "type", 1},
    {"addAttr", "ci", "cachedInternally", 1},
    {"addAttr", "sn", "shortName", 1},
    {"addAttr", "ln", "longName", 1},
    {"addAttr", "at", "attributeType", 1},
    {"addAttr", "dt", "dataType", 1},
    {"addAttr", "p", "parent", 1},
    {"addAttr", "nc", "numberOfChildren", 1},
    {"addAttr", "im", "indexMatters", 1},
    {"addAttr", "h", "hidden", 1},
    {"addAttr", "k", "keyable", 1},
    {"addAttr", "min", "minValue", 1},
    {"addAttr", "max", "maxValue", 1},
    {"addAttr", "smn", "softMinValue", 1},
    {"addAttr", "smx", "softMaxValue", 1},
    {"addAttr", "dv", "defaultValue", 1},
    {"addAttr", "en", "enumName", 1},
    {"addAttr", "s", "storable", 1},
    {"addAttr", "r", "readable", 1},
    {"addAttr", "w", "writable", 1},
    {"addAttr", "is", "internalSet", 1},
    {"addAttr", "bt", "binaryTag", 1},
    {"addAttr", "nn", "niceName", 1},
    {"addAttr", "dcb", "disconnectBehaviour", 1},
    {"addAttr", "ct", "category", 1},
    {"addAttr", "pxy", "proxy", 1},
    {"connectAttr", "l", "lock", 1},
    {"lockNode", "l", "lock", 1},
    {"lockNode", "lu", "lockUnpublished", 1},
    {"file", "rdi", "referenceDepthInfo", 1},
    {"file", "ns", "namespace", 1},
    {"file", "rfn", "referenceNode", 1},
    {"file", "op", "options", 1},
    {"file", "typ", "type", 1},
    {"file", "dr", "deferReference", 1},
    {"relationship", "b", "bind", 1},
    {"dataStructure", "fmt", "format", 1},
    {"dataStructure", "as", "asString", 1},
    {"applyMetadata", "fmt", "format", 1},
    {"applyMetadata", "v", "value", 1},
};

// For flags with an optional boolean value (-uap, -uac: both forms occur, depending on the Maya version).
bool isBoolWord(std::string_view text) {
    bool value;
    return readBool(text, value);
}

int arityOf(std::string_view command, std::string_view flag) {
    for (const FlagArity& row : kFlagArities)
        if (row.command == command && (row.shortName == flag || row.longName == flag)) return row.values;
    return 0;
}

// -k is a flag; -2, -.5, -inf and - are values.
bool looksLikeFlag(const Token& token) {
    if (token.quoted || token.text.size() < 2 || token.text[0] != '-') return false;
    const char c = token.text[1];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
    return token.text != "-inf" && token.text != "-nan" && token.text != "-INF" && token.text != "-NAN";
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

bool endsWord(char c) {
    return isSpace(c) || c == ';' || c == '"' || c == '(' || c == ')' || c == '{' || c == '}' || c == ',';
}

std::string_view trim(std::string_view s) {
    while (!s.empty() && isSpace(s.front())) s.remove_prefix(1);
    while (!s.empty() && isSpace(s.back())) s.remove_suffix(1);
    return s;
}

bool startsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

}  // namespace

const Flag* Statement::flag(std::string_view shortName, std::string_view longName) const {
    for (const Flag& f : flags)
        if (f.name == shortName || f.name == longName) return &f;
    return nullptr;
}

std::string_view Statement::value(std::string_view shortName, std::string_view longName,
                                  std::string_view otherwise) const {
    const Flag* f = flag(shortName, longName);
    return f && !f->values.empty() ? f->values[0].text : otherwise;
}

Lexer::Lexer(std::string_view text, std::string fileName) : text_(text), fileName_(std::move(fileName)) {
    if (startsWith(text_, "\xEF\xBB\xBF")) at_ = 3;  // byte order mark
}

bool Lexer::next(Statement& statement) {
    statement.command = {};
    statement.flags.clear();
    statement.args.clear();
    kept_.clear();
    tokens_.clear();

    do {  // empty statements (";;") are skipped
        if (!skipSpace()) return false;
        statement.line = line_;
        Token token;
        do {
            if (tokens_.size() % 4096 == 0) throwIfInterrupted();
            if (!nextToken(token)) break;
            tokens_.push_back(token);
        } while (tokens_.size() < kMaxWords);
        if (tokens_.size() == kMaxWords)
            fail(statement.line, "the statement has more than " + std::to_string(kMaxWords) + " words, the limit");
        if (!ended_) {
            const std::string command = tokens_.empty() ? std::string() : std::string(tokens_[0].text);
            fail(statement.line, "'" + command + "' has no ';' before the end of the file; is the file truncated?");
        }
    } while (tokens_.empty());

    statement.command = tokens_[0].text;
    const bool isSetAttr = statement.command == "setAttr";
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
        // In setAttr, flags other than -type precede the attribute name, and everything after the type is data.
        const bool data = isSetAttr && statement.args.size() > 1;
        if (data || !looksLikeFlag(tokens_[i])) {
            statement.args.push_back(tokens_[i]);
            continue;
        }
        Flag flag{tokens_[i].text.substr(1), {}};
        int arity = arityOf(statement.command, flag.name);
        const bool optional = statement.command == "addAttr" && arity == 0 && flag.name != "m" && flag.name != "multi";
        if (optional && i + 1 < tokens_.size() && !tokens_[i + 1].quoted && isBoolWord(tokens_[i + 1].text)) arity = 1;
        for (; arity > 0 && i + 1 < tokens_.size(); --arity) flag.values.push_back(tokens_[++i]);
        statement.flags.push_back(std::move(flag));
    }
    return true;
}

bool Lexer::nextToken(Token& token) {
    ended_ = false;
    while (true) {
        if (!skipSpace()) return false;
        const char c = text_[at_];
        if (c == ';') {
            ++at_;
            ended_ = true;
            return false;
        }
        if (c == ',') {  // separates the strings of { "a" , "b" }
            ++at_;
            continue;
        }
        if (c == '"') {
            token = readString();
            return true;
        }
        if (c == '(') {
            token = readConcatenation();
            return true;
        }
        const std::size_t begin = at_;
        if (c == '{' || c == '}' || c == ')') {
            ++at_;
        } else {
            while (at_ < text_.size() && !endsWord(text_[at_])) ++at_;
        }
        token = {text_.substr(begin, at_ - begin), false};
        return true;
    }
}

// Skips blanks and comments; evaluates the two comments with a meaning.
bool Lexer::skipSpace() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            ++line_;
            ++at_;
        } else if (isSpace(c)) {
            ++at_;
        } else if (startsWith(text_.substr(at_), "//")) {
            const std::size_t end = std::min(text_.find('\n', at_), text_.size());
            const std::string_view comment = trim(text_.substr(at_ + 2, end - at_ - 2));
            if (startsWith(comment, "Codeset:")) codeset_ = trim(comment.substr(8));
            if (startsWith(comment, "End of")) hasEndMark_ = true;
            at_ = end;
        } else if (startsWith(text_.substr(at_), "/*")) {
            const std::size_t end = text_.find("*/", at_ + 2);
            if (end == std::string_view::npos) fail(line_, "unterminated comment");
            line_ += static_cast<int>(std::count(text_.begin() + at_, text_.begin() + end, '\n'));
            at_ = end + 2;
        } else {
            return true;
        }
    }
    return false;
}

// "text" with the escapes \" \\ \n \t \r; may contain line breaks.
Token Lexer::readString() {
    const int startLine = line_;
    const std::size_t begin = ++at_;
    bool plain = true;  // no escapes: the token can be a view of the file
    while (at_ < text_.size() && text_[at_] != '"') {
        const char c = text_[at_];
        if (c == '\\') {
            plain = false;
            ++at_;
            if (at_ == text_.size()) break;
        } else if (static_cast<unsigned char>(c) >= 0x80 && codeset_ == "1252") {
            plain = false;
        }
        if (text_[at_] == '\n') ++line_;
        ++at_;
    }
    if (at_ >= text_.size()) fail(startLine, "unterminated string");
    const std::string_view raw = text_.substr(begin, at_ - begin);
    ++at_;
    if (plain) return {raw, true};

    std::string text;
    text.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] != '\\') {
            text += raw[i];
            continue;
        }
        const char c = raw[++i];
        text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
    if (codeset_ == "1252") text = utf8FromWindows1252(text);
    return {keep(std::move(text)), true};
}

// ( "a" + "b" + … ) is one string. Any other parenthesis becomes a word; it occurs only in skipped statements.
Token Lexer::readConcatenation() {
    const int startLine = line_;
    const std::size_t open = at_++;
    if (!skipSpace()) fail(startLine, "unclosed '('");
    if (text_[at_] != '"') return {text_.substr(open, 1), false};

    std::string text;
    while (true) {
        text += readString().text;
        if (!skipSpace()) fail(startLine, "unclosed '('");
        if (text_[at_] == ')') break;
        if (text_[at_] != '+') fail(line_, "expected '+' or ')' after a string inside '( )'");
        ++at_;
        if (!skipSpace() || text_[at_] != '"') fail(line_, "expected a string after '+'");
    }
    ++at_;
    return {keep(std::move(text)), true};
}

std::string_view Lexer::keep(std::string text) {
    kept_.push_back(std::move(text));
    return kept_.back();
}

void Lexer::fail(int line, const std::string& what) const {
    throw SyntaxError(fileName_ + ":" + std::to_string(line) + ": " + what);
}

std::string asWritten(const Token& token) {
    return token.quoted ? inQuotes(std::string(token.text)) : std::string(token.text);
}

void appendFlag(std::vector<std::string>& words, const Flag& flag) {
    words.push_back("-" + std::string(flag.name));
    for (const Token& value : flag.values) words.push_back(asWritten(value));
}

std::string asWritten(const Statement& s) {
    std::vector<std::string> words;
    for (const Flag& flag : s.flags) appendFlag(words, flag);
    for (const Token& argument : s.args) words.push_back(asWritten(argument));
    std::string text(s.command);
    for (const std::string& word : words) text += " " + word;
    return text + ";";
}

bool readNumber(std::string_view text, double& value) {
    if (!text.empty() && text[0] == '+') text.remove_prefix(1);
    if (text.empty()) return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return false;
    // Out of range, such as 1e-320 and 1e+400: use the nearest double.
    if (error == std::errc::result_out_of_range) {
        const std::size_t e = text.find_first_of("eE");
        const bool tiny = e != std::string_view::npos && e + 1 < text.size() && text[e + 1] == '-';
        value = tiny ? 0.0 : std::numeric_limits<double>::max();
        if (text[0] == '-') value = -value;
        return true;
    }
    return error == std::errc();
}

bool readNumber(std::string_view text, long long& value) {
    if (!text.empty() && text[0] == '+') text.remove_prefix(1);
    if (text.empty()) return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

bool readBool(std::string_view text, bool& value) {
    value = text == "yes" || text == "on" || text == "true" || text == "1";
    return value || text == "no" || text == "off" || text == "false" || text == "0";
}

std::string utf8FromWindows1252(std::string_view bytes) {
    // Code points of bytes 0x80 to 0x9F; all other bytes equal their code point.
    static constexpr unsigned kCodePoints[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                                 0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    std::string out;
    out.reserve(bytes.size());
    for (const char c : bytes) {
        unsigned code = static_cast<unsigned char>(c);
        if (code >= 0x80 && code < 0xA0) code = kCodePoints[code - 0x80];
        if (code < 0x80) {
            out += static_cast<char>(code);
        } else if (code < 0x800) {
            out += static_cast<char>(0xC0 | (code >> 6));
            out += static_cast<char>(0x80 | (code & 0x3F));
        } else {
            out += static_cast<char>(0xE0 | (code >> 12));
            out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
            out += static_cast<char>(0x80 | (code & 0x3F));
        }
    }
    return out;
}

}  // namespace purl::host
