// The table of file formats: a new one is its own file and one line in format.cpp.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/cache/fileContent.h"
#include "solver/core/device.h"
#include "solver/frame.h"

namespace purl {

// Which moment a file shows, as Maya counts: some formats keep it, some name their files after it.
struct FileTime {
    int frame = 1;
    double fps = 24;
};

// A file that takes frame after frame.
class Reel {
  public:
    virtual ~Reel() = default;  // unfinished: nothing is left behind
    virtual void add(const Frame& part, int frameNumber) = 0;
    virtual void finish() = 0;
};

// Whether a format takes particles: PLY does only where no other format is asked for that does.
enum class TakesPoints { no, yes, ifNoOther };

struct Format {
    const char* name;       // as --format spells it
    const char* extension;  // of its files
    const char* sentence;   // what it holds
    TakesPoints points;
    bool meshes, curves;
    std::string (*fileName)(const std::string& item, FileTime time);
    // One file holds the points of one body, one mesh, or the yarns of one knit. The part outlives the content.
    FileContent (*encode)(const Frame& part, FileTime time, const Device& device);
    // Null where nothing comes back from it.
    Frame (*decode)(const std::string& bytes, const std::string& path);
    // Of formats that hold all frames in one file: how it is begun, and how one frame is read. Else null.
    std::unique_ptr<Reel> (*begin)(const std::string& path, double fps) = nullptr;
    Frame (*readAt)(const std::string& path, FileTime time) = nullptr;
    bool manyItems = false;   // whether a file holds any number of bodies, meshes and knits
    bool closedOnly = false;  // of meshes, those that have an inside
};

const std::vector<Format>& formats();
// Throws Error listing the names there are.
const Format& formatNamed(const std::string& name);
// By the path's extension.
const Format& formatOf(const std::string& path);

// A format that was asked for, and what it is to hold: "abc" all it can, "usda:curves" that alone.
struct Choice {
    const Format* format;
    bool points, meshes, curves;
};
// Throws Error naming what is not known.
std::vector<Choice> choicesOf(const std::vector<std::string>& names);
// "mcx, abc" as names.
std::vector<std::string> splitFormats(const std::string& text);
// What is written where nobody asked: every kind once.
inline std::vector<std::string> defaultFormats() { return {"mcx", "ply", "usda:curves"}; }

// Single files, for tools: everything, where the format takes it; else the only mesh, body or knit.
void writeFrame(const std::string& path, const Frame& frame, FileTime time = {});
Frame readFrame(const std::string& path);

}  // namespace purl
