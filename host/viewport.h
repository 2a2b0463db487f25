// Viewport 2.0 without windows: draws shapes that have a plugin draw override into the caller's current OpenGL context,
// and lists the render items of those that have a subscene override. The host itself makes no OpenGL calls.
#pragma once
#include <maya/MMatrix.h>
#include <maya/MViewport2Renderer.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

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

// A render item of a subscene override, as a graphics API would get it.
struct DrawnItem {
    enum class Primitive { points, lines, triangles };
    enum class Shader { solid, blinn, colored, coloredPoints };

    std::string name;
    Primitive primitive = Primitive::triangles;
    Shader shader = Shader::solid;
    std::array<float, 4> color{1, 1, 1, 1};  // of solid and blinn
    float pointSize = 1;                     // pixels
    MMatrix matrix;
    std::vector<float> positions, normals, colors;  // three, three and four a vertex; empty if there are none
    std::vector<unsigned> indices;
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
    // The items of all visible shapes that have a subscene override for the device, updated where they ask for it.
    std::vector<DrawnItem> items(const Panel& panel);

  private:
    struct Shape;
    struct SubScene;
    Graph& graph_;
    std::map<const Node*, std::unique_ptr<Shape>> shapes_;
    std::map<const Node*, std::unique_ptr<SubScene>> subScenes_;
};

}  // namespace purl::host
