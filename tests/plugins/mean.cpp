// Attributes that users add: the node averages every added number whose name begins with "in", into its output.
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MFnAttribute.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MPlug.h>
#include <maya/MPlugArray.h>
#include <maya/MPxNode.h>
#include <maya/MString.h>
#include <maya/MTypeId.h>

class Mean : public MPxNode {
  public:
    static void* creator() { return new Mean; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        mean = number.create("mean", "mn", MFnNumericData::kDouble);
        number.setWritable(false);
        return addAttribute(mean);
    }
    MStatus setDependentsDirty(const MPlug& plug, MPlugArray& affected) override {
        if (isInput(plug.attribute())) affected.append(MPlug(thisMObject(), mean));
        return MS::kSuccess;
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != mean) return MS::kUnknownParameter;
        const MFnDependencyNode self(thisMObject());
        double sum = 0, count = 0;
        for (unsigned int i = 0; i < self.attributeCount(); ++i) {
            const MObject attribute = self.attribute(i);
            if (!isInput(attribute)) continue;
            sum += block.inputValue(MPlug(thisMObject(), attribute)).asDouble();
            ++count;
        }
        block.outputValue(mean).setDouble(count > 0 ? sum / count : 0);
        return block.setClean(plug);
    }

  private:
    static bool isInput(const MObject& attribute) {
        const MFnAttribute function(attribute);
        return function.isDynamic() && function.name().substring(0, 1) == "in";
    }
    static MObject mean;
};
MObject Mean::mean;

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0")
        .registerNode("exampleMean", MTypeId(0x7f103), Mean::creator, Mean::initialize);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x7f103)); }
