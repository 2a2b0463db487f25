// MEL values: int, float, string, vector, arrays of these, and matrix.
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

Value valueOf(const CommandResult& result);  // booleans become 0 and 1; rows are concatenated
Value converted(const Value& value, const ValueType& type);
Value initialOf(const ValueType& type);
ValueType typeOf(const Value& value);
bool isArray(const Value& value);

std::string textOf(const Value& value);  // array elements separated by spaces
double numberOf(const Value& value);     // a string that is not a number gives 0, as in MEL; a vector gives its length
Vector vectorOf(const Value& value);     // a number is copied to all three components
int intOf(const Value& value);
bool isTrue(const Value& value);
std::vector<std::string> wordsOf(const Value& value);  // as command arguments; arrays are expanded
int sizeOf(const Value& value);
Value element(const Value& array, int index);  // 0 or "" beyond the end
// Grows the array if necessary; returns the change of its size in bytes.
std::ptrdiff_t setElement(Value& array, int index, const Value& value);

// Memory limits that stop a runaway script: per string or array, and for all variables together.
constexpr size_t kMaxValueBytes = size_t(16) << 20, kMaxVariableBytes = size_t(256) << 20;
size_t bytesOf(const Value& value);
void checkStringSize(size_t bytes);                       // throws Error
void append(std::string& text, const std::string& more);  // throws Error if the result is too long

}  // namespace purl::host::mel
