// Uploads the items of a view to vertex buffers.
#pragma once
#include <tuple>

#include "render/gasSplats.h"
#include "render/gl.h"
#include "render/lumislice.h"
#include "render/view.h"

namespace purl {

// Buffers of one draw call. Attributes: 0 position, 1 normal (meshes, yarns) or colour (points), 2 radius (points) or
// colour (yarns), 3 tangent around the yarn, 4 phase of its plies, 7 wetness of yarns; with AOVs also 5 velocity, 6
// wetness.
struct Drawable {
    Handle vertexArray, vertices, indices, aovs;
    GLenum shape = GL_TRIANGLES;
    int count = 0;
    bool indexed = false;
    // Index ranges with bounds, for frustum culling; empty: everything is drawn.
    struct Part {
        int first, count;
        Bounds bounds;
    };
    std::vector<Part> parts;

    // Culls the parts outside the frustum of `clipFromWorld`.
    void draw(const Gl& gl, const Mat4& clipFromWorld) const;
};

// `withAovs`: also uploads the attributes of the AOV pass.
Drawable upload(const Gl& gl, const MeshLook& look, bool withAovs);
Drawable upload(const Gl& gl, const PointsLook& look, float viewRadius, bool withAovs);
Drawable upload(const Gl& gl, const std::vector<GasVertex>& splats);
Drawable upload(const Gl& gl, const LinesLook& look);

// Tessellation of a tube.
struct TubeShape {
    int perSpan = 4;  // rings per curve span
    int sides = 10;
};
// Tubes; `radiusScale`: factor on the yarns' radii.
Drawable upload(const Gl& gl, const YarnLook& look, TubeShape tube, bool withAovs, float radiusScale = 1);

// Buffers for `quads` quads of QuadVertex: vertex array, vertices to be filled, indices.
std::tuple<Handle, Handle, Handle> makeQuadBuffers(const Gl& gl, int quads);
Handle makeSliceTexture(const Gl& gl, const Slice& slice);

// A normal per triangle corner: area-weighted mean of the faces around its vertex that differ by less than the crease
// angle.
std::vector<Vec3> cornerNormals(const Mesh& mesh, float creaseAngle);

}  // namespace purl
