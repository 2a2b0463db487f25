// Runs MEL: the subset of parser.h, over a session's commands. Windows are written down by stand-ins (ui.h). A
// procedure that nobody defined is looked for in the script folders, in a file of its name, as Maya does.
//
//     mel::Interpreter mel(session);
//     mel.scriptPaths = {"mel"};
//     mel.run("source \"purlUI.mel\"; purlCreateUI();", "here");
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
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

    // All throw Error beginning with "file:line: ".
    Value run(const std::string& text, const std::string& file);
    Value runFile(const std::string& path);
    Value call(const std::string& procedure, const std::vector<Value>& arguments);
    bool knows(const std::string& procedure);  // a procedure, loaded from its file if need be
    Session& session() { return session_; }

  private:
    struct Variable {
        Value value;
        ValueType type;
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
    enum class Flow { on, stop, next, give };

    Flow execute(const Tree& tree);
    Flow executeAll(const std::vector<TreePtr>& parts, size_t from = 0);
    Value evaluate(const Tree& tree);
    Value evaluateInside(const Tree& tree);
    Value binary(const Tree& tree);
    Value command(const Tree& tree);
    Value invoke(const std::string& name, const std::vector<Value>& arguments, const Tree& at);
    Value runWords(const std::string& name, const std::vector<Word>& words);
    Value callProcedure(const Procedure& procedure, const std::vector<Value>& arguments);
    bool builtin(const std::string& name, const std::vector<Value>& arguments, Value& result);
    bool caught(const Tree& tree);
    // tokenize and clear, which change a variable that they are given.
    bool changing(const std::string& name, const std::vector<TreePtr>& arguments, Value& result);

    Variable* find(const std::string& name);
    Variable& variable(const std::string& name);
    void assign(const Tree& target, const Value& value);
    std::string pathOf(const std::string& script) const;  // empty: none
    [[noreturn]] void fail(const Tree& at, const std::string& what) const;

    Session& session_;
    std::map<std::string, Procedure> procedures_;
    Names globals_;
    std::vector<Frame> frames_;
    Value given_;  // by return
    std::set<std::string> loading_;
};

}  // namespace purl::host::mel
