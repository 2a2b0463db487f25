#include "app/view/exporter.h"

#include <QMetaObject>
#include <cstdio>
#include <filesystem>

#include "solver/core/error.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

void addLegend(Picture& picture, const Painting& painting) {
    constexpr int kSteps = 256;
    std::vector<float> steps(kSteps);
    for (int i = 0; i < kSteps; ++i) steps[size_t(i)] = float(i) / (kSteps - 1);
    const ShowAbout& about = aboutOf(painting.of.show);
    drawLegend(picture, rampColors(steps, 0, 1), painting.low, painting.high,
               about.title + (*about.unit ? std::string(", ") + about.unit : std::string()));
}

}  // namespace

Exporter::Exporter(ExportPlan plan, double fps, std::function<std::optional<PaintRequest>(int frame)> requestOf,
                   std::function<void()> changed)
    : plan_(std::move(plan)),
      fps_(fps),
      requestOf_(std::move(requestOf)),
      changed_(std::move(changed)),
      next_(plan_.frames.first) {
    painter_ = std::make_unique<Painter>([this](Painting painting) {
        std::string error = painting.error;
        std::optional<ShowScale> scale;
        if (painting.of.show != Show::look && painting.hasValues) scale = {painting.low, painting.high};
        try {
            if (error.empty()) write(painting);
        } catch (const std::exception& thrown) { error = thrown.what(); }
        QMetaObject::invokeMethod(
            this,
            [this, error, scale] {
                if (!scale_) scale_ = scale;
                painted(error);
            },
            Qt::QueuedConnection);
    });
}

Exporter::~Exporter() { painter_.reset(); }

void Exporter::proceed() {
    if (busy_ || done_) return;
    busy_ = true;  // showing the frame may call this again
    std::optional<PaintRequest> request;
    try {
        request = requestOf_(next_);
    } catch (const std::exception& error) { return painted(error.what()); }
    if (!request) {
        busy_ = false;
        return;
    }
    request->width = plan_.width;
    request->height = plan_.height;
    request->detail = Detail::picture;
    request->scale = scale_;
    painter_->paint(std::move(*request));
}

void Exporter::write(Painting& painting) {
    Picture& picture = painting.picture;
    if (painting.of.show != Show::look && painting.hasValues) addLegend(picture, painting);
    const bool last = painting.of.moment->number >= plan_.frames.last;
    const fs::path folder = plan_.kind == ExportKind::images ? toPath(plan_.path) : toPath(plan_.path).parent_path();
    std::error_code failed;
    if (!folder.empty()) fs::create_directories(folder, failed);
    if (failed) throw Error(toText(folder) + ": cannot create this folder: " + failed.message());
    switch (plan_.kind) {
        case ExportKind::picture: writePng(picture, plan_.path); break;
        case ExportKind::images: {
            char name[32];
            std::snprintf(name, sizeof name, "%04d.png", painting.of.moment->number);
            writePng(picture, toText(folder / toPath(name)));
            break;
        }
        case ExportKind::film:
            if (!movie_) movie_ = std::make_unique<Movie>(plan_.path, picture.width, picture.height, fps_);
            movie_->add(picture);
            if (last) movie_->finish();
            break;
        case ExportKind::sheet:
            sheet_.add(picture);
            if (last) writePng(sheet_.picture(), plan_.path);
            break;
        case ExportKind::cache: break;  // written by the player
    }
}

void Exporter::painted(const std::string& error) {
    busy_ = false;
    error_ = error;
    done_ = !error.empty() || next_ >= plan_.frames.last;
    if (!done_) ++next_;
    changed_();
}

std::string Exporter::text() const {
    if (!error_.empty()) return error_;
    if (done_) return plan_.path + " written";
    return "exporting frame " + std::to_string(next_) + " of " + std::to_string(plan_.frames.last);
}

}  // namespace purl
