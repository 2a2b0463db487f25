// What the host reads: Maya ASCII, MEL, and values as --set takes them.
#include <signal.h>
#include <sys/time.h>

#include <filesystem>

#include "host/host.h"
#include "host/ma/load.h"
#include "host/ma/save.h"
#include "host/mel/interpreter.h"
#include "host/shapes/polyMesh.h"
#include "solver/cache/file.h"
#include "solver/core/error.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/textMutator.h"

namespace purl {
namespace {

// A scene is read, its meshes are asked for, and it is written and read again.
void playScene(const Bytes& text) try {
    host::Graph graph;
    host::loadSceneText(graph, text, "f");
    for (const host::NodePtr& node : graph.nodesOfType("mesh")) node->plug("worldMesh[0]").data();
    for (const host::NodePtr& node : graph.nodesOfType("transform")) node->plug("worldMatrix[0]").matrix();
    host::Graph again;
    host::loadSceneText(again, host::sceneText(graph, "f"), "f");
} catch (const host::Error& error) { throw Error(error.what()); }

std::vector<Bytes> scenes() {
    std::vector<Bytes> all;
    for (const char* name : {"wavePaddle", "jetOnKnit", "leak"})
        all.push_back(readFile(std::string(PURL_SCENES) + "/" + name + ".ma"));
    all.push_back(R"(//Maya ASCII 2024 scene
requires -nodeType "magic" -dataType "d" "magicPlugin" "1.0";
currentUnit -l meter -a degree -t pal;
createNode transform -s -n "persp";
createNode transform -n "a";
	addAttr -ci true -m -sn "w" -ln "weights" -min 0 -max 1 -at "double";
	addAttr -ci true -sn "c" -ln "colors" -at "compound" -nc 2;
	addAttr -ci true -sn "c0" -ln "first" -at "float3" -uac -p "colors" -nc 3;
	setAttr -k off -l on ".t" -type "double3" 1 -2.5e-3 inf ;
	setAttr -s 3 ".w[0:2]"  0.5 1 0;
createNode mesh -n "b" -p "a";
	setAttr -s 2 ".uvst[0].uvsp[0:1]" -type "float2" 0 0 1 1;
	setAttr -s 3 ".vt[0:2]"  0 0 0 1 0 0 0 1 0;
	setAttr -s 3 ".ed[0:2]"  0 1 0 1 2 0 2 0 0;
	setAttr -s 1 -ch 3 ".fc[0]" -type "polyFaces" f 3 0 1 2 mu 0 3 0 1 0;
createNode polySphere -n "s";
	setAttr ".sa" 5;
createNode animCurveTL -n "k";
	setAttr -s 2 ".ktv[0:1]"  1 0 24 10;
	setAttr -s 2 ".kit[0:1]"  1 18;
createNode reference -n "rRN";
	setAttr ".ed" -type "dataReferenceEdits" "rRN" "rRN" 3 2 "a" "tx" " -k 0 1" 5 4 "rRN" "a.tx" "rRN.placeHolderList[1]" ""
		0 "b" "a" "-s -r ";
createNode script -n "sceneConfigurationScriptNode";
	setAttr ".b" -type "string" ( "playbackOptions -min 1" + " -max 20" );
parent -add "|a|b" "persp";
select -ne :time1;
	setAttr ".o" 7;
connectAttr "k.o" "rRN.phl[1]";
connectAttr "a.wm" "b.dsm" -na;
relationship "link" ":lightLinker1" "a.message";
// End of f
)");
    return all;
}

// While it lives, what runs for longer than a second of CPU time is asked to stop, as Ctrl-C does: a script may loop
// without end, but must be heard to stop. That it does not is noticed by libFuzzer's own limit.
class Watch {
  public:
    Watch() {
        signal(SIGVTALRM, [](int) { host::requestInterrupt(); });
        set(1);
    }
    ~Watch() {
        set(0);
        host::clearInterrupt();
    }

