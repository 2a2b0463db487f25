// Items of a view as vertex buffers, ready to draw.
#pragma once
#include <tuple>

#include "render/gl.h"
#include "render/lumislice.h"
#include "render/view.h"

namespace purl {

// What one draw call needs. Attributes: 0 position, 1 normal (meshes, yarns) or colour (points), 2 radius (points) or
// colour (yarns), 3 the way around the yarn, 4 the phase of its plies.
struct Drawable {
    Handle vertexArray, vertices, indices;
    GLenum shape = GL_TRIANGLES;
    int count = 0;
    bool indexed = false;
    // Corners that lie together, so that what is out of sight can be left out; none: all of them are drawn.
    struct Part {
        int first, count;
        Bounds bounds;
    };
    std::vector<Part> parts;

    // `clipFromWorld`: what is in sight.
    void draw(const Gl& gl, const Mat4& clipFromWorld) const;
};

Drawable upload(const Gl& gl, const MeshLook& look);
Drawable upload(const Gl& gl, const PointsLook& look, float viewRadius);
Drawable upload(const Gl& gl, const LinesLook& look);

// How finely a tube is cut.
struct TubeShape {
    int perSpan = 4;  // rings from one point of the curve to the next
    int sides = 10;
};
// Tubes; `share`: of the yarns' radii.
Drawable upload(const Gl& gl, const YarnLook& look, TubeShape tube, float share = 1);

// Room for so many QuadVertex quads: vertex array, vertices to be filled, indices.
std::tuple<Handle, Handle, Handle> makeQuads(const Gl& gl, int quads);
Handle makeSliceTexture(const Gl& gl, const Slice& slice);

// A normal for each triangle corner: faces around its vertex, weighted by area, as far as they bend less than the
// angle.
std::vector<Vec3> cornerNormals(const Mesh& mesh, float creaseAngle);

}  // namespace purl
