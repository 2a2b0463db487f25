// Malicious or runaway scripts fail quickly with a one-line error, on a small stack and in bounded memory.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "host/mel/interpreter.h"
#include "host/mel/pattern.h"
#include "tests/host/smallStack.h"

namespace purl::host::mel {
namespace {

struct Outcome {
    std::string printed, error;
};

Outcome outcomeOf(const std::string& script) {
    Outcome outcome;
    onSmallStack([&] {
        Session session;
        session.newScene();
        Interpreter mel(session);
        mel.out = [&](const std::string& text) { outcome.printed += text; };
        try {
            mel.run(script, "test.mel");
        } catch (const Error& e) { outcome.error = e.what(); }
    });
    return outcome;
}

std::string repeated(const std::string& text, int count) {
    std::string all;
    for (int k = 0; k < count; ++k) all += text;
    return all;
}

bool says(const Outcome& outcome, const std::string& part) {
    return outcome.error.find(part) != std::string::npos && outcome.error.size() < 1000;
}

}  // namespace

TEST(MelHostile, longSumsNeedNoDeepRecursion) {
    const Outcome sum = outcomeOf("print (" + repeated("1+", 300000) + "1);");
    EXPECT_EQ(sum.printed, "300001") << sum.error;
    EXPECT_EQ(outcomeOf("print (size(" + repeated("\"ab\"+", 300000) + "\"ab\"));").printed, "600002");
    EXPECT_EQ(outcomeOf("print (" + repeated("1&&", 300000) + "0);").printed, "0");
}

TEST(MelHostile, nestingIsLimited) {
    for (const std::string& script :
         {"int $a[]; print ($a" + repeated("[0]", 300000) + ");", "print (" + repeated("(", 100000),
          "print (" + repeated("-", 100000) + "1);", repeated("{", 100000), repeated("if (1) ", 100000),
          "$a = " + repeated("{", 100000), "print " + repeated("`", 100000), repeated("$a=", 100000) + "1;",
          "print (" + repeated("1?", 100000), repeated("if (0); else ", 100000) + ";",
          "vector $v; print ($v" + repeated(".x", 100000) + ");"})
        EXPECT_TRUE(says(outcomeOf(script), "test.mel:1: ")) << script.substr(0, 40);
}

TEST(MelHostile, recursionIsLimited) {
    EXPECT_TRUE(says(outcomeOf("proc f() { f(); } f;"), "endless recursion"));
    EXPECT_TRUE(says(outcomeOf("proc f() { eval(\"f()\"); } f;"), "endless recursion"));
    // Each call alone is within the nesting limit.
    const std::string deep = repeated("(1 + ", 90) + "f()" + repeated(")", 90);
    EXPECT_TRUE(says(outcomeOf("proc int f() { return " + deep + "; } f;"), "nested too deeply"));
    const std::string blocks = repeated("if (1) {", 90) + "f();" + repeated("}", 90);
    EXPECT_TRUE(says(outcomeOf("proc f() { " + blocks + " } f;"), "nested too deeply"));
    EXPECT_TRUE(says(outcomeOf("proc f() { " + repeated("for ($i in {1}) ", 90) + "f(); } f;"), "nested too deeply"));
    EXPECT_TRUE(says(outcomeOf("proc f(string $s) { switch ($s) { case \"a\": f($s); } } f(\"a\");"), "test.mel:1: "));
}

TEST(MelHostile, patternMatchingNeedsNoRecursion) {
    EXPECT_EQ(outcomeOf("string $s = \"a\"; while (size($s) < 400000) $s += $s;"
                        "print (size(match(\".*\", $s)) - size($s)); print (size(match(\"(a*)*b\", $s)));"
                        "print (size(substitute(\"a+\", $s, \"b\")));")
                  .printed,
              "001");
}

TEST(MelHostile, longMessagesAreShortened) {
    const std::string grow = "string $s = \"x\"; while (size($s) < 4000000) $s += $s;";
    for (const char* end :
         {"error $s;", "createNode $s -n $s; setAttr $s 1;", "eval($s);", "source $s;",
          "match \"[\" $s; match $s \"a\";", "python $s;", "select $s;", "polyCube -name box -width $s;"}) {
        const Outcome outcome = outcomeOf(grow + end);
        EXPECT_TRUE(says(outcome, "test.mel:1: ")) << end << outcome.error.substr(0, 200);
        EXPECT_EQ(outcome.error.find('\n'), std::string::npos);
    }
}

TEST(MelHostile, valueSizesAreLimited) {
    EXPECT_TRUE(
        says(outcomeOf("string $s = \"x\"; while (1) $s += $s;"), "the string is too long; the limit is 16 MB"));
    EXPECT_TRUE(
        says(outcomeOf("string $s = \"x\"; while (1) $s = $s + $s;"), "the string is too long; the limit is 16 MB"));
    EXPECT_TRUE(says(outcomeOf("int $a[]; $a[2000000000] = 1;"), "the array is too long"));
    EXPECT_TRUE(says(outcomeOf("string $s = \"x\"; while (size($s) < 8000000) $s += $s; string $a[];"
                               "int $i; while (1) $a[$i++] = $s;"),
                     "the variables take more than 256 MB"));
    EXPECT_TRUE(says(outcomeOf("string $a[] = {\"x\"}; while (1) $a = stringArrayCatenate($a, $a);"), "too long"));
    EXPECT_TRUE(says(outcomeOf("matrix $m[9999][9999];"), "at most 1000 rows and columns"));
    // Released memory no longer counts.
    EXPECT_EQ(
        outcomeOf("string $s = \"x\"; while (size($s) < 8000000) $s += $s;"
                  "proc int f(string $t) { return size($t); } int $i; for ($i = 0; $i < 50; $i++) f($s); print $i;")
            .printed,
        "50");
}

TEST(MelHostile, scriptSizeIsLimited) {
    EXPECT_TRUE(says(outcomeOf(std::string(5 << 20, ' ')), "scripts are limited to 4 MB"));
    EXPECT_TRUE(says(outcomeOf(std::string(2 << 20, ';')), "the script is too long"));
}

TEST(MelHostile, endlessLoopsCanBeCancelled) {
    Session session;
    session.newScene();
    Interpreter mel(session);
    for (const char* script :
         {"while (1);", "for (;;) catch(`getAttr nobody.x`);", "do { } while (1);",
          "int $a[]; $a[9] = 1; for ($x in $a) $x;", "proc f() { catch(eval(\"while (1);\")); } f;"}) {
        requestInterrupt();
        EXPECT_THROW(mel.run(script, "test.mel"), Interrupted) << script;
        clearInterrupt();
    }
    EXPECT_NO_THROW(mel.run("print 1;", "test.mel"));
}

TEST(MelHostile, filesThatAreNotScriptsAreRefused) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "mel_hostile";
    std::filesystem::create_directories(folder);
    Session session;
    session.newScene();
    Interpreter mel(session);
    const auto refusal = [&](const std::string& path) {
        try {
            mel.runFile(path);
        } catch (const Error& e) { return std::string(e.what()); }
        return std::string();
    };
    EXPECT_EQ(refusal("/dev/zero"), "/dev/zero: is a device or a pipe; expected a .mel script");
    EXPECT_EQ(refusal(folder.string()), folder.string() + ": is a folder; expected a .mel script");
    std::ofstream(folder / "nul.mel") << std::string("print 1;\0print 2;", 17);
    EXPECT_NE(refusal((folder / "nul.mel").string()).find("NUL byte at 8"), std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST(Pattern, patternsMatchAsDocumented) {
    const auto matched = [](const std::string& pattern, const std::string& text) {
        const Match m = search(pattern, text);
        return m.found ? text.substr(m.begin, m.end - m.begin) : std::string("-");
    };
    EXPECT_EQ(matched("this", "this is a test"), "this");
    EXPECT_EQ(matched("a*b*", "abbcc"), "abb");
    EXPECT_EQ(matched("a*b*", "bbccc"), "bb");
    EXPECT_EQ(matched("a+b+", "abbcc"), "abb");
    EXPECT_EQ(matched("a+b+", "bbccc"), "-");
    EXPECT_EQ(matched("^the", "the red fox"), "the");
    EXPECT_EQ(matched("^fox", "the red fox"), "-");
    EXPECT_EQ(matched("fox$", "the red fox"), "fox");
    EXPECT_EQ(matched("red$", "the red fox"), "-");
    EXPECT_EQ(matched("^b$", "a\nb\nc"), "b");
    EXPECT_EQ(matched("[0-9]+", "abc123"), "123");
    EXPECT_EQ(matched("[^|]*$", "|group|ball"), "ball");
    EXPECT_EQ(matched("[-a]+", "b-a-b"), "-a-");
    EXPECT_EQ(matched("[a-]+", "b-a-b"), "-a-");
    EXPECT_EQ(matched("[\\]x]+", "a]x]"), "]x]");
    EXPECT_EQ(matched("\\^.", "ad^bc"), "^b");
    EXPECT_EQ(matched("(abc)+", "123abcabc456"), "abcabc");
    EXPECT_EQ(matched("(a(bc)*)+d", "xabcbcaabcd"), "abcbcaabcd");
    EXPECT_EQ(matched("(a*)*", "b"), "");
    EXPECT_EQ(matched("a|b", "xa|b"), "a|b") << "| is not special in MEL patterns";
    EXPECT_EQ(matched("", "abc"), "");
    EXPECT_EQ(matched(".", ""), "-");
}

TEST(Pattern, invalidPatternsAreRefused) {
    for (const char* pattern : {"*", "+a", "(*a)", "(", ")", "a)", "[", "[a", "a\\", "[a-", "[\\"})
        EXPECT_THROW(search(pattern, "abc"), Error) << pattern;
    EXPECT_THROW(search(std::string(kMaxPatternBytes + 1, 'a'), "abc"), Error);
}

}  // namespace purl::host::mel
