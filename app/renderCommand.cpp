// purl render: renders images and a movie of a cache, or of a scene that is simulated on the fly.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/progress.h"
#include "app/shot.h"
#include "app/tint.h"
#include "app/viewJson.h"
#include "host/host.h"
#include "render/compose.h"
#include "render/exr.h"
#include "render/movie.h"
#include "render/renderer.h"
#include "solver/cache/cache.h"
#include "solver/cache/writeBehind.h"
#include "solver/core/hash.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

std::pair<int, int> parseSize(const std::string& text) {
    int width = 0, height = 0, used = 0;
    if (std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &used) != 2 || used != int(text.size()) || width < 16 ||
        height < 16 || width > 16384 || height > 16384)
        throw Error("size \"" + text + "\": expected WIDTHxHEIGHT in pixels, like 960x540");
    return {width, height};
}

StudioChoice studioNamed(const std::string& name) {
    const Choices names = choicesOf(StudioChoice());
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw Error("studio \"" + name + "\": expected grey, warm or plain");
    return static_cast<StudioChoice>(found - names.begin());
}

// Common interface to the frames of a cache and of a simulated scene.
class Source {
  public:
    Source(const RenderOptions& options, ProgressLine& progress) {
        const auto listen = [&progress](auto severity, const auto& text) { progress.message(severity, text); };
        if (toPath(options.source).extension() == ".ma") {
            playback_ = std::make_unique<Playback>(options.source, listen, options.solver, pathMapOf(options.farm));
            fps_ = playback_->fps();
            const FrameRange range = playback_->playbackRange();
            frames_ = FrameList(range.first, range.last);
            out_ = toText(toPath(defaultOutput(options.source)) / "frames");
            return;
        }
        reader_ = std::make_unique<CacheReader>(options.source);
        const Manifest& manifest = reader_->manifest();
        if (manifest.frames.empty()) throw Error(options.source + ": the cache holds no frames");
        fps_ = manifest.fps;
        for (const FrameRecord& frame : manifest.frames) frames_.add(frame.number);
        out_ = toText(toPath(options.source) / "frames");
        const std::string& scene = options.scene.empty() ? manifest.scenePath : options.scene;
        if (fs::exists(toPath(scene))) {
            playback_ = std::make_unique<Playback>(
                scene, listen, options.solver.empty() ? manifest.run.solver : options.solver, pathMapOf(options.farm));
            playback_->repeatAssignments(manifest.run);
        } else
            progress.line("warning: " + options.source + ": its scene \"" + scene +
                          "\" was not found; using a fitted camera, without colliders");
    }

    Playback* playback() { return playback_.get(); }
    double fps() const { return fps_; }
    const FrameList& frames() const { return frames_; }
    const std::string& defaultOut() const { return out_; }
    Frame frame(int number) {
        if (!reader_) return *playback_->frame(number);
        if (!prefetched_.valid()) return reader_->read(number);
        Frame read = prefetched_.get();
        return prefetchedNumber_ == number ? std::move(read) : reader_->read(number);
    }
    // Prefetches a frame of a cache on another thread. Scenes are simulated on demand: the host's graph is not
    // thread-safe.
    void prefetch(int number) {
        if (!reader_) return;
        prefetchedNumber_ = number;
        prefetched_ = std::async(std::launch::async, [this, number] { return reader_->read(number); });
    }
    // Representative frames for framing and scaling, independent of the frames drawn: of a cache some from first to
    // last, of a simulated scene only the first.
    std::vector<int> samples() const {
        if (!reader_) return {frames_.first()};
        constexpr size_t kMaxSamples = 9;
        const std::vector<int>& all = frames_.numbers();
        const size_t count = std::min(kMaxSamples, all.size());
        std::vector<int> numbers;
        for (size_t i = 0; i < count; ++i) numbers.push_back(all[count > 1 ? i * (all.size() - 1) / (count - 1) : 0]);
        return numbers;
    }
    bool isCache() const { return reader_ != nullptr; }

  private:
    std::unique_ptr<Playback> playback_;
    std::unique_ptr<CacheReader> reader_;
    double fps_ = 24;
    FrameList frames_;
    std::string out_;
    int prefetchedNumber_ = 0;
    std::future<Frame> prefetched_;  // last: it uses the members above
};

