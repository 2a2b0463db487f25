// Scenes that mean harm, or are merely huge: an answer in time that grows as they do. Sizes are such that one that grew
// with their square would not come to an end.
#include <gtest/gtest.h>

#include "host/ma/load.h"

using namespace purl::host;

namespace {

struct Scene {
    Graph graph;
    LoadReport report;
    std::vector<std::string> errors;

    explicit Scene(const std::string& body) {
        graph.sink = [this](Severity, const std::string& text) { errors.push_back(text); };
        report = loadSceneText(graph, "//Maya ASCII 2024 scene\n" + body, "scene.ma");
    }
};

std::string made(const std::string& type, const std::string& name, const std::string& parent = {}) {
    return "createNode " + type + " -n \"" + name + "\"" + (parent.empty() ? "" : " -p \"" + parent + "\"") + ";\n";
}

std::string joined(const std::string& from, const std::string& to, const std::string& flags = {}) {
    return "connectAttr \"" + from + "\" \"" + to + "\"" + flags + ";\n";
}

std::string numbered(const char* stem, int i) { return stem + std::to_string(i); }

int levels(const Node* node) {
    int n = 1;
    for (; !node->parents.empty(); node = node->parents[0]) ++n;
    return n;
}

}  // namespace

TEST(Hostile, manyOfOneName) {
    constexpr int kCount = 50000;
    std::string text;
    for (int i = 0; i < kCount; ++i) text += made("transform", "t");
    for (int i = 0; i < kCount; ++i) text += "createNode nobodyKnows;\n";
    const Scene scene(text);
    EXPECT_TRUE(scene.graph.find(numbered("t", kCount - 1)));
    EXPECT_TRUE(scene.graph.find(numbered("nobodyKnows", kCount)));
    EXPECT_EQ(scene.report.unknownTypes.at("nobodyKnows"), kCount);
}

TEST(Hostile, manyShapesOfOneNameUnderManyParents) {
    constexpr int kCount = 30000;
    std::string text;
    for (int i = 0; i < kCount; ++i)
        text += made("transform", numbered("g", i)) + made("transform", "geo", numbered("g", i));
    for (int i = 0; i < kCount; ++i) text += "setAttr \"" + numbered("g", i) + "|geo.tx\" " + std::to_string(i) + ";\n";
    Scene scene(text);
    EXPECT_EQ(scene.graph.plug("g29999|geo.tx").number(), 29999);
    EXPECT_EQ(scene.report.warnings, std::vector<std::string>());
    EXPECT_FALSE(scene.graph.find("geo"));  // which of them?
}

TEST(Hostile, aSetOfManyMembers) {
    constexpr int kCount = 50000;
    std::string text = made("objectSet", "all");
    for (int i = 0; i < kCount; ++i) text += made("transform", numbered("t", i));
    for (int i = 0; i < kCount; ++i) text += joined(numbered("t", i) + ".iog", "all.dsm", " -na");
    Scene scene(text);
    const Plug members = scene.graph.plug("all.dsm");
    EXPECT_EQ(members.element(kCount - 1).source().node->name, numbered("t", kCount - 1));
    // What is let go is the next to be filled.
    scene.graph.disconnect(members.element(7).source(), members.element(7));
    EXPECT_EQ(scene.graph.nextAvailable(members), members.element(7));
}

TEST(Hostile, manyAttributes) {
    constexpr int kCount = 30000;
    std::string text = made("nobodyKnows", "s");
    for (int i = 0; i < kCount; ++i) text += "\tsetAttr \".a" + std::to_string(i) + "\" 1;\n";
    text += made("transform", "t");
    for (int i = 0; i < kCount; ++i)
        text += "\taddAttr -ci true -sn \"q" + std::to_string(i) + "\" -ln \"quality" + std::to_string(i) +
                "\" -at \"double\";\n";
    Scene scene(text);
    EXPECT_EQ(scene.graph.get("s")->kept.size(), size_t(kCount));
    EXPECT_TRUE(scene.graph.get("t")->find("q29999"));
    scene.graph.get("t")->removeDynamic(scene.graph.get("t")->find("quality3"));
    EXPECT_FALSE(scene.graph.get("t")->find("q3"));
    EXPECT_TRUE(scene.graph.get("t")->find("quality4"));
}

