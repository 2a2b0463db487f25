// A node with memory, as the documentation of cached playback has it: a sum over frames, which asks to be simulated
// while it is enabled, and says whether the evaluation manager computes it.
#include <maya/MCacheSchema.h>
#include <maya/MDGContext.h>
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MEvaluationManager.h>
#include <maya/MEvaluationNode.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheDisablingInfoHelper.h>
#include <maya/MNodeCacheSetupInfo.h>
#include <maya/MObjectArray.h>
#include <maya/MPlug.h>
#include <maya/MPxNode.h>
#include <maya/MTime.h>
#include <maya/MTypeId.h>

class Trail : public MPxNode {
  public:
    static void* creator() { return new Trail; }
    static MStatus initialize() {
        MFnUnitAttribute unit;
        MFnNumericAttribute number;
        time = unit.create("time", "tm", MFnUnitAttribute::kTime, 0.0);
        enable = number.create("enable", "en", MFnNumericData::kBoolean, 1);
        strict = number.create("strict", "st", MFnNumericData::kBoolean, 0);
        total = number.create("total", "to", MFnNumericData::kDouble);
        managed = number.create("managed", "mg", MFnNumericData::kBoolean);
        for (const MObject& attribute : {time, enable, strict, total, managed})
            if (!addAttribute(attribute)) return MS::kFailure;
        for (const MObject& input : {time, enable})
            for (const MObject& output : {total, managed}) attributeAffects(input, output);
        return MS::kSuccess;
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != total && plug != managed) return MS::kUnknownParameter;
        if (block.inputValue(enable).asBool())
            block.outputValue(total).setDouble(block.outputValue(total).asDouble() +
                                               block.inputValue(time).asTime().as(MTime::uiUnit()));
        block.outputValue(managed).setBool(MEvaluationManager::evaluationInExecution(block.context()));
        block.setClean(total);
        return block.setClean(managed);
    }
    void getCacheSetup(const MEvaluationNode& evaluated, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo& setup,
                       MObjectArray& monitored) const override {
        MPxNode::getCacheSetup(evaluated, disabling, setup, monitored);
        if (MNodeCacheDisablingInfoHelper::testBooleanAttribute(nullptr, monitored, evaluated, enable, false))
            setup.setRequirement(MNodeCacheSetupInfo::kSimulationSupport, true);
        MNodeCacheDisablingInfoHelper::testBooleanAttribute(&disabling, monitored, evaluated, strict, false);
    }
    void configCache(const MEvaluationNode&, MCacheSchema& schema) const override {
        schema.add(total);
        schema.add(managed);
    }

  private:
    static MObject time, enable, strict, total, managed;
};
MObject Trail::time, Trail::enable, Trail::strict, Trail::total, Trail::managed;

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0")
        .registerNode("exampleTrail", MTypeId(0x7f10b), Trail::creator, Trail::initialize);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x7f10b)); }
