// The MEL subset used by our scripts: values, control flow, procedures, commands, error locations, recorded UI.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "host/mel/interpreter.h"

namespace purl::host::mel {
namespace {

class MelTest : public ::testing::Test {
  protected:
    MelTest() : mel(session) {
        session.newScene();
        mel.out = [this](const std::string& text) { printed += text; };
    }
    std::string run(const std::string& text) {
        printed.clear();
        mel.run(text, "test.mel");
        return printed;
    }
    std::string error(const std::string& text) {
        try {
            mel.run(text, "test.mel");
        } catch (const Error& e) { return e.what(); }
        return "";
    }

    Session session;
    Interpreter mel;
    std::string printed;
};

TEST_F(MelTest, valuesAreTypedByTheirVariables) {
    EXPECT_EQ(run("int $a = 7.9; print $a;"), "7");
    EXPECT_EQ(run("float $a = 3; $a /= 2; print $a;"), "1.5");
    EXPECT_EQ(run("print (7 / 2);"), "3");
    EXPECT_EQ(run("print (7 / 2.0);"), "3.5");
    EXPECT_EQ(run("string $s = \"a\" + 1 + \"b\"; print ($s + size($s));"), "a1b3");
    EXPECT_EQ(run("$x = 1 + 2 * 3 - -4; print $x;"), "11");
    EXPECT_EQ(run("print ((1 < 2) && !(3 == 4) || 0);"), "1");
    EXPECT_EQ(run("print (\"a\" == \"a\" ? \"same\" : \"other\");"), "same");
    EXPECT_EQ(run("int $i = 5; print ($i++ + ++$i);"), "12");
    EXPECT_EQ(run("string $a[] = {\"x\", \"y\"}; $a[size($a)] = \"z\"; print $a;"), "x\ny\nz\n");
    EXPECT_EQ(run("int $a[3]; $a[4] = 2; print (size($a) + $a[9]);"), "5");
    EXPECT_EQ(run("int $i; int $a[]; int $b = $a[$i++] = 5; print ($i + size($a) + $b);"), "7")
        << "the index is incremented once";
    EXPECT_EQ(run("print (\"tab\\tquote\\\"\");"), "tab\tquote\"");
}

TEST_F(MelTest, theIndicesOfAnAssignmentAreEvaluatedOnce) {
    EXPECT_EQ(run("int $i = 0; int $a[] = {1, 2, 3}; $a[$i++] += 10; print $i; print $a;"), "111\n2\n3\n");
    EXPECT_EQ(run("int $j = 0; int $b[] = {1, 2, 3}; print ($b[$j++]++ + $j); print $b;"), "22\n2\n3\n");
    EXPECT_EQ(run("int $k = 0; matrix $m[2][2] = <<1, 2; 3, 4>>; $m[$k++][$k++] *= 7; print ($k + $m[0][1]);"), "16");
}

TEST_F(MelTest, vectorsAreThreeNumbers) {
    EXPECT_EQ(run("vector $v = <<1, 2, 3>>; print $v;"), "1 2 3");
    EXPECT_EQ(run("vector $v = <<1, 2, 3>> + <<1, 1, 1>> * 2; print ($v.x + \",\" + ($v.y * 2) + \",\" + $v.z);"),
              "3,8,5");
    EXPECT_EQ(run("print (<<1, 2, 3>> * <<4, 5, 6>>); print \" \"; print (<<1, 0, 0>> ^ <<0, 1, 0>>);"), "32 0 0 1");
    EXPECT_EQ(run("print (dot(<<1, 2, 3>>, <<4, 5, 6>>) + mag(<<3, 4, 0>>));"), "37");
    EXPECT_EQ(run("print (unit(<<0, 5, 0>>)); print (cross(<<0, 1, 0>>, <<0, 0, 1>>)); print (-<<1, 2, 3>>);"),
              "0 1 01 0 0-1 -2 -3");
    EXPECT_EQ(run("vector $a[]; $a[1] = <<7, 8, 9>>; print (size($a)); vector $b = $a[1]; print ($b.z);"), "29");
    EXPECT_EQ(run("float $f = <<3, 4, 0>>; vector $v = 2; print $f; print $v;"), "52 2 2")
        << "a vector converts to its length, a number to three equal components";
    EXPECT_EQ(run("vector $v = <<1, 2, 3>>; float $f[] = $v; print $f;"), "1\n2\n3\n");
    EXPECT_EQ(run("print (<<1, 2, 3>> == <<1, 2, 3>>); print (<<1, 2, 3>> == <<3, 2, 1>>);"), "10");
    EXPECT_EQ(run("polyCube -n box; move -a 1 2 3 box; vector $at = `getAttr box.t`; print $at;"), "1 2 3");
    EXPECT_EQ(run("vector $to = <<4, 5, 6>>; setAttr box.t ($to.x) ($to.y) ($to.z); print `getAttr box.ty`;"), "5");
    EXPECT_EQ(error("vector $v; $v.x = 1;"),
              "test.mel:1: cannot assign to a component of a vector; assign a whole vector, <<x, y, z>>");
    EXPECT_EQ(error("string $s = \"a\"; print ($s.x);"), "test.mel:1: only a vector has a component .x");
}

TEST_F(MelTest, matricesHaveRowsAndColumns) {
    EXPECT_EQ(run("matrix $m[2][3] = <<1, 2, 3; 4, 5, 6>>; print ($m[1][2]); $m[0][0] = 9; print ($m[0][0]);"), "69");
    EXPECT_EQ(run("matrix $a[2][2] = <<1, 2; 3, 4>>; matrix $b[2][2] = <<0, 1; 1, 0>>; matrix $c[2][2] = $a * $b;"
                  "print ($c[0][0] + \" \" + $c[1][0]); print (($a + $b) * 2);"),
              "2 42 6 8 8");
    EXPECT_EQ(error("matrix $m[2][2]; $m[2][0] = 1;"), "test.mel:1: a matrix of 2 by 2 has no element [2][0]");
    EXPECT_EQ(error("matrix $m[2][2]; print ($m[5][0]);"), "test.mel:1: a matrix of 2 rows does not have row 5");
    EXPECT_EQ(error("matrix $m[2][2] = <<1, 2, 3, 4>>;"), "test.mel:1: expected a matrix of 2 by 2");
    EXPECT_EQ(error("matrix $m[] = <<1, 2; 3, 4>>;"), "test.mel:1: expected the size of the matrix, such as [4][4]");
    EXPECT_EQ(error("matrix $m[2][2] = <<1, 2; 3>>;"), "test.mel:1: all rows of a matrix must have the same length");
}

TEST_F(MelTest, tokenizeAndClearModifyTheirArgument) {
    EXPECT_EQ(run("string $w[]; int $n = `tokenize \"one two  three\" $w`; print ($n + $w[2]);"), "3three");
    EXPECT_EQ(run("string $w[]; print (tokenize(\"a|b:c\", \"|:\", $w)); print $w;"), "3a\nb\nc\n");
    EXPECT_EQ(run("tokenize \"x.y\" \".\" $parts; print ($parts[1]);"), "y");
    EXPECT_EQ(run("int $a[] = {1, 2}; clear $a; print (size($a)); $a[0] = 5; clear($a); print (size($a));"), "00");
    EXPECT_EQ(error("tokenize \"a b\";"),
              "test.mel:1: tokenize needs a string, optional separators, and an array variable");
    EXPECT_EQ(error("clear 5;"), "test.mel:1: clear needs an array variable");
}

TEST_F(MelTest, builtinFunctions) {
    EXPECT_EQ(run("print (clamp(0, 1, 7) + pow(2, 3) + trunc(2.7)); print (strip(\"  a b \"));"), "11a b");
    EXPECT_EQ(run("print (sort({\"b\", \"a\"})); print (sort({3, 1, 2}));"), "a\nb\n1\n2\n3\n");
}

TEST_F(MelTest, controlFlow) {
    EXPECT_EQ(run("int $i; for ($i = 0; $i < 5; $i++) { if ($i == 1) continue; if ($i == 4) break; print $i; }"),
              "023");
    EXPECT_EQ(run("for ($n in {\"a\", \"b\"}) print $n;"), "ab");
    EXPECT_EQ(run("int $i = 3; while ($i > 0) { print $i; $i--; }"), "321");
    EXPECT_EQ(run("int $i = 0; do { print $i; } while (++$i < 2);"), "01");
    const char* choose =
        "string $s = \"b\"; switch ($s) { case \"a\": print 1; break; case \"b\": print 2; case \"c\": print 3; break; "
        "default: print 4; }";
    EXPECT_EQ(run(choose), "23");
    EXPECT_EQ(run("switch (9) { default: print \"d\"; break; case 1: print \"one\"; }"), "d");
    EXPECT_EQ(run("if (0) print 1; else if (1) print 2; else print 3; // a comment\n /* another */"), "2");
}

TEST_F(MelTest, proceduresHaveLocalVariables) {
    EXPECT_EQ(run("global proc int fact(int $n) { if ($n < 2) return 1; return $n * fact($n - 1); } print `fact 5`; "
                  "print (fact(6));"),
              "120720");
    EXPECT_EQ(run("int $k = 1; proc string[] two(string $a) { string $r[] = {$a, $a}; return $r; } for ($x in `two "
                  "\"q\"`) print $x;"),
              "qq");
    EXPECT_EQ(run("global int $gCount = 2; global proc bump() { global int $gCount; $gCount += 1; } bump; bump(); "
                  "print $gCount;"),
              "4");
    EXPECT_EQ(error("proc f() { print $gHidden; } global int $gHidden; f;"), "test.mel:1: $gHidden is not defined");
    EXPECT_EQ(error("proc f(int $a) {}\nf(1, 2);"), "test.mel:2: f takes 1 arguments, not 2");
    EXPECT_EQ(error("proc f() { f(); }\n\nf;"),
              "test.mel:1: f: procedure calls are nested too deeply; is there an endless recursion?");
}

TEST_F(MelTest, commandsRunInTheSession) {
    EXPECT_EQ(run("string $made[] = `polyCube -name \"box\" -width 3`; print $made[0]; setAttr ($made[0] + \".tx\") 4; "
                  "print `getAttr box.tx`;"),
              "box4");
    EXPECT_EQ(run("select -r box; string $s[] = `ls -sl`; print $s[0]; move -r 0 1 0 $s; print `getAttr \"box.ty\"`;"),
              "box1");
    EXPECT_EQ(run("if (`objExists box` && !`objExists nobody`) print \"yes\";"), "yes");
    EXPECT_EQ(run("float $t[] = `getAttr box.translate`; print (size($t));"), "3");
    EXPECT_EQ(run("eval(\"polySphere -n ball\"); print `nodeType ballShape`;"), "mesh");
    EXPECT_EQ(run("optionVar -iv purlTest 3; print (`optionVar -q purlTest` + 1);"), "4");
    EXPECT_EQ(run("print `exists polyCube`; print `exists noSuchThing`; print `whatIs polyCube`;"), "10Command");
    EXPECT_EQ(run("print (catch(`getAttr nobody.tx`)); print (catchQuiet(eval(\"error bad\")));"), "11");
    EXPECT_EQ(run("undo; undo; print `objExists ball`;"), "0");
}

TEST_F(MelTest, stringFunctions) {
    EXPECT_EQ(run("print (substring(\"purlCloth\", 5, 9));"), "Cloth");
    EXPECT_EQ(run("string $p[] = stringToStringArray(\"a|b|c\", \"|\"); print $p[2];"), "c");
    EXPECT_EQ(run("print (stringArrayToString({\"a\", \"b\"}, \", \"));"), "a, b");
    EXPECT_EQ(run("print `match \"[0-9]+\" \"abc123\"`; print (substitute(\"b\", \"abc\", \"_\"));"), "123a_c");
    EXPECT_EQ(run("print (interToUI(\"particleSpacing\") + capitalizeString(\"x\") + toupper(\"y\"));"),
              "Particle SpacingXY");
}

TEST_F(MelTest, errorsNameFileAndLine) {
    EXPECT_EQ(error("int $a = 1;\n\nsetAttr nobody.tx 1;"), "test.mel:3: setAttr: no node named nobody");
    EXPECT_EQ(error("print (1 +);"), "test.mel:1: unexpected ')'");
    EXPECT_EQ(error("if (1) {\n print 2;\n"), "test.mel:3: expected '}'");
    EXPECT_EQ(error("string $s = \"abc;\nprint 1;"), "test.mel:1: unterminated string");
    EXPECT_EQ(error("print (1 / 0);"), "test.mel:1: division by zero");
    EXPECT_EQ(error("polyCub;"), "test.mel:1: unknown command polyCub; did you mean polyCube?");
    EXPECT_EQ(error("int $a[]; $a[-1] = 2;"), "test.mel:1: bad index -1");
    EXPECT_EQ(error(std::string(500, '(')), "test.mel:1: nested too deeply");
    EXPECT_EQ(error("source \"nothing.mel\";"), "test.mel:1: cannot find script nothing.mel");
}

TEST_F(MelTest, proceduresAreFoundByTheNameOfTheirFile) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "mel_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "sayHello.mel") << "global proc string sayHello(string $who) { return \"hello \" + $who; }";
    mel.scriptPaths = {folder.string()};
    EXPECT_EQ(run("print `sayHello \"you\"`;"), "hello you");
    std::filesystem::remove_all(folder);
}

TEST_F(MelTest, uiItemsAreRecorded) {
    EXPECT_EQ(error("menu -label Purl purlMenu;"), "test.mel:1: menu: UI commands are not available in batch mode");
    session.interactive = true;
    run("global string $gMainWindow; setParent $gMainWindow; menu -label \"Purl\" -tearOff true purlMenu;"
        "menuItem -label \"Cloth\" -command \"performPurl cloth 0\" purlCloth; menuItem -optionBox true -command "
        "\"performPurl cloth 1\" purlClothBox;"
        "setParent -menu ..;");
    ASSERT_NE(mel.ui.find("purlCloth"), nullptr);
    EXPECT_EQ(mel.ui.find("purlCloth")->parent, "purlMenu");
    EXPECT_EQ(mel.ui.find("purlMenu")->parent, "MayaWindow");
    EXPECT_EQ(run("print `menu -exists purlMenu`; print `menuItem -q -label purlCloth`;"), "1Cloth");
    run("menuItem -e -label \"Fabric\" purlCloth;");
    EXPECT_EQ(run("print `menuItem -q -label purlCloth`;"), "Fabric");
    run("deleteUI -menu purlMenu;");
    EXPECT_TRUE(mel.ui.items().empty());
}

}  // namespace
}  // namespace purl::host::mel
