// Every reader of caches and patterns, and every writer with its reader.
#include <cstring>

#include "solver/cache/alembic.h"
#include "solver/cache/bgeo.h"
#include "solver/cache/manifest.h"
#include "solver/cache/manifestFile.h"
#include "solver/cache/ncache.h"
#include "solver/cache/obj.h"
#include "solver/cache/ply.h"
#include "solver/cache/points.h"
#include "solver/cache/retime.h"
#include "solver/cache/stateFile.h"
#include "solver/cache/usd.h"
#include "solver/cache/vdb.h"
#include "solver/core/error.h"
#include "solver/knit/pattern.h"
#include "tests/fuzz/frameMaker.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/ogawaMutator.h"
#include "tests/fuzz/textMutator.h"
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

// The parts of a frame, each of which one file of the format holds.
template <class Visit>
void forEachPart(const Format& format, const Frame& frame, const Visit& visit) {
    for (int i = 0; format.points != TakesPoints::no && i < static_cast<int>(frame.bodies.size()); ++i)
        visit(onlyBody(frame, i));
    for (int i = 0; format.meshes && i < static_cast<int>(frame.meshes.size()); ++i) visit(onlyMesh(frame, i));
    for (int i = 0; format.curves && i < static_cast<int>(frame.curves.size()); ++i) visit(onlyCurves(frame, i));
}

// What was read can be used: it is moved in time and written in every format, or refused by an Error. VDB files are
// made of few, for they take a hundred times as long.
void use(const Frame& frame) {
    const bool rare = (frame.points.count() + frame.meshes.size()) % 16 == 5;
    for (const Format& format : formats()) {
        if (format.decode || rare) try {
                forEachPart(format, frame, [&](const Frame& part) { format.encode(part, {}, Device::cpu(1)).bytes(); });
            } catch (const Error&) {}
    }
    between(frame, frame, 0.5);
}

// A file that a writer wrote is read. What a format has no place for is gone then; the rest stays as it is when it is
// written and read again.
void writeAndRead(const Format& format, const Frame& part) {
    const Device device = Device::cpu(1);
    const auto written = [&](const Frame& frame) { return format.encode(frame, {}, device).bytes(); };
    const auto read = [&](const Bytes& bytes) {
        try {
            return format.decode(bytes, "f");
        } catch (const Error& error) {
            std::fprintf(stderr, "%s: %s\n", format.name, error.what());
            require(false, "a reader takes what its writer wrote");
        }
        return Frame();
    };
    const Bytes once = written(read(written(part)));
    require(written(read(once)) == once, format.name);
}

void writeAndReadAll(const Bytes& bytes) {
    const Frame frame = FrameMaker(bytes).frame();
    for (const Format& format : formats())
        if (format.decode) forEachPart(format, frame, [&](const Frame& part) { writeAndRead(format, part); });
}

constexpr const char* kJournalHere = "\n---\n";

Manifest smallManifest() {
    Manifest manifest;
    manifest.frames.push_back({1, 0, 10, 5, {}, {}, {{"a.mcx", "mcx", Content::points, "a", {3, 4}}}});
    manifest.bodies = everything(2).bodies;
    manifest.meshes.push_back({"a"});
    manifest.attributes.push_back({Content::points, "position", "float32[3]", "point"});
    return manifest;
}

// Of what encodeManifest wrote.
Manifest readBack(const Bytes& written) {
    try {
        return decodeManifest(written, "f");
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        require(false, "a manifest that was written is read");
    }
    return {};
}

// A folder with the manifest and journal of these lines, and with their hashes right: what readManifest checks beyond
// them, and what a writer does with it.
void readFolder(const Bytes& bytes) {
    const size_t end = std::min(bytes.find(kJournalHere), bytes.size());
    const Bytes manifest = bytes.substr(0, end);
    uint64_t chain = receiptOf(manifest).hash;
    Bytes journal;
    const auto add = [&](const Bytes& line) {
        Hash hash;
        hash.add(chain);
        hash.addBytes(line.data(), line.size());
        chain = hash.value();
        journal += toHex(chain) + " " + line + "\n";
    };
    add("{\"journalOf\":\"" + toHex(chain) + "\"}");
    for (const Bytes& line : piecesOf(bytes.substr(std::min(end + std::strlen(kJournalHere), bytes.size())), '\n'))
        add(line.substr(0, line.find('\n')));
    writeFile("manifest.json", manifest + ",\n \"manifestHash\": \"" + toHex(receiptOf(manifest).hash) + "\"\n}\n");
    writeFile("manifest.journal", journal);
    ManifestOnDisk found = readManifest(".");
    ManifestFile file(".");
    file.write(found.manifest);
    const Bytes written = encodeManifest(found.manifest);
    found.manifest.frames.clear();
    require(encodeManifest(file.all(found.manifest)) == written, "a list is what was read");
    file.fold(found.manifest);
    require(encodeManifest(readManifest(".").manifest) == written, "a folded list is what was read");
}

void knit(const Pattern& pattern) {
    for (const bool closed : {false, true}) expandPattern(pattern, Courses(7, 9, closed));
}

}  // namespace

