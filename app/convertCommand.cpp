// purl convert: writes the frames of a cache in other formats, at another speed or frame rate.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "app/commands.h"
#include "app/progress.h"
#include "app/target.h"
#include "farm/playback.h"
#include "host/host.h"
#include "nodes/nodes.h"
#include "solver/cache/cache.h"
#include "solver/cache/foreignCache.h"
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

// Where the frames come from: a cache that Purl wrote, or one of another program.
class Convertible {
  public:
    virtual ~Convertible() = default;
    virtual double fps() const = 0;
    virtual std::vector<int> numbers() const = 0;
    virtual Frame at(double time) const = 0;
    virtual void checkOut(const std::string& out) const = 0;
    // Throws Error, before anything is written, if frames are missing or damaged.
    virtual void check(const std::vector<int>& numbers) const = 0;
    virtual CacheSettings settings() const = 0;
    virtual bool isList() const = 0;  // of chosen frames, with gaps
};

class OwnSource : public Convertible {
  public:
    explicit OwnSource(const std::string& path) : reader_(path) {}
    double fps() const override { return reader_.manifest().fps; }
    std::vector<int> numbers() const override { return reader_.frames(); }
    Frame at(double time) const override { return reader_.at(time); }
    void checkOut(const std::string& out) const override { checkTarget(reader_, out); }
    void check(const std::vector<int>& numbers) const override { checkFrames(reader_, numbers); }
    CacheSettings settings() const override {
        CacheSettings settings{originOfCopy(reader_.manifest())};
        settings.formats = reader_.manifest().formats;
        settings.channels = reader_.manifest().channels;
        return settings;
    }
    bool isList() const override { return !reader_.manifest().frameList.empty(); }

  private:
    CacheReader reader_;
};

class OtherSource : public Convertible {
  public:
    OtherSource(const std::string& path, const std::string& topology) : cache_(path, topology), topology_(topology) {}
    double fps() const override { return cache_.fps(); }
    std::vector<int> numbers() const override { return cache_.frames(); }
    Frame at(double time) const override { return cache_.at(time); }
    void checkOut(const std::string& out) const override {
        std::error_code none;
        for (const std::string& file : cache_.files())
            if (fs::equivalent(file, out, none)) throw Error(out + ": is a file of the source itself; choose another");
    }
    void check(const std::vector<int>& numbers) const override {
        for (const int number : numbers)
            if (number < cache_.times().front() - kFrameTolerance || number > cache_.times().back() + kFrameTolerance)
                throw Error(fmt::format("{}: has no frame {}; it has {} to {}", cache_.path(), number,
                                        cache_.times().front(), cache_.times().back()));
    }
    CacheSettings settings() const override {
        CacheSettings settings;
        settings.startFrame = cache_.frames().front();
        settings.run.toolVersion = toolVersion();
        for (const std::string& file : cache_.files()) settings.run.inputs.push_back(inputFileAt("cache", file));
        if (!topology_.empty()) settings.run.inputs.push_back(inputFileAt("topology", topology_));
        return settings;
    }
    bool isList() const override { return true; }

  private:
    ForeignCache cache_;
    std::string topology_;
};

std::unique_ptr<Convertible> openSource(const ConvertOptions& options) {
    if (ForeignCache::accepts(options.cache)) return std::make_unique<OtherSource>(options.cache, options.topology);
    if (!options.topology.empty())
        throw Error(options.cache + ": --topology is for geometry caches of other programs; this is a cache of Purl");
    return std::make_unique<OwnSource>(options.cache);
}

class FolderTarget : public Target {
  public:
    FolderTarget(const ConvertOptions& options, const TargetFolder& folder, const Convertible& from,
                 const FrameList& frames, double fps)
        : writer_(folder.path, [&] {
              CacheSettings settings = from.settings();
              if (!options.formats.empty()) settings.formats = splitFormats(options.formats);
              if (!options.channels.empty()) settings.channels = splitChannels(options.channels);
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
    const std::unique_ptr<Convertible> source = openSource(options);
    const std::vector<int> numbers = source->numbers();
    if (numbers.empty()) throw Error(options.cache + ": the cache holds no frames");
    source->checkOut(options.out);

    const double oldFps = source->fps(), fps = options.fps > 0 ? options.fps : oldFps;
    const Timing timing{numbers.front(), options.speed * oldFps / fps};
    const int last =
        numbers.front() + static_cast<int>(std::floor((numbers.back() - numbers.front()) / timing.ratio + 1e-9));
    FrameList frames(numbers.front(), last);
    if (!options.frames.empty())
        frames = FrameList::parse(options.frames);
    else if (timing.ratio == 1 && source->isList()) {
        frames = FrameList();
        for (const int number : numbers) frames.add(number);
    }
    std::vector<int> needed;
    for (const int number : frames.numbers()) {
        const double time = timing.sourceTime(number);
        needed.push_back(static_cast<int>(std::floor(time + kFrameTolerance)));
        if (time - needed.back() > kFrameTolerance) needed.push_back(needed.back() + 1);
    }
    source->check(needed);

    // Nothing is written if not even the first frame can be read.
    Frame frame = source->at(timing.sourceTime(frames.first()));
    std::unique_ptr<Target> target;
    std::string out = options.out;
    if (toPath(out).has_extension()) {
        target = std::make_unique<FileTarget>(out, options.overwrite, fps);
    } else {
        const TargetFolder folder = claimFolder(out, options.overwrite, false);
        out = folder.path;
        target = std::make_unique<FolderTarget>(options, folder, *source, frames, fps);
    }
    for (const int number : frames.numbers()) {
        if (host::interruptRequested()) {
            progress.line("cancelled");
            return kCancelled;
        }
        if (number != frames.first()) frame = source->at(timing.sourceTime(number));
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
