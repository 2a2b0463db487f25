// The table of file formats: a new one is its own file and one line in format.cpp.
#pragma once
#include <string>
#include <vector>

#include "solver/frame.h"

namespace purl {

// Which moment a file shows, as Maya counts: some formats keep it, some name their files after it.
struct FileTime {
    int frame = 1;
    double fps = 24;
};

struct Format {
    const char* name;             // as --format spells it
    const char* extension;        // of its files
    const char* sentence;         // what it holds
    bool points, meshes, curves;  // what it can hold
    std::string (*fileName)(const std::string& item, FileTime time);
    // One file holds the points of one body, one mesh, or the yarns of one knit.
    std::string (*encode)(const Frame& part, FileTime time);
    Frame (*decode)(const std::string& bytes, const std::string& path);
};

const std::vector<Format>& formats();
// Throws Error listing the names there are.
const Format& formatNamed(const std::string& name);
// By the path's extension.
const Format& formatOf(const std::string& path);

// Single files, for tools: all bodies of an nCache in one, else the only mesh or body.
void writeFrame(const std::string& path, const Frame& frame, FileTime time = {});
Frame readFrame(const std::string& path);

}  // namespace purl
