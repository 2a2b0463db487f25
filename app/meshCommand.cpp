// purl mesh: makes the surfaces of a cache's liquids again from their particles, without simulating.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "app/commands.h"
#include "app/progress.h"
#include "app/target.h"
#include "app/volumeWatch.h"
#include "farm/playback.h"
#include "host/host.h"
#include "solver/cache/cache.h"
#include "solver/cache/manifestFile.h"
#include "solver/core/error.h"
#include "solver/core/hash.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

// Sets the attributes that the cache was simulated with, then those of this command, which must be of surfaces: any
// other one would need a new simulation.
void setAttributes(Playback& playback, const Manifest& manifest, const std::vector<std::string>& assignments,
                   ProgressLine& progress) {
    for (const std::string& assignment : manifest.run.assignments) playback.set(assignment);
    for (const std::string& assignment : assignments) {
        const std::string name = assignment.substr(0, assignment.find('.'));
        const host::NodePtr node = playback.graph().find(name);
        if (node && node->type->name != "purlSurface")
            throw Error(assignment + ": " + name + " is a " + node->type->name +
                        "; purl mesh sets attributes of purlSurface nodes only, others need purl sim");
        progress.line(playback.set(assignment));
    }
}

// Formats without the particles, which the source has already. Foam and gas have no mesh: they are copied.
std::vector<std::string> formatsWithoutPoints(const Manifest& manifest) {
    if (std::any_of(manifest.bodies.begin(), manifest.bodies.end(),
                    [](const BodyInfo& body) { return body.kind != BodyKind::liquid; }))
        return manifest.formats;
    std::vector<std::string> formats;
    for (const Choice& choice : choicesOf(manifest.formats)) {
        const std::string name = choice.format->name;
        if (choice.meshes) formats.push_back(name + ":meshes");
        if (choice.curves) formats.push_back(name + ":curves");
    }
    return formats.empty() ? std::vector<std::string>{"ply:meshes"} : formats;
}

// Warns of channels whose absence changes the surface, and says how to write them.
void checkChannels(const Frame& frame, bool hasWalls, const std::string& cache, ProgressLine& progress) {
    const Points& points = frame.points;
    const auto report = [&](const char* channel, const auto& values, const char* effect) {
        if (values.empty())
            progress.warning(
                fmt::format("{}: its particles have no channel {}: {}; write it with purl sim --channels "
                            "…,{} and a format that holds particles, like mcx",
                            cache, channel, effect, channel));
    };
    report("density", points.densities, "all of them get the same volume");
    if (!points.densities.empty()) report("radiusPP", points.radii, "all of them get the same volume");
    report("velocity", points.velocities, "the surface has no velocities, so no motion blur");
    if (hasWalls) report("wallOffset", points.wallOffsets, "the surface does not meet walls at contactAngle");
}

// Waits for other commands that write to the folder.
std::shared_ptr<FolderLock> waitForFolder(const std::string& folder) {
    constexpr auto kPause = std::chrono::milliseconds(50);
    constexpr auto kMaxWait = std::chrono::minutes(10);
    for (const auto until = std::chrono::steady_clock::now() + kMaxWait;; std::this_thread::sleep_for(kPause)) {
        try {
            return lockCacheFolder(folder);
        } catch (const FolderBusy&) {
            if (std::chrono::steady_clock::now() > until) throw;
        }
    }
}

// Writes one frame to the folder, which other commands may share: it is locked for this frame only.
void writeShared(const std::string& folder, CacheSettings settings, int number, const Frame& frame) {
    settings.lock = waitForFolder(folder);
    CacheWriter writer = CacheWriter::join(folder, std::move(settings));
    writer.write(number, frame);
    writer.finish();
}

// The folder to add frames to. Other chunks of the same meshes may be there already; anything else is replaced only if
// asked to.
std::string openFolder(const MeshOptions& options, const std::string& out, const CacheSettings& settings) {
    if (options.overwrite.versionUp) return claimFolder(out, options.overwrite, false).path;
    if (!hasManifest(out)) return out;
    const Manifest found = readManifestToReplace(out);
    const bool same = differenceOf(found.run, settings.run).empty() && found.formats == settings.formats &&
                      found.channels == settings.channels && found.fps == settings.fps;
    if (same || found.frames.empty()) return out;
    const TargetFolder folder = claimFolder(out, options.overwrite, false);
    CacheSettings replacing = settings;
    replacing.lock = folder.lock;
    CacheWriter(folder.path, std::move(replacing)).finish();
    return folder.path;
}

}  // namespace

