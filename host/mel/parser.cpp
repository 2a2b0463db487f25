#include "host/mel/parser.h"

#include <cctype>
#include <charconv>
#include <cstdlib>

#include "host/file.h"
#include "host/interrupt.h"
#include "host/mel/scanner.h"

namespace purl::host::mel {
namespace {

constexpr int kMaxNesting = 200;        // nested brackets and blocks; bounds the recursion
constexpr int kMaxPostfixes = 8;        // $m[1][2].x++ has four
constexpr int kMaxTreeNodes = 1 << 20;  // syntax tree nodes per script, about 250 bytes each
constexpr int kMaxMatrixSize = 1000;    // rows or columns

class Parser : Scanner {
  public:
    Parser(const std::string& text, const std::string& file) : Scanner(text, file) {}

    TreePtr all() {
        auto block = make(mel::Kind::block);
        while (skip(), !atEnd()) block->parts.push_back(statement());
        return block;
    }

  private:
    TreePtr make(mel::Kind kind) {
        if (++nodeCount_ > kMaxTreeNodes) fail("the script is too long; split it");
        if (nodeCount_ % 4096 == 0) throwIfInterrupted();
        auto tree = std::make_shared<Tree>();
        tree->kind = kind;
        tree->line = line_;
        return tree;
    }
    class NestingGuard {
      public:
        explicit NestingGuard(Parser& p) : p_(p) {
            if (++p_.depth_ > kMaxNesting) p_.fail("nested too deeply");
        }
        ~NestingGuard() { --p_.depth_; }

      private:
        Parser& p_;
    };

    // --- statements

    bool takeType(ValueType& type) {
        const struct {
            const char* name;
            Base base;
        } kTypes[] = {{"int", Base::integer},
                      {"float", Base::real},
                      {"string", Base::string},
                      {"vector", Base::vector},
                      {"matrix", Base::matrix}};
        for (const auto& t : kTypes)
            if (takeWord(t.name)) {
                type.base = t.base;
                type.array = false;
                return true;
            }
        return false;
    }
    bool takeBrackets() {
        if (!take("[")) return false;
        skip();
        while (isDigit(peek())) ++at_;  // the size of an array is only a hint
        expect("]");
        return true;
    }

    // Parses the size of a matrix: [4][4].
    void takeSize(ValueType& type) {
        for (int* size : {&type.rows, &type.columns}) {
            expect("[");
            skip();
            while (isDigit(peek()) && *size < kMaxMatrixSize) *size = 10 * *size + (peek() - '0'), ++at_;
            if (*size > kMaxMatrixSize)
                fail("a matrix can have at most " + std::to_string(kMaxMatrixSize) + " rows and columns");
            expect("]");
            if (*size == 0) fail("expected the size of the matrix, such as [4][4]");
        }
    }

