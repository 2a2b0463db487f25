// Viewport 2.0 without windows: draws shapes that have a plugin draw override into the caller's current OpenGL context.
// The host itself makes no OpenGL calls.
#pragma once
#include <maya/MMatrix.h>
#include <maya/MViewport2Renderer.h>

#include <array>
#include <map>
#include <memory>

#include "host/graph/graph.h"

namespace purl::host {

// Camera and viewport of a panel: world-to-view and view-to-clip matrices in Maya's row-vector convention, and the
// rectangle in the framebuffer (pixels).
struct Panel {
    MMatrix view, projection;
    int corner[2] = {0, 0}, size[2] = {0, 0};
};

struct DrawnLine {
    std::array<double, 3> from, to;
    std::array<float, 3> color;
};

// Sets the draw API reported to plugins; kNone: as in Maya batch mode. Process-wide, as in Maya.
void setViewportDevice(MHWRender::DrawAPI device);

// Draws one scene. The OpenGL context must be current in draw() and in the destructor.
class Viewport {
  public:
    explicit Viewport(Graph& graph);
    ~Viewport();
    Viewport(const Viewport&) = delete;
    Viewport& operator=(const Viewport&) = delete;

    // Draws all visible shapes that have an override for the device; returns the lines that they added through
    // MUIDrawManager.
    std::vector<DrawnLine> draw(const Panel& panel);

  private:
    struct Shape;
    Graph& graph_;
    std::map<const Node*, std::unique_ptr<Shape>> shapes_;
};

}  // namespace purl::host
