#include "solver/cache/runIdentity.h"

#include <gtest/gtest.h>

#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

RunIdentity someRun() {
    RunIdentity run;
    run.toolVersion = "purl 1";
    run.solver = "solver";
    run.inputs = {
        {"scene", "/a/shot.ma", {10, 1}}, {"reference", "/a/set.ma", {20, 2}}, {"knit.pattern", "/a/k.txt", {}}};
    run.assignments = {"water.viscosity=2", "solver.gravity=1"};
    return run;
}

TEST(RunIdentity, everyPartOfARunIsPartOfItsHash) {
    const RunIdentity run = someRun();
    std::vector<RunIdentity> others(9, run);
    others[0].toolVersion = "purl 2";
    others[1].solver = "solver2";
    others[2].inputs[0].receipt.hash = 3;
    others[3].inputs[1].receipt.bytes = 21;
    others[4].inputs.pop_back();
    others[5].inputs[2].receipt = {5, 5};
    others[6].assignments = {"solver.gravity=1", "water.viscosity=2"};
    others[7].assignments.pop_back();
    others[8].origin = originOf(run, 5);
    for (size_t i = 0; i < others.size(); ++i) {
        EXPECT_NE(hashOf(others[i]), hashOf(run)) << i;
        EXPECT_NE(differenceOf(run, others[i]), "") << i;
    }
    EXPECT_EQ(differenceOf(run, someRun()), "");
}

TEST(RunIdentity, aSceneMayMoveAndBeRenamed) {
    RunIdentity moved = someRun();
    moved.inputs[0].path = "/b/take2.ma";
    moved.inputs[1].path = "/b/set.ma";
    EXPECT_EQ(hashOf(moved), hashOf(someRun()));
}

TEST(RunIdentity, theDifferenceIsNamed) {
    const RunIdentity run = someRun();
    const auto difference = [&](auto change) {
        RunIdentity other = run;
        change(other);
        return differenceOf(run, other);
    };
    EXPECT_EQ(difference([](RunIdentity& r) { r.toolVersion = "purl 2"; }), "it was made by purl 1, this is purl 2");
    EXPECT_EQ(difference([](RunIdentity& r) { r.inputs[1].receipt.hash = 9; }), "/a/set.ma has changed since");
    EXPECT_EQ(difference([](RunIdentity& r) { r.inputs[1].receipt = {}; }), "/a/set.ma existed then, but does not now");
    EXPECT_EQ(difference([](RunIdentity& r) { r.inputs[2].receipt = {1, 1}; }), "/a/k.txt did not exist then");
    EXPECT_EQ(difference([](RunIdentity& r) { r.inputs.pop_back(); }), "/a/k.txt was read then");
    EXPECT_EQ(difference([](RunIdentity& r) {
                  r.inputs.push_back({"a.file", "/a/b.obj", {1, 1}});
              }),
              "/a/b.obj was not read then");
    EXPECT_EQ(difference([](RunIdentity& r) { r.solver = "other"; }), "solver was simulated then, not other");
    EXPECT_EQ(difference([](RunIdentity& r) { r.assignments.push_back("a.b=1"); }), "a.b=1 was not set then");
    EXPECT_EQ(difference([](RunIdentity& r) { r.assignments.pop_back(); }), "solver.gravity=1 was set then");
    EXPECT_EQ(differenceOf(RunIdentity(), run), "it does not record its input files");
}

TEST(RunIdentity, aFileThatCannotBeReadIsMissing) {
    EXPECT_TRUE(inputFileAt("scene", testing::TempDir() + "purl_no_such_file").isMissing());
}

// It is sparse: hashing it would take a minute.
TEST(RunIdentity, aFileLargerThanAnyThatIsReadIsRefusedAtOnce) {
    const Folder folder;
    const std::string path = folder / "large.purl";
    put(path, "");
    std::filesystem::resize_file(path, kMaxFileBytes + 1);
    EXPECT_NE(errorOf([&] { inputFileAt("initialState", path); }).find("more than the limit of 68719476736"),
              std::string::npos);
}

}  // namespace
}  // namespace purl
