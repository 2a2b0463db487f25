// Contexts, parallel and background evaluation, dirt over compounds and added attributes, and messages.
#include <gtest/gtest.h>
#include <maya/MCallbackIdArray.h>
#include <maya/MDGContextGuard.h>
#include <maya/MDGMessage.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnPlugin.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MItDag.h>
#include <maya/MNodeMessage.h>
#include <maya/MPlugArray.h>
#include <maya/MPxNode.h>
#include <maya/MSceneMessage.h>

#include <atomic>
#include <thread>

#include "host/api/access.h"
#include "host/host.h"

using namespace purl::host;

namespace {

// Adds 1 to its input, slowly, and counts how many of its kind compute at once.
template <int kScheduling>
struct AddOne : MPxNode {
    static inline MObject in, time, out;
    static inline std::atomic<int> now{0}, most{0};
    static void* create() { return new AddOne; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        MFnUnitAttribute unit;
        in = number.create("in", "in", MFnNumericData::kDouble);
        number.setStorable(true);
        time = unit.create("time", "tm", MFnUnitAttribute::kTime, 1.0);
        out = number.create("out", "out", MFnNumericData::kDouble);
        addAttribute(in);
        addAttribute(time);
        addAttribute(out);
        attributeAffects(in, out);
        return attributeAffects(time, out);
    }
    SchedulingType schedulingType() const override { return SchedulingType(kScheduling); }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != out) return MS::kUnknownParameter;
        const double frame = block.inputValue(time).asTime().as(MTime::kFilm),
                     sum = block.inputValue(in).asDouble() + 1;
        const int busy = ++now;
        for (int m = most; m < busy && !most.compare_exchange_weak(m, busy);) {}
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        --now;
        block.outputValue(out).setDouble(sum + 1000 * frame);
        return block.setClean(plug);
    }
};
using Free = AddOne<MPxNode::kParallel>;
using Alone = AddOne<MPxNode::kGloballySerialize>;

// Sets the whole of a compound, of which only x is declared as affected.
struct Circle : MPxNode {
    static inline MObject in, out, outChild[3];
    static void* create() { return new Circle; }
    static MStatus initialize() {
        MFnNumericAttribute number;
        in = number.create("in", "in", MFnNumericData::kDouble);
        for (int k = 0; k < 3; ++k)
            outChild[k] = number.create((std::string("out") + "XYZ"[k]).c_str(), (std::string("o") + "xyz"[k]).c_str(),
                                        MFnNumericData::kDouble);
        out = number.create("out", "o", outChild[0], outChild[1], outChild[2]);
        addAttribute(in);
        addAttribute(out);
        return attributeAffects(in, outChild[0]);
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != out && plug != outChild[0]) return MS::kUnknownParameter;
        const double x = block.inputValue(in).asDouble();
        block.outputValue(out).set3Double(x, 2 * x, 3 * x);
        return block.setClean(out);
    }
};

// Doubles a into b, attributes that users add.
struct Added : MPxNode {
    static void* create() { return new Added; }
    static MStatus initialize() { return MS::kSuccess; }
    MPlug own(const char* name) const { return MFnDependencyNode(thisMObject()).findPlug(name, false); }
    MStatus setDependentsDirty(const MPlug& plug, MPlugArray& affected) override {
        if (plug.partialName() == "a") affected.append(own("b"));
        return MS::kSuccess;
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug.partialName() != "b") return MS::kUnknownParameter;
        block.outputValue(plug).setDouble(2 * block.inputValue(own("a")).asDouble());
        return block.setClean(plug);
    }
};

MStatus initialize(MObject object) {
    MFnPlugin plugin(object);
    plugin.registerNode("addOneFree", MTypeId(0x7f001), Free::create, Free::initialize);
    plugin.registerNode("addOneAlone", MTypeId(0x7f002), Alone::create, Alone::initialize);
    plugin.registerNode("circleOut", MTypeId(0x7f003), Circle::create, Circle::initialize);
    return plugin.registerNode("addedAttributes", MTypeId(0x7f004), Added::create, Added::initialize);
}

class Contexts : public testing::Test {
  protected:
    void SetUp() override {
        if (!pluginLoaded("contexts")) loadPlugin("contexts", initialize);
        graph.sink = [this](Severity severity, const std::string& text) {
            if (severity == Severity::Error) errors.push_back(text);
        };
    }
    // `count` nodes beside each other, and their outputs.
    std::vector<Plug> beside(const char* type, int count) {
        std::vector<Plug> all;
        for (int i = 0; i < count; ++i) {
            const NodePtr node = graph.create(type);
            node->plug("in").set(i);
            graph.connect(graph.time1()->plug("outTime"), node->plug("time"));
            all.push_back(node->plug("out"));
        }
        return all;
    }
    Graph graph;
    Graph::Scope scope{graph};
    std::vector<std::string> errors;
};

}  // namespace

