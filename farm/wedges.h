// Wedges: variations of a scene, each with a few attributes set and a cache of its own, in one folder.
#pragma once
#include <string>
#include <vector>

namespace purl {

struct Wedge {
    std::string name;                      // of its folder: "1_viscosity3"
    std::vector<std::string> assignments;  // "water.viscosity=3"
};

constexpr const char* kWedgeListName = "wedges.csv";
constexpr size_t kMaxWedges = 1000;  // tasks of an array; Slurm takes 1001, Open Job Description 1024

// All combinations of "water.viscosity=1,3,10", "solver.gravity=1.6,9.8" …; the last one varies fastest. Without any,
// one wedge without assignments. Throws Error.
std::vector<Wedge> wedgesOf(const std::vector<std::string>& ranges);
// From a table with commas: a line with the names of the attributes, and one line of values for each wedge. A column
// "wedge" names the wedges. Empty cells leave the scene's value. Throws Error that names the line.
std::vector<Wedge> readWedges(const std::string& path);
// The same table.
std::string wedgeTable(const std::vector<Wedge>& wedges);

// "viscosity 3", "gravity 1.6": for people.
std::vector<std::string> valueTexts(const std::vector<std::string>& assignments);

}  // namespace purl
