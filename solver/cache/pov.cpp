#include "solver/cache/pov.h"

#include "solver/cache/text.h"
#include "solver/core/error.h"

namespace purl {
namespace {

template <class T>
void putTriple(std::string& out, T a, T b, T c) {
    out += ",\n    <";
    putNumber(out, a);
    out += ',';
    putNumber(out, b);
    out += ',';
    putNumber(out, c);
    out += '>';
}
void putVectors(std::string& out, const char* name, const std::vector<Vec3>& values) {
    out += std::string("  ") + name + " {\n    " + std::to_string(values.size());
    for (const Vec3 v : values) putTriple(out, v.x, v.y, -v.z);
    out += "\n  }\n";
}
// Letters, digits and underscores, not beginning with a digit.
std::string identifier(const std::string& name) {
    std::string word = "purl_" + name;
    for (char& c : word)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))) c = '_';
    return word;
}

}  // namespace

std::string encodePov(const Frame& part, FileTime time) {
    if (part.meshes.empty()) throw Error("a POV-Ray file can contain a mesh only, and the frame has none");
    const Mesh& mesh = part.meshes[0];
    std::string out = "// " + mesh.name + ", frame " + std::to_string(time.frame) + ", lengths times ";
    putNumber(out, part.metersPerUnit);
    out += " are metres\n#declare " + identifier(mesh.name) + " = mesh2 {\n";
    putVectors(out, "vertex_vectors", mesh.positions);
    if (!mesh.normals.empty()) putVectors(out, "normal_vectors", mesh.normals);
    out += "  face_indices {\n    " + std::to_string(mesh.triangles.size() / 3);
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        putTriple(out, mesh.triangles[t], mesh.triangles[t + 2], mesh.triangles[t + 1]);
    return out + "\n  }\n}\n";
}

}  // namespace purl
