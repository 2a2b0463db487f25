#include "solver/cache/ncache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "solver/cache/file.h"
#include "solver/cache/format.h"
#include "solver/core/random.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

// Real caches that other programs wrote; tests that read them pass by where they are not at hand.
const std::string kFixtures = std::string(PURL_SOURCE_DIR) + "/../shared/fixtures/ncache";

NCacheSample sampleOfAllTypes(int ticks) {
    const double tiny = static_cast<double>(std::numeric_limits<float>::denorm_min());
    const double infinite = std::numeric_limits<double>::infinity();
    NCacheSample sample;
    sample.ticks = ticks;
    sample.channels = {{"a", "", NCacheType::floatArray, {0.5, -0.0, tiny}},
                       {"longerName_position", "", NCacheType::floatVectorArray, {1, 2, 3, -4, 5e30f, infinite}},
                       {"d", "", NCacheType::doubleArray, {1.0 / 3}},
                       {"dv", "", NCacheType::doubleVectorArray, {1e300, -1e-300, 0.1}},
                       {"none", "", NCacheType::floatArray, {}}};
    return sample;
}

void expectSameSample(const NCacheSample& a, const NCacheSample& b) {
    EXPECT_EQ(a.ticks, b.ticks);
    ASSERT_EQ(a.channels.size(), b.channels.size());
    for (size_t i = 0; i < a.channels.size(); ++i) {
        EXPECT_EQ(a.channels[i].name, b.channels[i].name);
        EXPECT_EQ(a.channels[i].type, b.channels[i].type);
        EXPECT_TRUE(sameBits(a.channels[i].values, b.channels[i].values)) << a.channels[i].name;
    }
}

TEST(NCache, roundTripsEveryTypeInBothWidths) {
    for (const NCacheBits bits : {NCacheBits::mcc, NCacheBits::mcx}) {
        const std::string single = encodeNCacheSample(bits, NCacheLayout::oneFilePerFrame, sampleOfAllTypes(-2575));
        const auto one = decodeNCache(single, "single");
        ASSERT_EQ(one.size(), 1u);
        expectSameSample(one[0], sampleOfAllTypes(-2575));

        std::string many = encodeNCacheHead(bits, NCacheLayout::oneFile, 0);
        for (int ticks = -250; ticks <= 500; ticks += 250)
            many +=
                encodeNCacheSample(bits, NCacheLayout::oneFile, ticks == 0 ? NCacheSample{} : sampleOfAllTypes(ticks));
        const auto all = decodeNCache(many, "many");
        ASSERT_EQ(all.size(), 4u);
        expectSameSample(all[0], sampleOfAllTypes(-250));
        EXPECT_TRUE(all[1].channels.empty());  // an empty frame is only its time
        expectSameSample(all[3], sampleOfAllTypes(500));

        Folder folder;
        writeFile(folder / "many", many);
        expectSameSample(readNCacheSample(folder / "many", 250), sampleOfAllTypes(250));
        EXPECT_NE(errorOf([&] { readNCacheSample(folder / "many", 7); }).find("many: "), std::string::npos);
    }
}

TEST(NCache, headsHaveTheSizesThatMayaWrites) {
    // FOR4 size CACH with VRSN, STIM, ETIM makes 40 bytes of group in mcc and 76 in mcx.
    const std::string narrow = encodeNCacheHead(NCacheBits::mcc, NCacheLayout::oneFilePerFrame, 250);
    EXPECT_EQ(narrow, std::string("FOR4\0\0\0\x28"
                                  "CACHVRSN\0\0\0\4"
                                  "0.1\0STIM\0\0\0\4\0\0\0\xfa"
                                  "ETIM\0\0\0\4\0\0\0\xfa",
                                  48));
    const std::string wide = encodeNCacheHead(NCacheBits::mcx, NCacheLayout::oneFile, 0);
    EXPECT_EQ(wide.substr(0, 20), std::string("FOR8\0\0\0\0\0\0\0\0\0\0\0\x4c"
                                              "CACH",
                                              20));
    EXPECT_EQ(wide.size(), 92u);
}

