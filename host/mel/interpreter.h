// Runs MEL: the subset of parser.h, over a session's commands. Windows are written down by stand-ins (ui.h). A
// procedure that nobody defined is looked for in the script folders, in a file of its name, as Maya does.
//
//     mel::Interpreter mel(session);
//     mel.scriptPaths = {"mel"};
//     mel.run("source \"purlUI.mel\"; purlCreateUI();", "here");
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "host/host.h"
#include "host/mel/parser.h"
#include "host/mel/ui.h"

namespace purl::host::mel {

class Interpreter {
  public:
    explicit Interpreter(Session& session);

    std::vector<std::string> scriptPaths;
    std::function<void(const std::string&)> out;  // what print says; empty: dropped
    Ui ui;

    // All throw Error beginning with "file:line: ", and Interrupted where a person asks for it.
    Value run(const std::string& text, const std::string& file);
    Value runFile(const std::string& path);
    Value call(const std::string& procedure, const std::vector<Value>& arguments);
    bool knows(const std::string& procedure);  // a procedure, loaded from its file if need be
    Session& session() { return session_; }

  private:
    // Counts what a variable holds in a total while it lives.
    class Charge {
      public:
        Charge() = default;
        Charge(Charge&& other) noexcept { *this = std::move(other); }
        Charge& operator=(Charge&& other) noexcept {
            std::swap(total_, other.total_);
            std::swap(bytes_, other.bytes_);
            return *this;
        }
        ~Charge() {
            if (total_) *total_ -= bytes_;
        }
        void add(size_t& total, std::ptrdiff_t bytes);  // throws Error where the total gets too large
        size_t bytes() const { return bytes_; }

      private:
        size_t* total_ = nullptr;
        size_t bytes_ = 0;
    };
    struct Variable {
        Value value;
        ValueType type;
        Charge charge = {};
    };
    using Names = std::map<std::string, Variable>;
    struct Procedure {
        TreePtr tree;
        std::string file;
    };
    // One procedure at work, or the top level.
    struct Frame {
        std::vector<Names> scopes;
        std::set<std::string> globals;  // names that were declared global here
        std::string file;
    };
    // What an assignment changes: a variable, an element or a matrix's number. Its indices are evaluated once.
    struct Place {
        const Tree* target;
        const Tree* variable;
        std::vector<int> indices;
    };
    enum class Flow { on, stop, next, give };

    Flow execute(const Tree& tree);
    Flow executeInside(const Tree& tree);
    Flow block(const Tree& tree);
    Flow declare(const Tree& tree);
    Flow loop(const Tree& tree);
    Flow forIn(const Tree& tree);
    Flow choose(const Tree& tree);
    Flow executeAll(const std::vector<TreePtr>& parts, size_t from = 0);
    Value evaluate(const Tree& tree);
    Value evaluateInside(const Tree& tree);
    Value indexed(const Tree& tree);
    Value arrayLiteral(const Tree& tree);
    Value tuple(const Tree& tree);
    Value component(const Tree& tree);
    Value unary(const Tree& tree);
    Value binary(const Tree& tree);
    Value assignment(const Tree& tree);
    Value step(const Tree& tree);
    Value call(const Tree& tree);
    Value command(const Tree& tree);
    Value invoke(const std::string& name, const std::vector<Value>& arguments, const Tree& at);
    Value runWords(const std::string& name, const std::vector<Word>& words);
    Value callProcedure(const Procedure& procedure, const std::vector<Value>& arguments);
    bool runScript(const std::string& name, const std::vector<Value>& arguments, Value& result);  // eval, source
    bool builtin(const std::string& name, const std::vector<Value>& arguments, Value& result);
    bool caught(const Tree& tree);
    // tokenize and clear, which change a variable that they are given.
    bool changing(const std::string& name, const std::vector<TreePtr>& arguments, Value& result);

    Variable* find(const std::string& name);
    Variable& variable(const std::string& name);
    void store(Variable& variable, Value value);
    Place placeOf(const Tree& target);
    Value valueAt(const Place& place);
    Value assign(const Place& place, const Value& value);  // what the place has now
    std::string pathOf(const std::string& script) const;   // empty: none
    [[noreturn]] void fail(const Tree& at, const std::string& what) const;

    Session& session_;
    std::map<std::string, Procedure> procedures_;
    size_t held_ = 0;  // bytes of all variables
    int depth_ = 0;    // statements and expressions under way, each inside the one before
    Names globals_;
    std::vector<Frame> frames_;
    Value given_;  // by return
    std::set<std::string> loading_;
};

}  // namespace purl::host::mel
