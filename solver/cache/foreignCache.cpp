#include "solver/cache/foreignCache.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "solver/cache/alembic.h"
#include "solver/cache/file.h"
#include "solver/cache/format.h"
#include "solver/cache/frameList.h"
#include "solver/cache/manifestFile.h"
#include "solver/cache/ncacheFiles.h"
#include "solver/cache/points.h"
#include "solver/cache/retime.h"
#include "solver/cache/usdReader.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

constexpr double kSlack = 1e-6;  // frames; for rounding of times

// Between the samples before and after a time; both are the same at a sample.
struct Bracket {
    size_t before, after;
    double share;
};
std::optional<Bracket> bracketOf(const std::vector<double>& times, double time) {
    const auto after = std::lower_bound(times.begin(), times.end(), time - kSlack);
    if (after == times.end()) return {};
    const auto at = static_cast<size_t>(after - times.begin());
    if (*after <= time + kSlack) return Bracket{at, at, 0};
    if (at == 0) return {};
    return Bracket{at - 1, at, (time - times[at - 1]) / (times[at] - times[at - 1])};
}

// As `between`, but ids are those of one body: other programs number the particles of each shape from 0.
Frame betweenBodies(const Frame& a, const Frame& b, double share) {
    if (a.bodies.size() < 2 && b.bodies.size() < 2) return between(a, b, share);
    const auto withoutPoints = [](Frame frame) {
        frame.points = {};
        frame.bodies.clear();
        return frame;
    };
    Frame mixed = between(withoutPoints(a), withoutPoints(b), share);
    std::vector<std::string> names;
    for (const Frame* frame : {&a, &b})
        for (const BodyInfo& body : frame->bodies)
            if (std::find(names.begin(), names.end(), body.name) == names.end()) names.push_back(body.name);
    for (const std::string& name : names) {
        const auto bodyOf = [&](const Frame& frame) {
            const int body = findBody(frame, name);
            if (body >= 0) return onlyBody(frame, body);
            Frame none;
            none.time = frame.time;
            none.bodies.resize(1);
            none.bodies[0].name = name;
            return none;
        };
        appendPoints(mixed, between(bodyOf(a), bodyOf(b), share));
    }
    return mixed;
}

// Names of items of one kind differ, as those of a cache's files must: the second one becomes NAME_2.
template <class Item>
void makeNamesUnique(std::vector<Item>& items) {
    std::set<std::string> taken;
    std::map<std::string, int> numbers;  // used last with a name
    for (Item& item : items)
        for (const std::string name = item.name; !taken.insert(item.name).second;)
            item.name = name + "_" + std::to_string(1 + ++numbers[name]);
}

// With ids, and sorted by them, as particles of a frame are.
Frame sampleOf(const ForeignSource& source, double time) {
    Frame frame = source.read(time);
    makeNamesUnique(frame.bodies);
    makeNamesUnique(frame.meshes);
    makeNamesUnique(frame.curves);
    if (frame.points.ids.size() != frame.points.count()) {
        std::vector<int64_t> ids(frame.points.count());
        std::iota(ids.begin(), ids.end(), int64_t{0});
        frame.points.ids = std::move(ids);
    }
    sortById(frame.points);
    return frame;
}

Frame interpolated(const ForeignSource& source, const std::vector<double>& times, const Bracket& bracket) {
    Frame frame = sampleOf(source, times[bracket.before]);
    return bracket.share > 0 ? betweenBodies(frame, sampleOf(source, times[bracket.after]), bracket.share) : frame;
}

// ---- the kinds ------------------------------------------------------------------------------------------------------

class NCacheSource : public ForeignSource {
  public:
    explicit NCacheSource(const std::string& path) : files_(path) {}

