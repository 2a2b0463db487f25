// purl render: pictures and a movie of a cache, or of a scene that is simulated on the way.
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

namespace fs = std::filesystem;

namespace purl {
namespace {

std::pair<int, int> parseSize(const std::string& text) {
    int width = 0, height = 0, used = 0;
    if (std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &used) != 2 || used != int(text.size()) || width < 16 ||
        height < 16 || width > 16384 || height > 16384)
        throw Error("size \"" + text + "\": width x height in pixels expected, like 960x540");
    return {width, height};
}

StudioChoice studioNamed(const std::string& name) {
    const Choices names = choicesOf(StudioChoice());
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw Error("studio \"" + name + "\": expected grey, warm or plain");
    return static_cast<StudioChoice>(found - names.begin());
}

// Frames of a cache or of a scene, under one roof.
class Source {
  public:
    Source(const RenderOptions& options, ProgressLine& progress) {
        const auto listen = [&progress](auto severity, const auto& text) { progress.message(severity, text); };
        if (fs::path(options.source).extension() == ".ma") {
            playback_ = std::make_unique<Playback>(options.source, listen, options.solver);
            fps_ = playback_->fps();
            range_ = playback_->playbackRange();
            out_ = (fs::path(defaultOutput(options.source)) / "frames").string();
            return;
        }
        reader_ = std::make_unique<CacheReader>(options.source);
        const Manifest& manifest = reader_->manifest();
        if (manifest.frames.empty()) throw Error(options.source + ": the cache holds no frames");
        fps_ = manifest.fps;
        range_ = {manifest.frames.front().number, manifest.frames.back().number};
        out_ = (fs::path(options.source) / "frames").string();
        if (fs::exists(manifest.scenePath))
            playback_ = std::make_unique<Playback>(manifest.scenePath, listen,
                                                   options.solver.empty() ? manifest.run.solver : options.solver);
        else
            progress.line("warning: " + options.source + ": its scene \"" + manifest.scenePath +
                          "\" is not there; a camera that fits, no colliders");
    }

    Playback* playback() { return playback_.get(); }
    double fps() const { return fps_; }
    FrameRange range() const { return range_; }
    const std::string& defaultOut() const { return out_; }
    Frame frame(int number) {
        if (!reader_) return *playback_->frame(number);
        if (!ahead_.valid()) return reader_->read(number);
        Frame read = ahead_.get();
        return aheadOf_ == number ? std::move(read) : reader_->read(number);
    }
    // Begins to read a frame of a cache that will be asked for next, on a thread of its own. Scenes are simulated where
    // they are asked for: the host's graph is not to be touched by two threads.
    void readAhead(int number) {
        if (!reader_) return;
        aheadOf_ = number;
        ahead_ = std::async(std::launch::async, [this, number] { return reader_->read(number); });
    }
    // Frames that stand for the whole film, whichever of it is drawn: of a cache some from first to last; of a scene
    // that is simulated on the way only the first is there.
    std::vector<int> samples() const {
        if (!reader_) return {range_.first};
        constexpr size_t kMost = 9;
        const auto& frames = reader_->manifest().frames;
        const size_t count = std::min(kMost, frames.size());
        std::vector<int> numbers;
        for (size_t i = 0; i < count; ++i)
            numbers.push_back(frames[count > 1 ? i * (frames.size() - 1) / (count - 1) : 0].number);
        return numbers;
    }
    bool isCache() const { return reader_ != nullptr; }

  private:
    std::unique_ptr<Playback> playback_;
    std::unique_ptr<CacheReader> reader_;
    double fps_ = 24;
    FrameRange range_;
    std::string out_;
    int aheadOf_ = 0;
    std::future<Frame> ahead_;  // last: it reads with what stands above
};

// Colours by a quantity, on a scale that holds for all pictures.
class Heatmap {
  public:
    Heatmap(Show show, const std::string& scale) : show_(show) {
        if (scale.empty()) return;
        ShowScale own;
        int used = 0;
        if (std::sscanf(scale.c_str(), "%f-%f%n", &own.low, &own.high, &used) != 2 || used != int(scale.size()) ||
            !(own.high > own.low))
            throw Error("scale \"" + scale + "\": lowest and highest value expected, like 0-2.5");
        scale_ = own;
    }
    bool on() const { return show_ != Show::look; }
    void start(const Frame& frame) { start_ = frame; }  // what strain is against
    bool needsScale() const { return on() && (!scale_ || !sampled_.empty()); }
    // Takes the scale from frames of the whole film: three quarters of them stay below its end, so that a short burst
    // does not leave the rest in one colour.
    void sample(const Frame& frame) {
        const Tinted own(frame, needsStart() ? &start_ : nullptr, show_);
        if (!own.any()) return;
        sampled_.push_back(own.scale());
        const auto rank = [&](float ShowScale::*end, double share) {
            std::vector<float> all;
            for (const ShowScale& each : sampled_) all.push_back(each.*end);
            std::sort(all.begin(), all.end());
            return all[static_cast<size_t>(share * double(all.size() - 1) + 0.5)];
        };
        scale_ = ShowScale{rank(&ShowScale::low, 0.25), rank(&ShowScale::high, 0.75)};
        if (!(scale_->high > scale_->low)) scale_->high = scale_->low + 1;
    }
    bool needsStart() const { return show_ == Show::strain; }

