#include "solver/core/describe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "solver/scene.h"
#include "solver/surface/foam.h"
#include "solver/surface/surface.h"

namespace purl {
namespace {

struct AnyField {
    template <class T>
    operator T() const;
};
template <class P, class Fields, class = void>
struct TakesFields : std::false_type {};
template <class P, size_t... k>
struct TakesFields<P, std::index_sequence<k...>, std::void_t<decltype(P{(void(k), AnyField{})...})>> : std::true_type {
};

// How many fields an aggregate has: the most initializers that it takes.
template <class P, size_t tried = 64>
constexpr int fieldsOf() {
    static_assert(std::is_aggregate_v<P>);
    if constexpr (TakesFields<P, std::make_index_sequence<tried>>::value)
        return int(tried);
    else
        return fieldsOf<P, tried - 1>();
}

// The same with the fields of those members that are parameter structs themselves.
template <class P, class... Parts>
constexpr int fieldsWithin() {
    return fieldsOf<P>() + (0 + ... + (fieldsOf<Parts>() - 1));
}

template <class P>
int expectDescriptionIsSound(const char* type) {
    std::set<std::string> names, shortNames;
    std::set<const void*> fields;
    P params;
    describe(
        [&](auto& field, const About& about) {
            EXPECT_TRUE(fields.insert(&field).second) << type << "." << about.name << " is a field described before";
            EXPECT_TRUE(names.insert(about.name).second) << type << "." << about.name << " twice";
            EXPECT_TRUE(shortNames.insert(about.shortName).second) << type << "." << about.shortName << " twice";
            const std::string sentence = about.sentence;
            EXPECT_GT(sentence.size(), 10u) << type << "." << about.name;
            EXPECT_EQ(sentence.back(), '.') << type << "." << about.name << ": a sentence ends with a full stop";
            EXPECT_LE(about.min, about.max);
        },
        params);
    EXPECT_NO_THROW(checkParams(type, P{})) << "defaults lie within their own limits";
    return int(fields.size());
}

TEST(Describe, namesEveryFieldOnceWithASentence) {
    EXPECT_EQ(expectDescriptionIsSound<SolverParams>("SolverParams"),
              (fieldsWithin<SolverParams, DfsphParams, PbfParams, WcsphParams, SolverReference>()));
    EXPECT_EQ(expectDescriptionIsSound<FluidParams>("FluidParams"),
              (fieldsWithin<FluidParams, WcsphFluidParams, FractionalParams, DoubleDensityParams, FluidReference>()));
    EXPECT_EQ(expectDescriptionIsSound<EmitterParams>("EmitterParams"), fieldsOf<EmitterParams>());
    EXPECT_EQ(expectDescriptionIsSound<ColliderParams>("ColliderParams"),
              (fieldsWithin<ColliderParams, ColliderReference>()));
    EXPECT_EQ(expectDescriptionIsSound<FieldParams>("FieldParams"), fieldsOf<FieldParams>());
    EXPECT_EQ(expectDescriptionIsSound<ClothParams>("ClothParams"), (fieldsWithin<ClothParams, ClothReference>()));
    EXPECT_EQ(expectDescriptionIsSound<SoftBodyParams>("SoftBodyParams"), fieldsOf<SoftBodyParams>());
    EXPECT_EQ(expectDescriptionIsSound<WetParams>("WetParams"), (fieldsWithin<WetParams, WetReference>()));
    EXPECT_EQ(expectDescriptionIsSound<SurfaceParams>("SurfaceParams"),
              (fieldsWithin<SurfaceParams, SurfaceReference>()));
    EXPECT_EQ(expectDescriptionIsSound<FoamParams>("FoamParams"), fieldsOf<FoamParams>());
}

// A knit has the fields of a cloth, of which it leaves out those for tearing, immersion and one solver, and its own.
TEST(Describe, aKnitDescribesAllOfItsOwnFields) {
    expectDescriptionIsSound<KnitParams>("KnitParams");
    std::vector<std::pair<const char*, size_t>> own;  // address and size, without what it has from ClothParams
    KnitParams params;
    const auto* base = reinterpret_cast<const char*>(static_cast<ClothParams*>(&params));
    describe(
        [&](auto& field, const About&) {
            const auto* at = reinterpret_cast<const char*>(&field);
            if (at >= base + sizeof(ClothParams)) own.emplace_back(at, sizeof field);
        },
        params);
    std::sort(own.begin(), own.end());
    const char* end = base + sizeof(ClothParams);
    for (const auto& [at, size] : own) {
        EXPECT_LT(at - end, std::ptrdiff_t(alignof(std::string))) << "a field is missing between two described ones";
        end = at + size;
    }
    EXPECT_LT(reinterpret_cast<const char*>(&params + 1) - end, std::ptrdiff_t(alignof(std::string)));
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
