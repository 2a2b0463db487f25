// The tokenizer of Maya ASCII: statements, and the location of syntax errors.
#include <gtest/gtest.h>

#include "host/ma/lexer.h"

using namespace purl::host;

namespace {

struct Plain {
    std::string command;
    std::vector<std::string> flags, args;  // "-name value …" joined by blanks
    int line;
};

std::vector<Plain> statementsOf(const std::string& text) {
    Lexer lexer(text, "scene.ma");
    Statement s;
    std::vector<Plain> all;
    while (lexer.next(s)) {
        Plain p{std::string(s.command), {}, {}, s.line};
        for (const Flag& f : s.flags) {
            std::string joined(f.name);
            for (const Token& v : f.values) joined += " " + std::string(v.text);
            p.flags.push_back(joined);
        }
        for (const Token& a : s.args) p.args.emplace_back(a.text);
        all.push_back(p);
    }
    return all;
}

std::string errorOf(const std::string& text) {
    try {
        statementsOf(text);
    } catch (const Error& e) { return e.what(); }
    return "";
}

using Strings = std::vector<std::string>;

}  // namespace

TEST(MaLexer, statementsEndAtSemicolonsAndSpanLines) {
    const auto s =
        statementsOf("//Maya ASCII 2024 scene\ncreateNode transform\n\t-n \"a\"\n\t-p \"b\";setAttr \".t\" 1;;\n");
    ASSERT_EQ(s.size(), 2u);
    EXPECT_EQ(s[0].command, "createNode");
    EXPECT_EQ(s[0].line, 2);
    EXPECT_EQ(s[0].flags, (Strings{"n a", "p b"}));
    EXPECT_EQ(s[0].args, (Strings{"transform"}));
    EXPECT_EQ(s[1].line, 4);
    EXPECT_EQ(s[1].args, (Strings{".t", "1"}));
}

TEST(MaLexer, carriageReturnsAndByteOrderMarkMakeNoDifference) {
    const auto s =
        statementsOf("\xEF\xBB\xBF//Maya ASCII 2020 scene\r\nsetAttr \".t\"\r\n\t1 2 ;\r\nselect -ne :time1;\r\n");
    ASSERT_EQ(s.size(), 2u);
    EXPECT_EQ(s[0].args, (Strings{".t", "1", "2"}));
    EXPECT_EQ(s[1].line, 4);
    EXPECT_EQ(s[1].flags, (Strings{"ne"}));
    EXPECT_EQ(s[1].args, (Strings{":time1"}));
}

