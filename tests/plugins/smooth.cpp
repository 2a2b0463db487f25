// A node with a memory that supports cached playback: it follows its input by half of the difference each frame, and
// keeps its state in the data block.
#include <maya/MCacheSchema.h>
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MEvaluationNode.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MObjectArray.h>
#include <maya/MPlug.h>
#include <maya/MPxNode.h>
#include <maya/MTime.h>
#include <maya/MTypeId.h>

class Smooth : public MPxNode {
  public:
    static void* creator() { return new Smooth; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        MFnUnitAttribute unit;
        time = unit.create("time", "tm", MFnUnitAttribute::kTime, 0.0);
        in = number.create("in", "in", MFnNumericData::kDouble);
        out = number.create("out", "out", MFnNumericData::kDouble);
        addAttribute(time);
        addAttribute(in);
        addAttribute(out);
        attributeAffects(time, out);
        return attributeAffects(in, out);
    }
    void getCacheSetup(const MEvaluationNode& evaluated, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo& setup,
                       MObjectArray& monitored) const override {
        MPxNode::getCacheSetup(evaluated, disabling, setup, monitored);
        setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, true);
    }
    void configCache(const MEvaluationNode& evaluated, MCacheSchema& schema) const override {
        MPxNode::configCache(evaluated, schema);
        schema.add(out);
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != out) return MS::kUnknownParameter;
        const double now = block.inputValue(time).asTime().as(MTime::kFilm), wanted = block.inputValue(in).asDouble();
        MDataHandle value = block.outputValue(out);
        value.setDouble(now <= 1 ? wanted : (value.asDouble() + wanted) / 2);
        return block.setClean(plug);
    }
    static MObject time, in, out;
};
MObject Smooth::time, Smooth::in, Smooth::out;

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0")
        .registerNode("exampleSmooth", MTypeId(0x7f10a), Smooth::creator, Smooth::initialize);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x7f10a)); }
