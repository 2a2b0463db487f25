#include "host/mel/value.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include "host/graph/object.h"
#include "host/graph/text.h"

namespace purl::host::mel {
namespace {

// A number as printed by MEL: six digits, integers without a decimal point.
std::string numberText(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.10g", x);
    return text;
}

template <class T>
std::string joined(const std::vector<T>& all) {
    std::string text;
    for (const T& x : all) append(text, (text.empty() ? "" : " ") + textOf(Value(x)));
    return text;
}

template <class T>
T as(const Value& v);
template <>
int as<int>(const Value& v) {
    return intOf(v);
}
template <>
double as<double>(const Value& v) {
    return numberOf(v);
}
template <>
std::string as<std::string>(const Value& v) {
    return textOf(v);
}

template <>
Vector as<Vector>(const Value& v) {
    return vectorOf(v);
}

template <class T>
Value arrayOf(const Value& value) {
    std::vector<T> out;
    if constexpr (std::is_same_v<T, double>)  // a vector is three numbers
        if (const Vector* v = std::get_if<Vector>(&value)) return std::vector<double>{v->x, v->y, v->z};
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

bool isArray(const Value& v) { return v.index() >= 4 && v.index() <= 7; }

ValueType typeOf(const Value& v) {
    switch (v.index()) {
        case 1: return {Base::integer, false};
        case 2: return {Base::real, false};
        case 3: return {Base::string, false};
        case 4: return {Base::integer, true};
        case 5: return {Base::real, true};
        case 6: return {Base::string, true};
        case 7: return {Base::vector, true};
        case 8: return {Base::vector, false};
        case 9: return {Base::matrix, false, std::get<Matrix>(v).rows, std::get<Matrix>(v).columns};
        default: return {};
    }
}

Value initialOf(const ValueType& type) {
    switch (type.base) {
        case Base::integer: return type.array ? Value(std::vector<int>()) : Value(0);
        case Base::real: return type.array ? Value(std::vector<double>()) : Value(0.0);
        case Base::string: return type.array ? Value(std::vector<std::string>()) : Value(std::string());
        case Base::vector: return type.array ? Value(std::vector<Vector>()) : Value(Vector());
        case Base::matrix:
            return Matrix{type.rows, type.columns, std::vector<double>(size_t(type.rows) * size_t(type.columns))};
        case Base::none: return {};
    }
    return {};
}

Value converted(const Value& value, const ValueType& type) {
    switch (type.base) {
        case Base::integer: return type.array ? arrayOf<int>(value) : Value(intOf(value));
        case Base::real: return type.array ? arrayOf<double>(value) : Value(numberOf(value));
        case Base::string: return type.array ? arrayOf<std::string>(value) : Value(textOf(value));
        case Base::vector: return type.array ? arrayOf<Vector>(value) : Value(vectorOf(value));
        case Base::matrix: {
            const Matrix* m = std::get_if<Matrix>(&value);
            if (!m || m->rows != type.rows || m->columns != type.columns)
                throw Error("expected a matrix of " + std::to_string(type.rows) + " by " +
                            std::to_string(type.columns));
            return value;
        }
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
        std::string operator()(const std::vector<Vector>& x) const { return joined(x); }
        std::string operator()(const Vector& x) const { return joined(std::vector<double>{x.x, x.y, x.z}); }
        std::string operator()(const Matrix& x) const { return joined(x.numbers); }
    };
    return std::visit(Text(), v);
}

double numberOf(const Value& v) {
    if (const int* i = std::get_if<int>(&v)) return *i;
    if (const double* d = std::get_if<double>(&v)) return *d;
    if (const Vector* w = std::get_if<Vector>(&v)) return std::sqrt(w->x * w->x + w->y * w->y + w->z * w->z);
    if (isArray(v)) return sizeOf(v) == 1 ? numberOf(element(v, 0)) : 0;
    return std::strtod(textOf(v).c_str(), nullptr);
}

Vector vectorOf(const Value& v) {
    if (const Vector* w = std::get_if<Vector>(&v)) return *w;
    if (isArray(v) && sizeOf(v) == 3)  // e.g. the result of getAttr of a translate
        return {numberOf(element(v, 0)), numberOf(element(v, 1)), numberOf(element(v, 2))};
    const double x = numberOf(v);
    return {x, x, x};
}

int intOf(const Value& v) {
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
        if (const Vector* w = std::get_if<Vector>(&v)) return {shortest(w->x), shortest(w->y), shortest(w->z)};
        std::vector<std::string> words;
        if (const Matrix* m = std::get_if<Matrix>(&v)) {
            for (const double x : m->numbers) words.push_back(shortest(x));
            return words;
        }
        return {textOf(v)};
    }
    std::vector<std::string> words;
    for (int k = 0; k < sizeOf(v); ++k)
        for (const std::string& w : wordsOf(element(v, k))) words.push_back(w);
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
        int operator()(const std::vector<Vector>& x) const { return int(x.size()); }
        int operator()(const Vector&) const { return 1; }
        int operator()(const Matrix& x) const { return int(x.numbers.size()); }
    };
    return std::visit(Size(), v);
}

template <class T>
static Value at(const std::vector<T>& all, int k) {
    return k >= 0 && k < int(all.size()) ? Value(all[k]) : Value(T());
}

Value element(const Value& v, int k) {
    if (const auto* i = std::get_if<std::vector<int>>(&v)) return at(*i, k);
    if (const auto* d = std::get_if<std::vector<double>>(&v)) return at(*d, k);
    if (const auto* s = std::get_if<std::vector<std::string>>(&v)) return at(*s, k);
    if (const auto* w = std::get_if<std::vector<Vector>>(&v)) return at(*w, k);
    if (const auto* m = std::get_if<Matrix>(&v)) {  // a row
        if (k < 0 || k >= m->rows)
            throw Error("a matrix of " + std::to_string(m->rows) + " rows does not have row " + std::to_string(k));
        const auto from = m->numbers.begin() + long(k) * m->columns;
        return std::vector<double>(from, from + m->columns);
    }
    throw Error("the value is not an array and cannot be indexed");
}

template <class T>
static std::ptrdiff_t put(std::vector<T>& all, int k, T x) {
    const size_t before = all.size(), count = std::max(before, size_t(k) + 1);
    if (count * sizeof(T) > kMaxValueBytes) throw Error("bad index " + std::to_string(k) + ": the array is too long");
    auto more = std::ptrdiff_t((count - before) * sizeof(T));
    all.resize(count);
    if constexpr (std::is_same_v<T, std::string>) more += std::ptrdiff_t(x.size()) - std::ptrdiff_t(all[k].size());
    all[k] = std::move(x);
    return more;
}

std::ptrdiff_t setElement(Value& array, int k, const Value& value) {
    if (k < 0) throw Error("bad index " + std::to_string(k));
    if (std::holds_alternative<std::monostate>(array)) array = initialOf({typeOf(value).base, true});
    if (auto* i = std::get_if<std::vector<int>>(&array)) return put(*i, k, intOf(value));
    if (auto* d = std::get_if<std::vector<double>>(&array)) return put(*d, k, numberOf(value));
    if (auto* s = std::get_if<std::vector<std::string>>(&array)) return put(*s, k, textOf(value));
    if (auto* w = std::get_if<std::vector<Vector>>(&array)) return put(*w, k, vectorOf(value));
    throw Error("the value is not an array and cannot be indexed");
}

size_t bytesOf(const Value& v) {
    if (const auto* s = std::get_if<std::string>(&v)) return s->size();
    if (const auto* i = std::get_if<std::vector<int>>(&v)) return i->size() * sizeof(int);
    if (const auto* d = std::get_if<std::vector<double>>(&v)) return d->size() * sizeof(double);
    if (const auto* w = std::get_if<std::vector<Vector>>(&v)) return w->size() * sizeof(Vector);
    if (const auto* m = std::get_if<Matrix>(&v)) return m->numbers.size() * sizeof(double);
    size_t bytes = 0;
    if (const auto* all = std::get_if<std::vector<std::string>>(&v))
        for (const std::string& s : *all) bytes += sizeof s + s.size();
    return bytes;
}

void checkStringSize(size_t bytes) {
    if (bytes > kMaxValueBytes)
        throw Error("the string is too long; the limit is " + std::to_string(kMaxValueBytes >> 20) + " MB");
}

void append(std::string& text, const std::string& more) {
    checkStringSize(text.size() + more.size());
    text += more;
}

}  // namespace purl::host::mel
