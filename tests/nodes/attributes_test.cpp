// Attributes of the nodes: names, defaults, presets, and how Maya shows and keys them.
#include <gtest/gtest.h>

#include <algorithm>

#include "host/builtin/builtin.h"
#include "nodes/clothNode.h"
#include "nodes/data.h"
#include "nodes/fluidNode.h"
#include "nodes/knitNode.h"
#include "nodes/nodes.h"
#include "nodes/softBodyNode.h"
#include "nodes/solverNode.h"
#include "tests/nodes/graphs.h"

namespace purl {
namespace {

TEST_F(Nodes, attributesAreWhatDescribeSays) {
    const NodePtr node = graph.create("purlFluid");
    FluidParams params;
    describe(
        [&](auto& field, const About& about) {
            const Plug plug = node->plug(about.name);
            EXPECT_EQ(plug.attr, node->plug(about.shortName).attr) << about.name;
            if constexpr (std::is_same_v<std::decay_t<decltype(field)>, float>) {
                const double scale = std::string(about.unit) == "m" ? 100 : 1;
                EXPECT_FLOAT_EQ(static_cast<float>(plug.number()), static_cast<float>(scale * field)) << about.name;
            }
        },
        params);
    EXPECT_THROW(node->plug("restDensity").set(-5), host::Error);
    EXPECT_THROW(node->plug("kind").setFromText("plasma"), host::Error);
}

// The names, long and short, that artists know from nucleus and its objects, wherever the meaning is the same.
TEST_F(Nodes, stockNamesAreKept) {
    const struct {
        const char *type, *name, *shortName;
    } kNames[] = {
        {"purlSolver", "currentTime", "cti"},      {"purlSolver", "startFrame", "stf"},
        {"purlSolver", "enable", "ena"},           {"purlSolver", "subSteps", "sstp"},
        {"purlSolver", "gravity", "grty"},         {"purlSolver", "gravityDirection", "grdi"},
        {"purlSolver", "windSpeed", "wisp"},       {"purlSolver", "windDirection", "widi"},
        {"purlSolver", "windNoise", "wnoi"},       {"purlSolver", "usePlane", "nupl"},
        {"purlSolver", "planeOrigin", "npor"},     {"purlSolver", "planeNormal", "npun"},
        {"purlSolver", "planeFriction", "npfr"},   {"purlSolver", "timeScale", "tisc"},
        {"purlSolver", "spaceScale", "spsc"},      {"purlSolver", "playFromCache", "pfc"},
        {"purlCloth", "isDynamic", "isd"},         {"purlCloth", "thickness", "thss"},
        {"purlCloth", "friction", "fron"},         {"purlCloth", "stickiness", "stck"},
        {"purlKnit", "friction", "fron"},          {"purlCollider", "friction", "fron"},
        {"purlCollider", "thickness", "thss"},     {"purlFluid", "restDensity", "rdns"},
        {"purlFluid", "viscosity", "visc"},        {"purlFluid", "surfaceTension", "suft"},
        {"purlCloth", "stiffnessMapType", "stmt"}, {"purlCloth", "stiffnessPerVertex", "stpv"},
        {"purlPoints", "radiusScale", "rdc"},
    };
    for (const auto& row : kNames) {
        const host::AttrPtr attr = host::findType(row.type)->find(row.name);
        ASSERT_TRUE(attr) << row.type << "." << row.name;
        EXPECT_EQ(attr->shortName, row.shortName) << row.type << "." << row.name;
    }
}

TEST_F(Nodes, attributesSayHowTheyAreShownAndKeyed) {
    const auto attr = [](const char* type, const char* name) { return host::findType(type)->find(name); };
    EXPECT_TRUE(attr("purlFluid", "viscosity")->keyable);
    EXPECT_FALSE(attr("purlFluid", "particleSpacing")->keyable) << "what counts at the start only is not keyed";
    EXPECT_TRUE(attr("purlFluid", "particleSpacing")->channelBox);
    EXPECT_FALSE(attr("purlFluid", "startVelocityY")->keyable);
    EXPECT_FALSE(attr("purlCloth", "pinnedVertices")->keyable);
    EXPECT_EQ(attr("purlSolver", "pbfIterations")->niceName, "PBF Iterations");
    EXPECT_EQ(attr("purlSolver", "gravity")->niceName, "") << "Maya makes this one itself";
    EXPECT_EQ(attr("purlSolver", "subSteps")->softMax, 20);
    EXPECT_EQ(attr("purlFluid", "particleSpacing")->kind, host::Kind::Distance);
    EXPECT_EQ(attr("purlFluid", "kind")->fields.size(), 2u);
}

// Saved scenes store the index, scripts and --set also give the name.
TEST_F(Nodes, formerValuesSelectTheirReferenceVariantWithOneNote) {
    fluid = graph.create("purlFluid", "water");
    fluid->plug("tensionModel").set(2);
    EXPECT_EQ(value<BodyData>(fluid->plug("outBody"))->fluids[0].params.reference.tension,
              ReferenceTension::colorNormals);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0],
              "water: tensionModel colorNormals is deprecated; set referenceTension to colorNormals instead");
    fluid->plug("viscosity").set(1);
    value<BodyData>(fluid->plug("outBody"));
    EXPECT_EQ(warnings.size(), 1u) << "said once";
    fluid->plug("tensionModel").setFromText("centroidNormals");
    EXPECT_EQ(value<BodyData>(fluid->plug("outBody"))->fluids[0].params.reference.tension,
              ReferenceTension::centroidNormals);
    EXPECT_EQ(value<BodyData>(fluid->plug("outBody"))->fluids[0].params.tensionModel, FluidParams().tensionModel);
    fluid->plug("referenceTension").setFromText("colorNormals");
    EXPECT_EQ(value<BodyData>(fluid->plug("outBody"))->fluids[0].params.reference.tension,
              ReferenceTension::colorNormals)
        << "the new attribute wins";
}

