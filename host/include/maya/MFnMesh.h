// MFnMesh: polygon meshes, as nodes or as data.
#pragma once
#include <maya/MColor.h>
#include <maya/MFloatPointArray.h>
#include <maya/MFloatVectorArray.h>
#include <maya/MFnDagNode.h>
#include <maya/MPointArray.h>
#include <maya/MSpace.h>
#include <maya/MTypes.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFnMesh : public MFnDagNode {
  public:
    MFnMesh() = default;
    MFnMesh(const MObject& object, MStatus* status = nullptr) { init(object, status); }
    MFn::Type type() const override { return MFn::kMesh; }
    MFnMesh(const MDagPath& path, MStatus* status = nullptr) { init(path, status); }

    enum MColorRepresentation { kAlpha = 1, kRGB = 3, kRGBA = 4 };

    // Into mesh data (parentOrOwner made by MFnMeshData), under a transform, or under a new transform.
    MObject create(int numVertices, int numPolygons, const MFloatPointArray& points, const MIntArray& polygonCounts,
                   const MIntArray& polygonConnects, MObject parentOrOwner = MObject::kNullObj,
                   MStatus* status = nullptr);
    MObject create(int numVertices, int numPolygons, const MPointArray& points, const MIntArray& polygonCounts,
                   const MIntArray& polygonConnects, MObject parentOrOwner = MObject::kNullObj,
                   MStatus* status = nullptr);
    MObject create(int numVertices, int numPolygons, const MFloatPointArray& points, const MIntArray& polygonCounts,
                   const MIntArray& polygonConnects, const MFloatArray& u, const MFloatArray& v,
                   MObject parentOrOwner = MObject::kNullObj, MStatus* status = nullptr);
    MObject create(int numVertices, int numPolygons, const MPointArray& points, const MIntArray& polygonCounts,
                   const MIntArray& polygonConnects, const MFloatArray& u, const MFloatArray& v,
                   MObject parentOrOwner = MObject::kNullObj, MStatus* status = nullptr);
    MObject copy(const MObject& source, MObject parentOrOwner = MObject::kNullObj, MStatus* status = nullptr);

    int numVertices(MStatus* status = nullptr) const;
    int numEdges(MStatus* status = nullptr) const;
    int numPolygons(MStatus* status = nullptr) const;
    int numFaceVertices(MStatus* status = nullptr) const;
    int polygonVertexCount(int polygon, MStatus* status = nullptr) const;
    MStatus getVertices(MIntArray& counts, MIntArray& list) const;
    MStatus getPolygonVertices(int polygon, MIntArray& list) const;
    MStatus getEdgeVertices(int edge, int2& vertices) const;
    // Triangles of each polygon, as vertices: fans for convex faces, ear clipping for others.
    MStatus getTriangles(MIntArray& counts, MIntArray& vertices) const;

    MStatus getPoints(MPointArray& points, MSpace::Space space = MSpace::kObject) const;
    MStatus getPoints(MFloatPointArray& points, MSpace::Space space = MSpace::kObject) const;
    MStatus setPoints(const MPointArray& points, MSpace::Space space = MSpace::kObject);
    MStatus setPoints(const MFloatPointArray& points, MSpace::Space space = MSpace::kObject);
    MStatus getPoint(int vertex, MPoint& point, MSpace::Space space = MSpace::kObject) const;
    MStatus setPoint(int vertex, const MPoint& point, MSpace::Space space = MSpace::kObject);
    const float* getRawPoints(MStatus* status = nullptr) const;
    MStatus getVertexNormals(bool angleWeighted, MFloatVectorArray& normals,
                             MSpace::Space space = MSpace::kObject) const;
    MStatus setEdgeSmoothing(int edge, bool smooth = true);
    MStatus cleanupEdgeSmoothing();
    MStatus updateSurface();

    int numUVs(MStatus* status = nullptr) const;
    int numUVSets(MStatus* status = nullptr) const;
    MStatus getUVSetNames(MStringArray& names) const;
    MStatus getUVs(MFloatArray& u, MFloatArray& v, const MString* uvSet = nullptr) const;
    MStatus setUVs(const MFloatArray& u, const MFloatArray& v, const MString* uvSet = nullptr);
    MStatus assignUVs(const MIntArray& counts, const MIntArray& ids, const MString* uvSet = nullptr);
    MStatus getAssignedUVs(MIntArray& counts, MIntArray& ids, const MString* uvSet = nullptr) const;

    int numColorSets(MStatus* status = nullptr) const;
    MStatus getColorSetNames(MStringArray& names) const;
    MString createColorSetWithName(const MString& name, MDGModifier* modifier = nullptr, MStatus* status = nullptr);
    MStatus setCurrentColorSetName(const MString& name);
    MStatus setVertexColors(const MColorArray& colors, const MIntArray& vertices, MDGModifier* modifier = nullptr,
                            MColorRepresentation representation = kRGBA);
    MStatus getVertexColors(MColorArray& colors, const MString* colorSet = nullptr,
                            const MColor* defaultUnsetColor = nullptr) const;

    MStatus setObject(const MObject& object) override;
    using MFnDagNode::setObject;
};

}  // namespace Autodesk::Maya::OpenMayaHost
