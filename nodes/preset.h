// The preset attribute of a node: 0 is custom, i + 1 is row i of a table of materials. Its names come from the table.
#pragma once
#include <string>

#include "solver/core/describe.h"
#include "solver/core/error.h"

namespace purl {

template <class Rows>
Choices presetChoices(const Rows& rows) {
    Choices choices{"custom"};
    for (const auto& row : rows) choices.push_back(row.name);
    return choices;
}

// The chosen row; null for custom. Throws Error for an index beyond the table, as in a scene from a later version.
template <class Choice, class Rows>
auto presetRow(Choice choice, const Rows& rows) -> decltype(&rows[0]) {
    const auto index = static_cast<size_t>(choice);
    if (index > rows.size())
        throw Error("preset " + std::to_string(index) + " is unknown; there are: " + joinedNames(rows));
    return index == 0 ? nullptr : &rows[index - 1];
}

}  // namespace purl
