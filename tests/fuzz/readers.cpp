// Every reader of caches.
#include "solver/cache/alembic.h"
#include "solver/cache/bgeo.h"
#include "solver/cache/manifest.h"
#include "solver/cache/ncache.h"
#include "solver/cache/obj.h"
#include "solver/cache/ply.h"
#include "solver/cache/points.h"
#include "solver/cache/stateFile.h"
#include "solver/cache/usd.h"
#include "solver/cache/vdb.h"
#include "tests/fuzz/fuzz.h"
#include "tests/solver/cache/frames.h"

namespace purl {
namespace {

// Files that a reader may be given, one for each thing they can hold.
template <class Encode>
std::vector<Bytes> partsOf(Encode encode, bool points, bool meshes, bool curves) {
    const Frame frame = everything(2);
    std::vector<Bytes> seeds;
    if (points) seeds.push_back(encode(onlyBody(frame, 0)));
    for (int i = 0; meshes && i < 2; ++i) seeds.push_back(encode(onlyMesh(frame, i)));
    if (curves) seeds.push_back(encode(onlyCurves(frame, 0)));
    return seeds;
}

}  // namespace

const std::vector<Reader> kReaders = {
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
    {"state", [](const Bytes& bytes) { decodeState(bytes, "f"); },
     [] { return std::vector<Bytes>{encodeState(State())}; }},
};

}  // namespace purl
