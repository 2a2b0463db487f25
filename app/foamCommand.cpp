// purl foam: adds spray, foam and bubbles to the liquids of a cache, frame by frame from its first one.
#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "app/commands.h"
#include "app/progress.h"
#include "app/target.h"
#include "farm/playback.h"
#include "nodes/foamNode.h"
#include "solver/cache/cache.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

// "airRate=800", "gravity=0,-9.81,0"
void set(FoamParams& params, const std::string& assignment) {
    const size_t equals = assignment.find('=');
    const std::string name = assignment.substr(0, equals);
    std::string text = equals == std::string::npos ? "" : assignment.substr(equals + 1);
    std::replace(text.begin(), text.end(), ',', ' ');
    bool known = false, read = false;
    describe(
        [&](auto& field, const About& about) {
            if (name != about.name) return;
            known = true;
            std::istringstream stream(text);
            if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>, Vec3>)
                read = static_cast<bool>(stream >> field.x >> field.y >> field.z);
            else
                read = static_cast<bool>(stream >> field);
        },
        params);
    if (!known) throw Error("foam: has no attribute \"" + name + "\"; purl describe lists those of purlFoam");
    if (!read) throw Error("foam: \"" + assignment + "\" is not a number; expected attribute=value");
}

}  // namespace

int addFoam(const FoamOptions& options) {
    ProgressLine progress(options.quiet);
    FoamParams params;
    for (const std::string& assignment : options.assignments) set(params, assignment);
    const CacheReader reader(options.cache);
    const Manifest& manifest = reader.manifest();
    if (manifest.frames.empty()) throw Error(options.cache + ": the cache holds no frames");
    checkTarget(reader, options.out);
    std::vector<int> numbers;
    for (const FrameRecord& record : manifest.frames) numbers.push_back(record.number);
    checkFrames(reader, numbers);
    std::unique_ptr<Playback> playback;
    if (fs::exists(toPath(manifest.scenePath))) {
        playback = std::make_unique<Playback>(
            manifest.scenePath, [&](auto severity, const auto& text) { progress.message(severity, text); },
            manifest.run.solver);
        playback->repeatAssignments(manifest.run);
    } else
        progress.line("warning: " + options.cache + ": its scene \"" + manifest.scenePath +
                      "\" was not found; foam will not collide with anything");

    CacheSettings settings{originOfCopy(manifest)};
    settings.formats = manifest.formats;
    settings.channels = manifest.channels;
    settings.frameList = framesOf(reader).text();
    const TargetFolder folder = claimFolder(options.out, options.overwrite, false);
    settings.lock = folder.lock;
    CacheWriter writer(folder.path, settings);
    const Device device = Device::cpu(options.threads);
    std::vector<std::pair<std::string, Foam>> foams;
    for (const FrameRecord& record : manifest.frames) {
        Frame frame = reader.read(record.number);
        std::vector<FoamCollider> walls;
        if (playback) {
            playback->showFrame(record.number);
            walls = foamWalls(playback->bodies());
        }
        size_t count = 0;
        for (const int index : chosenLiquids(frame, WantedBody{"", options.body, ""})) {
            const std::string body = frame.bodies[index].name;
            auto foam = std::find_if(foams.begin(), foams.end(), [&](const auto& f) { return f.first == body; });
            if (foam == foams.end()) foam = foams.insert(foams.end(), {body, Foam(body, device)});
            foam->second.advance(frame, params, walls);
            foam->second.addTo(frame, params);
            count += foam->second.points().count();
        }
        writer.write(record.number, frame);
        progress.line(fmt::format("frame {}: {} foam particles", record.number, count));
    }
    writer.finish();
    return kDone;
}

}  // namespace purl
