// Where the files of a scene are on this machine: the path mapping rules that a farm hands to its tasks.
#pragma once
#include <string>
#include <vector>

namespace purl {

class PathMap {
  public:
    // Reads a file of Open Job Description ("pathmapping-1.0"). Throws Error.
    static PathMap read(const std::string& file);

    // The path on this machine: with the rule of the longest matching source, or unchanged if there is none. Sources of
    // the format WINDOWS match in upper and lower case and with both separators.
    std::string operator()(const std::string& path) const;
    bool empty() const { return rules_.empty(); }

  private:
    struct Rule {
        std::vector<std::string> source;  // components; of Windows in lower case
        bool windows = false, absolute = false;
        std::string destination;
    };
    std::vector<Rule> rules_;  // the longest source first
};

}  // namespace purl
