// Malicious or huge scenes load, or fail, in linear time. The sizes are chosen so that quadratic time would not finish.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "host/file.h"
#include "host/host.h"
#include "host/ma/load.h"
#include "host/ma/loader.h"
#include "host/shapes/animCurve.h"
#include "tests/host/smallStack.h"

using namespace purl::host;
namespace fs = std::filesystem;

namespace {

const std::string kHeader = "//Maya ASCII 2024 scene\n";

struct Scene {
    Graph graph;
    LoadReport report;
    std::vector<std::string> errors;

    explicit Scene(const std::string& body) {
        graph.sink = [this](Severity, const std::string& text) { errors.push_back(text); };
        report = loadSceneText(graph, kHeader + body, "scene.ma");
    }
    explicit Scene(const fs::path& file) { report = loadScene(graph, file.string()); }
};

// A folder of scene files for one test.
struct Folder {
    const fs::path path;

    Folder() : path(fs::temp_directory_path() / ("purl_hostile_" + std::to_string(::getpid()))) {
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    fs::path file(const std::string& name, const std::string& body) const {
        std::ofstream(path / name, std::ios::binary) << kHeader << body;
        return path / name;
    }
};

std::string referring(const std::string& file, int k = 0) {
    return "file -r -ns \"n" + std::to_string(k) + "\" -rfn \"n" + std::to_string(k) + "RN\" -typ \"mayaAscii\" \"" +
           file + "\";\n";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string refusalOf(const std::string& path) {
    Graph graph;
    try {
        loadScene(graph, path);
    } catch (const Error& e) { return e.what(); }
    return "";
}

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
    EXPECT_FALSE(scene.graph.find("geo"));  // ambiguous
}

TEST(Hostile, aSetOfManyMembers) {
    constexpr int kCount = 50000;
    std::string text = made("objectSet", "all");
    for (int i = 0; i < kCount; ++i) text += made("transform", numbered("t", i));
    for (int i = 0; i < kCount; ++i) text += joined(numbered("t", i) + ".iog", "all.dsm", " -na");
    Scene scene(text);
    const Plug members = scene.graph.plug("all.dsm");
    EXPECT_EQ(members.element(kCount - 1).source().node->name, numbered("t", kCount - 1));
    // A disconnected element is the next available one.
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

TEST(Hostile, hierarchyDepthIsLimited) {
    std::string text = made("transform", "t0");
    for (int i = 1; i < 20000; ++i) text += made("transform", numbered("t", i), numbered("t", i - 1));
    const Scene scene(text);
    EXPECT_LE(levels(scene.graph.get("t19999").get()), 2000);
    ASSERT_FALSE(scene.report.warnings.empty());
    EXPECT_NE(scene.report.warnings[0].find("too deep in the hierarchy"), std::string::npos);
    EXPECT_TRUE(scene.errors.empty());
}

TEST(Hostile, numberOfWarningsIsLimited) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "setAttr \"nodot\" 1;\n";
    const Scene scene(text);
    EXPECT_EQ(scene.report.warnings.size(), LoadReport::kMaxWarnings);
    EXPECT_EQ(scene.report.moreWarnings, 5000 - int(LoadReport::kMaxWarnings));
    EXPECT_NE(scene.report.summary().find("5000 warnings of which 100 are shown"), std::string::npos);
}

// Two instances at each of sixty levels make 2⁶⁰ DAG paths.
TEST(Hostile, nestedInstancingIsLimited) {
    std::string text = made("transform", "g0");
    for (int i = 1; i < 60; ++i) {
        const std::string above = numbered("g", i - 1), a = numbered("a", i), b = numbered("b", i),
                          here = numbered("g", i);
        text += made("transform", a, above) + made("transform", b, above) + made("transform", here, a) +
                "parent -add \"" + here + "\" \"" + b + "\";\n";
    }
    text += "setAttr \"g0.tx\" 5;\n";
    const Scene scene(text);
    EXPECT_LE(scene.graph.dagPaths(*scene.graph.get("g59")).size(), kMaxPaths);
    EXPECT_GT(scene.graph.dagPaths(*scene.graph.get("g10")).size(), 1000u);  // those below the limit exist
    ASSERT_FALSE(scene.report.warnings.empty());
    EXPECT_NE(scene.report.warnings[0].find("nested instancing"), std::string::npos);
}

TEST(Hostile, cyclesAreReported) {
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

TEST(Hostile, chainLengthIsLimited) {
    constexpr int kCount = 20000;
    std::string text;
    for (int i = 0; i < kCount; ++i) text += made("addDoubleLinear", numbered("a", i)) + "\tsetAttr \".i2\" 1;\n";
    for (int i = 1; i < kCount; ++i) text += joined(numbered("a", i - 1) + ".o", numbered("a", i) + ".i1");
    onSmallStack([&] {
        Scene scene(text);
        scene.graph.plug("a19999.o").evaluate();
        ASSERT_FALSE(scene.errors.empty());
        EXPECT_TRUE(has(scene.errors.back(), "depend on each other")) << scene.errors.back();
        EXPECT_EQ(scene.graph.plug("a500.o").number(), 501);  // a chain of 500 is within the limit
        const Plug last = scene.graph.plug("a19999.o");
        evaluateManaged(scene.graph, {last});  // the evaluation manager needs no recursion
        EXPECT_EQ(last.number(), 20000);
    });
}

TEST(Hostile, theDeepestHierarchyNeedsNoLargeStack) {
    std::string text = made("transform", "t0") + "\tsetAttr \".tx\" 1;\n";
    for (int i = 1; i < 2000; ++i)
        text += made("transform", numbered("t", i), numbered("t", i - 1)) + "\tsetAttr \".tx\" 1;\n";
    onSmallStack([&] {
        Scene scene(text);
        const NodePtr last = scene.graph.get("t1999");
        EXPECT_EQ(scene.graph.worldMatrix(scene.graph.dagPaths(*last).front())(3, 0), 2000);
        EXPECT_EQ(last->plug("worldMatrix").element(0).matrix()(3, 0), 2000);
        scene.graph.plug("t0.tx").set(5);
        scene.graph.remove(scene.graph.get("t0"));
        EXPECT_FALSE(scene.graph.find("t1999"));
    });
}

// --- files and references

TEST(Hostile, aFileThatReferencesItselfIsReported) {
    const Folder folder;
    std::string text;
    for (int k = 0; k < 10; ++k) text += referring("self.ma", k);
    const Scene scene(folder.file("self.ma", text + made("transform", "ball")));
    EXPECT_EQ(scene.report.references, std::vector<std::string>());
    ASSERT_EQ(scene.report.warnings.size(), 10u);
    EXPECT_TRUE(has(scene.report.warnings[0], "self.ma: references itself")) << scene.report.warnings[0];
    EXPECT_EQ(scene.graph.nodesOfType("transform").size(), 5u);  // the ball and the four default cameras
}

TEST(Hostile, cyclesOfReferencesAreReported) {
    const Folder folder;
    folder.file("b.ma", referring("c.ma"));
    folder.file("c.ma", referring("./a.ma") + made("transform", "ball"));
    const Scene scene(folder.file("a.ma", referring("b.ma")));
    EXPECT_EQ(scene.report.references.size(), 2u);
    ASSERT_EQ(scene.report.warnings.size(), 1u);
    EXPECT_TRUE(has(scene.report.warnings[0], "a.ma: references itself")) << scene.report.warnings[0];
    EXPECT_TRUE(scene.graph.find("n0:n0:ball"));
}

// Each of fifteen files refers to the next one twice: 32766 files would be read.
TEST(Hostile, numberOfReferencesIsLimited) {
    const Folder folder;
    for (int k = 1; k < 15; ++k) {
        const std::string next = numbered("f", k + 1) + ".ma";
        folder.file(numbered("f", k) + ".ma", referring(next, 1) + referring(next, 2));
    }
    folder.file("f15.ma", "");
    const Scene scene(folder.path / "f1.ma");
    EXPECT_EQ(scene.report.references.size(), size_t(FilesRead::kMaxReferences));
    ASSERT_FALSE(scene.report.warnings.empty());
    EXPECT_TRUE(has(scene.report.warnings[0], "a scene can have at most 10000 references")) << scene.report.warnings[0];
}

TEST(Hostile, aReferenceWithOneBraceIsAName) {
    const Folder folder;
    const Scene scene(folder.file("a.ma", referring("foo}") + referring("}") + made("transform", "ball")));
    ASSERT_EQ(scene.report.warnings.size(), 2u);
    EXPECT_TRUE(has(scene.report.warnings[0], "the referenced file foo} does not exist"));
    EXPECT_TRUE(scene.graph.find("ball"));
}

TEST(Hostile, filesThatAreNotScenesAreRefusedImmediately) {
    const Folder folder;
    EXPECT_EQ(refusalOf("/dev/zero"), "/dev/zero: is a device or a pipe; expected a .ma file");
    const std::string pipe = (folder.path / "pipe.ma").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(refusalOf(pipe), pipe + ": is a device or a pipe; expected a .ma file");
    EXPECT_TRUE(has(refusalOf(folder.path.string()), "is a folder"));
    EXPECT_TRUE(has(refusalOf(std::string(5000, 'x')), "no such file"));
    const fs::path large = folder.file("large.ma", "");
    fs::resize_file(large, kMaxSceneBytes + 1);  // a sparse file: takes no disk space
    EXPECT_TRUE(has(refusalOf(large.string()), "is larger than 2048 MB"));
    fs::resize_file(large, kMaxSceneBytes);
    EXPECT_TRUE(has(refusalOf(large.string()), "has a NUL byte at 24"));
}

TEST(Hostile, loadingCanBeCancelled) {
    const Folder folder;
    const fs::path file = folder.file("a.ma", made("transform", "ball"));
    requestInterrupt();
    Graph graph;
    EXPECT_THROW(loadSceneText(graph, kHeader + made("transform", "ball"), "scene.ma"), Interrupted);
    EXPECT_THROW(loadScene(graph, file.string()), Interrupted);
    clearInterrupt();
    EXPECT_FALSE(graph.find("ball"));
}

// --- values

TEST(Hostile, compoundDepthIsLimited) {
    std::string text = made("transform", "t");
    for (int i = 0; i < 60000; ++i)
        text += "\taddAttr -ci true -sn \"" + numbered("c", i) + "\" -ln \"" + numbered("c", i) +
                "\" -at \"compound\" -nc 1" + (i ? " -p \"" + numbered("c", i - 1) + "\"" : "") + ";\n";
    const Scene scene(text);
    EXPECT_TRUE(scene.graph.get("t")->find("c15"));
    EXPECT_FALSE(scene.graph.get("t")->find("c16"));
    ASSERT_FALSE(scene.report.warnings.empty());
    EXPECT_TRUE(has(scene.report.warnings[0], "compounds can be nested at most 16 levels deep"));
}

TEST(Hostile, numberOfCompoundChildrenIsLimited) {
    std::string text = made("transform", "t") + "\taddAttr -ln \"all\" -at \"compound\" -nc 2000000000;\n";
    for (int i = 0; i < 60000; ++i) text += "\taddAttr -ln \"" + numbered("c", i) + "\" -at \"double\" -p \"all\";\n";
    const Scene scene(text);
    EXPECT_TRUE(scene.graph.get("t")->find("c4095"));
    EXPECT_FALSE(scene.graph.get("t")->find("c4096"));
    ASSERT_FALSE(scene.report.warnings.empty());
    EXPECT_TRUE(has(scene.report.warnings[0], "a compound can have at most 4096 children"));
}

TEST(Hostile, indexRangesAllocateNoMemory) {
    const std::string values[] = {"\"sum.input1D[0:999999999]\" 1",
                                  "-l on \"sum.input1D[0:999999999]\"",
                                  "-k off \"sum.input1D[0:999999999]\"",
                                  "\"sum.input1D[0:1000000000000000000]\" 1",
                                  "\"sum.input1D[-9000000000000000000:9000000000000000000]\" 1",
                                  "\"sum.input1D[2147483647]\" 1"};
    std::string text = made("plusMinusAverage", "sum");
    for (const std::string& value : values) text += "setAttr " + value + ";\n";
    Scene scene(text);
    EXPECT_TRUE(scene.graph.plug("sum.input1D").elements().empty());
    Session session;
    session.newScene();
    session.command("createNode", {"plusMinusAverage", "-name", "sum"});
    for (const char* command : {"setAttr", "getAttr", "connectAttr"})
        EXPECT_THROW(session.command(command, {"sum.input1D[0:999999999]", "1"}), Error);
}

TEST(Hostile, meshesAreNoLargerThanTheirFile) {
    std::string text = made("mesh", "m");
    for (int k = 1; k < 2000; ++k) text += "\tsetAttr \".vt[" + std::to_string(k * 1000000) + "]\" 0 0 0;\n";
    const Scene gaps(text);
    ASSERT_EQ(gaps.report.warnings.size(), 1u);
    EXPECT_TRUE(has(gaps.report.warnings[0], "index 1000000 is out of order"));

    text = made("mesh", "m") + "\tsetAttr \".fc[0:99999]\" -type \"polyFaces\"";
    for (int k = 0; k < 50000; ++k) text += " f 3 0 1 2";
    for (int k = 0; k < 50000; ++k) text += " mu " + std::to_string(k) + " 0";
    const Scene sets(text + ";\n");
    ASSERT_EQ(sets.report.warnings.size(), 1u);
    EXPECT_TRUE(has(sets.report.warnings[0], "more than 64 UV sets")) << sets.report.warnings[0];
}

TEST(Hostile, frameRateRangeIsChecked) {
    for (const char* unit : {"1e-300fps", "0fps", "-24fps", "1e300fps", "1e9fps", "nanfps", "inffps", "fps", "week"}) {
        const Scene scene("currentUnit -t " + std::string(unit) + ";\n");
        EXPECT_EQ(scene.report.framesPerSecond, 24) << unit;
        ASSERT_EQ(scene.report.warnings.size(), 1u) << unit;
        EXPECT_TRUE(has(scene.report.warnings[0], unit));
    }
    for (const char* unit : {"hour", "2fps", "48000fps", "millisec"})
        EXPECT_EQ(Scene("currentUnit -t " + std::string(unit) + ";\n").report.warnings, std::vector<std::string>());
}

TEST(Hostile, playbackRangesAreFrameNumbers) {
    const Scene scene(
        made("script", "sceneConfigurationScriptNode") +
        "\tsetAttr \".b\" -type \"string\" \"playbackOptions -min -1e300 -max 1e300 -ast nan -aet 20 \";\n");
    EXPECT_EQ(scene.report.warnings.size(), 3u);
    EXPECT_EQ(scene.report.firstFrame, 1);
    EXPECT_EQ(scene.report.lastFrame, 120);
    EXPECT_EQ(scene.report.animationEnd, 20);
}

TEST(Hostile, messagesAreOneShortLine) {
    const std::string name = "a\\n" + std::string(1 << 20, 'x') + std::string("\1\2", 2);
    const Scene scene("connectAttr \"" + name + "\" \"b.c\";\n" + name + " 1;\n" + made(name, name) + "createNode \"" +
                      name + "\";\nrequires \"" + name + "\" \"1\";\nfile -r \"" + name + "\";\n");
    ASSERT_FALSE(scene.report.warnings.empty());
    for (const std::string& warning : scene.report.warnings) {
        EXPECT_LT(warning.size(), 1000u);
        EXPECT_EQ(warning.find_first_of("\n\1\2"), std::string::npos);
    }
    EXPECT_LT(scene.report.summary().size(), 1000u);
    EXPECT_LT(refusalOf(Folder().file("cut.ma", name).string()).size(), 1000u);
}

TEST(Hostile, numberOfSkippedKindsIsLimited) {
    std::string text;
    for (int k = 0; k < 50000; ++k)
        text += numbered("unheard", k) + " 1;\n" + made(numbered("unknown", k), "n") + "requires " +
                numbered("plugin", k) + " 1;\n";
    const Scene scene(text);
    EXPECT_EQ(scene.report.skipped.size(), LoadReport::kMaxKinds + 1);
    EXPECT_EQ(scene.report.unknownTypes.at("others"), 50000 - int(LoadReport::kMaxKinds));
    EXPECT_EQ(scene.report.missingPlugins.size(), LoadReport::kMaxKinds);
}

TEST(Hostile, primitivesWithTooManyFacesAreRefused) {
    Session session;
    session.newScene();
    std::vector<std::string> errors;
    session.graph().sink = [&](Severity, const std::string& text) { errors.push_back(text); };
    const std::pair<const char*, std::vector<std::string>> kPrimitives[] = {
        {"polyPlane", {"-sx", "100000", "-sy", "100000"}},
        {"polyPlane", {"-sx", "65536", "-sy", "65536"}},
        {"polyPlane", {"-sx", "2147483647", "-sy", "2147483647"}},
        {"polyCube", {"-sx", "2147483647", "-sy", "2147483647", "-sz", "2147483647"}},
        {"polySphere", {"-sx", "65536", "-sy", "65536"}},
        {"polyCylinder", {"-sx", "3", "-sy", "1", "-sz", "2147483647"}},
        {"polyCone", {"-sx", "100000", "-sy", "100000"}},
        {"polyTorus", {"-sx", "65537", "-sy", "65537"}}};
    for (const auto& [command, flags] : kPrimitives) {
        errors.clear();
        const auto made = std::get<std::vector<std::string>>(session.command(command, flags));
        EXPECT_EQ(session.graph().plug(made[1] + ".output").evaluate(), Result::Failed);
        ASSERT_FALSE(errors.empty());
        EXPECT_TRUE(has(errors[0], "faces; the limit is 4194304; use fewer")) << errors[0];
    }
    EXPECT_THROW(session.command("polyPlane", {"-sx", "1e300"}), Error);
}

TEST(Hostile, undoHistoryIsLimited) {
    Session session;
    session.newScene();
    session.command("createNode", {"transform", "-name", "t"});
    for (int k = 0; k < 30000; ++k) session.command("setAttr", {"t.tx", std::to_string(k)});
    int undone = 0;
    for (; !session.undoName().empty(); ++undone) session.undo();
    EXPECT_GE(undone, 10000);
    EXPECT_LT(undone, 20000);
    EXPECT_EQ(session.graph().plug("t.tx").number(),
              29999 - undone);  // commands beyond the undo limit cannot be undone
}

TEST(Hostile, nonNumericComponentsAreRefused) {
    Session session;
    session.newScene();
    session.command("polyCube", {"-name", "box"});
    for (const char* text : {"box.vtx[nan]", "box.vtx[nan:nan]", "box.vtx[0:nan]", "box.vtx[1e300]", "box.f[nan]"})
        EXPECT_THROW(session.command("move", {"1", "0", "0", text}), Error) << text;
    Scene scene(made("polyCube", "box") + made("deleteComponent", "cut") +
                "\tsetAttr \".dc\" -type \"componentList\" 1 \"f[nan]\";\n" + joined("box.out", "cut.ig"));
    EXPECT_EQ(scene.graph.plug("cut.og").evaluate(), Result::Failed);
    ASSERT_FALSE(scene.errors.empty());
    EXPECT_TRUE(has(scene.errors[0], "f[nan]: out of range; the mesh has 6 faces"));
}

TEST(Hostile, animationCurvesAtNanReturnNan) {
    AnimCurve curve;
    curve.keys.resize(3);
    for (int k = 0; k < 3; ++k) curve.keys[k].time = curve.keys[k].value = k;
    EXPECT_TRUE(std::isnan(evaluate(curve, std::numeric_limits<double>::quiet_NaN())));
    EXPECT_EQ(evaluate(curve, 1), 1);
}
