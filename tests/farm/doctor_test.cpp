// What the doctor finds in a scene that is well, and in the same with one thing wrong each; and that its cures cure.
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

// The scene with lines changed: each pair replaces all of the first by the second.
std::unique_ptr<Session> sceneWith(std::vector<std::pair<std::string, std::string>> changes) {
    std::string text = kScene;
    for (const auto& [from, to] : changes)
        for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    // Tests run side by side: each has a file of its own.
    const std::string path =
        testing::TempDir() + "purl_doctor_" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".ma";
    std::ofstream(path) << text;
    return std::make_unique<Session>(path);
}

// A pair of changes that adds lines to the end of the scene.
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

// A container around the pool, `half` cm to each side of its middle, with its floor below the pool's.
std::string tank(double half) {
    return cube("tank", 2 * half, "0 " + std::to_string(half) + " 0") +
           "createNode purlCollider -n \"walls\";\n\tsetAttr \".cont\" yes;\n"
           "connectAttr \"tankShape.w\" \"walls.inMesh\";\nconnectAttr \"walls.outBody\" \"solver.bodies[3]\";\n";
}

// The one problem that a changed scene has beyond the healthy one, cured or not.
void expectOne(std::vector<std::pair<std::string, std::string>> changes, const std::string& node,
               const std::string& words, bool curable) {
    const auto session = sceneWith(std::move(changes));
    const std::vector<Problem> problems = examine(*session);
    ASSERT_EQ(problems.size(), 1u) << (problems.empty() ? "none" : problems[1].node + " " + problems[1].what);
    EXPECT_EQ(problems[0].node, node);
    EXPECT_NE(problems[0].what.find(words), std::string::npos) << problems[0].what;
    EXPECT_EQ(problems[0].curable(), curable);
    if (!curable) return;
    EXPECT_FALSE(problems[0].remedy.empty());
    cure(*session, problems[0]);
    EXPECT_TRUE(examine(*session).empty()) << examine(*session)[0].what;
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
    expectOne({{"connectAttr \"shirt.outBody\" \"solver.bodies[2]\";\n", ""}}, "shirt", "connected to no solver", true);
}

TEST(Doctor, aRigidBodyNeedsAnInside) {
    expectOne(
        {{"createNode polyCube -n \"rockCube\"", "createNode polyPlane -n \"rockCube\""},
         {"createNode purlCollider -n \"stone\";", "createNode purlCollider -n \"stone\";\n\tsetAttr \".mot\" 1;"}},
        "stone", "open edges", false);
}

TEST(Doctor, anOpenColliderIsASheetThatNeedsThickness) {
    const auto session = sceneWith({{"createNode polyCube -n \"rockCube\"", "createNode polyPlane -n \"rockCube\""}});
    const std::vector<Problem> problems = examine(*session);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].harm, Harm::note);
    cure(*session, problems[0]);
    // Half of the spacing of 2 cm.
    EXPECT_DOUBLE_EQ(session->graph().plug("stone.thickness").number(), 1);
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
              "take", "no cache is", true);
}

TEST(Doctor, aFloorWithoutFrictionIsIceForLiquids) {
    expectOne({{"\tsetAttr \".fron\" 0.5;\n", "\tsetAttr \".fron\" 0;\n"}}, "stone", "no friction", true);
    // A plate that stands upright carries nothing.
    const auto plate =
        sceneWith({{"\tsetAttr \".fron\" 0.5;\n", "\tsetAttr \".fron\" 0;\n"},
                   {"\tsetAttr \".w\" 8;\n\tsetAttr \".h\" 8;", "\tsetAttr \".w\" 2;\n\tsetAttr \".h\" 40;"}});
    EXPECT_TRUE(examine(*plate).empty()) << examine(*plate)[0].what;
    // The solver's own ground is set at the solver.
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
    // What the cure makes moves with the body, and the rest pose does not.
    const auto session = sceneWith(changes);
    cure(*session, examine(*session)[0]);
    session->frame(4);
    EXPECT_LT(session->graph().plug("stoneOutput.translate").vec3()[1], -0.1) << "it sinks";
    EXPECT_EQ(session->graph().plug("rock.translate").vec3()[1], 0);
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
    const auto session =
        sceneWith({{"createNode transform -n \"shot\";\ncreateNode camera -n \"shotShape\" -p \"shot\";\n", ""}});
    const std::vector<Problem> problems = examine(*session);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].harm, Harm::note);
    cure(*session, problems[0]);
    EXPECT_TRUE(examine(*session).empty());
    // It looks at the bodies from the front, far enough away.
    EXPECT_GT(session->graph().plug("shotCamera.translate").vec3()[2], 170);
}

TEST(Doctor, aGasIsShownByAView) {
    expectOne({{"\".psp\" 2;", "\".psp\" 2;\n\tsetAttr \".knd\" 1;"}}, "water", "nothing shows it", true);
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
    expectOne({with(jet)}, "jet", "inside of stone", false);  // at the origin, as the rock
    const std::string above = jet +
                              "createNode transform -n \"nozzle\";\n\tsetAttr \".t\" -type \"double3\" 0 60 0 ;\n"
                              "connectAttr \"nozzle.wm\" \"jet.inMatrix\";\n";
    EXPECT_TRUE(examine(*sceneWith({with(above)})).empty());
    expectOne({with(above + tank(10))}, "jet", "outside of the walls of walls", false);
}

TEST(Doctor, ourOwnScenesAreWell) {
    for (const auto& entry : std::filesystem::directory_iterator(PURL_SOURCE_DIR "/scenes")) {
        if (entry.path().extension() != ".ma") continue;
        Session session(entry.path().string());
        for (const Problem& problem : examine(session))
            EXPECT_EQ(problem.harm, Harm::note) << entry.path() << ": " << problem.node << " " << problem.what;
    }
}

}  // namespace
}  // namespace purl
