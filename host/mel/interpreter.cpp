#include "host/mel/interpreter.h"

#include <cctype>
#include <filesystem>

#include "host/commands/command.h"
#include "host/file.h"
#include "host/graph/text.h"
#include "host/mel/operators.h"
#include "solver/core/path.h"

namespace purl::host::mel {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxCalls = 200;  // nested calls of procedures and scripts
constexpr int kMaxDepth = 1000;    // nested statements and expressions, over all calls

class DepthGuard {
  public:
    explicit DepthGuard(int& count) : count_(count) { ++count_; }
    ~DepthGuard() { --count_; }
    DepthGuard(const DepthGuard&) = delete;

  private:
    int& count_;
};

// True for "file:12: …": parse errors (eval, source) already have a location.
bool startsWithLocation(const std::string& what) {
    const size_t colon = what.find(':');
    if (colon == std::string::npos) return false;
    const size_t end = what.find_first_not_of("0123456789", colon + 1);
    return end != std::string::npos && end > colon + 1 && what.compare(end, 2, ": ") == 0;
}

// An error with a source location.
struct LocatedError : Error {
    using Error::Error;
};

}  // namespace

Interpreter::Interpreter(Session& session) : session_(session) {
    globals_["$gMainWindow"] = {Value(std::string("MayaWindow")), {Base::string, false}};
    globals_["$gShelfTopLevel"] = {Value(std::string("ShelfLayout")), {Base::string, false}};
}

void Interpreter::fail(const Tree& at, const std::string& what) const {
    throw LocatedError((frames_.empty() ? std::string("mel") : frames_.back().file) + ":" + std::to_string(at.line) +
                       ": " + what);
}

Value Interpreter::run(const std::string& text, const std::string& file) {
    const TreePtr tree = parse(text, file);
    if (frames_.size() >= kMaxCalls)
        throw Error(file + ": scripts are nested too deeply; is there an endless recursion?");
    frames_.push_back({{}, {}, file});
    frames_.back().scopes.emplace_back();
    returned_ = {};
    Value last;
    try {
        for (const TreePtr& part : tree->parts) {
            const bool plain = part->kind == Kind::command || part->kind == Kind::call || part->kind >= Kind::literal;
            if (plain)
                last = evaluate(*part);
            else if (execute(*part) == Flow::returnFrom)
                break;
        }
    } catch (...) {
        frames_.pop_back();
        throw;
    }
    frames_.pop_back();
    return last;
}

Value Interpreter::runFile(const std::string& path) {
    return run(readTextFile(path, ".mel script", kMaxScriptBytes), path);
}

std::string Interpreter::pathOf(const std::string& script) const {
    std::vector<std::string> folders = scriptPaths;
    if (!frames_.empty()) folders.push_back(toText(toPath(frames_.back().file).parent_path()));
    std::error_code ignored;  // e.g. for an invalid file name
    for (const std::string& folder : folders) {
        const fs::path path = folder.empty() ? toPath(script) : toPath(folder) / toPath(script);
        if (fs::is_regular_file(path, ignored)) return toText(path);
    }
    return fs::is_regular_file(toPath(script), ignored) ? script : "";
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
    if (!knows(name)) throw Error("no procedure named " + name);
    return callProcedure(procedures_.at(name), arguments);
}

Value Interpreter::callProcedure(const Procedure& procedure, const std::vector<Value>& arguments) {
    const Tree& tree = *procedure.tree;
    if (arguments.size() != tree.params.size())
        throw Error(tree.text + " takes " + std::to_string(tree.params.size()) + " arguments, not " +
                    std::to_string(arguments.size()));
    if (frames_.size() >= kMaxCalls)
        throw Error(tree.text + ": procedure calls are nested too deeply; is there an endless recursion?");
    Frame frame{{}, {}, procedure.file};
    frame.scopes.emplace_back();
    for (size_t k = 0; k < arguments.size(); ++k) {
        Variable& parameter = frame.scopes.back()[tree.params[k].name];
        parameter.type = tree.params[k].type;
        store(parameter, converted(arguments[k], parameter.type));
    }
    frames_.push_back(std::move(frame));
    returned_ = {};
    try {
        execute(*tree.parts[0]);
    } catch (...) {
        frames_.pop_back();
        throw;
    }
    frames_.pop_back();
    Value result = std::move(returned_);
    returned_ = {};
    if (tree.type.base == Base::none) return {};
    return converted(result, tree.type);
}

// --- statements

