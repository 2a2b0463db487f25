// An array output: heights[i] = i · step, for as many rungs as asked for.
#include <maya/MArrayDataBuilder.h>
#include <maya/MArrayDataHandle.h>
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MPlug.h>
#include <maya/MPxNode.h>
#include <maya/MTypeId.h>

class Ladder : public MPxNode {
  public:
    static void* creator() { return new Ladder; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        rungs = number.create("rungs", "rg", MFnNumericData::kInt, 3);
        step = number.create("step", "st", MFnNumericData::kDouble, 0.5);
        heights = number.create("heights", "hs", MFnNumericData::kDouble);
        number.setArray(true);
        number.setUsesArrayDataBuilder(true);
        number.setWritable(false);
        addAttribute(rungs);
        addAttribute(step);
        addAttribute(heights);
        attributeAffects(rungs, heights);
        return attributeAffects(step, heights);
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != heights) return MS::kUnknownParameter;
        const int count = block.inputValue(rungs).asInt();
        const double each = block.inputValue(step).asDouble();
        MArrayDataHandle out = block.outputArrayValue(heights);
        MArrayDataBuilder builder = out.builder();
        for (int i = 0; i < count; ++i) builder.addElement(unsigned(i)).setDouble(i * each);
        for (unsigned int i = out.elementCount(); i-- > unsigned(count);) builder.removeElement(i);
        out.set(builder);
        return out.setAllClean();
    }

  private:
    static MObject rungs, step, heights;
};
MObject Ladder::rungs, Ladder::step, Ladder::heights;

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0")
        .registerNode("exampleLadder", MTypeId(0x7f104), Ladder::creator, Ladder::initialize);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x7f104)); }
