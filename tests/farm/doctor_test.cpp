// The doctor finds nothing in a correct scene, finds each single mistake in a copy of it, and its fixes work.
#include "farm/doctor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace purl {
namespace {

const char* const kScene = R"(//Maya ASCII 2022 scene
requires maya "2022";
requires "purl" "0.1.0";
currentUnit -l centimeter -a degree -t film;
createNode transform -n "shot";
createNode camera -n "shotShape" -p "shot";
createNode transform -n "pool";
	setAttr ".t" -type "double3" 0 10 0 ;
createNode mesh -n "poolShape" -p "pool";
createNode polyCube -n "poolCube";
	setAttr ".w" 20;
	setAttr ".h" 20;
	setAttr ".d" 20;
createNode transform -n "rock";
createNode mesh -n "rockShape" -p "rock";
createNode polyCube -n "rockCube";
	setAttr ".w" 8;
	setAttr ".h" 8;
	setAttr ".d" 8;
createNode transform -n "sheet";
createNode mesh -n "sheetShape" -p "sheet";
createNode polyPlane -n "sheetPlane";
	setAttr ".w" 170;
	setAttr ".h" 60;
createNode purlFluid -n "water";
	setAttr ".psp" 2;
createNode purlCollider -n "stone";
	setAttr ".fron" 0.5;
createNode purlCloth -n "shirt";
createNode purlSolver -n "solver";
createNode script -n "sceneConfigurationScriptNode";
	setAttr ".b" -type "string" "playbackOptions -min 1 -max 24 -ast 1 -aet 24 ";
	setAttr ".st" 6;
connectAttr "poolCube.out" "poolShape.i";
connectAttr "rockCube.out" "rockShape.i";
connectAttr "sheetPlane.out" "sheetShape.i";
connectAttr "poolShape.w" "water.inMesh[0]";
connectAttr "rockShape.w" "stone.inMesh";
connectAttr "sheetShape.w" "shirt.inMesh";
connectAttr "water.outBody" "solver.bodies[0]";
connectAttr "stone.outBody" "solver.bodies[1]";
connectAttr "shirt.outBody" "solver.bodies[2]";
connectAttr ":time1.o" "solver.currentTime";
)";

// The scene with changed lines: each pair replaces all occurrences of the first by the second.
std::unique_ptr<Playback> sceneWith(std::vector<std::pair<std::string, std::string>> changes) {
    std::string text = kScene;
    for (const auto& [from, to] : changes)
        for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    // Tests run in parallel, so each has its own file.
    const std::string path =
        testing::TempDir() + "purl_doctor_" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".ma";
    std::ofstream(path) << text;
    return std::make_unique<Playback>(path);
}

// A change that adds lines at the end of the scene.
std::pair<std::string, std::string> with(const std::string& lines) {
    const std::string last = "connectAttr \":time1.o\" \"solver.currentTime\";\n";
    return {last, lines + last};
}

// A box of so many cm, with its transform and shape.
std::string cube(const std::string& name, double size, const std::string& at) {
    const std::string side = std::to_string(size);
    return "createNode transform -n \"" + name + "\";\n\tsetAttr \".t\" -type \"double3\" " + at +
           " ;\ncreateNode mesh -n \"" + name + "Shape\" -p \"" + name + "\";\ncreateNode polyCube -n \"" + name +
           "Cube\";\n\tsetAttr \".w\" " + side + ";\n\tsetAttr \".h\" " + side + ";\n\tsetAttr \".d\" " + side +
           ";\nconnectAttr \"" + name + "Cube.out\" \"" + name + "Shape.i\";\n";
}

// A container around the pool, `half` cm to each side of its centre, with its floor below the pool.
std::string tank(double half) {
    return cube("tank", 2 * half, "0 " + std::to_string(half) + " 0") +
           "createNode purlCollider -n \"walls\";\n\tsetAttr \".cont\" yes;\n"
           "connectAttr \"tankShape.w\" \"walls.inMesh\";\nconnectAttr \"walls.outBody\" \"solver.bodies[3]\";\n";
}