// Colours by a quantity, with one scale for all images.
class FalseColor {
  public:
    FalseColor(Show show, const std::string& scale) : show_(show) {
        if (scale.empty()) return;
        ShowScale own;
        int used = 0;
        if (std::sscanf(scale.c_str(), "%f-%f%n", &own.low, &own.high, &used) != 2 || used != int(scale.size()) ||
            !(own.high > own.low))
            throw Error("scale \"" + scale + "\": expected lowest and highest value, like 0-2.5");
        scale_ = own;
    }
    bool on() const { return show_ != Show::look; }
    // Without a scale from the samples: a fixed one, so that images do not depend on which of them is drawn first.
    void finishSampling() {
        if (on() && !scale_) scale_ = ShowScale{};
    }
    void start(const Frame& frame) { start_ = frame; }  // reference of strains
    bool needsScale() const { return on() && (!scale_ || !sampled_.empty()); }
    // Derives the scale from sampled frames: three quarters of them stay within it, so that a short burst does not
    // leave the rest in one colour.
    void sample(const Frame& frame) {
        const Tinted own(frame, needsStart() ? &start_ : nullptr, show_);
        if (!own.any()) return;
        sampled_.push_back(own.scale());
        const auto quantile = [&](float ShowScale::*end, double fraction) {
            std::vector<float> all;
            for (const ShowScale& each : sampled_) all.push_back(each.*end);
            std::sort(all.begin(), all.end());
            return all[static_cast<size_t>(fraction * double(all.size() - 1) + 0.5)];
        };
        scale_ = ShowScale{quantile(&ShowScale::low, 0.25), quantile(&ShowScale::high, 0.75)};
        if (!(scale_->high > scale_->low)) scale_->high = scale_->low + 1;
    }
    bool needsStart() const { return show_ == Show::strain; }

    Tinted tinted(const Frame& frame) {
        Tinted result(frame, needsStart() ? &start_ : nullptr, show_, scale_);
        if (!result.any() && !subjectOf(frame).empty())
            throw Error(std::string("show \"") + aboutOf(show_).option +
                        "\": no item of the frame has this channel; caches contain particle channels if they were "
                        "simulated with --format mcx");
        return result;
    }
    void drawLegend(Picture& picture) const {
        constexpr int kSteps = 256;
        std::vector<float> steps(kSteps);
        for (int i = 0; i < kSteps; ++i) steps[i] = float(i) / (kSteps - 1);
        std::string unit = aboutOf(show_).unit;
        if (const size_t cube = unit.find("³"); cube != std::string::npos) unit.replace(cube, strlen("³"), "3");
        purl::drawLegend(picture, rampColors(steps, 0, 1), scale_->low, scale_->high,
                         aboutOf(show_).title + (unit.empty() ? "" : ", " + unit));
    }

  private:
    Show show_;
    std::optional<ShowScale> scale_;  // nullopt: from the sampled frames
    std::vector<ShowScale> sampled_;  // of the sampled frames
    Frame start_;
};

// Extrapolates a frame along its velocities.
Frame extrapolated(Frame frame, double seconds) {
    const auto move = [seconds](Channel<Vec3>& channel, const Channel<Vec3>& velocities) {
        if (velocities.size() != channel.size()) return;
        std::vector<Vec3>& positions = channel.edit();
        for (size_t i = 0; i < positions.size(); ++i) positions[i] += static_cast<float>(seconds) * velocities[i];
    };
    move(frame.points.positions, frame.points.velocities);
    for (Mesh& mesh : frame.meshes) move(mesh.positions, mesh.velocities);
    for (Curves& curves : frame.curves) move(curves.positions, curves.velocities);
    return frame;
}

// Applies the command-line options to a view.
View applyOptions(View view, const RenderOptions& options) {
    if (options.wire) drawWire(view);
    view.cascades = options.cascades;
    if (!options.sort.empty()) view.quadSort = options.sort == "gpu" ? QuadSort::gpu : QuadSort::cpu;
    view.without.insert(options.without.begin(), options.without.end());
    if (options.yarn.empty()) return view;
    for (YarnLook& look : view.yarns) {
        look.detail = options.yarn == "tubes" ? YarnDetail::tubes : YarnDetail::fibres;
        look.stacks = options.yarn == "oneStack" ? YarnStacks::one : YarnStacks::three;
        look.shape = options.yarn == "straight" ? YarnShape::straight : YarnShape::spline;
        // A core would hide the gaps that the comparison methods leave.
        look.core = options.yarn == "fibres";
    }
    return view;
}

// Renders one image, averaged over the shutter interval (motion blur).
Picture renderImage(Renderer& renderer, Shot& shot, FalseColor& falseColor, int number, const Frame& simulated,
                    double fps, const RenderOptions& options, Aovs* aovs) {
    std::optional<Tinted> tinted;
    if (falseColor.on()) tinted.emplace(falseColor.tinted(simulated));
    const Frame& frame = tinted ? tinted->frame() : simulated;
    const std::vector<Vec3> colors = tinted ? tinted->colors() : std::vector<Vec3>();
    const bool points = options.points || falseColor.on();
    if (options.samples < 2) return renderer.draw(applyOptions(shot.at(number, frame, points, colors), options), aovs);
    // Beauty is averaged over the sub-frames; the other AOVs are those of the frame itself.
    if (aovs) renderer.draw(applyOptions(shot.at(number, frame, points, colors), options), aovs);
    std::vector<Vec3> light(aovs ? aovs->beauty.size() : 0);
    ShutterAverage exposure;
    for (int i = 0; i < options.samples; ++i) {
        const double seconds = options.shutter * (i + 0.5) / options.samples / fps;
        Aovs subframe;
        exposure.add(renderer.draw(applyOptions(shot.at(number, extrapolated(frame, seconds), points, colors), options),
                                   aovs ? &subframe : nullptr));
        for (size_t k = 0; k < light.size(); ++k) light[k] += subframe.beauty[k] / float(options.samples);
    }
    if (aovs) aovs->beauty = std::move(light);
    return exposure.picture();
}

}  // namespace

