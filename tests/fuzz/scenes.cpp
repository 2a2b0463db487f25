// Maya ASCII, for the host.
#include "host/ma/load.h"
#include "host/ma/save.h"
#include "host/shapes/polyMesh.h"
#include "solver/cache/file.h"
#include "solver/core/error.h"
#include "tests/fuzz/fuzz.h"

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

}  // namespace

const std::vector<Reader> kReaders = {{"ma", playScene, scenes}};

}  // namespace purl
