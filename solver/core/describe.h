// The one declaration of each parameter. A parameter struct P has plain fields with defaults, and beside it
//     template <class Visit> void describe(Visit&& visit, P& params)
// which declares every field once. Maya attributes, Python, the command line, the panel and the docs read it.
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

// The order of sections in an attribute editor follows Maya's own simulation nodes. Sections of one place keep the
// order of `describe`. The section of the reference variants comes last and is closed at first.
enum class SectionPlace { identity, construction, surroundings, mechanics, details, solver, display, reference };
constexpr const char* kReferenceHeading = "Reference variants";

struct Section {
    const char* heading = nullptr;  // null: the section of the parameter before this one
    SectionPlace place = SectionPlace::details;
};

// Everything declared about a parameter except its default, which is the field's initializer.
struct About {
    const char* name;       // lowerCamel, as in Maya's channel box and in Python
    const char* shortName;  // Maya's short attribute name
    const char* unit;  // SI; "m" for lengths, which follow the scene's units outside the solver; "" for ratios; "rgb"
    const char* sentence;                               // help text
    double min = -kUnbounded, max = kUnbounded;         // hard limits
    double softMin = kUnbounded, softMax = kUnbounded;  // range of the slider; unbounded: the hard limits
    Section startsSection = {};
    bool isInitialOnly = false;  // read at the start frame only: never keyed, and a new value restarts the simulation

    // This parameter and those declared after it are listed under `heading`.
    constexpr About section(const char* heading, SectionPlace place = SectionPlace::details) const {
        About about = *this;
        about.startsSection = {heading, place};
        return about;
    }
    constexpr About initialOnly() const {
        About about = *this;
        about.isInitialOnly = true;
        return about;
    }
    // A reference variant; see solver/reference.
    constexpr About reference() const { return section(kReferenceHeading, SectionPlace::reference); }
    constexpr bool isReference() const { return startsSection.place == SectionPlace::reference; }
};

// The names of an enum's values in order, returned by choicesOf(E{}). Saved scenes store the index: append new ones. An
// empty name is an index that is no longer in use.
using Choices = std::vector<const char*>;

// "silk, cotton, wool": the names of a table's rows, for help texts and messages.
template <class Rows>
std::string joinedNames(const Rows& rows) {
    std::string names;
    for (const auto& row : rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

// Two parameter structs are equal if all described fields are.
template <class P>
bool sameParams(const P& a, const P& b) {
    bool same = true;
    auto& right = const_cast<P&>(b);  // describe takes a mutable reference; nothing is written here
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

// Throws Error naming `owner` and the field if a number is not finite or outside its hard limits.
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
                const Choices choices = choicesOf(Field{});
                const auto index = static_cast<int>(field);
                About limited = about;
                limited.min = 0;
                limited.max = static_cast<double>(choices.size()) - 1;
                check(static_cast<double>(index), limited);
                if (!*choices[static_cast<size_t>(index)])
                    throw Error(owner + ": " + about.name + " has no value " + std::to_string(index));
            } else if constexpr (std::is_arithmetic_v<Field>) {
                check(static_cast<double>(field), about);
            } else if constexpr (std::is_same_v<Field, Vec3>) {
                for (int i = 0; i < 3; ++i) check(field[i], about);
            }
        },
        const_cast<P&>(params));
}

// Multiplies every length (unit "m") by `factor`, to convert between the scene's units and metres.
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
