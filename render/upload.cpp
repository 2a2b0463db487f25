#include "render/upload.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "render/yarnQuads.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"

namespace purl {

namespace {

struct MeshVertex {
    Vec3 position, normal, color;
    float glow;  // factor on the look's glow
};

struct PointVertex {
    Vec3 position, color;
    float radius;
};

struct YarnVertex {
    Vec3 position, normal, color, around;
    float phase, wet;
};

// Per-vertex attributes of the AOV pass.
struct AovVertex {
    Vec3 velocity;
    float wetness = 0;
};

// Velocity and wetness of vertex i; 0 if the item has no such channel.
template <class Item>
AovVertex aovVertex(const Item& item, size_t i) {
    AovVertex aovs;
    if (i < item.velocities.size()) aovs.velocity = item.velocities[i];
    if (i < item.wetting.wetness.size()) aovs.wetness = item.wetting.wetness[i];
    return aovs;
}

void check(const Curves& curves) {
    size_t points = 0;
    for (const int count : curves.counts) points += static_cast<size_t>(std::max(count, 0));
    if (points != curves.count() || curves.colors.size() != curves.counts.size())
        throw Error(curves.name + ": point counts add up to " + std::to_string(points) + " for " +
                    std::to_string(curves.count()) + " positions; " + std::to_string(curves.colors.size()) +
                    " colours for " + std::to_string(curves.counts.size()) + " yarns");
}

void check(const Mesh& mesh) {
    const int count = int(mesh.positions.size());
    for (const int v : mesh.triangles) {
        if (v < 0 || v >= count) {
            throw Error(mesh.name + ": a triangle refers to vertex " + std::to_string(v) + " of " +
                        std::to_string(count));
        }
    }
    if (mesh.triangles.size() % 3 != 0)
        throw Error(mesh.name + ": the number of triangle indices is not a multiple of 3");
    if (!mesh.normals.empty() && mesh.normals.size() != mesh.positions.size()) {
        throw Error(mesh.name + ": has " + std::to_string(mesh.normals.size()) + " normals for " +
                    std::to_string(count) + " vertices");
    }
}

// Area-weighted vertex normals.
std::vector<Vec3> vertexNormals(const Mesh& mesh) {
    std::vector<Vec3> normals(mesh.positions.size());
    for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
        const int* v = &mesh.triangles[t];
        const Vec3 a = mesh.positions[v[0]], b = mesh.positions[v[1]], c = mesh.positions[v[2]];
        const Vec3 face = cross(b - a, c - a);
        for (int k = 0; k < 3; ++k) normals[v[k]] += face;
    }
    for (Vec3& n : normals) n = normalized(n);
    return normals;
}

void attribute(const Gl& gl, GLuint index, int size, size_t stride, size_t offset) {
    gl.EnableVertexAttribArray(index);
    gl.VertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, GLsizei(stride), reinterpret_cast<const void*>(offset));
}

template <class Vertex>
Drawable start(const Gl& gl, GLenum shape, const std::vector<Vertex>& vertices) {
    Drawable result;
    result.shape = shape;
    result.count = int(vertices.size());
    result.vertexArray = makeVertexArray(gl);
    gl.BindVertexArray(result.vertexArray);
    result.vertices = makeBuffer(gl, GL_ARRAY_BUFFER, vertices.data(), vertices.size() * sizeof(Vertex));
    attribute(gl, 0, 3, sizeof(Vertex), 0);
    return result;
}

void setAovAttributes(const Gl& gl, Drawable& drawable, const std::vector<AovVertex>& aovs) {
    gl.BindVertexArray(drawable.vertexArray);
    drawable.aovs = makeBuffer(gl, GL_ARRAY_BUFFER, aovs.data(), aovs.size() * sizeof(AovVertex));
    attribute(gl, 5, 3, sizeof(AovVertex), 0);
    attribute(gl, 6, 1, sizeof(AovVertex), sizeof(Vec3));
}

constexpr int kTrianglesPerPart = 1024;

