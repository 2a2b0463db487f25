#include "tests/host/testPlugin.h"

#include <maya/MAngle.h>
#include <maya/MArgDatabase.h>
#include <maya/MArrayDataBuilder.h>
#include <maya/MArrayDataHandle.h>
#include <maya/MComputation.h>
#include <maya/MDGModifier.h>
#include <maya/MFloatVector.h>
#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnEnumAttribute.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnMesh.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnPluginData.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MGlobal.h>
#include <maya/MIntArray.h>
#include <maya/MPxCommand.h>
#include <maya/MPxData.h>
#include <maya/MPxNode.h>

namespace purl::host {

int sumComputes = 0;
int testDataAlive = 0;
std::vector<std::string> evaluationLog;

namespace {

// sum = a + b + Σ terms[i]; echo[2 i] = terms[i]; scaled = offset · gain; also logs the dirty plugs before an
// evaluation.
struct SumNode : MPxNode {
    static inline MObject aA, aB, aTerms, aSum, aEcho, aOffset, aGain, aScaled, aMode, aPair, aWeight, aLabel, aLonely;

    static void* create() { return new SumNode; }
    static MStatus initialize() {
        MFnNumericAttribute n;
        MFnEnumAttribute e;
        MFnCompoundAttribute c;
        MFnTypedAttribute t;
        aA = n.create("first", "a", MFnNumericData::kDouble, 1.0);
        n.setMin(-10);
        n.setMax(100);
        n.setKeyable(true);
        aB = n.create("second", "b", MFnNumericData::kDouble, 2.0);
        aTerms = n.create("terms", "tm", MFnNumericData::kDouble);
        n.setArray(true);
        n.setDisconnectBehavior(MFnAttribute::kDelete);
        aSum = n.create("sum", "s", MFnNumericData::kDouble);
        n.setWritable(false);
        aEcho = n.create("echo", "ec", MFnNumericData::kDouble);
        n.setArray(true);
        n.setUsesArrayDataBuilder(true);
        n.setWritable(false);
        aOffset = n.createPoint("offset", "of");
        n.setDefault(1.0, 2.0, 3.0);
        aGain = n.create("gain", "g", MFnNumericData::kFloat, 2.0);
        aScaled = n.createPoint("scaled", "sc");
        n.setWritable(false);
        aMode = e.create("mode", "mo", 0);
        e.addField("plus", 0);
        e.addField("minus and more", 1);
        aWeight = n.create("weight", "w", MFnNumericData::kFloat, 1.0);
        aLabel = t.create("label", "l", MFnData::kString);
        aPair = c.create("pair", "p");
        c.addChild(aWeight);
        c.addChild(aLabel);
        c.setArray(true);
        aLonely = n.create("lonely", "lo", MFnNumericData::kInt, 7);
        for (const MObject& a : {aA, aB, aTerms, aSum, aEcho, aOffset, aGain, aScaled, aMode, aPair, aLonely})
            CHECK_MSTATUS_AND_RETURN_IT(addAttribute(a));
        for (const MObject& a : {aA, aB, aTerms, aMode}) CHECK_MSTATUS_AND_RETURN_IT(attributeAffects(a, aSum));
        attributeAffects(aTerms, aEcho);
        attributeAffects(aOffset, aScaled);
        attributeAffects(aGain, aScaled);
        return MS::kSuccess;
    }

    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug == aSum) return computeSum(block);
        if (plug == aEcho) return computeEcho(block);
        if (plug == aScaled || (plug.isChild() && plug.parent() == aScaled)) {
            const MFloatVector& offset = block.inputValue(aOffset).asFloatVector();
            const float gain = block.inputValue(aGain).asFloat();
            MDataHandle out = block.outputValue(aScaled);
            out.set3Float(offset.x * gain, offset.y * gain, offset.z * gain);
            out.setClean();
            return MS::kSuccess;
        }
        return MS::kUnknownParameter;
    }

    MStatus computeSum(MDataBlock& block) {
        ++sumComputes;
        MStatus status;
        double sum = block.inputValue(aA, &status).asDouble();
        CHECK_MSTATUS_AND_RETURN_IT(status);
        const double b = block.inputValue(aB, &status).asDouble();
        if (!status) return status;
        sum += block.inputValue(aMode).asShort() == 0 ? b : -b;
        MArrayDataHandle terms = block.inputArrayValue(aTerms);
        for (unsigned int i = 0; i < terms.elementCount(); ++i) {
            terms.jumpToArrayElement(i);
            sum += terms.inputValue().asDouble();
        }
        block.outputValue(aSum).set(sum);
        return block.setClean(aSum);
    }

