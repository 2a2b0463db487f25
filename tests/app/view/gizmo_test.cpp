// Handles: what a drag does to the attributes of a transform, below scaled and rotated parents, for all rotate orders.
#include "app/view/gizmo.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/view/pick.h"

namespace purl {
namespace {

constexpr double kWidth = 800, kHeight = 600;

Projection fromTheFront() { return Projection(lookAt({30, 40, 200}, {0, 0, 0}), kWidth, kHeight); }

SceneObject objectWith(host::RotateOrder order) {
    SceneObject object;
    object.transform = "box";
    host::TransformParts above;
    above.translate = {3, -4, 5};
    above.rotate = {0.3, -0.7, 1.1};
    above.scale = {2, 2, 2};  // a parent that is scaled unevenly would shear what is rotated below it
    object.parent = host::compose(above);
    object.parts.translate = {5, 6, 7};
    object.parts.rotate = {0.4, 0.5, -0.6};
    object.parts.rotateOrder = order;
    object.parts.scale = {1, 2, 3};
    object.parts.rotatePivot = {1, 2, -1};
    object.parts.scalePivot = {-1, 0, 2};
    object.world = host::multiply(host::compose(object.parts), object.parent);
    object.radiansPerUnit = 0.017453292519943295;
    return object;
}

// World matrix of the object with the attribute that a drag has set.
host::Mat4d worldAfter(SceneObject object, const Gizmo::Drag& drag) {
    host::TransformParts& parts = object.parts;
    host::Vec3d& value = drag.placement == Placement::translate ? parts.translate
                         : drag.placement == Placement::rotate  ? parts.rotate
                                                                : parts.scale;
    const double unit = drag.placement == Placement::rotate      ? object.radiansPerUnit
                        : drag.placement == Placement::translate ? object.cmPerUnit
                                                                 : 1;
    for (size_t k = 0; k < 3; ++k) value[k] = drag.value[k] * unit;
    return host::multiply(host::compose(parts), object.parent);
}

// The preview while dragging and the edit after it are the same, for every tool, axis and rotate order.
TEST(Gizmo, theEditGivesWhatTheDragHasShown) {
    for (int order = 0; order < 6; ++order)
        for (const Tool tool : {Tool::move, Tool::rotate, Tool::scale})
            for (int axis = 0; axis < (tool == Tool::rotate ? 3 : 4); ++axis) {
                const SceneObject object = objectWith(static_cast<host::RotateOrder>(order));
                const Gizmo gizmo(tool, object, fromTheFront());
                const Gizmo::Drag drag = gizmo.drag(axis, {420, 310}, {460, 280});
                const host::Mat4d after = worldAfter(object, drag), shown = host::multiply(object.world, drag.moved);
                double difference = 0, moved = 0;
                for (size_t k = 0; k < 16; ++k) {
                    difference = std::max(difference, std::abs(after[k] - shown[k]));
                    moved = std::max(moved, std::abs(after[k] - object.world[k]));
                }
                // Directions of rays are single precision, about 1e-7 of the distance of 200.
                EXPECT_LT(difference, 1e-4) << "order " << order << ", tool " << int(tool) << ", axis " << axis;
                EXPECT_GT(moved, 0.1) << "order " << order << ", tool " << int(tool) << ", axis " << axis;
            }
}

TEST(Gizmo, movesByWhatTheMouseMovesAlongAnAxis) {
    SceneObject object;
    const Projection projection = fromTheFront();
    const Gizmo gizmo(Tool::move, object, projection);
    const auto from = projection.pixelOf({0, 0, 0}), to = projection.pixelOf({0, 25, 0});
    const Gizmo::Drag drag = gizmo.drag(1, *from, *to);
    EXPECT_NEAR(drag.value[1], 25, 1e-3);
    EXPECT_EQ(drag.value[0], 0);
    EXPECT_EQ(drag.value[2], 0);
    EXPECT_EQ(gizmo.axisAt(*to), -1) << "the handle is shorter";
    EXPECT_EQ(gizmo.axisAt(gizmo.handles()[1].line.back()), 1);
    EXPECT_EQ(gizmo.axisAt(*from), 3);
    EXPECT_EQ(Gizmo::text({Placement::translate, {1.5, 0, -2}, {}}), "1.5 0 -2");
}

TEST(Gizmo, nothingIsBehindTheCamera) {
    SceneObject object;
    object.parts.translate[2] = 1000;
    EXPECT_TRUE(Gizmo(Tool::move, object, fromTheFront()).handles().empty());
}

TEST(Pick, theNearestSurfaceOrGuideIsTaken) {
    Moment moment;
    Frame frame;
    const auto square = [](const char* name, float z) {
        Mesh mesh;
        mesh.name = name;
        mesh.positions = std::vector<Vec3>{{-10, -10, z}, {10, -10, z}, {10, 10, z}, {-10, 10, z}};
        mesh.triangles = std::vector<int>{0, 1, 2, 0, 2, 3};
        return mesh;
    };
    frame.meshes = {square("near", 0), square("far", -20)};
    moment.frame = std::make_shared<Frame>(frame);
    const Projection projection(lookAt({0, 0, 100}, {0, 0, 0}), kWidth, kHeight);
    SceneObject tap;
    tap.transform = "tapPlace";
    tap.body = "tap";
    tap.isGuide = true;
    tap.wire = {{5, 5, -50}, {5, 8, -50}};
    const Pixel middle{kWidth / 2, kHeight / 2};
    EXPECT_EQ(pickAt(moment, {tap}, projection, middle, {}), "near");
    EXPECT_EQ(pickAt(moment, {tap}, projection, {5, 5}, {}), "");
    const Pixel guide = *projection.pixelOf({5, 6, -50});
    EXPECT_EQ(pickAt(moment, {tap}, projection, guide, {}), "tap") << "guides are drawn over everything";
    PickOptions hidden;
    hidden.guides = false;
    EXPECT_EQ(pickAt(moment, {tap}, projection, guide, hidden), "near");
}

}  // namespace
}  // namespace purl
