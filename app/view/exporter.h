// Exporter: writes images, a film or a contact sheet of the frames shown in the window, with its camera and look.
// Frames are taken as they become available; drawing and writing happen on the exporter's own thread.
#pragma once
#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/view/painter.h"
#include "render/compose.h"
#include "render/movie.h"

namespace purl {

enum class ExportKind { picture, images, film, sheet, cache };

struct ExportPlan {
    ExportKind kind = ExportKind::picture;
    std::string path;  // a file, or the folder of images and caches
    int width = 1280, height = 720;
    FrameRange frames;     // not of a picture, which is the current frame
    std::string formats;   // of a cache; empty: those of the scene
    bool oneFile = false;  // of a cache
};

class Exporter : public QObject {
  public:
    // `requestOf` gives what to draw at a frame, or nothing as long as the frame is not available; an exception ends
    // the export. `changed` is called after every image, and at the end.
    Exporter(ExportPlan plan, double fps, std::function<std::optional<PaintRequest>(int frame)> requestOf,
             std::function<void()> changed);
    ~Exporter() override;

    void proceed();                      // call when frames have become available
    int frame() const { return next_; }  // waited for or being drawn
    bool done() const { return done_; }
    const std::string& error() const { return error_; }
    std::string text() const;  // progress or result

  private:
    void write(Painting& painting);  // on the painter's thread
    void painted(const std::string& error);

    ExportPlan plan_;
    double fps_;
    std::function<std::optional<PaintRequest>(int frame)> requestOf_;
    std::function<void()> changed_;
    int next_;
    bool busy_ = false, done_ = false;
    std::string error_;
    std::optional<ShowScale> scale_;  // of the first image, for all
    // Used by the painter's thread only.
    std::unique_ptr<Movie> movie_;
    ContactSheet sheet_;
    std::unique_ptr<Painter> painter_;  // last: its thread uses the members above
};

}  // namespace purl
