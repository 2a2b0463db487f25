// Viewport 2.0 without windows: draws shapes that plugins have overrides for, into whatever OpenGL context the caller
// has made current. The host itself calls no OpenGL.
#pragma once
#include <maya/MMatrix.h>
#include <maya/MViewport2Renderer.h>

#include <array>
#include <map>
#include <memory>

#include "host/graph/graph.h"

namespace purl::host {

// What a panel shows: world to view and view to clip, as Maya's matrices are, and its place in the framebuffer.
struct Panel {
    MMatrix view, projection;
    int corner[2] = {0, 0}, size[2] = {0, 0};
};

struct DrawnLine {
    std::array<double, 3> from, to;
    std::array<float, 3> color;
};

// Which device plugins are told that it draws with; kNone: as in a batch Maya. Process-wide, as Maya's is.
void setViewportDevice(MHWRender::DrawAPI device);

// A scene's panels. The context must be current while it draws and when it goes.
class Viewport {
  public:
    explicit Viewport(Graph& graph);
    ~Viewport();
    Viewport(const Viewport&) = delete;
    Viewport& operator=(const Viewport&) = delete;

    // All visible shapes that have an override for the device. Gives the lines that these asked to be drawn.
    std::vector<DrawnLine> draw(const Panel& panel);

  private:
    struct Shape;
    Graph& graph_;
    std::map<const Node*, std::unique_ptr<Shape>> shapes_;
};

}  // namespace purl::host