    Tinted tinted(const Frame& frame) {
        Tinted result(frame, needsStart() ? &start_ : nullptr, show_, scale_);
        if (!result.any())
            throw Error(std::string("show \"") + aboutOf(show_).option +
                        "\": nothing in the frame has it; caches hold what particles have where they were simulated "
                        "with --format mcx");
        scale_ = result.scale();
        return result;
    }
    void drawLegend(Picture& picture) const {
        constexpr int kSteps = 256;
        std::vector<float> steps(kSteps);
        for (int i = 0; i < kSteps; ++i) steps[size_t(i)] = float(i) / (kSteps - 1);
        std::string unit = aboutOf(show_).unit;
        if (const size_t cube = unit.find("³"); cube != std::string::npos) unit.replace(cube, strlen("³"), "3");
        purl::drawLegend(picture, rampColors(steps, 0, 1), scale_->low, scale_->high,
                         aboutOf(show_).title + (unit.empty() ? "" : ", " + unit));
    }

  private:
    Show show_;
    std::optional<ShowScale> scale_;  // none: the first picture's
    std::vector<ShowScale> sampled_;  // of frames that it is taken from
    Frame start_;
};

// Where its velocities bring a frame within `seconds`.
Frame moved(Frame frame, double seconds) {
    const auto move = [seconds](std::vector<Vec3>& positions, const std::vector<Vec3>& velocities) {
        if (velocities.size() != positions.size()) return;
        for (size_t i = 0; i < positions.size(); ++i) positions[i] += static_cast<float>(seconds) * velocities[i];
    };
    move(frame.points.positions, frame.points.velocities);
    for (Mesh& mesh : frame.meshes) move(mesh.positions, mesh.velocities);
    for (Curves& curves : frame.curves) move(curves.positions, curves.velocities);
    return frame;
}

// Edges over plain surfaces; yarns as the lines they are simulated by.
void drawWire(View& view) {
    std::vector<MeshLook> plain;
    for (const MeshLook& look : view.meshes) {
        plain.push_back(matte(*look.mesh, look.color));
        plain.back().creaseAngle = look.creaseAngle;
        view.lines.push_back({allEdges(*look.mesh), {0.02f, 0.02f, 0.03f}, 1});
    }
    view.meshes = std::move(plain);
    for (const YarnLook& look : view.yarns) {
        LinesLook lines;
        size_t first = 0;
        for (const int count : look.curves->counts) {
            for (size_t i = first + 1; i < first + size_t(count); ++i)
                lines.ends.insert(lines.ends.end(), {look.curves->positions[i - 1], look.curves->positions[i]});
            first += size_t(count);
        }
        view.lines.push_back(std::move(lines));
    }
    view.yarns.clear();
}

// A view with what the command line says of it.
View viewed(View view, const RenderOptions& options) {
    if (options.wire) drawWire(view);
    view.cascades = options.cascades;
    if (!options.sort.empty()) view.quadSort = options.sort == "gpu" ? QuadSort::gpu : QuadSort::cpu;
    view.without.insert(options.without.begin(), options.without.end());
    if (options.yarn.empty()) return view;
    for (YarnLook& look : view.yarns) {
        look.detail = options.yarn == "tubes" ? YarnDetail::tubes : YarnDetail::fibres;
        look.stacks = options.yarn == "oneStack" ? YarnStacks::one : YarnStacks::three;
        look.shape = options.yarn == "straight" ? YarnShape::straight : YarnShape::spline;
        // A core would fill what the poorer ways leave open.
        look.core = options.yarn == "fibres";
    }
    return view;
}

// What a camera with an open shutter takes: the mean of moments.
Picture takePicture(Renderer& renderer, Shot& shot, Heatmap& heatmap, int number, const Frame& taken, double fps,
                    const RenderOptions& options, PictureLayers* layers) {
    std::optional<Tinted> tinted;
    if (heatmap.on()) tinted.emplace(heatmap.tinted(taken));
    const Frame& frame = tinted ? tinted->frame() : taken;
    const std::vector<Vec3> colors = tinted ? tinted->colors() : std::vector<Vec3>();
    const bool points = options.points || heatmap.on();
    if (options.samples < 2) return renderer.draw(viewed(shot.at(number, frame, points, colors), options), layers);
    // Light is the moments' mean, all else of the frame as it stands.
    if (layers) renderer.draw(viewed(shot.at(number, frame, points, colors), options), layers);
    std::vector<Vec3> light(layers ? layers->light.size() : 0);
    Exposure exposure;
    for (int i = 0; i < options.samples; ++i) {
        const double seconds = options.shutter * (i + 0.5) / options.samples / fps;
        PictureLayers moment;
        exposure.add(renderer.draw(viewed(shot.at(number, moved(frame, seconds), points, colors), options),
                                   layers ? &moment : nullptr));
        for (size_t k = 0; k < light.size(); ++k) light[k] += moment.light[k] / float(options.samples);
    }
    if (layers) layers->light = std::move(light);
    return exposure.picture();
}

}  // namespace

