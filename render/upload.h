// Items of a view as vertex buffers, ready to draw.
#pragma once
#include <tuple>

#include "render/gasSplats.h"
#include "render/gl.h"
#include "render/lumislice.h"
#include "render/view.h"

namespace purl {

// What one draw call needs. Attributes: 0 position, 1 normal (meshes, yarns) or colour (points), 2 radius (points) or
// colour (yarns), 3 the way around the yarn, 4 the phase of its plies, 7 how
// wet it is; where it is to be told, 5 velocity, 6 wetness.
struct Drawable {
    Handle vertexArray, vertices, indices, told;
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

// `tell`: with what PictureLayers say of it.
Drawable upload(const Gl& gl, const MeshLook& look, bool tell);
Drawable upload(const Gl& gl, const PointsLook& look, float viewRadius, bool tell);
Drawable upload(const Gl& gl, const std::vector<GasVertex>& splats);
Drawable upload(const Gl& gl, const LinesLook& look);

// How finely a tube is cut.
struct TubeShape {
    int perSpan = 4;  // rings from one point of the curve to the next
    int sides = 10;
};
// Tubes; `share`: of the yarns' radii.
Drawable upload(const Gl& gl, const YarnLook& look, TubeShape tube, bool tell, float share = 1);

// Room for so many QuadVertex quads: vertex array, vertices to be filled, indices.
std::tuple<Handle, Handle, Handle> makeQuads(const Gl& gl, int quads);
Handle makeSliceTexture(const Gl& gl, const Slice& slice);

// A normal for each triangle corner: faces around its vertex, weighted by area, as far as they bend less than the
// angle.
std::vector<Vec3> cornerNormals(const Mesh& mesh, float creaseAngle);

}  // namespace purl
