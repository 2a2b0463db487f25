// The result of a command: nothing, a value, or a list of values.
#pragma once
#include <string>
#include <variant>
#include <vector>

namespace purl::host {

using Rows = std::vector<std::vector<double>>;  // a list of tuples in maya.cmds
using CommandResult = std::variant<std::monostate, bool, int, double, std::string, std::vector<int>,
                                   std::vector<double>, std::vector<std::string>, Rows>;

CommandResult& currentCommandResult();  // of the command running on this thread

}  // namespace purl::host
