#include "solver/cache/usdStage.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "solver/cache/looks.h"
#include "solver/cache/text.h"
#include "solver/cache/usdWords.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace purl {
using namespace usd;
namespace {

namespace fs = std::filesystem;

struct Clip {
    int frame;
    std::string path;  // from the layer
};
using Clips = std::map<std::pair<Content, std::string>, std::vector<Clip>>;  // by item

// The .usda files of all frames, those of a branch's parents included.
Clips clipsOf(const CacheReader& cache, const fs::path& layer) {
    std::error_code failed;
    const fs::path from = fs::absolute(layer, failed).parent_path();
    Clips clips;
    for (const int number : cache.frames()) {
        const CacheReader* holder = &cache;
        while (holder->parent() && number < holder->manifest().branchFrame) holder = holder->parent();
        const FrameRecord* record = holder->manifest().find(number);
        for (const FileRecord& file : record ? record->files : std::vector<FileRecord>()) {
            if (file.format != "usda") continue;
            const fs::path path = fs::absolute(toPath(holder->directory()) / file.name, failed);
            const std::string relative = toText(path.lexically_normal().lexically_relative(from.lexically_normal()));
            if (relative.find('@') != std::string::npos)
                throw Error(relative + ": USD cannot refer to a file with @ in its path");
            clips[{file.content, file.item}].push_back({number, "./" + relative});
        }
    }
    return clips;
}

void putNumbers(std::string& out, const char* name, const std::vector<std::string>& values) {
    out += std::string("            ") + name + " = [";
    for (size_t i = 0; i < values.size(); ++i) out += (i > 0 ? ", " : "") + values[i];
    out += "]\n";
}

void putPrim(std::string& out, const Manifest& manifest, Content content, const std::string& item,
             const std::vector<Clip>& clips) {
    const Prim kind = content == Content::points ? Prim::points : content == Content::mesh ? Prim::mesh : Prim::curves;
    const std::string prim = primName(item, kind);
    const Look look = lookOf(manifest, content, item);
    std::vector<std::string> active, paths, times;
    for (size_t i = 0; i < clips.size(); ++i) {
        const std::string frame = std::to_string(clips[i].frame);
        active.push_back("(" + frame + ", " + std::to_string(i) + ")");
        paths.push_back("@" + clips[i].path + "@");
        times.push_back("(" + frame + ", " + frame + ")");
    }
    // The first file also tells which attributes there are.
    out += std::string("\n    def ") + kPrims[static_cast<size_t>(kind)] + " \"" + prim + "\" (\n";
    if (look.material) out += "        prepend apiSchemas = [\"MaterialBindingAPI\"]\n";
    out += "        prepend references = @" + clips.front().path + "@</" + prim +
           ">\n        clips = {\n            dictionary default = {\n";
    putNumbers(out, "double2[] active", active);
    putNumbers(out, "asset[] assetPaths", paths);
    out += "            asset manifestAssetPath = @" + clips.front().path + "@\n            string primPath = \"/" +
           prim + "\"\n";
    putNumbers(out, "double2[] times", times);
    out += "            }\n        }\n    )\n    {\n";
    if (look.arnoldMode)
        out += std::string("        uniform token primvars:arnold:mode = \"") + look.arnoldMode + "\"\n";
    if (!look.arnoldOpaque) out += "        uniform bool primvars:arnold:opaque = 0\n";
    if (look.material) out += std::string("        rel material:binding = </World/Looks/") + look.material + ">\n";
    out += "    }\n";
}

}  // namespace

std::string encodeUsdStage(const CacheReader& cache, const std::string& path, const std::string& looks) {
    const Manifest& manifest = cache.manifest();
    const Clips clips = clipsOf(cache, path);
    if (clips.empty())
        throw Error(cache.directory() + ": has no .usda files; write it with --format usda, or convert it");
    int first = clips.begin()->second.front().frame, last = first;
    for (const auto& [item, files] : clips) {
        first = std::min(first, files.front().frame);
        last = std::max(last, files.back().frame);
    }
    std::string out = "#usda 1.0\n(\n    defaultPrim = \"World\"\n    endTimeCode = " + std::to_string(last);
    const auto put = [&](const char* name, double value) {
        out += std::string("\n    ") + name + " = ";
        putNumber(out, value);
    };
    put("framesPerSecond", manifest.fps);
    put("metersPerUnit", manifest.metersPerUnit);
    put("startTimeCode", first);
    put("timeCodesPerSecond", manifest.fps);
    out +=
        "\n    upAxis = \"Y\"\n)\n\ndef Xform \"World\"\n{\n    def Scope \"Looks\" (\n        prepend references = @" +
        looks + "@</Looks>\n    )\n    {\n    }\n";
    for (const auto& [item, files] : clips) putPrim(out, manifest, item.first, item.second, files);
    return out + "}\n";
}

}  // namespace purl
