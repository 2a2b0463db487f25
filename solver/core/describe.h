// The one declaration of each parameter. A params struct P is plain fields with defaults; beside it stands
//     template <class Visit> void describe(Visit&& visit, P& params)
// which names every field once. Maya attributes, Python, the command line and the docs all read it there.
#pragma once
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "solver/core/error.h"
#include "solver/core/vec.h"

namespace purl {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// What is said of a field beside its value.
struct About {
    const char* name;       // lowerCamel, as in Maya's channel box and in Python
    const char* shortName;  // Maya's short attribute name
    const char* unit;  // SI; "m" follows the scene's units outside the solver; "" for pure numbers; "rgb" for colours
    const char* sentence;                               // help text
    double min = -kUnbounded, max = kUnbounded;         // hard limits
    double softMin = kUnbounded, softMax = kUnbounded;  // a slider's range; unbounded: the hard limits
};

// An enum is described by its names in order, found through choicesOf(E{}).
using Choices = std::vector<const char*>;

// The same for every struct: two params are equal when all of their described fields are.
template <class P>
bool sameParams(const P& a, const P& b) {
    bool same = true;
    auto& right = const_cast<P&>(b);  // describe visits by reference; nothing is written here
    std::vector<const void*> fields;
    describe([&](auto& field, const About&) { fields.push_back(&field); }, right);
    size_t next = 0;
    describe(
        [&](auto& field, const About&) {
            using Field = std::remove_reference_t<decltype(field)>;
            same = same && field == *static_cast<const Field*>(fields[next++]);
        },
        const_cast<P&>(a));
    return same;
}

// Throws Error naming `owner` and the field when a number is not finite or outside its limits.
template <class P>
void checkParams(const std::string& owner, const P& params) {
    const auto check = [&](double value, const About& about) {
        if (std::isfinite(value) && value >= about.min && value <= about.max) return;
        const auto trim = [](double number) {
            std::string text = std::to_string(number);
            text.erase(text.find_last_not_of('0') + 1);
            if (!text.empty() && text.back() == '.') text.pop_back();
            return text;
        };
        std::string limits = std::isfinite(about.min) ? "at least " + trim(about.min) : "";
        if (std::isfinite(about.max)) limits += (limits.empty() ? "at most " : " and at most ") + trim(about.max);
        throw Error(owner + ": " + about.name + " is " + trim(value) + ", must be " +
                    (limits.empty() ? "a finite number" : limits));
    };
    describe(
        [&](auto& field, const About& about) {
            using Field = std::remove_reference_t<decltype(field)>;
            if constexpr (std::is_enum_v<Field>) {
                const auto count = static_cast<double>(choicesOf(Field{}).size());
                About limited = about;
                limited.min = 0;
                limited.max = count - 1;
                check(static_cast<double>(static_cast<int>(field)), limited);
            } else if constexpr (std::is_arithmetic_v<Field>) {
                check(static_cast<double>(field), about);
            } else if constexpr (std::is_same_v<Field, Vec3>) {
                for (int i = 0; i < 3; ++i) check(field[i], about);
            }
        },
        const_cast<P&>(params));
}

// Multiplies every length (unit "m") by `factor`: how the scene's units become metres, and back.
template <class P>
void scaleLengths(P& params, double factor) {
    describe(
        [&](auto& field, const About& about) {
            using Field = std::remove_reference_t<decltype(field)>;
            if constexpr (std::is_same_v<Field, float>) {
                if (std::string(about.unit) == "m") field = static_cast<float>(field * factor);
            } else if constexpr (std::is_same_v<Field, Vec3>) {
                if (std::string(about.unit) == "m") field = static_cast<float>(factor) * field;
            }
        },
        params);
}

}  // namespace purl
