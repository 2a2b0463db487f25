// What a power cut leaves of a cache, tried after every fsync: frames that are listed must be whole, and frames whose
// writing has ended must be listed. A power cut keeps the bytes of a file's last fsync. Of a folder it keeps the names
// of its last fsync, or those there are by then: file systems do either.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <map>
#include <set>

#include "solver/cache/cache.h"
#include "tests/solver/cache/fileFaults.h"
#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

enum class Names { ofTheLastSync, ofNow };

// Watches the fsyncs of this process.
class Disk {
  public:
    explicit Disk(std::function<void()> afterSync) {
        fileOperations().onSync = [this, afterSync = std::move(afterSync)](int file) {
            note(file);
            afterSync();
        };
    }
    ~Disk() {
        fileOperations().onSync = {};
        for (auto& [id, file] : files_) close(file.held);
    }
    Disk(const Disk&) = delete;
    Disk& operator=(const Disk&) = delete;

    // Fills the folder `to` with what a power cut now would leave of the folder `from`.
    void leave(const std::string& from, Names names, const std::string& to) const {
        fs::create_directory(to);
        const std::vector<Entry> entries = names == Names::ofNow ? entriesOf(from) : namesSynced(from);
        for (const Entry& entry : entries) {
            const std::string target = to + "/" + entry.name;
            if (entry.isFolder) {
                leave(from + "/" + entry.name, names, target);
            } else {
                const auto file = files_.find(entry.id);
                put(target, file == files_.end() ? "" : file->second.bytes);
            }
        }
    }

  private:
    struct Entry {
        std::string name;
        ino_t id;
        bool isFolder;
    };
    struct SyncedFile {
        int held;  // kept open, so that its ID is not used again
        std::string bytes;
    };

    void note(int file) {
        struct stat about {};
        ASSERT_EQ(fstat(file, &about), 0);
        const std::string path = fs::read_symlink("/proc/self/fd/" + std::to_string(file)).string();
        if (S_ISDIR(about.st_mode)) {
            folders_[path] = entriesOf(path);
            return;
        }
        const auto [entry, isNew] = files_.try_emplace(about.st_ino);
        if (isNew) entry->second.held = dup(file);
        entry->second.bytes = readFile("/proc/self/fd/" + std::to_string(file));
    }
    static std::vector<Entry> entriesOf(const std::string& folder) {
        std::vector<Entry> entries;
        for (const auto& entry : fs::directory_iterator(folder)) {
            struct stat about {};
            EXPECT_EQ(lstat(entry.path().c_str(), &about), 0);
            entries.push_back({entry.path().filename().string(), about.st_ino, S_ISDIR(about.st_mode)});
        }
        return entries;
    }
    std::vector<Entry> namesSynced(const std::string& folder) const {
        const auto found = folders_.find(folder);
        return found == folders_.end() ? std::vector<Entry>() : found->second;
    }

    std::map<ino_t, SyncedFile> files_;
    std::map<std::string, std::vector<Entry>> folders_;
};

// A run with all that changes a cache, and what may be on disk meanwhile.
class PoweredRun {
  public:
    explicit PoweredRun(const CacheSettings& settings) : settings_(settings) {}

    void go() {
        const Disk disk([this] { cutThePower(); });
        disk_ = &disk;
        {
            CacheWriter writer(cache_, settings_);
            write(writer, 1, 1);
            write(writer, 2, 2);
            keepState(encodeState(stateNumbered(2)), cache_, 2, 1, 0);
            state_ = 2;
            // Enough frames for several in the journal.
            for (int number = 3; number <= 6; ++number) write(writer, number, number);
            write(writer, 6, 16);
            writer.finish();
        }
        written_.erase(6);
        CacheWriter writer = CacheWriter::resume(cache_, settings_, 5);
        allowed_[6] = {};
        write(writer, 6, 26);
        write(writer, 7, 7);
        writer.finish();
    }
    int cuts() const { return cuts_; }

  private:
    void write(CacheWriter& writer, int number, int content) {
        written_.erase(number);  // a frame that is written again is not listed in between
        allowed_[number].insert(hashOf(stateNumbered(content)));
        writer.write(number, frameOfState(content));
        allowed_[number] = {hashOf(stateNumbered(content))};
        written_.insert(number);
    }
    void cutThePower() {
        if (testing::Test::HasFailure()) return;
        for (const Names names : {Names::ofTheLastSync, Names::ofNow}) {
            const Folder after(memoryFolder());
            SCOPED_TRACE("cut " + std::to_string(++cuts_) + (names == Names::ofNow ? ", names kept" : ", names lost"));
            disk_->leave(root_, names, after / "root");
            check(after / "root/out/cache");
        }
    }
    void check(const std::string& cache) {
        if (!hasManifest(cache)) {
            EXPECT_TRUE(written_.empty());
            return;
        }
        const CacheReader reader(cache);
        std::set<int> listed;
        for (const FrameRecord& frame : reader.manifest().frames) {
            listed.insert(frame.number);
            EXPECT_TRUE(allowed_[frame.number].count(frame.stateHash)) << frame.number;
            EXPECT_EQ(reader.read(frame.number).stateHash, frame.stateHash);
        }
        for (const int number : written_) EXPECT_TRUE(listed.count(number)) << "lost frame " << number;
        std::vector<std::string> skipped;
        const auto state = newestState(cache, reader.manifest(), INT_MAX, skipped);
        if (state_ != 0) {
            ASSERT_TRUE(state) << "lost the state";
            EXPECT_EQ(hashOf(state->state), hashOf(stateNumbered(state_)));
        }
    }

    CacheSettings settings_;
    Folder folder_{memoryFolder()};
    std::string root_ = fs::canonical(folder_ / "").string();
    std::string cache_ = root_ + "/out/cache";
    const Disk* disk_ = nullptr;
    std::map<int, std::set<uint64_t>> allowed_;  // hashes that a frame may have
    std::set<int> written_;                      // frames that must be there
    int state_ = 0, cuts_ = 0;
};

TEST(PowerCut, leavesEveryFrameThatWasWritten) {
    const WithoutSyncs quick;
    for (const bool oneFile : {false, true}) {
        CacheSettings settings;
        settings.device = Device::cpu(1);
        settings.formats = {"mcx", "ply"};
        settings.oneFile = oneFile;
        PoweredRun run(settings);
        run.go();
        EXPECT_GT(run.cuts(), 50);
    }
}

}  // namespace
}  // namespace purl
