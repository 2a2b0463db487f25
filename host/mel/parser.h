// Parses MEL into a syntax tree. Supports the subset that our own scripts need: procedures, variables, arrays, control
// flow, expressions, commands and `command` substitution. Errors name file and line.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "host/graph/object.h"
#include "host/mel/value.h"

namespace purl::host::mel {

enum class Kind {
    block,         // parts: statements
    declare,       // text: $name, type, global; parts: initializer, if any
    procedure,     // text: name, type, global, params; parts: the body
    ifElse,        // parts: condition, then, else (optional)
    loop,          // parts: init, condition, step, body; flag: do … while
    forIn,         // text: $name; parts: array, body
    switchOn,      // switch: parts: the value, then cases
    caseOf,        // case: parts: its value, then statements; default: flag, statements only
    breakLoop,     // break
    continueLoop,  // continue
    returnFrom,    // return; parts: the value, if any
    literal,       // value
    variable,      // text: $name
    index,         // array, index
    array,         // parts: elements
    tuple,         // vector <<a, b, c>> or matrix <<a, b; c, d>>; type.rows, type.columns
    component,     // text: x, y or z; parts: the vector
    unary,         // text: - !
    binary,        // parts: operands; ops between them, left-associative: + - * / % ^ == != < > <= >= && ||
    ternary,
    assign,   // text: = += -= *= /=; target, value
    step,     // text: ++ or --; flag: prefix
    cast,     // type
    call,     // text: name; parts: arguments, as in name(a, b)
    command,  // parts: words, the first is the name; a literal with flag set is a -flag
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

// Throws Error for invalid, too long or too deeply nested text; trees are therefore safe to traverse recursively.
TreePtr parse(const std::string& text, const std::string& file);

}  // namespace purl::host::mel