TEST(Hostile, aHierarchyWithoutEnd) {
    std::string text = made("transform", "t0");
    for (int i = 1; i < 20000; ++i) text += made("transform", numbered("t", i), numbered("t", i - 1));
    const Scene scene(text);
    EXPECT_LE(levels(scene.graph.get("t19999").get()), 2000);
    ASSERT_FALSE(scene.report.warnings.empty());
    EXPECT_NE(scene.report.warnings[0].find("too deep in the hierarchy"), std::string::npos);
    EXPECT_TRUE(scene.errors.empty());
}

TEST(Hostile, warningsHaveAnEnd) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "setAttr \"nodot\" 1;\n";
    const Scene scene(text);
    EXPECT_EQ(scene.report.warnings.size(), LoadReport::kMostWarnings);
    EXPECT_EQ(scene.report.moreWarnings, 5000 - int(LoadReport::kMostWarnings));
    EXPECT_NE(scene.report.summary().find("5000 warnings of which 100 are shown"), std::string::npos);
}

// Two ways down at each of sixty levels are more ways than atoms.
TEST(Hostile, instancesOfInstances) {
    std::string text = made("transform", "g0");
    for (int i = 1; i < 60; ++i) {
        const std::string above = numbered("g", i - 1), a = numbered("a", i), b = numbered("b", i),
                          here = numbered("g", i);
        text += made("transform", a, above) + made("transform", b, above) + made("transform", here, a) +
                "parent -add \"" + here + "\" \"" + b + "\";\n";
    }
    text += "setAttr \"g0.tx\" 5;\n";
    const Scene scene(text);
    EXPECT_LE(scene.graph.dagPaths(*scene.graph.get("g59")).size(), kMostPaths);
    EXPECT_GT(scene.graph.dagPaths(*scene.graph.get("g10")).size(), 1000u);  // those that can be are there
    ASSERT_FALSE(scene.report.warnings.empty());
    EXPECT_NE(scene.report.warnings[0].find("instances of instances"), std::string::npos);
}

TEST(Hostile, cyclesAreTold) {
    Scene scene(made("addDoubleLinear", "a0") + made("addDoubleLinear", "a1") + made("addDoubleLinear", "a2") +
                joined("a0.o", "a1.i1") + joined("a1.o", "a2.i1") + joined("a2.o", "a0.i1") + made("transform", "b0") +
                made("transform", "b1") + joined("b0.tx", "b1.tx") + joined("b1.tx", "b0.tx"));
    scene.graph.plug("a1.o").evaluate();
    ASSERT_FALSE(scene.errors.empty());
    EXPECT_NE(scene.errors.back().find("cycle"), std::string::npos);
    scene.errors.clear();
    EXPECT_EQ(scene.graph.plug("b1.tx").evaluate(), Result::Failed);
    ASSERT_FALSE(scene.errors.empty());
    EXPECT_NE(scene.errors.back().find("cycle"), std::string::npos);
}

TEST(Hostile, aChainWithoutEnd) {
    constexpr int kCount = 20000;
    std::string text;
    for (int i = 0; i < kCount; ++i) text += made("addDoubleLinear", numbered("a", i)) + "\tsetAttr \".i2\" 1;\n";
    for (int i = 1; i < kCount; ++i) text += joined(numbered("a", i - 1) + ".o", numbered("a", i) + ".i1");
    Scene scene(text);
    scene.graph.plug("a19999.o").evaluate();
    ASSERT_FALSE(scene.errors.empty());
    EXPECT_NE(scene.errors.back().find("depend on one another"), std::string::npos);
    EXPECT_EQ(scene.graph.plug("a500.o").number(), 501);  // a long one is not too long
}