int renderPictures(const RenderOptions& options) {
    const auto [width, height] = parseSize(options.size);
    ProgressLine progress(options.quiet);
    Source source(options, progress);
    const FrameRange range = options.frames.empty() ? source.range() : parseFrames(options.frames);
    const std::string out = options.out.empty() ? source.defaultOut() : options.out;
    std::error_code error;
    fs::create_directories(out, error);
    if (error) throw Error(out + ": cannot make this folder: " + error.message());

    const bool numbers = options.format == "json", png = options.format == "png" || options.format == "png,exr",
               exr = options.format == "exr" || options.format == "png,exr";
    Show show = Show::look;
    if (!options.show.empty())
        show = showNamed(options.show);
    else if (source.playback())
        show = viewParamsOf(source.playback()->graph()).show;
    Heatmap heatmap(show, options.scale);
    constexpr int kSheetColumns = 6, kSheetWidth = 320;
    ContactSheet sheet(kSheetColumns, kSheetWidth);
    Shot shot(source.playback(), options.camera, float(width) / float(height), options.sky);
    if (options.rays) shot.castRays();
    if (!options.studio.empty()) shot.setStudio(studioNamed(options.studio));
    if (heatmap.needsStart()) heatmap.start(source.frame(source.range().first));
    Bounds subject;
    const std::vector<int> samples = source.samples();
    for (const int number : samples) {
        const Frame frame = source.frame(number);
        const Bounds own = subjectOf(frame);
        if (!own.empty()) {
            subject.include(own.low);
            subject.include(own.high);
        }
        if (heatmap.needsScale() && source.isCache()) heatmap.sample(frame);
    }
    shot.setSubject(subject, samples.front());
    if (numbers) {
        for (int number = range.first; number <= range.last; ++number) {
            const Frame frame = source.frame(number);
            writeFile((fs::path(out) / fmt::format("{:04}.json", number)).string(),
                      viewJson(viewed(shot.at(number, frame, options.points), options), frame));
        }
        progress.line(fmt::format("{}: views {} to {}", out, range.first, range.last));
        return kDone;
    }
    Renderer renderer(width, height);
    renderer.measure(!options.stats.empty());
    nlohmann::json stats = nlohmann::json::array();
    std::unique_ptr<Movie> movie;
    if (!options.movie.empty()) movie = std::make_unique<Movie>(options.movie, width, height, source.fps());
    WriteBehind writer;  // pictures go to disk and into the movie, in order, while the next is drawn
    for (int number = range.first; number <= range.last; ++number) {
        if (host::interruptRequested()) {
            writer.finish();
            progress.line(fmt::format("cancelled: {} holds pictures up to frame {}", out, number - 1));
            return kCancelled;
        }
        const Frame frame = source.frame(number);
        if (number < range.last) source.readAhead(number + 1);
        const auto began = std::chrono::steady_clock::now();
        PictureLayers layers;
        Picture picture =
            takePicture(renderer, shot, heatmap, number, frame, source.fps(), options, exr ? &layers : nullptr);
        if (!options.stats.empty()) {
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
            nlohmann::json passes = nlohmann::json::object();  // of the last moment, where a picture has several
            for (const PassTime& time : renderer.times()) passes[time.name] = 1000 * time.seconds;
            stats.push_back({{"frame", number},
                             {"ms", 1000 * took.count()},
                             {"quads", renderer.quads()},
                             {"quadMegabytes", 1e-6 * double(renderer.bytesOfQuads())},
                             {"passes", passes}});
        }
        if (heatmap.on()) heatmap.drawLegend(picture);
        writer.add([&, number, picture = std::move(picture), layers = std::move(layers)] {
            const auto file = [&](const char* ending) {
                return (fs::path(out) / fmt::format("{:04}.{}", number, ending)).string();
            };
            if (png) writePng(picture, file("png"));
            if (exr) writeExr(layers, file("exr"));
            if (movie) movie->add(picture);
            if (!options.sheet.empty()) sheet.add(picture);
        });
        progress.live(fmt::format("picture {} of {}", number, range.last));
    }
    writer.finish();
    if (movie) movie->finish();
    if (!options.sheet.empty()) writePng(sheet.picture(), options.sheet);
    if (!options.stats.empty()) writeFile(options.stats, nlohmann::json{{"pictures", stats}}.dump(1) + "\n");
    progress.line(fmt::format("{}: pictures {} to {}{}", out, range.first, range.last,
                              movie ? " and the movie " + options.movie : std::string()));
    return kDone;
}

}  // namespace purl
