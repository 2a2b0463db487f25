// A node of time: 1 at every beat, 0 between.
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MPlug.h>
#include <maya/MPxNode.h>
#include <maya/MTime.h>
#include <maya/MTypeId.h>

#include <cmath>

class Pulse : public MPxNode {
  public:
    static void* creator() { return new Pulse; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        MFnUnitAttribute unit;
        time = unit.create("time", "tm", MFnUnitAttribute::kTime, 0.0);
        frames = number.create("frames", "fr", MFnNumericData::kInt, 4);
        number.setMin(1);
        beat = number.create("beat", "bt", MFnNumericData::kDouble);
        number.setWritable(false);
        addAttribute(time);
        addAttribute(frames);
        addAttribute(beat);
        attributeAffects(time, beat);
        return attributeAffects(frames, beat);
    }
    SchedulingType schedulingType() const override { return kParallel; }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != beat) return MS::kUnknownParameter;
        const double now = block.inputValue(time).asTime().as(MTime::uiUnit());
        block.outputValue(beat).setDouble(std::fmod(now, block.inputValue(frames).asInt()) == 0 ? 1 : 0);
        return block.setClean(plug);
    }

  private:
    static MObject time, frames, beat;
};
MObject Pulse::time, Pulse::frames, Pulse::beat;

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0")
        .registerNode("examplePulse", MTypeId(0x7f102), Pulse::creator, Pulse::initialize);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x7f102)); }
