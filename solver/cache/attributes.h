// What a frame's points, meshes and curves carry, as one list of named arrays: the formats write and read this list, so
// a channel added to frame.h appears in every file without touching a writer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "solver/frame.h"

namespace purl {

enum class AttributeType { float32, int32, int64 };
size_t bytesOf(AttributeType type);

// What the numbers are, for programs that treat a normal otherwise than a place.
enum class Meaning { plain, id, point, vector, normal, color, length };
const char* nameOf(Meaning meaning);
// One a point (or vertex), or one a curve.
enum class Scope { vertex, uniform };

// An array that belongs to someone else. Values lie side by side as the machine keeps them.
struct Attribute {
    std::string name;  // as the frame's channels spell it
    AttributeType type = AttributeType::float32;
    int components = 1;  // 1, or 3 of a vector
    Meaning meaning = Meaning::plain;
    Scope scope = Scope::vertex;
    const void* data = nullptr;
    size_t count = 0;  // elements, of `components` each

    size_t bytes() const { return count * static_cast<size_t>(components) * bytesOf(type); }
    const float* floats() const { return static_cast<const float*>(data); }
};

// "float32", "float32[3]", "int64" …
std::string typeName(const Attribute& attribute);

// Those that are not empty, positions first. The body of a point is left out: a file holds one body.
std::vector<Attribute> attributesOf(const Points& points);
std::vector<Attribute> attributesOf(const Mesh& mesh);
std::vector<Attribute> attributesOf(const Curves& curves);
// The one so named, or null.
const Attribute* find(const std::vector<Attribute>& attributes, const std::string& name);

// A file's number as a channel keeps it. What is no whole number, where the channel has only those, becomes 0.
template <class T>
T asChannel(double value) {
    if constexpr (std::is_integral_v<T>) {
        constexpr double kMost = sizeof(T) > 4 ? 9007199254740992.0 : 2147483647.0;  // 2⁵³: doubles skip some beyond
        return value >= -kMost && value <= kMost ? static_cast<T>(value) : T{};
    } else {
        return static_cast<T>(value);
    }
}

// Copies an array into the channel of its name, from any type of number; returns whether there is such a channel.
bool assign(Points& points, const Attribute& from);
bool assign(Mesh& mesh, const Attribute& from);
bool assign(Curves& curves, const Attribute& from);

// Throws Error naming `path` where a channel has more or fewer values than there are positions, or an index of a face
// points nowhere.
void checkCounts(const Points& points, const std::string& path);
void checkCounts(const Mesh& mesh, const std::string& path);
void checkCounts(const Curves& curves, const std::string& path);

// The faces of a mesh: its own, or its triangles as such.
Faces facesOf(const Mesh& mesh);

}  // namespace purl