    TreePtr statement() {
        const NestingGuard guard(*this);
        skip();
        if (take(";")) return make(mel::Kind::nothing);
        if (lookingAt("{")) return block();
        if (lookingAtWord("global") || lookingAtWord("proc")) return globalOrProc();
        if (lookingAtWord("if")) return ifElse();
        if (lookingAtWord("while")) return whileLoop();
        if (lookingAtWord("do")) return doLoop();
        if (lookingAtWord("for")) return forLoop();
        if (lookingAtWord("switch")) return switchStatement();
        if (takeWord("break")) return ended(make(mel::Kind::breakLoop));
        if (takeWord("continue")) return ended(make(mel::Kind::continueLoop));
        if (takeWord("return")) {
            auto tree = make(mel::Kind::returnFrom);
            if (!lookingAt(";")) tree->parts.push_back(expression());
            return ended(tree);
        }
        const size_t from = at_;
        const int line = line_;
        ValueType type;
        if (takeType(type)) {
            skip();
            if (peek() == '$') return declaration(type, false);
            at_ = from, line_ = line;
        }
        return ended(startsName(peek()) ? nameOrCommand() : expression());
    }
    TreePtr ended(TreePtr tree) {
        skip();
        if (!atEnd() && !lookingAt("}"))
            expect(";");
        else if (lookingAt("}"))
            fail("expected ';'");
        return tree;
    }
    TreePtr block() {
        expect("{");
        auto tree = make(mel::Kind::block);
        while (!lookingAt("}")) {
            if (atEnd()) fail("expected '}'");
            tree->parts.push_back(statement());
        }
        expect("}");
        return tree;
    }
    TreePtr declaration(const ValueType& type, bool global) {
        auto all = make(mel::Kind::block);
        all->flag = true;  // its variables belong to the enclosing block
        do {
            auto tree = make(mel::Kind::declare);
            tree->text = variableName();
            tree->type = type;
            if (type.base == Base::matrix)
                takeSize(tree->type);
            else
                tree->type.array = takeBrackets();
            tree->global = global;
            if (take("=")) tree->parts.push_back(expression());
            all->parts.push_back(tree);
        } while (take(","));
        return ended(all);
    }
    TreePtr globalOrProc() {
        const bool global = takeWord("global");
        ValueType type;
        if (!takeWord("proc")) {
            if (!takeType(type)) fail("expected proc or a type");
            return declaration(type, global);
        }
        auto tree = make(mel::Kind::procedure);
        tree->global = global;
        if (takeType(type)) type.array = takeBrackets();
        tree->type = type;
        tree->text = name();
        expect("(");
        while (!lookingAt(")")) {
            ValueType of;
            if (!takeType(of)) fail("expected the type of the parameter");
            Parameter parameter;
            parameter.name = variableName();
            of.array = takeBrackets();
            parameter.type = of;
            tree->params.push_back(parameter);
            if (!take(",")) break;
        }
        expect(")");
        tree->parts.push_back(block());
        return tree;
    }
    TreePtr ifElse() {
        takeWord("if");
        auto tree = make(mel::Kind::ifElse);
        expect("(");
        tree->parts.push_back(expression());
        expect(")");
        tree->parts.push_back(statement());
        if (takeWord("else")) tree->parts.push_back(statement());
        return tree;
    }
    TreePtr whileLoop() {
        takeWord("while");
        auto tree = make(mel::Kind::loop);
        expect("(");
        tree->parts = {make(mel::Kind::nothing), expression(), make(mel::Kind::nothing), nullptr};
        expect(")");
        tree->parts[3] = statement();
        return tree;
    }
    TreePtr doLoop() {
        takeWord("do");
        auto tree = make(mel::Kind::loop);
        tree->flag = true;
        tree->parts = {make(mel::Kind::nothing), nullptr, make(mel::Kind::nothing), statement()};
        if (!takeWord("while")) fail("expected while");
        expect("(");
        tree->parts[1] = expression();
        expect(")");
        return ended(tree);
    }
    TreePtr forLoop() {
        takeWord("for");
        expect("(");
        const size_t from = at_;
        const int line = line_;
        ValueType type;
        takeType(type);
        skip();
        if (peek() == '$') {
            const std::string variable = variableName();
            if (takeWord("in")) {
                auto tree = make(mel::Kind::forIn);
                tree->text = variable;
                tree->parts.push_back(expression());
                expect(")");
                tree->parts.push_back(statement());
                return tree;
            }
        }
        at_ = from, line_ = line;
        auto tree = make(mel::Kind::loop);
        tree->parts = {series(";"), lookingAt(";") ? nullptr : expression(), nullptr, nullptr};
        expect(";");
        tree->parts[2] = series(")");
        tree->parts[3] = statement();
        return tree;
    }
    // Comma-separated expressions up to and including the symbol `end`.
    TreePtr series(const char* end) {
        auto tree = make(mel::Kind::block);
        tree->flag = true;
        while (!lookingAt(end)) {
            ValueType type;
            if (takeType(type)) {
                auto declare = make(mel::Kind::declare);
                declare->text = variableName();
                declare->type = type;
                if (take("=")) declare->parts.push_back(expression());
                tree->parts.push_back(declare);
            } else {
                tree->parts.push_back(expression());
            }
            if (!take(",")) break;
        }
        expect(end);
        return tree;
    }
    TreePtr switchStatement() {
        takeWord("switch");
        auto tree = make(mel::Kind::switchOn);
        expect("(");
        tree->parts.push_back(expression());
        expect(")");
        expect("{");
        while (!take("}")) {
            auto part = make(mel::Kind::caseOf);
            if (takeWord("default")) {
                part->flag = true;
            } else {
                if (!takeWord("case")) fail("expected case or default");
                part->parts.push_back(expression());
            }
            expect(":");
            while (!lookingAtWord("case") && !lookingAtWord("default") && !lookingAt("}")) {
                if (atEnd()) fail("expected '}'");
                part->parts.push_back(statement());
            }
            tree->parts.push_back(part);
        }
        return tree;
    }