Interpreter::Flow Interpreter::executeAll(const std::vector<TreePtr>& parts, size_t from) {
    for (size_t k = from; k < parts.size(); ++k) {
        const Flow flow = execute(*parts[k]);
        if (flow != Flow::proceed) return flow;
    }
    return Flow::proceed;
}

Interpreter::Flow Interpreter::execute(const Tree& tree) {
    const DepthGuard guard(depth_);
    if (depth_ > kMaxDepth) fail(tree, "nested too deeply");
    return executeInside(tree);
}

// Locals live in separate functions, to keep the stack frame of this recursive function small.
Interpreter::Flow Interpreter::executeInside(const Tree& tree) {
    switch (tree.kind) {
        case Kind::nothing: return Flow::proceed;
        case Kind::block: return tree.flag ? executeAll(tree.parts) : block(tree);
        case Kind::declare: return declare(tree);
        case Kind::procedure:
            procedures_[tree.text] = {std::make_shared<Tree>(tree), frames_.back().file};
            return Flow::proceed;
        case Kind::ifElse:
            if (isTrue(evaluate(*tree.parts[0]))) return execute(*tree.parts[1]);
            return tree.parts.size() > 2 ? execute(*tree.parts[2]) : Flow::proceed;
        case Kind::loop: return loop(tree);
        case Kind::forIn: return forIn(tree);
        case Kind::switchOn: return switchOn(tree);
        case Kind::breakLoop: return Flow::breakLoop;
        case Kind::continueLoop: return Flow::continueLoop;
        case Kind::returnFrom:
            returned_ = tree.parts.empty() ? Value() : evaluate(*tree.parts[0]);
            return Flow::returnFrom;
        default: evaluate(tree); return Flow::proceed;
    }
}

Interpreter::Flow Interpreter::block(const Tree& tree) {
    frames_.back().scopes.emplace_back();
    const size_t depth = frames_.size();
    const Flow flow = executeAll(tree.parts);
    frames_[depth - 1].scopes.pop_back();
    return flow;
}

Interpreter::Flow Interpreter::declare(const Tree& tree) {
    Frame& frame = frames_.back();
    if (tree.global) {
        frame.globals.insert(tree.text);
        if (!globals_.count(tree.text)) {
            Variable& made = globals_[tree.text];
            made.type = tree.type;
            store(made, initialOf(tree.type));
        }
        if (tree.parts.empty()) return Flow::proceed;
    }
    Value value = tree.parts.empty() ? initialOf(tree.type) : evaluate(*tree.parts[0]);
    try {
        if (!tree.parts.empty()) value = converted(value, tree.type);
        Variable& v = tree.global ? globals_[tree.text] : frames_.back().scopes.back()[tree.text];
        if (!tree.global) v.type = tree.type;
        store(v, std::move(value));
    } catch (const Error& e) { fail(tree, e.what()); }
    return Flow::proceed;
}

Interpreter::Flow Interpreter::loop(const Tree& tree) {
    frames_.back().scopes.emplace_back();
    const size_t depth = frames_.size();
    execute(*tree.parts[0]);
    Flow flow = Flow::proceed;
    bool first = tree.flag;
    while (first || !tree.parts[1] || isTrue(evaluate(*tree.parts[1]))) {
        first = false;
        throwIfInterrupted();
        flow = execute(*tree.parts[3]);
        if (flow == Flow::breakLoop || flow == Flow::returnFrom) break;
        execute(*tree.parts[2]);
    }
    frames_[depth - 1].scopes.pop_back();
    return flow == Flow::returnFrom ? flow : Flow::proceed;
}

Interpreter::Flow Interpreter::forIn(const Tree& tree) {
    const Value all = evaluate(*tree.parts[0]);
    if (!isArray(all)) fail(tree, "for-in requires an array");
    frames_.back().scopes.emplace_back();
    const size_t depth = frames_.size();
    Flow flow = Flow::proceed;
    for (int k = 0; k < sizeOf(all); ++k) {
        throwIfInterrupted();
        Variable& each = frames_.back().scopes.back()[tree.text];
        each.type = {typeOf(all).base, false};
        store(each, element(all, k));
        flow = execute(*tree.parts[1]);
        if (flow == Flow::breakLoop || flow == Flow::returnFrom) break;
    }
    frames_[depth - 1].scopes.pop_back();
    return flow == Flow::returnFrom ? flow : Flow::proceed;
}