// Splits the triangles into parts with bounds for frustum culling; neighbours in the list are mostly close in space.
template <class Vertex>
void setTriangles(const Gl& gl, Drawable& drawable, const std::vector<Vertex>& vertices,
                  const std::vector<int>& indices) {
    drawable.indices = makeBuffer(gl, GL_ELEMENT_ARRAY_BUFFER, indices.data(), indices.size() * sizeof(int));
    drawable.count = int(indices.size());
    drawable.indexed = true;
    for (int first = 0; first < drawable.count; first += 3 * kTrianglesPerPart) {
        Drawable::Part part{first, std::min(3 * kTrianglesPerPart, drawable.count - first), {}};
        for (int i = first; i < first + part.count; ++i) part.bounds.include(vertices[size_t(indices[i])].position);
        drawable.parts.push_back(part);
    }
}

// Whether a box is outside the frustum: all corners beyond one clip plane.
bool isOutside(const Bounds& box, const Mat4& clip) {
    int outside[6] = {};
    for (int i = 0; i < 8; ++i) {
        const float p[4] = {i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                            i & 4 ? box.high.z : box.low.z, 1};
        float q[4] = {};
        for (int row = 0; row < 4; ++row)
            for (int k = 0; k < 4; ++k) q[row] += clip.m[4 * k + row] * p[k];
        for (int axis = 0; axis < 3; ++axis) {
            outside[2 * axis] += q[axis] < -q[3];
            outside[2 * axis + 1] += q[axis] > q[3];
        }
    }
    return std::any_of(std::begin(outside), std::end(outside), [](int corners) { return corners == 8; });
}

// Writes one ring of vertices around the curve.
struct WriteRing {
    const YarnSample* samples;
    YarnVertex* vertices;
    int sides, plies;
    float radiusScale;

    void operator()(int i) const {
        const YarnSample& s = samples[i];
        const Vec3 up = cross(s.along, s.side);
        for (int k = 0; k <= sides; ++k) {
            const float angle = 6.2831853f * float(k) / float(sides);
            const Vec3 out = std::cos(angle) * s.side + std::sin(angle) * up;
            const Vec3 around = std::cos(angle) * up - std::sin(angle) * s.side;
            vertices[i * (sides + 1) + k] = {s.x + radiusScale * s.radius * out, out,      s.color, around,
                                             float(plies) * (angle - s.twist),   s.wetness};
        }
    }
};

}  // namespace

std::vector<Vec3> cornerNormals(const Mesh& mesh, float creaseAngle) {
    const size_t corners = mesh.triangles.size();
    std::vector<Vec3> faces(corners / 3);
    std::vector<int> first(mesh.positions.size() + 1, 0), around(corners);  // CSR: triangles around each vertex
    for (size_t t = 0; t < faces.size(); ++t) {
        const int* v = &mesh.triangles[3 * t];
        const Vec3 a = mesh.positions[v[0]], b = mesh.positions[v[1]], c = mesh.positions[v[2]];
        faces[t] = cross(b - a, c - a);
    }
    for (const int v : mesh.triangles) ++first[v + 1];
    for (size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    std::vector<int> next(first.begin(), first.end() - 1);
    for (size_t c = 0; c < corners; ++c) around[next[mesh.triangles[c]]++] = int(c / 3);

    std::vector<Vec3> normals(corners);
    const float limit = std::cos(creaseAngle);
    for (size_t c = 0; c < corners; ++c) {
        const Vec3 own = normalized(faces[c / 3]);
        const int v = mesh.triangles[c];
        for (int k = first[v]; k < first[v + 1]; ++k) {
            const Vec3 other = faces[around[k]];
            if (dot(own, other) >= limit * length(other)) normals[c] += other;
        }
        normals[c] = normalized(normals[c], own);
    }
    return normals;
}

Drawable upload(const Gl& gl, const MeshLook& look, bool withAovs) {
    const Mesh& mesh = *look.mesh;
    check(mesh);
    const bool smooth = !mesh.normals.empty() || look.creaseAngle > 3.14f;
    const auto finite = [&](size_t t) {
        const int* v = &mesh.triangles[t];
        return isFinite(mesh.positions[v[0]]) && isFinite(mesh.positions[v[1]]) && isFinite(mesh.positions[v[2]]);
    };
    const bool own = mesh.colors.size() == mesh.positions.size();
    const auto colorOf = [&](size_t i) { return own ? mesh.colors[i] : look.color; };
    const bool cools = look.cooling > 0 && mesh.ages.size() == mesh.positions.size();
    const auto glowOf = [&](size_t i) { return cools ? std::exp(-mesh.ages[i] / look.cooling) : 1.0f; };
    std::vector<MeshVertex> vertices;
    std::vector<AovVertex> aovs;
    std::vector<int> indices;
    if (smooth) {  // one normal per vertex: vertices are shared
        const std::vector<Vec3> computed = mesh.normals.empty() ? vertexNormals(mesh) : std::vector<Vec3>();
        const std::vector<Vec3>& normals = mesh.normals.empty() ? computed : mesh.normals.vector();
        for (size_t i = 0; i < mesh.positions.size(); ++i) {
            vertices.push_back({mesh.positions[i], normals[i], colorOf(i), glowOf(i)});
            if (withAovs) aovs.push_back(aovVertex(mesh, i));
        }
        for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
            if (finite(t)) indices.insert(indices.end(), &mesh.triangles[t], &mesh.triangles[t] + 3);
        }
    } else {
        const std::vector<Vec3> normals = cornerNormals(mesh, look.creaseAngle);
        for (size_t t = 0; t < mesh.triangles.size(); t += 3) {
            if (!finite(t)) continue;
            for (size_t c = t; c < t + 3; ++c) {
                const auto v = static_cast<size_t>(mesh.triangles[c]);
                vertices.push_back({mesh.positions[v], normals[c], colorOf(v), glowOf(v)});
                if (withAovs) aovs.push_back(aovVertex(mesh, v));
            }
        }
    }
    Drawable result = start(gl, GL_TRIANGLES, vertices);
    attribute(gl, 1, 3, sizeof(MeshVertex), sizeof(Vec3));
    attribute(gl, 2, 3, sizeof(MeshVertex), 2 * sizeof(Vec3));
    attribute(gl, 3, 1, sizeof(MeshVertex), offsetof(MeshVertex, glow));
    if (withAovs) setAovAttributes(gl, result, aovs);
    if (smooth) setTriangles(gl, result, vertices, indices);
    return result;
}

