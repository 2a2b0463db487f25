// Interprets the MEL subset of parser.h with the commands of a session. UI commands are recorded, not shown (ui.h). An
// undefined procedure is looked up in the script folders, in a file of the same name, as in Maya.
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
    std::function<void(const std::string&)> out;  // receives the output of print; empty: dropped
    Ui ui;

    // All throw Error starting with "file:line: ", and Interrupted if the user cancels.
    Value run(const std::string& text, const std::string& file);
    Value runFile(const std::string& path);
    Value call(const std::string& procedure, const std::vector<Value>& arguments);
    bool knows(const std::string& procedure);  // true if the procedure exists; loads its file if necessary
    Session& session() { return session_; }

  private:
    // Adds the size of a variable to a total for the variable's lifetime.
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
        void add(size_t& total, std::ptrdiff_t bytes);  // throws Error if the total exceeds its limit
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
    // Stack frame of a procedure, or of the top level.
    struct Frame {
        std::vector<Names> scopes;
        std::set<std::string> globals;  // names declared global in this frame
        std::string file;
    };
    // Target of an assignment: a variable, an array element or a matrix element. Its indices are evaluated once.
    struct Place {
        const Tree* target;
        const Tree* variable;
        std::vector<int> indices;
    };
    enum class Flow { proceed, breakLoop, continueLoop, returnFrom };

    Flow execute(const Tree& tree);
    Flow executeInside(const Tree& tree);
    Flow block(const Tree& tree);
    Flow declare(const Tree& tree);
    Flow loop(const Tree& tree);
    Flow forIn(const Tree& tree);
    Flow switchOn(const Tree& tree);
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
    // tokenize and clear, which modify their argument variable. False for other commands.
    bool callMutating(const std::string& name, const std::vector<TreePtr>& arguments, Value& result);

    Variable* find(const std::string& name);
    Variable& variable(const std::string& name);
    void store(Variable& variable, Value value);
    Place placeOf(const Tree& target);
    Value valueAt(const Place& place);
    Value assign(const Place& place, const Value& value);  // returns the stored value
    std::string pathOf(const std::string& script) const;   // empty if not found
    [[noreturn]] void fail(const Tree& at, const std::string& what) const;

    Session& session_;
    std::map<std::string, Procedure> procedures_;
    size_t variableBytes_ = 0;  // total size of all variables
    int depth_ = 0;             // recursion depth of statements and expressions
    Names globals_;
    std::vector<Frame> frames_;
    Value returned_;  // value of the last return statement
    std::set<std::string> loading_;
};

}  // namespace purl::host::mel
