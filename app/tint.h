// Tinted: a frame with false colours by a quantity. Used for images and the window.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "nodes/viewNode.h"
#include "solver/frame.h"

namespace purl {

// One row per Show.
struct ShowAbout {
    const char *option, *title, *unit;
};
constexpr std::array<ShowAbout, 8> kShows{{{"look", "Look", ""},
                                           {"speed", "Speed", "m/s"},
                                           {"density", "Density", "kg/m³"},
                                           {"densityError", "Density error", "%"},
                                           {"pressure", "Pressure", "Pa"},
                                           {"age", "Age", "s"},
                                           {"wetness", "Wetness", ""},
                                           {"strain", "Strain", ""}}};
inline const ShowAbout& aboutOf(Show show) { return kShows[static_cast<size_t>(show)]; }
// Throws Error for an unknown name.
Show showNamed(const std::string& option);

// Value range of the colour ramp.
struct ShowScale {
    float low = 0, high = 1;
};

class Tinted {
  public:
    // Items without the quantity turn grey. Strain is relative to `start`; if that is null, there is no strain. Without
    // a scale it is derived from the frame's values and rounded.
    Tinted(const Frame& frame, const Frame* start, Show show, const std::optional<ShowScale>& scale = std::nullopt);

    const Frame& frame() const { return frame_; }
    const std::vector<Vec3>& colors() const { return colors_; }  // of particles
    ShowScale scale() const { return scale_; }
    bool any() const { return any_; }  // whether any item has the quantity

  private:
    Frame frame_;
    std::vector<Vec3> colors_;
    ShowScale scale_;
    bool any_ = false;
};

}  // namespace purl
