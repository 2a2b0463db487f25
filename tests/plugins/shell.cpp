// A node that takes and makes a NURBS surface: a copy of it in world space, with its control vertices moved along the
// surface's normal in the middle.
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MFnData.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnNurbsSurface.h>
#include <maya/MFnNurbsSurfaceData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MPlug.h>
#include <maya/MPointArray.h>
#include <maya/MPxNode.h>
#include <maya/MTypeId.h>
#include <maya/MVector.h>

class Shell : public MPxNode {
  public:
    static void* creator() { return new Shell; }
    static MStatus initialize() {
        MFnTypedAttribute typed;
        MFnNumericAttribute number;
        input = typed.create("inputSurface", "is", MFnData::kNurbsSurface);
        distance = number.create("distance", "di", MFnNumericData::kDouble, 1);
        output = typed.create("outputSurface", "os", MFnData::kNurbsSurface);
        typed.setWritable(false);
        for (const MObject& attribute : {input, distance, output})
            if (!addAttribute(attribute)) return MS::kFailure;
        attributeAffects(input, output);
        return attributeAffects(distance, output);
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != output) return MS::kUnknownParameter;
        MStatus status;
        MFnNurbsSurface surface;
        MFnNurbsSurfaceData data;
        const MObject made = data.create();
        surface.copy(block.inputValue(input).asNurbsSurfaceTransformed(), made, &status);
        if (!status) return status;
        double startU, endU, startV, endV;
        surface.getKnotDomain(startU, endU, startV, endV);
        const MVector by =
            surface.normal((startU + endU) / 2, (startV + endV) / 2) * block.inputValue(distance).asDouble();
        MPointArray cvs;
        surface.getCVs(cvs);
        for (unsigned int k = 0; k < cvs.length(); ++k) cvs[k] += by;
        surface.setCVs(cvs);
        block.outputValue(output).setMObject(made);
        return block.setClean(plug);
    }
    static MObject input, distance, output;
};
MObject Shell::input, Shell::distance, Shell::output;

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0")
        .registerNode("exampleShell", MTypeId(0x7f121), Shell::creator, Shell::initialize);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x7f121)); }