    MStatus computeEcho(MDataBlock& block) {
        MArrayDataHandle terms = block.inputArrayValue(aTerms), echo = block.outputArrayValue(aEcho);
        MArrayDataBuilder builder(&block, aEcho, terms.elementCount());
        for (unsigned int i = 0; i < terms.elementCount(); ++i) {
            terms.jumpToArrayElement(i);
            builder.addElement(2 * terms.elementIndex()).set(terms.inputValue().asDouble());
        }
        echo.set(builder);
        return echo.setAllClean();
    }

    MStatus preEvaluation(const MDGContext& context, const MEvaluationNode& node) override {
        if (!context.isNormal()) return MS::kSuccess;
        std::string text = std::string("pre ") + name().asChar();
        if (node.dirtyPlugExists(aA)) text += " first";
        if (node.dirtyPlugExists(aB)) text += " second";
        evaluationLog.push_back(text);
        return MS::kSuccess;
    }
    MStatus postEvaluation(const MDGContext&, const MEvaluationNode&, PostEvaluationType) override {
        evaluationLog.push_back(std::string("post ") + name().asChar());
        return MS::kSuccess;
    }
};

// Passes one unit attribute of each kind through unchanged; inverts a matrix.
struct UnitNode : MPxNode {
    static inline MObject aTime, aLength, aAngle, aOutTime, aOutLength, aOutAngle, aMatrix, aInverse;
    static void* create() { return new UnitNode; }
    static MStatus initialize() {
        MFnUnitAttribute u;
        MFnMatrixAttribute m;
        aTime = u.create("when", "wh", MTime(10, MTime::kFilm));
        aLength = u.create("length", "len", MDistance(2, MDistance::kMeters));
        aAngle = u.create("turn", "tu", MAngle(90, MAngle::kDegrees));
        aOutTime = u.create("outWhen", "owh", MFnUnitAttribute::kTime);
        aOutLength = u.create("outLength", "olen", MFnUnitAttribute::kDistance);
        aOutAngle = u.create("outTurn", "otu", MFnUnitAttribute::kAngle);
        aMatrix = m.create("inMatrix", "imx");
        aInverse = m.create("outInverse", "oin");
        for (const MObject& a : {aTime, aLength, aAngle, aOutTime, aOutLength, aOutAngle, aMatrix, aInverse})
            addAttribute(a);
        attributeAffects(aTime, aOutTime);
        attributeAffects(aLength, aOutLength);
        attributeAffects(aAngle, aOutAngle);
        attributeAffects(aMatrix, aInverse);
        return MS::kSuccess;
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug == aOutTime)
            block.outputValue(plug).set(block.inputValue(aTime).asTime());
        else if (plug == aOutLength)
            block.outputValue(plug).set(block.inputValue(aLength).asDistance());
        else if (plug == aOutAngle)
            block.outputValue(plug).set(block.inputValue(aAngle).asAngle());
        else if (plug == aInverse)
            block.outputValue(plug).set(block.inputValue(aMatrix).asMatrix().inverse());
        else
            return MS::kUnknownParameter;
        return block.setClean(plug);
    }
};

struct TestData : MPxData {
    static inline const MTypeId id{0x7ff80};
    double value = 0;
    TestData() { ++testDataAlive; }
    ~TestData() override { --testDataAlive; }
    static void* create() { return new TestData; }
    void copy(const MPxData& other) override { value = static_cast<const TestData&>(other).value; }
    MTypeId typeId() const override { return id; }
    MString name() const override { return "testData"; }
};

// outData = value + the value of inData.
struct CarryNode : MPxNode {
    static inline MObject aValue, aIn, aOut;
    static void* create() { return new CarryNode; }
    static MStatus initialize() {
        MFnNumericAttribute n;
        MFnTypedAttribute t;
        aValue = n.create("value", "v", MFnNumericData::kDouble);
        aIn = t.create("inData", "id", TestData::id);
        aOut = t.create("outData", "od", TestData::id);
        t.setWritable(false);
        for (const MObject& a : {aValue, aIn, aOut}) addAttribute(a);
        attributeAffects(aValue, aOut);
        attributeAffects(aIn, aOut);
        return MS::kSuccess;
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != aOut) return MS::kUnknownParameter;
        const auto* in = static_cast<const TestData*>(block.inputValue(aIn).asPluginData());
        MFnPluginData fn;
        fn.create(TestData::id);
        auto* out = static_cast<TestData*>(fn.data());
        out->value = block.inputValue(aValue).asDouble() + (in ? in->value : 0);
        block.outputValue(aOut).set(out);
        return block.setClean(aOut);
    }
};

