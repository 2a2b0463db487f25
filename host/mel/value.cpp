#include "host/mel/value.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "host/graph/object.h"
#include "host/graph/text.h"

namespace purl::host::mel {
namespace {

// As MEL prints a number: six digits, whole ones without a point.
std::string numberText(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.10g", x);
    return text;
}

template <class T>
std::string joined(const std::vector<T>& all) {
    std::string text;
    for (const T& x : all) text += (text.empty() ? "" : " ") + textOf(Value(x));
    return text;
}

template <class T>
T as(const Value& v);
template <>
int as<int>(const Value& v) {
    return wholeOf(v);
}
template <>
double as<double>(const Value& v) {
    return numberOf(v);
}
template <>
std::string as<std::string>(const Value& v) {
    return textOf(v);
}

template <class T>
Value arrayOf(const Value& value) {
    std::vector<T> out;
    if (!isArray(value)) {
        if (!std::holds_alternative<std::monostate>(value)) out.push_back(as<T>(value));
        return out;
    }
    for (int k = 0; k < sizeOf(value); ++k) out.push_back(as<T>(element(value, k)));
    return out;
}

}  // namespace

Value valueOf(const CommandResult& result) {
    struct Convert {
        Value operator()(std::monostate) const { return {}; }
        Value operator()(bool b) const { return int(b); }
        Value operator()(const Rows& rows) const {
            std::vector<double> all;
            for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
            return all;
        }
        Value operator()(int x) const { return x; }
        Value operator()(double x) const { return x; }
        Value operator()(const std::string& x) const { return x; }
        Value operator()(const std::vector<int>& x) const { return x; }
        Value operator()(const std::vector<double>& x) const { return x; }
        Value operator()(const std::vector<std::string>& x) const { return x; }
    };
    return std::visit(Convert(), result);
}

bool isArray(const Value& v) { return v.index() >= 4; }

ValueType typeOf(const Value& v) {
    switch (v.index()) {
        case 1: return {Base::integer, false};
        case 2: return {Base::real, false};
        case 3: return {Base::string, false};
        case 4: return {Base::integer, true};
        case 5: return {Base::real, true};
        case 6: return {Base::string, true};
        default: return {};
    }
}

Value initialOf(const ValueType& type) {
    switch (type.base) {
        case Base::integer: return type.array ? Value(std::vector<int>()) : Value(0);
        case Base::real: return type.array ? Value(std::vector<double>()) : Value(0.0);
        case Base::string: return type.array ? Value(std::vector<std::string>()) : Value(std::string());
        case Base::none: return {};
    }
    return {};
}

Value converted(const Value& value, const ValueType& type) {
    switch (type.base) {
        case Base::integer: return type.array ? arrayOf<int>(value) : Value(wholeOf(value));
        case Base::real: return type.array ? arrayOf<double>(value) : Value(numberOf(value));
        case Base::string: return type.array ? arrayOf<std::string>(value) : Value(textOf(value));
        case Base::none: return value;
    }
    return value;
}

std::string textOf(const Value& v) {
    struct Text {
        std::string operator()(std::monostate) const { return ""; }
        std::string operator()(int x) const { return std::to_string(x); }
        std::string operator()(double x) const { return numberText(x); }
        std::string operator()(const std::string& x) const { return x; }
        std::string operator()(const std::vector<int>& x) const { return joined(x); }
        std::string operator()(const std::vector<double>& x) const { return joined(x); }
        std::string operator()(const std::vector<std::string>& x) const { return joined(x); }
    };
    return std::visit(Text(), v);
}

double numberOf(const Value& v) {
    if (const int* i = std::get_if<int>(&v)) return *i;
    if (const double* d = std::get_if<double>(&v)) return *d;
    if (isArray(v)) return sizeOf(v) == 1 ? numberOf(element(v, 0)) : 0;
    return std::strtod(textOf(v).c_str(), nullptr);
}

int wholeOf(const Value& v) {
    const double x = numberOf(v);
    if (!(std::abs(x) < 2147483648.0)) return 0;
    return int(x);
}

bool isTrue(const Value& v) {
    if (const std::string* s = std::get_if<std::string>(&v))
        return *s == "true" || *s == "on" || *s == "yes" || numberOf(v) != 0;
    return numberOf(v) != 0;
}

std::vector<std::string> wordsOf(const Value& v) {
    if (!isArray(v)) {
        if (const double* d = std::get_if<double>(&v)) return {shortest(*d)};
        return {textOf(v)};
    }
    std::vector<std::string> words;
    for (int k = 0; k < sizeOf(v); ++k) words.push_back(wordsOf(element(v, k)).front());
    return words;
}

int sizeOf(const Value& v) {
    struct Size {
        int operator()(std::monostate) const { return 0; }
        int operator()(int) const { return 1; }
        int operator()(double) const { return 1; }
        int operator()(const std::string& x) const { return int(x.size()); }
        int operator()(const std::vector<int>& x) const { return int(x.size()); }
        int operator()(const std::vector<double>& x) const { return int(x.size()); }
        int operator()(const std::vector<std::string>& x) const { return int(x.size()); }
    };
    return std::visit(Size(), v);
}

template <class T>
static Value at(const std::vector<T>& all, int k) {
    return k >= 0 && k < int(all.size()) ? Value(all[size_t(k)]) : Value(T());
}

Value element(const Value& v, int k) {
    if (const auto* i = std::get_if<std::vector<int>>(&v)) return at(*i, k);
    if (const auto* d = std::get_if<std::vector<double>>(&v)) return at(*d, k);
    if (const auto* s = std::get_if<std::vector<std::string>>(&v)) return at(*s, k);
    throw Error("only an array has elements");
}

template <class T>
static void put(std::vector<T>& all, int k, T x) {
    if (k >= int(all.size())) all.resize(size_t(k) + 1);
    all[size_t(k)] = std::move(x);
}

void setElement(Value& array, int k, const Value& value) {
    constexpr int kMost = 10000000;  // a slip in an index is not worth all memory
    if (k < 0 || k >= kMost) throw Error("bad index " + std::to_string(k));
    if (std::holds_alternative<std::monostate>(array)) array = initialOf({typeOf(value).base, true});
    if (auto* i = std::get_if<std::vector<int>>(&array)) return put(*i, k, wholeOf(value));
    if (auto* d = std::get_if<std::vector<double>>(&array)) return put(*d, k, numberOf(value));
    if (auto* s = std::get_if<std::vector<std::string>>(&array)) return put(*s, k, textOf(value));
    throw Error("only an array has elements");
}

}  // namespace purl::host::mel
