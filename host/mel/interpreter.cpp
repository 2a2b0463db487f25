#include "host/mel/interpreter.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "host/commands/command.h"
#include "host/graph/text.h"

namespace purl::host::mel {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDeepest = 200;  // procedures that call each other

std::string readFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || fs::is_directory(path)) throw Error(path + ": cannot be opened");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// An error that already says where.
struct Placed : Error {
    using Error::Error;
};

}  // namespace

Interpreter::Interpreter(Session& session) : session_(session) {
    globals_["$gMainWindow"] = {Value(std::string("MayaWindow")), {Base::string, false}};
    globals_["$gShelfTopLevel"] = {Value(std::string("ShelfLayout")), {Base::string, false}};
}

void Interpreter::fail(const Tree& at, const std::string& what) const {
    throw Placed((frames_.empty() ? std::string("mel") : frames_.back().file) + ":" + std::to_string(at.line) + ": " +
                 what);
}

Value Interpreter::run(const std::string& text, const std::string& file) {
    const TreePtr tree = parse(text, file);
    if (frames_.size() >= kDeepest) throw Error(file + ": scripts call each other without end");
    frames_.push_back({{}, {}, file});
    frames_.back().scopes.emplace_back();
    given_ = {};
    Value last;
    try {
        for (const TreePtr& part : tree->parts) {
            const bool plain = part->kind == Kind::command || part->kind == Kind::call || part->kind >= Kind::literal;
            if (plain)
                last = evaluate(*part);
            else if (execute(*part) == Flow::give)
                break;
        }
    } catch (...) {
        frames_.pop_back();
        throw;
    }
    frames_.pop_back();
    return last;
}

Value Interpreter::runFile(const std::string& path) { return run(readFile(path), path); }

std::string Interpreter::pathOf(const std::string& script) const {
    std::vector<std::string> folders = scriptPaths;
    if (!frames_.empty()) folders.push_back(fs::path(frames_.back().file).parent_path().string());
    for (const std::string& folder : folders) {
        const fs::path path = folder.empty() ? fs::path(script) : fs::path(folder) / script;
        if (fs::is_regular_file(path)) return path.string();
    }
    return fs::is_regular_file(script) ? script : "";
}

bool Interpreter::knows(const std::string& name) {
    if (procedures_.count(name)) return true;
    if (Session::knowsCommand(name) || Ui::handles(name) || !std::isalpha(static_cast<unsigned char>(name.c_str()[0])))
        return false;
    const std::string path = pathOf(name + ".mel");
    if (path.empty() || !loading_.insert(path).second) return false;
    runFile(path);
    return procedures_.count(name) > 0;
}

Value Interpreter::call(const std::string& name, const std::vector<Value>& arguments) {
    if (!knows(name)) throw Error("there is no procedure " + name);
    return callProcedure(procedures_.at(name), arguments);
}

Value Interpreter::callProcedure(const Procedure& procedure, const std::vector<Value>& arguments) {
    const Tree& tree = *procedure.tree;
    if (arguments.size() != tree.params.size())
        throw Error(tree.text + " takes " + std::to_string(tree.params.size()) + " arguments, not " +
                    std::to_string(arguments.size()));
    if (frames_.size() >= kDeepest) throw Error(tree.text + ": procedures call each other without end");
    Frame frame{{}, {}, procedure.file};
    frame.scopes.emplace_back();
    for (size_t k = 0; k < arguments.size(); ++k)
        frame.scopes.back()[tree.params[k].name] = {converted(arguments[k], tree.params[k].type), tree.params[k].type};
    frames_.push_back(std::move(frame));
    given_ = {};
    try {
        execute(*tree.parts[0]);
    } catch (...) {
        frames_.pop_back();
        throw;
    }
    frames_.pop_back();
    Value result = std::move(given_);
    given_ = {};
    if (tree.type.base == Base::none) return {};
    return converted(result, tree.type);
}

// --- statements

Interpreter::Flow Interpreter::executeAll(const std::vector<TreePtr>& parts, size_t from) {
    for (size_t k = from; k < parts.size(); ++k) {
        const Flow flow = execute(*parts[k]);
        if (flow != Flow::on) return flow;
    }
    return Flow::on;
}

