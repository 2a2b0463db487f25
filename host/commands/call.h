// One call of a command from Python or MEL: name, arguments and flags. Values are strings that the command interprets.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace purl::host {

struct Argument {
    std::vector<std::string> words;
    bool list = false;  // a Python list or tuple, or a MEL array

    Argument() = default;
    Argument(std::string word) : words{std::move(word)} {}
    Argument(std::vector<std::string> all) : words(std::move(all)), list(true) {}
};

struct Call {
    std::string name;
    std::vector<Argument> args;
    std::vector<std::pair<std::string, Argument>> flags;  // long or short names, without the dash
};

// A word of a MEL call. A word that starts with a dash and a letter is a flag unless it was quoted.
struct Word {
    std::string text;
    bool flag = false;

    Word(std::string t, bool isFlag) : text(std::move(t)), flag(isFlag) {}
    Word(const char* t) : Word(std::string(t)) {}
    Word(std::string t);
};

}  // namespace purl::host