Drawable upload(const Gl& gl, const PointsLook& look, float viewRadius, bool withAovs) {
    const Points& points = *look.points;
    const size_t count = points.count();
    if (!look.colors.empty() && look.colors.size() != count) {
        throw Error("points: " + std::to_string(look.colors.size()) + " colours for " + std::to_string(count) +
                    " particles");
    }
    const bool ownRadii = points.radii.size() == count && look.radius <= 0;
    const float radius = look.radius > 0 ? look.radius : 0.01f * viewRadius;
    std::vector<PointVertex> vertices;
    std::vector<AovVertex> aovs;
    vertices.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        const float r = look.radiusScale * (ownRadii ? points.radii[i] : radius);
        if (!isFinite(points.positions[i]) || !isFinite(r)) continue;
        vertices.push_back({points.positions[i], look.colors.empty() ? look.color : look.colors[i], r});
        if (withAovs) aovs.push_back(aovVertex(points, i));
    }
    Drawable result = start(gl, GL_POINTS, vertices);
    attribute(gl, 1, 3, sizeof(PointVertex), sizeof(Vec3));
    attribute(gl, 2, 1, sizeof(PointVertex), 2 * sizeof(Vec3));
    if (withAovs) setAovAttributes(gl, result, aovs);
    return result;
}

Drawable upload(const Gl& gl, const std::vector<GasVertex>& splats) {
    Drawable result = start(gl, GL_POINTS, splats);
    attribute(gl, 1, 3, sizeof(GasVertex), offsetof(GasVertex, color));
    attribute(gl, 2, 2, sizeof(GasVertex), offsetof(GasVertex, radius));
    attribute(gl, 3, 2, sizeof(GasVertex), offsetof(GasVertex, keyTransmittance));
    return result;
}

Drawable upload(const Gl& gl, const LinesLook& look) {
    std::vector<Vec3> ends;
    for (size_t i = 0; i + 1 < look.ends.size(); i += 2) {
        if (isFinite(look.ends[i]) && isFinite(look.ends[i + 1]))
            ends.insert(ends.end(), {look.ends[i], look.ends[i + 1]});
    }
    return start(gl, GL_LINES, ends);
}

