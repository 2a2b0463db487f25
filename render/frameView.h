// Converts a simulated Frame to a View: its meshes, yarns and particles with default looks. Shared by `purl render` and
// Maya's viewport.
#pragma once
#include <list>

#include "render/view.h"

namespace purl {

struct FrameDisplay {
    bool rays = false;        // ray-march liquids from their particles instead of drawing meshes
    bool points = false;      // draw particles as balls even if there is a surface
    bool onlyPoints = false;  // draw particles and hide liquid surfaces
    float pointScale = 1;
    bool surface = true, cloth = true, yarns = true;
    YarnDetail detail = YarnDetail::automatic;
    bool bounds = false;  // draw the bounding box
    bool ground = true, grid = false;
    Medium medium;
    float cooling = 0;   // time constant of fading glow, s
    float gasDepth = 0;  // mean free path of light in gases at rest density; 0: derived from the view's size
    Studio studio = Studio::grey;
};

// Builds a view without camera and focus. The view refers to `frame` and to `kept`; both must outlive it. `colors`: one
// per particle, or empty for the particles' own.
View viewOf(const Frame& frame, const FrameDisplay& display, const std::vector<Vec3>& colors, std::list<Points>& kept);

// Colours fabrics by wetness.
void showWetness(Frame& frame);

}  // namespace purl