static int renderPicturesOf(const RenderOptions& options, RunReport& farm) {
    const auto [width, height] = parseSize(options.size);
    ProgressLine progress(options.quiet, progressSeconds(options.farm));
    Source source(options, progress);
    const FrameList frames = options.frames.empty() ? source.frames() : FrameList::parse(options.frames);
    const std::string out = options.out.empty() ? source.defaultOut() : options.out;
    std::error_code error;
    fs::create_directories(toPath(out), error);
    if (error) throw Error(out + ": cannot create this folder: " + error.message());

    const bool numbers = options.format == "json", png = options.format == "png" || options.format == "png,exr",
               exr = options.format == "exr" || options.format == "png,exr";
    Show show = Show::look;
    if (!options.show.empty())
        show = showNamed(options.show);
    else if (source.playback())
        show = viewParamsOf(source.playback()->graph()).show;
    FalseColor falseColor(show, options.scale);
    ContactSheet sheet;
    Shot shot(source.playback(), options.camera, float(width) / float(height), options.sky);
    if (options.rays) shot.rayMarchLiquids();
    if (!options.studio.empty()) shot.setStudio(studioNamed(options.studio));
    if (falseColor.needsStart()) falseColor.start(source.frame(source.frames().first()));
    Bounds subject;
    const std::vector<int> samples = source.samples();
    for (const int number : samples) {
        const Frame frame = source.frame(number);
        const Bounds own = subjectOf(frame);
        if (!own.empty()) {
            subject.include(own.low);
            subject.include(own.high);
        }
        if (falseColor.needsScale()) falseColor.sample(frame);
    }
    falseColor.finishSampling();
    shot.setSubject(subject, samples.front());
    if (numbers) {
        for (const int number : frames.numbers()) {
            const Frame frame = source.frame(number);
            writeFile(toText(toPath(out) / fmt::format("{:04}.json", number)),
                      viewJson(applyOptions(shot.at(number, frame, options.points), options), frame));
        }
        progress.line(fmt::format("{}: views {}", out, frames.text()));
        return kDone;
    }
    Renderer renderer(width, height);
    renderer.measure(!options.stats.empty());
    nlohmann::json stats = nlohmann::json::array();
    std::unique_ptr<Movie> movie;
    if (!options.movie.empty()) movie = std::make_unique<Movie>(options.movie, width, height, source.fps());
    size_t done = 0;
    const auto start = std::chrono::steady_clock::now();
    WriteBehind writer;  // writes images and movie frames in order while the next one is rendered
    for (auto next = frames.numbers().begin(); next != frames.numbers().end();) {
        const int number = *next++;
        if (host::interruptRequested()) {
            writer.finish();
            progress.line(fmt::format("cancelled: {} contains the images before frame {}", out, number));
            return kCancelled;
        }
        const Frame frame = source.frame(number);
        if (next != frames.numbers().end()) source.prefetch(*next);
        const auto began = std::chrono::steady_clock::now();
        Aovs aovs;
        Picture picture =
            renderImage(renderer, shot, falseColor, number, frame, source.fps(), options, exr ? &aovs : nullptr);
        if (!options.stats.empty()) {
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
            nlohmann::json passes = nlohmann::json::object();  // of the last sub-frame
            for (const PassTime& time : renderer.times()) passes[time.name] = 1000 * time.seconds;
            stats.push_back({{"frame", number},
                             {"ms", 1000 * took.count()},
                             {"quads", renderer.quads()},
                             {"quadMegabytes", 1e-6 * double(renderer.quadBytes())},
                             {"passes", passes}});
        }
        if (falseColor.on()) falseColor.drawLegend(picture);
        writer.add([&, number, picture = std::move(picture), aovs = std::move(aovs)] {
            const auto file = [&](const char* ending) {
                return toText(toPath(out) / fmt::format("{:04}.{}", number, ending));
            };
            if (png) writePng(picture, file("png"));
            if (exr) writeExr(aovs, file("exr"));
            if (movie) movie->add(picture);
            if (!options.sheet.empty()) sheet.add(picture);
        });
        progress.live(fmt::format("image {} of {}", number, frames.last()));
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
        const double share = double(++done) / double(frames.size());
        farm.progress({number, frames.last(), share, int64_t(frame.points.count()), since.count() * (1 / share - 1),
                       toHex(frame.stateHash)});
    }
    writer.finish();
    if (movie) movie->finish();
    if (!options.sheet.empty()) writePng(sheet.picture(), options.sheet);
    if (!options.stats.empty()) writeFile(options.stats, nlohmann::json{{"pictures", stats}}.dump(1) + "\n");
    progress.line(
        fmt::format("{}: images {}{}", out, frames.text(), movie ? " and the movie " + options.movie : std::string()));
    return kDone;
}

int renderPictures(const RenderOptions& options) {
    RunReport farm(options.farm);
    return farm.run([&] { return renderPicturesOf(options, farm); });
}

}  // namespace purl