Interpreter::Flow Interpreter::execute(const Tree& tree) {
    Frame& frame = frames_.back();
    switch (tree.kind) {
        case Kind::nothing: return Flow::on;
        case Kind::block: {
            if (tree.flag) return executeAll(tree.parts);
            frame.scopes.emplace_back();
            const size_t depth = frames_.size();
            const Flow flow = executeAll(tree.parts);
            frames_[depth - 1].scopes.pop_back();
            return flow;
        }
        case Kind::declare: {
            const auto given = [&] {
                const Value value = evaluate(*tree.parts[0]);
                try {
                    return converted(value, tree.type);
                } catch (const Error& e) { fail(tree, e.what()); }
            };
            if (tree.global) {
                frame.globals.insert(tree.text);
                if (!globals_.count(tree.text)) globals_[tree.text] = {initialOf(tree.type), tree.type};
                if (!tree.parts.empty()) globals_[tree.text].value = given();
                return Flow::on;
            }
            const Value value = tree.parts.empty() ? initialOf(tree.type) : given();
            frames_.back().scopes.back()[tree.text] = {value, tree.type};
            return Flow::on;
        }
        case Kind::procedure: procedures_[tree.text] = {std::make_shared<Tree>(tree), frame.file}; return Flow::on;
        case Kind::ifElse:
            if (isTrue(evaluate(*tree.parts[0]))) return execute(*tree.parts[1]);
            return tree.parts.size() > 2 ? execute(*tree.parts[2]) : Flow::on;
        case Kind::loop: {
            frame.scopes.emplace_back();
            const size_t depth = frames_.size();
            execute(*tree.parts[0]);
            Flow flow = Flow::on;
            bool first = tree.flag;
            while (first || !tree.parts[1] || isTrue(evaluate(*tree.parts[1]))) {
                first = false;
                if (interruptRequested()) fail(tree, "cancelled");
                flow = execute(*tree.parts[3]);
                if (flow == Flow::stop || flow == Flow::give) break;
                execute(*tree.parts[2]);
            }
            frames_[depth - 1].scopes.pop_back();
            return flow == Flow::give ? flow : Flow::on;
        }
        case Kind::forIn: {
            const Value all = evaluate(*tree.parts[0]);
            if (!isArray(all)) fail(tree, "for … in needs an array");
            frames_.back().scopes.emplace_back();
            const size_t depth = frames_.size();
            Flow flow = Flow::on;
            for (int k = 0; k < sizeOf(all); ++k) {
                frames_.back().scopes.back()[tree.text] = {element(all, k), {typeOf(all).base, false}};
                flow = execute(*tree.parts[1]);
                if (flow == Flow::stop || flow == Flow::give) break;
            }
            frames_[depth - 1].scopes.pop_back();
            return flow == Flow::give ? flow : Flow::on;
        }
        case Kind::choose: {
            const Value value = evaluate(*tree.parts[0]);
            bool matched = false;
            for (int pass = 0; pass < 2 && !matched; ++pass)
                for (size_t k = 1; k < tree.parts.size(); ++k) {
                    const Tree& part = *tree.parts[k];
                    if (!matched)
                        matched =
                            part.flag ? pass == 1 : pass == 0 && textOf(evaluate(*part.parts[0])) == textOf(value);
                    if (!matched) continue;
                    const Flow flow = executeAll(part.parts, part.flag ? 0 : 1);
                    if (flow == Flow::stop) return Flow::on;
                    if (flow != Flow::on) return flow;
                }
            return Flow::on;
        }
        case Kind::stop: return Flow::stop;
        case Kind::next: return Flow::next;
        case Kind::give: {
            Value value = tree.parts.empty() ? Value() : evaluate(*tree.parts[0]);
            given_ = std::move(value);
            return Flow::give;
        }
        default: evaluate(tree); return Flow::on;
    }
}

// --- variables

Interpreter::Variable* Interpreter::find(const std::string& name) {
    Frame& frame = frames_.back();
    for (size_t k = frame.scopes.size(); k-- > 0;) {
        const auto it = frame.scopes[k].find(name);
        if (it != frame.scopes[k].end()) return &it->second;
    }
    // The top level's own variables are global, as in Maya.
    if (frame.globals.count(name) || frames_.size() == 1) {
        const auto it = globals_.find(name);
        if (it != globals_.end()) return &it->second;
    }
    return nullptr;
}