TEST(MaLexer, stringsKeepSemicolonsCommentsAndEscapes) {
    const auto s = statementsOf(R"(setAttr ".b" -type "string" "print(\"hi; // no\");\n\tx\\y"; rename -uid "U";)");
    ASSERT_EQ(s.size(), 2u);
    EXPECT_EQ(s[0].flags, (Strings{"type string"}));
    EXPECT_EQ(s[0].args, (Strings{".b", "print(\"hi; // no\");\n\tx\\y"}));
    EXPECT_EQ(s[1].flags, (Strings{"uid U"}));
}

TEST(MaLexer, concatenationIsOneString) {
    const auto s = statementsOf("setAttr \".b\" -type \"string\" (\n\"a\"\n\t\t+ \"b\\n\" + \"c\");");
    ASSERT_EQ(s.size(), 1u);
    EXPECT_EQ(s[0].args, (Strings{".b", "ab\nc"}));
}

TEST(MaLexer, commentsOfBothKindsAreSkipped) {
    const auto s = statementsOf("/* one;\n two */ a b; // c;\nd /* x */ e;");
    ASSERT_EQ(s.size(), 2u);
    EXPECT_EQ(s[0].args, (Strings{"b"}));
    EXPECT_EQ(s[1].line, 3);
    EXPECT_EQ(s[1].args, (Strings{"e"}));
}

TEST(MaLexer, bracesListStrings) {
    const auto s = statementsOf("setAttr \".aal\" -type \"attributeAlias\" {\"smile\",\"weight[0]\"} ;");
    EXPECT_EQ(s[0].args, (Strings{".aal", "{", "smile", "weight[0]", "}"}));
}

TEST(MaLexer, negativeNumbersAreNotFlags) {
    const auto s = statementsOf("setAttr -s 6 -ch 24 \".fc[0:5]\" -type \"polyFaces\" f 4 0 5 -2 -5 mu 0 4 0 1 3 2;");
    EXPECT_EQ(s[0].flags, (Strings{"s 6", "ch 24", "type polyFaces"}));
    EXPECT_EQ(s[0].args, (Strings{".fc[0:5]", "f", "4", "0", "5", "-2", "-5", "mu", "0", "4", "0", "1", "3", "2"}));
    EXPECT_EQ(statementsOf("addAttr -ln \"a\" -min -1 -dv -.5 -at \"double\";")[0].flags,
              (Strings{"ln a", "min -1", "dv -.5", "at double"}));
}

TEST(MaLexer, longAndShortFlagsTakeTheSameValues) {
    const auto s =
        statementsOf("createNode mesh -name \"a\" -parent \"b\" -shared; currentUnit -linear meter -time pal;");
    EXPECT_EQ(s[0].flags, (Strings{"name a", "parent b", "shared"}));
    EXPECT_EQ(s[1].flags, (Strings{"linear meter", "time pal"}));
    EXPECT_EQ(statementsOf("requires -nodeType \"a\" -nodeType \"b\" \"plug\" \"1.0\";")[0].args,
              (Strings{"plug", "1.0"}));
}

TEST(MaLexer, syntaxErrorsNameFileAndLine) {
    EXPECT_EQ(errorOf("a;\nb \"c\n\n"), "scene.ma:2: unterminated string");
    EXPECT_EQ(errorOf("a;\n/* b\n\n"), "scene.ma:2: unterminated comment");
    EXPECT_EQ(errorOf("a;\n\nsetAttr \".vt[0:3]\" 0 1\n 2"),
              "scene.ma:3: 'setAttr' has no ';' before the end of the file; is the file truncated?");
    EXPECT_EQ(errorOf("a (\"x\"\n \"y\");"), "scene.ma:2: expected '+' or ')' after a string inside '( )'");
    EXPECT_EQ(errorOf("a (\"x\" +\n 3);"), "scene.ma:2: expected a string after '+'");
    EXPECT_EQ(errorOf("\n a (\"x\""), "scene.ma:2: unclosed '('");
}

TEST(MaLexer, otherMelIsSplitButNotRefused) {
    const auto s = statementsOf("if (`exists $x`) { print 1; } select a;");
    ASSERT_EQ(s.size(), 2u);
    EXPECT_EQ(s[0].command, "if");
    EXPECT_EQ(s[1].command, "}");  // counted and skipped by the loader like any unknown command
}

TEST(MaLexer, codesetTurnsStringsIntoUtf8) {
    EXPECT_EQ(statementsOf("//Codeset: 1252\nfileInfo \"k\" \"caf\xE9 \x80\";")[0].args[1], "caf\xC3\xA9 \xE2\x82\xAC");
    EXPECT_EQ(statementsOf("//Codeset: UTF-8\nfileInfo \"k\" \"caf\xC3\xA9\";")[0].args[1], "caf\xC3\xA9");
}

TEST(MaLexer, endMarkIsDetected) {
    const std::string with = "a;\n// End of scene.ma\n", without = "a;\n";
    Statement s;
    Lexer first(with, "f"), second(without, "f");
    while (first.next(s)) {}
    while (second.next(s)) {}
    EXPECT_TRUE(first.hasEndMark());
    EXPECT_FALSE(second.hasEndMark());
}

TEST(MaLexer, numbersAreReadWhole) {
    double d;
    EXPECT_TRUE(readNumber("-1.5e-013", d));
    EXPECT_EQ(d, -1.5e-13);
    EXPECT_TRUE(readNumber("+2", d));
    EXPECT_EQ(d, 2);
    EXPECT_TRUE(readNumber("1e-400", d));
    EXPECT_EQ(d, 0);
    EXPECT_FALSE(readNumber("1x", d));
    EXPECT_FALSE(readNumber("", d));
    long long i;
    EXPECT_TRUE(readNumber("-7", i));
    EXPECT_EQ(i, -7);
    EXPECT_FALSE(readNumber("1.5", i));
    bool b;
    EXPECT_TRUE(readBool("off", b));
    EXPECT_FALSE(b);
    EXPECT_FALSE(readBool("maybe", b));
}
