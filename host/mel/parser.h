// MEL text → a tree. The subset that our own scripts need: procedures, variables, arrays, control flow, expressions,
// commands and `commands`. Errors name file and line.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "host/graph/object.h"
#include "host/mel/value.h"

namespace purl::host::mel {

enum class Kind {
    block,         // parts: statements
    declare,       // text: $name, type, global; parts: its first value, or none
    procedure,     // text: name, type, global, params; parts: the body
    ifElse,        // condition, then, or else
    loop,          // parts: start, condition, step, body; doWhile: the body comes first
    forIn,         // text: $name; parts: array, body
    switchOn,      // switch: parts: the value, then cases
    caseOf,        // case: parts: its value, then statements; default: flag, statements only
    breakLoop,     // break
    continueLoop,  // continue
    returnFrom,    // return; parts: the value, or none
    literal,       // value
    variable,      // text: $name
    index,         // array, index
    array,         // parts: elements
    tuple,         // <<a, b, c>> or rows of them, <<a, b; c, d>>; type.rows, type.columns
    component,     // text: x, y or z; parts: the vector
    unary,         // text: - !
    binary,        // operands, and ops between them: + - * / % ^ == != < > <= >= && ||, from left to right
    ternary,
    assign,   // text: = += -= *= /=; target, value
    step,     // text: ++ or --; flag: before
    cast,     // type
    call,     // text: name; parts: arguments, as in name(a, b)
    command,  // parts: words; a literal with flag is a -flag; the first one is the name
    nothing,
};

struct Parameter {
    std::string name;
    ValueType type;
};

struct Tree {
    Kind kind = Kind::nothing;
    int line = 0;
    std::string text;
    Value value;
    ValueType type;
    bool flag = false, global = false;
    std::vector<Parameter> params;
    std::vector<std::shared_ptr<Tree>> parts;
    std::vector<const char*> ops;
};
using TreePtr = std::shared_ptr<Tree>;

// Throws Error; also for a text that is too long or nested too deeply, so that trees can be walked by recursion.
TreePtr parse(const std::string& text, const std::string& file);

}  // namespace purl::host::mel
