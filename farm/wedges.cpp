#include "farm/wedges.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "solver/cache/file.h"
#include "solver/core/error.h"

namespace purl {
namespace {

std::string trimmedText(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

void checkAttribute(const std::string& name, const std::string& who) {
    if (name.find('.') == std::string::npos || name.front() == '.' || name.back() == '.')
        throw Error(who + ": \"" + name + "\" is not an attribute; expected node.attribute, like water.viscosity");
}

// The part after the last dot, which tells wedges apart in most scenes.
std::string attributeOf(const std::string& assignment) {
    const std::string plug = assignment.substr(0, assignment.find('='));
    return plug.substr(plug.rfind('.') + 1);
}
std::string valueOf(const std::string& assignment) { return trimmedText(assignment.substr(assignment.find('=') + 1)); }

// "3_viscosity0.5_gravity9.8", of characters that need no quoting anywhere.
std::string folderName(size_t number, const std::vector<std::string>& assignments) {
    constexpr size_t kMaxName = 80;
    std::string name = std::to_string(number);
    for (const std::string& assignment : assignments) name += "_" + attributeOf(assignment) + valueOf(assignment);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-' && c != '_') c = '_';
    return name.substr(0, kMaxName);
}

void checkCount(size_t count, const std::string& who) {
    if (count > kMaxWedges)
        throw Error(who + ": are " + std::to_string(count) + " wedges; a job has at most " +
                    std::to_string(kMaxWedges) + ", so submit several jobs");
}

// Cells of a line; a cell in double quotes may contain commas and doubled quotes.
std::vector<std::string> cellsOf(const std::string& line, const std::string& who) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    if (quoted) throw Error(who + ": a quotation mark is not closed");
    for (std::string& cell : cells) cell = trimmedText(cell);
    return cells;
}

std::string cellOf(const std::string& text) {
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

}  // namespace

std::vector<Wedge> wedgesOf(const std::vector<std::string>& ranges) {
    std::vector<std::vector<std::string>> all(1);
    std::set<std::string> names;
    for (const std::string& range : ranges) {
        const size_t equal = range.find('=');
        const std::string who = "--wedge " + range;
        const std::string name = trimmedText(range.substr(0, equal));
        if (equal == std::string::npos || name.empty())
            throw Error(who + ": expected node.attribute=VALUE,VALUE, like water.viscosity=1,3,10");
        checkAttribute(name, who);
        if (!names.insert(name).second) throw Error(who + ": " + name + " is varied already");
        std::vector<std::vector<std::string>> product;
        for (const auto& assignments : all)
            for (const std::string& value : cellsOf(range.substr(equal + 1), who)) {
                if (value.empty()) throw Error(who + ": a value is missing");
                product.push_back(assignments);
                product.back().push_back(name + "=" + value);
                checkCount(product.size(), who);
            }
        all = std::move(product);
    }
    std::vector<Wedge> wedges;
    for (auto& assignments : all) {
        const std::string name = folderName(wedges.size() + 1, assignments);
        wedges.push_back({name, std::move(assignments)});
    }
    return wedges;
}

std::vector<Wedge> readWedges(const std::string& path) {
    std::vector<std::string> columns;
    std::vector<Wedge> wedges;
    std::set<std::string> names;
    const std::string text = readFile(path, kMaxTextBytes) + "\n";
    int number = 0;
    for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string line = trimmedText(text.substr(begin, end - begin));
        const std::string who = path + ":" + std::to_string(++number);
        if (line.empty() || line[0] == '#') continue;
        const std::vector<std::string> cells = cellsOf(line, who);
        if (columns.empty()) {
            columns = cells;
            for (const std::string& column : columns)
                if (column != "wedge") checkAttribute(column.empty() ? "." : column, who);
            continue;
        }
        if (cells.size() != columns.size())
            throw Error(who + ": has " + std::to_string(cells.size()) + " cells; its first line has " +
                        std::to_string(columns.size()));
        Wedge wedge;
        for (size_t k = 0; k < cells.size(); ++k) {
            if (columns[k] == "wedge")
                wedge.name = cells[k];
            else if (!cells[k].empty())
                wedge.assignments.push_back(columns[k] + "=" + cells[k]);
        }
        if (wedge.name.empty()) wedge.name = folderName(wedges.size() + 1, wedge.assignments);
        const bool plain = std::all_of(wedge.name.begin(), wedge.name.end(), [](unsigned char c) {
            return std::isalnum(c) || c == '.' || c == '-' || c == '_';
        });
        if (!plain || wedge.name[0] == '.' || wedge.name[0] == '-')
            throw Error(who + ": \"" + wedge.name +
                        "\" cannot name a folder; use letters, digits, dots, hyphens and underscores");
        if (!names.insert(wedge.name).second) throw Error(who + ": there is another wedge \"" + wedge.name + "\"");
        wedges.push_back(std::move(wedge));
        checkCount(wedges.size(), path);
    }
    if (wedges.empty()) throw Error(path + ": has no wedges; expected a line of attributes, and lines of values");
    return wedges;
}

std::string wedgeTable(const std::vector<Wedge>& wedges) {
    std::vector<std::string> columns;
    std::vector<std::map<std::string, std::string>> rows;
    for (const Wedge& wedge : wedges) {
        rows.emplace_back();
        for (const std::string& assignment : wedge.assignments) {
            const std::string name = assignment.substr(0, assignment.find('='));
            if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
            rows.back()[name] = valueOf(assignment);
        }
    }
    std::string text = "wedge";
    for (const std::string& column : columns) text += "," + cellOf(column);
    for (size_t i = 0; i < wedges.size(); ++i) {
        text += "\n" + wedges[i].name;
        for (const std::string& column : columns) text += "," + cellOf(rows[i][column]);
    }
    return text + "\n";
}

std::vector<std::string> valueTexts(const std::vector<std::string>& assignments) {
    std::vector<std::string> texts;
    for (const std::string& assignment : assignments)
        texts.push_back(attributeOf(assignment) + " " + valueOf(assignment));
    return texts;
}

}  // namespace purl
