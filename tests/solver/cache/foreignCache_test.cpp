#include "solver/cache/foreignCache.h"

#include <gtest/gtest.h>

#include "solver/cache/cache.h"
#include "solver/cache/meshSequence.h"
#include "solver/cache/ncache.h"
#include "solver/cache/placement.h"
#include "solver/cache/usdReader.h"
#include "solver/cache/usdText.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

// One nCache of one file: vertices that rise by one unit per frame, sampled at these times.
void writePlate(const Folder& folder, const std::string& name, const std::vector<int>& ticks) {
    NCacheDescription description;
    description.layout = NCacheLayout::oneFile;
    std::string data = encodeNCacheHead(NCacheBits::mcx, NCacheLayout::oneFile, 0);
    for (const int time : ticks) {
        NCacheSample sample;
        sample.ticks = time;
        const double y = time / 250.0;
        sample.channels.push_back(
            {name + "Shape", "positions", NCacheType::floatVectorArray, {0, y, 0, 1, y, 0, 0, y, 1}});
        description.include(sample);
        data += encodeNCacheSample(NCacheBits::mcx, NCacheLayout::oneFile, sample);
    }
    writeFile(folder / (name + ".mcx"), data);
    writeFile(folder / (name + ".xml"), encodeNCacheDescription(description));
}
float heightOf(const Mesh& mesh) { return mesh.positions[0].y; }

TEST(ForeignCache, aFolderIsOneCacheOfAllItsDescriptions) {
    const Folder folder;
    writePlate(folder, "a", {250, 750});
    writePlate(folder, "b", {500, 625});
    writeFile(folder / "settings.xml", "<other/>");
    EXPECT_TRUE(ForeignCache::accepts(folder / "."));
    const ForeignCache cache(folder / ".");
    EXPECT_EQ(cache.times(), (std::vector<double>{1, 2, 2.5, 3}));
    EXPECT_EQ(cache.frames(), (std::vector<int>{1, 2, 3}));
    const Frame frame = cache.at(2);
    ASSERT_EQ(frame.meshes.size(), 2u) << "a lies between its samples";
    EXPECT_EQ(heightOf(frame.meshes[0]), 2);
    EXPECT_EQ(heightOf(frame.meshes[1]), 2);
    EXPECT_EQ(cache.at(1).meshes.size(), 1u) << "b has not begun";
    EXPECT_NE(errorOf([&] { cache.at(0.5); }).find("has no frame 0.5"), std::string::npos);
}

TEST(ForeignCache, aSequencePlaysGeometryWithTheFacesItIsGiven) {
    const Folder folder;
    writePlate(folder, "a", {250, 375, 750});
    MeshSequence sequence(folder / "a.xml");
    EXPECT_NE(errorOf([&] { sequence.at(1); }).find("without faces; connect the mesh that was cached to inMesh"),
              std::string::npos);
    Faces faces;
    faces.counts = std::vector<int>{3};
    faces.corners = std::vector<int>{0, 2, 1};
    sequence.setFaces(faces);
    EXPECT_EQ(sequence.at(1).triangles, (std::vector<int>{0, 2, 1}));
    EXPECT_EQ(heightOf(sequence.at(0)), 1) << "stands still before its first sample";
    EXPECT_EQ(heightOf(sequence.at(1.5)), 1.5f) << "a sample between frames";
    EXPECT_EQ(heightOf(sequence.at(2.25)), 2.25f);
    EXPECT_EQ(heightOf(sequence.at(9)), 3);
    faces.corners = std::vector<int>{0, 2, 3};
    sequence.setFaces(faces);
    EXPECT_NE(errorOf([&] { sequence.at(1); }).find("a vertex that does not exist"), std::string::npos);
    EXPECT_EQ(sequence.files(), (std::vector<std::string>{folder / "a.xml", folder / "a.mcx"}));
    EXPECT_EQ(sequenceFiles(folder / "a.mcx"), sequence.files()) << "for the identity of a run";
    writeFile(folder / "a.xml", "damaged");
    EXPECT_EQ(sequenceFiles(folder / "a.xml"), std::vector<std::string>{folder / "a.xml"});
}

TEST(ForeignCache, samplesOfSeveralFilesHaveToBeWhole) {
    const Folder folder;
    writePlate(folder, "a", {250, 500});
    std::string data = readFile(folder / "a.mcx");
    writeFile(folder / "a.mcx", data.substr(0, data.size() - 30));
    const ForeignCache cut(folder / "a.xml");
    EXPECT_NO_THROW(cut.at(1));
    EXPECT_NE(errorOf([&] { cut.at(2); }).find("a.mcx: truncated"), std::string::npos);
    writeFile(folder / "a.mcx", data.substr(0, 20));
    EXPECT_NE(errorOf([&] { ForeignCache(folder / "a.xml"); }).find("a.mcx: trunc"), std::string::npos);
}