TEST_F(Contexts, parallelNodesComputeAtOnceAndSerialOnesDoNot) {
    Free::most = Alone::most = 0;
    const std::vector<Plug> free = beside("addOneFree", 4), alone = beside("addOneAlone", 4);
    std::vector<Plug> all = free;
    all.insert(all.end(), alone.begin(), alone.end());
    EXPECT_EQ(evaluateParallel(graph, all, 4), Result::Done);
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(free[size_t(i)].number(), 1001 + i);
        EXPECT_EQ(alone[size_t(i)].number(), 1001 + i);
    }
    EXPECT_GT(Free::most, 1);
    EXPECT_EQ(Alone::most, 1);
}

TEST_F(Contexts, aChainIsComputedInOrder) {
    const std::vector<Plug> chain = beside("addOneFree", 5);
    for (size_t i = 1; i < chain.size(); ++i) graph.connect(chain[i - 1], chain[i].node->plug("in"));
    EXPECT_EQ(evaluateParallel(graph, {chain.back()}, 3), Result::Done);
    EXPECT_EQ(chain.back().number(), 5 + 5 * 1000);
}

TEST_F(Contexts, aContextHasItsOwnTimeAndValues) {
    const Plug out = beside("addOneFree", 1)[0];
    EXPECT_EQ(out.number(), 1001);
    {
        const MDGContextGuard guard(MDGContext(MTime(7.0)));
        EXPECT_FALSE(MDGContext::current().isNormal());
        MTime time;
        EXPECT_TRUE(MDGContext::current().getTime(time));
        EXPECT_EQ(time, MTime(7.0, MTime::kFilm));
        EXPECT_EQ(out.number(), 7001);
        const MDGContextGuard back(MDGContext::fsNormal);
        EXPECT_TRUE(MDGContext::current().isNormal());
        EXPECT_EQ(out.number(), 1001);
    }
    EXPECT_TRUE(MDGContext::current().isNormal());
    EXPECT_EQ(out.number(), 1001);
    EXPECT_EQ(graph.frame(), 1);
}

