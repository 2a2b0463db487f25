#include "solver/cache/manifestFile.h"

#include <gtest/gtest.h>

#include "solver/cache/cache.h"
#include "tests/solver/cache/fileFaults.h"
#include "tests/solver/cache/testFolder.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

std::vector<int> framesIn(const std::string& directory) {
    std::vector<int> numbers;
    for (const FrameRecord& frame : readManifest(directory).manifest.frames) numbers.push_back(frame.number);
    return numbers;
}
std::vector<int> upTo(int last) {
    std::vector<int> numbers;
    for (int n = 1; n <= last; ++n) numbers.push_back(n);
    return numbers;
}

// A manifest with these frames, as a writer that was killed leaves it.
FrameRecord recordNumbered(int number) {
    FrameRecord frame;
    frame.number = number;
    return frame;
}
ManifestFile listed(const std::string& directory, int last) {
    ManifestFile file(directory);
    file.write({});
    for (int n = 1; n <= last; ++n) file.list({}, recordNumbered(n));
    return file;
}

// A frame costs the same, however many were written before it.
TEST(ManifestFile, aFrameWritesAsManyBytesAtTwoThousandAsAtTen) {
    Folder folder;
    const WithoutSyncs quick;
    CacheSettings settings;
    settings.formats = {"mcx"};
    settings.device = Device::cpu(1);
    settings.parameters.assign(100, "water.viscosity = 0.001 Pa s");
    CacheWriter writer(folder / ".", settings);
    Frame frame = frameNumbered(1, 1);
    frame.bodies.resize(1);
    const auto bytesOf = [&](int first, int last) {
        const int64_t before = fileOperations().bytes;
        for (int n = first; n <= last; ++n) writer.write(n, frame);
        return static_cast<double>(fileOperations().bytes - before) / (last - first + 1);
    };
    bytesOf(1, 8);
    // Over a doubling of frames, which is what a folding is shared among.
    const double atTen = bytesOf(9, 16);
    bytesOf(17, 1024);
    const double atTwoThousand = bytesOf(1025, 2048);
    // The head is folded too: an eighth of it is in the first figure and next to none in the second.
    EXPECT_LT(atTwoThousand, atTen);
    // Besides its files a frame is written to the journal, and to manifest.json once with one that was there before.
    const double record = static_cast<double>(fs::file_size(folder / "manifest.json")) / 2048;
    const double files =
        static_cast<double>(fs::file_size(folder / "waterFrame9.mcx") + fs::file_size(folder / "water.xml"));
    EXPECT_LT(atTwoThousand, files + 3.2 * record);
    EXPECT_TRUE(verifyCache(folder / ".").empty());
}

TEST(ManifestFile, aFrameIsListedWhenItIsWritten) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    bool journal = false;
    for (int n = 1; n <= 12; ++n) {
        writer.write(n, frameNumbered(n));
        EXPECT_EQ(CacheReader(folder / ".").frames(), upTo(n));
        expectSameFrame(CacheReader(folder / ".").read(n), frameNumbered(n));
        EXPECT_TRUE(verifyCache(folder / ".").empty());
        journal = journal || fs::exists(folder / "manifest.journal");
    }
    EXPECT_TRUE(journal);
    // Written again, and before the others.
    writer.write(5, frameNumbered(105));
    writer.write(0, frameNumbered(0));
    expectSameFrame(CacheReader(folder / ".").read(5), frameNumbered(105));
    EXPECT_EQ(CacheReader(folder / ".").frames().front(), 0);
    writer.finish();
    EXPECT_FALSE(fs::exists(folder / "manifest.journal"));
    expectSameFrame(CacheReader(folder / ".").read(5), frameNumbered(105));
}

TEST(ManifestFile, whatFramesHoldComesWithThem) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    writeFrames(writer, 1, 6);
    Frame red = everything(7);
    red.bodies[0].color = {1, 0, 0};
    writer.write(7, red);
    ASSERT_TRUE(fs::exists(folder / "manifest.journal"));
    const Manifest manifest = CacheReader(folder / ".").manifest();
    EXPECT_EQ(manifest.bodies[0].color.x, 1);
    EXPECT_EQ(manifest.knits, std::vector<std::string>{"jumper"});
    EXPECT_EQ(manifest.meshes.size(), 2u);
    expectSameFrame(CacheReader(folder / ".").read(7), red);
}

TEST(ManifestFile, aTornLastLineIsLeftOutAndCutOffOnResuming) {
    Folder folder;
    listed(folder / ".", 7);
    const std::string path = folder / "manifest.journal", whole = readFile(path);
    ASSERT_EQ(framesIn(folder / "."), upTo(7));
    const size_t last = whole.rfind('\n', whole.size() - 2) + 1;
    for (size_t size = last; size < whole.size(); ++size) {
        put(path, whole.substr(0, size));
        EXPECT_EQ(framesIn(folder / "."), upTo(6)) << size;
    }
    // As a power cut may leave it: the length, and not the bytes.
    std::string zeros = whole;
    std::fill(zeros.begin() + static_cast<std::ptrdiff_t>(last), zeros.end() - 1, '\0');
    put(path, zeros);
    EXPECT_EQ(framesIn(folder / "."), upTo(6));
    for (const size_t size : {size_t{0}, size_t{5}}) {
        put(path, whole.substr(0, size));
        EXPECT_EQ(framesIn(folder / "."), upTo(4));  // those of manifest.json
    }
    put(path, whole.substr(0, whole.size() - 3));
    CacheSettings settings;
    settings.formats = {};
    CacheWriter resumed = CacheWriter::resume(folder / ".", settings, 6);
    EXPECT_FALSE(fs::exists(path));
    EXPECT_EQ(framesIn(folder / "."), upTo(6));
}