// Expects exactly one problem in a changed scene, with or without a fix.
void expectOne(std::vector<std::pair<std::string, std::string>> changes, const std::string& node,
               const std::string& words, bool curable) {
    const auto playback = sceneWith(std::move(changes));
    const std::vector<Problem> problems = examine(*playback);
    ASSERT_EQ(problems.size(), 1u) << (problems.empty() ? "none" : problems[1].node + " " + problems[1].what);
    EXPECT_EQ(problems[0].node, node);
    EXPECT_NE(problems[0].what.find(words), std::string::npos) << problems[0].what;
    EXPECT_EQ(problems[0].curable(), curable);
    if (!curable) return;
    EXPECT_FALSE(problems[0].remedy.empty());
    cure(*playback, problems[0]);
    EXPECT_TRUE(examine(*playback).empty()) << examine(*playback)[0].what;
}

TEST(Doctor, findsNothingWrongWithAScene) { EXPECT_TRUE(examine(*sceneWith({})).empty()); }

TEST(Doctor, aGarmentOf170MetresIsOfTheWrongScale) {
    expectOne({{"createNode purlSolver -n \"solver\";", "createNode purlSolver -n \"solver\";\n\tsetAttr \".spsc\" 1;"},
               {"\".psp\" 2", "\".psp\" 2"}},
              "shirt", "170 m large", true);
}

TEST(Doctor, aSolverWithoutTimeDoesNotMove) {
    expectOne({{"connectAttr \":time1.o\" \"solver.currentTime\";\n", ""}}, "solver", "does not follow time", true);
}

TEST(Doctor, aBodyWithoutSolverTakesNoPart) {
    expectOne({{"connectAttr \"shirt.outBody\" \"solver.bodies[2]\";\n", ""}}, "shirt", "not connected to a solver",
              true);
}

TEST(Doctor, aRigidBodyNeedsAnInside) {
    expectOne(
        {{"createNode polyCube -n \"rockCube\"", "createNode polyPlane -n \"rockCube\""},
         {"createNode purlCollider -n \"stone\";", "createNode purlCollider -n \"stone\";\n\tsetAttr \".mot\" 1;"}},
        "stone", "open edges", false);
}

TEST(Doctor, anOpenColliderIsASheetThatNeedsThickness) {
    const auto playback = sceneWith({{"createNode polyCube -n \"rockCube\"", "createNode polyPlane -n \"rockCube\""}});
    const std::vector<Problem> problems = examine(*playback);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].harm, Harm::note);
    cure(*playback, problems[0]);
    // Half of the spacing of 2 cm.
    EXPECT_DOUBLE_EQ(playback->graph().plug("stone.thickness").number(), 1);
}

TEST(Doctor, longStepsBlowUp) {
    expectOne(
        {{"createNode purlSolver -n \"solver\";", "createNode purlSolver -n \"solver\";\n\tsetAttr \".mts\" 0.04;"}},
        "solver", "takes steps of", true);
}

TEST(Doctor, gravityIsNotInCentimetres) {
    expectOne(
        {{"createNode purlSolver -n \"solver\";", "createNode purlSolver -n \"solver\";\n\tsetAttr \".grty\" 981;"}},
        "solver", "100 times that of the earth", true);
}

TEST(Doctor, particlesAreNeitherTooManyNorTooFew) {
    expectOne({{"\".psp\" 2", "\".psp\" 0.05"}}, "water", "6.4e+07 particles", true);
    expectOne({{"\".psp\" 2", "\".psp\" 5.2"}}, "water", "too few to flow", true);
}

TEST(Doctor, aFluidNeedsAClosedMeshOrAnEmitter) {
    expectOne({{"createNode polyCube -n \"poolCube\"", "createNode polyPlane -n \"poolCube\""}}, "water", "open edges",
              false);
    expectOne({{"connectAttr \"poolShape.w\" \"water.inMesh[0]\";\n", ""}}, "water", "has no particles", false);
}

TEST(Doctor, aCacheThatIsNotThereCannotBeRead) {
    expectOne({{"createNode purlSolver -n \"solver\";",
                "createNode purlCache -n \"take\";\n\tsetAttr \".mod\" 2;\n\tsetAttr \".dir\" -type \"string\" "
                "\"/nowhere\";\ncreateNode purlSolver -n \"solver\";"}},
              "take", "holds no cache", true);
}