// Every former value of every node, through the attribute that it was set by.
TEST_F(Nodes, everyFormerValueIsAccepted) {
    smallTank();
    const NodePtr cloth = graph.create("purlCloth", "flag");
    graph.connect(cube("sheet", 10, 0, 50, 0)->plug("worldMesh[0]"), cloth->plug("inMesh"));
    graph.connect(cloth->plug("outBody"), solver->plug("bodies[2]"));
    const NodePtr surface = graph.create("purlSurface", "surface");
    graph.connect(solver->plug("outFrame"), surface->plug("inFrame"));
    for (const ReferenceVariant& variant : referenceVariants()) {
        if (!variant.formerAttribute) continue;
        warnings.clear();
        for (const NodePtr& node : {fluid, walls, solver, cloth, surface}) {
            if (!node->type->find(variant.formerAttribute)) continue;
            const double standard = node->plug(variant.formerAttribute).number();
            node->plug(variant.formerAttribute).set(variant.formerIndex);
            EXPECT_EQ(node->plug(variant.formerAttribute).asText(), variant.name);
            graph.setFrame(1);
            const char* const out = node == surface || node == solver ? "outFrame" : "outBody";
            EXPECT_EQ(node->plug(out).evaluate(), host::Result::Done) << variant.name;
            node->plug(variant.formerAttribute).set(standard);
        }
        ASSERT_FALSE(warnings.empty()) << variant.name;
        EXPECT_NE(warnings[0].find(deprecationOf(variant)), std::string::npos) << warnings[0];
    }
}

TEST_F(Nodes, referenceVariantsAreNotInTheChannelBox) {
    const auto attr = [](const char* type, const char* name) { return host::findType(type)->find(name); };
    for (const char* name : {"referenceTension", "pressureForm"}) {
        EXPECT_FALSE(attr("purlFluid", name)->keyable) << name;
        EXPECT_FALSE(attr("purlFluid", name)->channelBox) << name;
    }
    for (const NodeReference& node : nodeReferences()) {
        const auto isReference = [](const AttributeReference& row) { return row.section == kReferenceHeading; };
        const auto first = std::find_if(node.attributes.begin(), node.attributes.end(), isReference);
        EXPECT_TRUE(std::all_of(first, node.attributes.end(), isReference)) << node.name << ": the last section";
    }
}

// Attributes read at the start only are shown in the channel box but take no keys.
TEST_F(Nodes, initialOnlyAttributesCannotBeKeyed) {
    const NodePtr node = graph.create("purlFluid");
    EXPECT_FALSE(node->plug("particleSpacing").attr->keyable);
    EXPECT_FALSE(node->plug("startVelocityX").attr->keyable) << "the components of a vector too";
    EXPECT_TRUE(node->plug("viscosity").attr->keyable);
    EXPECT_TRUE(graph.create("purlEmitter")->plug("jitter").attr->keyable) << "an emitter's is read every step";
}