// Lifts every vertex of inMesh by `lift`, in world space.
struct LiftNode : MPxNode {
    static inline MObject aIn, aLift, aOut;
    static void* create() { return new LiftNode; }
    static MStatus initialize() {
        MFnTypedAttribute t;
        MFnNumericAttribute n;
        aIn = t.create("inputMesh", "im", MFnData::kMesh);
        aLift = n.create("lift", "li", MFnNumericData::kDouble, 1.0);
        aOut = t.create("outputMesh", "om", MFnData::kMesh);
        for (const MObject& a : {aIn, aLift, aOut}) addAttribute(a);
        attributeAffects(aIn, aOut);
        attributeAffects(aLift, aOut);
        return MS::kSuccess;
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != aOut) return MS::kUnknownParameter;
        MStatus status;
        MFnMesh in(block.inputValue(aIn).asMeshTransformed(), &status);
        if (!status) return MS::kFailure;
        MFnMeshData maker;
        MObject made = maker.create();
        MFnMesh out;
        out.copy(in.object(), made, &status);
        MFloatPointArray points;
        out.getPoints(points);
        for (unsigned int i = 0; i < points.length(); ++i) points[i].y += float(block.inputValue(aLift).asDouble());
        out.setPoints(points);
        block.outputValue(aOut).set(made);
        return block.setClean(aOut);
    }
};

// makeSums -count 2 -name a -name b [nodes to report]: creates sum nodes, undoably.
struct MakeSums : MPxCommand {
    MDGModifier modifier;
    static void* create() { return new MakeSums; }
    static MSyntax newSyntax() {
        MSyntax s;
        s.addFlag("-c", "-count", MSyntax::kLong);
        s.addFlag("-n", "-name", MSyntax::kString);
        s.makeFlagMultiUse("-name");
        s.addFlag("-f", "-first", MSyntax::kDouble);
        s.setObjectType(MSyntax::kSelectionList, 0);
        s.useSelectionAsDefault(true);
        s.enableQuery();
        return s;
    }
    bool isUndoable() const override { return true; }
    MStatus doIt(const MArgList& args) override {
        MStatus status;
        MArgDatabase db(syntax(), args, &status);
        if (!status) return status;
        if (db.isQuery()) {
            MSelectionList list;
            db.getObjects(list);
            setResult(int(list.length()));
            return MS::kSuccess;
        }
        int count = 1;
        db.getFlagArgument("-count", 0, count);
        if (count < 0) {
            displayError("count is negative");
            return MS::kFailure;
        }
        for (int i = 0; i < count; ++i) {
            MObject node = modifier.createNode("testSum", &status);
            CHECK_MSTATUS_AND_RETURN_IT(status);
            MArgList words;
            if (db.getFlagArgumentList("-n", static_cast<unsigned int>(i), words))
                modifier.renameNode(node, words.asString(0));
            double first;
            if (db.getFlagArgument("-f", 0, first)) modifier.newPlugValueDouble(MPlug(node, SumNode::aA), first);
            modifier.doIt();
            appendToResult(MFnDependencyNode(node).name());
        }
        return MS::kSuccess;
    }
    MStatus redoIt() override { return modifier.doIt(); }
    MStatus undoIt() override { return modifier.undoIt(); }
};

MStatus initialize(MObject object) {
    MFnPlugin plugin(object, "the tests", "1.0", "Any");
    CHECK_MSTATUS_AND_RETURN_IT(plugin.registerData("testData", TestData::id, TestData::create));
    const MString classification = "utility/general";
    CHECK_MSTATUS_AND_RETURN_IT(plugin.registerNode("testSum", 0x7ff81, SumNode::create, SumNode::initialize,
                                                    MPxNode::kDependNode, &classification));
    CHECK_MSTATUS_AND_RETURN_IT(plugin.registerNode("testUnit", 0x7ff82, UnitNode::create, UnitNode::initialize));
    CHECK_MSTATUS_AND_RETURN_IT(plugin.registerNode("testCarry", 0x7ff83, CarryNode::create, CarryNode::initialize));
    CHECK_MSTATUS_AND_RETURN_IT(plugin.registerNode("testLift", 0x7ff84, LiftNode::create, LiftNode::initialize));
    return plugin.registerCommand("makeSums", MakeSums::create, MakeSums::newSyntax);
}

}  // namespace

void loadTestPlugin() { loadPlugin("hostTests", initialize); }

}  // namespace purl::host