Interpreter::Flow Interpreter::switchOn(const Tree& tree) {
    const Value value = evaluate(*tree.parts[0]);
    bool matched = false;
    for (int pass = 0; pass < 2 && !matched; ++pass)
        for (size_t k = 1; k < tree.parts.size(); ++k) {
            const Tree& part = *tree.parts[k];
            if (!matched)
                matched = part.flag ? pass == 1 : pass == 0 && textOf(evaluate(*part.parts[0])) == textOf(value);
            if (!matched) continue;
            const Flow flow = executeAll(part.parts, part.flag ? 0 : 1);
            if (flow == Flow::breakLoop) return Flow::proceed;
            if (flow != Flow::proceed) return flow;
        }
    return Flow::proceed;
}

// --- variables

Interpreter::Variable* Interpreter::find(const std::string& name) {
    Frame& frame = frames_.back();
    for (size_t k = frame.scopes.size(); k-- > 0;) {
        const auto it = frame.scopes[k].find(name);
        if (it != frame.scopes[k].end()) return &it->second;
    }
    // Top-level variables are global, as in Maya.
    if (frame.globals.count(name) || frames_.size() == 1) {
        const auto it = globals_.find(name);
        if (it != globals_.end()) return &it->second;
    }
    return nullptr;
}

Interpreter::Variable& Interpreter::variable(const std::string& name) {
    if (Variable* v = find(name)) return *v;
    // An undeclared variable is created in the scope of the procedure, not of the block.
    return frames_.back().scopes.front()[name];
}

void Interpreter::Charge::add(size_t& total, std::ptrdiff_t bytes) {
    total_ = &total;
    bytes_ += size_t(bytes);
    total += size_t(bytes);
    if (bytes > 0 && total > kMaxVariableBytes)
        throw Error("the variables take more than " + std::to_string(kMaxVariableBytes >> 20) + " MB, the limit");
}

void Interpreter::store(Variable& variable, Value value) {
    const auto more = std::ptrdiff_t(bytesOf(value)) - std::ptrdiff_t(variable.charge.bytes());
    variable.value = std::move(value);
    variable.charge.add(variableBytes_, more);
}

Interpreter::Place Interpreter::placeOf(const Tree& target) {
    if (target.kind == Kind::component)
        fail(target, "cannot assign to a component of a vector; assign a whole vector, <<x, y, z>>");
    std::vector<const Tree*> indices;
    const Tree* of = &target;
    for (; of->kind == Kind::index && indices.size() < 2; of = of->parts[0].get())
        indices.push_back(of->parts[1].get());
    if (of->kind != Kind::variable) fail(target, "only a variable can be assigned to");
    Place place{&target, of, {}};
    for (auto index = indices.rbegin(); index != indices.rend(); ++index)
        place.indices.push_back(intOf(evaluate(**index)));
    return place;
}

Value Interpreter::valueAt(const Place& place) {
    const Variable* v = find(place.variable->text);
    if (!v) fail(*place.variable, place.variable->text + " has no value");
    if (place.indices.empty()) return v->value;
    Value value = element(v->value, place.indices[0]);
    return place.indices.size() == 1 ? value : element(value, place.indices[1]);
}

Value Interpreter::assign(const Place& place, const Value& value) {
    Variable& v = variable(place.variable->text);
    if (place.indices.empty()) {
        if (v.type.base == Base::none) v.type = typeOf(value);
        store(v, converted(value, v.type));
        return v.value;
    }
    if (place.indices.size() == 1) {
        const int index = place.indices[0];
        v.charge.add(variableBytes_, setElement(v.value, index, value));
        if (v.type.base == Base::none) v.type = typeOf(v.value);
        return element(v.value, index);
    }
    // $m[row][column] = number
    const int row = place.indices[0], column = place.indices[1];
    Matrix* m = std::get_if<Matrix>(&v.value);
    if (!m) fail(*place.target, "only a matrix has rows and columns");
    if (row < 0 || row >= m->rows || column < 0 || column >= m->columns)
        fail(*place.target, "a matrix of " + std::to_string(m->rows) + " by " + std::to_string(m->columns) +
                                " has no element [" + std::to_string(row) + "][" + std::to_string(column) + "]");
    m->numbers[size_t(row) * size_t(m->columns) + size_t(column)] = numberOf(value);
    return numberOf(value);
}

// --- expressions

