// A cache folder beside a model of it: both take the same random operations, some of them cut off by a kill at a random
// file operation. What the model says is there must be there to the bit, and nothing else.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "solver/cache/cache.h"
#include "solver/core/random.h"
#include "tests/solver/cache/fileFaults.h"
#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

enum class Action { begin, resume, write, keepState, finish, abandon };

struct Operation {
    Action action;
    int frame = 0;    // written, or the last that is kept
    int content = 0;  // which of many frames is written
    std::string text() const {
        static const char* const names[] = {"begin", "resume", "write", "keepState", "finish", "abandon"};
        std::string text = names[static_cast<size_t>(action)];
        if (action == Action::resume || action == Action::write || action == Action::keepState)
            text += " " + std::to_string(frame);
        if (action == Action::write) text += " as " + std::to_string(content);
        return text;
    }
};

// What a folder is to hold.
struct Model {
    std::map<int, int> frames;  // content by number
    std::map<int, int> states;  // those that may be there

    void apply(const Operation& operation) {
        switch (operation.action) {
            case Action::begin: frames.clear(), states.clear(); break;
            case Action::resume:
                frames.erase(frames.upper_bound(operation.frame), frames.end());
                states.erase(states.upper_bound(operation.frame), states.end());
                break;
            case Action::write:
                if (frames.count(operation.frame) && frames[operation.frame] != operation.content)
                    states.erase(operation.frame);
                frames[operation.frame] = operation.content;
                break;
            case Action::keepState: states[operation.frame] = frames.at(operation.frame); break;
            case Action::finish:
            case Action::abandon: break;
        }
    }
};

std::string textOf(const std::map<int, int>& frames) {
    std::string text;
    for (const auto& [number, content] : frames) text += std::to_string(number) + ":" + std::to_string(content) + " ";
    return text;
}

Frame frameWith(int content) { return frameOfState(content, content % 3); }

// Applies the operations of the model to the folder. `done` counts the operations that are through.
void perform(const std::vector<Operation>& operations, const std::string& directory, const CacheSettings& settings,
             std::map<int, int> frames, volatile int* done) {
    std::optional<CacheWriter> writer;
    for (const Operation& operation : operations) {
        switch (operation.action) {
            case Action::begin: writer.emplace(directory, settings); break;
            case Action::resume: writer.emplace(CacheWriter::resume(directory, settings, operation.frame)); break;
            case Action::write:
                writer->write(operation.frame, frameWith(operation.content));
                frames[operation.frame] = operation.content;
                break;
            case Action::keepState:
                keepState(encodeState(stateNumbered(frames.at(operation.frame))), directory, operation.frame, 2, 0);
                break;
            case Action::finish: writer->finish(); break;
            case Action::abandon: writer.reset(); break;
        }
        ++*done;
    }
}