  private:
    static void set(int seconds) {
        const itimerval timer = {{0, 0}, {seconds, 0}};
        setitimer(ITIMER_VIRTUAL, &timer, nullptr);
    }
};

// Scripts may save files wherever they like: those that mention it are not run.
void runScript(const Bytes& text) try {
    if (text.find("file") != Bytes::npos || text.find("source") != Bytes::npos) return;
    const Watch watch;
    host::Session session;
    session.newScene();
    session.graph().sink = [](host::Severity, const std::string&) {};
    host::mel::Interpreter mel(session);
    mel.run(text, "f");
} catch (const host::Error& error) { throw Error(error.what()); }

std::vector<Bytes> scripts() {
    std::vector<Bytes> all = {
        R"(int $a = 7.9; float $f = 3; $f /= 2; string $s = "a" + 1 + "b"; $x = 1 + 2 * 3 - -4;
print ($s + size($s)); print ((1 < 2) && !(3 == 4) || 0); int $i = 5; print ($i++ + ++$i);
string $l[] = {"x", "y"}; $l[size($l)] = "z"; print $l; clear $l; int $n[3]; $n[4] = 2;
)",
        R"(vector $v = <<1, 2, 3>> + <<1, 1, 1>> * 2; print ($v.x * dot($v, $v)); matrix $m[2][3] = <<1, 2, 3; 4, 5, 6>>;
$m[0][0] = 9; print ($m[1][2]); float $l[] = $v; print (unit(cross($v, <<0, 0, 1>>)));
)",
        R"(global proc string greet(string $who, int $times) { string $all = ""; for ($k = 0; $k < $times; $k++) {
if ($k == 3) break; else $all += $who; } return $all; }
print (greet("you", 2)); int $i = 0; while ($i < 3) { $i++; switch ($i) { case 1: continue; default: break; } }
string $parts[]; tokenize("a/b c", "/ ", $parts); for ($part in $parts) print $part; do $i--; while ($i > 0);
)",
        R"(string $box[] = `polyCube -n "box" -w 2`; move -a 1 2 3 box; setAttr box.tx 4.5; print `getAttr box.t`;
select -r box; string $s[] = `ls -sl`; connectAttr box.tx box.ty; undo; redo; delete box; catch(`delete nothing`);
polySphere -sx 8 -sy 8; setKeyframe -t 3 -v 2 pSphere1.tx; currentTime 4; parent pSphere1 `group -em -n "g"`;
)",
        R"(print (match("[a-z]+[0-9]*", "..abc12..")); print (substitute("b+", "abbbc", "x")); print (substring("abcd", 2, 3));
print (strcmp("a", "b") + toupper("x") + `gmatch "abc" "a*"`); string $e = eval("1 + 2;"); print (min(1, 2) + sin(0.5) + abs(-3));
window -t "w"; columnLayout; button -l "b" -c "print 1"; showWindow;
)"};
    for (const auto& entry : std::filesystem::directory_iterator(PURL_MEL))
        all.push_back(readFile(entry.path().string()));
    return all;
}

// A scene with attributes of every kind, made once; what is set does not matter to what is set next.
host::Graph& settableScene() {
    static host::Graph graph;
    static const bool loaded = [] {
        host::loadSceneText(graph, scenes().back(), "f");
        return true;
    }();
    (void)loaded;
    return graph;
}

void setValues(const Bytes& lines) {
    for (const Bytes& line : piecesOf(lines, '\n')) try {
            host::setAttribute(settableScene(), line);
        } catch (const host::Error&) {}
}

std::vector<Bytes> values() {
    return {"a.translateX=4\na.translate=1 2 3\na.t=1,2,3\ns.sa=5\na.visibility=off\n",
            "b.vt[0]=1 2 3\na.w[1]=0.5\na.colors.first=1 0 0\ns.radius = 1e3\na.rotateOrder=zyx\nk.ktv[0].kv=3\n"};
}

}  // namespace

const std::vector<Reader> kReaders = {
    {"ma", playScene, scenes, mutateText<';'>},
    {"mel", runScript, scripts, mutateText<';'>},
    {"set", setValues, values, mutateText<'\n'>},
};

}  // namespace purl
