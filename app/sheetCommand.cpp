// purl sheet: the images of several wedges side by side, with their values.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "app/commands.h"
#include "app/progress.h"
#include "farm/wedgeStatus.h"
#include "farm/wedges.h"
#include "host/host.h"
#include "render/compose.h"
#include "render/movie.h"
#include "solver/cache/manifestFile.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

struct WedgeImages {
    std::string name, folder;
    std::vector<std::string> caption;
    std::map<int, std::string> files;  // PNG by frame

    // The image of a frame, or else the last one before it; null if there is none.
    const std::string* at(int frame) const {
        auto next = files.upper_bound(frame);
        return next == files.begin() ? nullptr : &std::prev(next)->second;
    }
};

// The images that `purl render` has written: "0012.png".
std::map<int, std::string> imagesOf(const std::string& cache) {
    std::map<int, std::string> files;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(toPath(cache) / "frames", none)) {
        const std::string stem = toText(entry.path().stem());
        int number = 0;
        const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
        if (entry.path().extension() == ".png" && error == std::errc() && end == stem.data() + stem.size())
            files[number] = toText(entry.path());
    }
    return files;
}

std::vector<WedgeImages> imagesOfWedges(const std::string& folder) {
    std::vector<WedgeImages> all;
    for (const WedgeStatus& wedge : statusOfWedges(folder)) {
        WedgeImages images{wedge.name, wedge.folder, valueTexts(wedge.assignments), imagesOf(wedge.folder)};
        if (images.caption.empty()) images.caption = {wedge.name};
        all.push_back(std::move(images));
    }
    return all;
}

double fpsOf(const std::string& cache) { return hasManifest(cache) ? readManifest(cache).manifest.fps : 24; }

Picture sheetAt(const std::vector<WedgeImages>& wedges, int frame, int columns, int width) {
    ContactSheet sheet(columns, width);
    for (const WedgeImages& wedge : wedges)
        if (const std::string* file = wedge.at(frame)) sheet.add(readPng(*file), wedge.caption);
    return sheet.picture();
}

// A movie whose size is that of its first image.
class MovieFile {
  public:
    MovieFile(std::string path, double fps) : path_(std::move(path)), fps_(fps) {}
    void add(const Picture& picture) {
        if (!movie_) movie_ = std::make_unique<Movie>(path_, width_ = picture.width, height_ = picture.height, fps_);
        if (picture.width != width_ || picture.height != height_)
            throw Error(path_ + ": its images have different sizes; render them again with one --size");
        movie_->add(picture);
    }
    void finish() {
        if (movie_) movie_->finish();
    }

  private:
    std::string path_;
    double fps_;
    int width_ = 0, height_ = 0;
    std::unique_ptr<Movie> movie_;
};

}  // namespace

int makeSheet(const SheetOptions& options) {
    ProgressLine progress(options.quiet);
    const std::vector<WedgeImages> wedges = imagesOfWedges(options.folder);
    std::set<int> frames;
    int last = INT_MIN, lacking = 0;
    for (const WedgeImages& wedge : wedges) {
        for (const auto& [number, file] : wedge.files) frames.insert(number);
        if (!wedge.files.empty()) last = std::max(last, wedge.files.rbegin()->first);
        lacking += wedge.files.empty();
    }
    if (frames.empty())
        throw Error(options.folder + ": its wedges have no images; make them with purl render CACHE for each");
    if (lacking > 0) progress.warning(fmt::format("{}: {} wedges have no images yet", options.folder, lacking));

    const int columns =
        options.columns > 0 ? options.columns : static_cast<int>(std::ceil(std::sqrt(double(wedges.size()))));
    const int shown = options.frame == INT_MIN ? last : options.frame;
    if (shown < *frames.begin())
        throw Error(
            fmt::format("{}: there is no image of frame {}; the first is {}", options.folder, shown, *frames.begin()));
    const std::string out = options.out.empty() ? toText(toPath(options.folder) / "sheet.png") : options.out;
    writePng(sheetAt(wedges, shown, columns, options.width), out);
    progress.line(fmt::format("{}: {} wedges at frame {}", out, wedges.size() - size_t(lacking), shown));
    if (!options.movies) return kDone;

    for (const WedgeImages& wedge : wedges) {
        MovieFile movie(toText(toPath(wedge.folder) / "movie.mp4"), fpsOf(wedge.folder));
        for (const auto& [number, file] : wedge.files) {
            if (host::interruptRequested()) return kCancelled;
            Picture picture = readPng(file);
            drawCaption(picture, wedge.caption);
            movie.add(picture);
        }
        movie.finish();
        progress.live("movie of " + wedge.name);
    }
    const std::string name = toText(toPath(out).replace_extension(".mp4"));
    MovieFile movie(name, fpsOf(wedges.front().folder));
    // From the first frame that all wedges have, so that every image has the same cells.
    int first = INT_MIN;
    for (const WedgeImages& wedge : wedges)
        if (!wedge.files.empty()) first = std::max(first, wedge.files.begin()->first);
    for (const int number : frames) {
        if (host::interruptRequested()) return kCancelled;
        if (number >= first) movie.add(sheetAt(wedges, number, columns, options.width));
    }
    movie.finish();
    progress.line(fmt::format("{}: frames {} to {}", name, first, last));
    return kDone;
}

}  // namespace purl
