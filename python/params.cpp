#include "python/params.h"

namespace purl::python {
namespace {

bool isVector(const AttributeReference& row) {
    return row.type == "color" || row.type == "float3" || row.type == "distance3";
}

// "0 -1 0" → "(0, -1, 0)"
std::string tupleText(std::string words) {
    for (size_t at = 0; (at = words.find(' ', at)) != std::string::npos; at += 2) words.replace(at, 1, ", ");
    return "(" + words + ")";
}

std::string defaultText(const AttributeReference& row) {
    if (row.type == "enum" || row.type == "string") return "'" + row.defaultValue + "'";
    if (row.type == "bool") return row.defaultValue == "on" ? "True" : "False";
    if (row.type == "int") return std::to_string(static_cast<long long>(std::stod(row.defaultValue)));
    return isVector(row) ? tupleText(row.defaultValue) : row.defaultValue;
}

}  // namespace

std::string snakeCase(const std::string& name) {
    const auto upper = [&](size_t i) { return i < name.size() && name[i] >= 'A' && name[i] <= 'Z'; };
    std::string text;
    for (size_t i = 0; i < name.size(); ++i) {
        // A word begins at a capital that follows or precedes a small letter: pressureXY, particleSpacing.
        if (upper(i) && i > 0 && (!upper(i - 1) || (i + 1 < name.size() && !upper(i + 1)))) text += '_';
        text += upper(i) ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
    }
    return text;
}

std::string typeText(const AttributeReference& row) {
    if (row.type == "enum") {
        std::string names;
        for (const std::string& choice : row.choices) names += (names.empty() ? "'" : ", '") + choice + "'";
        return "typing.Literal[" + names + "]";
    }
    if (row.type == "string") return "str";
    if (row.type == "int" || row.type == "bool") return row.type;
    return isVector(row) ? "tuple[float, float, float]" : "float";
}

std::string inputText(const AttributeReference& row) {
    return isVector(row) ? "collections.abc.Sequence[float]" : typeText(row);
}

std::string docText(const AttributeReference& row) {
    std::string notes;
    const auto add = [&](const std::string& note) { notes += (notes.empty() ? "" : ", ") + note; };
    if (!row.unit.empty()) add(row.unit);
    if (!row.min.empty() && !row.max.empty())
        add(row.min + " … " + row.max);
    else if (!row.min.empty())
        add("at least " + row.min);
    else if (!row.max.empty())
        add("at most " + row.max);
    add("default " + defaultText(row));
    if (row.place == SectionPlace::reference) add("reference variant, for comparison only");
    return row.sentence + " (" + notes + ")";
}

void warnOfDeprecation(const std::string& text) {
    if (PyErr_WarnEx(PyExc_DeprecationWarning, text.c_str(), 1) != 0) throw nb::python_error();
}

std::string keywordText(const AttributeReference& row) {
    return ", " + snakeCase(row.name) + ": " + inputText(row) + " = " + defaultText(row);
}

}  // namespace purl::python
