// purl info, verify, describe: what is in a file, whether it is whole, and what a node has.
#include <fmt/format.h>

#include <filesystem>

#include "app/commands.h"
#include "farm/session.h"
#include "nodes/nodes.h"
#include "solver/cache/cache.h"
#include "solver/core/hash.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

int printScene(const std::string& path) {
    Session session(path);
    const FrameRange range = session.playbackRange();
    fmt::print("{}: frames {} to {} at {} fps\n", path, range.first, range.last, session.fps());
    for (const std::string& note : session.loadNotes()) fmt::print("note: {}\n", note);
    const auto first = session.frame(session.startFrame());
    fmt::print("{} particles at frame {}\n{}", first->points.count(), session.startFrame(),
               toString(session.solver().scene()));
    return kDone;
}

int printCache(const std::string& path) {
    const CacheReader reader(path);
    const Manifest& manifest = reader.manifest();
    fmt::print("{}: {} frames at {} fps, {} m a unit, of {}\n", path, manifest.frames.size(), manifest.fps,
               manifest.metersPerUnit, manifest.scenePath);
    for (const auto& frame : manifest.frames) {
        uintmax_t bytes = 0;
        for (const auto& file : frame.files) bytes += file.receipt.bytes;
        fmt::print("  frame {:4}  {:8} particles  {:10} bytes in {} files  {}\n", frame.number, frame.particles, bytes,
                   frame.files.size(), toHex(frame.stateHash));
    }
    return kDone;
}

}  // namespace

int printInfo(const std::string& source) {
    return fs::path(source).extension() == ".ma" ? printScene(source) : printCache(source);
}

int verify(const std::string& cache) {
    const std::vector<std::string> problems = verifyCache(cache);
    for (const std::string& problem : problems) fmt::print(stderr, "{}\n", problem);
    if (!problems.empty()) {
        fmt::print(stderr, "{}: {} problem{}; simulate again\n", cache, problems.size(),
                   problems.size() == 1 ? "" : "s");
        return kWrongInput;
    }
    fmt::print("{}: {} frames, all as they were written\n", cache, CacheReader(cache).manifest().frames.size());
    return kDone;
}

int describeNodes(bool json) {
    const std::vector<NodeReference> nodes = nodeReferences();
    fmt::print("{}", json ? toJson(nodes) : toMarkdown(nodes));
    return kDone;
}

}  // namespace purl
