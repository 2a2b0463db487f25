#include "solver/cache/verify.h"

#include <algorithm>
#include <climits>
#include <map>

#include "solver/cache/cacheReader.h"
#include "solver/cache/fileNames.h"
#include "solver/cache/folderLock.h"
#include "solver/cache/frameList.h"
#include "solver/cache/manifestFile.h"
#include "solver/cache/ncache.h"
#include "solver/cache/stateFolder.h"
#include "solver/core/error.h"

namespace purl {
namespace {

class Verification {
  public:
    explicit Verification(const std::string& directory)
        : directory_(directory), reader_(directory), manifest_(reader_.manifest()), present_(namesIn(directory)) {}

    std::vector<std::string> problems() {
        checkNumbers();
        for (const FrameRecord& frame : manifest_.frames)
            for (const FileRecord& file : frame.files) {
                checkFile(file);
                if (isNCache(file.format)) described_[file.item] = {frame.number, NCacheLayout::oneFilePerFrame};
            }
        for (const PackedFile& file : manifest_.files) {
            checkFile(file);
            if (isNCache(file.format)) described_[file.item] = {lastOf(file), NCacheLayout::oneFile};
        }
        for (const auto& [body, expected] : described_) checkDescription(body, expected);
        attempt([&] { reader_.checkParent(); });
        checkStates();
        checkLeftovers();
        return std::move(problems_);
    }

  private:
    struct Described {
        int lastFrame;
        NCacheLayout layout;
    };

    // Records an Error of `act` as a problem.
    template <class Act>
    void attempt(Act&& act) {
        try {
            act();
        } catch (const Error& error) { problems_.push_back(error.what()); }
    }

    void checkNumbers() {
        if (manifest_.frames.empty()) return;
        // The frames of a branch continue those of its parent.
        const std::vector<int> numbers = reader_.frames();
        const size_t own = numbers.size() - manifest_.frames.size();
        if (own == 0 && reader_.parent()) missing(manifest_.branchFrame - int64_t{1}, manifest_.frames[0].number);
        for (size_t i = std::max<size_t>(own, 1); i < numbers.size(); ++i) missing(numbers[i - 1], numbers[i]);
    }
    void missing(int64_t after, int64_t before) {
        if (before - after < 2) return;
        if (!manifest_.frameList.empty()) {
            const FrameList wanted = FrameList::parse(manifest_.frameList);
            FrameList gap;
            for (const int number : wanted.numbers())
                if (number > after && number < before) gap.add(number);
            if (gap.empty()) return;
            if (static_cast<int64_t>(gap.size()) != before - after - 1) {
                problems_.push_back(directory_ + ": " + (gap.size() == 1 ? "frame " : "frames ") + gap.text() +
                                    (gap.size() == 1 ? " is missing" : " are missing"));
                return;
            }
        }
        problems_.push_back(directory_ + ": " +
                            (before - after == 2 ? "frame " + std::to_string(after + 1) + " is missing"
                                                 : "frames " + std::to_string(after + 1) + " to " +
                                                       std::to_string(before - 1) + " are missing"));
    }

    void checkFile(const FileRecord& file) {
        const std::string path = inFolder(directory_, file.name);
        if (!std::binary_search(present_.begin(), present_.end(), file.name))
            problems_.push_back(path + ": is missing");
        else
            attempt([&] { purl::checkFile(path, file.receipt); });
    }

    // A description contains its own hash. After an interrupted run it may be one frame ahead of the list, but never
    // behind.
    void checkDescription(const std::string& body, const Described& expected) {
        const std::string path = inFolder(directory_, descriptionName(body));
        attempt([&] {
            const std::string xml = readFile(path);
            const NCacheDescription description = decodeNCacheDescription(xml, path);
            const DescriptionHash hash = checkHash(xml);
            if (hash == DescriptionHash::wrong || (hash == DescriptionHash::absent && reader_.hasHash()))
                throw Error(path + ": was changed; run again with --resume");
            if (description.endTicks < int64_t{expected.lastFrame} * description.ticksPerFrame)
                throw Error(path + ": ends before the last frame; run again with --resume");
            if (description.layout != expected.layout)
                throw Error(path + ": describes a cache that is " +
                            (expected.layout == NCacheLayout::oneFile ? "not packed" : "packed") +
                            "; run again with --resume");
        });
    }
    // The last frame in a packed file.
    int lastOf(const PackedFile& file) const {
        for (auto frame = manifest_.frames.rbegin(); frame != manifest_.frames.rend(); ++frame)
            if (!std::binary_search(file.lacks.begin(), file.lacks.end(), frame->number)) return frame->number;
        return INT_MIN;
    }

    void checkStates() {
        for (const int number : savedStates(directory_))
            attempt([&] {
                const FrameRecord* frame = manifest_.find(number);
                if (!frame)
                    throw Error(stateFileOf(directory_, number) +
                                ": belongs to a frame that the cache does not have; run again with --resume");
                loadState(directory_, *frame);
            });
    }

    void checkLeftovers() {
        if (isBeingWritten(directory_)) return;
        const CacheFileNames ours(manifest_);
        const auto leftOver = [&](const std::string& path) {
            problems_.push_back(path + ": left over from an interrupted run; run again with --resume");
        };
        for (const std::string& name : present_)
            if (ours.isPart(name)) leftOver(inFolder(directory_, name));
        attempt([&] {
            if (readManifest(directory_).journalLeftOver) leftOver(inFolder(directory_, kJournalName));
        });
        for (const std::string& path : unfinishedStates(directory_)) leftOver(path);
    }

    std::string directory_;
    CacheReader reader_;
    const Manifest& manifest_;
    std::vector<std::string> present_, problems_;
    std::map<std::string, Described> described_;  // by body, for bodies with an nCache
};

void verifyAll(const std::string& directory, std::vector<std::string>& problems) {
    try {
        for (std::string& problem : Verification(directory).problems()) problems.push_back(std::move(problem));
        for (const std::string& name : branchesOf(directory)) verifyAll(branchFolder(directory, name), problems);
    } catch (const Error& error) { problems.push_back(error.what()); }
}

}  // namespace

std::vector<std::string> verifyCache(const std::string& directory) {
    std::vector<std::string> problems;
    verifyAll(directory, problems);
    return problems;
}

}  // namespace purl