class Walk {
  public:
    explicit Walk(uint64_t seed) : seed_(seed) {
        settings_.device = Device::cpu(1);
        settings_.oneFile = chance(2);
        settings_.formats = chance(3) ? std::vector<std::string>{"abc"} : std::vector<std::string>{"mcx", "ply"};
        fs::create_directory(directory_);
        for (const char* name : kForeign) put(directory_ + "/" + name, "mine");
        done_ = static_cast<volatile int*>(
            mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        say(settings_.formats[0] + (settings_.oneFile ? ", packed" : ""));
    }
    ~Walk() { munmap(const_cast<int*>(done_), sizeof(int)); }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    // The walk so far, for whoever has to walk it again.
    std::string text() const { return "seed " + std::to_string(seed_) + ": " + said_.str(); }

    void step() {
        switch (draw(6)) {
            case 0: return branch();
            case 1: return damageSomething();
            case 2: return run(false), mend();
            default: return run(true);
        }
    }

  private:
    static constexpr int kContents = 50;
    static constexpr const char* kForeign[] = {"notes.txt", "film.mp4.part", "water.txt", "7.part"};

    uint64_t draw(uint64_t count) { return randomBits(seed_, ++drawn_) % count; }
    bool chance(uint64_t of) { return draw(of) == 0; }
    void say(const std::string& text) { said_ << text << "; "; }

    // A run, or one that goes on: some frames, some states, some ends.
    std::vector<Operation> script() {
        std::vector<Operation> operations;
        Model model = model_;
        const auto add = [&](Operation operation) {
            operations.push_back(operation);
            model.apply(operation);
        };
        int next = 1;
        if (model.frames.empty() || chance(5)) {
            add({Action::begin});
        } else {
            const int last = model.frames.rbegin()->first;
            add({Action::resume, chance(2) ? last : static_cast<int>(draw(static_cast<uint64_t>(last) + 1))});
            next = model.frames.empty() ? 1 : model.frames.rbegin()->first + 1;
        }
        for (uint64_t count = draw(5); count > 0; --count) {
            const bool again = !model.frames.empty() && chance(5);
            const int number = again ? model.frames.begin()->first : next++;
            add({Action::write, number, static_cast<int>(1 + draw(kContents))});
            if (chance(3)) add({Action::keepState, number});
            if (chance(8)) add({Action::finish});
        }
        add({chance(4) ? Action::abandon : Action::finish});
        return operations;
    }

    void run(bool mayBeKilled) {
        const std::vector<Operation> operations = script();
        const int64_t killAt = mayBeKilled ? static_cast<int64_t>(1 + draw(30 * operations.size())) : 0;
        std::string text = "run";
        for (const Operation& operation : operations)
            text += (&operation == &operations[0] ? " " : ", ") + operation.text();
        say(text + (killAt ? " killed at " + std::to_string(killAt) : ""));
        *done_ = 0;
        if (!killAt) {
            perform(operations, directory_, settings_, model_.frames, done_);
        } else {
            const pid_t child = fork();
            ASSERT_GE(child, 0);
            if (child == 0) {
                endWithParent();
                fileOperations().calls = 0;
                fileOperations().killAt = killAt;
                try {
                    perform(operations, directory_, settings_, model_.frames, done_);
                } catch (const std::exception& error) {
                    fprintf(stderr, "%s\n", error.what());
                    _exit(1);
                }
                _exit(0);
            }
            int status = 0;
            waitpid(child, &status, 0);
            ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 1);
        }
        const auto through = static_cast<size_t>(*done_);
        cutOff_ = through < operations.size();
        for (size_t i = 0; i < through; ++i) model_.apply(operations[i]);
        if (cutOff_) {
            // The one under way is done or not. A frame that is written again is not there in between.
            const Operation& last = operations[through];
            Model after = model_, between = model_;
            after.apply(last);
            if (last.action == Action::write) between.frames.erase(last.frame);
            const std::map<int, int> found = framesOnDisk();
            ASSERT_TRUE(found == model_.frames || found == after.frames || found == between.frames)
                << "found " << textOf(found) << ", expected " << textOf(model_.frames) << "or " << textOf(after.frames);
            model_.frames = found;
            // States only go, but for the one under way.
            for (const auto& [number, content] : after.states) model_.states[number] = content;
        }
        check();
    }

    // Which contents are on disk, by their receipts.
    std::map<int, int> framesOnDisk() const {
        std::map<int, int> frames;
        if (!hasManifest(directory_)) return frames;
        static const std::map<uint64_t, int> contents = [] {
            std::map<uint64_t, int> all;
            for (int content = 1; content <= kContents; ++content) all[hashOf(stateNumbered(content))] = content;
            return all;
        }();
        const CacheReader reader(directory_);
        for (const FrameRecord& frame : reader.manifest().frames) frames[frame.number] = contents.at(frame.stateHash);
        return frames;
    }

    void check() {
        for (const char* name : kForeign) ASSERT_EQ(readFile(directory_ + "/" + name), "mine") << name;
        if (!hasManifest(directory_)) {
            ASSERT_TRUE(cutOff_ && model_.frames.empty());
            return;
        }
        ASSERT_EQ(textOf(framesOnDisk()), textOf(model_.frames));
        const CacheReader reader(directory_);
        for (const auto& [number, content] : model_.frames) expectSameContent(reader.read(number), frameWith(content));
        // Whatever state is offered is its frame's; none that should be there is missing.
        std::vector<std::string> skipped;
        const auto state = newestState(directory_, reader.manifest(), INT_MAX, skipped);
        ASSERT_TRUE(skipped.empty()) << skipped[0];
        if (state) { ASSERT_EQ(hashOf(state->state), hashOf(stateNumbered(model_.frames.at(state->frame)))); }
        for (const std::string& problem : verifyCache(directory_))
            ASSERT_TRUE(cutOff_ && problem.find("run again with --resume") != std::string::npos &&
                        problem.find("was changed") == std::string::npos)
                << problem;
        if (!cutOff_) checkNothingElse();
    }