TEST(NCache, damagedFilesGiveErrorsAndNothingWorse) {
    for (const NCacheBits bits : {NCacheBits::mcc, NCacheBits::mcx}) {
        const std::string whole = encodeNCacheSample(bits, NCacheLayout::oneFilePerFrame, sampleOfAllTypes(250));
        for (size_t size = 0; size < whole.size(); ++size) {
            // Between the head and the sample a file may end: it then has none.
            if (size == encodeNCacheHead(bits, NCacheLayout::oneFilePerFrame, 0).size()) continue;
            const std::string what = errorOf([&] { decodeNCache(whole.substr(0, size), "cut.mcx"); });
            EXPECT_EQ(what.find("cut.mcx: "), 0u) << what;
        }
        for (uint64_t seed = 0; seed < 4000; ++seed) {
            std::string damaged = whole;
            for (uint64_t k = 0; k <= seed % 4; ++k)
                damaged[randomBits(seed, 2 * k) % damaged.size()] = static_cast<char>(randomBits(seed, 2 * k + 1));
            try {
                decodeNCache(damaged, "damaged.mcx");
            } catch (const Error& error) { EXPECT_EQ(std::string(error.what()).find("damaged.mcx: "), 0u); }
        }
    }
    EXPECT_NE(errorOf([] { decodeNCache("", "e"); }).find("not an nCache"), std::string::npos);
}

TEST(NCache, nameOfASubFrameTellsItsTick) {
    EXPECT_EQ(nCacheFileName("water", 3000, 250, NCacheBits::mcx), "waterFrame12.mcx");
    EXPECT_EQ(nCacheFileName("cache", 2575, 250, NCacheBits::mcc), "cacheFrame10Tick75.mc");
    EXPECT_EQ(nCacheFileName("w", -100, 250, NCacheBits::mcx), "wFrame-1Tick150.mcx");
    EXPECT_EQ(ticksPerFrame(24), 250);
    EXPECT_EQ(ticksPerFrame(25), 240);
    EXPECT_EQ(ticksPerFrame(30), 200);
}

TEST(NCache, descriptionRoundTrips) {
    NCacheDescription description;
    description.bits = NCacheBits::mcc;
    description.layout = NCacheLayout::oneFile;
    description.ticksPerFrame = 240;
    description.extra = {"C:/a & b <\"c\">.ma", "purl"};
    NCacheSample early{-480, {{"w_count", "count", NCacheType::doubleArray, {0}}}};
    NCacheSample late{-240,
                      {{"w_count", "count", NCacheType::doubleArray, {1}},
                       {"w_position", "position", NCacheType::floatVectorArray, {1, 2, 3}}}};
    description.include(early);
    description.include(late);
    const NCacheDescription read = decodeNCacheDescription(encodeNCacheDescription(description), "w.xml");
    EXPECT_EQ(read.bits, NCacheBits::mcc);
    EXPECT_EQ(read.layout, NCacheLayout::oneFile);
    EXPECT_EQ(read.startTicks, -480);
    EXPECT_EQ(read.endTicks, -240);
    EXPECT_EQ(read.ticksPerFrame, 240);
    EXPECT_EQ(read.extra, description.extra);
    ASSERT_EQ(read.channels.size(), 2u);
    EXPECT_EQ(read.channels[1].name, "w_position");
    EXPECT_EQ(read.channels[1].type, "FloatVectorArray");
    EXPECT_EQ(read.channels[1].interpretation, "position");
    EXPECT_EQ(read.channels[1].startTicks, -240);
    EXPECT_EQ(read.channels[0].startTicks, -480);
}

TEST(NCache, descriptionReaderSurvivesWhatXmlAllows) {
    const NCacheDescription read = decodeNCacheDescription(
        "<?xml version='1.0'?>\n<!DOCTYPE x [ <!ENTITY a \"b>\"> ]>\n<!-- <cacheType/> -->\n<Autodesk_Cache_File >"
        "<cacheType Type = 'OneFile'\n Format=\"mcx\"></cacheType><time Range=\"-500--250\"/>"
        "<extra><![CDATA[a<b]]>&#65;&unknown;</extra><cacheTimePerFrame TimePerFrame=\"200\"/></Autodesk_Cache_File>",
        "x.xml");
    EXPECT_EQ(read.startTicks, -500);
    EXPECT_EQ(read.endTicks, -250);
    EXPECT_EQ(read.ticksPerFrame, 200);
    ASSERT_EQ(read.extra.size(), 1u);
    EXPECT_EQ(read.extra[0], "a<bA&unknown;");

    const std::string whole = encodeNCacheDescription(read);
    for (size_t size = 0; size + 1 < whole.size(); ++size)  // the last byte is a line's end
        EXPECT_EQ(errorOf([&] { decodeNCacheDescription(whole.substr(0, size), "x.xml"); }).find("x.xml: "), 0u);
    for (uint64_t seed = 0; seed < 4000; ++seed) {
        std::string damaged = whole;
        damaged[randomBits(seed, 0) % damaged.size()] = static_cast<char>(randomBits(seed, 1));
        try {
            decodeNCacheDescription(damaged, "x.xml");
        } catch (const Error&) {}
    }
}

