#include "solver/cache/meshSequence.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "solver/cache/attributes.h"
#include "solver/cache/file.h"
#include "solver/cache/foreignCache.h"
#include "solver/cache/obj.h"
#include "solver/cache/ply.h"
#include "solver/cache/text.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

// The files on disk that match a name with #, by number. Numbers may have more digits than #: #### matches 10000.
std::map<double, std::string> filesLike(const std::string& pattern) {
    const fs::path path = toPath(pattern), folder = path.has_parent_path() ? path.parent_path() : ".";
    const std::string name = toText(path.filename());
    const size_t first = name.find('#');
    std::error_code failed;
    if (first == std::string::npos) {
        if (!fs::exists(path, failed)) return {};
        return {{0, pattern}};
    }
    const size_t last = name.find_first_not_of('#', first);
    const std::string before = name.substr(0, first), after = last == std::string::npos ? "" : name.substr(last);
    const size_t width = (last == std::string::npos ? name.size() : last) - first;

    std::map<double, std::string> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
        const std::string file = toText(entry.path().filename());
        if (file.size() < before.size() + width + after.size() || file.compare(0, before.size(), before) != 0 ||
            file.compare(file.size() - after.size(), after.size(), after) != 0)
            continue;
        const char* begin = file.data() + before.size();
        const char* end = file.data() + file.size() - after.size();
        int number = 0;
        if (std::isdigit(static_cast<unsigned char>(*begin)) == 0) continue;
        const auto parsed = std::from_chars(begin, end, number);
        if (parsed.ec == std::errc() && parsed.ptr == end) found[number] = toText(path.parent_path() / toPath(file));
    }
    return found;
}

// The pattern as it was found: in `folder`, or else in the working directory.
std::pair<std::string, std::map<double, std::string>> findFiles(const std::string& pattern, const std::string& folder) {
    if (toPath(pattern).is_relative() && !folder.empty()) {
        const std::string inFolder = toText(toPath(folder) / toPath(pattern));
        auto found = filesLike(inFolder);
        if (!found.empty()) return {inFolder, found};
    }
    return {pattern, filesLike(pattern)};
}

std::string extensionOf(const std::string& path) { return toText(toPath(path).extension()); }
std::string textOf(double value) {
    std::string text;
    putNumber(text, value);
    return text;
}
bool isCache(const std::string& path) {
    return path.find('#') == std::string::npos ? ForeignCache::accepts(path)
                                               : extensionOf(path) != ".obj" && extensionOf(path) != ".ply";
}

// The mesh of this name among those of a file, or its only one. `bare`: meshes may be vertices without faces.
Mesh chosenMesh(Frame frame, const std::string& item, const std::string& path, bool bare) {
    std::vector<Mesh>& meshes = frame.meshes;
    meshes.erase(std::remove_if(meshes.begin(), meshes.end(),
                                [&](const Mesh& m) { return m.triangles.empty() && !(bare && !m.positions.empty()); }),
                 meshes.end());
    if (meshes.empty()) throw Error(path + (bare ? ": holds no meshes" : ": has no faces"));
    std::string names;
    for (Mesh& mesh : meshes) {
        if (mesh.name == item) return std::move(mesh);
        names += (names.empty() ? "" : ", ") + mesh.name;
    }
    if (!item.empty()) throw Error(path + ": has no mesh " + item + "; it has " + names);
    if (meshes.size() > 1 && (bare || ForeignCache::accepts(path)))
        throw Error(path + ": has several meshes; choose one of " + names);
    return std::move(meshes.front());
}

}  // namespace

std::vector<std::string> sequenceFiles(const std::string& files, const std::string& folder) {
    std::vector<std::string> all;
    for (const auto& [number, path] : findFiles(files, folder).second) {
        if (!isCache(path)) {
            all.push_back(path);
            continue;
        }
        try {
            for (std::string& file : ForeignCache(path).files()) all.push_back(std::move(file));
        } catch (const Error&) {
            all.push_back(path);  // whoever plays it reports why it cannot be read
        }
    }
    return all;
}

MeshSequence::MeshSequence(const std::string& files, const std::string& item, const std::string& folder) : item_(item) {
    std::tie(path_, paths_) = findFiles(files, folder);
    if (paths_.empty())
        throw Error(files + ": not found" +
                    (toPath(files).is_absolute()
                         ? ""
                         : " in " + (folder.empty() ? "" : folder + " or ") + "the working directory") +
                    "; # stands for the digits of the frame number");
    const std::string extension = extensionOf(path_);
    if (!isCache(path_)) {
        if (extension != ".obj" && extension != ".ply")
            throw Error(path_ + ": is neither .obj nor .ply, nor a cache (.abc, .usda, .xml, .mc, .mcx)");
        return;
    }
    const std::string file = paths_.begin()->second;
    if (path_.find('#') != std::string::npos) throw Error(path_ + ": a cache holds all frames; write it without #");
    cache_ = std::make_unique<ForeignCache>(file);
    paths_.clear();
    for (const double time : cache_->times()) paths_[time] = file;
}
MeshSequence::~MeshSequence() = default;
MeshSequence::MeshSequence(MeshSequence&&) noexcept = default;
MeshSequence& MeshSequence::operator=(MeshSequence&&) noexcept = default;

const Mesh& MeshSequence::load(double frame) {
    const auto known = read_.find(frame);
    if (known != read_.end()) return known->second;
    const std::string& path = paths_.at(frame);
    Frame read = cache_                        ? cache_->at(frame)
                 : extensionOf(path) == ".obj" ? decodeObj(readFile(path), path)
                                               : decodePly(readFile(path), path);
    return read_.emplace(frame, chosenMesh(std::move(read), item_, path, cache_ != nullptr)).first->second;
}

void MeshSequence::addFaces(Mesh& mesh) const {
    if (!mesh.triangles.empty()) return;
    if (faces_.empty())
        throw Error(path_ + ": holds the vertices of " + mesh.name +
                    " without faces; connect the mesh that was cached to inMesh, or give its file to purl convert "
                    "--topology");
    mesh.faces = faces_;
    checkCounts(mesh, path_);
    takeFaces(mesh, Faces(faces_));
}

Mesh MeshSequence::at(double frame) {
    auto next = paths_.upper_bound(frame);
    const auto here = next == paths_.begin() ? next : std::prev(next);
    if (next == paths_.end()) next = here;
    for (auto it = read_.begin(); it != read_.end();)
        it = it->first == here->first || it->first == next->first ? std::next(it) : read_.erase(it);

    Mesh mesh = load(here->first);
    addFaces(mesh);
    const double share = next->first > here->first ? (frame - here->first) / (next->first - here->first) : 0;
    if (share <= 0) return mesh;
    Mesh towards = load(next->first);
    addFaces(towards);
    if (towards.positions.size() != mesh.positions.size() || towards.triangles != mesh.triangles)
        throw Error(next->second + ": has a different topology than " + here->second +
                    (cache_ ? ", at frame " + textOf(next->first) : ""));
    std::vector<Vec3>& positions = mesh.positions.edit();
    for (size_t i = 0; i < positions.size(); ++i)
        positions[i] += static_cast<float>(share) * (towards.positions[i] - positions[i]);
    return mesh;
}

std::vector<double> MeshSequence::frames() const {
    std::vector<double> all;
    for (const auto& [frame, path] : paths_) all.push_back(frame);
    return all;
}

std::vector<std::string> MeshSequence::files() const {
    if (cache_) return cache_->files();
    std::vector<std::string> all;
    for (const auto& [frame, path] : paths_)
        if (all.empty() || all.back() != path) all.push_back(path);
    return all;
}

}  // namespace purl
