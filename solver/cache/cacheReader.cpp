#include "solver/cache/cacheReader.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include "solver/cache/fileNames.h"
#include "solver/cache/format.h"
#include "solver/cache/manifestFile.h"
#include "solver/cache/points.h"
#include "solver/cache/retime.h"
#include "solver/core/error.h"
#include "solver/core/path.h"
#include "solver/core/system.h"

namespace purl {
namespace {

std::string toRange(const Manifest& manifest) {
    return manifest.frames.empty() ? "it is empty"
                                   : "it has " + std::to_string(manifest.frames.front().number) + " to " +
                                         std::to_string(manifest.frames.back().number);
}

// The scene from the cache's folder if it is there, otherwise where it was when the cache was written.
std::string foundScene(const std::string& directory, const Manifest& manifest) {
    if (manifest.sceneRelative.empty()) return manifest.scenePath;
    const std::string near = absolutePath(inFolder(directory, manifest.sceneRelative));
    return os::kindOf(near) == os::Kind::file ? near : manifest.scenePath;
}

}  // namespace

constexpr int kMaxParents = 32;  // guards against a manifest that names itself as its parent

struct CacheReader::Checked {
    std::mutex mutex;
    std::set<std::string> names;
};

CacheReader::CacheReader(std::string directory) : CacheReader(std::move(directory), 0) {}

CacheReader::CacheReader(std::string directory, int generation)
    : directory_(std::move(directory)), checked_(std::make_unique<Checked>()) {
    ManifestOnDisk found = readManifest(directory_);
    manifest_ = std::move(found.manifest);
    hasHash_ = found.hasHash;
    manifest_.scenePath = foundScene(directory_, manifest_);
    if (manifest_.parent.empty()) return;
    if (generation == kMaxParents)
        throw Error(inFolder(directory_, kManifestName) + ": it is a branch of itself, or has more than " +
                    std::to_string(kMaxParents) + " parents");
    parent_.reset(new CacheReader(inFolder(directory_, manifest_.parent), generation + 1));
}

CacheReader::~CacheReader() = default;
CacheReader::CacheReader(CacheReader&&) noexcept = default;

void CacheReader::checkCanBranch() const {
    int parents = 0;
    for (const CacheReader* each = parent(); each; each = each->parent()) ++parents;
    if (parents == kMaxParents)
        throw Error(directory_ + ": has " + std::to_string(kMaxParents) +
                    " parents, the limit; branch from one of them, or simulate into a new cache");
}

// Checks each file once per reader, since a file with all frames may be large.
void CacheReader::checkPacked(const PackedFile& file) const {
    const std::lock_guard<std::mutex> lock(checked_->mutex);
    if (checked_->names.count(file.name)) return;
    const std::string path = inFolder(directory_, file.name);
    checkFile(path, file.receipt);
    checked_->names.insert(file.name);
}

void CacheReader::checkParent() const {
    // Caches of earlier versions do not record the identity of their parent.
    if (!parent_ || manifest_.run.origin == 0) return;
    if (manifest_.run.origin != originOf(parent_->manifest().run, manifest_.branchFrame))
        throw Error(directory_ + ": is a branch of a different run than " + parent_->directory() +
                    " contains now; simulate the branch again");
}

std::vector<int> CacheReader::frames() const {
    std::vector<int> numbers;
    if (parent_)
        for (const int number : parent_->frames())
            if (number < manifest_.branchFrame) numbers.push_back(number);
    for (const FrameRecord& frame : manifest_.frames) numbers.push_back(frame.number);
    return numbers;
}

Frame CacheReader::at(double frame) const {
    if (!(std::abs(frame) < 1e9)) throw Error(directory_ + ": has no such frame");
    const auto first = static_cast<int>(std::floor(frame));
    const double share = frame - first;
    constexpr double kSlack = 1e-6;  // in frames; for rounding errors of the requested time
    if (share < kSlack) return read(first);
    if (share > 1 - kSlack) return read(first + 1);
    return between(read(first), read(first + 1), share);
}

Frame CacheReader::read(int frameNumber) const {
    if (parent_ && frameNumber < manifest_.branchFrame) {
        checkParent();
        return parent_->read(frameNumber);
    }
    const FrameRecord* record = manifest_.find(frameNumber);
    if (!record) throw Error(directory_ + ": has no frame " + std::to_string(frameNumber) + "; " + toRange(manifest_));

    // Reads each body, mesh and knit once, from the first format that contains it.
    std::set<std::pair<Content, std::string>> done;
    Frame parts;
    const auto take = [&](const FileRecord& file, const Frame& part) {
        if (file.content == Content::curves) {
            parts.curves.insert(parts.curves.end(), part.curves.begin(), part.curves.end());
        } else if (file.content == Content::mesh) {
            parts.meshes.push_back(part.meshes.empty() ? Mesh{} : part.meshes[0]);  // some formats drop empty meshes
            parts.meshes.back().name = file.item;
            for (const MeshInfo& info : manifest_.meshes)
                if (info.name == file.item) {
                    parts.meshes.back().color = info.color;
                    parts.meshes.back().opacity = info.opacity;
                    parts.meshes.back().kind = info.kind;
                }
        } else {
            appendPoints(parts, part);
            if (parts.bodies.back().name.empty()) parts.bodies.back().name = file.item;  // some formats drop names
        }
    };
    for (const FileRecord& file : record->files) {
        if (!formatNamed(file.format).decode || !done.insert({file.content, file.item}).second) continue;
        const std::string path = inFolder(directory_, file.name);
        take(file, formatNamed(file.format).decode(readFile(path, file.receipt), path));
    }
    for (const PackedFile& file : manifest_.files) {
        const Format& format = formatNamed(file.format);
        if (!format.readAt || std::binary_search(file.lacks.begin(), file.lacks.end(), frameNumber)) continue;
        if (!done.insert({file.content, file.item}).second) continue;
        checkPacked(file);
        take(file, format.readAt(inFolder(directory_, file.name), {frameNumber, manifest_.fps}));
    }

    Frame frame;
    frame.time = record->time;
    frame.metersPerUnit = manifest_.metersPerUnit;
    frame.stateHash = record->stateHash;
    frame.stats = record->stats;
    frame.rigids = record->rigids;
    frame.meshes = std::move(parts.meshes);
    frame.curves = std::move(parts.curves);
    frame.points = std::move(parts.points);
    // Files contain only the names of bodies; the rest is in the manifest.
    frame.bodies = manifest_.bodies;
    std::vector<int> numbers;
    for (const BodyInfo& body : parts.bodies) {
        if (findBody(frame, body.name) < 0) frame.bodies.push_back(body);
        numbers.push_back(findBody(frame, body.name));
    }
    for (int& body : frame.points.bodies.edit()) body = numbers[body];
    sortById(frame.points);
    const bool hasPoints =
        std::any_of(done.begin(), done.end(), [](const auto& item) { return item.first == Content::points; });
    if (hasPoints && static_cast<int64_t>(frame.points.count()) != record->particles)
        throw Error(directory_ + ": frame " + std::to_string(frameNumber) + " has " +
                    std::to_string(frame.points.count()) + " particles in its files and " +
                    std::to_string(record->particles) + " in the manifest");
    return frame;
}

std::string branchFolder(const std::string& directory, const std::string& branch) {
    if (branch.empty() || fileStem(branch) != branch)
        throw Error("branch \"" + branch + "\": use only letters, digits, - and _");
    return toText(toPath(directory) / "branches" / toPath(branch));
}

std::vector<std::string> branchesOf(const std::string& directory) {
    std::vector<std::string> names;
    const std::string branches = inFolder(directory, "branches");
    const auto isFolder = [](const std::string& path) { return os::kindOf(path, os::Links::stay) == os::Kind::folder; };
    if (!isFolder(branches)) return names;
    for (const std::string& name : namesIn(branches))
        if (isFolder(inFolder(branches, name)) && hasManifest(inFolder(branches, name))) names.push_back(name);
    return names;
}

}  // namespace purl