    // --- commands

    // A function call name(a, b), or a command: name and words.
    TreePtr nameOrCommand() {
        const size_t from = at_;
        const int line = line_;
        name();
        const bool function = peek() == '(' || (skip(), peek() == '(' && isFunctionCall());
        at_ = from, line_ = line;
        return function ? expression() : command('\0');
    }
    // True if nothing follows the parenthesis after a name: print ("a") can be either; parent (x) y is a command.
    bool isFunctionCall() {
        const size_t from = at_;
        const int line = line_;
        int depth = 0;
        bool quoted = false;
        while (!atEnd()) {
            const char c = peek();
            if (quoted && c == '\\')
                ++at_;
            else if (c == '"')
                quoted = !quoted;
            else if (!quoted && c == '(')
                ++depth;
            else if (!quoted && c == ')' && --depth == 0) {
                ++at_;
                break;
            }
            advance();
        }
        skip();
        const bool alone = atEnd() || peek() == ';' || peek() == '`';
        at_ = from, line_ = line;
        return alone;
    }
    TreePtr command(char end) {
        const NestingGuard guard(*this);
        auto tree = make(mel::Kind::command);
        while (skip(), !atEnd() && peek() != ';' && peek() != end && !(end == '\0' && peek() == '}')) {
            if (end == '`' && peek() == '}') fail("expected '`'");
            tree->parts.push_back(word());
        }
        if (tree->parts.empty()) fail("expected a command");
        return tree;
    }
    TreePtr word() {
        const char c = peek();
        if (c == '"') return literal(string());
        if (c == '$') return postfix(variable());
        if (c == '`') return backtick();
        if (c == '(') {
            ++at_;
            auto tree = expression();
            expect(")");
            return tree;
        }
        if (c == '{') return arrayLiteral();
        if (c == '<' && peek(1) == '<') return tuple();
        // An unquoted word: a flag, a number, or a name with dots, bars and brackets.
        const size_t from = at_;
        int brackets = 0;
        while (!atEnd()) {
            const char d = peek();
            if (d == '[') ++brackets;
            if (d == ']') --brackets;
            if (std::isspace(static_cast<unsigned char>(d)) || d == ';' || d == '`' || d == '"' || d == ')' ||
                d == '(' || d == '{' || d == '}' || d == '$' || d == ',')
                break;
            ++at_;
        }
        (void)brackets;
        if (at_ == from) fail(std::string("unexpected '") + c + "'");
        auto tree = literal(text_.substr(from, at_ - from));
        const std::string& word = std::get<std::string>(tree->value);
        tree->flag = word.size() > 1 && word[0] == '-' && startsName(word[1]);
        return tree;
    }
    TreePtr backtick() {
        expect("`");
        skip();
        const size_t from = at_;
        const int line = line_;
        // `name(a, b)` is a function call.
        if (startsName(peek())) {
            name();
            skip();
            const bool function = peek() == '(' && isFunctionCall();
            at_ = from, line_ = line;
            if (function) {
                auto tree = expression();
                expect("`");
                return tree;
            }
        }
        auto tree = command('`');
        expect("`");
        return tree;
    }