    std::string kind() const override {
        const NCacheDescription& d = files_.description();
        return std::string("nCache (") + (d.bits == NCacheBits::mcx ? "mcx" : "mcc") + ", " +
               (d.layout == NCacheLayout::oneFile ? "one file" : "one file per frame") + ")";
    }
    double fps() const override { return double(kTicksPerSecond) / files_.description().ticksPerFrame; }
    std::vector<double> times() const override {
        std::vector<double> times;
        for (const int ticks : files_.times()) times.push_back(double(ticks) / files_.description().ticksPerFrame);
        return times;
    }
    Frame read(double time) const override {
        return fromNCacheSample(files_.read(static_cast<int>(std::lround(time * files_.description().ticksPerFrame))),
                                files_.path());
    }
    std::vector<std::string> files() const override { return files_.files(); }

  private:
    NCacheFiles files_;
};

// Several nCaches in one folder, as Maya writes one of each shape. Each is interpolated at the times of the others.
class FolderSource : public ForeignSource {
  public:
    explicit FolderSource(const std::vector<std::string>& descriptions) {
        for (const std::string& path : descriptions) {
            parts_.push_back(std::make_unique<NCacheSource>(path));
            times_.push_back(parts_.back()->times());
            if (parts_.back()->fps() != parts_.front()->fps())
                throw Error(path + ": has another frame rate than " + descriptions.front() +
                            "; name one of the two instead of their folder");
        }
    }
    std::string kind() const override {
        return parts_.size() == 1 ? parts_[0]->kind() : std::to_string(parts_.size()) + " nCaches";
    }
    double fps() const override { return parts_[0]->fps(); }
    std::vector<double> times() const override {
        std::set<double> all;
        for (const std::vector<double>& times : times_) all.insert(times.begin(), times.end());
        return {all.begin(), all.end()};
    }
    Frame read(double time) const override {
        Frame frame;
        for (size_t i = 0; i < parts_.size(); ++i) {
            const std::optional<Bracket> bracket = bracketOf(times_[i], time);
            if (!bracket) continue;
            Frame part = interpolated(*parts_[i], times_[i], *bracket);
            frame.time = part.time;
            frame.metersPerUnit = part.metersPerUnit;
            frame.meshes.insert(frame.meshes.end(), part.meshes.begin(), part.meshes.end());
            appendPoints(frame, part);
        }
        return frame;
    }
    std::vector<std::string> files() const override {
        std::vector<std::string> all;
        for (const auto& part : parts_)
            for (std::string& file : part->files()) all.push_back(std::move(file));
        return all;
    }

  private:
    std::vector<std::unique_ptr<NCacheSource>> parts_;
    std::vector<std::vector<double>> times_;
};

class AlembicSource : public ForeignSource {
  public:
    explicit AlembicSource(const std::string& path) : path_(path), reader_(ByteSource::ofFile(path)) {}

    std::string kind() const override { return "Alembic"; }
    double fps() const override { return reader_.fps(); }
    std::vector<double> times() const override {
        const std::vector<int> frames = reader_.frames();
        return {frames.begin(), frames.end()};
    }
    Frame read(double time) const override {
        Frame frame = reader_.read(static_cast<int>(std::lround(time)));
        for (Mesh& mesh : frame.meshes) mesh.kind = MeshKind::solid;
        return frame;
    }
    std::vector<std::string> files() const override { return {path_}; }

  private:
    std::string path_;
    AlembicReader reader_;
};

class UsdSource : public ForeignSource {
  public:
    explicit UsdSource(const std::string& path) : path_(path), reader_(readFile(path), path) {}

    std::string kind() const override { return "USD"; }
    double fps() const override { return reader_.fps(); }
    std::vector<double> times() const override { return reader_.times(); }
    Frame read(double time) const override {
        Frame frame = reader_.read(time);
        for (Mesh& mesh : frame.meshes) mesh.kind = MeshKind::solid;
        return frame;
    }
    std::vector<std::string> files() const override { return {path_}; }
    std::vector<std::string> notes() const override {
        std::vector<std::string> notes;
        for (const std::string& what : reader_.unread()) notes.push_back(what + " are not followed");
        if (reader_.upAxis() != "Y") notes.push_back("its up axis is " + reader_.upAxis() + "; positions are kept");
        return notes;
    }

