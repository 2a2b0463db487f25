// What a frame looks like: its meshes, yarns and particles as items of a view. Pictures and Maya's viewport share it.
#pragma once
#include <list>

#include "render/view.h"

namespace purl {

struct FrameDisplay {
    bool rays = false;        // liquids by rays through their particles, instead of meshes
    bool points = false;      // particles as balls, also where there is a surface
    bool onlyPoints = false;  // and no surfaces of liquids
    float pointScale = 1;
    bool surface = true, cloth = true, yarns = true;
    YarnDetail detail = YarnDetail::automatic;
    bool bounds = false;  // a box around it all
    bool ground = true, grid = false;
    Medium medium;
    float cooling = 0;   // of what glows, in seconds
    float gasDepth = 0;  // mean free path of light in gases at rest density; 0: a part of the view's size
    Studio studio = Studio::grey;
};

// A view without camera and focus. The frame must stay where it is until the view is drawn; `kept` holds what the view
// points to besides. `colors`: one a particle, or none for their own.
View viewOf(const Frame& frame, const FrameDisplay& display, const std::vector<Vec3>& colors, std::list<Points>& kept);

// Fabrics' colours by how wet they are.
void showWetness(Frame& frame);

}  // namespace purl
