// Nodes that take frames: points, surfaces, foam, caches, rigid bodies and mesh sequences.
#include <gtest/gtest.h>
#include <maya/MFnArrayAttrsData.h>
#include <maya/MFnMesh.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MPoint.h>
#include <maya/MVectorArray.h>

#include <filesystem>
#include <fstream>

#include "host/builtin/builtin.h"
#include "nodes/nodes.h"
#include "nodes/solverNode.h"
#include "solver/cache/file.h"
#include "solver/cache/ncache.h"
#include "tests/nodes/graphs.h"

namespace purl {
namespace {

TEST_F(Nodes, pointsNodePublishesTheFramesArrays) {
    smallTank();
    const NodePtr points = graph.create("purlPoints", "points");
    graph.connect(solver->plug("outFrame"), points->plug("inFrame"));
    const auto frame = frameAt(3);
    const MObject data = host::Api::make(points->plug("outPositions")).asMObject();
    const MVectorArray positions = MFnVectorArrayData(data).array();
    ASSERT_EQ(positions.length(), frame->points.count());
    for (unsigned i = 0; i < positions.length(); ++i)
        EXPECT_FLOAT_EQ(static_cast<float>(positions[i].y), frame->points.positions[i].y);
    EXPECT_EQ(points->plug("outCount").number(), 216);
    points->plug("body").set("oil");
    EXPECT_EQ(points->plug("outCount").evaluate(), host::Result::Failed);
    points->plug("body").set("water");
    EXPECT_EQ(points->plug("outCount").number(), 216);
}

// As nParticles name it; one colour a particle whether fluids mix or not.
TEST_F(Nodes, pointsNodeGivesColorsAsRgbPP) {
    smallTank();
    fluid->plug("color").set(0.25, 0.5, 0.75);
    const NodePtr points = graph.create("purlPoints", "points");
    graph.connect(solver->plug("outFrame"), points->plug("inFrame"));
    const auto colors = [&] {
        const MVectorArray separate =
            MFnVectorArrayData(host::Api::make(points->plug("outColors")).asMObject()).array();
        MObject together = host::Api::make(points->plug("outParticles")).asMObject();
        const MVectorArray rgbPP = MFnArrayAttrsData(together).vectorArray("rgbPP");
        EXPECT_EQ(separate.length(), 216u);
        EXPECT_EQ(rgbPP.length(), 216u);
        for (unsigned i = 0; i < rgbPP.length(); ++i) EXPECT_EQ(rgbPP[i], separate[i]);
        return separate;
    };
    frameAt(1);
    EXPECT_EQ(colors()[100], MVector(0.25, 0.5, 0.75)) << "of its fluid";
    fluid->plug("dispersion").set(1e-4);
    const auto mixed = frameAt(2);
    ASSERT_EQ(mixed->points.colors.size(), 216u);
    const Vec3 own = mixed->points.colors[100];
    EXPECT_EQ(colors()[100], MVector(own.x, own.y, own.z)) << "its fluid's colour";
}

TEST_F(Nodes, surfaceNodeGivesAMeshAndPassesTheFrameOn) {
    smallTank();
    const NodePtr surface = graph.create("purlSurface", "surface");
    graph.connect(solver->plug("outFrame"), surface->plug("inFrame"));
    frameAt(1);
    const auto frame = value<FrameData>(surface->plug("outFrame"));
    ASSERT_EQ(frame->meshes.size(), 1u);
    EXPECT_EQ(frame->meshes[0].name, "water");
    EXPECT_EQ(frame->points.count(), 216u);
    MFnMesh mesh(host::Api::make(surface->plug("outMesh")).asMObject());
    EXPECT_EQ(static_cast<size_t>(mesh.numPolygons()), frame->meshes[0].triangles.size() / 3);
    EXPECT_GT(mesh.numPolygons(), 100);
    for (const char* plug : {"outVelocities", "outNormals", "outColors"}) {
        const MVectorArray values = MFnVectorArrayData(host::Api::make(surface->plug(plug)).asMObject()).array();
        EXPECT_EQ(values.length(), frame->meshes[0].positions.size()) << plug;
    }
    EXPECT_GT(frame->stats.surfaceMemory, 0);
}

// A frame may bring its surface, from a cache for example: purlSurface keeps it unless asked to make another.
TEST_F(Nodes, aSurfaceThatCameAlongIsKept) {
    smallTank();
    const NodePtr surface = graph.create("purlSurface", "surface"), again = graph.create("purlSurface", "again");
    graph.connect(solver->plug("outFrame"), surface->plug("inFrame"));
    graph.connect(surface->plug("outFrame"), again->plug("inFrame"));
    again->plug("resolution").set(0.5 * again->plug("resolution").number());
    frameAt(2);
    const auto made = value<FrameData>(surface->plug("outFrame")), kept = value<FrameData>(again->plug("outFrame"));
    ASSERT_EQ(kept->meshes.size(), 1u);
    EXPECT_EQ(kept->meshes[0].positions, made->meshes[0].positions);
    const MFnMesh mesh(host::Api::make(again->plug("outMesh")).asMObject());
    EXPECT_EQ(size_t(mesh.numPolygons()), made->meshes[0].triangles.size() / 3);
    again->plug("useCached").set(0);
    const auto remade = value<FrameData>(again->plug("outFrame"));
    ASSERT_EQ(remade->meshes.size(), 2u);
    EXPECT_LT(remade->meshes[1].triangles.size(), made->meshes[0].triangles.size());
}

// K-74
TEST_F(Nodes, gasIsShownAsPointsAndNeverAsAMesh) {
    smallTank();
    fluid->plug("preset").setFromText("steam");
    const NodePtr surface = graph.create("purlSurface", "surface");
    graph.connect(solver->plug("outFrame"), surface->plug("inFrame"));
    frameAt(1);
    const auto frame = value<FrameData>(surface->plug("outFrame"));
    EXPECT_TRUE(frame->meshes.empty());
    EXPECT_EQ(frame->points.radii.size(), 216u);
    surface->plug("body").set("water");
    EXPECT_EQ(surface->plug("outFrame").evaluate(), host::Result::Failed) << "asked for by name it is refused";
}

TEST_F(Nodes, foamNodePutsABodyInThatIsNeverMeshed) {
    smallTank();
    fluid->plug("startVelocity").set(0, -6, 0);
    const NodePtr foam = graph.create("purlFoam", "foam"), surface = graph.create("purlSurface", "surface");
    graph.connect(solver->plug("outFrame"), foam->plug("inFrame"));
    graph.connect(foam->plug("outFrame"), surface->plug("inFrame"));
    foam->plug("minTurbulence").set(0.05);
    foam->plug("airRate").set(100000.0);
    for (int f = 1; f <= 4; ++f) {
        graph.setFrame(f);
        value<FrameData>(surface->plug("outFrame"));
    }
    const auto frame = value<FrameData>(surface->plug("outFrame"));
    const int body = findBody(*frame, "waterFoam");
    ASSERT_GE(body, 0);
    EXPECT_EQ(frame->bodies[static_cast<size_t>(body)].kind, BodyKind::foam);
    EXPECT_GT(pointsOf(*frame, body).count(), 0u);
    ASSERT_EQ(frame->meshes.size(), 1u);
    EXPECT_EQ(frame->meshes[0].name, "water");
    // Requested again it is the same, and at the start there is no foam.
    foam->plug("color").set(1, 0, 0);
    EXPECT_EQ(pointsOf(*value<FrameData>(surface->plug("outFrame")), body).positions, pointsOf(*frame, body).positions);
    graph.setFrame(1);
    EXPECT_EQ(pointsOf(*value<FrameData>(surface->plug("outFrame")), body).count(), 0u);
}

TEST_F(Nodes, cacheNodeWritesFramesAndReadsThemBack) {
    smallTank();
    const std::string directory = testing::TempDir() + "purl_cacheNode";
    std::filesystem::remove_all(directory);
    const NodePtr cache = graph.create("purlCache", "cache");
    graph.connect(solver->plug("outFrame"), cache->plug("inFrame"));
    graph.connect(graph.time1()->plug("outTime"), cache->plug("currentTime"));
    cache->plug("directory").set(directory);
    cache->plug("mode").setFromText("write");
    std::vector<std::shared_ptr<const Frame>> written;
    for (int f = 1; f <= 4; ++f) {
        graph.setFrame(f);
        written.push_back(value<FrameData>(cache->plug("outFrame")));
    }
    cache->plug("mode").setFromText("read");
    const auto computed = graph.computeCount;
    for (const int f : {4, 2, 1, 3}) {
        graph.setFrame(f);
        const auto read = value<FrameData>(cache->plug("outFrame"));
        EXPECT_EQ(read->points.positions, written[size_t(f) - 1]->points.positions);
        EXPECT_EQ(read->points.ids, written[size_t(f) - 1]->points.ids);
        EXPECT_EQ(read->stateHash, written[size_t(f) - 1]->stateHash);
    }
    EXPECT_LE(graph.computeCount - computed, 8) << "the solver is not asked while the cache answers";
    graph.setFrame(9);
    EXPECT_EQ(cache->plug("outFrame").evaluate(), host::Result::Failed)
        << "a missing frame is an error, never a stale one";
}

// A transform driven by purlRigid stands where the solver has the body, in any rotate order, live and from a cache.
TEST_F(Nodes, rigidNodeDrivesATransformAsTheBodyMoves) {
    smallTank();
    walls->plug("halfSize").set(20, 40, 20);
    const NodePtr start = graph.create("transform", "crateStart"), crate = graph.create("purlCollider", "crate");
    start->plug("translate").set(0, 30, 0);
    start->plug("rotate").setFromText("20 30 40");
    crate->plug("shape").setFromText("box");
    crate->plug("motion").setFromText("dynamic");
    crate->plug("halfSize").set(2, 3, 4);
    crate->plug("startSpin").set(1, 2, 3);
    graph.connect(start->plug("worldMatrix[0]"), crate->plug("inMatrix"));
    graph.connect(crate->plug("outBody"), solver->plug("bodies[2]"));
    const NodePtr stone = graph.create("purlCollider", "stone");
    stone->plug("motion").setFromText("dynamic");
    graph.connect(cube("stoneMesh", 4, 12, 20, 5)->plug("worldMesh[0]"), stone->plug("inMesh"));
    graph.connect(stone->plug("outBody"), solver->plug("bodies[3]"));

    const std::string directory = testing::TempDir() + "purl_rigidNode";
    std::filesystem::remove_all(directory);
    const NodePtr cache = graph.create("purlCache", "cache");
    graph.connect(solver->plug("outFrame"), cache->plug("inFrame"));
    graph.connect(graph.time1()->plug("outTime"), cache->plug("currentTime"));
    cache->plug("directory").set(directory);
    cache->plug("mode").setFromText("write");

    const NodePtr rigid = graph.create("purlRigid", "rigid"), seen = graph.create("transform", "seen"),
                  held = graph.create("transform", "held");
    graph.connect(cache->plug("outFrame"), rigid->plug("inFrame"));
    graph.connect(rigid->plug("outTranslate"), seen->plug("translate"));
    graph.connect(rigid->plug("outRotate"), seen->plug("rotate"));
    graph.connect(seen->plug("rotateOrder"), rigid->plug("rotateOrder"));
    graph.connect(rigid->plug("outMatrix"), held->plug("offsetParentMatrix"));

    // The crate's corner, seen through the transforms and in the outline the frame holds.
    const auto check = [&](const char* collider, const MPoint& corner, double tolerance) {
        rigid->plug("collider").set(collider);
        const auto frame = value<FrameData>(cache->plug("outFrame"));
        const Mesh* outline = nullptr;
        for (const Mesh& mesh : frame->meshes)
            if (mesh.name == collider) outline = &mesh;
        ASSERT_TRUE(outline) << collider;
        const Vec3 there = outline->positions.front();
        for (const char* order : {"xyz", "yzx", "zxy", "xzy", "yxz", "zyx"}) {
            seen->plug("rotateOrder").setFromText(order);
            for (const NodePtr& transform : {seen, held}) {
                const MPoint p = corner * transform->plug("worldMatrix[0]").matrix();
                EXPECT_NEAR(p.x, there.x, tolerance) << order;
                EXPECT_NEAR(p.y, there.y, tolerance) << order;
                EXPECT_NEAR(p.z, there.z, tolerance) << order;
            }
        }
    };
    // A few roundings of coordinates of tens of centimetres.
    constexpr double kTolerance = 2e-5;
    for (int f = 1; f <= 6; ++f) {
        graph.setFrame(f);
        check("crate", MPoint(-2, -3, -4), kTolerance);
        check("stone", MPoint(12 - 2, 20 - 2, 5 + 2), kTolerance);  // as it was connected
    }
    const double fallen = seen->plug("translateY").number();
    rigid->plug("collider").set("crate");
    EXPECT_LT(seen->plug("translateY").number(), 29.5) << "0.2 s of falling";
    cache->plug("mode").setFromText("read");
    rigid->plug("collider").set("stone");
    EXPECT_EQ(seen->plug("translateY").number(), fallen) << "the cache keeps it";
    rigid->plug("collider").set("");
    rigid->plug("index").set(1);
    EXPECT_EQ(seen->plug("translateY").number(), fallen) << "by its index";
    rigid->plug("index").set(2);
    EXPECT_EQ(rigid->plug("outMatrix").evaluate(), host::Result::Failed);
    EXPECT_NE(errors.back().find("index 2"), std::string::npos) << errors.back();
    rigid->plug("collider").set("walls");
    EXPECT_EQ(rigid->plug("outMatrix").evaluate(), host::Result::Failed);
    EXPECT_NE(errors.back().find("walls"), std::string::npos) << errors.back();
}

TEST_F(Nodes, meshSequencePlaysItsFiles) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "purlMeshSequence";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const auto write = [&](const char* name, double y, const char* face) {
        std::ofstream(folder / name) << "v 0 " << y << " 0\nv 1 " << y << " 0\nv 0 " << y << " 1\nv 1 " << y << " 1\n"
                                     << face << "\n";
    };
    write("tri.0002.obj", 2, "f 1 2 4 3");
    write("tri.0003.obj", 4, "f 1 2 4 3");
    write("tri.0007.obj", 8, "f 1 2 4 3");
    write("tri.0009.obj", 8, "f 1 2 4");
    write("other.0003.obj", 50, "f 1 2 4 3");
    write("tri.three.obj", 60, "f 1 2 4 3");
    const NodePtr files = graph.create("purlMeshSequence", "files"), shape = graph.createWithParent("mesh", "shape");
    graph.connect(graph.time1()->plug("outTime"), files->plug("currentTime"));
    graph.connect(files->plug("outMesh"), shape->plug("inMesh"));
    files->plug("file").setFromText((folder / "tri.####.obj").string());
    const auto heightAt = [&](double frame) {
        graph.setFrame(frame);
        const auto mesh = shape->plug("outMesh").data<host::MeshData>();
        EXPECT_TRUE(mesh) << (errors.empty() ? "" : errors.back());
        return mesh ? double(mesh->points[1]) : NAN;
    };
    EXPECT_EQ(heightAt(1), 2) << "stands still before its first file";
    EXPECT_EQ(heightAt(2), 2);
    EXPECT_EQ(heightAt(2.5), 3) << "moves straight in between";
    EXPECT_EQ(heightAt(5), 6) << "and where files are missing";
    EXPECT_EQ(heightAt(20), 8);
    files->plug("frameOffset").set(1);
    EXPECT_EQ(heightAt(1.5), 3);
    EXPECT_TRUE(errors.empty()) << errors[0];

