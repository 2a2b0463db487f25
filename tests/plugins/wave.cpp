// A deformer: waves along x that run with time, within its envelope and painted weights.
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MItGeometry.h>
#include <maya/MMatrix.h>
#include <maya/MPoint.h>
#include <maya/MPxDeformerNode.h>
#include <maya/MTime.h>
#include <maya/MTypeId.h>

#include <cmath>

class Wave : public MPxDeformerNode {
  public:
    static void* creator() { return new Wave; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        MFnUnitAttribute unit;
        height = number.create("height", "h", MFnNumericData::kDouble, 1.0);
        number.setKeyable(true);
        time = unit.create("time", "tm", MFnUnitAttribute::kTime, 0.0);
        addAttribute(height);
        addAttribute(time);
        attributeAffects(height, outputGeom);
        return attributeAffects(time, outputGeom);
    }
    MStatus deform(MDataBlock& block, MItGeometry& points, const MMatrix&, unsigned int index) override {
        const double most = block.inputValue(height).asDouble() * double(block.inputValue(envelope).asFloat());
        const double phase = block.inputValue(time).asTime().as(MTime::kSeconds);
        for (; !points.isDone(); points.next()) {
            MPoint p = points.position();
            p.y += most * double(weightValue(block, index, unsigned(points.index()))) * std::sin(p.x + phase);
            points.setPosition(p);
        }
        return MS::kSuccess;
    }

  private:
    static MObject height, time;
};
MObject Wave::height, Wave::time;

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0")
        .registerNode("exampleWave", MTypeId(0x7f100), Wave::creator, Wave::initialize, MPxNode::kDeformerNode);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x7f100)); }