static int makeMeshesOf(const MeshOptions& options, RunReport& farm) {
    ProgressLine progress(options.quiet, progressSeconds(options.farm));
    const CacheReader reader(options.cache);
    const Manifest& manifest = reader.manifest();
    const FrameList frames = options.frames.empty() ? framesOf(reader) : FrameList::parse(options.frames);
    if (frames.empty()) throw Error(options.cache + ": the cache holds no frames");
    const std::string out = options.out.empty() ? toText(toPath(options.cache) / "mesh") : options.out;
    checkTarget(reader, out);
    checkFrames(reader, frames.numbers());

    const std::string scene = options.scene.empty() ? manifest.scenePath : options.scene;
    if (!fs::exists(toPath(scene)))
        throw Error(options.cache + ": its scene \"" + scene +
                    "\" was not found, which has the settings of the surfaces; name it with --scene");
    Playback playback(
        scene, [&](auto severity, const auto& text) { progress.message(severity, text); }, manifest.run.solver,
        pathMapOf(options.farm));
    playback.setDevice("", options.threads);
    setAttributes(playback, manifest, options.assignments, progress);

    CacheSettings settings{originOfCopy(manifest)};
    settings.scenePath = absolutePath(scene);
    settings.formats = options.formats.empty() ? formatsWithoutPoints(manifest) : splitFormats(options.formats);
    settings.channels = manifest.channels;
    settings.frameList = frames.text();
    settings.run.assignments.insert(settings.run.assignments.end(), options.assignments.begin(),
                                    options.assignments.end());
    const std::string folder = openFolder(options, out, settings);
    VolumeWatch volumes;
    bool checked = false;
    size_t done = 0;
    const auto start = std::chrono::steady_clock::now();
    for (const int number : frames.numbers()) {
        if (host::interruptRequested()) {
            progress.line(fmt::format("cancelled before frame {}; the same command continues", number));
            return kCancelled;
        }
        Frame frame = reader.read(number);
        const FrameRecord* record = manifest.find(number);
        if (frame.points.count() == 0 && record && record->particles > 0)
            throw Error(
                fmt::format("{}: frame {} had {} particles, but the cache does not hold them; simulate with a "
                            "format that does, like --format mcx,ply",
                            options.cache, number, record->particles));
        playback.showFrame(number);
        if (!checked && frame.points.count() > 0) {
            const Scene bodies = playback.bodies();
            const bool hasWalls = !bodies.colliders.empty() || !bodies.cloths.empty() || !bodies.softBodies.empty();
            checkChannels(frame, hasWalls, options.cache, progress);
            checked = true;
        }
        const auto began = std::chrono::steady_clock::now();
        playback.makeSurfaces(frame);
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
        size_t triangles = 0;
        for (const Mesh& mesh : frame.meshes)
            if (mesh.kind == MeshKind::liquid) triangles += mesh.triangles.size() / 3;
        volumes.add(number, frame);
        writeShared(folder, settings, number, frame);
        progress.line(fmt::format("frame {}: {} particles, {} triangles, {:.0f} ms", number, frame.points.count(),
                                  triangles, took.count()));
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
        const double share = double(++done) / double(frames.size());
        farm.progress({number, frames.last(), share, int64_t(frame.points.count()), since.count() * (1 / share - 1),
                       toHex(frame.stateHash)});
    }
    for (const std::string& warning : volumes.warnings()) progress.line("warning: " + warning);
    progress.line(fmt::format("{}: meshes of frames {}", folder, frames.text()));
    return kDone;
}

int makeMeshes(const MeshOptions& options) {
    RunReport farm(options.farm);
    return farm.run([&] { return makeMeshesOf(options, farm); });
}

}  // namespace purl