Interpreter::Variable& Interpreter::variable(const std::string& name) {
    if (Variable* v = find(name)) return *v;
    // One that is used for the first time belongs to the procedure, not to the block.
    return frames_.back().scopes.front()[name];
}

void Interpreter::assign(const Tree& target, const Value& value) {
    if (target.kind == Kind::variable) {
        Variable& v = variable(target.text);
        if (v.type.base == Base::none) v.type = typeOf(value);
        v.value = converted(value, v.type);
        return;
    }
    if (target.kind == Kind::index && target.parts[0]->kind == Kind::variable) {
        const int index = wholeOf(evaluate(*target.parts[1]));
        Variable& v = variable(target.parts[0]->text);
        setElement(v.value, index, value);
        if (v.type.base == Base::none) v.type = typeOf(v.value);
        return;
    }
    // $m[row][column] = number
    if (target.kind == Kind::index && target.parts[0]->kind == Kind::index &&
        target.parts[0]->parts[0]->kind == Kind::variable) {
        const int row = wholeOf(evaluate(*target.parts[0]->parts[1])), column = wholeOf(evaluate(*target.parts[1]));
        Matrix* m = std::get_if<Matrix>(&variable(target.parts[0]->parts[0]->text).value);
        if (!m) fail(target, "only a matrix has rows and columns");
        if (row < 0 || row >= m->rows || column < 0 || column >= m->columns)
            fail(target, "a matrix of " + std::to_string(m->rows) + " by " + std::to_string(m->columns) +
                             " has no number [" + std::to_string(row) + "][" + std::to_string(column) + "]");
        m->numbers[size_t(row) * size_t(m->columns) + size_t(column)] = numberOf(value);
        return;
    }
    if (target.kind == Kind::component) fail(target, "a vector's parts cannot be set; assign a whole one, <<x, y, z>>");
    fail(target, "only a variable can be assigned to");
}

// --- expressions

Value Interpreter::evaluate(const Tree& tree) {
    try {
        return evaluateInside(tree);
    } catch (const Placed&) { throw; } catch (const Error& e) {
        const std::string what = e.what();
        // An error of parsing (eval, source) has its own place.
        static const std::regex kPlace("^[^:]*:[0-9]+: ");
        if (std::regex_search(what, kPlace)) throw Placed(what);
        fail(tree, what);
    }
}

static double arithmetic(const std::string& op, double a, double b) {
    switch (op[0]) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        case '/':
            if (b == 0) throw Error("division by zero");
            return a / b;
        default:
            if (b == 0) throw Error("division by zero");
            return std::fmod(a, b);
    }
}

static Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Where a vector takes part: * of two is their dot product, ^ their cross product.
static Value combinedVectors(const std::string& op, const Value& a, const Value& b) {
    const Vector u = vectorOf(a), v = vectorOf(b);
    const bool both = std::holds_alternative<Vector>(a) && std::holds_alternative<Vector>(b);
    if (op == "^") return cross(u, v);
    if (op == "*" && both) return dot(u, v);
    return Vector{arithmetic(op, u.x, v.x), arithmetic(op, u.y, v.y), arithmetic(op, u.z, v.z)};
}

static Value combinedMatrices(const std::string& op, const Value& a, const Value& b) {
    const Matrix *m = std::get_if<Matrix>(&a), *n = std::get_if<Matrix>(&b);
    if (op == "*" && (!m || !n)) {
        Matrix scaled = m ? *m : *n;
        for (double& x : scaled.numbers) x *= numberOf(m ? b : a);
        return scaled;
    }
    if (!m || !n) throw Error("a matrix and a number can only be multiplied");
    if (op == "*") {
        if (m->columns != n->rows) throw Error("matrices of these sizes cannot be multiplied");
        Matrix product{m->rows, n->columns, std::vector<double>(size_t(m->rows) * size_t(n->columns))};
        for (int i = 0; i < m->rows; ++i)
            for (int j = 0; j < n->columns; ++j)
                for (int k = 0; k < m->columns; ++k)
                    product.numbers[size_t(i * n->columns + j)] +=
                        m->numbers[size_t(i * m->columns + k)] * n->numbers[size_t(k * n->columns + j)];
        return product;
    }
    if (op != "+" && op != "-") throw Error("matrices have no " + op);
    if (m->rows != n->rows || m->columns != n->columns) throw Error("the matrices are not of one size");
    Matrix sum = *m;
    for (size_t k = 0; k < sum.numbers.size(); ++k) sum.numbers[k] = arithmetic(op, sum.numbers[k], n->numbers[k]);
    return sum;
}

