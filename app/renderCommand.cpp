// purl render: pictures and a movie of a cache, or of a scene that is simulated on the way.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "app/commands.h"
#include "app/progress.h"
#include "app/stage.h"
#include "host/host.h"
#include "render/movie.h"
#include "render/renderer.h"
#include "solver/cache/cache.h"

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

// Frames of a cache or of a scene, under one roof.
class Source {
  public:
    Source(const RenderOptions& options, ProgressLine& progress) {
        const auto listen = [&progress](auto severity, const auto& text) { progress.message(severity, text); };
        if (fs::path(options.source).extension() == ".ma") {
            session_ = std::make_unique<Session>(options.source, listen, options.solver);
            fps_ = session_->fps();
            range_ = session_->playbackRange();
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
            session_ = std::make_unique<Session>(manifest.scenePath, listen, options.solver);
        else
            progress.line("warning: " + options.source + ": its scene \"" + manifest.scenePath +
                          "\" is not there; a camera that fits, no colliders");
    }

    Session* session() { return session_.get(); }
    double fps() const { return fps_; }
    FrameRange range() const { return range_; }
    const std::string& defaultOut() const { return out_; }
    Frame frame(int number) { return reader_ ? reader_->read(number) : *session_->frame(number); }

  private:
    std::unique_ptr<Session> session_;
    std::unique_ptr<CacheReader> reader_;
    double fps_ = 24;
    FrameRange range_;
    std::string out_;
};

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

    Renderer renderer(width, height);
    Stage stage(source.session(), options.camera, float(width) / float(height));
    std::unique_ptr<Movie> movie;
    if (!options.movie.empty()) movie = std::make_unique<Movie>(options.movie, width, height, source.fps());
    for (int number = range.first; number <= range.last; ++number) {
        if (host::interruptRequested()) {
            progress.line(fmt::format("cancelled: {} holds pictures up to frame {}", out, number - 1));
            return kCancelled;
        }
        const Picture picture = renderer.draw(stage.at(number, source.frame(number), options.points));
        writePng(picture, (fs::path(out) / fmt::format("{:04}.png", number)).string());
        if (movie) movie->add(picture);
        progress.live(fmt::format("picture {} of {}", number, range.last));
    }
    if (movie) movie->finish();
    progress.line(fmt::format("{}: pictures {} to {}{}", out, range.first, range.last,
                              movie ? " and the movie " + options.movie : std::string()));
    return kDone;
}

}  // namespace purl
