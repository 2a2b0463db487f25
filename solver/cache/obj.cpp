#include "solver/cache/obj.h"

#include <charconv>
#include <cstdint>
#include <vector>

#include "solver/cache/text.h"
#include "solver/core/error.h"

namespace purl {
namespace {

void putVector(std::string& out, const char* keyword, Vec3 v) {
    out += keyword;
    for (int k = 0; k < 3; ++k) {
        out += ' ';
        putNumber(out, v[k]);
    }
    out += '\n';
}

// Splits a line into words.
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
    if (frame.meshes.empty()) throw Error("an OBJ file can contain meshes only; choose ply or mcx for points");
    const Mesh& mesh = frame.meshes[0];
    std::string out = "o " + mesh.name + "\n";
    for (const Vec3& p : mesh.positions) putVector(out, "v", p);
    for (const Vec3& n : mesh.normals) putVector(out, "vn", n);
    for (size_t i = 0; i < mesh.faces.u.size(); ++i) {
        out += "vt ";
        putNumber(out, mesh.faces.u[i]);
        out += ' ';
        putNumber(out, mesh.faces.v[i]);
        out += '\n';
    }
    size_t corner = 0;
    const auto putFace = [&](const int* corners, int count) {
        out += 'f';
        for (int k = 0; k < count; ++k, ++corner) {
            const std::string index = std::to_string(corners[k] + 1);
            out += ' ' + index;
            if (!mesh.faces.cornerUvs.empty()) out += '/' + std::to_string(mesh.faces.cornerUvs[corner] + 1);
            if (!mesh.normals.empty()) out += (mesh.faces.cornerUvs.empty() ? "//" : "/") + index;
        }
        out += '\n';
    };
    if (mesh.faces.empty())
        for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) putFace(&mesh.triangles[t], 3);
    else
        forEachFace(mesh.faces, putFace);
    return out;
}

Frame decodeObj(const std::string& text, const std::string& path) {
    Mesh mesh;
    Faces faces;
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
        } else if (keyword == "vt") {
            float u = 0, v = 0;
            if (!parse(line.word(), u) || !parse(line.word(), v)) fail("vt needs two numbers");
            faces.u.push_back(u);
            faces.v.push_back(v);
        } else if (keyword == "f") {
            std::vector<int> corners;
            for (std::string_view word = line.word(); !word.empty(); word = line.word()) {
                const auto vertices = static_cast<int64_t>(mesh.positions.size());
                int64_t index = 0;
                if (!parse(word.substr(0, word.find('/')), index))
                    fail("a face has an invalid vertex index \"" + std::string(word) + "\"");
                if (index < 0) index += vertices + 1;  // −1 is the last vertex so far
                if (index < 1 || index > vertices) fail("a face refers to a vertex that does not exist");
                corners.push_back(static_cast<int>(index - 1));
                const size_t slash = word.find('/');
                int uv = 0;
                if (slash == std::string_view::npos) continue;
                const std::string_view rest = word.substr(slash + 1);
                if (parse(rest.substr(0, rest.find('/')), uv) && uv >= 1 && uv <= static_cast<int>(faces.u.size()))
                    faces.cornerUvs.push_back(uv - 1);
            }
            if (corners.size() < 3) fail("a face has fewer than three corners");
            faces.counts.push_back(static_cast<int>(corners.size()));
            faces.corners.insert(faces.corners.end(), corners.begin(), corners.end());
        }
    }
    // Normals are used only if there is one per vertex, as encodeObj writes them.
    if (mesh.normals.size() != mesh.positions.size()) mesh.normals.clear();
    takeFaces(mesh, std::move(faces));
    Frame frame;
    frame.meshes.push_back(std::move(mesh));
    return frame;
}

}  // namespace purl