static Value combined(const std::string& op, const Value& a, const Value& b) {
    const auto either = [&](Base base) { return typeOf(a).base == base || typeOf(b).base == base; };
    if (either(Base::matrix)) return combinedMatrices(op, a, b);
    if (either(Base::vector) && !(op == "+" && either(Base::string))) return combinedVectors(op, a, b);
    if (op == "^") throw Error("^ is of two vectors");
    const bool strings = typeOf(a).base == Base::string || typeOf(b).base == Base::string;
    if (op == "+" && strings) return textOf(a) + textOf(b);
    const bool whole = typeOf(a).base != Base::real && typeOf(b).base != Base::real && !strings;
    const double x = arithmetic(op, numberOf(a), numberOf(b));
    if (!whole) return x;
    return int(std::trunc(std::min(std::max(x, -2147483648.0), 2147483647.0)));
}

Value Interpreter::binary(const Tree& tree) {
    const std::string& op = tree.text;
    if (op == "&&") return int(isTrue(evaluate(*tree.parts[0])) && isTrue(evaluate(*tree.parts[1])));
    if (op == "||") return int(isTrue(evaluate(*tree.parts[0])) || isTrue(evaluate(*tree.parts[1])));
    const Value a = evaluate(*tree.parts[0]), b = evaluate(*tree.parts[1]);
    const bool comparison = op == "==" || op == "!=" || op[0] == '<' || op[0] == '>';
    if (!comparison) return combined(op, a, b);
    // Vectors are equal in all their parts, and greater in their length.
    const bool whole = isArray(a) || typeOf(a).base == Base::vector || typeOf(a).base == Base::matrix;
    const bool strings =
        (typeOf(a).base == Base::string && typeOf(b).base == Base::string) || (whole && (op == "==" || op == "!="));
    int order;
    if (strings) {
        order = textOf(a).compare(textOf(b));
    } else {
        const double x = numberOf(a), y = numberOf(b);
        order = x < y ? -1 : x > y;
    }
    if (op == "==") return int(order == 0);
    if (op == "!=") return int(order != 0);
    if (op == "<") return int(order < 0);
    if (op == ">") return int(order > 0);
    if (op == "<=") return int(order <= 0);
    return int(order >= 0);
}

