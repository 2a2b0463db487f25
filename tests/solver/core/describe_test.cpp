#include "solver/core/describe.h"

#include <gtest/gtest.h>

#include <set>

#include "solver/scene.h"

namespace purl {
namespace {

template <class P>
void expectDescriptionIsComplete(const char* struct_, int fields) {
    std::set<std::string> names, shortNames;
    int visited = 0;
    P params;
    describe(
        [&](auto&, const About& about) {
            ++visited;
            EXPECT_TRUE(names.insert(about.name).second) << struct_ << "." << about.name << " twice";
            EXPECT_TRUE(shortNames.insert(about.shortName).second) << struct_ << "." << about.shortName << " twice";
            const std::string sentence = about.sentence;
            EXPECT_GT(sentence.size(), 10u) << struct_ << "." << about.name;
            EXPECT_EQ(sentence.back(), '.') << struct_ << "." << about.name << ": a sentence ends with a full stop";
            EXPECT_LE(about.min, about.max);
        },
        params);
    EXPECT_EQ(visited, fields) << struct_;
    EXPECT_NO_THROW(checkParams(struct_, P{})) << "defaults lie within their own limits";
}

// The counts guard against a field added to a struct but not described.
TEST(Describe, namesEveryFieldOnceWithASentence) {
    expectDescriptionIsComplete<SolverParams>("SolverParams", 32);
    expectDescriptionIsComplete<FluidParams>("FluidParams", 38);
    expectDescriptionIsComplete<EmitterParams>("EmitterParams", 12);
    expectDescriptionIsComplete<ColliderParams>("ColliderParams", 15);
    expectDescriptionIsComplete<FieldParams>("FieldParams", 3);
    expectDescriptionIsComplete<WetParams>("WetParams", 24);
}

TEST(Describe, outOfRangeIsAnErrorThatNamesOwnerFieldAndLimit) {
    FluidParams params;
    params.restDensity = -5;
    try {
        checkParams("water", params);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "water: restDensity is -5, must be at least 0.001 and at most 100000");
    }
    params = {};
    params.viscosity = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(checkParams("water", params), Error);
    params = {};
    params.kind = static_cast<FluidKind>(9);
    EXPECT_THROW(checkParams("water", params), Error);
}

TEST(Describe, equalParamsAreEqualInEveryField) {
    FluidParams a, b;
    EXPECT_TRUE(sameParams(a, b));
    b.color.z += 0.1f;
    EXPECT_FALSE(sameParams(a, b));
}

TEST(Describe, onlyLengthsScale) {
    ColliderParams params;
    params.friction = 0.5f;
    scaleLengths(params, 0.01);
    EXPECT_FLOAT_EQ(params.radius, 0.005f);
    EXPECT_FLOAT_EQ(params.halfSize.y, 0.005f);
    EXPECT_FLOAT_EQ(params.friction, 0.5f);
}

TEST(Scene, twoBodiesOfOneNameAreRefused) {
    Scene scene;
    scene.fluids.resize(2);
    scene.fluids[0].name = scene.fluids[1].name = "water";
    EXPECT_THROW(checkScene(scene), Error);
}

TEST(Scene, aColliderWithoutFacesIsRefusedByName) {
    Scene scene;
    scene.colliders.resize(1);
    scene.colliders[0].name = "bowl";
    try {
        checkScene(scene);
        FAIL();
    } catch (const Error& error) { EXPECT_EQ(std::string(error.what()).rfind("bowl: mesh has no faces", 0), 0u); }
}

}  // namespace
}  // namespace purl
