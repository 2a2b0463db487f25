#include "farm/wedges.h"

#include <gtest/gtest.h>

#include <functional>

#include "solver/cache/file.h"
#include "solver/core/error.h"

namespace purl {
namespace {

std::vector<Wedge> wedgesIn(const std::string& table) {
    const std::string file = testing::TempDir() + "wedges.csv";
    writeFile(file, table);
    return readWedges(file);
}

std::string refusalOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) { return error.what(); }
    return "";
}

TEST(Wedges, severalAttributesGiveAllCombinations) {
    const std::vector<Wedge> wedges = wedgesOf({"water.viscosity=1,3,10", "solver.gravity=1.6, 9.8"});
    ASSERT_EQ(wedges.size(), 6u);
    EXPECT_EQ(wedges[1].assignments, (std::vector<std::string>{"water.viscosity=1", "solver.gravity=9.8"}));
    EXPECT_EQ(wedges[5].assignments, (std::vector<std::string>{"water.viscosity=10", "solver.gravity=9.8"}));
    EXPECT_EQ(wedges[5].name, "6_viscosity10_gravity9.8");
    EXPECT_EQ(valueTexts(wedges[5].assignments), (std::vector<std::string>{"viscosity 10", "gravity 9.8"}));
}

TEST(Wedges, withoutRangesThereIsOne) {
    ASSERT_EQ(wedgesOf({}).size(), 1u);
    EXPECT_TRUE(wedgesOf({})[0].assignments.empty());
}

TEST(Wedges, aTableIsReadAsItIsWritten) {
    const std::vector<Wedge> wedges = wedgesIn(
        "# a comment\n"
        "wedge, water.viscosity, tank.translate\r\n"
        "thin, 1, \"0,2,0\"\n"
        "\n"
        "thick, 10,\n");
    ASSERT_EQ(wedges.size(), 2u);
    EXPECT_EQ(wedges[0].assignments, (std::vector<std::string>{"water.viscosity=1", "tank.translate=0,2,0"}));
    EXPECT_EQ(wedges[1].name, "thick");
    EXPECT_EQ(wedges[1].assignments, (std::vector<std::string>{"water.viscosity=10"}));
    const std::vector<Wedge> again = wedgesIn(wedgeTable(wedges));
    ASSERT_EQ(again.size(), 2u);
    EXPECT_EQ(again[0].assignments, wedges[0].assignments);
    EXPECT_EQ(again[1].name, "thick");
}

TEST(Wedges, namesAreFoldersThatNeedNoQuoting) {
    EXPECT_EQ(wedgesOf({"a.path=x y/../z;$(rm)"})[0].name, "1_pathx_y_.._z___rm_");
}

TEST(Wedges, mistakesAreNamed) {
    const auto inRanges = [](const std::vector<std::string>& ranges) { return refusalOf([&] { wedgesOf(ranges); }); };
    EXPECT_NE(inRanges({"viscosity=1,2"}).find("expected node.attribute"), std::string::npos);
    EXPECT_NE(inRanges({"water.viscosity"}).find("expected node.attribute=VALUE"), std::string::npos);
    EXPECT_NE(inRanges({"a.b=1,,2"}).find("a value is missing"), std::string::npos);
    EXPECT_NE(inRanges({"a.b=1", "a.b=2"}).find("varied already"), std::string::npos);
    std::string many = "a.b=0";
    for (int k = 1; k < 40; ++k) many += "," + std::to_string(k);
    EXPECT_NE(inRanges({many, "c.d" + many.substr(3)}).find("at most 1000"), std::string::npos);

    const auto inTable = [](const std::string& table) { return refusalOf([&] { wedgesIn(table); }); };
    EXPECT_NE(inTable("a.b\n1,2\n").find("wedges.csv:2: has 2 cells"), std::string::npos);
    EXPECT_NE(inTable("a.b\n\"1\n").find("wedges.csv:2: a quotation mark"), std::string::npos);
    EXPECT_NE(inTable("wedge,a.b\n../x,1\n").find("cannot name a folder"), std::string::npos);
    EXPECT_NE(inTable("wedge,a.b\nx,1\nx,2\n").find("another wedge"), std::string::npos);
    EXPECT_NE(inTable("a.b\n").find("has no wedges"), std::string::npos);
    EXPECT_NE(inTable("viscosity\n1\n").find("is not an attribute"), std::string::npos);
}

}  // namespace
}  // namespace purl
