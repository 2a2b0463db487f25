// The graph: dirty propagation, evaluation, arrays, compounds, units, connections, the DAG, concurrent graphs.
#include "host/graph/graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "tests/host/testPlugin.h"

namespace purl::host {
namespace {

struct GraphTest : testing::Test {
    Graph graph;
    Said said{graph};
    Graph::Scope scope{graph};
    static void SetUpTestSuite() { loadTestPlugin(); }
    void SetUp() override { sumComputes = 0; }
    NodePtr sum(const char* name = "") { return graph.create("testSum", name); }
};

TEST_F(GraphTest, evaluatesLazilyAndOnlyOnce) {
    const NodePtr n = sum();
    EXPECT_EQ(sumComputes, 0);
    EXPECT_EQ(n->plug("sum").number(), 3);
    EXPECT_EQ(n->plug("s").number(), 3);
    EXPECT_EQ(sumComputes, 1);
    n->plug("first").set(5);
    EXPECT_EQ(sumComputes, 1);
    EXPECT_EQ(n->plug("sum").number(), 7);
    EXPECT_EQ(sumComputes, 2);
}

TEST_F(GraphTest, anAttributeThatAffectsNothingDirtiesNothing) {
    const NodePtr n = sum();
    n->plug("sum").number();
    n->plug("lonely").set(9);
    n->plug("gain").set(9);
    n->plug("sum").number();
    EXPECT_EQ(sumComputes, 1);
}

TEST_F(GraphTest, dirtyFlagsPropagateOnlyDownstream) {
    const NodePtr a = sum("a"), b = sum("b"), c = sum("c");
    graph.connect(a->plug("sum"), b->plug("first"));
    graph.connect(b->plug("sum"), c->plug("first"));
    EXPECT_EQ(c->plug("sum").number(), 7);  // ((1+2)+2)+2
    EXPECT_EQ(sumComputes, 3);
    b->plug("second").set(10);
    EXPECT_EQ(c->plug("sum").number(), 15);
    EXPECT_EQ(sumComputes, 5);  // a is still clean
    a->plug("first").set(0);
    EXPECT_EQ(b->plug("sum").number(), 12);
    EXPECT_EQ(sumComputes, 7);  // c was not evaluated
    EXPECT_EQ(c->plug("sum").number(), 14);
}

TEST_F(GraphTest, aDiamondComputesItsTopOnce) {
    const NodePtr top = sum("top"), left = sum("left"), right = sum("right"), bottom = sum("bottom");
    for (const NodePtr& side : {left, right}) graph.connect(top->plug("sum"), side->plug("first"));
    graph.connect(left->plug("sum"), bottom->plug("first"));
    graph.connect(right->plug("sum"), bottom->plug("second"));
    EXPECT_EQ(bottom->plug("sum").number(), 10);
    EXPECT_EQ(sumComputes, 4);
    top->plug("first").set(2);
    EXPECT_EQ(bottom->plug("sum").number(), 12);
    EXPECT_EQ(sumComputes, 8);
}

TEST_F(GraphTest, aCycleIsReportedWithThePlugAndEnds) {
    const NodePtr a = sum("a"), b = sum("b");
    graph.connect(a->plug("sum"), b->plug("first"));
    graph.connect(b->plug("sum"), a->plug("first"));
    EXPECT_EQ(a->plug("sum").evaluate(), Result::Failed);
    ASSERT_FALSE(said.errors.empty());
    EXPECT_NE(said.errors[0].find("a.sum depends on itself"), std::string::npos) << said.errors[0];
    graph.disconnect(b->plug("sum"), a->plug("first"));
    EXPECT_EQ(a->plug("sum").evaluate(), Result::Done);
}

TEST_F(GraphTest, arraysAreSparseAndOrderedByIndex) {
    const NodePtr n = sum();
    n->plug("terms[7]").set(70);
    n->plug("terms[2]").set(20);
    EXPECT_EQ(n->plug("terms").elements(), (std::vector<int>{2, 7}));
    EXPECT_EQ(n->plug("sum").number(), 93);
    n->plug("terms[7]").set(0);
    EXPECT_EQ(n->plug("sum").number(), 23);
}

TEST_F(GraphTest, aBuilderReplacesTheWholeArray) {
    const NodePtr n = sum();
    n->plug("terms[1]").set(10);
    n->plug("terms[3]").set(30);
    const Plug echo = n->plug("echo");
    echo.evaluate();
    EXPECT_EQ(echo.elements(), (std::vector<int>{2, 6}));
    EXPECT_EQ(echo.element(6).number(), 30);
    n->plug("terms[3]").set(33);
    EXPECT_EQ(n->plug("echo[6]").number(), 33);
}

TEST_F(GraphTest, nextAvailableTakesTheFirstFreeElement) {
    const NodePtr a = sum("a"), b = sum("b");
    graph.connect(a->plug("sum"), b->plug("terms[0]"));
    graph.connect(a->plug("sum"), b->plug("terms[2]"));
    const Plug free = graph.nextAvailable(b->plug("terms"));
    EXPECT_EQ(free.name(), "b.terms[1]");
    graph.connect(a->plug("sum"), free);
    EXPECT_EQ(graph.nextAvailable(b->plug("terms")).indices.back(), 3);
    EXPECT_EQ(b->plug("sum").number(), 12);
}

TEST_F(GraphTest, disconnectingMayDeleteTheElement) {
    const NodePtr a = sum("a"), b = sum("b");
    graph.connect(a->plug("sum"), b->plug("terms[4]"));
    EXPECT_EQ(b->plug("sum").number(), 6);
    graph.disconnect(a->plug("sum"), b->plug("terms[4]"));
    EXPECT_TRUE(b->plug("terms").elements().empty());
    EXPECT_EQ(b->plug("sum").number(), 3);
}

TEST_F(GraphTest, childrenAndParentShareTheirNumbers) {
    const NodePtr n = sum();
    EXPECT_EQ(n->plug("scaled").vec3(), (std::array<double, 3>{2, 4, 6}));
    n->plug("offsetY").set(10);
    EXPECT_EQ(n->plug("offset").vec3()[1], 10);
    EXPECT_EQ(n->plug("scaledY").number(), 20);
    n->plug("offset").set(0, 0, 1);
    EXPECT_EQ(n->plug("of.ofy").number(), 0);
    EXPECT_EQ(n->plug("scaled").vec3(), (std::array<double, 3>{0, 0, 2}));
}

TEST_F(GraphTest, compoundsConnectChildByChildOrWhole) {
    const NodePtr a = sum("a"), b = sum("b"), c = sum("c");
    graph.connect(a->plug("scaled"), b->plug("offset"));
    graph.connect(a->plug("scaledZ"), c->plug("offsetX"));
    EXPECT_EQ(b->plug("scaled").vec3(), (std::array<double, 3>{4, 8, 12}));
    EXPECT_EQ(b->plug("offsetX").number(), 2);
    EXPECT_EQ(c->plug("scaled").vec3(), (std::array<double, 3>{12, 4, 6}));
    a->plug("offsetZ").set(5);
    EXPECT_EQ(b->plug("scaledZ").number(), 20);
    EXPECT_EQ(c->plug("scaledX").number(), 20);
    EXPECT_EQ(b->plug("scaledX").number(), 4);
}

TEST_F(GraphTest, arraysOfCompoundsTakeFlattenedNumbersAndText) {
    const NodePtr n = sum();
    n->plug("p[3].weight").set(0.5);
    n->plug("pair[3].label").set("wool");
    EXPECT_FLOAT_EQ(float(n->plug("pair[3].w").number()), 0.5f);
    EXPECT_EQ(n->plug("p[3].l").text(), "wool");
    EXPECT_EQ(n->plug("pair").elements(), std::vector<int>{3});
    EXPECT_EQ(n->plugs("terms[2:4]").size(), 3u);
}

TEST_F(GraphTest, valuesOutOfRangeAreRefusedAndTheOldOneStays) {
    const NodePtr n = sum("water");
    EXPECT_EQ(errorOf([&] { n->plug("first").set(500); }), "water.first: value 500 is above the maximum 100");
    EXPECT_EQ(errorOf([&] { n->plug("first").set(-11); }), "water.first: value -11 is below the minimum -10");
    EXPECT_EQ(errorOf([&] { n->plug("first").set(std::nan("")); }), "water.first: value is not a finite number");
    EXPECT_EQ(n->plug("first").number(), 1);
    n->plug("first").setLocked(true);
    EXPECT_EQ(errorOf([&] { n->plug("first").set(2); }), "water.first is locked");
}

TEST_F(GraphTest, textSetsValuesAndMistakesSuggestTheNearestName) {
    sum("water");
    auto set = [&](const char* text) { return errorOf([&] { setAttribute(graph, text); }); };
    EXPECT_EQ(set("water.first=5.5"), "");
    EXPECT_EQ(graph.plug("water.first").number(), 5.5);
    EXPECT_EQ(set("water.mode=minus and more"), "");
    EXPECT_EQ(graph.plug("water.mode").asText(), "minus and more");
    EXPECT_EQ(set("water.offset=1 2 3.5"), "");
    EXPECT_EQ(graph.plug("water.offset").asText(), "1 2 3.5");
    EXPECT_EQ(set("water.pair[0].label=a b"), "");
    EXPECT_EQ(graph.plug("water.pair[0].label").asText(), "a b");
    EXPECT_EQ(set("watre.first=1"), "no node named watre; did you mean water?");
    EXPECT_EQ(set("water.frist=1"), "water (testSum) has no attribute frist; did you mean first?");
    EXPECT_EQ(set("water.first=wet"), "water.first: 'wet' is not a number");
    EXPECT_EQ(set("water.lonely=1.5"), "water.lonely: '1.5' is not an integer");
    EXPECT_EQ(set("water.mode=both"), "water.mode: 'both' is not one of plus, minus and more");
    EXPECT_EQ(set("water.offset=1 2"), "water.offset needs 3 values, got '1 2'");
    EXPECT_EQ(set("water.first=101"), "water.first: value 101 is above the maximum 100");
    EXPECT_EQ(set("water.first"), "'water.first': expected node.attribute=value");
    EXPECT_EQ(graph.plug("water.first").number(), 5.5);
}

TEST_F(GraphTest, invalidConnectionsAreRefusedWithAReason) {
    const NodePtr a = sum("a"), b = sum("b");
    auto connect = [&](const char* s, const char* d) {
        return errorOf([&] { graph.connect(graph.plug(s), graph.plug(d)); });
    };
    EXPECT_EQ(connect("a.first", "b.sum"), "cannot connect a.first to b.sum: the destination is not writable");
    EXPECT_EQ(connect("a.pair[0].label", "b.first"),
              "cannot connect a.pair[0].label to b.first: incompatible types string and double");
    EXPECT_EQ(connect("a.offset", "b.first"),
              "cannot connect a.offset to b.first: incompatible types float3 and double");
    EXPECT_EQ(connect("a.first", "b.terms"),
              "cannot connect a.first to b.terms: incompatible types double and double array");
    EXPECT_EQ(connect("a.first", "b.first"), "");
    EXPECT_EQ(connect("a.second", "b.first"), "b.first is already connected to a.first; disconnect it or use -force");
    graph.connect(a->plug("second"), b->plug("first"), true);
    EXPECT_EQ(b->plug("first").number(), 2);
    EXPECT_EQ(errorOf([&] { b->plug("first").set(1); }), "b.first is driven by a.second; disconnect it first");
    EXPECT_TRUE(a->plug("first").destinations().empty());
}

TEST_F(GraphTest, aDisconnectedPlugKeepsItsLastValue) {
    const NodePtr a = sum("a"), b = sum("b");
    graph.connect(a->plug("sum"), b->plug("first"));
    a->plug("first").set(40);
    graph.disconnect(a->plug("sum"), b->plug("first"));
    EXPECT_EQ(b->plug("sum").number(), 44);
    a->plug("first").set(0);
    EXPECT_EQ(b->plug("sum").number(), 44);
}

TEST_F(GraphTest, connectionsConvertBetweenUnits) {
    const NodePtr u = graph.create("testUnit"), n = sum();
    graph.connect(u->plug("turn"), n->plug("first"));   // stored in radians, converted to degrees
    graph.connect(u->plug("when"), n->plug("second"));  // stored in ticks, converted to frames
    EXPECT_NEAR(n->plug("sum").number(), 90 + 10, 1e-12);
    graph.connect(n->plug("lonely"), u->plug("length"));  // 7 → 7 cm
    EXPECT_EQ(u->plug("outLength").number(), 7);
    graph.units.setLinear("m");
    graph.dirty(n->plug("lonely"));
    EXPECT_EQ(u->plug("outLength").number(), 700);
}

TEST_F(GraphTest, textUsesTheUnitsOfTheScene) {
    const NodePtr u = graph.create("testUnit", "u");
    EXPECT_EQ(u->plug("length").number(), 200);  // the default: two metres
    EXPECT_EQ(u->plug("turn").asText(), "90");
    graph.units.setLinear("inch");
    setAttribute(graph, "u.length=10");
    EXPECT_NEAR(u->plug("length").number(), 25.4, 1e-12);
    graph.units.setTime("pal");
    setAttribute(graph, "u.when=50");
    EXPECT_EQ(u->plug("when").number(), 2 * kTicksPerSecond);
}

TEST_F(GraphTest, timeDirtiesItsDependents) {
    const NodePtr n = sum();
    graph.connect(graph.time1()->plug("outTime"), n->plug("first"));
    graph.setFrame(10);
    EXPECT_EQ(n->plug("sum").number(), 12);
    graph.setFrame(24.5);
    EXPECT_EQ(n->plug("sum").number(), 26.5);
    EXPECT_EQ(graph.frame(), 24.5);
}

TEST_F(GraphTest, worldMatricesFollowTheirAncestors) {
    const NodePtr a = graph.create("transform", "a"), b = graph.create("transform", "b", a);
    a->plug("translate").set(1, 0, 0);
    b->plug("translate").set(0, 2, 0);
    const Plug world = b->plug("worldMatrix[0]");
    EXPECT_EQ(world.matrix()(3, 0), 1);
    EXPECT_EQ(world.matrix()(3, 1), 2);
    a->plug("rotateZ").set(std::acos(-1.0) / 2);
    EXPECT_NEAR(world.matrix()(3, 0), -1, 1e-12);  // b's offset now points along -x
    EXPECT_NEAR(b->plug("parentMatrix[0]").matrix()(0, 1), 1, 1e-12);
    EXPECT_TRUE((world.matrix() * b->plug("worldInverseMatrix[0]").matrix()).isEquivalent(MMatrix::identity));
    graph.setParent(b, nullptr);
    EXPECT_NEAR(world.matrix()(3, 0), 0, 1e-12);
    EXPECT_NEAR(world.matrix()(3, 1), 2, 1e-12);
}

TEST_F(GraphTest, instancesHaveOneWorldMatrixEach) {
    const NodePtr a = graph.create("transform", "a"), b = graph.create("transform", "b");
    const NodePtr shape = graph.create("locator", "shape", a);
    graph.addInstance(shape, b);
    a->plug("tx").set(1);
    b->plug("tx").set(2);
    EXPECT_EQ(shape->plug("worldMatrix[0]").matrix()(3, 0), 1);
    EXPECT_EQ(shape->plug("worldMatrix[1]").matrix()(3, 0), 2);
    EXPECT_EQ(Graph::fullName(graph.dagPaths(*shape)[1]), "|b|shape");
    b->plug("tx").set(5);
    EXPECT_EQ(shape->plug("worldMatrix[1]").matrix()(3, 0), 5);
    EXPECT_EQ(errorOf([&] { graph.setParent(a, a); }),
              "a cannot be parented under a: the hierarchy would form a cycle");
}

TEST_F(GraphTest, namesAreUniqueOnlyAmongSiblings) {
    const NodePtr a = graph.create("transform", "a"), b = graph.create("transform", "b");
    const NodePtr x = graph.create("transform", "x", a), y = graph.create("transform", "x", b);
    EXPECT_EQ(y->name, "x");
    EXPECT_EQ(graph.create("transform", "x", a)->name, "x1");
    EXPECT_EQ(graph.find("x"), nullptr);
    EXPECT_EQ(graph.find("a|x"), x);
    EXPECT_EQ(graph.find("|b|x"), y);
    EXPECT_EQ(graph.dagName(y), "b|x");
    EXPECT_EQ(errorOf([&] { graph.get("x"); }), "several nodes are named x; use a path such as |group1|x");
    graph.rename(y, "y");
    EXPECT_EQ(graph.find("y"), y);
    EXPECT_EQ(sum("a")->name, "a1");
}

TEST_F(GraphTest, removingANodeRemovesItsChildrenAndConnections) {
    const NodePtr a = graph.create("transform", "a"), b = graph.create("transform", "b", a), n = sum("n");
    graph.connect(b->plug("tx"), n->plug("first"));
    graph.remove(a);
    EXPECT_EQ(graph.find("b"), nullptr);
    EXPECT_FALSE(n->plug("first").isConnected());
    EXPECT_EQ(b->plug("tx").evaluate(), Result::Failed);
    EXPECT_EQ(n->plug("sum").number(), 2);
}

TEST_F(GraphTest, unknownTypesBecomePlaceholders) {
    const NodePtr n = graph.create("someOtherPluginsNode", "strange");
    EXPECT_TRUE(n->type->placeholder);
    n->addDynamic(number("fluff", "fl", 3));
    EXPECT_EQ(n->plug("fluff").number(), 3);
    const NodePtr s = sum();
    graph.connect(n->plug("fluff"), s->plug("first"));
    EXPECT_EQ(s->plug("sum").number(), 5);
}

TEST_F(GraphTest, dynamicAttributesCanBeAddedAndRemoved) {
    const NodePtr a = sum("a"), b = sum("b");
    const AttrPtr wet = a->addDynamic(range(number("wetness", "wet", 0.25), 0, 1));
    EXPECT_EQ(a->plug("wet").number(), 0.25);
    EXPECT_FALSE(b->has("wet"));
    graph.connect(a->plug("wet"), b->plug("first"));
    EXPECT_EQ(errorOf([&] { a->addDynamic(number("wetness", "w2")); }), "a already has an attribute wetness");
    a->removeDynamic(wet);
    EXPECT_FALSE(a->has("wetness"));
    EXPECT_FALSE(b->plug("first").isConnected());
    EXPECT_EQ(b->plug("first").number(), 0.25);
}

TEST_F(GraphTest, managedEvaluationGivesTheSameValuesAndCallsTheHooks) {
    const NodePtr a = sum("a"), b = sum("b");
    graph.connect(a->plug("sum"), b->plug("second"));
    evaluationLog.clear();
    EXPECT_EQ(evaluateManaged(graph, {b->plug("sum")}), Result::Done);
    EXPECT_EQ(evaluationLog, (std::vector<std::string>{"pre a", "post a", "pre b second", "post b"}));
    EXPECT_EQ(b->plug("sum").number(), 4);
    const int computes = sumComputes;
    evaluateManaged(graph, {b->plug("sum")});
    EXPECT_EQ(sumComputes, computes);
}

TEST(Graphs, areIndependent) {
    loadTestPlugin();
    Graph first, second;
    const NodePtr a = first.create("testSum", "n"), b = second.create("testSum", "n");
    a->plug("first").set(10);
    EXPECT_EQ(a->plug("sum").number(), 12);
    EXPECT_EQ(b->plug("sum").number(), 3);
    first.setFrame(5);
    EXPECT_EQ(second.frame(), 1);
    EXPECT_NE(errorOf([&] { first.connect(a->plug("sum"), b->plug("first")); }).find("not in the same scene"),
              std::string::npos);
}

TEST(Graphs, evaluateOnSeveralThreads) {
    loadTestPlugin();
    std::vector<double> sums(4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            Graph graph;
            Graph::Scope scope(graph);
            graph.create("nodeOfNobody" + std::to_string(t % 2));
            const NodePtr n = graph.create("testSum");
            for (int i = 0; i < 100; ++i) n->plug("terms").element(i).set(t);
            sums[t] = n->plug("echo").element(2 * 99).number();
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(sums, (std::vector<double>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace purl::host
