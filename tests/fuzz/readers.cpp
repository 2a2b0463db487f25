// Every reader of files, for libFuzzer (clang): whatever the bytes are, a reader gives a frame or throws Error.
// PURL_READER names the reader; with PURL_SEEDS a folder is filled with whole files to begin from, and nothing is run.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "host/ma/load.h"
#include "host/ma/save.h"
#include "host/shapes/polyMesh.h"
#include "solver/cache/alembic.h"
#include "solver/cache/bgeo.h"
#include "solver/cache/file.h"
#include "solver/cache/manifest.h"
#include "solver/cache/ncache.h"
#include "solver/cache/obj.h"
#include "solver/cache/ply.h"
#include "solver/cache/points.h"
#include "solver/cache/stateFile.h"
#include "solver/cache/usd.h"
#include "solver/cache/vdb.h"
#include "solver/core/error.h"
#include "tests/solver/cache/frames.h"

namespace purl {
namespace {

using Bytes = std::string;

// Files that a reader may be given, one for each thing they can hold.
std::vector<Bytes> partsOf(Bytes (*encode)(const Frame&), bool points, bool meshes, bool curves) {
    const Frame frame = everything(2);
    std::vector<Bytes> seeds;
    if (points) seeds.push_back(encode(onlyBody(frame, 0)));
    for (int i = 0; meshes && i < 2; ++i) seeds.push_back(encode(onlyMesh(frame, i)));
    if (curves) seeds.push_back(encode(onlyCurves(frame, 0)));
    return seeds;
}

// A scene is read, its meshes are asked for, and it is written and read again.
void playScene(const Bytes& text) {
    host::Graph graph;
    host::loadSceneText(graph, text, "f");
    for (const host::NodePtr& node : graph.nodesOfType("mesh")) node->plug("worldMesh[0]").data();
    for (const host::NodePtr& node : graph.nodesOfType("transform")) node->plug("worldMatrix[0]").matrix();
    host::Graph again;
    host::loadSceneText(again, host::sceneText(graph, "f"), "f");
}

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

struct Reader {
    const char* name;
    void (*read)(const Bytes&);
    std::vector<Bytes> (*seeds)();
};

const Reader kReaders[] = {
    {"mcx",
     [](const Bytes& bytes) {
         for (const auto& s : decodeNCache(bytes, "f")) fromNCacheSample(s, "f");
     },
     [] {
         return std::vector<Bytes>{
             encodeNCacheSample(NCacheBits::mcx, NCacheLayout::oneFilePerFrame, toNCacheSample(everything(2), 500)),
             encodeNCacheSample(NCacheBits::mcc, NCacheLayout::oneFilePerFrame, toNCacheSample(everything(2), 500))};
     }},
    {"xml", [](const Bytes& bytes) { decodeNCacheDescription(bytes, "f"); },
     [] {
         NCacheDescription description;
         description.include(toNCacheSample(everything(2), 500));
         return std::vector<Bytes>{encodeNCacheDescription(description)};
     }},
    {"abc", [](const Bytes& bytes) { decodeAlembic(bytes, "f"); },
     [] {
         AlembicWriter two(24);
         two.add(everything(1), 1);
         two.add(everything(2), 2);
         two.finish();
         AlembicWriter late(24);  // things that are not there in the first frame
         late.add({}, 1);
         late.add(everything(2), 2);
         late.finish();
         return std::vector<Bytes>{encodeAlembic(everything(2), {}), two.take(), late.take()};
     }},
    {"usda", [](const Bytes& bytes) { decodeUsd(bytes, "f"); },
     [] { return partsOf([](const Frame& part) { return encodeUsd(part, {}); }, true, true, true); }},
    {"bgeo", [](const Bytes& bytes) { decodeBgeo(bytes, "f"); },
     [] { return partsOf([](const Frame& part) { return encodeBgeo(part, {}); }, true, true, false); }},
    {"vdb", [](const Bytes& bytes) { decodeVdb(bytes, "f"); },
     [] { return partsOf([](const Frame& part) { return encodeVdbFrame(part, {}); }, true, false, false); }},
    {"ply", [](const Bytes& bytes) { decodePly(bytes, "f"); }, [] { return partsOf(encodePly, true, true, false); }},
    {"obj", [](const Bytes& bytes) { decodeObj(bytes, "f"); }, [] { return partsOf(encodeObj, false, true, false); }},
    {"manifest", [](const Bytes& bytes) { decodeManifest(bytes, "f"); },
     [] {
         Manifest manifest;
         manifest.frames.push_back({1, 0, 10, 5, {}, {}, {{"a.mcx", "mcx", Content::points, "a", {3, 4}}}});
         manifest.bodies = everything(2).bodies;
         manifest.meshes.push_back({"a"});
         manifest.attributes.push_back({Content::points, "position", "float32[3]", "point"});
         return std::vector<Bytes>{encodeManifest(manifest)};
     }},
    {"ma", playScene, scenes},
    {"state", [](const Bytes& bytes) { decodeState(bytes, "f"); },
     [] { return std::vector<Bytes>{encodeState(State())}; }},
};

const Reader* chosen = nullptr;

}  // namespace
}  // namespace purl

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const char* const wanted = std::getenv("PURL_READER");
    for (const purl::Reader& reader : purl::kReaders)
        if (wanted && std::string(wanted) == reader.name) purl::chosen = &reader;
    if (!purl::chosen) {
        for (const purl::Reader& reader : purl::kReaders) std::printf("%s\n", reader.name);
        std::exit(wanted ? 2 : 0);
    }
    if (const char* folder = std::getenv("PURL_SEEDS")) {
        int number = 0;
        for (const std::string& seed : purl::chosen->seeds())
            purl::writeFile(std::string(folder) + "/" + std::to_string(number++), seed);
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
    try {
        purl::chosen->read(std::string(reinterpret_cast<const char*>(data), size));
    } catch (const purl::Error&) {
        // Refused: what it should do.
    } catch (const purl::host::Error&) {
        // The same.
    }
    return 0;
}
