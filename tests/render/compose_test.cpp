// Image operations: shutter average, contact sheet, legend.
#include "render/compose.h"

#include <gtest/gtest.h>

#include "solver/core/error.h"

namespace purl {
namespace {

Picture plain(int width, int height, uint8_t value) {
    return {width, height, std::vector<uint8_t>(size_t(4) * size_t(width) * size_t(height), value)};
}

}  // namespace

// Half the time white, half black: half the linear light, 188 in sRGB.
TEST(ShutterAverage, meansLightNotBytes) {
    ShutterAverage exposure;
    exposure.add(plain(3, 2, 255));
    exposure.add(plain(3, 2, 0));
    const Picture mean = exposure.picture();
    EXPECT_EQ(mean.width, 3);
    EXPECT_EQ(mean.pixel(1, 1)[0], 188);
    EXPECT_EQ(mean.pixel(1, 1)[3], 255);
    EXPECT_THROW(exposure.add(plain(2, 2, 0)), Error);
}

TEST(ShutterAverage, onePictureIsItself) {
    for (const int value : {0, 1, 37, 128, 254, 255}) {
        ShutterAverage exposure;
        exposure.add(plain(1, 1, static_cast<uint8_t>(value)));
        EXPECT_EQ(exposure.picture().pixel(0, 0)[1], value);
    }
}

TEST(ContactSheet, copiesStandInRows) {
    ContactSheet sheet(2, 10);
    for (const int value : {50, 100, 200}) sheet.add(plain(40, 20, static_cast<uint8_t>(value)));
    const Picture picture = sheet.picture();
    EXPECT_EQ(picture.width, 2 * 14 + 4);
    EXPECT_EQ(picture.height, 2 * 9 + 4);
    EXPECT_EQ(picture.pixel(8, 6)[0], 50);
    EXPECT_EQ(picture.pixel(22, 6)[0], 100);
    EXPECT_EQ(picture.pixel(8, 15)[0], 200);
    EXPECT_LT(picture.pixel(22, 15)[0], 30);
}

// Colours from the bottom up, numbers beside the bar.
TEST(Legend, colorsAscend) {
    Picture picture = plain(400, 270, 0);
    drawLegend(picture, {{0, 0, 1}, {1, 0, 0}}, -0.25f, 12);
    EXPECT_EQ(picture.pixel(12, 255)[2], 255);
    EXPECT_EQ(picture.pixel(12, 255)[0], 0);
    EXPECT_EQ(picture.pixel(12, 175)[0], 255);
    int bright = 0;
    for (int y = 0; y < 270; ++y)
        for (int x = 20; x < 80; ++x) bright += picture.pixel(x, y)[0] == 240;
    EXPECT_GT(bright, 40);

    // The title is drawn above it with all its letters, readable on white too.
    for (const char* title :
         {"Speed, m/s", "Density error, %", "Density, kg/m3", "Pressure, Pa", "Age, s", "Wetness", "Strain"}) {
        const std::string text = title;
        Picture light = plain(400, 270, 255);
        drawLegend(light, {{0, 0, 1}, {1, 0, 0}}, 0, 1, text);
        for (size_t k = 0; k < text.size(); ++k) {
            int dots = 0;
            for (int y = 150; y < 166; ++y)
                for (int x = 10 + 6 * int(k); x < 15 + 6 * int(k); ++x) dots += light.pixel(x, y)[0] == 240;
            EXPECT_EQ(dots > 0, text[k] != ' ') << title << " " << k;
        }
        EXPECT_LT(light.pixel(60, 200)[0], 100);
    }
}

}  // namespace purl
