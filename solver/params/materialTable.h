// Named materials as a table: a name, and a number for each of the parameters that make the material. What it says
// nothing of stays as it is.
#pragma once
#include <array>
#include <string>
#include <vector>

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
    // Throws Error listing the names there are.
    Params with(const std::string& name, Params params) const {
        std::string all;
        for (const Row& row : rows) {
            if (name == row.name) {
                for (size_t k = 0; k < N; ++k) params.*fields[k] = row.values[k];
                return params;
            }
            all += std::string(all.empty() ? "" : ", ") + row.name;
        }
        throw Error(std::string("there is no ") + kind + " \"" + name + "\"; there are: " + all);
    }
};

}  // namespace purl
