// A compound output for a transform, and a value at another time: lag is where the orbit was `delay` frames ago.
#include <maya/MDGContext.h>
#include <maya/MDGContextGuard.h>
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MGlobal.h>
#include <maya/MPlug.h>
#include <maya/MPxCommand.h>
#include <maya/MPxNode.h>
#include <maya/MSelectionList.h>
#include <maya/MTime.h>
#include <maya/MTypeId.h>

#include <cmath>

class Orbit : public MPxNode {
  public:
    static void* creator() { return new Orbit; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        MFnUnitAttribute unit;
        time = unit.create("time", "tm", MFnUnitAttribute::kTime, 0.0);
        place = number.createPoint("place", "pl");
        number.setWritable(false);
        addAttribute(time);
        addAttribute(place);
        return attributeAffects(time, place);
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != place && plug.parent() != place) return MS::kUnknownParameter;
        const double t = block.inputValue(time).asTime().as(MTime::kSeconds);
        block.outputValue(place).set3Float(float(std::cos(t)), 0, float(std::sin(t)));
        return block.setClean(place);
    }
    static MObject time, place;
};
MObject Orbit::time, Orbit::place;

// exampleAt: x of the first selected orbit at two seconds, while the scene stays at its time.
class At : public MPxCommand {
  public:
    static void* creator() { return new At; }
    MStatus doIt(const MArgList&) override {
        MSelectionList selected;
        MGlobal::getActiveSelectionList(selected);
        MObject node;
        MStatus status = selected.getDependNode(0, node);
        if (!status) return status;
        const MDGContextGuard guard(MDGContext(MTime(2.0, MTime::kSeconds)));
        setResult(double(MPlug(node, Orbit::place).child(0).asFloat(&status)));
        return status;
    }
};

MStatus initializePlugin(MObject object) {
    MFnPlugin plugin(object, "Example", "1.0");
    const MStatus status = plugin.registerNode("exampleOrbit", MTypeId(0x7f109), Orbit::creator, Orbit::initialize);
    return status ? plugin.registerCommand("exampleAt", At::creator) : status;
}
MStatus uninitializePlugin(MObject object) {
    MFnPlugin plugin(object);
    plugin.deregisterCommand("exampleAt");
    return plugin.deregisterNode(MTypeId(0x7f109));
}