    const auto errorAt = [&](double frame) {
        errors.clear();
        graph.setFrame(frame);
        files->plug("outMesh").evaluate();
        return errors.empty() ? "" : errors[0];
    };
    EXPECT_NE(errorAt(7).find("tri.0009.obj: has a different topology than"), std::string::npos) << errorAt(7);
    files->plug("file").setFromText((folder / "gone.####.obj").string());
    EXPECT_NE(errorAt(3).find("gone.####.obj: not found; # stands for"), std::string::npos);
    files->plug("file").setFromText("tri.####.obj");
    graph.scenePath = (folder / "scene.ma").string();
    EXPECT_EQ(errorAt(2), "") << "relative to the scene";
    EXPECT_EQ(heightAt(2), 4);
    files->plug("file").setFromText("tri.0007.obj");
    EXPECT_EQ(heightAt(2), 8) << "one file for all frames";
    files->plug("file").setFromText("");
    EXPECT_EQ(errorAt(3), "files: file is empty; enter the files of the mesh, such as dancer.####.obj");
    fs::remove_all(folder);
}

// A geometry cache of Maya has vertices only; the mesh that was cached gives the faces.
TEST_F(Nodes, meshSequencePlaysAGeometryCacheOfMaya) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "purlGeometryCache";
    fs::create_directories(folder);
    NCacheDescription description;
    description.layout = NCacheLayout::oneFile;
    std::string data = encodeNCacheHead(NCacheBits::mcx, NCacheLayout::oneFile, 0);
    for (const int frame : {1, 3}) {
        NCacheSample sample;
        sample.ticks = 250 * frame;
        const double y = 10 * frame;
        sample.channels.push_back(
            {"plateShape", "positions", NCacheType::floatVectorArray, {-1, y, 1, 1, y, 1, -1, y, -1, 1, y, -1}});
        description.include(sample);
        data += encodeNCacheSample(NCacheBits::mcx, NCacheLayout::oneFile, sample);
    }
    writeFile((folder / "plate.mcx").string(), data);
    writeFile((folder / "plate.xml").string(), encodeNCacheDescription(description));