Value Interpreter::evaluateInside(const Tree& tree) {
    switch (tree.kind) {
        case Kind::literal: return tree.value;
        case Kind::variable: {
            if (const Variable* v = find(tree.text)) return v->value;
            fail(tree, tree.text + " has no value");
        }
        case Kind::index: return element(evaluate(*tree.parts[0]), wholeOf(evaluate(*tree.parts[1])));
        case Kind::array: {
            Value all;
            bool strings = false, reals = false;
            std::vector<Value> values;
            for (const TreePtr& part : tree.parts) {
                values.push_back(evaluate(*part));
                strings = strings || typeOf(values.back()).base == Base::string;
                reals = reals || typeOf(values.back()).base == Base::real;
            }
            all = initialOf({strings ? Base::string : reals ? Base::real : Base::integer, true});
            for (size_t k = 0; k < values.size(); ++k) setElement(all, int(k), values[k]);
            return all;
        }
        case Kind::tuple: {
            Matrix matrix{tree.type.rows, tree.type.columns, {}};
            for (const TreePtr& part : tree.parts) matrix.numbers.push_back(numberOf(evaluate(*part)));
            if (matrix.rows != 1 || matrix.columns != 3) return matrix;
            return Vector{matrix.numbers[0], matrix.numbers[1], matrix.numbers[2]};
        }
        case Kind::component: {
            const Value of = evaluate(*tree.parts[0]);
            const Vector* v = std::get_if<Vector>(&of);
            if (!v) fail(tree, "only a vector has an ." + tree.text);
            return tree.text == "x" ? v->x : tree.text == "y" ? v->y : v->z;
        }
        case Kind::unary: {
            const Value v = evaluate(*tree.parts[0]);
            if (tree.text == "!") return int(!isTrue(v));
            if (typeOf(v).base == Base::real) return -numberOf(v);
            if (typeOf(v).base == Base::vector || typeOf(v).base == Base::matrix) return combined("*", v, Value(-1.0));
            return -wholeOf(v);
        }
        case Kind::binary: return binary(tree);
        case Kind::ternary: return evaluate(*tree.parts[isTrue(evaluate(*tree.parts[0])) ? 1 : 2]);
        case Kind::assign: {
            Value value = evaluate(*tree.parts[1]);
            if (tree.text != "=") {
                const Value before = evaluate(*tree.parts[0]);
                value = combined(tree.text.substr(0, 1), before, value);
            }
            assign(*tree.parts[0], value);
            return evaluate(*tree.parts[0]);
        }
        case Kind::step: {
            const Value before = evaluate(*tree.parts[0]);
            const Value after = combined(tree.text.substr(0, 1), before, Value(1));
            assign(*tree.parts[0], after);
            return tree.flag ? after : before;
        }
        case Kind::cast: return converted(evaluate(*tree.parts[0]), tree.type);
        case Kind::call: {
            if (tree.text == "catch" || tree.text == "catchQuiet")
                return int(tree.parts.size() == 1 && caught(*tree.parts[0]));
            Value changed;
            if (changing(tree.text, tree.parts, changed)) return changed;
            std::vector<Value> arguments;
            for (const TreePtr& part : tree.parts) arguments.push_back(evaluate(*part));
            return invoke(tree.text, arguments, tree);
        }
        case Kind::command: return command(tree);
        default: fail(tree, "no value");
    }
}

// Runs what is in the brackets; true if it failed.
bool Interpreter::caught(const Tree& tree) {
    const size_t frames = frames_.size(), scopes = frames_.back().scopes.size();
    try {
        evaluate(tree);
        return false;
    } catch (const Error&) {
        frames_.resize(frames);
        frames_.back().scopes.resize(scopes);
        return true;
    }
}

// tokenize("a b", $words), tokenize("a|b", "|", $words) and clear($words).
bool Interpreter::changing(const std::string& name, const std::vector<TreePtr>& arguments, Value& result) {
    if (name != "tokenize" && name != "clear") return false;
    const bool clears = name == "clear";
    if (arguments.empty() || arguments.size() > 3 || (clears != (arguments.size() == 1)) ||
        arguments.back()->kind != Kind::variable)
        throw Error(clears ? "clear needs an array" : "tokenize needs a string, perhaps separators, and an array");
    const Tree& target = *arguments.back();
    if (clears) {
        Variable& v = variable(target.text);
        v.value = initialOf({v.type.base, true});
        return true;
    }
    const std::string text = textOf(evaluate(*arguments[0]));
    const std::string separators = arguments.size() == 3 ? textOf(evaluate(*arguments[1])) : " \t\r\n";
    const std::vector<std::string> words = splitWords(text, separators.c_str());
    Variable& v = variable(target.text);
    if (v.type.base == Base::none) v.type = {Base::string, true};
    v.value = converted(Value(words), v.type);
    result = int(words.size());
    return true;
}

// --- commands

Value Interpreter::command(const Tree& tree) {
    if (!tree.parts.empty() && tree.parts[0]->kind == Kind::literal) {
        Value changed;
        const std::vector<TreePtr> rest(tree.parts.begin() + 1, tree.parts.end());
        if (changing(textOf(tree.parts[0]->value), rest, changed)) return changed;
    }
    std::vector<Word> words;
    std::vector<Value> values;
    for (const TreePtr& part : tree.parts) {
        const Value v = evaluate(*part);
        values.push_back(v);
        for (const std::string& w : wordsOf(v)) words.emplace_back(w, part->kind == Kind::literal && part->flag);
    }
    if (words.empty()) fail(tree, "a command is expected");
    const std::string name = words.front().text;
    words.erase(words.begin());
    values.erase(values.begin());
    if (name == "catch" || name == "catchQuiet") {
        Tree rest = tree;
        rest.parts.erase(rest.parts.begin());
        return int(rest.parts.size() == 1 && caught(*rest.parts[0]));
    }
    if (knows(name)) return callProcedure(procedures_.at(name), values);
    Value result;
    if (builtin(name, values, result)) return result;
    return runWords(name, words);
}

