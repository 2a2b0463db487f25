// The attributes of a frame's points, meshes and curves as one list of named arrays. All formats read and write this
// list, so a channel added to frame.h appears in every format.
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

// Meaning of a vector: programs transform normals differently from positions.
enum class Meaning { plain, id, point, vector, normal, color, length };
const char* nameOf(Meaning meaning);
// One value per point (vertex) or per curve.
enum class Scope { vertex, uniform };

// Non-owning view of an array; values are contiguous, in native byte order.
struct Attribute {
    std::string name;  // the name of the frame's channel
    AttributeType type = AttributeType::float32;
    int components = 1;  // 1, or 3 for a vector
    Meaning meaning = Meaning::plain;
    Scope scope = Scope::vertex;
    const void* data = nullptr;
    size_t count = 0;  // number of elements of `components` values

    size_t bytes() const { return count * static_cast<size_t>(components) * bytesOf(type); }
    const float* floats() const { return static_cast<const float*>(data); }
};

// A liquid and its surface have the same name. In formats that hold both, this ending distinguishes the particles: in
// names of files and of objects (Alembic, USD).
constexpr const char* kPointsEnding = "Points";

// "float32", "float32[3]", "int64" …
std::string typeName(const Attribute& attribute);

// The non-empty ones, positions first. A point's body index is omitted: a file holds one body.
std::vector<Attribute> attributesOf(const Points& points);
std::vector<Attribute> attributesOf(const Mesh& mesh);
std::vector<Attribute> attributesOf(const Curves& curves);
// Finds by name; null if there is none.
const Attribute* find(const std::vector<Attribute>& attributes, const std::string& name);

// Converts a number from a file to the type of a channel. Non-integers become 0 in integer channels.
template <class T>
T asChannel(double value) {
    if constexpr (std::is_integral_v<T>) {
        constexpr double kMaxExact =
            sizeof(T) > 4 ? 9007199254740992.0 : 2147483647.0;  // 2⁵³: doubles are exact up to here
        return value >= -kMaxExact && value <= kMaxExact ? static_cast<T>(value) : T{};
    } else {
        return static_cast<T>(value);
    }
}

// Copies an array of any number type into the channel of its name. Returns false if there is no such channel.
bool assign(Points& points, const Attribute& from);
bool assign(Mesh& mesh, const Attribute& from);
bool assign(Curves& curves, const Attribute& from);

// Throws Error naming `path` if the length of a channel differs from the number of positions, or a face index is out
// of range.
void checkCounts(const Points& points, const std::string& path);
void checkCounts(const Mesh& mesh, const std::string& path);
void checkCounts(const Curves& curves, const std::string& path);

// Curves of other programs have no yarn numbers, and often a colour per point or none.
void completeYarns(Curves& curves);

// Turns every face around, so that its back becomes its front.
void reverseFaces(Faces& faces);

// The polygons of a mesh, or its triangles if it has no polygons.
Faces facesOf(const Mesh& mesh);

}  // namespace purl
