// The registry of reference variants: methods of the source documents that are kept for comparison only. Docs list them
// from here, and values that a standard attribute held before are translated by it.
#pragma once
#include <string>
#include <type_traits>
#include <vector>

#include "solver/core/describe.h"

namespace purl {

struct ReferenceVariant {
    const char* attribute;  // that selects it
    const char* name;       // its value there
    const char* source;     // document and equation
    const char* features;   // IDs in docs/features
    const char* sentence;
    // The attribute that had this name as a value before, and its index there, which saved scenes store. Null: none.
    const char* formerAttribute = nullptr;
    int formerIndex = 0;
};

const std::vector<ReferenceVariant>& referenceVariants();
// Whether a standard attribute had this variant as a value before.
bool isFormerValue(const ReferenceVariant& variant, const std::string& attribute);
// The variant that a standard attribute selected by this index or name before; null: none.
const ReferenceVariant* formerVariant(const std::string& attribute, int index);
const ReferenceVariant* formerVariant(const std::string& attribute, const std::string& name);
// "tensionModel colorNormals is deprecated; set referenceTension to colorNormals instead"
std::string deprecationOf(const ReferenceVariant& variant);

// Selects the variant; one that is selected already stays unless `replaces`. Throws Error if the parameters have no
// such attribute.
template <class P>
void selectVariant(P& params, const ReferenceVariant& variant, bool replaces = true) {
    bool found = false;
    describe(
        [&](auto& field, const About& about) {
            using Field = std::remove_reference_t<decltype(field)>;
            if constexpr (std::is_enum_v<Field>) {
                if (std::string(about.name) != variant.attribute) return;
                found = true;
                if (field != Field{} && !replaces) return;
                const Choices choices = choicesOf(Field{});
                for (size_t i = 0; i < choices.size(); ++i)
                    if (std::string(choices[i]) == variant.name) field = static_cast<Field>(i);
            }
        },
        params);
    if (!found) throw Error(std::string("there is no ") + variant.attribute + " to set to " + variant.name);
}

}  // namespace purl
