#include "nodes/geometry.h"

#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MIntArray.h>
#include <maya/MPoint.h>
#include <maya/MPointArray.h>

namespace purl {
namespace {

Vec3 toVec3(const MPoint& p) { return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)}; }

}  // namespace

TriangleMesh worldMesh(MDataHandle& handle) {
    TriangleMesh mesh;
    const MObject data = handle.asMeshTransformed();
    if (data.isNull()) return mesh;
    MStatus status;
    const MFnMesh from(data, &status);
    if (!status || from.numPolygons() == 0) return mesh;

    MPointArray points;
    from.getPoints(points, MSpace::kWorld);
    mesh.vertices.reserve(points.length());
    for (unsigned i = 0; i < points.length(); ++i) mesh.vertices.push_back(toVec3(points[i]));

    MIntArray perPolygon, vertices;
    from.getTriangles(perPolygon, vertices);
    mesh.triangles.reserve(vertices.length());
    for (unsigned i = 0; i < vertices.length(); ++i) mesh.triangles.push_back(vertices[i]);
    return mesh;
}

std::vector<Vec3> worldCurve(MDataHandle& handle) {
    std::vector<Vec3> points;
    const MObject data = handle.asNurbsCurveTransformed();
    if (data.isNull()) return points;
    MStatus status;
    const MFnNurbsCurve from(data, &status);
    double start = 0, end = 0;
    if (!status || !from.getKnotDomain(start, end)) return points;
    constexpr int kPerSpan = 16;
    const int pieces = from.numSpans() * (from.degree() == 1 ? 1 : kPerSpan);
    for (int i = 0; i <= pieces && pieces > 0; ++i) {
        MPoint point;
        from.getPointAtParam(start + (end - start) * i / pieces, point, MSpace::kWorld);
        points.push_back(toVec3(point));
    }
    return points;
}

Pose poseOf(const MMatrix& matrix, Vec3& scale) {
    // Maya's matrices act on row vectors: row i is where axis i goes.
    const auto row = [&](unsigned i) {
        return Vec3{static_cast<float>(matrix(i, 0)), static_cast<float>(matrix(i, 1)),
                    static_cast<float>(matrix(i, 2))};
    };
    const Vec3 x = row(0), y = row(1), z = row(2);
    scale = {length(x), length(y), length(z)};
    // Orthonormal even under shear or a mirror: y is kept, x turned least, z follows.
    const Vec3 up = normalized(y, {0, 1, 0});
    const Vec3 side = normalized(x - dot(x, up) * up, normalized(cross(up, Vec3{0, 0, 1}), {1, 0, 0}));
    return {row(3), {side, up, cross(side, up)}};
}

MObject meshData(const Mesh& mesh) {
    MFnMeshData make;
    MObject data = make.create();
    const auto count = static_cast<unsigned>(mesh.positions.size());
    MPointArray points(count);
    for (unsigned i = 0; i < count; ++i) {
        const Vec3 p = mesh.positions[i];
        points.set(MPoint(p.x, p.y, p.z), i);
    }
    const auto faces = static_cast<unsigned>(mesh.triangles.size() / 3);
    const MIntArray perPolygon(faces, 3);
    const MIntArray vertices(mesh.triangles.data(), static_cast<unsigned>(mesh.triangles.size()));
    MFnMesh().create(static_cast<int>(count), static_cast<int>(faces), points, perPolygon, vertices, data);
    return data;
}

}  // namespace purl