TEST(ForeignCache, twoShapesMayNumberTheirParticlesAlike) {
    const Folder folder;
    const std::string points =
        "    point3f[] points.timeSamples = {\n 1: [(0, 0, 0), (1, 0, 0)],\n 3: [(0, 2, 0), (1, 2, 0)],\n }\n"
        "    int64[] ids = [0, 1]\n}\n";
    writeFile(folder / "two.usda", "#usda 1.0\ndef Points \"a\"\n{\n" + points +
                                       "def Xform \"x\" {\ndef Points \"a\"\n{\n" + points + "}\n");
    const ForeignCache cache(folder / "two.usda");
    const Frame frame = cache.at(2);
    ASSERT_EQ(frame.bodies.size(), 2u);
    EXPECT_EQ(frame.bodies[0].name, "a");
    EXPECT_EQ(frame.bodies[1].name, "a_2");
    for (int body = 0; body < 2; ++body) {
        const Points part = pointsOf(frame, body);
        ASSERT_EQ(part.count(), 2u);
        EXPECT_EQ(part.positions[1], (Vec3{1, 1, 0}));
    }
}

TEST(UsdText, readsWhatTheGrammarAllows) {
    const std::string text = R"usd(#usda 1.0
(
    "A comment of the layer, with ) and ("
    doc = """three
lines "quoted" here"""
    customLayerData = { string a = "}" }
    upAxis = 'Z'
)
# A comment with { and "
over "Other" { }
def Xform "World" (
    prepend references = [@b.usda@</x>, @@@c@d.usda@@@]
    kind = "component"
)
{
    custom uniform token[] words = ["a", "]", "b"] ( doc = "}" )
    float size = 2 /* of
    two lines */
    float size.timeSamples = { 2: 4, 1: 3, }
    rel material:binding = </Looks/a>
    float other.connect = </World.size>
    variantSet "shape" = { "round" { def Mesh "hidden" { } } }
    def "Inner" { point3f[] empty }
}
)usd";
    const UsdLayer layer(text, "a.usda");
    ASSERT_EQ(layer.root.children.size(), 2u);
    const UsdPrim& world = layer.root.children[1];
    EXPECT_EQ(world.type, "Xform");
    EXPECT_TRUE(world.hasVariants);
    EXPECT_EQ(world.about.count("references"), 1u);
    EXPECT_EQ(usdString(layer.root.about.find("upAxis")->second), "Z");
    ASSERT_TRUE(world.find("words") && world.find("size"));
    EXPECT_EQ(world.find("words")->value, "[\"a\", \"]\", \"b\"]");
    EXPECT_EQ(world.find("size")->value, "2");
    ASSERT_EQ(world.find("size")->samples.size(), 2u);
    EXPECT_EQ(world.find("size")->samples[0].first, 1) << "sorted by time";
    EXPECT_EQ(world.find("material:binding")->value, "</Looks/a>");
    EXPECT_FALSE(world.find("other"));
    ASSERT_EQ(world.children.size(), 1u);
    EXPECT_FALSE(world.children[0].find("empty"));
}

TEST(UsdText, damagedFilesGiveErrorsAndNothingWorse) {
    const std::string whole =
        "#usda 1.0\n( upAxis = \"Y\" )\ndef Xform \"w\" {\n double3 xformOp:translate.timeSamples = { 1: (1, 2, 3), 2: "
        "(2, 3, 4) }\n uniform token[] xformOpOrder = [\"xformOp:translate\"]\n def Mesh \"m\" {\n point3f[] points = "
        "[(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 2]\n "
        "color3f[] "
        "primvars:displayColor = [(1, 0, 0)] ( interpolation = \"constant\" )\n }\n}\n";
    EXPECT_EQ(UsdReader(whole, "w.usda").read(1.5).meshes.at(0).positions[1], (Vec3{2.5f, 2.5f, 3.5f}));
    int refused = 0;
    for (uint64_t seed = 0; seed < 3000; ++seed) {
        std::string damaged = whole.substr(0, seed % 3 ? whole.size() : randomBits(seed, 1) % whole.size());
        for (uint64_t k = 0; k < 1 + seed % 4 && !damaged.empty(); ++k)
            damaged[randomBits(seed, 2 + 2 * k) % damaged.size()] =
                "(){}[]<>@\"'=:,. 17a\n"[randomBits(seed, 3 + 2 * k) % 20];
        try {
            const UsdReader reader(damaged, "damaged.usda");
            for (const double time : reader.times()) reader.read(time);
        } catch (const Error& error) {
            ++refused;
            EXPECT_EQ(std::string(error.what()).find("damaged.usda"), 0u) << error.what();
        }
    }
    EXPECT_GT(refused, 500);
}

TEST(Placement, invertsAndTurnsNormalsWithTheirSurface) {
    const Placement p =
        Placement::scaling(1, 2, -3) * Placement::rotation(1, 2, 3, 40) * Placement::translation(4, 5, 6);
    const Vec3 at{0.5f, -1, 2}, back = p.inverse().point(p.point(at));
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(back[k], at[k], 1e-5) << "floats of about 10";
    EXPECT_LT(p.determinant(), 0);
    // A normal stays perpendicular to both edges of its face.
    const Vec3 u{1, 0.5f, 0}, v{0, 1, 1}, n = p.normal(normalized(cross(u, v)));
    EXPECT_NEAR(dot(n, p.vector(u)), 0, 1e-5);
    EXPECT_NEAR(dot(n, p.vector(v)), 0, 1e-5);
    EXPECT_EQ(Placement::rotation(0, 0, 0, 30), Placement());
}

}  // namespace
}  // namespace purl
