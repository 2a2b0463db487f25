#include "farm/pathMap.h"

#include <gtest/gtest.h>

#include "solver/cache/file.h"
#include "solver/core/error.h"

namespace purl {
namespace {

PathMap mapOf(const std::string& text) {
    const std::string file = testing::TempDir() + "pathMap.json";
    writeFile(file, text);
    return PathMap::read(file);
}

std::string ruleText(const std::string& format, const std::string& source, const std::string& destination) {
    return R"({"source_path_format":")" + format + R"(","source_path":")" + source + R"(","destination_path":")" +
           destination + "\"}";
}
PathMap mapOfRules(const std::string& rules) {
    return mapOf(R"({"version":"pathmapping-1.0","path_mapping_rules":[)" + rules + "]}");
}

TEST(PathMap, windowsSourcesMatchAnyCaseAndBothSeparators) {
    const PathMap map = mapOfRules(ruleText("WINDOWS", R"(Z:\\Shots)", "/mnt/shots/"));
    EXPECT_EQ(map("Z:/shots/Pool/a.ma"), "/mnt/shots/Pool/a.ma");
    EXPECT_EQ(map("z:\\SHOTS\\a.ma"), "/mnt/shots/a.ma");
    EXPECT_EQ(map("Z:/Shots"), "/mnt/shots");
    EXPECT_EQ(map("Z:/Shots2/a.ma"), "Z:/Shots2/a.ma");
    EXPECT_EQ(map("charts/a.txt"), "charts/a.txt");
}

TEST(PathMap, aNetworkShareIsAnAbsolutePath) {
    const PathMap map = mapOfRules(ruleText("WINDOWS", R"(\\\\server\\show)", "/show"));
    EXPECT_EQ(map("//Server/Show/a.ma"), "/show/a.ma");
    EXPECT_EQ(map("server/show/a.ma"), "server/show/a.ma");
}

TEST(PathMap, posixSourcesMatchExactly) {
    const PathMap map = mapOfRules(ruleText("POSIX", "/Volumes/show", "/mnt/show"));
    EXPECT_EQ(map("/Volumes/show/a\\b.ma"), "/mnt/show/a\\b.ma");
    EXPECT_EQ(map("/volumes/show/a.ma"), "/volumes/show/a.ma");
}

TEST(PathMap, theLongestSourceWins) {
    const PathMap map = mapOfRules(ruleText("POSIX", "/a", "/x") + "," + ruleText("POSIX", "/a/b", "/y"));
    EXPECT_EQ(map("/a/b/c"), "/y/c");
    EXPECT_EQ(map("/a/c"), "/x/c");
}

TEST(PathMap, aSessionWithoutRulesWritesAnEmptyObject) {
    EXPECT_TRUE(mapOf("{}").empty());
    EXPECT_EQ(mapOf("{}")("/a"), "/a");
}

TEST(PathMap, otherFilesAreRefusedInOneLine) {
    for (const char* text :
         {"", "[]", R"({"version":"pathmapping-2.0","path_mapping_rules":[]})", R"({"version":"pathmapping-1.0"})",
          R"({"version":"pathmapping-1.0","path_mapping_rules":[{"source_path_format":"MAC",
                                 "source_path":"a","destination_path":"b"}]})"}) {
        try {
            mapOf(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
            EXPECT_NE(std::string(error.what()).find("pathMap.json"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace purl
