// MEL's operators on values.
#pragma once
#include <string>

#include "host/mel/value.h"

namespace purl::host::mel {

Value combined(const std::string& op, const Value& a, const Value& b);  // + - * / % ^; throws Error
Value compared(const std::string& op, const Value& a, const Value& b);  // == != < > <= >=
Vector cross(const Vector& a, const Vector& b);
double dot(const Vector& a, const Vector& b);

}  // namespace purl::host::mel
