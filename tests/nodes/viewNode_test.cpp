// purlView: a shape in the scene, as large as the frame that it shows.
#include "nodes/viewNode.h"

#include <gtest/gtest.h>

#include "host/graph/graph.h"
#include "host/host.h"

MStatus initializePlugin(MObject);

namespace purl {

TEST(ViewNode, isALocatorWithDefaultsThatShowAll) {
    if (!host::pluginLoaded("purl")) host::loadPlugin("purl", initializePlugin);
    host::Graph graph;
    const host::NodePtr shape = graph.createWithParent("purlView");
    ASSERT_TRUE(shape);
    EXPECT_TRUE(shape->type->isA("locator"));
    EXPECT_EQ(shape->parents.size(), 1u) << "a transform holds it";
    EXPECT_TRUE(shape->plug("showSurface").flag());
    EXPECT_TRUE(shape->plug("showCloth").flag());
    EXPECT_FALSE(shape->plug("showPoints").flag());
    EXPECT_EQ(shape->plug("yarn").number(), 1) << "automatic";
    const auto* node = dynamic_cast<const ViewNode*>(shape->user);
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->type(), MPxNode::kLocatorNode);
    EXPECT_TRUE(node->isBounded());
    EXPECT_EQ(node->boundingBox().width(), 0) << "nothing is connected";
}

}  // namespace purl
