// MEL's values: whole numbers, numbers, strings, and arrays of them. Others of Maya's types are not in the subset.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "host/api/commandResult.h"

namespace purl::host::mel {

using Value = std::variant<std::monostate, int, double, std::string, std::vector<int>, std::vector<double>,
                           std::vector<std::string>>;

enum class Base { none, integer, real, string };
struct ValueType {
    Base base = Base::none;
    bool array = false;
};

Value valueOf(const CommandResult& result);  // bools become 0 and 1, rows one list of numbers
Value converted(const Value& value, const ValueType& type);
Value initialOf(const ValueType& type);
ValueType typeOf(const Value& value);
bool isArray(const Value& value);

std::string textOf(const Value& value);  // arrays: their parts with spaces
double numberOf(const Value& value);     // 0 where a string is none, as MEL does
int wholeOf(const Value& value);
bool isTrue(const Value& value);
std::vector<std::string> wordsOf(const Value& value);  // as arguments of a command: arrays part by part
int sizeOf(const Value& value);
Value element(const Value& array, int index);                  // beyond the end: 0 or ""
void setElement(Value& array, int index, const Value& value);  // grows it

}  // namespace purl::host::mel
