// MEL's values: whole numbers, numbers, strings, vectors, arrays of them, and matrices.
#pragma once
#include <cstddef>
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
Value element(const Value& array, int index);  // beyond the end: 0 or ""
// Grows it; returns how many bytes more it has now.
std::ptrdiff_t setElement(Value& array, int index, const Value& value);

// A slip in a loop must not take all memory: of one string or array, and of all variables.
constexpr size_t kMaxValueBytes = size_t(16) << 20, kMaxVariableBytes = size_t(256) << 20;
size_t bytesOf(const Value& value);
void checkStringSize(size_t bytes);                       // throws Error
void append(std::string& text, const std::string& more);  // throws Error where it gets too long

}  // namespace purl::host::mel
