// The plugin as a guest: it takes back all it brought, throws nothing at its host, and says once what went wrong.
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnPlugin.h>

#include <algorithm>

#include "nodes/boundary.h"
#include "plugin/command.h"
#include "tests/nodes/graphs.h"

MStatus uninitializePlugin(MObject);

namespace purl {
namespace {

std::vector<std::string> ofPurl(std::vector<std::string> names) {
    names.erase(std::remove_if(names.begin(), names.end(), [](const auto& n) { return n.rfind("purl", 0) != 0; }),
                names.end());
    return names;
}

TEST(Plugin, unloadingTakesBackAllThatWasRegistered) {
    if (!host::pluginLoaded("purl")) host::loadPlugin("purl", initializePlugin);
    const auto commands = ofPurl(host::commandNames()), types = ofPurl(host::typeNames());
    EXPECT_EQ(commands.size(), purlCommands().size());
    EXPECT_GE(types.size(), 16u);
    host::unloadPlugin("purl", uninitializePlugin);  // throws where a node, data or command type is left
    EXPECT_TRUE(ofPurl(host::commandNames()).empty());
    EXPECT_TRUE(ofPurl(host::typeNames()).empty());
    host::loadPlugin("purl", initializePlugin);
    EXPECT_EQ(ofPurl(host::commandNames()), commands);
    EXPECT_EQ(ofPurl(host::typeNames()), types);
}

TEST(Plugin, nodesInASceneKeepItFromUnloading) {
    if (!host::pluginLoaded("purl")) host::loadPlugin("purl", initializePlugin);
    {
        host::Graph graph;
        graph.create("purlField", "wind");
        try {
            host::unloadPlugin("purl", uninitializePlugin);
            ADD_FAILURE();
        } catch (const host::Error& e) {
            EXPECT_STREQ(e.what(), "purl: the scene still has nodes of type purlField; delete them before unloading");
        }
        EXPECT_NO_THROW(graph.create("purlFluid")->plug("outBody")) << "and is whole still";
    }
}

// Keys of string resources must be unique: Maya refuses one that is registered again.
TEST(Plugin, everyHeadingIsRegisteredOnce) {
    if (host::pluginLoaded("purl")) host::unloadPlugin("purl", uninitializePlugin);
    std::vector<std::string> messages;
    host::setDefaultSink([&](host::Severity, const std::string& text) { messages.push_back(text); });
    host::loadPlugin("purl", initializePlugin);
    host::setDefaultSink({});
    EXPECT_EQ(messages, std::vector<std::string>());
}

// What another plugin has taken is not overrun, and nothing of ours stays behind.
TEST(Plugin, loadingThatFailsTakesBackWhatWasRegistered) {
    if (host::pluginLoaded("purl")) host::unloadPlugin("purl", uninitializePlugin);
    const auto rival = [](MObject object) {
        return MFnPlugin(object).registerCommand("purlInfo", []() -> void* { return nullptr; });
    };
    host::loadPlugin("rival", rival);
    EXPECT_THROW(host::loadPlugin("purl", initializePlugin), host::Error);
    EXPECT_EQ(ofPurl(host::commandNames()), std::vector<std::string>{"purlInfo"});
    EXPECT_TRUE(ofPurl(host::typeNames()).empty());
    host::unloadPlugin("rival", [](MObject object) { return MFnPlugin(object).deregisterCommand("purlInfo"); });
    EXPECT_NO_THROW(host::loadPlugin("purl", initializePlugin));
}

// --- what is thrown

enum class Throw { nothing, error, standard, number };
Throw thrown;
void throwIt() {
    if (thrown == Throw::error) throw Error("the bowl has a hole");
    if (thrown == Throw::standard) throw std::out_of_range("beyond the end");
    if (thrown == Throw::number) throw 42;
}

struct ThrowingNode : MPxNode {
    static inline MObject out;
    static MStatus initialize() {
        MFnNumericAttribute make;
        const MObject in = make.create("in", "in", MFnNumericData::kInt);
        out = make.create("out", "out", MFnNumericData::kInt);
        addAttribute(in);
        addAttribute(out);
        return attributeAffects(in, out);
    }
    MStatus compute(const MPlug& plug, MDataBlock& block) override {
        if (plug != out) return MS::kUnknownParameter;
        return guarded(*this, [&] {
            throwIt();
            block.setClean(plug);
        });
    }
};

struct ThrowingCommand : PurlCommand {
    void run(const MArgDatabase&) override {
        createTransform("halfDone");
        throwIt();
    }
    const char* name() const override { return "throwing"; }
};

MStatus bring(MObject object) {
    MFnPlugin plugin(object);
    plugin.registerNode(
        "throwing", MTypeId(0x7fe01), []() -> void* { return new ThrowingNode; }, ThrowingNode::initialize);
    return plugin.registerCommand("throwIt", []() -> void* { return new ThrowingCommand; });
}
MStatus take(MObject object) {
    MFnPlugin plugin(object);
    plugin.deregisterCommand("throwIt");
    return plugin.deregisterNode(MTypeId(0x7fe01));
}

struct Case {
    Throw what;
    const char* said;
};
const Case kCases[] = {{Throw::error, "the bowl has a hole"},
                       {Throw::standard, "beyond the end"},
                       {Throw::number, "failed for an unknown reason"}};

TEST(Plugin, aNodeThatThrowsFailsWithOneMessage) {
    host::loadPlugin("throwing", bring);
    {
        host::Graph graph;
        std::vector<std::string> said;
        graph.sink = [&](host::Severity, const std::string& text) { said.push_back(text); };
        const NodePtr node = graph.create("throwing", "bowl");
        for (const Case& each : kCases) {
            said.clear();
            thrown = each.what;
            graph.dirty(node->plug("in"));
            EXPECT_EQ(node->plug("out").evaluate(), host::Result::Failed);
            EXPECT_EQ(said, std::vector<std::string>{std::string("bowl: ") + each.said});
        }
        thrown = Throw::nothing;
        EXPECT_EQ(node->plug("out").evaluate(), host::Result::Done) << "and recovers";
    }
    host::unloadPlugin("throwing", take);
}

TEST(Plugin, aCommandThatThrowsFailsWithOneMessageAndLeavesTheSceneAsItWas) {
    host::loadPlugin("throwing", bring);
    {
        host::Session session;
        std::vector<std::string> said;
        session.graph().sink = [&](host::Severity, const std::string& text) { said.push_back(text); };
        for (const Case& each : kCases) {
            thrown = each.what;
            try {
                session.command("throwIt");
                ADD_FAILURE();
            } catch (const host::Error& e) {
                EXPECT_EQ(std::string(e.what()), std::string("throwIt: throwing: ") + each.said);
            }
            EXPECT_TRUE(said.empty()) << said.front();
            EXPECT_FALSE(session.graph().find("halfDone"));
            EXPECT_EQ(session.undoName(), "");
        }
    }
    host::unloadPlugin("throwing", take);
}

// A plugin that forgets something is told so.
TEST(Plugin, whatIsLeftBehindIsNamed) {
    const auto forget = [](MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x7fe01)); };
    host::loadPlugin("throwing", bring);
    try {
        host::unloadPlugin("throwing", forget);
        ADD_FAILURE();
    } catch (const host::Error& e) {
        EXPECT_STREQ(e.what(), "throwing: unloaded, but it did not deregister command throwIt");
    }
}

}  // namespace
}  // namespace purl