TEST(ManifestFile, aLineThatWasChangedIsRefused) {
    Folder folder;
    listed(folder / ".", 7);
    const std::string path = folder / "./manifest.journal", whole = readFile(path);
    // Neither changed, nor left out, nor in another place.
    std::vector<std::string> lines;
    for (size_t begin = 0, end; (end = whole.find('\n', begin)) != std::string::npos; begin = end + 1)
        lines.push_back(whole.substr(begin, end + 1 - begin));
    ASSERT_EQ(lines.size(), 4u);  // its head, and frames 5, 6 and 7
    std::string changed = whole;
    changed[whole.find("\"number\":5") + 9] = '9';
    for (const std::string& text :
         {changed, lines[0] + lines[2] + lines[3], lines[0] + lines[2] + lines[1] + lines[3]}) {
        put(path, text);
        EXPECT_EQ(errorOf([&] { readManifest(folder / "."); }).find(path + ": line 2 was changed"), 0u);
    }
}

// Folded, and killed before it was removed.
TEST(ManifestFile, aJournalOfAnotherManifestIsNotBelieved) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    writeFrames(writer, 1, 6);
    const std::string journal = readFile(folder / "manifest.journal");
    writeFrames(writer, 7, 7);
    writer.finish();
    put(folder / "manifest.journal", journal);
    EXPECT_EQ(framesIn(folder / "."), upTo(7));
    EXPECT_EQ(verifyCache(folder / "."),
              std::vector<std::string>{(folder / "./manifest.journal") +
                                       ": left over from an interrupted run; run again with --resume"});
    CacheWriter::resume(folder / ".", {}, 7).finish();
    EXPECT_TRUE(verifyCache(folder / ".").empty());
}

// The frames stay on disk; where they are not what was written, they do not get a new hash.
TEST(ManifestFile, framesThatAnotherProgramChangedAreNotFolded) {
    for (const char* const name : {"manifest.json", "manifest.journal"}) {
        Folder folder;
        ManifestFile file = listed(folder / ".", 6);
        std::string text = readFile(folder / name);
        text[text.rfind("\"particles\":0") + 12] = '7';
        put(folder / name, text);
        const std::string path = (fs::path(folder / ".") / name).string();
        EXPECT_EQ(errorOf([&] { file.fold({}); }).find(path + ": was changed by another program"), 0u);
        EXPECT_EQ(readFile(folder / name), text);
    }
}

TEST(ManifestFile, framesAreListedInAnyOrderAndRemoved) {
    Folder folder;
    ManifestFile file(folder / ".");
    file.write({});
    Manifest expected;
    const auto check = [&] {
        const Manifest all = file.all({});
        EXPECT_EQ(encodeManifest(all), encodeManifest(expected));
        EXPECT_EQ(encodeManifest(readManifest(folder / ".").manifest), encodeManifest(expected));
    };
    for (const int number : {5, 9, 1, 7, 3, 8, 2, 9, 3}) {
        FrameRecord frame = recordNumbered(number);
        frame.particles = static_cast<int64_t>(100 * expected.frames.size()) + number;
        EXPECT_EQ(file.has(number), expected.find(number) != nullptr);
        file.list({}, frame);
        expected.insert(frame);
        EXPECT_EQ(file.frame(number).particles, frame.particles);
        check();
    }
    for (const int number : {7, 1, 9}) {
        file.remove({}, number);
        expected.erase(number);
        EXPECT_FALSE(file.has(number));
        check();
    }
    file.fold({});
    EXPECT_FALSE(file.hasJournal());
    check();
}

// Whichever manifest a failed write left: the list of it goes on.
TEST(ManifestFile, aFullDiskWhileFoldingLosesNoFrame) {
    Folder folder;
    CacheSettings settings;
    settings.formats = {"ply"};
    CacheWriter writer(folder / ".", settings);
    writeFrames(writer, 1, 6);
    ASSERT_TRUE(fs::exists(folder / "manifest.journal"));
    {
        const FileSizeLimit limit(fs::file_size(folder / "manifest.json") / 2);
        EXPECT_NE(errorOf([&] { writer.finish(); }).find("manifest.json: cannot write"), std::string::npos);
    }
    EXPECT_EQ(framesIn(folder / "."), upTo(6));
    writeFrames(writer, 7, 7);
    EXPECT_EQ(framesIn(folder / "."), upTo(7));
    writer.finish();
    EXPECT_EQ(framesIn(folder / "."), upTo(7));
    EXPECT_TRUE(verifyCache(folder / ".").empty());
}

TEST(ManifestFile, aFullDiskLosesOnlyTheLineUnderWay) {
    Folder folder;
    ManifestFile file = listed(folder / ".", 6);
    {
        const FileSizeLimit limit(fs::file_size(folder / "manifest.journal") + 20);
        EXPECT_NE(errorOf([&] { file.list({}, recordNumbered(7)); }).find("manifest.journal: cannot write"),
                  std::string::npos);
    }
    EXPECT_EQ(framesIn(folder / "."), upTo(6));
    file.list({}, recordNumbered(7));
    EXPECT_EQ(framesIn(folder / "."), upTo(7));
}

}  // namespace
}  // namespace purl
