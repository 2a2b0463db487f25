// purl convert: writes the frames of a cache in other formats, at another speed or frame rate.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "app/commands.h"
#include "app/progress.h"
#include "app/target.h"
#include "farm/playback.h"
#include "host/host.h"
#include "solver/cache/cache.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

constexpr double kFrameTolerance = 1e-6;  // frames; as in CacheReader::at

// Maps frames of the new cache to times of the old one; both start at the same frame.
struct Timing {
    int first;
    double ratio;

    double sourceTime(int number) const { return first + (number - first) * ratio; }
};

// Destination of all frames: one file or a cache folder.
class Target {
  public:
    virtual ~Target() = default;
    virtual void add(int number, const Frame& frame) = 0;
    virtual void finish() = 0;
};

class FileTarget : public Target {
  public:
    FileTarget(const std::string& path, const Overwrite& overwrite, double fps) {
        const Format& format = formatOf(path);
        if (!format.begin || !format.manyItems)
            throw Error(path + ": only .abc can hold all frames in one file; use a folder and --format " + format.name +
                        " for one file per frame");
        checkFileIsNew(path, overwrite);
        reel_ = format.begin(path, fps);
    }
    void add(int number, const Frame& frame) override { reel_->add(frame, number); }
    void finish() override { reel_->finish(); }

  private:
    std::unique_ptr<Reel> reel_;
};

class FolderTarget : public Target {
  public:
    FolderTarget(const ConvertOptions& options, const TargetFolder& folder, const Manifest& from,
                 const FrameList& frames, double fps)
        : writer_(folder.path, [&] {
              CacheSettings settings{originOfCopy(from)};
              settings.formats = options.formats.empty() ? from.formats : splitFormats(options.formats);
              settings.channels = options.channels.empty() ? from.channels : splitChannels(options.channels);
              settings.frameList = frames.text();
              settings.lock = folder.lock;
              settings.fps = fps;
              settings.oneFile = options.oneFile;
              return settings;
          }()) {}
    void add(int number, const Frame& frame) override { writer_.write(number, frame); }
    void finish() override { writer_.finish(); }

  private:
    CacheWriter writer_;
};

}  // namespace

int convert(const ConvertOptions& options) {
    ProgressLine progress(options.quiet);
    const CacheReader reader(options.cache);
    const std::vector<int> numbers = reader.frames();
    if (numbers.empty()) throw Error(options.cache + ": the cache holds no frames");
    checkTarget(reader, options.out);

    const double oldFps = reader.manifest().fps, fps = options.fps > 0 ? options.fps : oldFps;
    const Timing timing{numbers.front(), options.speed * oldFps / fps};
    const int last =
        numbers.front() + static_cast<int>(std::floor((numbers.back() - numbers.front()) / timing.ratio + 1e-9));
    FrameList frames(numbers.front(), last);
    if (!options.frames.empty())
        frames = FrameList::parse(options.frames);
    else if (timing.ratio == 1 && !reader.manifest().frameList.empty())
        frames = framesOf(reader);
    std::vector<int> needed;
    for (const int number : frames.numbers()) {
        const double time = timing.sourceTime(number);
        needed.push_back(static_cast<int>(std::floor(time + kFrameTolerance)));
        if (time - needed.back() > kFrameTolerance) needed.push_back(needed.back() + 1);
    }
    checkFrames(reader, needed);

    std::unique_ptr<Target> target;
    std::string out = options.out;
    if (toPath(out).has_extension()) {
        target = std::make_unique<FileTarget>(out, options.overwrite, fps);
    } else {
        const TargetFolder folder = claimFolder(out, options.overwrite, false);
        out = folder.path;
        target = std::make_unique<FolderTarget>(options, folder, reader.manifest(), frames, fps);
    }
    for (const int number : frames.numbers()) {
        if (host::interruptRequested()) {
            progress.line("cancelled");
            return kCancelled;
        }
        Frame frame = reader.at(timing.sourceTime(number));
        // Velocities scale with the playback speed, accelerations with its square.
        const auto slow = static_cast<float>(options.speed);
        if (options.speed != 1) {
            const auto scale = [slow](Channel<Vec3>& values, float by) {
                for (Vec3& value : values.edit()) value = (by * slow) * value;
            };
            scale(frame.points.velocities, 1);
            scale(frame.points.accelerations, slow);
            for (Mesh& mesh : frame.meshes) scale(mesh.velocities, 1);
            for (Curves& curves : frame.curves) scale(curves.velocities, 1);
        }
        target->add(number, frame);
        progress.live(fmt::format("frame {} of {}", number, frames.last()));
    }
    target->finish();
    progress.line(fmt::format("{}: frames {} at {} fps", out, frames.text(), fps));
    return kDone;
}

}  // namespace purl
