// Every parameter may be edited while time runs: from the next step on it holds, and nothing starts anew.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

// A little of everything: fluid, an emitter with all shapes' inputs, a container, a kill volume far below, a field.
Scene everything(PressureSolver solver) {
    Scene scene;
    scene.solver.pressureSolver = solver;
    Fluid water;
    water.name = "water";
    water.params.particleSpacing = 0.05f;
    water.volumes = {boxMesh({-0.1f, 0, -0.1f}, {0.1f, 0.2f, 0.1f})};
    Emitter tap;
    tap.name = "tap";
    tap.pose.position = {0, 0.6f, 0};
    tap.pose.axes = turned({1, 0, 0}, 3.14159265f);
    tap.params.radius = 0.06f;
    tap.params.rate = 10;
    tap.mesh = boxMesh({-0.1f, 0.6f, -0.1f}, {0.1f, 0.8f, 0.1f});
    tap.curve = {{-0.1f, 0.6f, 0}, {0.1f, 0.6f, 0}};
    water.emitters = {tap};
    scene.fluids = {water};
    Collider tank = test::boxCollider({-0.25f, 0, -0.25f}, {0.25f, 1, 0.25f});
    tank.mesh = boxMesh({-0.25f, 0, -0.25f}, {0.25f, 1, 0.25f});
    tank.params.boundary = WallModel::contact;  // maps take their time to make; the edits try them
    Collider drain = test::boxCollider({-1, -2, -1}, {1, -1, 1}, false);
    drain.name = "drain";
    drain.params.effect = ColliderEffect::kill;
    scene.colliders = {tank, drain};
    Field wind;
    wind.name = "wind";
    wind.params.magnitude = 1;
    wind.params.direction = {1, 0, 0};
    scene.fields = {wind};
    return scene;
}

// Another value of a field within its limits; for a choice all the others.
template <class Field>
std::vector<Field> othersOf(const Field& field, const About& about) {
    if constexpr (std::is_enum_v<Field>) {
        std::vector<Field> others;
        for (int k = 0; k < static_cast<int>(choicesOf(Field{}).size()); ++k)
            if (k != static_cast<int>(field)) others.push_back(static_cast<Field>(k));
        return others;
    } else if constexpr (std::is_same_v<Field, bool>) {
        return {!field};
    } else if constexpr (std::is_same_v<Field, Vec3>) {
        if (std::string(about.unit) == "m") return {field + Vec3{2, 2, 2}};
        return {0.9f * field + Vec3{0.01f, 0.02f, 0.03f}};
    } else {
        const double up = double(field) + std::max(1e-3, 0.1 * double(field)) + (std::is_integral_v<Field> ? 1 : 0);
        const double down = std::max(about.min, 0.9 * double(field) - (std::is_integral_v<Field> ? 1 : 0));
        return {static_cast<Field>(up <= about.max ? up : down)};
    }
}

// Edits each parameter of `paramsOf(scene)` in turn between two frames; the names of those that were refused.
template <class ParamsOf>
std::set<std::string> refused(PressureSolver solver, ParamsOf&& paramsOf) {
    std::set<std::string> names;
    const Scene scene = everything(solver);
    Simulator simulator(test::oneThread());
    const Frame before = simulator.advanceTo(scene, 1.0 / 24);
    const State state = simulator.state();

    const auto goOn = [&](const Scene& edited, const About& about) {
        simulator.restore(state, scene);
        try {
            const Frame& after = simulator.advanceTo(edited, 2.0 / 24);
            EXPECT_GT(after.stats.steps, 0) << about.name;
            EXPECT_EQ(after.time, 2.0 / 24) << about.name;
            // It went on: whoever was there still is, unless it was killed, and is a frame older.
            EXPECT_GE(after.points.count() + static_cast<size_t>(after.stats.killed), before.points.count())
                << about.name;
            for (size_t i = 0; i < after.points.count(); ++i)
                if (after.points.ids[i] < state.nextId) { EXPECT_GT(after.points.ages[i], 0.9 / 24) << about.name; }
        } catch (const Error& error) {
            names.insert(about.name);
            EXPECT_NE(std::string(error.what()).find("start frame"), std::string::npos) << error.what();
            EXPECT_EQ(simulator.state().time, 1.0 / 24) << "the frame at hand stays";
        }
    };
    // The fields are walked in a copy, one edit at a time.
    Scene edited = scene;
    describe(
        [&](auto& field, const About& about) {
            // A tank that becomes an obstacle or a rigid body is another scene, not an edit.
            const std::string name = about.name;
            if (name == "container" || name == "motion") return;
            const auto old = field;
            for (const auto& other : othersOf(field, about)) {
                field = other;
                goOn(edited, about);
            }
            field = old;
        },
        paramsOf(edited));
    return names;
}

const std::set<std::string> kNone;

class LiveEdits : public testing::TestWithParam<PressureSolver> {};

// L-80. How much fluid a particle stands for is the one thing that cannot change under way, be it by dimensions or
// spacing.
TEST_P(LiveEdits, ofTheSolverGoOnButForItsDimensions) {
    EXPECT_EQ(refused(GetParam(), [](Scene& s) -> SolverParams& { return s.solver; }),
              std::set<std::string>{"dimensions"});
}
// L-80
TEST_P(LiveEdits, ofTheFluidGoOnButForItsSpacing) {
    EXPECT_EQ(refused(GetParam(), [](Scene& s) -> FluidParams& { return s.fluids[0].params; }),
              std::set<std::string>{"particleSpacing"});
}
TEST_P(LiveEdits, ofTheEmitterGoOn) {
    EXPECT_EQ(refused(GetParam(), [](Scene& s) -> EmitterParams& { return s.fluids[0].emitters[0].params; }), kNone);
}
TEST_P(LiveEdits, ofTheColliderGoOn) {
    EXPECT_EQ(refused(GetParam(), [](Scene& s) -> ColliderParams& { return s.colliders[0].params; }), kNone);
}
TEST_P(LiveEdits, ofTheFieldGoOn) {
    EXPECT_EQ(refused(GetParam(), [](Scene& s) -> FieldParams& { return s.fields[0].params; }), kNone);
}

INSTANTIATE_TEST_SUITE_P(OfEverySolver, LiveEdits,
                         testing::Values(PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph),
                         [](const auto& info) { return choicesOf(info.param)[static_cast<size_t>(info.param)]; });

}  // namespace
}  // namespace purl
