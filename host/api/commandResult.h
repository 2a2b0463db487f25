// What a command hands back: nothing, a value, or a list of values.
#pragma once
#include <string>
#include <variant>
#include <vector>

namespace purl::host {

using Rows = std::vector<std::vector<double>>;  // what maya.cmds gives as a list of tuples
using CommandResult = std::variant<std::monostate, bool, int, double, std::string, std::vector<int>,
                                   std::vector<double>, std::vector<std::string>, Rows>;

CommandResult& currentCommandResult();  // of the command that runs on this thread

}  // namespace purl::host