const std::vector<Reader> kReaders = {
    {"mcx",
     [](const Bytes& bytes) {
         for (const auto& s : decodeNCache(bytes, "f")) use(fromNCacheSample(s, "f"));
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
     },
     mutateText<'>'>},
    {"abc", [](const Bytes& bytes) { use(decodeAlembic(bytes, "f")); },
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
     },
     mutateOgawa},
    {"usda", [](const Bytes& bytes) { use(decodeUsd(bytes, "f")); },
     [] {
         std::vector<Bytes> seeds = partsOf([](const Frame& part) { return encodeUsd(part, {}); }, true, true, true);
         seeds.push_back(  // of another program
             "#usda 1.0\n( upAxis = \"Z\" )\ndef Xform \"w\" ( references = @b.usda@</x> ) {\n double3 "
             "xformOp:translate.timeSamples = { 1: (1, 2, 3), 2: (2, 3, 4) }\n quatf xformOp:orient = (1, 0, 0, 0)\n "
             "uniform token[] xformOpOrder = [\"xformOp:translate\", \"!invert!xformOp:orient\"]\n def Mesh \"m\" {\n "
             "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n int[] faceVertexCounts = [3]\n int[] "
             "faceVertexIndices = [0, 1, 2]\n color3f[] primvars:displayColor = [(1, 0, 0)] ( interpolation = "
             "\"constant\" )\n uniform token orientation = \"leftHanded\"\n }\n}\n");
         return seeds;
     },
     mutateText<'\n'>},
    {"bgeo", [](const Bytes& bytes) { use(decodeBgeo(bytes, "f")); },
     [] { return partsOf([](const Frame& part) { return encodeBgeo(part, {}); }, true, true, false); }},
    {"vdb", [](const Bytes& bytes) { decodeVdb(bytes, "f"); },
     [] { return partsOf([](const Frame& part) { return encodeVdbFrame(part, {}); }, true, false, false); }},
    {"ply", [](const Bytes& bytes) { use(decodePly(bytes, "f")); },
     [] { return partsOf(encodePly, true, true, false); }, mutateText<'\n'>},
    {"obj", [](const Bytes& bytes) { use(decodeObj(bytes, "f")); },
     [] { return partsOf(encodeObj, false, true, false); }, mutateText<'\n'>},
    {"manifest",
     [](const Bytes& bytes) {
         const Bytes written = encodeManifest(decodeManifest(bytes, "f"));
         require(encodeManifest(readBack(written)) == written, "a manifest stays what it is");
     },
     [] { return std::vector<Bytes>{encodeManifest(smallManifest())}; }, mutateText<','>},
    {"journal",
     [](const Bytes& lines) {
         Manifest manifest;
         for (const Bytes& line : piecesOf(lines, '\n')) applyEntry(line, "f", manifest);
         for (const FrameRecord& frame : readBack(encodeManifest(manifest)).frames) {
             Manifest other;
             applyEntry(encodeEntry(encodeFrame(frame), encodeItems(manifest)), "f", other);
         }
     },
     [] {
         const Manifest manifest = smallManifest();
         return std::vector<Bytes>{encodeEntry(encodeFrame(manifest.frames[0]), encodeItems(manifest)) + "\n" +
                                   encodeRemoval(2, "") + "\n"};
     },
     mutateText<','>},
    {"folder", readFolder,
     [] {
         const Manifest manifest = smallManifest();
         Bytes text = encodeManifest(manifest);
         text.resize(text.rfind("\n}\n"));
         FrameRecord second = manifest.frames[0];
         second.number = 2;
         return std::vector<Bytes>{text, text + kJournalHere + encodeEntry(encodeFrame(second), encodeItems(manifest)) +
                                             "\n" + encodeRemoval(1, "") + "\n"};
     },
     mutateText<','>},
    {"frames", writeAndReadAll,
     [] {
         return std::vector<Bytes>{Bytes(200, '\1'), Bytes("\2\3\5\7\11\13\17\23\29\31", 10)};
     }},
    {"chart", [](const Bytes& text) { knit(parseChart(text, "f")); },
     [] {
         return std::vector<Bytes>{"k p\np k\n",
                                   "A: #c03020\nB: 0.1 0.2 0.3\n4 * kA pB kA *\n[ k >> << p ]\n* k2tog yo ssk *\n",
                                   "k [ p k ] k\n[\nk t s p\n]\nk }{ k\n"};
     },
     mutateText<'\n'>},
    {"knitout", [](const Bytes& text) { knit(parseKnitout(text, "f")); },
     [] {
         return std::vector<Bytes>{
             ";!knitout-2\n;;Carriers: 1 2\nin 1\nknit + f1 1\nknit + b2 1\ntuck + f3 1\n"
             "miss - f3 1\nknit - b2 1\nknit - f1 1\nsplit + f1 b1 2\n",
             ";!knitout-2\n;;Carriers: 1\nknit + f1 1\nknit + f2 1\nknit + f3 1\n"
             "xfer f2 b2\nrack 1\nxfer b2 f3\nrack 0\nknit - f3 1\ndrop f2\noutbook 1\n"};
     },
     mutateText<'\n'>},
    {"state", [](const Bytes& bytes) { decodeState(bytes, "f"); },
     [] { return std::vector<Bytes>{encodeState(State())}; }},
};

}  // namespace purl
