// Tinted: a frame coloured by a quantity of what is in it, for pictures and for the window alike.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "nodes/viewNode.h"
#include "solver/frame.h"

namespace purl {

// Of each Show.
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
// Throws Error where there is none of that name.
Show showNamed(const std::string& option);

// What the colours go from and to.
struct ShowScale {
    float low = 0, high = 1;
};

class Tinted {
  public:
    // What does not have the quantity turns grey. Strain is against `start`, which may be null: then nothing has it.
    // Without a scale it is of the frame's values, rounded.
    Tinted(const Frame& frame, const Frame* start, Show show, const std::optional<ShowScale>& scale = std::nullopt);

    const Frame& frame() const { return frame_; }
    const std::vector<Vec3>& colors() const { return colors_; }  // of the particles
    ShowScale scale() const { return scale_; }
    bool any() const { return any_; }  // whether anything has the quantity

  private:
    Frame frame_;
    std::vector<Vec3> colors_;
    ShowScale scale_;
    bool any_ = false;
};

}  // namespace purl