    // --- expressions, by precedence

    TreePtr expression() {
        const NestingGuard guard(*this);
        TreePtr left = ternary();
        skip();
        for (const char* op : {"+=", "-=", "*=", "/=", "%="})
            if (take(op)) return assignment(op, left, expression());
        if (peek() == '=' && peek(1) != '=') {
            ++at_;
            return assignment("=", left, expression());
        }
        return left;
    }
    TreePtr assignment(const std::string& op, TreePtr a, TreePtr b) {
        auto tree = make(mel::Kind::assign);
        tree->text = op;
        tree->parts = {std::move(a), std::move(b)};
        return tree;
    }
    TreePtr ternary() {
        TreePtr condition = binary(0);
        if (!take("?")) return condition;
        auto tree = make(mel::Kind::ternary);
        tree->parts = {condition, expression(), nullptr};
        expect(":");
        tree->parts[2] = expression();
        return tree;
    }
    TreePtr binary(size_t level) {
        static const std::vector<std::vector<const char*>> kLevels = {
            {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%", "^"}};
        if (level == kLevels.size()) return unary();
        const TreePtr first = binary(level + 1);
        TreePtr chain;  // flat list of operands of equal precedence: long sums must not become deep trees
        for (bool found = true; found;) {
            found = false;
            skip();
            for (const char* op : kLevels[level]) {
                const size_t size = std::char_traits<char>::length(op);
                // not the start of +=, ++ or <<
                if (!lookingAt(op) || (size == 1 && peek(1) == '=') || (*op == '>' && peek(1) == '>') ||
                    (*op == '<' && peek(1) == '<') || (size == 1 && (*op == '+' || *op == '-') && peek(1) == *op))
                    continue;
                at_ += size;
                if (!chain) {
                    chain = make(mel::Kind::binary);
                    chain->parts.push_back(first);
                }
                chain->ops.push_back(op);
                chain->parts.push_back(binary(level + 1));
                found = true;
                break;
            }
        }
        return chain ? chain : first;
    }
    TreePtr unary() {
        const NestingGuard guard(*this);
        skip();
        for (const char* op : {"++", "--"})
            if (take(op)) {
                auto tree = make(mel::Kind::step);
                tree->text = op;
                tree->flag = true;
                tree->parts.push_back(unary());
                return tree;
            }
        if (peek() == '-' || peek() == '!') {
            auto tree = make(mel::Kind::unary);
            tree->text = std::string(1, peek());
            ++at_;
            tree->parts.push_back(unary());
            return tree;
        }
        return postfix(primary());
    }
    TreePtr postfix(TreePtr tree) {
        for (int count = 0;; ++count) {
            if (count > kMaxPostfixes) fail("nested too deeply");
            if (peek() == '.' && peek(1) >= 'x' && peek(1) <= 'z' && !inName(peek(2))) {
                auto part = make(mel::Kind::component);
                part->text = std::string(1, peek(1));
                part->parts.push_back(tree);
                at_ += 2;
                tree = part;
                continue;
            }
            if (peek() == '[') {
                ++at_;
                auto index = make(mel::Kind::index);
                index->parts = {tree, expression()};
                expect("]");
                tree = index;
                continue;
            }
            if ((peek() == '+' && peek(1) == '+') || (peek() == '-' && peek(1) == '-')) {
                auto step = make(mel::Kind::step);
                step->text = text_.substr(at_, 2);
                at_ += 2;
                step->parts.push_back(tree);
                tree = step;
                continue;
            }
            return tree;
        }
    }
    TreePtr primary() {
        skip();
        const char c = peek();
        if (c == '"') return literal(string());
        if (c == '$') return variable();
        if (c == '`') return backtick();
        if (c == '{') return arrayLiteral();
        if (c == '<' && peek(1) == '<') return tuple();
        if (c == '(') {
            ++at_;
            ValueType type;
            const size_t from = at_;
            const int line = line_;
            if (takeType(type) && take(")")) {
                auto tree = make(mel::Kind::cast);
                tree->type = type;
                tree->parts.push_back(unary());
                return tree;
            }
            at_ = from, line_ = line;
            auto tree = expression();
            expect(")");
            return tree;
        }
        if (isDigit(c) || (c == '.' && isDigit(peek(1)))) return number();
        if (startsName(c)) {
            const int line = line_;
            const std::string word = name();
            for (const char* yes : {"true", "on", "yes"})
                if (word == yes) return literalNumber(1);
            for (const char* no : {"false", "off", "no"})
                if (word == no) return literalNumber(0);
            skip();
            if (peek() != '(')
                fail("unexpected '" + word + "' in an expression; to call a command, write `" + word + "`");
            ++at_;
            auto tree = make(mel::Kind::call);
            tree->line = line;
            tree->text = word;
            while (!lookingAt(")")) {
                tree->parts.push_back(expression());
                if (!take(",")) break;
            }
            expect(")");
            return tree;
        }
        if (atEnd()) fail("unexpected end of script");
        fail(std::string("unexpected '") + c + "'");
    }
    TreePtr variable() {
        auto tree = make(mel::Kind::variable);
        tree->text = variableName();
        return tree;
    }
    TreePtr arrayLiteral() {
        expect("{");
        auto tree = make(mel::Kind::array);
        while (!lookingAt("}")) {
            tree->parts.push_back(expression());
            if (!take(",")) break;
        }
        expect("}");
        return tree;
    }
    // A vector, or a matrix if there are several rows or not three numbers.
    TreePtr tuple() {
        auto tree = make(mel::Kind::tuple);
        expect("<<");
        int columns = 0;
        tree->type.rows = 1;
        for (;;) {
            tree->parts.push_back(expression());
            ++columns;
            if (take(",")) continue;
            if (tree->type.rows > 1 && columns != tree->type.columns)
                fail("all rows of a matrix must have the same length");
            tree->type.columns = columns;
            if (!take(";")) break;
            ++tree->type.rows;
            columns = 0;
        }
        expect(">>");
        return tree;
    }
    TreePtr literal(Value value) {
        auto tree = make(mel::Kind::literal);
        tree->value = std::move(value);
        return tree;
    }
    TreePtr literalNumber(int value) { return literal(Value(value)); }
    TreePtr number() {
        const size_t from = at_;
        if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
            at_ += 2;
            const size_t digits = at_;
            while (std::isxdigit(static_cast<unsigned char>(peek()))) ++at_;
            return literal(int(std::strtoul(text_.substr(digits, at_ - digits).c_str(), nullptr, 16)));
        }
        bool real = false;
        while (isDigit(peek())) ++at_;
        if (peek() == '.') {
            real = true;
            ++at_;
            while (isDigit(peek())) ++at_;
        }
        if (peek() == 'e' || peek() == 'E') {
            real = true;
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            while (isDigit(peek())) ++at_;
        }
        const double x = std::strtod(text_.substr(from, at_ - from).c_str(), nullptr);
        if (!real && x > 2147483647.0) fail("the number is too large");
        return literal(real ? Value(x) : Value(int(x)));
    }

    int depth_ = 0, nodeCount_ = 0;
};

}  // namespace

TreePtr parse(const std::string& text, const std::string& file) {
    if (text.size() > kMaxScriptBytes)
        throw Error(file + ": scripts are limited to " + std::to_string(kMaxScriptBytes >> 20) + " MB");
    return Parser(text, file).all();
}

}  // namespace purl::host::mel
