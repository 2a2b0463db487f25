#include "host/ma/meshReader.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace purl::host {
namespace {

// The geometry attributes of a mesh.
enum class MeshPart {
    none,
    points,
    edges,
    faces,
    uvPoints,
    uvName,
    currentUvSet,
    normals,
    colors,
    colorName,
    currentColorSet
};

MeshPart meshPart(const std::string& path, int& index, int& uvSet) {
    const auto indexAfter = [&](std::size_t bracket) {
        long long value = 0;
        const std::size_t end = path.find_first_of(":]", bracket);
        if (bracket < path.size() && end != std::string::npos)
            readNumber(std::string_view(path).substr(bracket + 1, end - bracket - 1), value);
        return value < 0 || value > std::numeric_limits<int>::max() ? -1 : static_cast<int>(value);
    };
    const std::size_t bracket = std::min(path.find('['), path.size()), dot = path.find('.');
    const std::string root = path.substr(0, std::min(bracket, dot));
    index = indexAfter(bracket);
    if (dot == std::string::npos) {
        if (root == "vt" || root == "vrts") return MeshPart::points;
        if (root == "ed" || root == "edge") return MeshPart::edges;
        if (root == "fc" || root == "face") return MeshPart::faces;
        if (root == "n" || root == "normals") return MeshPart::normals;
        if (root == "cuvs" || root == "currentUVSet") return MeshPart::currentUvSet;
        if (root == "ccls" || root == "currentColorSet") return MeshPart::currentColorSet;
        return MeshPart::none;
    }
    const bool colors = root == "clst" || root == "colorSet";
    if (root != "uvst" && root != "uvSet" && !colors) return MeshPart::none;
    uvSet = index;
    const std::size_t second = std::min(path.find('[', dot), path.size());
    const std::string leaf = path.substr(dot + 1, second - dot - 1);
    index = indexAfter(second);
    if (leaf == "clsp" || leaf == "colorSetPoints") return colors ? MeshPart::colors : MeshPart::none;
    if (leaf == "clsn" || leaf == "colorName") return colors ? MeshPart::colorName : MeshPart::none;
    if (colors) return MeshPart::none;
    if (leaf == "uvsp" || leaf == "uvSetPoints") return MeshPart::uvPoints;
    if (leaf == "uvsn" || leaf == "uvSetName") return MeshPart::uvName;
    return MeshPart::none;
}

// Files list elements in order and without gaps. An index beyond the end means a damaged file, and must not allocate
// memory.
void checkIndex(int index, std::size_t size) {
    if (index < 0 || static_cast<std::size_t>(index) > size)
        throw Error("index " + std::to_string(index) + " is out of order; the file is damaged");
}

// Reads groups of N numbers into elements index, index + 1, …
template <class T, std::size_t N>
void fill(std::vector<std::array<T, N>>& list, int index, Words& words, double scale) {
    checkIndex(index, list.size());
    while (!words.atEnd()) {
        std::array<T, N> element;
        for (T& x : element) {
            if constexpr (std::is_integral_v<T>)
                x = words.whole();
            else
                x = static_cast<T>(words.number() * scale);
        }
        if (index >= static_cast<int>(list.size())) list.resize(index + 1);
        list[index++] = element;
    }
}

}  // namespace

bool MeshReader::keeps(const std::string& path) {
    int index = 0, uvSet = 0;
    const MeshPart part = meshPart(path, index, uvSet);
    return part != MeshPart::none && part != MeshPart::currentUvSet && part != MeshPart::currentColorSet;
}

void MeshReader::read(const std::string& node, const std::string& path, Words words, double cmPerUnit) {
    if (broken_) return;
    int index = 0, uvSet = 0;
    const MeshPart part = meshPart(path, index, uvSet);
    try {
        switch (part) {
            case MeshPart::none: break;
            case MeshPart::points: fill(mesh_.points, index, words, cmPerUnit); break;
            case MeshPart::edges: fill(mesh_.edges, index, words, 1); break;
            case MeshPart::uvPoints: fill(mesh_.uvSets[uvSet].uvs, index, words, 1); break;
            case MeshPart::uvName: mesh_.uvSets[uvSet].name = std::string(words.word()); break;
            case MeshPart::currentUvSet: mesh_.currentUvSet = std::string(words.word()); break;
            case MeshPart::colors: fill(mesh_.colorSets[uvSet].colors, index, words, 1); break;
            case MeshPart::colorName: mesh_.colorSets[uvSet].name = std::string(words.word()); break;
            case MeshPart::currentColorSet: mesh_.currentColorSet = std::string(words.word()); break;
            case MeshPart::normals:
                checkIndex(index, normals_.size() / 3);
                normals_.resize(3 * static_cast<std::size_t>(std::max(index, 0)));
                while (!words.atEnd()) normals_.push_back(static_cast<float>(words.number()));
                break;
            case MeshPart::faces: {
                const std::string wrong = readFaces(mesh_, words);
                if (!wrong.empty()) throw Error(wrong);
            }
        }
    } catch (const Error& e) {
        broken_ = true;
        throw Error(node + "." + path + ": " + e.what() + "; the mesh is left empty");
    }
}

DataPtr MeshReader::data() const {
    if (mesh_.empty() || broken_) return nullptr;
    const DataPtr data = meshDataFrom(mesh_);
    auto& mesh = static_cast<MeshData&>(*data);
    const bool whole = normals_.size() == 3 * mesh.faceVertices.size() &&
                       std::all_of(normals_.begin(), normals_.end(), [](float x) { return std::abs(x) < 1e19f; });
    if (whole) mesh.faceNormals = normals_;  // 1e+20 marks a normal that is not set
    return data;
}

}  // namespace purl::host