TEST(NCache, pointsBecomeNParticleChannels) {
    const Frame frame = frameNumbered(5);
    const NCacheSample sample = toNCacheSample(frame, 1250);
    const auto channel = [&](const std::string& name) {
        for (const NCacheChannel& c : sample.channels)
            if (c.name == name) return c;
        ADD_FAILURE() << "no channel " << name;
        return NCacheChannel{};
    };
    EXPECT_EQ(channel("water_count").values, std::vector<double>{10});
    EXPECT_EQ(channel("water_id").type, NCacheType::doubleArray);
    EXPECT_EQ(channel("water_position").type, NCacheType::floatVectorArray);
    for (const char* attribute :
         {"velocity", "acceleration", "mass", "age", "birthTime", "lifespanPP", "radiusPP", "density"})
        EXPECT_EQ(channel(std::string("scene:oil_") + attribute).count(), 10u);
    // 1250 ticks are 5/24 s; the particles were born at the first frame.
    EXPECT_NEAR(channel("water_birthTime").values[0], 1.0 / 24, 1e-7);

    Frame back = fromNCacheSample(
        decodeNCache(encodeNCacheSample(NCacheBits::mcx, NCacheLayout::oneFilePerFrame, sample), "f").at(0), "f");
    ASSERT_EQ(back.bodies.size(), 2u);
    EXPECT_EQ(back.bodies[1].name, "scene:oil");
    expectSamePoints(pointsOf(back, 0), pointsOf(frame, 0));
    expectSamePoints(pointsOf(back, 1), pointsOf(frame, 1));
}

TEST(NCache, frameBeforeTheFirstParticleHoldsItsCount) {
    const NCacheSample sample = toNCacheSample(frameNumbered(1, 0), 250);
    ASSERT_EQ(sample.channels.size(), 2u);
    EXPECT_EQ(sample.channels[0].name, "water_count");
    const Frame back = fromNCacheSample(
        decodeNCache(encodeNCacheSample(NCacheBits::mcx, NCacheLayout::oneFilePerFrame, sample), "f").at(0), "f");
    EXPECT_EQ(back.bodies.size(), 2u);
    EXPECT_EQ(back.points.count(), 0u);
}

TEST(NCache, contradictingChannelsAreRefused) {
    NCacheSample sample = toNCacheSample(frameNumbered(1), 250);
    for (NCacheChannel& channel : sample.channels)
        if (channel.name == "water_velocity") channel.values.resize(3);
    EXPECT_NE(errorOf([&] { fromNCacheSample(sample, "x.mcx"); }).find("x.mcx: water has 10 positions"),
              std::string::npos);
}

// A frame of a foreign cache before its first particle holds nothing; Purl's own frames always have a count.
TEST(NCache, aSampleWithoutChannelsIsEmptyButNoFrameOfPurl) {
    const Frame frame = fromNCacheSample({}, "x.mcx");
    EXPECT_TRUE(frame.bodies.empty() && frame.meshes.empty());
    const std::string bytes = encodeNCacheSample(NCacheBits::mcx, NCacheLayout::oneFilePerFrame, NCacheSample());
    EXPECT_NE(errorOf([&] { formatNamed("mcx").decode(bytes, "x.mcx"); }).find("no particles"), std::string::npos);
}

TEST(NCache, verticesOfGeometryCachesAreToldFromOtherVectors) {
    NCacheSample sample = toNCacheSample(frameNumbered(1), 250);
    const std::vector<double> place{1, 2, 3, 4, 5, 6};
    sample.channels.push_back({"plate_1", "positions", NCacheType::doubleVectorArray, place});  // as described
    sample.channels.push_back({"cup", "", NCacheType::floatVectorArray, place});                // without a description
    sample.channels.push_back({"cup_normals", "", NCacheType::floatVectorArray, place});
    sample.channels.push_back({"water_goalPP", "goalPP", NCacheType::floatVectorArray, place});
    const Frame frame = fromNCacheSample(sample, "x.mcx");
    ASSERT_EQ(frame.meshes.size(), 2u);
    EXPECT_EQ(frame.meshes[0].name, "plate_1");
    EXPECT_EQ(frame.meshes[1].name, "cup");
    EXPECT_EQ(frame.meshes[0].positions[1], (Vec3{4, 5, 6}));
    EXPECT_TRUE(frame.meshes[0].triangles.empty());
    EXPECT_EQ(frame.bodies.size(), 2u);
}