Value Interpreter::invoke(const std::string& name, const std::vector<Value>& arguments, const Tree&) {
    if (knows(name)) return callProcedure(procedures_.at(name), arguments);
    Value result;
    if (builtin(name, arguments, result)) return result;
    std::vector<Word> words;
    for (const Value& v : arguments)
        for (const std::string& w : wordsOf(v)) words.emplace_back(w, false);
    return runWords(name, words);
}

Value Interpreter::runWords(const std::string& name, const std::vector<Word>& words) {
    if (Ui::handles(name)) {
        if (!session_.interactive) throw Error(name + ": there are no windows in batch");
        return valueOf(ui.call(name, words));
    }
    return valueOf(session_.runWords(name, words));
}

bool Interpreter::builtin(const std::string& name, const std::vector<Value>& a, Value& result) {
    const auto text = [&](size_t k) { return k < a.size() ? textOf(a[k]) : std::string(); };
    const auto number = [&](size_t k) { return k < a.size() ? mel::numberOf(a[k]) : 0.0; };
    const auto need = [&](size_t count) {
        if (a.size() < count)
            throw Error(name + " needs " + std::to_string(count) + (count == 1 ? " argument" : " arguments"));
    };
    if (name == "print") {
        need(1);
        std::string said;
        if (isArray(a[0]))
            for (int k = 0; k < sizeOf(a[0]); ++k) said += textOf(element(a[0], k)) + "\n";
        else
            said = text(0);
        if (out) out(said);
    } else if (name == "eval" || name == "evalDeferred") {
        std::string all;
        for (size_t k = 0; k < a.size(); ++k)
            if (text(k) != "-lowestPriority") all += (all.empty() ? "" : " ") + text(k);
        result = run(all, frames_.empty() ? "eval" : frames_.back().file);
    } else if (name == "source") {
        need(1);
        std::string path = pathOf(text(0));
        if (path.empty()) path = pathOf(text(0) + ".mel");
        if (path.empty()) throw Error("there is no script " + text(0));
        loading_.insert(path);
        result = runFile(path);
    } else if (name == "error") {
        throw Error(text(0));
    } else if (name == "size") {
        need(1);
        result = sizeOf(a[0]);
    } else if (name == "exists") {
        result =
            int(knows(text(0)) || Session::knowsCommand(text(0)) || (session_.interactive && Ui::handles(text(0))));
    } else if (name == "whatIs") {
        const std::string what = text(0);
        if (knows(what))
            result = "Mel procedure found in: " + procedures_.at(what).file;
        else
            result = std::string(Session::knowsCommand(what) ? "Command" : "Unknown");
    } else if (name == "substring") {
        const std::string s = text(0);
        const int first = std::max(1, int(number(1))), last = std::min(int(s.size()), int(number(2)));
        result = first <= last ? s.substr(size_t(first - 1), size_t(last - first + 1)) : std::string();
    } else if (name == "startString") {
        result = text(0).substr(0, size_t(std::max(0.0, number(1))));
    } else if (name == "toupper" || name == "tolower" || name == "capitalizeString") {
        std::string s = text(0);
        for (size_t k = 0; k < s.size(); ++k) {
            if (name == "capitalizeString" && k > 0) break;
            const auto c = static_cast<unsigned char>(s[k]);
            s[k] = char(name == "tolower" ? std::tolower(c) : std::toupper(c));
        }
        result = s;
    } else if (name == "strcmp") {
        result = text(0).compare(text(1));
    } else if (name == "startsWith" || name == "endsWith") {
        const std::string s = text(0), part = text(1);
        const bool fits = s.size() >= part.size();
        result = int(fits && s.compare(name == "startsWith" ? 0 : s.size() - part.size(), part.size(), part) == 0);
    } else if (name == "match" || name == "substitute") {
        need(name == "match" ? 2 : 3);
        try {
            const std::regex pattern(text(0));
            const std::string s = text(1);
            std::smatch found;
            if (name == "match")
                result = std::regex_search(s, found, pattern) ? found.str(0) : std::string();
            else
                result = std::regex_replace(s, pattern, text(2), std::regex_constants::format_first_only);
        } catch (const std::regex_error&) { throw Error("'" + text(0) + "' is no pattern"); }
    } else if (name == "stringToStringArray") {
        result = splitWords(text(0), text(1).c_str());
    } else if (name == "stringArrayToString") {
        std::string all;
        for (int k = 0; k < (a.empty() ? 0 : sizeOf(a[0])); ++k) all += (k ? text(1) : "") + textOf(element(a[0], k));
        result = all;
    } else if (name == "stringArrayContains") {
        need(2);
        bool there = false;
        for (int k = 0; k < sizeOf(a[1]); ++k) there = there || textOf(element(a[1], k)) == text(0);
        result = int(there);
    } else if (name == "stringArrayCatenate") {
        need(2);
        std::vector<std::string> all = wordsOf(a[0]);
        for (const std::string& w : wordsOf(a[1])) all.push_back(w);
        result = all;
    } else if (name == "interToUI") {
        Attr attr;
        attr.name = text(0);
        result = niceNameOf(attr);
    } else if (name == "dot" || name == "angle") {
        need(2);
        const Vector u = vectorOf(a[0]), v = vectorOf(a[1]);
        const double lengths = mel::numberOf(u) * mel::numberOf(v);
        if (name == "dot")
            result = dot(u, v);
        else
            result = lengths > 0 ? std::acos(std::min(1.0, std::max(-1.0, dot(u, v) / lengths))) : 0.0;
    } else if (name == "cross") {
        need(2);
        result = cross(vectorOf(a[0]), vectorOf(a[1]));
    } else if (name == "mag") {
        need(1);
        result = mel::numberOf(vectorOf(a[0]));
    } else if (name == "unit") {
        need(1);
        const Vector v = vectorOf(a[0]);
        const double length = mel::numberOf(v);
        result = length > 0 ? Vector{v.x / length, v.y / length, v.z / length} : v;
    } else if (name == "sin" || name == "cos" || name == "tan" || name == "exp" || name == "trunc") {
        need(1);
        const double x = number(0);
        result = name == "sin"   ? std::sin(x)
                 : name == "cos" ? std::cos(x)
                 : name == "tan" ? std::tan(x)
                 : name == "exp" ? std::exp(x)
                                 : std::trunc(x);
    } else if (name == "pow") {
        need(2);
        result = std::pow(number(0), number(1));
    } else if (name == "clamp") {
        need(3);
        result = std::min(std::max(number(2), number(0)), number(1));
    } else if (name == "strip") {
        result = trimmed(text(0));
    } else if (name == "sort") {
        need(1);
        Value sorted = a[0];
        if (auto* i = std::get_if<std::vector<int>>(&sorted)) std::sort(i->begin(), i->end());
        if (auto* d = std::get_if<std::vector<double>>(&sorted)) std::sort(d->begin(), d->end());
        if (auto* s = std::get_if<std::vector<std::string>>(&sorted)) std::sort(s->begin(), s->end());
        result = sorted;
    } else if (name == "abs") {
        result = typeOf(a.empty() ? Value() : a[0]).base == Base::integer ? Value(std::abs(int(number(0))))
                                                                          : Value(std::abs(number(0)));
    } else if (name == "min") {
        result = std::min(number(0), number(1));
    } else if (name == "max") {
        result = std::max(number(0), number(1));
    } else if (name == "floor") {
        result = std::floor(number(0));
    } else if (name == "ceil") {
        result = std::ceil(number(0));
    } else if (name == "sqrt") {
        if (number(0) < 0) throw Error("sqrt of a negative number");
        result = std::sqrt(number(0));
    } else if (name == "getenv") {
        const char* value = std::getenv(text(0).c_str());
        result = std::string(value ? value : "");
    } else if (name == "python") {
        throw Error("python is not run here");
    } else {
        return false;
    }
    return true;
}

}  // namespace purl::host::mel
