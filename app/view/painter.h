// Painter: draws moments on a thread of its own, the newest request first; what was asked for in between is passed
// over. Knows nothing of Qt.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/tint.h"
#include "app/view/player.h"
#include "render/picture.h"

namespace purl {

// sketch: what an old machine draws without a GPU while one orbits or plays; picture: all there is.
enum class Detail { sketch, picture };

struct PaintRequest {
    MomentPtr moment, start;  // strain is measured against `start`
    Camera camera;
    Bounds focus;  // ground and shadows stay where they are
    int width = 0, height = 0;
    Show show = Show::look;
    bool points = false;  // particles even where there are meshes
    bool ground = true;
    Detail detail = Detail::sketch;
    long serial = 0;  // counts requests
};

struct Painting {
    PaintRequest of;
    Picture picture;
    double seconds = 0;       // that it took
    float low = 0, high = 0;  // of the colours, where something is shown by them
    bool hasValues = true;    // false: nothing in the frame has what is to be shown
    std::string error;        // instead of a picture
};

// Both ends of a scale that holds for all frames: of the values so far, rounded.
class Painter {
  public:
    // `done` is called on the painter's thread.
    explicit Painter(std::function<void(Painting)> done);
    ~Painter();

    void paint(PaintRequest request);
    // Whether a request is waiting or being drawn.
    bool busy() const;

  private:
    void work();

    std::function<void(Painting)> done_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::optional<PaintRequest> next_;
    bool ending_ = false, busy_ = false;
    std::thread thread_;
};

}  // namespace purl