TEST_F(Nodes, presetGivesItsOwnMaterialAtTheNodesSpacing) {
    const NodePtr node = graph.create("purlFluid");
    node->plug("particleSpacing").set(5);
    node->plug("viscosity").set(7);
    node->plug("preset").setFromText("mucus");
    const FluidParams params = value<BodyData>(node->plug("outBody"))->fluids[0].params;
    EXPECT_FLOAT_EQ(params.viscosity, fluidPreset("mucus").viscosity);
    EXPECT_FLOAT_EQ(params.particleSpacing, 5);
    node->plug("preset").setFromText("custom");
    EXPECT_FLOAT_EQ(value<BodyData>(node->plug("outBody"))->fluids[0].params.viscosity, 7);
}

// Colour and opacity are the preset's where they have their defaults, and the artist's where not.
TEST_F(Nodes, presetBringsItsColorUnlessItWasChosen) {
    const NodePtr node = graph.create("purlFluid");
    const auto params = [&] { return value<BodyData>(node->plug("outBody"))->fluids[0].params; };
    for (const FluidPreset& preset : fluidPresets()) {
        node->plug("preset").setFromText(preset.name);
        EXPECT_EQ(params().color, preset.params.color) << preset.name;
        EXPECT_EQ(params().opacity, preset.params.opacity) << preset.name;
    }
    node->plug("preset").setFromText("honey");
    node->plug("color").set(0.1, 0.8, 0.1);
    EXPECT_EQ(params().color, (Vec3{0.1f, 0.8f, 0.1f}));
    EXPECT_EQ(params().opacity, fluidPreset("honey").opacity);
    node->plug("opacity").set(0.75);
    EXPECT_FLOAT_EQ(params().opacity, 0.75f);
    EXPECT_FLOAT_EQ(params().viscosity, fluidPreset("honey").viscosity);
}

TEST_F(Nodes, lavaGlows) {
    const Choices names = choicesOf(FluidPresetChoice{});
    const auto glow = [&](const std::string& name) {
        return glowOf(static_cast<FluidPresetChoice>(std::find(names.begin(), names.end(), name) - names.begin()));
    };
    EXPECT_GT(glow("lava").x, 1);
    EXPECT_EQ(glow("honey"), Vec3{});
    EXPECT_EQ(glow("custom"), Vec3{});
}

// Saved scenes hold the index: custom, then the rows of the table in their order.
TEST_F(Nodes, presetNamesAreThoseOfTheTables) {
    const auto withoutCustom = [](const Choices& all) { return std::vector<std::string>(all.begin() + 1, all.end()); };
    EXPECT_EQ(withoutCustom(choicesOf(ClothPresetChoice{})), fabrics().names());
    EXPECT_EQ(withoutCustom(choicesOf(KnitPresetChoice{})), gauges().names());
    EXPECT_EQ(withoutCustom(choicesOf(SoftPresetChoice{})), softMaterials().names());
    EXPECT_STREQ(choicesOf(FluidPresetChoice{})[0], "custom");
    EXPECT_STREQ(choicesOf(FluidPresetChoice{})[6], "honey");
    EXPECT_THROW(presetRow(static_cast<FluidPresetChoice>(fluidPresets().size() + 1), fluidPresets()), Error);
}

TEST_F(Nodes, frameFiltersAreThoseThatTakeAndGiveFrames) {
    EXPECT_TRUE(isFrameFilter("purlCache"));
    EXPECT_TRUE(isFrameFilter("purlFoam"));
    EXPECT_TRUE(isFrameFilter("purlSurface"));
    for (const char* other : {"purlSolver", "purlPoints", "purlFluid", "mesh"}) EXPECT_FALSE(isFrameFilter(other));
}

TEST(Reference, everyAttributeHasASentence) {
    for (const NodeReference& node : nodeReferences()) {
        EXPECT_FALSE(node.attributes.empty());
        for (const AttributeReference& row : node.attributes) {
            EXPECT_FALSE(row.sentence.empty()) << node.name << "." << row.name;
            EXPECT_EQ(row.sentence.back(), '.') << node.name << "." << row.name;
        }
    }
}

TEST(Commands, describeAnswersWithTheReference) {
    if (!host::pluginLoaded("purl")) host::loadPlugin("purl", initializePlugin);
    host::Session session;
    const std::string one = std::get<std::string>(session.command("purlDescribe", {"-nodeType", "purlField"}));
    EXPECT_NE(one.find("## purlField"), std::string::npos);
    EXPECT_EQ(one.find("## purlFluid"), std::string::npos);
    EXPECT_EQ(std::get<std::string>(session.command("purlDescribe", {"-json"})).front(), '[');
    EXPECT_THROW(session.command("purlDescribe", {"-nt", "purlTeapot"}), host::Error);
}

}  // namespace
}  // namespace purl