    const NodePtr files = graph.create("purlMeshSequence", "files"), plane = graph.create("polyPlane");
    for (const char* parts : {"subdivisionsWidth", "subdivisionsHeight"}) plane->plug(parts).set(1);
    graph.connect(graph.time1()->plug("outTime"), files->plug("currentTime"));
    files->plug("file").setFromText((folder / "plate.xml").string());
    graph.setFrame(2);
    files->plug("outMesh").evaluate();
    ASSERT_FALSE(errors.empty());
    EXPECT_NE(errors[0].find("plate.xml: holds the vertices of plateShape without faces"), std::string::npos);
    errors.clear();
    graph.connect(plane->plug("output"), files->plug("inMesh"));
    const auto mesh = files->plug("outMesh").data<host::MeshData>();
    ASSERT_TRUE(mesh && errors.empty());
    EXPECT_EQ(mesh->points[1], 20) << "between the samples";
    EXPECT_EQ(mesh->faceCounts, std::vector<int>{4});
    fs::remove_all(folder);
}

TEST_F(Nodes, framesPassThroughNodesWithoutCopies) {
    smallTank();
    const NodePtr foam = graph.create("purlFoam", "foam"), surface = graph.create("purlSurface", "surface"),
                  cache = graph.create("purlCache", "cache");
    graph.connect(solver->plug("outFrame"), foam->plug("inFrame"));
    graph.connect(foam->plug("outFrame"), surface->plug("inFrame"));
    graph.connect(surface->plug("outFrame"), cache->plug("inFrame"));
    graph.connect(graph.time1()->plug("outTime"), cache->plug("currentTime"));
    const auto made = frameAt(2);
    // In the scene's units, not in metres beside them.
    const Frame& simulated = static_cast<SolverNode*>(solver->user)->simulator()->frame();
    EXPECT_EQ(simulated.metersPerUnit, made->metersPerUnit);
    const auto expectShared = [&](const Frame& frame, const char* where) {
        for (const auto channel : {&Points::positions, &Points::velocities, &Points::normals})
            EXPECT_TRUE((frame.points.*channel).sharesWith(made->points.*channel)) << where;
        EXPECT_TRUE(frame.points.ids.sharesWith(made->points.ids)) << where;
    };
    expectShared(simulated, "simulator");
    expectShared(*value<FrameData>(foam->plug("outFrame")), "purlFoam");
    const auto shown = value<FrameData>(surface->plug("outFrame")), passed = value<FrameData>(cache->plug("outFrame"));
    expectShared(*shown, "purlSurface");
    expectShared(*passed, "purlCache");
    ASSERT_EQ(passed->meshes.size(), 1u);
    EXPECT_TRUE(passed->meshes[0].positions.sharesWith(shown->meshes[0].positions));
}

}  // namespace
}  // namespace purl
