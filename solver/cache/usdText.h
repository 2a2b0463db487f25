// The grammar of USD's text form (.usda): prims and their properties, with values as ranges of the text, which are
// converted when they are needed.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace purl {

struct UsdProperty {
    std::string type, name;
    std::string_view value;                                      // without time; empty if there is none
    std::vector<std::pair<double, std::string_view>> samples;    // by time code, as in the file
    std::map<std::string, std::string_view, std::less<>> about;  // metadata

    bool hasValue() const { return !value.empty() || !samples.empty(); }
};

struct UsdPrim {
    std::string specifier, type, name;  // specifier: def, over or class
    std::map<std::string, std::string_view, std::less<>> about;
    std::map<std::string, UsdProperty, std::less<>> properties;
    std::vector<UsdPrim> children;
    bool hasVariants = false;  // which are not read

    const UsdProperty* find(std::string_view name) const;
};

// The views refer to `text`, which must outlive the layer. Throws Error naming `path`.
struct UsdLayer {
    UsdLayer(const std::string& text, const std::string& path);

    UsdPrim root;  // its metadata are those of the layer
};

// The content of a quoted string, or the text itself.
std::string usdString(std::string_view value);

}  // namespace purl
