// What an Error says.
#pragma once
#include <string>

#include "solver/core/error.h"

namespace purl::test {

template <class Act>
std::string messageOf(Act&& act) {
    try {
        act();
    } catch (const Error& error) { return error.what(); }
    return "no error";
}

}  // namespace purl::test