Value Interpreter::evaluate(const Tree& tree) {
    throwIfInterrupted();
    const DepthGuard guard(depth_);
    if (depth_ > kMaxDepth) fail(tree, "nested too deeply");
    try {
        return evaluateInside(tree);
    } catch (const LocatedError&) { throw; } catch (const Error& e) {
        if (startsWithLocation(e.what())) throw LocatedError(e.what());
        fail(tree, e.what());
    }
}

Value Interpreter::binary(const Tree& tree) {
    Value left = evaluate(*tree.parts[0]);
    for (size_t k = 0; k < tree.ops.size(); ++k) {
        const std::string op = tree.ops[k];
        const Tree& next = *tree.parts[k + 1];
        if (op == "&&" || op == "||") {
            if (isTrue(left) == (op == "||")) return int(op == "||");
            left = int(isTrue(evaluate(next)));
            continue;
        }
        const Value right = evaluate(next);
        // Appends strings in place: long concatenations would otherwise take quadratic time.
        std::string* const text = std::get_if<std::string>(&left);
        if (op == "+" && text && !std::holds_alternative<Matrix>(right))
            append(*text, textOf(right));
        else if (op == "==" || op == "!=" || op[0] == '<' || op[0] == '>')
            left = compared(op, left, right);
        else
            left = combined(op, left, right);
    }
    return left;
}

// Locals live in separate functions, to keep the stack frame of this recursive function small.
Value Interpreter::evaluateInside(const Tree& tree) {
    switch (tree.kind) {
        case Kind::literal: return tree.value;
        case Kind::variable:
            if (const Variable* v = find(tree.text)) return v->value;
            fail(tree, tree.text + " is not defined");
        case Kind::index: return indexed(tree);
        case Kind::array: return arrayLiteral(tree);
        case Kind::tuple: return tuple(tree);
        case Kind::component: return component(tree);
        case Kind::unary: return unary(tree);
        case Kind::binary: return binary(tree);
        case Kind::ternary: return evaluate(*tree.parts[isTrue(evaluate(*tree.parts[0])) ? 1 : 2]);
        case Kind::assign: return assignment(tree);
        case Kind::step: return step(tree);
        case Kind::cast: return converted(evaluate(*tree.parts[0]), tree.type);
        case Kind::call: return call(tree);
        case Kind::command: return command(tree);
        default: fail(tree, "no value");
    }
}

Value Interpreter::indexed(const Tree& tree) {
    const Tree& array = *tree.parts[0];
    if (array.kind != Kind::variable) return element(evaluate(array), intOf(evaluate(*tree.parts[1])));
    const int index = intOf(evaluate(*tree.parts[1]));
    const Variable* v = find(array.text);  // avoids copying the array for one element
    if (!v) fail(array, array.text + " is not defined");
    return element(v->value, index);
}

Value Interpreter::arrayLiteral(const Tree& tree) {
    bool strings = false, reals = false;
    std::vector<Value> values;
    for (const TreePtr& part : tree.parts) {
        values.push_back(evaluate(*part));
        strings = strings || typeOf(values.back()).base == Base::string;
        reals = reals || typeOf(values.back()).base == Base::real;
    }
    Value all = initialOf({strings ? Base::string : reals ? Base::real : Base::integer, true});
    for (size_t k = 0; k < values.size(); ++k) setElement(all, int(k), values[k]);
    return all;
}

Value Interpreter::tuple(const Tree& tree) {
    Matrix matrix{tree.type.rows, tree.type.columns, {}};
    for (const TreePtr& part : tree.parts) matrix.numbers.push_back(numberOf(evaluate(*part)));
    if (matrix.rows != 1 || matrix.columns != 3) return matrix;
    return Vector{matrix.numbers[0], matrix.numbers[1], matrix.numbers[2]};
}

Value Interpreter::component(const Tree& tree) {
    const Value of = evaluate(*tree.parts[0]);
    const Vector* v = std::get_if<Vector>(&of);
    if (!v) fail(tree, "only a vector has a component ." + tree.text);
    return tree.text == "x" ? v->x : tree.text == "y" ? v->y : v->z;
}

Value Interpreter::unary(const Tree& tree) {
    const Value v = evaluate(*tree.parts[0]);
    if (tree.text == "!") return int(!isTrue(v));
    if (typeOf(v).base == Base::real) return -numberOf(v);
    if (typeOf(v).base == Base::vector || typeOf(v).base == Base::matrix) return combined("*", v, Value(-1.0));
    return -intOf(v);
}

Value Interpreter::assignment(const Tree& tree) {
    const Value value = evaluate(*tree.parts[1]);
    const Place place = placeOf(*tree.parts[0]);
    return assign(place, tree.text == "=" ? value : combined(tree.text.substr(0, 1), valueAt(place), value));
}

