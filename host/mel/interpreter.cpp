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
            if (tree.global) {
                frame.globals.insert(tree.text);
                if (!globals_.count(tree.text)) globals_[tree.text] = {initialOf(tree.type), tree.type};
                if (!tree.parts.empty()) globals_[tree.text].value = converted(evaluate(*tree.parts[0]), tree.type);
                return Flow::on;
            }
            const Value value =
                tree.parts.empty() ? initialOf(tree.type) : converted(evaluate(*tree.parts[0]), tree.type);
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

static Value combined(const std::string& op, const Value& a, const Value& b) {
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
    const bool strings = typeOf(a).base == Base::string && typeOf(b).base == Base::string;
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
        case Kind::unary: {
            const Value v = evaluate(*tree.parts[0]);
            if (tree.text == "!") return int(!isTrue(v));
            if (typeOf(v).base == Base::real) return -numberOf(v);
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

// --- commands

Value Interpreter::command(const Tree& tree) {
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