// Found by fuzzing: a course is a smaller number than an id may be.
TEST(NCache, numbersThatDoNotFitAreRefused) {
    for (const double number : {4294967295.0, -4294967295.0, 1e300, double(NAN)}) {
        NCacheSample sample = toNCacheSample(frameNumbered(1), 250);
        sample.channels.push_back({"water_course", "", NCacheType::doubleArray, std::vector<double>(10, number)});
        EXPECT_NE(errorOf([&] {
                      fromNCacheSample(sample, "x.mcx");
                  }).find("water_course contains a number that is not an integer id"),
                  std::string::npos)
            << number;
    }
}

// Files that Maya wrote, encoded again from what was read: the same bytes, but for mcx's filler, which is garbage.
TEST(NCache, rewritesMayasOwnFilesByteForByte) {
    if (!fs::exists(kFixtures)) GTEST_SKIP() << "no caches of other programs at hand";
    const std::string perFrame = kFixtures + "/sine_mcmf_undersample/";
    const NCacheDescription description = decodeNCacheDescription(readFile(perFrame + "cache.xml"), "cache.xml");
    EXPECT_EQ(description.layout, NCacheLayout::oneFilePerFrame);
    EXPECT_EQ(encodeNCacheDescription(description), readFile(perFrame + "cache.xml"));
    for (int ticks = description.startTicks; ticks <= description.endTicks; ticks += 500) {
        const std::string path = perFrame + nCacheFileName("cache", ticks, 250, description.bits);
        const auto samples = decodeNCache(readFile(path), path);
        ASSERT_EQ(samples.size(), 1u);
        EXPECT_EQ(samples[0].ticks, ticks);
        ASSERT_EQ(samples[0].channels.size(), 2u);
        EXPECT_EQ(samples[0].channels[0].count(), 36u);
        EXPECT_EQ(encodeNCacheSample(NCacheBits::mcc, NCacheLayout::oneFilePerFrame, samples[0]), readFile(path));
    }
    for (const char* name : {"pCubeShape1", "pCubeShape2"}) {
        const std::string path = kFixtures + "/sine_oneFile/" + name;
        EXPECT_EQ(encodeNCacheDescription(decodeNCacheDescription(readFile(path + ".xml"), name)),
                  readFile(path + ".xml"));
        const std::string bytes = readFile(path + ".mcx");
        const auto samples = decodeNCache(bytes, path);
        EXPECT_EQ(samples.size(), 30u);
        std::string again = encodeNCacheHead(NCacheBits::mcx, NCacheLayout::oneFile, 0);
        for (const NCacheSample& sample : samples) {
            again += encodeNCacheSample(NCacheBits::mcx, NCacheLayout::oneFile, sample);
            expectSameSample(readNCacheSample(path + ".mcx", sample.ticks), sample);
        }
        ASSERT_EQ(again.size(), bytes.size());
        size_t same = 0;
        for (size_t i = 0; i < bytes.size(); ++i) same += again[i] == bytes[i] || again[i] == 0;
        EXPECT_EQ(same, bytes.size());
        const auto reread = decodeNCache(again, path);
        for (size_t i = 0; i < samples.size(); ++i) expectSameSample(reread[i], samples[i]);
    }
}

TEST(NCache, survivesCorruptedFilesOfOthers) {
    if (!fs::exists(kFixtures)) GTEST_SKIP() << "no caches of other programs at hand";
    int refused = 0;
    for (const auto& entry : fs::directory_iterator(kFixtures + "/corrupt")) {
        const std::string path = entry.path().string();
        try {
            for (const NCacheSample& sample : decodeNCache(readFile(path), path)) fromNCacheSample(sample, path);
        } catch (const Error& error) {
            ++refused;
            EXPECT_EQ(std::string(error.what()).find(path), 0u);
        }
    }
    EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace purl
