// Parameters as Python attributes: one binder for every struct with a `describe`, which provides names, docstrings,
// limits and constructor keywords.
#pragma once
#include "nodes/reference.h"
#include "python/casters.h"
#include "solver/core/describe.h"
#include "solver/reference/registry.h"

namespace purl::python {

namespace nb = nanobind;

// A parameter's name in Python: particle_spacing for particleSpacing.
std::string snakeCase(const std::string& name);

// ---- text of a reference row in Python ----------------------------------------------------------------------------

// "float", "typing.Literal['liquid', 'gas']" …
std::string typeText(const AttributeReference& row);
// The same for an argument: any three numbers make a vector.
std::string inputText(const AttributeReference& row);
// "Inner friction … (Pa·s, 0 … 1e+06, default 2)"
std::string docText(const AttributeReference& row);
// ", viscosity: float = 2": the row as a keyword of a constructor, in snake_case.
std::string keywordText(const AttributeReference& row);

template <class P>
std::vector<AttributeReference> rowsOf() {
    P defaults;
    std::vector<AttributeReference> rows;
    describe(ReferenceWriter{rows}, defaults);
    return rows;
}

template <class P>
std::string keywordsOf() {
    std::string text = ", *";
    for (const AttributeReference& row : rowsOf<P>()) text += keywordText(row);
    return text;
}

// Issues a DeprecationWarning in the caller's line. Throws if warnings are errors.
void warnOfDeprecation(const std::string& text);

// ---- values ------------------------------------------------------------------------------------------------------

template <class Field>
struct PythonValue {
    using Type = Field;
    static Field get(const Field& field) { return field; }
    static void set(Field& field, const Field& value, const std::string&, const About&) { field = value; }
};

// An enum is represented by the name of its value.
template <class E>
struct EnumValue {
    using Type = std::string;
    static std::string get(E field) { return choicesOf(field)[static_cast<size_t>(field)]; }
    static void set(E& field, const std::string& name, const std::string& owner, const About& about) {
        const Choices choices = choicesOf(E{});
        std::string names;
        for (size_t i = 0; i < choices.size(); ++i) {
            if (!*choices[i]) continue;
            if (name == choices[i]) {
                field = static_cast<E>(i);
                return;
            }
            names += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + std::string(choices[i]);
        }
        throw Error(owner + ": " + about.name + " is \"" + name + "\", must be " + names);
    }
};
template <class Field>
using ValueOf = std::conditional_t<std::is_enum_v<Field>, EnumValue<Field>, PythonValue<Field>>;

// Sets a field. A former value of an enum selects its reference variant instead, with a DeprecationWarning.
template <class P, class Field>
void setField(P& params, Field& field, const typename ValueOf<Field>::Type& value, const std::string& owner,
              const About& about) {
    if constexpr (std::is_enum_v<Field>)
        if (const ReferenceVariant* variant = formerVariant(about.name, value)) {
            warnOfDeprecation(owner + ": " + deprecationOf(*variant));
            selectVariant(params, *variant);
            return;
        }
    ValueOf<Field>::set(field, value, owner, about);
}

// Calls `use(field, about)` for the field at this index of `describe`.
template <class P, class Use>
void withField(P& params, int place, Use&& use) {
    int next = 0;
    describe(
        [&](auto& field, const About& about) {
            if (next++ == place) use(field, about);
        },
        params);
}

// ---- the binder --------------------------------------------------------------------------------------------------

// Adds a property for every field. Needs `P& paramsOf(Owner&)`, and `nameOf(const Owner&)` for error messages.
template <class Owner>
void bindParams(nb::class_<Owner>& type) {
    using P = std::remove_reference_t<decltype(paramsOf(std::declval<Owner&>()))>;
    const std::vector<AttributeReference> rows = rowsOf<P>();
    P defaults;
    int place = 0;
    describe(
        [&](auto& example, const About& about) {
            using Field = std::remove_reference_t<decltype(example)>;
            using Value = ValueOf<Field>;
            using Type = typename Value::Type;
            const auto get = [place](Owner& self) {
                Type value{};
                withField(paramsOf(self), place, [&](auto& field, const About&) {
                    if constexpr (std::is_same_v<decltype(field), Field&>) value = Value::get(field);
                });
                return value;
            };
            const auto set = [place](Owner& self, const Type& value) {
                P changed = paramsOf(self);
                withField(changed, place, [&](auto& field, const About& about) {
                    if constexpr (std::is_same_v<decltype(field), Field&>)
                        setField(changed, field, value, nameOf(self), about);
                });
                checkParams(nameOf(self), changed);
                paramsOf(self) = changed;
            };
            const AttributeReference& row = rows[static_cast<size_t>(place++)];
            const auto bind = [&](const std::string& name, const std::string& doc, const auto& read,
                                  const auto& write) {
                const std::string getter = "def " + name + "(self) -> " + typeText(row);
                const std::string setter = "def " + name + "(self, value: " + inputText(row) + ", /) -> None";
                type.def_prop_rw(name.c_str(), read, write, doc.c_str(), nb::for_getter(nb::sig(getter.c_str())),
                                 nb::for_setter(nb::sig(setter.c_str())));
            };
            const std::string former = about.name, name = snakeCase(former);
            bind(name, docText(row), get, set);
            if (former == name) return;
            bind(
                former, "Deprecated: use " + name + ".",
                [get, former, name](Owner& self) {
                    warnOfDeprecation(former + " is now " + name);
                    return get(self);
                },
                [set, former, name](Owner& self, const Type& value) {
                    warnOfDeprecation(former + " is now " + name);
                    set(self, value);
                });
        },
        defaults);
}

// Sets params from the keywords of a constructor.
template <class P>
void setParams(P& params, const std::string& owner, const nb::kwargs& keywords) {
    for (const auto& [key, value] : keywords) {
        const auto wanted = nb::cast<std::string>(key);
        bool known = false;
        std::string names;
        describe(
            [&](auto& field, const About& about) {
                using Field = std::remove_reference_t<decltype(field)>;
                const std::string name = snakeCase(about.name);
                names += (names.empty() ? "" : ", ") + name;
                if (wanted != name && wanted != about.name) return;
                known = true;
                if (wanted != name) warnOfDeprecation(owner + ": " + wanted + " is now " + name);
                typename ValueOf<Field>::Type given;
                if (!nb::try_cast(value, given))
                    throw nb::type_error((owner + ": " + wanted + " cannot be " + nb::repr(value).c_str()).c_str());
                setField(params, field, given, owner, about);
            },
            params);
        if (!known) throw Error(owner + ": has no setting \"" + wanted + "\"; the settings are " + names);
    }
    checkParams(owner, params);
}

}  // namespace purl::python
