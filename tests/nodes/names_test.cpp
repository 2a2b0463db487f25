// Bodies that are renamed, or referenced into a namespace, are still found by the nodes that show them.
#include "nodes/names.h"

#include "tests/nodes/graphs.h"

namespace purl {
namespace {

TEST(Names, theReadersNamespaceComesFirst) {
    const std::vector<std::string> names = {"cloth", "a:cloth", "a:b:cloth"};
    EXPECT_EQ(indexOfName(names, "cloth", "shown"), 0);
    EXPECT_EQ(indexOfName(names, "cloth", "a:shown"), 1);
    EXPECT_EQ(indexOfName(names, "b:cloth", "a:shown"), 2);
    EXPECT_EQ(indexOfName(names, "a:cloth", "shown"), 1) << "its full name";
    EXPECT_EQ(indexOfName(names, "silk", "shown"), -1);
}

TEST(Names, theOnlyOneOfThatNameIsFoundInAnyNamespace) {
    EXPECT_EQ(indexOfName({"water", "shot:cloth"}, "cloth", "other:shown"), 1);
    EXPECT_EQ(indexOfName({"water", "cloth"}, "asset:cloth", "shown"), 1) << "imported without its namespace";
    EXPECT_EQ(indexOfName({"a:cloth", "b:cloth"}, "cloth", "shown"), -1) << "either could be meant";
}

class NamedBodies : public Nodes {
  protected:
    // A solver with two cloths, 10 cm apart, of which `shown` shows one.
    void hang(const std::string& nameSpace) {
        smallTank();
        for (int i = 0; i < 2; ++i) {
            const std::string name = i ? "right" : "left";
            cloth[i] = graph.create("purlCloth", nameSpace + name);
            const NodePtr shape = cube(nameSpace + name + "Patch", 4, i ? 5 : -5, 30, 0);
            graph.connect(shape->plug("worldMesh[0]"), cloth[i]->plug("inMesh"));
            graph.connect(cloth[i]->plug("outBody"), solver->plug("bodies[" + std::to_string(2 + i) + "]"));
        }
        shown = graph.create("purlClothMesh", nameSpace + "shown");
        graph.connect(solver->plug("outFrame"), shown->plug("inFrame"));
    }
    // Centre of the mesh that is shown.
    double x() {
        EXPECT_EQ(shown->plug("outMesh").evaluate(), host::Result::Done) << (errors.empty() ? "" : errors.back());
        const auto mesh = shown->plug("outMesh").data<host::MeshData>();
        double sum = 0;
        for (size_t i = 0; i < mesh->points.size(); i += 3) sum += double(mesh->points[i]);
        return sum / mesh->vertexCount();
    }
    NodePtr cloth[2], shown;
};

TEST_F(NamedBodies, aReferencedSceneFindsItsOwnBodies) {
    hang("asset:");
    shown->plug("cloth").setFromText("right");
    EXPECT_NEAR(x(), 5, 0.5);
    EXPECT_TRUE(errors.empty());
}

TEST_F(NamedBodies, aRenamedBodyIsStillShown) {
    hang("");
    shown->plug("cloth").setFromText("left");
    graph.connect(cloth[1]->plug("outBody"), shown->plug("inCloth"));
    EXPECT_NEAR(x(), 5, 0.5) << "the connection counts more than the name";
    graph.rename(cloth[1], "shirt");
    EXPECT_NEAR(x(), 5, 0.5);
    graph.setFrame(2);
    EXPECT_NEAR(x(), 5, 0.5);
    cloth[1]->plug("density").set(0.5);
    graph.setFrame(3);
    EXPECT_NEAR(x(), 5, 0.5) << "the frame has the new name now";
}

TEST_F(NamedBodies, anAttachmentIsFoundInTheNamespaceOfItsCloth) {
    hang("asset:");
    graph.rename(walls, "asset:walls");
    cloth[0]->plug("attachTo").setFromText("walls");
    cloth[0]->plug("attachedVertices").setFromText("0");
    EXPECT_NEAR(x(), -5, 0.5) << (errors.empty() ? "" : errors.back());
}

TEST_F(NamedBodies, aRenamedFluidStaysTheOneOfItsSurface) {
    hang("");
    const NodePtr points = graph.create("purlPoints", "drops");
    graph.connect(solver->plug("outFrame"), points->plug("inFrame"));
    graph.connect(fluid->plug("outBody"), points->plug("inBody"));
    points->plug("body").setFromText("water");
    const auto count = [&] { return points->plug("outCount").number(); };
    const double before = count();
    EXPECT_GT(before, 0);
    graph.rename(fluid, "soup");
    fluid->plug("viscosity").set(2);
    graph.setFrame(2);
    EXPECT_EQ(count(), before) << (errors.empty() ? "" : errors.back());
}

}  // namespace
}  // namespace purl
