// What the doctor finds in a scene that is well, and in the same with one thing wrong each; and that its cures cure.
#include "farm/doctor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace purl {
namespace {

const char* const kScene = R"(//Maya ASCII 2022 scene
requires maya "2022";
requires "purl" "0.1.0";
currentUnit -l centimeter -a degree -t film;
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
createNode transform -n "sheet";
createNode mesh -n "sheetShape" -p "sheet";
createNode polyPlane -n "sheetPlane";
	setAttr ".w" 170;
	setAttr ".h" 60;
createNode purlFluid -n "water";
	setAttr ".psp" 2;
createNode purlCollider -n "stone";
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
        "solver", "100 times the earth's", true);
}

TEST(Doctor, particlesAreNeitherTooManyNorTooFew) {
    expectOne({{"\".psp\" 2", "\".psp\" 0.05"}}, "water", "6.4e+07 particles", true);
    expectOne({{"\".psp\" 2", "\".psp\" 12"}}, "water", "too few to flow", true);
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

TEST(Doctor, ourOwnScenesAreWell) {
    for (const char* name : {"damBreak", "jetOnKnit", "drape", "floatingBodies", "softPool"}) {
        Session session(std::string(PURL_SOURCE_DIR) + "/scenes/" + name + ".ma");
        for (const Problem& problem : examine(session))
            EXPECT_EQ(problem.harm, Harm::note) << name << ": " << problem.node << " " << problem.what;
    }
}

}  // namespace
}  // namespace purl
