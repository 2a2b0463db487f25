// MEL's values: whole numbers, numbers, strings, vectors, arrays of them, and matrices.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "host/api/commandResult.h"

namespace purl::host::mel {

struct Vector {
    double x = 0, y = 0, z = 0;
};
struct Matrix {
    int rows = 0, columns = 0;
    std::vector<double> numbers;  // row by row
};

using Value = std::variant<std::monostate, int, double, std::string, std::vector<int>, std::vector<double>,
                           std::vector<std::string>, std::vector<Vector>, Vector, Matrix>;

enum class Base { none, integer, real, string, vector, matrix };
struct ValueType {
    Base base = Base::none;
    bool array = false;
    int rows = 0, columns = 0;  // of a matrix
};

Value valueOf(const CommandResult& result);  // bools become 0 and 1, rows one list of numbers
Value converted(const Value& value, const ValueType& type);
Value initialOf(const ValueType& type);
ValueType typeOf(const Value& value);
bool isArray(const Value& value);

std::string textOf(const Value& value);  // arrays: their parts with spaces
double numberOf(const Value& value);     // 0 where a string is none, as MEL does; a vector's length
Vector vectorOf(const Value& value);     // a number: three times that
int wholeOf(const Value& value);
bool isTrue(const Value& value);
std::vector<std::string> wordsOf(const Value& value);  // as arguments of a command: arrays part by part
int sizeOf(const Value& value);
Value element(const Value& array, int index);                  // beyond the end: 0 or ""
void setElement(Value& array, int index, const Value& value);  // grows it

}  // namespace purl::host::mel