TEST(Doctor, aFloorWithoutFrictionIsIceForLiquids) {
    expectOne({{"\tsetAttr \".fron\" 0.5;\n", "\tsetAttr \".fron\" 0;\n"}}, "stone", "no friction", true);
    // A vertical plate supports nothing.
    const auto plate =
        sceneWith({{"\tsetAttr \".fron\" 0.5;\n", "\tsetAttr \".fron\" 0;\n"},
                   {"\tsetAttr \".w\" 8;\n\tsetAttr \".h\" 8;", "\tsetAttr \".w\" 2;\n\tsetAttr \".h\" 40;"}});
    EXPECT_TRUE(examine(*plate).empty()) << examine(*plate)[0].what;
    // The ground plane is a setting of the solver.
    expectOne({{"createNode purlSolver -n \"solver\";",
                "createNode purlSolver -n \"solver\";\n\tsetAttr \".nupl\" yes;\n\tsetAttr \".npfr\" 0;"}},
              "solver", "ground without friction", true);
}

TEST(Doctor, stripsAndTubesNeedSelfCollision) {
    const std::string off = "createNode purlCloth -n \"shirt\";\n\tsetAttr \".sco\" 0;";
    expectOne({{"createNode purlCloth -n \"shirt\";", off}, {"\".h\" 60", "\".h\" 40"}}, "shirt", "no self-collision",
              true);
    expectOne({{"createNode purlCloth -n \"shirt\";", off},
               {"polyPlane -n \"sheetPlane\"", "polyCylinder -n \"sheetPlane\""},
               {"\tsetAttr \".w\" 170;\n", "\tsetAttr \".r\" 20;\n"}},
              "shirt", "no self-collision", true);
}

TEST(Doctor, aRigidBodyOfAMeshIsShownByAPurlRigid) {
    const std::vector<std::pair<std::string, std::string>> changes = {
        {"createNode purlCollider -n \"stone\";", "createNode purlCollider -n \"stone\";\n\tsetAttr \".mot\" 1;"}};
    expectOne(changes, "stone", "without a purlRigid", true);
    // The mesh created by the fix moves with the body; the initial pose does not.
    const auto playback = sceneWith(changes);
    cure(*playback, examine(*playback)[0]);
    playback->frame(4);
    EXPECT_LT(playback->graph().plug("stoneOutput.translate").vec3()[1], -0.1) << "it sinks";
    EXPECT_EQ(playback->graph().plug("rock.translate").vec3()[1], 0);
}

TEST(Doctor, liquidsThatMixShareASurface) {
    const std::string two = cube("dyeBox", 6, "30 10 0") +
                            "createNode purlFluid -n \"dye\";\n\tsetAttr \".psp\" 1;\n\tsetAttr \".disp\" 0.001;\n"
                            "connectAttr \"dyeBoxShape.w\" \"dye.inMesh[0]\";\n"
                            "connectAttr \"dye.outBody\" \"solver.bodies[3]\";\n"
                            "createNode purlSurface -n \"skin\";\nconnectAttr \"solver.outFrame\" \"skin.inFrame\";\n";
    const std::pair<std::string, std::string> mixes = {"\".psp\" 2;", "\".psp\" 2;\n\tsetAttr \".disp\" 0.001;"};
    EXPECT_TRUE(examine(*sceneWith({with(two), mixes})).empty()) << "automatic is right";
    expectOne({with(two + "setAttr \"skin.together\" 0;\n"), mixes}, "skin", "which mix", true);
    EXPECT_TRUE(examine(*sceneWith({with(two + "setAttr \"skin.together\" 0;\n")})).empty()) << "only one disperses";
}

TEST(Doctor, aPoolThatEndsShortOfItsWallsHeaves) {
    EXPECT_TRUE(examine(*sceneWith({with(tank(10))})).empty()) << "it fits";
    EXPECT_TRUE(examine(*sceneWith({with(tank(30))})).empty()) << "a column that is meant to break";
    expectOne({with(tank(12))}, "water", "2 cm short of the walls of walls", false);
    expectOne({with(tank(8))}, "water", "out of walls", false);
}