TEST_F(Contexts, severalThreadsEvaluateAtDifferentTimes) {
    const std::vector<Plug> outs = beside("addOneFree", 3);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 2; t < 6; ++t) {
        const MDGContext context(MTime(double(t), MTime::kFilm));
        threads.emplace_back([&, t, context] {
            const Graph::Scope own(graph);
            const MDGContextGuard guard(context);
            for (size_t i = 0; i < outs.size(); ++i) wrong += outs[i].number() != 1000 * t + 1 + int(i);
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(outs[0].number(), 1001);
}

TEST_F(Contexts, aCompoundConnectionIsDirtyAsAWhole) {
    const NodePtr circle = graph.create("circleOut"), ball = graph.create("transform", "ball");
    graph.connect(circle->plug("out"), ball->plug("translate"));
    for (const double x : {1.0, 4.0}) {
        circle->plug("in").set(x);
        EXPECT_EQ(ball->plug("translateZ").number(), 3 * x) << "before any other child is asked";
        EXPECT_EQ(ball->plug("translateY").number(), 2 * x);
        EXPECT_EQ(ball->plug("translateX").number(), x);
    }
}

TEST_F(Contexts, addedAttributesAreComputed) {
    const NodePtr node = graph.create("addedAttributes");
    for (const char* name : {"a", "b"}) node->addDynamic(number(name, name, 0, Kind::Double));
    for (const double x : {3.0, 5.0}) {
        node->plug("a").set(x);
        EXPECT_EQ(node->plug("b").number(), 2 * x);
    }
}

TEST_F(Contexts, aTimeAttributeHasADefault) {
    EXPECT_EQ(graph.create("addOneFree")->plug("time").number(), graph.units.ticksPerFrame);
    EXPECT_EQ(MTime(2.5).unit(), MTime::kFilm);
}

TEST_F(Contexts, curvesHaveSpansAndBounds) {
    Session session;
    const Graph::Scope own(session.graph());
    session.command("curve", {"-d", "3", "-p", "0", "0",  "0", "-p", "0", "4",  "0",
                              "-p", "2", "4",  "0", "-p", "2", "0",  "0", "-n", "arch"});
    const NodePtr shape = session.graph().nodesOfType("nurbsCurve").at(0);
    EXPECT_EQ(shape->plug("spans").number(), 1);
    EXPECT_EQ(shape->plug("degree").number(), 3);
    const auto box = std::get<std::vector<double>>(session.command("exactWorldBoundingBox", {"arch"}));
    // A Bézier arch with all its height in the inner points reaches three quarters of it.
    EXPECT_NEAR(box[4], 3, 0.01);
    EXPECT_NEAR(box[3], 2, 1e-9);
}

// --- iteration and messages

TEST_F(Contexts, theDagIsVisitedDepthOrBreadthFirst) {
    const NodePtr a = graph.create("transform", "a"), b = graph.create("transform", "b", a),
                  c = graph.create("transform", "c", b), d = graph.create("transform", "d", a);
    const auto visit = [&](MItDag::TraversalType type, const char* pruneAt) {
        std::string names;
        MItDag each;
        EXPECT_TRUE(each.reset(Api::make(a), type));
        for (; !each.isDone(); each.next()) {
            names += each.partialPathName().asChar() + std::to_string(each.depth());
            if (each.partialPathName() == pruneAt) each.prune();
        }
        return names;
    };
    EXPECT_EQ(visit(MItDag::kDepthFirst, ""), "a0b1c2d1");
    EXPECT_EQ(visit(MItDag::kBreadthFirst, ""), "a0b1d1c2");
    EXPECT_EQ(visit(MItDag::kDepthFirst, "b"), "a0b1d1");
    graph.create("locator", "l", c);
    MItDag locators(MItDag::kDepthFirst, MFn::kLocator);
    EXPECT_STREQ(locators.fullPathName().asChar(), "|a|b|c|l");
    EXPECT_EQ(locators.depth(), 4u);
    locators.next();
    EXPECT_TRUE(locators.isDone());
}

TEST_F(Contexts, callbacksHearWhatHappensUntilTheyAreRemoved) {
    std::vector<std::string> heard;
    MCallbackIdArray ids;
    ids.append(MDGMessage::addTimeChangeCallback(
        [](MTime& time, void* to) {
            static_cast<std::vector<std::string>*>(to)->push_back("time " + std::to_string(int(time.as(MTime::kFilm))));
        },
        &heard));
    ids.append(MDGMessage::addNodeAddedCallback(
        [](MObject& node, void* to) {
            static_cast<std::vector<std::string>*>(to)->push_back(std::string("new ") +
                                                                  MFnDependencyNode(node).name().asChar());
        },
        "transform", &heard));
    graph.setFrame(4);
    const NodePtr ball = graph.create("transform", "ball");
    graph.create("polyCube");
    MObject object = Api::make(std::static_pointer_cast<Object>(ball));
    ids.append(MNodeMessage::addAttributeChangedCallback(
        object,
        [](MNodeMessage::AttributeMessage message, MPlug& plug, MPlug&, void* to) {
            if (message & MNodeMessage::kAttributeSet)
                static_cast<std::vector<std::string>*>(to)->push_back(std::string("set ") +
                                                                      plug.partialName().asChar());
            if (message & MNodeMessage::kConnectionMade)
                static_cast<std::vector<std::string>*>(to)->push_back(std::string("connected ") +
                                                                      plug.partialName().asChar());
        },
        &heard));
    ids.append(MNodeMessage::addNameChangedCallback(
        object,
        [](MObject&, const MString& before, void* to) {
            static_cast<std::vector<std::string>*>(to)->push_back(std::string("was ") + before.asChar());
        },
        &heard));
    ids.append(MNodeMessage::addNodePreRemovalCallback(
        object, [](MObject&, void* to) { static_cast<std::vector<std::string>*>(to)->push_back("removed"); }, &heard));
    ball->plug("translateX").set(3);
    const NodePtr other = graph.create("transform", "other");
    graph.connect(other->plug("translateY"), ball->plug("translateY"));
    graph.rename(ball, "sphere");
    graph.remove(ball);
    EXPECT_EQ(heard, (std::vector<std::string>{"time 4", "new ball", "set tx", "new other", "connected ty", "was ball",
                                               "removed"}));
    EXPECT_TRUE(MMessage::removeCallbacks(ids));
    EXPECT_FALSE(MMessage::removeCallback(ids[0]));
    graph.setFrame(5);
    EXPECT_EQ(heard.size(), 7u);
}