    // Exactly the files that are listed, and those of others.
    void checkNothingElse() {
        std::set<std::string> expected(std::begin(kForeign), std::end(kForeign));
        const Manifest manifest = CacheReader(directory_).manifest();
        expected.insert("manifest.json");
        const auto add = [&](const FileRecord& file) {
            expected.insert(file.name);
            if (file.format == "mcx") expected.insert(file.item == "water" ? "water.xml" : "scene_oil.xml");
        };
        for (const FrameRecord& frame : manifest.frames)
            for (const FileRecord& file : frame.files) add(file);
        for (const FileRecord& file : manifest.files) add(file);
        std::vector<std::string> found;
        for (const std::string& name : listing(directory_))
            if (name != "state" && name != "branches") found.push_back(name);
        ASSERT_EQ(found, std::vector<std::string>(expected.begin(), expected.end()));
    }

    void expectSameContent(const Frame& found, const Frame& expected) {
        ASSERT_EQ(found.stateHash, expected.stateHash);
        ASSERT_TRUE(sameBits(found.points.positions, expected.points.positions));
        ASSERT_EQ(found.meshes.size(), expected.meshes.size());
        ASSERT_TRUE(sameBits(found.meshes[0].positions, expected.meshes[0].positions));
    }

    // Goes on with nothing to write: what a killed run did not end is ended.
    void mend() {
        if (model_.frames.empty() || testing::Test::HasFatalFailure()) return;
        const int last = model_.frames.rbegin()->first;
        say("mend");
        CacheWriter::resume(directory_, settings_, last).finish();
        model_.apply({Action::resume, last});
        cutOff_ = false;
        check();
        const bool packable = settings_.oneFile && !model_.frames.empty();
        ASSERT_EQ(!CacheReader(directory_).manifest().files.empty(), packable);
    }

    // A file of the cache is changed, found, and put right again.
    void damageSomething() {
        if (cutOff_) mend();
        if (model_.frames.empty() || testing::Test::HasFatalFailure()) return;
        std::vector<std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
            if (entry.is_regular_file() && readFile(entry.path().string()) != "mine")
                files.push_back(entry.path().string());
        }
        std::sort(files.begin(), files.end());
        const std::string path = files[draw(files.size())], whole = readFile(path);
        std::string damaged = whole;
        const size_t at = draw(whole.size());
        if (chance(4))
            damaged.resize(at);
        else
            damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + draw(255)));
        say("damage " + path.substr(directory_.size() + 1) + " at " + std::to_string(at));
        put(path, damaged);
        ASSERT_FALSE(verifyCache(directory_).empty());
        // What is read all the same is right.
        for (const auto& [number, content] : model_.frames) try {
                expectSameContent(CacheReader(directory_).read(number), frameWith(content));
            } catch (const Error&) {}
        put(path, whole);
        check();
    }

    void branch() {
        if (cutOff_) mend();
        if (model_.frames.empty() || testing::Test::HasFatalFailure()) return;
        CacheSettings settings = settings_;
        settings.branch = "other";
        settings.parent = "../..";
        settings.branchFrame = model_.frames.rbegin()->first + 1 - static_cast<int>(draw(2));
        const std::string folder = branchFolder(directory_, "other");
        say("branch from " + std::to_string(settings.branchFrame));
        CacheWriter writer(folder, settings);
        writer.write(settings.branchFrame, frameWith(60));
        writer.finish();
        const CacheReader reader(folder);
        for (const auto& [number, content] : model_.frames)
            expectSameContent(reader.read(number), frameWith(number < settings.branchFrame ? content : 60));
        expectSameContent(reader.read(settings.branchFrame), frameWith(60));
        check();
        damage(folder + "/manifest.json");
        ASSERT_FALSE(verifyCache(directory_).empty());
        fs::remove_all(directory_ + "/branches");
    }

    uint64_t seed_, drawn_ = 0;
    Folder folder_{memoryFolder()};
    std::string directory_ = folder_ / "c";
    CacheSettings settings_;
    Model model_;
    bool cutOff_ = false;  // whether the last run was
    volatile int* done_;
    std::ostringstream said_;
};

// Every walk prints its seed and its operations where it fails; PURL_WALK=seed walks that one alone.
void walk(uint64_t count, int steps) {
    const WithoutSyncs quick;
    const char* const only = std::getenv("PURL_WALK");
    const uint64_t first = only ? std::strtoull(only, nullptr, 10) : 1;
    for (uint64_t seed = first; seed < first + (only ? 1 : count); ++seed) {
        Walk walk(seed);
        try {
            for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) walk.step();
        } catch (const Error& error) { ADD_FAILURE() << error.what(); }
        ASSERT_FALSE(testing::Test::HasFailure()) << walk.text();
    }
}

TEST(CacheModel, fiveHundredWalksGoAsTheModelSays) { walk(500, 6); }
TEST(CacheModel, nightlyTenThousandWalksGoAsTheModelSays) { walk(10000, 8); }

}  // namespace
}  // namespace purl
