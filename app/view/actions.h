// The window's actions: name, menu, keys and help sentence of each, declared once. The menus, the key overlay and
// docs/viewer.md read this table.
#pragma once
#include <string>
#include <vector>

namespace purl {

struct ActionAbout {
    const char* id;    // the window's function of this name; see Window::functions
    const char* menu;  // "" if it is in none
    const char* name;  // in the menu; after it a line if it ends in "|"
    const char* keys;  // "Ctrl+N"; several are separated by spaces
    const char* help;
    enum Kind { command, off, on } kind = command;  // off, on: a switch, and its first state
};
const std::vector<ActionAbout>& windowActions();

struct MouseAbout {
    const char *gesture, *help;
};
const std::vector<MouseAbout>& mouseGestures();

// Keys and mouse as a Markdown table, for docs/viewer.md.
std::string keyTable();

}  // namespace purl
