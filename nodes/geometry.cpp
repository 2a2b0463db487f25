#include "nodes/geometry.h"

#include <maya/MDoubleArray.h>
#include <maya/MFloatArray.h>
#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnNurbsCurve.h>
#include <maya/MFnNurbsCurveData.h>
#include <maya/MIntArray.h>
#include <maya/MPoint.h>
#include <maya/MPointArray.h>

namespace purl {
namespace {

Vec3 toVec3(const MPoint& p) { return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)}; }

std::vector<Vec3> worldPoints(const MFnMesh& mesh) {
    MPointArray points;
    mesh.getPoints(points, MSpace::kWorld);
    std::vector<Vec3> result;
    result.reserve(points.length());
    for (unsigned i = 0; i < points.length(); ++i) result.push_back(toVec3(points[i]));
    return result;
}

template <class Array, class Value>
void copy(const Array& from, Channel<Value>& to) {
    std::vector<Value> values;
    values.reserve(from.length());
    for (unsigned i = 0; i < from.length(); ++i) values.push_back(from[i]);
    to = std::move(values);
}

}  // namespace

TriangleMesh worldMesh(MDataHandle& handle) {
    TriangleMesh mesh;
    const MObject data = handle.asMeshTransformed();
    if (data.isNull()) return mesh;
    MStatus status;
    const MFnMesh from(data, &status);
    if (!status || from.numPolygons() == 0) return mesh;

    mesh.vertices = worldPoints(from);
    MIntArray perPolygon, vertices;
    from.getTriangles(perPolygon, vertices);
    copy(vertices, mesh.triangles);
    return mesh;
}

void worldFaces(MDataHandle& handle, std::vector<Vec3>& points, Faces& faces) {
    const MObject data = handle.asMeshTransformed();
    if (data.isNull()) return;
    MStatus status;
    const MFnMesh from(data, &status);
    if (!status || from.numPolygons() == 0) return;
    points = worldPoints(from);
    MIntArray counts, corners, uvCounts, uvs;
    from.getVertices(counts, corners);
    copy(counts, faces.counts);
    copy(corners, faces.corners);
    MFloatArray u, v;
    from.getUVs(u, v);
    from.getAssignedUVs(uvCounts, uvs);
    // If some faces have no UVs, the compact array does not tell which face vertices its entries belong to.
    if (uvs.length() != corners.length()) return;
    copy(u, faces.u);
    copy(v, faces.v);
    copy(uvs, faces.cornerUvs);
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
    // Maya's matrices act on row vectors: row i is the image of axis i.
    const auto row = [&](unsigned i) {
        return Vec3{static_cast<float>(matrix(i, 0)), static_cast<float>(matrix(i, 1)),
                    static_cast<float>(matrix(i, 2))};
    };
    const Vec3 x = row(0), y = row(1), z = row(2);
    scale = {length(x), length(y), length(z)};
    // Orthonormal even under shear or mirroring: keeps y, rotates x the least, and z follows.
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
    const auto create = [&](const std::vector<int>& counts, const std::vector<int>& corners) {
        MFnMesh made;
        made.create(static_cast<int>(count), static_cast<int>(counts.size()), points,
                    MIntArray(counts.data(), static_cast<unsigned>(counts.size())),
                    MIntArray(corners.data(), static_cast<unsigned>(corners.size())), data);
        if (mesh.faces.cornerUvs.empty()) return;
        const Faces& faces = mesh.faces;
        const auto uvs = static_cast<unsigned>(faces.u.size());
        made.setObject(data);
        made.setUVs(MFloatArray(faces.u.data(), uvs), MFloatArray(faces.v.data(), uvs));
        made.assignUVs(MIntArray(counts.data(), static_cast<unsigned>(counts.size())),
                       MIntArray(faces.cornerUvs.data(), static_cast<unsigned>(faces.cornerUvs.size())));
    };
    if (mesh.faces.empty())
        create(std::vector<int>(mesh.triangles.size() / 3, 3), mesh.triangles);
    else
        create(mesh.faces.counts, mesh.faces.corners);
    return data;
}

MObject curveData(const std::vector<Vec3>& points) {
    MFnNurbsCurveData make;
    MObject data = make.create();
    const auto count = static_cast<int>(points.size());
    if (count < 2) return data;
    MPointArray cvs;
    MDoubleArray knots;
    const auto append = [&](Vec3 p) { cvs.append(MPoint(p.x, p.y, p.z)); };
    append(points[0]);
    for (int i = 0; i + 1 < count; ++i) {
        // Bézier points of a Catmull–Rom span: b, b + (c − a)/6, c − (d − b)/6, c
        const CurveSpan span(points.data(), count, i);
        append(span.b + (span.c - span.a) / 6);
        append(span.c - (span.d - span.b) / 6);
        append(span.c);
    }
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) knots.append(i);
    MFnNurbsCurve().create(cvs, knots, 3, MFnNurbsCurve::kOpen, false, false, data);
    return data;
}

}  // namespace purl
