#include "solver/cache/ncacheFiles.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <filesystem>

#include "solver/cache/file.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

bool isDataFile(const fs::path& path) {
    return path.extension() == extensionOf(NCacheBits::mcx) || path.extension() == extensionOf(NCacheBits::mcc);
}

// The whole number at the start of a text, which is then removed; false if there is none.
bool takeNumber(std::string_view& text, int& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return true;
}

// Time in "Frame12" or "Frame12Tick75", which follows the cache's name in the names of its data files.
bool timeIn(std::string_view text, int ticksPerFrame, int& ticks) {
    constexpr std::string_view kFrame = "Frame", kTick = "Tick";
    int frame = 0, tick = 0;
    if (text.substr(0, kFrame.size()) != kFrame) return false;
    text.remove_prefix(kFrame.size());
    if (!takeNumber(text, frame)) return false;
    if (text.substr(0, kTick.size()) == kTick) {
        text.remove_prefix(kTick.size());
        if (!takeNumber(text, tick)) return false;
    }
    const int64_t all = int64_t{frame} * ticksPerFrame + tick;
    ticks = static_cast<int>(std::clamp<int64_t>(all, INT_MIN, INT_MAX));
    return text.empty() && ticks == all;
}

// The description of a data file: "water.xml" of "water.mcx" and of "waterFrame12.mcx".
std::string descriptionOf(const fs::path& data) {
    std::string stem = toText(data.stem());
    std::error_code none;
    for (int ticks = 0;;) {
        const fs::path found = data.parent_path() / (stem + ".xml");
        if (fs::exists(found, none)) return toText(found);
        const size_t frame = stem.rfind("Frame");
        if (frame == std::string::npos || !timeIn(std::string_view(stem).substr(frame), 1, ticks))
            throw Error(toText(data) + ": the description " + toText(found.filename()) +
                        " is missing; an nCache consists of both");
        stem.resize(frame);
    }
}

}  // namespace

NCacheFiles::NCacheFiles(const std::string& path) : path_(isDataFile(path) ? descriptionOf(path) : path) {
    description_ = decodeNCacheDescription(readFile(path_, kMaxTextBytes), path_);
    for (const NCacheChannelInfo& channel : description_.channels)
        interpretations_[channel.name] = channel.interpretation;
    const fs::path folder = toPath(path_).parent_path();
    const std::string stem = toText(toPath(path_).stem()), extension = extensionOf(description_.bits);
    if (description_.layout == NCacheLayout::oneFile) {
        const std::string data = toText(folder / (stem + extension));
        for (const NCacheSamplePlace& place : nCacheSamplesOf(data)) samples_[place.ticks] = {data, place.offset};
        if (samples_.empty()) throw Error(data + ": contains no samples");
        return;
    }
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, failed)) {
        const std::string name = toText(entry.path().filename());
        int ticks = 0;
        if (entry.path().extension() == extension && name.compare(0, stem.size(), stem) == 0 &&
            timeIn(std::string_view(name).substr(stem.size(), name.size() - stem.size() - extension.size()),
                   description_.ticksPerFrame, ticks))
            samples_[ticks] = {toText(folder / name), 0};
    }
    if (samples_.empty())
        throw Error(path_ + ": its data files are missing; the first would be " +
                    nCacheFileName(stem, description_.startTicks, description_.ticksPerFrame, description_.bits));
}

std::vector<int> NCacheFiles::times() const {
    std::vector<int> times;
    for (const auto& [ticks, place] : samples_) times.push_back(ticks);
    return times;
}

std::vector<std::string> NCacheFiles::files() const {
    std::vector<std::string> files{path_};
    for (const auto& [ticks, place] : samples_)
        if (files.back() != place.path) files.push_back(place.path);
    return files;
}

NCacheSample NCacheFiles::read(int ticks) const {
    const auto place = samples_.find(ticks);
    if (place == samples_.end()) throw Error(path_ + ": has no sample at tick " + std::to_string(ticks));
    NCacheSample sample;
    if (description_.layout == NCacheLayout::oneFile) {
        sample = readNCacheSample(place->second.path, {ticks, place->second.offset});
    } else {
        std::vector<NCacheSample> all = decodeNCache(readFile(place->second.path), place->second.path);
        if (all.size() != 1)
            throw Error(place->second.path + ": contains " + std::to_string(all.size()) + " samples instead of one");
        sample = std::move(all.front());
        sample.ticks = ticks;
    }
    for (NCacheChannel& channel : sample.channels)
        if (const auto known = interpretations_.find(channel.name); known != interpretations_.end())
            channel.interpretation = known->second;
    return sample;
}

std::vector<std::string> nCacheDescriptionsIn(const std::string& folder) {
    std::vector<std::string> found;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(toPath(folder), failed)) {
        if (entry.path().extension() != ".xml" || !entry.is_regular_file(failed)) continue;
        // The root element is near the start; other programs keep their settings in .xml files too.
        constexpr uint64_t kStart = 4096;
        if (readFilePart(toText(entry.path()), 0, kStart).find("Autodesk_Cache_File") != std::string::npos)
            found.push_back(toText(entry.path()));
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace purl