  private:
    std::string path_;
    UsdReader reader_;
};

bool isUsd(const fs::path& path) {
    const std::string extension = toText(path.extension());
    return extension == ".usd" || extension == ".usda" || extension == ".usdc" || extension == ".usdz";
}
bool isNCache(const fs::path& path) {
    const std::string extension = toText(path.extension());
    return extension == ".xml" || extension == ".mc" || extension == ".mcx";
}

std::unique_ptr<ForeignSource> open(const std::string& path) {
    std::error_code none;
    if (fs::is_directory(toPath(path), none)) {
        const std::vector<std::string> descriptions = nCacheDescriptionsIn(path);
        if (descriptions.empty()) throw Error(path + ": contains neither a manifest.json nor the .xml of an nCache");
        return std::make_unique<FolderSource>(descriptions);
    }
    if (isNCache(path)) return std::make_unique<NCacheSource>(path);
    if (isUsd(path)) return std::make_unique<UsdSource>(path);
    if (toPath(path).extension() == ".abc") return std::make_unique<AlembicSource>(path);
    throw Error(path + ": is not a cache that can be read; it may be a folder, .xml, .mc, .mcx, .abc or .usda");
}

// The mesh of the same name, or the only one.
const Mesh* facesFor(const Mesh& mesh, const std::vector<Mesh>& topology) {
    for (const Mesh& each : topology)
        if (each.name == mesh.name) return &each;
    return topology.size() == 1 ? &topology.front() : nullptr;
}

}  // namespace

bool ForeignCache::accepts(const std::string& path) {
    std::error_code none;
    if (fs::is_directory(toPath(path), none)) return !hasManifest(path) && !nCacheDescriptionsIn(path).empty();
    return isNCache(path) || isUsd(path) || toPath(path).extension() == ".abc";
}

ForeignCache::ForeignCache(const std::string& path, const std::string& topology)
    : path_(path), source_(open(path)), times_(source_->times()) {
    if (times_.empty()) {
        std::string why;
        for (const std::string& note : source_->notes()) why += "; " + note;
        throw Error(path + ": holds no particles, meshes or curves" + why);
    }
    if (topology.empty()) return;
    topology_ = readFrame(topology).meshes;
    topology_.erase(
        std::remove_if(topology_.begin(), topology_.end(), [](const Mesh& mesh) { return mesh.triangles.empty(); }),
        topology_.end());
    if (topology_.empty()) throw Error(topology + ": has no faces");
}
ForeignCache::~ForeignCache() = default;
ForeignCache::ForeignCache(ForeignCache&&) noexcept = default;

std::vector<int> ForeignCache::frames() const {
    std::vector<int> whole;
    for (const double time : times_)
        if (std::fabs(time - std::round(time)) < kSlack && std::fabs(time) <= kMaxFrame)
            whole.push_back(static_cast<int>(std::lround(time)));
    return whole;
}

Frame ForeignCache::at(double time) const {
    const std::optional<Bracket> bracket = bracketOf(times_, time);
    if (!bracket) throw Error(path_ + ": has no frame " + std::to_string(time));
    Frame frame = interpolated(*source_, times_, *bracket);
    for (Mesh& mesh : frame.meshes) {
        const Mesh* faces = mesh.triangles.empty() ? facesFor(mesh, topology_) : nullptr;
        if (!faces) continue;
        if (faces->positions.size() != mesh.positions.size())
            throw Error(path_ + ": " + mesh.name + " has " + std::to_string(mesh.positions.size()) +
                        " vertices, but the mesh with its faces has " + std::to_string(faces->positions.size()));
        mesh.triangles = faces->triangles;
        mesh.faces = faces->faces;
    }
    sortById(frame.points);
    return frame;
}

}  // namespace purl
