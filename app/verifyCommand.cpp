// purl verify: integrity and reproducibility of a cache, and repair of single frames by simulating them again.
#include <algorithm>
#include <functional>

#include "app/commands.h"
#include "app/print.h"
#include "app/progress.h"
#include "farm/playback.h"
#include "farm/replay.h"
#include "solver/cache/cache.h"
#include "solver/cache/fileNames.h"
#include "solver/cache/manifestFile.h"
#include "solver/cache/stateFile.h"
#include "solver/cache/stateFolder.h"
#include "solver/core/error.h"
#include "solver/core/hash.h"

namespace purl {
namespace {

// The root of the branch tree that a cache belongs to.
const Manifest& rootOf(const CacheReader& reader) {
    const CacheReader* root = &reader;
    while (root->parent()) root = root->parent();
    return root->manifest();
}

// Re-simulates and compares the state hashes of all frames up to `last` with the receipts; true if all agree.
bool rerunAgrees(const std::string& cache, int last) {
    const CacheReader reader(cache);
    const Manifest& root = rootOf(reader);
    const std::vector<int> numbers = reader.frames();
    Playback playback(root.scenePath, {}, root.run.solver);
    Replay replay(playback, reader);
    size_t compared = 0;
    for (int number = playback.startFrame(); !numbers.empty() && number <= std::min(last, numbers.back()); ++number) {
        const auto frame = replay.frame(number);
        const FrameRecord* record = replay.record(number);
        if (!record) continue;
        ++compared;
        if (record->stateHash != frame->stateHash) {
            printError("{}: frame {} was {} but is {} when simulated again\n", cache, number, toHex(record->stateHash),
                       toHex(frame->stateHash));
            return false;
        }
    }
    printOut("{}: {} frames, identical when simulated again\n", cache, compared);
    return true;
}

bool fails(const std::function<void()>& check) {
    try {
        check();
        return false;
    } catch (const Error&) { return true; }
}

// Repairs one cache folder, without its branches.
class Repair {
  public:
    Repair(const std::string& directory, ProgressLine& progress)
        : directory_(directory), progress_(progress), reader_(directory) {}

    void run() {
        const Manifest& manifest = reader_.manifest();
        for (const PackedFile& file : manifest.files)
            if (isDamaged(file))
                throw Error(inFolder(directory_, file.name) +
                            ": holds all frames, so single ones cannot be repaired; simulate again");
        std::vector<int> frames, states;
        for (const FrameRecord& frame : manifest.frames)
            if (std::any_of(frame.files.begin(), frame.files.end(), [&](const auto& file) { return isDamaged(file); }))
                frames.push_back(frame.number);
        for (const int number : savedStates(directory_))
            if (const FrameRecord* frame = manifest.find(number);
                frame && fails([&] { loadState(directory_, *frame); }))
                states.push_back(number);

        CacheWriter writer = CacheWriter::repair(directory_);
        if (!frames.empty() || !states.empty()) {
            try {
                simulate(writer, frames, states, false);
            } catch (const Error& error) {
                // Foam is not part of a checkpoint.
                progress_.line(std::string(error.what()) + "; trying from the start");
                simulate(writer, frames, states, true);
            }
        }
        writer.tidy();
        writer.finish();
    }

  private:
    bool isDamaged(const FileRecord& file) const {
        return fails([&] { checkFile(inFolder(directory_, file.name), file.receipt); });
    }

    void simulate(CacheWriter& writer, const std::vector<int>& frames, const std::vector<int>& states, bool fromStart) {
        const Manifest& root = rootOf(reader_);
        Playback playback(
            root.scenePath, [&](auto severity, const auto& text) { progress_.message(severity, text); },
            root.run.solver);
        Replay replay(playback, reader_);
        std::vector<int> numbers = frames;
        numbers.insert(numbers.end(), states.begin(), states.end());
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        for (const int number : numbers) {
            if (!fromStart) replay.skipTo(number);
            const auto frame = replay.frame(number);
            if (std::binary_search(frames.begin(), frames.end(), number))
                for (const std::string& name : writer.restoreFiles(number, *frame))
                    progress_.line(inFolder(directory_, name) + ": repaired");
            if (!std::binary_search(states.begin(), states.end(), number)) continue;
            const std::string path = stateFileOf(directory_, number);
            const auto state = playback.solver().state();
            if (!state || hashOf(*state) != reader_.manifest().find(number)->stateHash)
                throw Error(path + ": gets a different content when it is written again; it was not replaced");
            writeFile(path, encodeState(*state));
            progress_.line(path + ": repaired");
        }
    }

    std::string directory_;
    ProgressLine& progress_;
    CacheReader reader_;
};

void repairTree(const std::string& directory, ProgressLine& progress) {
    if (!verifyCache(directory).empty()) Repair(directory, progress).run();
    for (const std::string& name : branchesOf(directory)) repairTree(branchFolder(directory, name), progress);
}

}  // namespace

int verify(const VerifyOptions& options) {
    const std::string& cache = options.cache;
    std::vector<std::string> problems = verifyCache(cache);
    if (options.repair && !problems.empty()) {
        for (const std::string& problem : problems) printError("{}\n", problem);
        ProgressLine progress(false);
        repairTree(cache, progress);
        problems = verifyCache(cache);
        if (!problems.empty()) printError("{}: after the repair:\n", cache);
    }
    for (const std::string& problem : problems) printError("{}\n", problem);
    if (!problems.empty()) {
        printError("{}: {} problem{}; {}\n", cache, problems.size(), problems.size() == 1 ? "" : "s",
                   options.repair ? "simulate again"
                                  : "--repair simulates damaged frames again, purl sim --resume continues the run");
        return kWrongInput;
    }
    printOut("{}: {} frames, all files intact\n", cache, CacheReader(cache).manifest().frames.size());
    return options.rerun < 0 || rerunAgrees(cache, options.rerun) ? kDone : kWrongInput;
}

}  // namespace purl
