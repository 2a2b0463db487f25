#include "farm/pathMap.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "solver/cache/file.h"
#include "solver/core/error.h"

namespace purl {
namespace {

bool isSeparator(char c, bool windows) { return c == '/' || (windows && c == '\\'); }

std::vector<std::string> componentsOf(const std::string& path, bool windows) {
    std::vector<std::string> parts(1);
    for (const char c : path) {
        if (isSeparator(c, windows))
            parts.emplace_back();
        else
            parts.back() += c;
    }
    parts.erase(
        std::remove_if(parts.begin(), parts.end(), [](const std::string& part) { return part.empty() || part == "."; }),
        parts.end());
    return parts;
}

std::string lowerCase(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

}  // namespace

PathMap PathMap::read(const std::string& file) {
    PathMap map;
    const std::string text = readFile(file, kMaxTextBytes);
    const auto refuse = [&](const std::string& what) {
        throw Error(file + ": " + what + "; expected the path mapping rules of Open Job Description (pathmapping-1.0)");
    };
    try {
        const nlohmann::json all = nlohmann::json::parse(text);
        // Without rules, a session writes an empty object.
        if (all.is_object() && all.empty()) return map;
        if (all.at("version") != "pathmapping-1.0") refuse("its version is " + all.at("version").dump());
        for (const auto& given : all.at("path_mapping_rules")) {
            const std::string format = given.at("source_path_format"), source = given.at("source_path");
            if (format != "POSIX" && format != "WINDOWS") refuse("source_path_format is \"" + format + "\"");
            Rule rule;
            rule.windows = format == "WINDOWS";
            rule.absolute = !source.empty() && isSeparator(source[0], rule.windows);
            rule.source = componentsOf(rule.windows ? lowerCase(source) : source, rule.windows);
            rule.destination = given.at("destination_path");
            if (source.empty() || rule.destination.empty()) refuse("a rule has an empty path");
            while (rule.destination.size() > 1 && rule.destination.back() == '/') rule.destination.pop_back();
            map.rules_.push_back(std::move(rule));
        }
    } catch (const nlohmann::json::exception& error) {
        std::string what = error.what();
        std::replace(what.begin(), what.end(), '\n', ' ');
        refuse(what);
    }
    std::stable_sort(map.rules_.begin(), map.rules_.end(),
                     [](const Rule& a, const Rule& b) { return a.source.size() > b.source.size(); });
    return map;
}

std::string PathMap::operator()(const std::string& path) const {
    for (const Rule& rule : rules_) {
        if (path.empty() || isSeparator(path[0], rule.windows) != rule.absolute) continue;
        const std::vector<std::string> parts = componentsOf(path, rule.windows);
        const size_t count = rule.source.size();
        const bool matches =
            parts.size() >= count && std::equal(rule.source.begin(), rule.source.end(), parts.begin(),
                                                [&](const std::string& wanted, const std::string& part) {
                                                    return wanted == (rule.windows ? lowerCase(part) : part);
                                                });
        if (!matches) continue;
        std::string mapped = rule.destination;
        for (size_t k = count; k < parts.size(); ++k) mapped += (mapped == "/" ? "" : "/") + parts[k];
        return mapped;
    }
    return path;
}

}  // namespace purl
