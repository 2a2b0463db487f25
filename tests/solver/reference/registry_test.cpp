#include "solver/reference/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "solver/scene.h"
#include "solver/surface/surface.h"

namespace purl {
namespace {

struct EnumParameter {
    Choices choices;
    bool reference;
};
using EnumParameters = std::map<std::string, EnumParameter>;

template <class P>
void addEnums(EnumParameters& all) {
    P params;
    describe(
        [&](auto& field, const About& about) {
            using Field = std::remove_reference_t<decltype(field)>;
            if constexpr (std::is_enum_v<Field>) all[about.name] = {choicesOf(Field{}), about.isReference()};
        },
        params);
}

EnumParameters enumParameters() {
    EnumParameters all;
    addEnums<SolverParams>(all);
    addEnums<FluidParams>(all);
    addEnums<ColliderParams>(all);
    addEnums<ClothParams>(all);
    addEnums<WetParams>(all);
    addEnums<SurfaceParams>(all);
    return all;
}

bool contains(const Choices& choices, const std::string& name) {
    return std::any_of(choices.begin(), choices.end(), [&](const char* choice) { return name == choice; });
}

TEST(Registry, listsEveryValueOfTheReferenceParametersButTheStandardOne) {
    std::set<std::pair<std::string, std::string>> listed, described;
    for (const ReferenceVariant& variant : referenceVariants())
        EXPECT_TRUE(listed.emplace(variant.attribute, variant.name).second) << variant.name;
    for (const auto& [attribute, parameter] : enumParameters())
        for (size_t i = 1; parameter.reference && i < parameter.choices.size(); ++i)
            described.emplace(attribute, parameter.choices[i]);
    EXPECT_EQ(listed, described);
}

TEST(Registry, formerValuesAreFreeInTheirAttributes) {
    const EnumParameters all = enumParameters();
    int former = 0;
    for (const ReferenceVariant& variant : referenceVariants()) {
        if (!variant.formerAttribute) continue;
        ++former;
        const EnumParameter& parameter = all.at(variant.formerAttribute);
        EXPECT_FALSE(parameter.reference) << variant.name;
        EXPECT_FALSE(contains(parameter.choices, variant.name)) << variant.name;
        const auto index = static_cast<size_t>(variant.formerIndex);
        if (index < parameter.choices.size()) { EXPECT_STREQ(parameter.choices[index], "") << variant.name; }
        EXPECT_EQ(formerVariant(variant.formerAttribute, variant.formerIndex), &variant);
        EXPECT_EQ(formerVariant(variant.formerAttribute, variant.name), &variant);
    }
    EXPECT_GT(former, 0);
    EXPECT_EQ(formerVariant("tensionModel", 1), nullptr);
    EXPECT_EQ(formerVariant("viscosityModel", 2), nullptr);
}

TEST(Registry, anUnusedIndexIsRefused) {
    ClothParams params;
    params.solver = static_cast<ClothSolver>(2);
    EXPECT_THROW(checkParams("flag", params), Error);
}

TEST(Registry, aSelectedVariantIsReplacedOnRequest) {
    FluidParams params;
    selectVariant(params, *formerVariant("tensionModel", "colorNormals"));
    EXPECT_EQ(params.reference.tension, ReferenceTension::colorNormals);
    selectVariant(params, *formerVariant("tensionModel", "centroidNormals"), false);
    EXPECT_EQ(params.reference.tension, ReferenceTension::colorNormals);
    selectVariant(params, *formerVariant("tensionModel", "centroidNormals"));
    EXPECT_EQ(params.reference.tension, ReferenceTension::centroidNormals);
    EXPECT_THROW(selectVariant(params, *formerVariant("integrator", "verlet")), Error);
}

TEST(Registry, namesFeaturesOfTheDocuments) {
    std::set<std::string> known;
    for (const auto& file : std::filesystem::directory_iterator(PURL_SOURCE_DIR "/docs/features")) {
        std::ifstream in(file.path());
        for (std::string line; std::getline(in, line);) known.insert(line.substr(0, line.find('\t')));
    }
    for (const ReferenceVariant& variant : referenceVariants()) {
        std::istringstream features(variant.features);
        for (std::string feature; features >> feature;) EXPECT_EQ(known.count(feature), 1u) << feature;
    }
}

}  // namespace
}  // namespace purl
