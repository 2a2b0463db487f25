// Tables of named materials: a name, and one number for each parameter that belongs to the material. All other
// parameters keep their values.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "solver/core/describe.h"
#include "solver/core/error.h"

namespace purl {

template <class Params, size_t N>
struct MaterialTable {
    struct Row {
        const char* name;
        std::array<float, N> values;
    };
    const char* kind;  // "fabric"
    std::array<float Params::*, N> fields;
    std::vector<Row> rows;

    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const Row& row : rows) names.emplace_back(row.name);
        return names;
    }
    // `params` with the material's values. Throws Error listing the known names.
    Params with(const std::string& name, Params params) const {
        for (const Row& row : rows) {
            if (name != row.name) continue;
            for (size_t k = 0; k < N; ++k) params.*fields[k] = row.values[k];
            return params;
        }
        throw Error(std::string("there is no ") + kind + " \"" + name + "\"; there are: " + joinedNames(rows));
    }
};

}  // namespace purl
