// Geometry: a node that makes a mesh of quads, and a command that measures one.
#include <maya/MArgDatabase.h>
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MIntArray.h>
#include <maya/MPlug.h>
#include <maya/MPointArray.h>
#include <maya/MPxCommand.h>
#include <maya/MPxNode.h>
#include <maya/MSelectionList.h>
#include <maya/MSyntax.h>
#include <maya/MTypeId.h>

class Grid : public MPxNode {
  public:
    static void* creator() { return new Grid; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        MFnTypedAttribute typed;
        cells = number.create("cells", "cl", MFnNumericData::kInt, 2);
        mesh = typed.create("outMesh", "om", MFnData::kMesh);
        typed.setWritable(false);
        addAttribute(cells);
        addAttribute(mesh);
        return attributeAffects(cells, mesh);
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != mesh) return MS::kUnknownParameter;
        const int n = block.inputValue(cells).asInt();
        MPointArray points;
        MIntArray counts, corners;
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= n; ++i) points.append(MPoint(i, 0, j));
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const int first = j * (n + 1) + i;
                counts.append(4);
                for (const int corner : {first, first + n + 1, first + n + 2, first + 1}) corners.append(corner);
            }
        MFnMeshData data;
        const MObject made = data.create();
        MFnMesh().create(int(points.length()), int(counts.length()), points, counts, corners, made);
        MDataHandle out = block.outputValue(mesh);
        out.setMObject(made);
        return block.setClean(plug);
    }
    static MObject cells, mesh;
};
MObject Grid::cells, Grid::mesh;

class Faces : public MPxCommand {
  public:
    static void* creator() { return new Faces; }
    static MSyntax newSyntax() {
        MSyntax syntax;
        syntax.setObjectType(MSyntax::kSelectionList, 1, 1);
        return syntax;
    }
    MStatus doIt(const MArgList& list) override {
        const MArgDatabase arguments(syntax(), list);
        MSelectionList objects;
        arguments.getObjects(objects);
        MDagPath path;
        MStatus status = objects.getDagPath(0, path);
        if (status) status = path.extendToShape();
        const MFnMesh mesh(path, &status);
        if (!status) return status;
        setResult(mesh.numPolygons());
        return MS::kSuccess;
    }
};

MStatus initializePlugin(MObject object) {
    MFnPlugin plugin(object, "Example", "1.0");
    const MStatus status = plugin.registerNode("exampleGrid", MTypeId(0x7f108), Grid::creator, Grid::initialize);
    return status ? plugin.registerCommand("exampleFaces", Faces::creator, Faces::newSyntax) : status;
}
MStatus uninitializePlugin(MObject object) {
    MFnPlugin plugin(object);
    plugin.deregisterCommand("exampleFaces");
    return plugin.deregisterNode(MTypeId(0x7f108));
}
