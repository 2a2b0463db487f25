#include "solver/cache/obj.h"

#include <charconv>
#include <cstdint>
#include <vector>

#include "solver/core/error.h"

namespace purl {
namespace {

void putVector(std::string& out, const char* keyword, Vec3 v) {
    char text[64];
    out += keyword;
    for (int k = 0; k < 3; ++k) {
        out += ' ';
        out.append(text, std::to_chars(text, text + sizeof text, v[k]).ptr);
    }
    out += '\n';
}

// One line's words, one after the other.
struct Line {
    const char* at;
    const char* end;

    std::string_view word() {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
        const char* begin = at;
        while (at < end && *at != ' ' && *at != '\t' && *at != '\r') ++at;
        return {begin, static_cast<size_t>(at - begin)};
    }
};

template <class T>
bool parse(std::string_view word, T& value) {
    const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
    return result.ec == std::errc() && result.ptr == word.data() + word.size();
}

}  // namespace

std::string encodeObj(const Frame& frame) {
    if (frame.meshes.empty()) throw Error("an OBJ file holds meshes only; choose ply or mcx for points");
    const Mesh& mesh = frame.meshes[0];
    std::string out = "o " + mesh.name + "\n";
    for (const Vec3& p : mesh.positions) putVector(out, "v", p);
    for (const Vec3& n : mesh.normals) putVector(out, "vn", n);
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        out += 'f';
        for (size_t k = 0; k < 3; ++k) {
            const std::string index = std::to_string(mesh.triangles[t + k] + 1);
            out += ' ' + index;
            if (!mesh.normals.empty()) out += "//" + index;
        }
        out += '\n';
    }
    return out;
}

Frame decodeObj(const std::string& text, const std::string& path) {
    Mesh mesh;
    int number = 0;
    const auto fail = [&](const std::string& what) { throw Error(path + ":" + std::to_string(number) + ": " + what); };
    for (size_t at = 0; at < text.size();) {
        ++number;
        const size_t end = std::min(text.find('\n', at), text.size());
        Line line{text.data() + at, text.data() + end};
        at = end + 1;
        const std::string_view keyword = line.word();
        if (keyword == "o") {
            mesh.name = line.word();
        } else if (keyword == "v" || keyword == "vn") {
            Vec3 v;
            for (int k = 0; k < 3; ++k)
                if (!parse(line.word(), v[k])) fail(std::string(keyword) + " needs three numbers");
            (keyword == "v" ? mesh.positions : mesh.normals).push_back(v);
        } else if (keyword == "f") {
            std::vector<int> corners;
            for (std::string_view word = line.word(); !word.empty(); word = line.word()) {
                const auto vertices = static_cast<int64_t>(mesh.positions.size());
                int64_t index = 0;
                if (!parse(word.substr(0, word.find('/')), index)) fail("a face names \"" + std::string(word) + "\"");
                if (index < 0) index += vertices + 1;  // −1 is the latest vertex
                if (index < 1 || index > vertices) fail("a face names a vertex that is not there");
                corners.push_back(static_cast<int>(index - 1));
            }
            if (corners.size() < 3) fail("a face has fewer than three corners");
            for (size_t k = 2; k < corners.size(); ++k)
                mesh.triangles.insert(mesh.triangles.end(), {corners[0], corners[k - 1], corners[k]});
        }
    }
    // Normals are kept where there is one a vertex, as we write them.
    if (mesh.normals.size() != mesh.positions.size()) mesh.normals.clear();
    Frame frame;
    frame.meshes.push_back(std::move(mesh));
    return frame;
}

}  // namespace purl
