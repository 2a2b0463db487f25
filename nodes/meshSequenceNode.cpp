#include "nodes/meshSequenceNode.h"

#include <maya/MFileIO.h>
#include <maya/MTime.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <iterator>

#include "nodes/boundary.h"
#include "nodes/geometry.h"
#include "solver/cache/file.h"
#include "solver/cache/obj.h"
#include "solver/cache/ply.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

// The files on disk that match a name with #, by number. Numbers may have more digits than #: #### matches 10000.
std::map<int, std::string> filesLike(const std::string& pattern) {
    const fs::path path = pattern, folder = path.has_parent_path() ? path.parent_path() : ".";
    const std::string name = path.filename().string();
    const size_t first = name.find('#');
    std::error_code failed;
    if (first == std::string::npos) {
        if (!fs::exists(path, failed)) return {};
        return {{0, pattern}};
    }
    const size_t last = name.find_first_not_of('#', first);
    const std::string before = name.substr(0, first), after = last == std::string::npos ? "" : name.substr(last);
    const size_t width = (last == std::string::npos ? name.size() : last) - first;

    std::map<int, std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
        const std::string file = entry.path().filename().string();
        if (file.size() < before.size() + width + after.size() || file.compare(0, before.size(), before) != 0 ||
            file.compare(file.size() - after.size(), after.size(), after) != 0)
            continue;
        const char* begin = file.data() + before.size();
        const char* end = file.data() + file.size() - after.size();
        int number = 0;
        if (std::isdigit(static_cast<unsigned char>(*begin)) == 0) continue;
        const auto parsed = std::from_chars(begin, end, number);
        if (parsed.ec == std::errc() && parsed.ptr == end) found[number] = (path.parent_path() / file).string();
    }
    return found;
}

// Looks relative paths up in the scene's folder, then in the working directory. Empty if there are none.
std::map<int, std::string> findFiles(const std::string& pattern) {
    const fs::path scene = MFileIO::currentFile().asUTF8();
    if (fs::path(pattern).is_relative() && scene.has_parent_path()) {
        auto found = filesLike((scene.parent_path() / pattern).string());
        if (!found.empty()) return found;
    }
    return filesLike(pattern);
}

std::map<int, std::string> filesOf(const std::string& pattern) {
    auto found = findFiles(pattern);
    if (found.empty())
        throw Error(pattern +
                    ": not found in the scene's folder or the working directory; # stands for the digits of the frame "
                    "number");
    return found;
}

Mesh readMesh(const std::string& path) {
    const std::string extension = fs::path(path).extension().string();
    if (extension != ".obj" && extension != ".ply") throw Error(path + ": is neither .obj nor .ply");
    Frame frame = extension == ".obj" ? decodeObj(readFile(path), path) : decodePly(readFile(path), path);
    if (frame.meshes.empty() || frame.meshes[0].triangles.empty()) throw Error(path + ": has no faces");
    return std::move(frame.meshes[0]);
}

}  // namespace

const Mesh& MeshSequenceNode::load(const std::string& path) {
    const auto known = read_.find(path);
    return known != read_.end() ? known->second : read_.emplace(path, readMesh(path)).first->second;
}

Mesh MeshSequenceNode::meshAt(const MeshSequenceParams& params, double frame) {
    if (params.file.empty()) throw Error("file is empty; enter the files of the mesh, such as dancer.####.obj");
    if (params.file != listed_) {
        paths_ = filesOf(params.file);
        read_.clear();
        listed_ = params.file;
    }
    auto next = paths_.upper_bound(static_cast<int>(std::floor(frame)));
    const auto here = next == paths_.begin() ? next : std::prev(next);
    if (next == paths_.end()) next = here;
    for (auto it = read_.begin(); it != read_.end();)
        it = it->first == here->second || it->first == next->second ? std::next(it) : read_.erase(it);

    Mesh mesh = load(here->second);
    const double share = next->first > here->first ? (frame - here->first) / (next->first - here->first) : 0;
    if (share <= 0) return mesh;
    const Mesh& towards = load(next->second);
    if (towards.positions.size() != mesh.positions.size() || towards.triangles != mesh.triangles)
        throw Error(next->second + ": has a different topology than " + here->second);
    std::vector<Vec3>& positions = mesh.positions.edit();
    for (size_t i = 0; i < positions.size(); ++i)
        positions[i] += static_cast<float>(share) * (towards.positions[i] - positions[i]);
    return mesh;
}

std::vector<std::string> MeshSequenceNode::inputFiles() const {
    std::vector<std::string> files;
    for (const auto& [number, path] : findFiles(textOf(*this, kFileAttribute))) files.push_back(path);
    return files;
}

MStatus MeshSequenceNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outMesh_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        const MeshSequenceParams params = params_.read(block);
        const double frame = block.inputValue(currentTime_).asTime().as(MTime::uiUnit()) + params.frameOffset;
        MDataHandle mesh = block.outputValue(outMesh_);
        mesh.setMObject(meshData(meshAt(params, frame)));
        mesh.setClean();
    });
}

}  // namespace purl
