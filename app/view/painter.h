// Painter: renders on a background thread. Only the latest request is kept; older pending ones are dropped. Independent
// of Qt.
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

// sketch: cheap enough without a GPU during orbiting and playback; picture: full quality.
enum class Detail { sketch, picture };

struct PaintRequest {
    MomentPtr moment, start;  // `start`: reference of strains
    Camera camera;
    Bounds focus;  // keeps ground and shadows fixed
    int width = 0, height = 0;
    Show show = Show::look;
    bool points = false;  // particles instead of meshes
    bool ground = true;
    bool wire = false;               // mesh edges
    std::optional<ShowScale> scale;  // of the colours; nullopt: of the frame's values
    Detail detail = Detail::sketch;
    long serial = 0;  // request number
};

struct Painting {
    PaintRequest of;
    Picture picture;
    double seconds = 0;       // rendering time
    float low = 0, high = 0;  // value range of the colours, if any
    bool hasValues = true;    // false: no item of the frame has the quantity
    std::string error;        // set instead of an image
};

class Painter {
  public:
    // `done` is called on the painter's thread.
    explicit Painter(std::function<void(Painting)> done);
    ~Painter();

    void paint(PaintRequest request);
    // Whether a request is pending or being rendered.
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
