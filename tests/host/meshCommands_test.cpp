// Commands that edit and build meshes: volumes, watertightness, normals, undo, and the .ma file.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "tests/host/commandsTest.h"

namespace purl::host {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Volume of a closed mesh by the divergence theorem.
double volumeOf(const MeshData& mesh) {
    const auto at = [&](int v) {
        return MVector(double(mesh.points[3 * v]), double(mesh.points[3 * v + 1]), double(mesh.points[3 * v + 2]));
    };
    double six = 0;
    for (int f = 0; f < mesh.faceCount(); ++f) {
        const int* v = mesh.faceVertices.data() + mesh.faceStarts()[f];
        for (int k = 2; k < mesh.faceCounts[f]; ++k) six += at(v[0]) * (at(v[k - 1]) ^ at(v[k]));
    }
    return six / 6;
}
bool isClosed(const MeshData& mesh) {
    std::map<std::pair<int, int>, int> uses;  // uses of each directed edge
    for (int f = 0; f < mesh.faceCount(); ++f) {
        const int n = mesh.faceCounts[f];
        const int* v = mesh.faceVertices.data() + mesh.faceStarts()[f];
        for (int k = 0; k < n; ++k) ++uses[{v[k], v[(k + 1) % n]}];
    }
    return std::all_of(uses.begin(), uses.end(), [&](const auto& e) {
        return e.second == 1 && uses.count({e.first.second, e.first.first}) == 1;
    });
}

class MeshCommandsTest : public CommandsTest {
  protected:
    std::shared_ptr<const MeshData> mesh(const std::string& node) {
        const NodePtr found = session.graph().get(node);
        for (Node* child : found->children)
            if (child->type->shape) return child->plug("outMesh").data<MeshData>();
        return found->plug("outMesh").data<MeshData>();
    }
    double volume(const std::string& node) { return volumeOf(*mesh(node)); }
    std::vector<int> counts(const std::string& node) { return {mesh(node)->vertexCount(), mesh(node)->faceCount()}; }
    Doubles box(const std::string& node) { return std::get<Doubles>(run("exactWorldBoundingBox", {node})); }
    // Saves the scene with its history and loads it again.
    void saveAndOpen() {
        const auto name = std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".ma";
        const std::string path = (std::filesystem::temp_directory_path() / name).string();
        run("file", {"-rename", path});
        run("file", {"-save", "-type", "mayaAscii"});
        run("file", {path, "-o", "-f"});
        std::filesystem::remove(path);
    }
    // Runs a command, undoes it, checks that the scene is as before, and redoes it.
    template <class Work>
    void undoable(Work&& work) {
        const std::string before = scene();
        work();
        const std::string after = scene();
        EXPECT_NE(before, after);
        run("undo");
        EXPECT_EQ(scene(), before);
        run("redo");
        EXPECT_EQ(scene(), after);
    }
};

TEST_F(MeshCommandsTest, deletingFacesLeavesTheRest) {
    run("polyCylinder", {"-n", "glass", "-sx", "12", "-subdivisionsCaps", "0"});
    const std::string whole = scene();
    run("delete", {"glass.f[13]"});  // the lid
    EXPECT_EQ(std::get<int>(run("polyEvaluate", {"glass", "-face"})), 13);
    EXPECT_EQ(std::get<int>(run("polyEvaluate", {"glass", "-vertex"})), 24);
    EXPECT_EQ(std::get<int>(run("polyEvaluate", {"glass", "-edge"})), 36)
        << "the rim of the deleted top is shared with the side";
    run("polyCylinder", {"glass", "-e", "-h", "5"});
    EXPECT_EQ(std::get<Doubles>(run("exactWorldBoundingBox", {"glass"}))[4], 2.5) << "history is kept";
    run("undo");
    run("undo");
    EXPECT_EQ(scene(), whole);
    // Deletes unused vertices and their UVs.
    run("select", {"glass.f[0:3]", "glass.f[3:11]"});
    run("delete");
    EXPECT_EQ(std::get<std::vector<int>>(run("polyEvaluate", {"glass"})), (std::vector<int>{24, 24, 2, 24, 20}));
    // Faces of several meshes, and nodes in the same call.
    run("polyCube", {"-n", "box", "-ch", "off"});
    run("polySphere", {"-n", "ball"});
    run("delete", {"ball", "box.f[0]", "glass.f[1]"});
    EXPECT_FALSE(std::get<bool>(run("objExists", {"ball"})));
    EXPECT_EQ(std::get<int>(run("polyEvaluate", {"box", "-f"})), 5);
    EXPECT_EQ(std::get<int>(run("polyEvaluate", {"glass", "-f"})), 1);
    // Deleting the object deletes its history.
    run("delete", {"glass"});
    EXPECT_TRUE(list("ls", {"-type", "deleteComponent"}).empty());
}

TEST_F(MeshCommandsTest, onlyNodesAndFacesCanBeDeleted) {
    run("polyCube", {"-n", "box"});
    const std::string before = scene();
    EXPECT_EQ(error("delete", {"box.f[6]"}), "delete: box.f[6]: out of range; the mesh has 6 faces");
    EXPECT_EQ(error("delete", {"box.f[*]"}), "delete: no face would remain; delete the object instead");
    EXPECT_EQ(error("delete", {"box.vtx[0]"}), "delete: box.vtx[0] is neither a node nor faces of a mesh (box.f[0:3])");
    EXPECT_EQ(error("delete", {"box.tx"}), "delete: box.tx is neither a node nor faces of a mesh (box.f[0:3])");
    EXPECT_EQ(scene(), before);
}

TEST_F(MeshCommandsTest, anOpenMeshIsExtrudedToASolidWithWalls) {
    run("polyCube", {"-n", "tray", "-w", "10", "-h", "4", "-d", "6"});
    run("delete", {"tray.f[1]"});  // the top
    EXPECT_EQ(list("polyExtrudeFacet", {"tray", "-thickness", "0.5"}), (Strings{"polyExtrudeFace1"}));
    // The walls of a box have the requested thickness also at edges and corners: 11 × 4.5 × 7 around 10 × 4 × 6. Points
    // are single precision.
    EXPECT_TRUE(isClosed(*mesh("trayShape")));
    EXPECT_NEAR(volumeOf(*mesh("trayShape")), 11 * 4.5 * 7 - 10 * 4 * 6, 1e-4);
    run("setAttr", {"polyExtrudeFace1.thickness", "-0.5"});
    EXPECT_TRUE(isClosed(*mesh("trayShape")));
    EXPECT_NEAR(volumeOf(*mesh("trayShape")), 10 * 4 * 6 - 9 * 3.5 * 5, 1e-4);
    saveAndOpen();
    EXPECT_NEAR(volumeOf(*mesh("trayShape")), 10 * 4 * 6 - 9 * 3.5 * 5, 1e-4);

    // A mesh without history is edited directly.
    run("polyPlane", {"-n", "sheet", "-w", "3", "-h", "2", "-ch", "off"});
    run("polyExtrudeFacet", {"sheet", "-tk", "0.1"});
    EXPECT_NEAR(volumeOf(*mesh("sheetShape")), 0.6, 1e-6);
    run("undo");
    EXPECT_EQ(mesh("sheetShape")->faceCount(), 100);
    EXPECT_EQ(error("polyExtrudeFacet", {"sheet"}),
              "polyExtrudeFacet: a non-zero -thickness, -localTranslateZ or -offset, or a -localScale is required");
    run("polySphere", {"-n", "ball"});
    EXPECT_EQ(error("polyExtrudeFacet", {"ball", "-tk", "1"}),
              "polyExtrudeFacet: the mesh is closed; delete the faces of its opening first");
}

TEST_F(MeshCommandsTest, facesAreExtrudedAlongTheirNormal) {
    run("polyCube", {"-n", "box", "-w", "4", "-h", "2", "-d", "3"});
    undoable([&] { run("polyExtrudeFacet", {"box.f[1]", "-localTranslateZ", "1.5"}); });  // the top
    EXPECT_EQ(counts("box"), (std::vector<int>{12, 10}));
    EXPECT_TRUE(isClosed(*mesh("box")));
    EXPECT_NEAR(volume("box"), 4 * 3 * 3.5, 1e-5);
    // A frame of 0.5 within the top, and a pocket of depth 3 in it.
    run("polyExtrudeFacet", {"box.f[1]", "-offset", "0.5"});
    run("polyExtrudeFacet", {"box.f[1]", "-ltz", "-3"});
    EXPECT_TRUE(isClosed(*mesh("box")));
    EXPECT_NEAR(volume("box"), 4 * 3 * 3.5 - 3 * 2 * 3, 1e-5);
    saveAndOpen();
    EXPECT_NEAR(volume("box"), 4 * 3 * 3.5 - 3 * 2 * 3, 1e-5);
    run("setAttr", {"polyExtrudeFace3.localTranslateZ", "-1"});
    EXPECT_NEAR(volume("box"), 4 * 3 * 3.5 - 3 * 2 * 1, 1e-5) << "history is kept";
}

TEST_F(MeshCommandsTest, facesAreExtrudedTogetherOrApart) {
    for (const char* together : {"on", "off"}) {
        run("file", {"-new", "-f"});
        run("polyPlane", {"-n", "sheet", "-w", "4", "-h", "4", "-sx", "4", "-sy", "4"});
        run("polyExtrudeFacet", {"sheet.f[5:6]", "sheet.f[9:10]", "-ltz", "1", "-kft", together});
        // Four faces with one outline of 8 edges and a vertex inside, or with 16 edges.
        EXPECT_EQ(counts("sheet"), (std::string(together) == "on" ? std::vector<int>{25 + 8, 16 + 8}
                                                                  : std::vector<int>{25 + 16, 16 + 16}));
        EXPECT_EQ(box("sheet")[4], 1);
        EXPECT_EQ(std::get<Doubles>(run("pointPosition", {"sheet.vtx[12]"}))[1], std::string(together) == "on" ? 1 : 0);
    }
    run("polyCube", {"-n", "box", "-w", "2", "-h", "2", "-d", "2"});
    run("polyExtrudeFacet", {"box.f[*]", "-kft", "off", "-ltz", "0.5", "-localScale", "0.5", "0.5", "1"});
    EXPECT_TRUE(isClosed(*mesh("box")));
    // Six frusta of height 0.5 on a cube: h (A + √(A B) + B) / 3 with A = 4 and B = 1.
    EXPECT_NEAR(volume("box"), 8 + 6 * 0.5 * (4 + 2 + 1) / 3, 1e-5);
    // Two walls that meet at a right angle keep their thickness.
    run("polyCube", {"-n", "corner", "-w", "2", "-h", "2", "-d", "2"});
    run("polyExtrudeFacet", {"corner.f[0:1]", "-thickness", "0.25"});
    EXPECT_TRUE(isClosed(*mesh("corner")));
    EXPECT_NEAR(volume("corner"), 2 * 2.25 * 2.25, 1e-5);
}

TEST_F(MeshCommandsTest, whatAnExtrusionCannotDoIsRefused) {
    run("polyCube", {"-n", "box"});
    const std::string before = scene();
    EXPECT_EQ(
        error("polyExtrudeFacet", {"box.f[1]", "-ltx", "1"}),
        "polyExtrudeFacet: -localTranslate is supported along z only, the normal of the faces; use move for other "
        "directions");
    EXPECT_EQ(error("polyExtrudeFacet", {"box.f[1]", "-ls", "1", "2", "1"}),
              "polyExtrudeFacet: -localScale must be the same in x and y");
    EXPECT_EQ(error("polyExtrudeFacet", {"box.f[1]", "-ltz", "1", "-d", "3"}),
              "polyExtrudeFacet: only one division is supported; extrude again for more");
    EXPECT_EQ(error("polyExtrudeFacet", {"box.f[1]", "-ltz", "1", "-twist", "3"}),
              "polyExtrudeFacet: -twist is not supported; leave it out");
    EXPECT_EQ(error("polyExtrudeFacet", {"box.e[1]", "-ltz", "1"}),
              "polyExtrudeFacet: box.e[1] is neither a node nor faces of a mesh (box.f[0:3])");
    EXPECT_EQ(scene(), before);
}

TEST_F(MeshCommandsTest, polyDelFacetDeletesFacesWithItsOwnNode) {
    run("polyCube", {"-n", "box"});
    undoable([&] { EXPECT_EQ(list("polyDelFacet", {"box.f[1]"}), (Strings{"polyDelFacet1"})); });
    EXPECT_EQ(counts("box"), (std::vector<int>{8, 5}));
    saveAndOpen();
    EXPECT_EQ(counts("box"), (std::vector<int>{8, 5}));
    EXPECT_EQ(error("polyDelFacet", {"box"}), "polyDelFacet: box is neither a node nor faces of a mesh (box.f[0:3])");
}

TEST_F(MeshCommandsTest, componentsAreMovedRotatedAndScaled) {
    for (const char* history : {"on", "off"}) {
        run("file", {"-new", "-f"});
        run("polyCube", {"-n", "box", "-w", "2", "-h", "2", "-d", "2", "-ch", history});
        run("move", {"10", "0", "0", "box"});
        run("rotate", {"0", "90", "0", "box"});
        // The top of the box, whose vertices two of these words share.
        undoable([&] { run("move", {"-r", "0", "1", "0", "box.f[1]", "box.vtx[2:3]"}); });
        EXPECT_NEAR(volume("box"), 12, 1e-5) << history;
        undoable([&] { run("scale", {"0.5", "1", "0.5", "box.f[1]"}); });
        EXPECT_NEAR(volume("box"), 3 * (4 + 2 + 1) / 3.0, 1e-5) << "around the pivot of the object";
        EXPECT_NEAR(box("box")[0], 9, 1e-5);
        // A quarter turn of the bottom face around the middle of its own bounding box leaves it in place.
        const Doubles corner = std::get<Doubles>(run("xform", {"box.vtx[0]", "-q", "-t", "-ws"}));
        undoable([&] { run("rotate", {"0", "90", "0", "box.f[3]", "-centerPivot"}); });
        const Doubles turned = std::get<Doubles>(run("xform", {"box.vtx[0]", "-q", "-t", "-ws"}));
        EXPECT_NEAR(turned[0] - 10, corner[2], 1e-5);
        EXPECT_NEAR(turned[2], -(corner[0] - 10), 1e-5);
        EXPECT_NEAR(box("box")[1], -1, 1e-5);
        run("scale", {"1", "3", "1", "box.e[0:3]", "-pivot", "10", "-1", "0"});
        EXPECT_NEAR(box("box")[4], 8, 1e-5) << "three times as far from the bottom";
        run("move", {"-y", "-4", "box.f[3]", "-absolute"});
        EXPECT_NEAR(box("box")[1], -4, 1e-5);
        const Doubles before = box("box");
        saveAndOpen();
        const Doubles after = box("box");
        for (size_t k = 0; k < 6; ++k) EXPECT_NEAR(after[k], before[k], 1e-5) << history;
    }
    EXPECT_EQ(error("scale", {"2", "2", "2", "box.f[0]", "-absolute"}),
              "scale: components are rotated and scaled relative to where they are; leave -absolute out");
    EXPECT_EQ(error("rotate", {"2", "2", "2", "box", "-cp"}),
              "rotate: -centerPivot is supported for components only; set the pivot of box with xform");
    EXPECT_EQ(error("xform", {"box.f[0]", "-s", "2", "2", "2"}),
              "xform: only -translation is supported for components; use rotate or scale");
}

TEST_F(MeshCommandsTest, movedVerticesStayMovedWhenFacesAreDeleted) {
    run("polyCube", {"-n", "box", "-w", "2", "-h", "2", "-d", "2"});
    run("move", {"-r", "0", "2", "0", "box.f[1]"});
    undoable([&] { run("delete", {"box.f[3]"}); });
    EXPECT_EQ(list("ls", {"-type", "polyTweak"}).size(), 1u);
    EXPECT_EQ(box("box"), (Doubles{-1, -1, -1, 1, 3, 1}));
    run("polyCube", {"polyCube1", "-e", "-h", "4"});
    EXPECT_EQ(box("box")[4], 4) << "the move is relative to the cube";
    saveAndOpen();
    EXPECT_EQ(box("box")[4], 4);
    EXPECT_EQ(counts("box")[1], 5);
}

TEST_F(MeshCommandsTest, smoothingACubeApproachesItsLimitSurface) {
    run("polyCube", {"-n", "box", "-w", "2", "-h", "2", "-d", "2"});
    undoable([&] { EXPECT_EQ(list("polySmooth", {"box", "-dv", "1"}), (Strings{"polySmoothFace1"})); });
    EXPECT_EQ(counts("box"), (std::vector<int>{8 + 12 + 6, 24}));
    EXPECT_TRUE(isClosed(*mesh("box")));
    // Catmull-Clark: corners at (F + 2 R + 0 P) / 3 with F = 1/3 and R = 2/3 along each axis: 5/9; edges at 3/4; faces
    // at 1.
    EXPECT_NEAR(std::abs(std::get<Doubles>(run("pointPosition", {"box.vtx[0]"}))[0]), 5.0 / 9, 1e-6);
    EXPECT_NEAR(std::abs(std::get<Doubles>(run("pointPosition", {"box.vtx[8]"}))[1]), 3.0 / 4, 1e-6);
    EXPECT_EQ(box("box")[0], -1);
    run("setAttr", {"polySmoothFace1.divisions", "3"});
    EXPECT_EQ(counts("box")[1], 6 * 4 * 4 * 4);
    EXPECT_TRUE(isClosed(*mesh("box")));
    const double round = volume("box");
    EXPECT_GT(round, 8.0 * kPi / 6 * 0.6);
    EXPECT_LT(round, 8 * 0.6);
    saveAndOpen();
    EXPECT_NEAR(volume("box"), round, 1e-6);
    run("setAttr", {"polySmoothFace1.continuity", "0"});
    EXPECT_NEAR(volume("box"), 8, 1e-5) << "divided only";
    // The border of an open mesh stays where it is by default; its corners always do.
    for (const char* keep : {"on", "off"}) {
        run("polyPlane", {"-n", "sheet#", "-w", "2", "-h", "2", "-sx", "2", "-sy", "2"});
        run("move", {"-r", "0", "1", "0", "sheet1.vtx[1]"});
        run("polySmooth", {"sheet1", "-kb", keep});
        EXPECT_EQ(counts("sheet1"), (std::vector<int>{25, 16}));
        EXPECT_NEAR(box("sheet1")[4], std::string(keep) == "on" ? 1 : 0.75, 1e-6) << "0 1/8 + 1 6/8 + 0 1/8";
        EXPECT_EQ(box("sheet1")[0], -1);
        run("delete", {"sheet1"});
    }
    EXPECT_EQ(error("polySmooth", {"box", "-dv", "9"}), "polySmooth: -divisions must be between 0 and 4");
    EXPECT_EQ(error("polySmooth", {"box.f[0]"}).substr(0, 50), "polySmooth: box.f[0]: only whole meshes can be smo");
}

TEST_F(MeshCommandsTest, meshesAreUnitedWhereTheyStand) {
    run("polyCube", {"-n", "a", "-w", "2", "-h", "2", "-d", "2"});
    run("polySphere", {"-n", "b", "-r", "1"});
    run("move", {"5", "0", "0", "a"});
    run("scale", {"-1", "2", "1", "b"});
    const double sphere = volume("b");
    undoable([&] { EXPECT_EQ(list("polyUnite", {"a", "b", "-n", "both"}), (Strings{"both", "polyUnite1"})); });
    EXPECT_TRUE(isClosed(*mesh("both")));
    EXPECT_NEAR(volume("both"), 8 + 2 * sphere, 1e-4) << "a mirrored mesh faces outwards";
    EXPECT_EQ(counts("both")[1], 6 + 400);
    EXPECT_EQ(box("both")[3], 6);
    EXPECT_EQ(mesh("both")->uvSets.size(), 1u);
    EXPECT_EQ(std::get<int>(run("polyEvaluate", {"both", "-uv"})), 14 + 439);
    saveAndOpen();
    EXPECT_NEAR(volume("both"), 8 + 2 * sphere, 1e-4);
    run("move", {"-r", "1", "0", "0", "a"});
    EXPECT_EQ(box("both")[3], 7) << "it follows its parts";
    run("polyCube", {"-n", "c"});
    EXPECT_EQ(error("polyUnite", {"c"}), "polyUnite: expected at least two meshes");
    run("polyCube", {"-n", "d"});
    undoable([&] { EXPECT_EQ(list("polyUnite", {"c", "d", "-ch", "off"}).size(), 1u); });
    EXPECT_FALSE(std::get<bool>(run("objExists", {"c"}))) << "without history the parts are deleted";
    EXPECT_EQ(counts("polySurface1")[1], 12);
}

TEST_F(MeshCommandsTest, aRevolvedProfileIsAClosedSolid) {
    // A glass: outside up, over the rim, inside down to the axis.
    run("curve", {"-n", "profile", "-d", "1",   "-p", "0", "0",  "0",   "-p", "3", "0",  "0", "-p", "3",
                  "8",  "0",       "-p", "2.5", "8",  "0", "-p", "2.5", "1",  "0", "-p", "0", "1",  "0"});
    undoable([&] {
        EXPECT_EQ(list("revolve", {"profile", "-po", "1", "-ax", "0", "1", "0", "-n", "glass"}), (Strings{"glass"}));
    });
    EXPECT_TRUE(isClosed(*mesh("glass")));
    // 32 sides: the area of a regular polygon instead of a circle.
    const double polygon = 16 * std::sin(2 * kPi / 32);
    EXPECT_NEAR(volume("glass"), polygon * (9 * 8 - 6.25 * 7), 1e-3);
    EXPECT_EQ(counts("glass"), (std::vector<int>{2 + 4 * 32, 5 * 32}));
    saveAndOpen();
    EXPECT_NEAR(volume("glass"), polygon * (9 * 8 - 6.25 * 7), 1e-3);
    // The same profile drawn the other way round also faces outwards.
    run("curve", {"-n", "back", "-d", "1", "-p", "0", "1",  "0", "-p", "2.5", "1",  "0", "-p", "2.5",
                  "8",  "0",    "-p", "3", "8",  "0", "-p", "3", "0",  "0",   "-p", "0", "0",  "0"});
    run("revolve", {"back", "-po", "1", "-ax", "0", "1", "0", "-n", "same", "-d", "1", "-s", "12"});
    EXPECT_NEAR(volume("same"), 6 * std::sin(2 * kPi / 12) * (9 * 8 - 6.25 * 7), 1e-3);
    // A closed profile beside the axis is a ring; half a turn leaves it open.
    run("curve", {"-n", "square", "-d", "1", "-p", "2", "0", "0", "-p", "3", "0", "0",
                  "-p", "3",      "1",  "0", "-p", "2", "1", "0", "-p", "2", "0", "0"});
    run("revolve", {"square", "-po", "1", "-ax", "0", "1", "0", "-n", "ring"});
    EXPECT_TRUE(isClosed(*mesh("ring")));
    EXPECT_NEAR(volume("ring"), polygon * (9 - 4), 1e-4);
    run("revolve", {"square", "-po", "1", "-ax", "0", "1", "0", "-n", "half", "-esw", "180"});
    EXPECT_FALSE(isClosed(*mesh("half")));
    EXPECT_EQ(counts("half"), (std::vector<int>{4 * 33, 4 * 32}));
}

TEST_F(MeshCommandsTest, aRoundProfileIsSampledOnTheCurve) {
    run("curve",
        {"-n", "bowl", "-d", "3", "-p", "0", "0", "0", "-p", "4", "0", "0", "-p", "6", "2", "0", "-p", "6", "5", "0"});
    run("move", {"0", "1", "0", "bowl"});
    run("revolve", {"bowl", "-po", "1", "-ax", "0", "1", "0", "-n", "shell", "-p", "0", "0", "0"});
    EXPECT_EQ(counts("shell"), (std::vector<int>{1 + 4 * 32, 4 * 32}));
    EXPECT_EQ(box("shell")[1], 1);
    EXPECT_NEAR(box("shell")[4], 6, 1e-6);
    run("polyExtrudeFacet", {"shell", "-tk", "-0.3"});
    EXPECT_TRUE(isClosed(*mesh("shell"))) << "the bowl has walls";
    EXPECT_GT(volume("shell"), 0);
    EXPECT_EQ(error("revolve", {"bowl"}),
              "revolve: only polygons are supported here; add -polygon 1 (in Python polygon=1)");
    EXPECT_EQ(error("revolve", {"shell", "-po", "1"}), "revolve: shell is not a curve");
    EXPECT_EQ(error("revolve", {"bowl", "-po", "1", "-ax", "0", "0", "0"}), "revolve: the axis has no length");
    run("curve", {"-n", "rod", "-d", "1", "-p", "0", "0", "0", "-p", "0", "3", "0"});
    EXPECT_EQ(error("revolve", {"rod", "-po", "1", "-ax", "0", "1", "0"}),
              "revolve: the curve lies on the axis; move it away from the axis, or choose another -axis");
}

TEST_F(MeshCommandsTest, duplicatesAreIndependentCopies) {
    run("polyCube", {"-n", "box", "-w", "2"});
    run("polySphere", {"-n", "ball"});
    run("parent", {"ball", "box"});
    run("move", {"3", "0", "0", "box"});
    run("move", {"-r", "0", "1", "0", "box.f[1]"});
    run("addAttr", {"box", "-ln", "grams", "-at", "double", "-dv", "5"});
    run("setAttr", {"box.grams", "7"});
    undoable([&] { EXPECT_EQ(list("duplicate", {"box"}), (Strings{"box1", "box1|ball"})); });
    EXPECT_EQ(number("box1.grams"), 7);
    EXPECT_EQ(number("box1.tx"), 3);
    EXPECT_EQ(list("listRelatives", {"box1", "-shapes"}), (Strings{"boxShape1"}));
    EXPECT_EQ(box("box1"), box("box"));
    run("polyCube", {"polyCube1", "-e", "-w", "8"});
    run("setAttr", {"box.tx", "0"});
    EXPECT_EQ(box("box1")[3], 4) << "a copy does not follow its original";
    EXPECT_EQ(list("sets", {"-q", "initialShadingGroup"}).size(), 4u);
    saveAndOpen();
    EXPECT_EQ(box("box1")[3], 4);
    EXPECT_EQ(list("duplicate", {"box", "-n", "other", "-rr"}), (Strings{"other"}));
    EXPECT_EQ(error("duplicate", {"persp"}), "duplicate: persp is a default node and cannot be copied");
    EXPECT_EQ(error("duplicate", {"box", "-un"}), "duplicate: -upstreamNodes is not supported; leave it out");
}

}  // namespace
}  // namespace purl::host
