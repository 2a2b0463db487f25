// MEL's built-in functions: strings, arrays, numbers, vectors.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "host/commands/command.h"
#include "host/graph/text.h"
#include "host/mel/interpreter.h"
#include "host/mel/operators.h"
#include "host/mel/pattern.h"
#include "solver/core/math.h"

namespace purl::host::mel {

bool Interpreter::builtin(const std::string& name, const std::vector<Value>& a, Value& result) {
    const auto text = [&](size_t k) { return k < a.size() ? textOf(a[k]) : std::string(); };
    const auto number = [&](size_t k) { return k < a.size() ? mel::numberOf(a[k]) : 0.0; };
    const auto whole = [&](size_t k) { return k < a.size() ? intOf(a[k]) : 0; };
    const auto need = [&](size_t count) {
        if (a.size() < count)
            throw Error(name + " needs " + std::to_string(count) + (count == 1 ? " argument" : " arguments"));
    };
    if (name == "print") {
        need(1);
        std::string said;
        if (isArray(a[0]))
            for (int k = 0; k < sizeOf(a[0]); ++k) said += textOf(element(a[0], k)) + "\n";
        else
            said = text(0);
        if (out) out(said);
    } else if (name == "error") {
        throw Error(text(0));
    } else if (name == "size") {
        need(1);
        result = sizeOf(a[0]);
    } else if (name == "exists") {
        result =
            int(knows(text(0)) || Session::knowsCommand(text(0)) || (session_.interactive && Ui::handles(text(0))));
    } else if (name == "whatIs") {
        const std::string what = text(0);
        if (knows(what))
            result = "Mel procedure found in: " + procedures_.at(what).file;
        else
            result = std::string(Session::knowsCommand(what) ? "Command" : "Unknown");
    } else if (name == "substring") {
        const std::string s = text(0);
        const int first = std::max(1, whole(1)), last = std::min(int(s.size()), whole(2));
        result = first <= last ? s.substr(size_t(first - 1), size_t(last - first + 1)) : std::string();
    } else if (name == "startString") {
        result = text(0).substr(0, size_t(std::max(0, whole(1))));
    } else if (name == "toupper" || name == "tolower" || name == "capitalizeString") {
        std::string s = text(0);
        for (size_t k = 0; k < s.size(); ++k) {
            if (name == "capitalizeString" && k > 0) break;
            const auto c = static_cast<unsigned char>(s[k]);
            s[k] = char(name == "tolower" ? std::tolower(c) : std::toupper(c));
        }
        result = s;
    } else if (name == "strcmp") {
        result = text(0).compare(text(1));
    } else if (name == "startsWith" || name == "endsWith") {
        const std::string s = text(0), part = text(1);
        const bool fits = s.size() >= part.size();
        result = int(fits && s.compare(name == "startsWith" ? 0 : s.size() - part.size(), part.size(), part) == 0);
    } else if (name == "match" || name == "substitute") {
        need(name == "match" ? 2 : 3);
        std::string s = text(1);
        const Match found = search(text(0), s);
        if (name == "match") {
            s = s.substr(found.begin, found.end - found.begin);
        } else if (found.found) {
            const std::string with = text(2);
            checkStringSize(s.size() + with.size());
            s.replace(found.begin, found.end - found.begin, with);
        }
        result = s;
    } else if (name == "stringToStringArray") {
        result = splitWords(text(0), text(1).c_str());
    } else if (name == "stringArrayToString") {
        std::string all;
        for (int k = 0; k < (a.empty() ? 0 : sizeOf(a[0])); ++k)
            append(all, (k ? text(1) : "") + textOf(element(a[0], k)));
        result = all;
    } else if (name == "stringArrayContains") {
        need(2);
        bool there = false;
        for (int k = 0; k < sizeOf(a[1]); ++k) there = there || textOf(element(a[1], k)) == text(0);
        result = int(there);
    } else if (name == "stringArrayCatenate") {
        need(2);
        std::vector<std::string> all = wordsOf(a[0]);
        for (const std::string& w : wordsOf(a[1])) all.push_back(w);
        if (bytesOf(all) > kMaxValueBytes)
            throw Error("the array is too long; the limit is " + std::to_string(kMaxValueBytes >> 20) + " MB");
        result = all;
    } else if (name == "interToUI") {
        Attr attr;
        attr.name = text(0);
        result = niceNameOf(attr);
    } else if (name == "dot" || name == "angle") {
        need(2);
        const Vector u = vectorOf(a[0]), v = vectorOf(a[1]);
        const double lengths = mel::numberOf(u) * mel::numberOf(v);
        if (name == "dot")
            result = dot(u, v);
        else
            result = lengths > 0 ? purl::acos(std::min(1.0, std::max(-1.0, dot(u, v) / lengths))) : 0.0;
    } else if (name == "cross") {
        need(2);
        result = cross(vectorOf(a[0]), vectorOf(a[1]));
    } else if (name == "mag") {
        need(1);
        result = mel::numberOf(vectorOf(a[0]));
    } else if (name == "unit") {
        need(1);
        const Vector v = vectorOf(a[0]);
        const double length = mel::numberOf(v);
        result = length > 0 ? Vector{v.x / length, v.y / length, v.z / length} : v;
    } else if (name == "sin" || name == "cos" || name == "tan" || name == "exp" || name == "trunc") {
        need(1);
        const double x = number(0);
        result = name == "sin"   ? purl::sin(x)
                 : name == "cos" ? purl::cos(x)
                 : name == "tan" ? purl::tan(x)
                 : name == "exp" ? purl::exp(x)
                                 : std::trunc(x);
    } else if (name == "pow") {
        need(2);
        result = purl::pow(number(0), number(1));
    } else if (name == "clamp") {
        need(3);
        result = std::min(std::max(number(2), number(0)), number(1));
    } else if (name == "strip") {
        result = trimmed(text(0));
    } else if (name == "sort") {
        need(1);
        Value sorted = a[0];
        if (auto* i = std::get_if<std::vector<int>>(&sorted)) std::sort(i->begin(), i->end());
        if (auto* d = std::get_if<std::vector<double>>(&sorted)) std::sort(d->begin(), d->end());
        if (auto* s = std::get_if<std::vector<std::string>>(&sorted)) std::sort(s->begin(), s->end());
        result = sorted;
    } else if (name == "abs") {
        result = typeOf(a.empty() ? Value() : a[0]).base == Base::integer ? Value(std::abs(whole(0)))
                                                                          : Value(std::abs(number(0)));
    } else if (name == "min") {
        result = std::min(number(0), number(1));
    } else if (name == "max") {
        result = std::max(number(0), number(1));
    } else if (name == "floor") {
        result = std::floor(number(0));
    } else if (name == "ceil") {
        result = std::ceil(number(0));
    } else if (name == "sqrt") {
        if (number(0) < 0) throw Error("sqrt of a negative number");
        result = std::sqrt(number(0));
    } else if (name == "getenv") {
        const char* value = std::getenv(text(0).c_str());
        result = std::string(value ? value : "");
    } else if (name == "python") {
        throw Error("python: Python is not available in this session");
    } else {
        return false;
    }
    return true;
}

}  // namespace purl::host::mel