Value Interpreter::step(const Tree& tree) {
    const Place place = placeOf(*tree.parts[0]);
    Value before = valueAt(place);
    Value after = combined(tree.text.substr(0, 1), before, Value(1));
    assign(place, after);
    return tree.flag ? after : before;
}

Value Interpreter::call(const Tree& tree) {
    if (tree.text == "catch" || tree.text == "catchQuiet") return int(tree.parts.size() == 1 && caught(*tree.parts[0]));
    Value changed;
    if (callMutating(tree.text, tree.parts, changed)) return changed;
    std::vector<Value> arguments;
    for (const TreePtr& part : tree.parts) arguments.push_back(evaluate(*part));
    return invoke(tree.text, arguments, tree);
}

// Evaluates the argument of catch; true if it failed.
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

// Handles tokenize("a b", $words), tokenize("a|b", "|", $words) and clear($words).
bool Interpreter::callMutating(const std::string& name, const std::vector<TreePtr>& arguments, Value& result) {
    if (name != "tokenize" && name != "clear") return false;
    const bool clears = name == "clear";
    if (arguments.empty() || arguments.size() > 3 || (clears != (arguments.size() == 1)) ||
        arguments.back()->kind != Kind::variable)
        throw Error(clears ? "clear needs an array variable"
                           : "tokenize needs a string, optional separators, and an array variable");
    const Tree& target = *arguments.back();
    if (clears) {
        Variable& v = variable(target.text);
        store(v, initialOf({v.type.base, true}));
        return true;
    }
    const std::string text = textOf(evaluate(*arguments[0]));
    const std::string separators = arguments.size() == 3 ? textOf(evaluate(*arguments[1])) : " \t\r\n";
    const std::vector<std::string> words = splitWords(text, separators.c_str());
    Variable& v = variable(target.text);
    if (v.type.base == Base::none) v.type = {Base::string, true};
    store(v, converted(Value(words), v.type));
    result = int(words.size());
    return true;
}

// --- commands

Value Interpreter::command(const Tree& tree) {
    if (!tree.parts.empty() && tree.parts[0]->kind == Kind::literal) {
        Value changed;
        const std::vector<TreePtr> rest(tree.parts.begin() + 1, tree.parts.end());
        if (callMutating(textOf(tree.parts[0]->value), rest, changed)) return changed;
    }
    std::vector<Word> words;
    std::vector<Value> values;
    for (const TreePtr& part : tree.parts) {
        const Value v = evaluate(*part);
        values.push_back(v);
        for (const std::string& w : wordsOf(v)) words.emplace_back(w, part->kind == Kind::literal && part->flag);
    }
    if (words.empty()) fail(tree, "expected a command");
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
    if (runScript(name, values, result) || builtin(name, values, result)) return result;
    return runWords(name, words);
}

Value Interpreter::invoke(const std::string& name, const std::vector<Value>& arguments, const Tree&) {
    if (knows(name)) return callProcedure(procedures_.at(name), arguments);
    Value result;
    if (runScript(name, arguments, result) || builtin(name, arguments, result)) return result;
    std::vector<Word> words;
    for (const Value& v : arguments)
        for (const std::string& w : wordsOf(v)) words.emplace_back(w, false);
    return runWords(name, words);
}

Value Interpreter::runWords(const std::string& name, const std::vector<Word>& words) {
    if (Ui::handles(name)) {
        if (!session_.interactive) throw Error(name + ": UI commands are not available in batch mode");
        return valueOf(ui.call(name, words));
    }
    return valueOf(session_.runWords(name, words));
}

bool Interpreter::runScript(const std::string& name, const std::vector<Value>& a, Value& result) {
    if (name == "eval" || name == "evalDeferred") {
        std::string all;
        for (const Value& part : a)
            if (textOf(part) != "-lowestPriority") append(all, (all.empty() ? "" : " ") + textOf(part));
        result = run(all, frames_.empty() ? "eval" : frames_.back().file);
        return true;
    }
    if (name != "source") return false;
    if (a.empty()) throw Error("source needs 1 argument");
    const std::string script = textOf(a[0]);
    std::string path = pathOf(script);
    if (path.empty()) path = pathOf(script + ".mel");
    if (path.empty()) throw Error("cannot find script " + script);
    loading_.insert(path);
    result = runFile(path);
    return true;
}

}  // namespace purl::host::mel