TEST(Doctor, fillsMustNotOverlap) {
    expectOne({with(cube("more", 10, "12 10 0") + "connectAttr \"moreShape.w\" \"water.inMesh[1]\";\n")}, "water",
              "overlaps another one", false);
    EXPECT_TRUE(
        examine(*sceneWith({with(cube("more", 10, "15 10 0") + "connectAttr \"moreShape.w\" \"water.inMesh[1]\";\n")}))
            .empty())
        << "they touch";
}

TEST(Doctor, particlesMustNotBeTooLargeForWhatDrinksThem) {
    expectOne({{"createNode purlCloth -n \"shirt\";", "createNode purlCloth -n \"shirt\";\n\tsetAttr \".wab\" 1;"}},
              "water", "too large for shirt", true);
}

TEST(Doctor, aSceneWithoutACameraIsNoted) {
    const auto playback =
        sceneWith({{"createNode transform -n \"shot\";\ncreateNode camera -n \"shotShape\" -p \"shot\";\n", ""}});
    const std::vector<Problem> problems = examine(*playback);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].harm, Harm::note);
    cure(*playback, problems[0]);
    EXPECT_TRUE(examine(*playback).empty());
    // The camera looks at the bodies from the front, from far enough away.
    EXPECT_GT(playback->graph().plug("shotCamera.translate").vec3()[2], 170);
}

TEST(Doctor, aGasIsShownByAView) {
    expectOne({{"\".psp\" 2;", "\".psp\" 2;\n\tsetAttr \".knd\" 1;"}}, "water", "not visible in Maya", true);
}

TEST(Doctor, valuesInOtherUnitsAreFound) {
    expectOne({{"\".psp\" 2;", "\".psp\" 2;\n\tsetAttr \".rdns\" 1;"}}, "water", "g/cm³", true);
    expectOne({{"createNode purlCloth -n \"shirt\";", "createNode purlCloth -n \"shirt\";\n\tsetAttr \".dens\" 150;"}},
              "shirt", "g/m²", true);
    expectOne(
        {with("createNode purlEmitter -n \"jet\";\n\tsetAttr \".spd\" 300;\nconnectAttr \"jet.outEmitter\" "
              "\"water.inEmitter[0]\";\ncreateNode transform -n \"nozzle\";\n\tsetAttr \".t\" -type \"double3\" 0 60 "
              "0 ;\nconnectAttr \"nozzle.wm\" \"jet.inMatrix\";\n")},
        "jet", "cm/s", true);
}

TEST(Doctor, collidersAreNotThinnerThanParticles) {
    expectOne({{"\tsetAttr \".w\" 8;\n\tsetAttr \".h\" 8;", "\tsetAttr \".w\" 8;\n\tsetAttr \".h\" 0.2;"}}, "stone",
              "thick", true);
}

TEST(Doctor, emittersStandInTheOpen) {
    const std::string jet =
        "createNode purlEmitter -n \"jet\";\nconnectAttr \"jet.outEmitter\" \"water.inEmitter[0]\";\n";
    expectOne({with(jet)}, "jet", "inside of stone", false);  // at the origin, like the rock
    const std::string above = jet +
                              "createNode transform -n \"nozzle\";\n\tsetAttr \".t\" -type \"double3\" 0 60 0 ;\n"
                              "connectAttr \"nozzle.wm\" \"jet.inMatrix\";\n";
    EXPECT_TRUE(examine(*sceneWith({with(above)})).empty());
    expectOne({with(above + tank(10))}, "jet", "outside of the walls of walls", false);
}

TEST(Doctor, ourOwnScenesAreWell) {
    for (const auto& entry : std::filesystem::directory_iterator(PURL_SOURCE_DIR "/scenes")) {
        if (entry.path().extension() != ".ma") continue;
        Playback playback(entry.path().string());
        for (const Problem& problem : examine(playback))
            EXPECT_EQ(problem.harm, Harm::note) << entry.path() << ": " << problem.node << " " << problem.what;
    }
}

}  // namespace
}  // namespace purl