// Joins rings around the curve into a closed tube with end caps, so that back faces can be culled.
Drawable upload(const Gl& gl, const YarnLook& look, TubeShape tube, bool withAovs, float radiusScale) {
    const Curves& curves = *look.curves;
    check(curves);
    const std::vector<YarnSample> samples = sampleSpans(curves, tube.perSpan);
    const int row = tube.sides + 1;
    std::vector<YarnVertex> vertices(samples.size() * size_t(row));
    forEach(Device::cpu(), "rings of yarns", static_cast<int>(samples.size()),
            WriteRing{samples.data(), vertices.data(), tube.sides, curves.plies, radiusScale}, 256);
    std::vector<int> indices;
    indices.reserve(samples.size() * size_t(tube.sides) * 6);
    for (size_t i = 0; i < samples.size(); ++i) {
        const int ring = int(i) * row;
        const bool begins = i == 0 || samples[i].run != samples[i - 1].run;
        const bool ends = i + 1 == samples.size() || samples[i].run != samples[i + 1].run;
        for (int k = 1; k + 1 < tube.sides; ++k) {
            if (begins) indices.insert(indices.end(), {ring, ring + k + 1, ring + k});
            if (ends) indices.insert(indices.end(), {ring, ring + k, ring + k + 1});
        }
        if (begins) continue;
        for (int k = 0; k < tube.sides; ++k) {
            const int a = int(i) * row + k, b = a - row;
            indices.insert(indices.end(), {b, b + 1, a, a, b + 1, a + 1});
        }
    }
    Drawable result = start(gl, GL_TRIANGLES, vertices);
    attribute(gl, 1, 3, sizeof(YarnVertex), sizeof(Vec3));
    attribute(gl, 2, 3, sizeof(YarnVertex), 2 * sizeof(Vec3));
    attribute(gl, 3, 3, sizeof(YarnVertex), 3 * sizeof(Vec3));
    attribute(gl, 4, 1, sizeof(YarnVertex), 4 * sizeof(Vec3));
    attribute(gl, 7, 1, sizeof(YarnVertex), offsetof(YarnVertex, wet));
    if (withAovs) {
        std::vector<AovVertex> aovs;
        for (const YarnSample& s : samples) aovs.insert(aovs.end(), size_t(row), {s.velocity, s.wetness});
        setAovAttributes(gl, result, aovs);
    }
    setTriangles(gl, result, vertices, indices);
    return result;
}

std::tuple<Handle, Handle, Handle> makeQuadBuffers(const Gl& gl, int quads) {
    std::vector<int> corners;
    for (int q = 0; q < quads; ++q)
        for (const int k : {0, 1, 2, 0, 2, 3}) corners.push_back(4 * q + k);
    Handle array = makeVertexArray(gl);
    gl.BindVertexArray(array);
    Handle vertices = makeBuffer(gl, GL_ARRAY_BUFFER, nullptr, 0);
    constexpr size_t kSize = sizeof(QuadVertex);
    for (GLuint k = 0; k < 4; ++k) attribute(gl, k, 3, kSize, k * sizeof(Vec3));
    attribute(gl, 4, 2, kSize, offsetof(QuadVertex, u));
    attribute(gl, 5, 1, kSize, offsetof(QuadVertex, depth));
    attribute(gl, 7, 1, kSize, offsetof(QuadVertex, wet));
    Handle indices = makeBuffer(gl, GL_ELEMENT_ARRAY_BUFFER, corners.data(), corners.size() * sizeof(int));
    return {std::move(array), std::move(vertices), std::move(indices)};
}

Handle makeSliceTexture(const Gl& gl, const Slice& slice) {
    Handle texture = makeTexture(gl, GL_RGBA8, slice.size, slice.size);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, slice.size, slice.size, 0, GL_RGBA, GL_UNSIGNED_BYTE, slice.rgba.data());
    // Mip levels keep thin yarns from aliasing.
    gl.GenerateMipmap(GL_TEXTURE_2D);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    return texture;
}

void Drawable::draw(const Gl& gl, const Mat4& clipFromWorld) const {
    if (count == 0) return;
    gl.BindVertexArray(vertexArray);
    const auto drawRun = [&](int first, int corners) {
        if (corners == 0) return;
        if (indexed) {
            gl.DrawElements(shape, corners, GL_UNSIGNED_INT,
                            reinterpret_cast<const void*>(sizeof(int) * size_t(first)));
        } else {
            gl.DrawArrays(shape, first, corners);
        }
    };
    if (parts.empty()) return drawRun(0, count);
    int first = 0, corners = 0;  // of a run of visible parts
    for (const Part& part : parts) {
        if (!isOutside(part.bounds, clipFromWorld)) {
            corners += part.count;
            continue;
        }
        drawRun(first, corners);
        first = part.first + part.count;
        corners = 0;
    }
    drawRun(first, corners);
}

}  // namespace purl
