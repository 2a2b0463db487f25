// What holds the vertices of cloths and soft bodies: painted maps and lists of vertices.
#pragma once
#include <maya/MDataHandle.h>

#include <string>
#include <vector>

namespace purl {

// A painted map, or empty where there is none.
std::vector<float> mapOf(MDataHandle handle);

// Pins the vertices of a list as Maya writes them, "3", "3:7" or "vtx[3:7]"; `count`: how many there are. Throws Error
// on what is no vertex of them.
void pinListed(const std::string& list, std::vector<float>& pins, size_t count);

}  // namespace purl
