// Random edits of a graph: lazy evaluation equals full recomputation, and undo restores the initial state.
#include <gtest/gtest.h>

#include <random>

#include "host/host.h"
#include "host/ma/save.h"

namespace purl::host {
namespace {

// Edits a scene with random commands, reproducible by seed.
class Editor {
  public:
    explicit Editor(unsigned seed) : random_(seed) { session.newScene(); }

    Session session;
    int refused = 0, done = 0;

    void edit() {
        try {
            doSomething();
            ++done;
        } catch (const Error&) { ++refused; }  // e.g. a cycle of parents or a connected plug: rejected without a change
    }

  private:
    int below(int n) { return int(random_() % unsigned(n)); }
    double number() { return below(2001) / 100.0 - 10; }
    std::string word(double x) { return std::to_string(x); }
    std::string node() {
        const auto all = session.graph().nodes();
        for (int tries = 0; tries < 20; ++tries) {
            const NodePtr n = all[below(int(all.size()))];
            if (n->type->isA("transform") || n->type->name == "plusMinusAverage" || n->type->name == "multiplyDivide" ||
                n->type->name == "polyCube" || n->type->name == "addDoubleLinear")
                return session.graph().dagName(n);
        }
        return "persp";
    }
    // A random numeric plug, input or output.
    std::string plug() {
        const std::string name = node();
        const std::string type = session.graph().get(name)->type->name;
        const char* axes[] = {"X", "Y", "Z"};
        if (type == "addDoubleLinear") return name + (below(2) ? ".input1" : below(2) ? ".input2" : ".output");
        if (type == "multiplyDivide") return name + "." + (below(3) ? "input1" : "output") + axes[below(3)];
        if (type == "plusMinusAverage")
            return below(2) ? name + ".output1D" : name + ".input1D[" + std::to_string(below(4)) + "]";
        if (type == "polyCube") return name + ".width";
        return name + "." + (below(2) ? "translate" : "scale") + axes[below(3)];
    }
    void doSomething() {
        static const char* const kTypes[] = {"transform", "plusMinusAverage", "multiplyDivide", "addDoubleLinear"};
        switch (below(12)) {
            case 0:
            case 1: session.command("createNode", {kTypes[below(4)]}); break;
            case 2: session.command("polyCube"); break;
            case 3:
            case 4:
            case 5: session.command("connectAttr", {plug(), plug(), "-force"}); break;
            case 6:
            case 7: session.command("setAttr", {plug(), word(number())}); break;
            case 8: {
                const Plug p = session.graph().plug(plug());
                if (const Plug s = p.source()) session.command("disconnectAttr", {s.name(), p.name()});
                break;
            }
            case 9:
                if (session.graph().nodes().size() > 60) session.command("delete", {node()});
                break;
            case 10: session.command("parent", {node(), node(), "-relative"}); break;
            default:
                if (below(2))
                    session.undo();
                else if (!session.redoName().empty())
                    session.redo();
        }
    }

    std::mt19937 random_;
};

// Evaluates all numeric plugs.
std::vector<double> valuesOf(Graph& graph) {
    std::vector<double> all;
    for (const NodePtr& n : graph.nodes()) {
        const std::string& type = n->type->name;
        std::vector<std::string> plugs;
        if (n->type->isA("transform")) {
            plugs = {"translateX", "translateY", "translateZ", "scaleX"};
            const MMatrix m = graph.worldMatrix(graph.dagPaths(*n).front());
            for (unsigned k = 0; k < 16; ++k) all.push_back(m(k / 4, k % 4));
        } else if (type == "plusMinusAverage") {
            plugs = {"output1D"};
        } else if (type == "multiplyDivide") {
            plugs = {"outputX", "outputY", "outputZ"};
        } else if (type == "addDoubleLinear") {
            plugs = {"output"};
        } else if (type == "mesh") {
            const auto mesh = n->plug("outMesh").data<MeshData>();
            all.push_back(mesh && mesh->vertexCount() ? double(mesh->points[0]) : 0);
        }
        for (const std::string& p : plugs) all.push_back(n->plug(p).number());
    }
    return all;
}

// Marks everything dirty, so that every value is recomputed.
void forgetAll(Graph& graph) {
    for (const NodePtr& n : graph.nodes())
        for (const AttrPtr& a : n->attributes())
            if (n->type->holdsOutput(a.get())) graph.dirty(n->plug(a));
    for (const NodePtr& n : graph.nodes())
        for (const auto& in : n->inputs)
            if (in.second.plug.attr->kind != Kind::Message) graph.dirty(in.second.plug);
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// The value of a plug in a cycle depends on where evaluation starts. Graphs with a cycle are therefore not compared;
// they only must not crash.
bool hasCycle(Graph& graph) {
    bool found = false;
    const MessageSink before = graph.sink;
    graph.sink = [&](Severity, const std::string& text) { found = found || text.find("cycle") != std::string::npos; };
    forgetAll(graph);
    valuesOf(graph);
    graph.sink = before;
    return found;
}

TEST(StressTest, lazyEqualsBruteForceOverTenThousandEdits) {
    int compared = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        Editor editor(seed);
        Graph& graph = editor.session.graph();
        for (int k = 0; k < 500; ++k) {
            editor.edit();
            if (k % 25 != 24) continue;
            const std::vector<double> lazy = valuesOf(graph);
            if (hasCycle(graph)) break;
            forgetAll(graph);
            const std::vector<double> fresh = valuesOf(graph);
            ASSERT_EQ(lazy.size(), fresh.size());
            for (size_t i = 0; i < lazy.size(); ++i)
                ASSERT_TRUE(same(lazy[i], fresh[i]))
                    << "seed " << seed << ", edit " << k << ": " << lazy[i] << " and " << fresh[i];
            ++compared;
        }
    }
    EXPECT_GT(compared, 40) << "most graphs must be free of cycles long enough to be compared";
}

TEST(StressTest, undoAndRedoRestoreTheWholeHistory) {
    int compared = 0;
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Editor editor(seed);
        bool cyclic = false;
        editor.session.graph().sink = [&](Severity, const std::string& text) {
            cyclic = cyclic || text.find("cycle") != std::string::npos;
        };
        const std::string empty = sceneText(editor.session.graph(), "s");
        for (int k = 0; k < 200; ++k) editor.edit();
        while (!editor.session.redoName().empty()) editor.session.redo();
        const std::string full = sceneText(editor.session.graph(), "s");
        while (!editor.session.undoName().empty()) editor.session.undo();
        EXPECT_EQ(sceneText(editor.session.graph(), "s"), empty) << "seed " << seed;
        while (!editor.session.redoName().empty()) editor.session.redo();
        // A plug that was disconnected from a cycle keeps its last value, which depends on where evaluation started.
        if (cyclic || hasCycle(editor.session.graph())) continue;
        EXPECT_EQ(sceneText(editor.session.graph(), "s"), full) << "seed " << seed;
        ++compared;
    }
    EXPECT_GT(compared, 2) << "some graphs must be free of cycles";
}

}  // namespace
}  // namespace purl::host
