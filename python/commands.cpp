// The commands of purl.cmds. There is one scene per process, as in Maya.
#include "python/commands.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "farm/commands.h"
#include "host/commands/command.h"
#include "host/graph/text.h"

namespace nb = nanobind;

namespace purl::python {
namespace {

// The scene, and the Python exception raised while a command ran.
struct TheScene {
    std::unique_ptr<host::Session> session = newCommandSession();
    bool interrupted = false;

    TheScene() {
        session->graph().sink = [](host::Severity severity, const std::string& text) {
            if (severity == host::Severity::Info) return PySys_FormatStdout("%s\n", text.c_str());
            PySys_FormatStderr("%s: %s\n", severity == host::Severity::Error ? "Error" : "Warning", text.c_str());
        };
        // Checks for Ctrl-C between two frames.
        session->graph().progress = [this](int, int, int, const std::string&) {
            if (interrupted || PyErr_CheckSignals() == 0) return;
            interrupted = true;
            host::requestInterrupt();
        };
    }
};

TheScene& theScene() {
    static TheScene* const scene = new TheScene;  // never destroyed: the interpreter may be finalized earlier
    return *scene;
}

// Limits for lists that contain themselves, and for nested lists that expand exponentially.
constexpr int kMaxListDepth = 16;
constexpr size_t kMaxWords = size_t(1) << 23;

void addWords(nb::handle value, std::vector<std::string>& words, int depth = 0) {
    if (depth > kMaxListDepth)
        throw nb::value_error(("commands take nested lists up to " + std::to_string(kMaxListDepth) +
                               " levels; does a list contain itself?")
                                  .c_str());
    if (words.size() >= kMaxWords)
        throw nb::value_error(("commands take up to " + std::to_string(kMaxWords) + " values").c_str());
    if (nb::isinstance<nb::bool_>(value)) {
        words.push_back(nb::cast<bool>(value) ? "1" : "0");
    } else if (nb::isinstance<nb::str>(value)) {
        words.push_back(nb::cast<std::string>(value));
    } else if (nb::isinstance<nb::float_>(value)) {
        words.push_back(host::shortest(nb::cast<double>(value)));
    } else if (nb::isinstance<nb::int_>(value)) {
        words.push_back(nb::cast<std::string>(nb::str(value)));
    } else if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value) || PySequence_Check(value.ptr())) {
        for (nb::handle item : value) addWords(item, words, depth + 1);
    } else if (PyNumber_Check(value.ptr())) {  // numpy scalars
        words.push_back(host::shortest(nb::cast<double>(nb::float_(value))));
    } else {
        const std::string type = nb::cast<std::string>(nb::str(value.type()));
        throw nb::type_error(("commands take strings, numbers and lists of them, not " + type).c_str());
    }
}

host::Argument argument(nb::handle value) {
    std::vector<std::string> words;
    addWords(value, words);
    if (words.size() == 1 && !nb::isinstance<nb::list>(value) && !nb::isinstance<nb::tuple>(value))
        return host::Argument(words[0]);
    return host::Argument(std::move(words));
}

struct ToPython {
    nb::object operator()(std::monostate) const { return nb::none(); }
    template <class T>
    nb::object operator()(const T& value) const {
        return nb::cast(value);
    }
    nb::object operator()(const host::Rows& rows) const {
        nb::list list;
        for (const auto& row : rows) list.append(nb::tuple(nb::cast(row)));
        return list;
    }
};

nb::object runCommand(const std::string& name, const nb::tuple& args, const nb::dict& flags) {
    host::Call call;
    call.name = name;
    for (nb::handle arg : args) call.args.push_back(argument(arg));
    for (const auto& [key, value] : flags)
        if (!value.is_none()) call.flags.emplace_back(nb::cast<std::string>(key), argument(value));
    TheScene& scene = theScene();
    host::CommandResult result;
    try {
        result = scene.session->run(call);
    } catch (const host::Interrupted&) {
        if (!scene.interrupted) throw;
    } catch (const host::Error&) {
        if (!scene.interrupted) throw;
    }
    if (scene.interrupted) {
        scene.interrupted = false;
        host::clearInterrupt();
        nb::raise_python_error();
    }
    return std::visit(ToPython(), result);
}

std::vector<std::string> commandNames() {
    theScene();
    std::vector<std::string> names = host::builtinCommandNames();
    for (const std::string& name : host::commandNames()) names.push_back(name);
    return names;
}

}  // namespace

void bindCommands(nb::module_& module) {
    module.def("command", &runCommand, nb::arg("name"), nb::arg("args"), nb::arg("flags"),
               "Runs a command of purl.cmds by name; raises RuntimeError with its message if it fails.");
    module.def(
        "command_help", [](const std::string& name) { return commandHelp(*theScene().session, name); }, nb::arg("name"),
        "What a command does and its flags, one a line; raises RuntimeError if there is no such command.");
    module.def("command_names", &commandNames, "Names of all commands, including those of loaded plugins.");
    module.def(
        "knows_command", [](const std::string& name) { return theScene(), host::Session::knowsCommand(name); },
        nb::arg("name"));
}

}  // namespace purl::python
