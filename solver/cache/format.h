// The table of file formats. A new format is its own encoder and one row in format.cpp.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/cache/fileContent.h"
#include "solver/core/device.h"
#include "solver/frame.h"

namespace purl {

// Frame number and rate of a file; stored in the file or in its name.
struct FileTime {
    int frame = 1;
    double fps = 24;
};

// A file that holds all frames, written one after the other.
class Reel {
  public:
    virtual ~Reel() = default;  // unless finished, removes the file
    virtual void add(const Frame& part, int frameNumber) = 0;
    virtual void finish() = 0;
};

// Whether a format holds particles. ifNoOther (PLY): only if no other requested format does.
enum class TakesPoints { no, yes, ifNoOther };

struct Format {
    const char* name;       // as in --format
    const char* extension;  // of its files, with the dot
    const char* sentence;   // what it holds
    TakesPoints points;
    bool meshes, curves;
    // One file holds the points of one body, one mesh, or the yarns of one knit. The part outlives the content.
    FileContent (*encode)(const Frame& part, FileTime time, const Device& device);
    // Null: write-only.
    Frame (*decode)(const std::string& bytes, const std::string& path);
    // For formats that can hold all frames in one file: starts it, and reads one frame. Otherwise null.
    std::unique_ptr<Reel> (*begin)(const std::string& path, double fps) = nullptr;
    Frame (*readAt)(const std::string& path, FileTime time) = nullptr;
    bool manyItems = false;   // one file holds any number of bodies, meshes and knits
    bool closedOnly = false;  // closed meshes only
    // Name of the file of one frame; null: item.0012.extension.
    std::string (*frameFileName)(const std::string& item, FileTime time) = nullptr;

    std::string fileName(const std::string& item, FileTime time) const;
};

const std::vector<Format>& formats();
// Throws Error listing the known names.
const Format& formatNamed(const std::string& name);
// By the path's extension.
const Format& formatOf(const std::string& path);

// A requested format and what to write with it: "abc" everything it can hold, "usda:curves" curves only.
struct Choice {
    const Format* format;
    bool points, meshes, curves;
};
// Throws Error naming an unknown format or content.
std::vector<Choice> choicesOf(const std::vector<std::string>& names);
// The names in "mcx, abc".
std::vector<std::string> splitFormats(const std::string& text);
// Written if no format is requested: particles, meshes and curves once each.
constexpr const char* kDefaultFormats = "mcx,ply,usda:curves";
inline std::vector<std::string> defaultFormats() { return splitFormats(kDefaultFormats); }

// Single files, for tools: the whole frame if the format holds several items, otherwise its only mesh, body or knit.
void writeFrame(const std::string& path, const Frame& frame, FileTime time = {});
Frame readFrame(const std::string& path);

}  // namespace purl
