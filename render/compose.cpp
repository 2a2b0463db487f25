#include "render/compose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "solver/core/error.h"

namespace purl {
namespace {

// sRGB transfer function, IEC 61966-2-1.
float toLinear(float s) { return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f); }
float toSrgb(float x) { return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f; }

uint8_t toByte(float linear) { return static_cast<uint8_t>(std::lround(255 * toSrgb(std::clamp(linear, 0.0f, 1.0f)))); }

const std::array<float, 256>& byteToLinear() {
    static const std::array<float, 256> table = [] {
        std::array<float, 256> t{};
        for (size_t i = 0; i < 256; ++i) t[i] = toLinear(float(i) / 255);
        return t;
    }();
    return table;
}

uint8_t* pixelAt(Picture& picture, int x, int y) {
    return &picture.rgba[4 * (size_t(y) * size_t(picture.width) + size_t(x))];
}

void put(Picture& picture, int x, int y, const uint8_t (&rgb)[3]) {
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return;
    std::copy_n(rgb, 3, pixelAt(picture, x, y));
}

void fill(Picture& picture, int x0, int y0, int width, int height, const uint8_t (&rgb)[3]) {
    for (int y = y0; y < y0 + height; ++y)
        for (int x = x0; x < x0 + width; ++x) put(picture, x, y, rgb);
}

// Darkens a rectangle so that light text is readable on any background.
void darken(Picture& picture, int x0, int y0, int width, int height) {
    for (int y = std::max(y0, 0); y < std::min(y0 + height, picture.height); ++y)
        for (int x = std::max(x0, 0); x < std::min(x0 + width, picture.width); ++x)
            for (int k = 0; k < 3; ++k) pixelAt(picture, x, y)[k] = static_cast<uint8_t>(pixelAt(picture, x, y)[k] / 3);
}

// 5 x 7 bitmap font with the digits, letters and signs that legends and captions use; one byte per row, bit 4 is the
// leftmost dot.
struct Glyph {
    char letter;
    uint8_t rows[7];
};
constexpr Glyph kGlyphs[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},      {'2', {14, 17, 1, 2, 4, 8, 31}},
    {'3', {31, 2, 4, 2, 1, 17, 14}},     {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},       {'8', {14, 17, 17, 14, 17, 17, 14}},
    {'9', {14, 17, 17, 15, 1, 2, 12}},   {'-', {0, 0, 0, 31, 0, 0, 0}},       {'.', {0, 0, 0, 0, 0, 12, 12}},
    {'e', {0, 0, 14, 17, 31, 16, 14}},   {'+', {0, 4, 4, 31, 4, 4, 0}},       {'a', {0, 0, 14, 1, 15, 17, 15}},
    {'d', {1, 1, 13, 19, 17, 17, 15}},   {'g', {0, 15, 17, 17, 15, 1, 14}},   {'i', {4, 0, 12, 4, 4, 4, 14}},
    {'k', {16, 16, 18, 20, 24, 20, 18}}, {'m', {0, 0, 26, 21, 21, 17, 17}},   {'n', {0, 0, 22, 25, 17, 17, 17}},
    {'o', {0, 0, 14, 17, 17, 17, 14}},   {'p', {0, 0, 30, 17, 30, 16, 16}},   {'r', {0, 0, 22, 25, 16, 16, 16}},
    {'s', {0, 0, 14, 16, 14, 1, 30}},    {'t', {8, 8, 28, 8, 8, 9, 6}},       {'u', {0, 0, 17, 17, 17, 19, 13}},
    {'y', {0, 0, 17, 17, 15, 1, 14}},    {'A', {14, 17, 17, 31, 17, 17, 17}}, {'D', {28, 18, 17, 17, 17, 18, 28}},
    {'P', {30, 17, 17, 30, 16, 16, 16}}, {'S', {15, 16, 16, 14, 1, 1, 30}},   {'W', {17, 17, 17, 21, 21, 21, 10}},
    {'B', {30, 17, 17, 30, 17, 17, 30}}, {'C', {14, 17, 16, 16, 16, 17, 14}}, {'E', {31, 16, 16, 30, 16, 16, 31}},
    {'F', {31, 16, 16, 30, 16, 16, 16}}, {'G', {14, 17, 16, 23, 17, 17, 15}}, {'H', {17, 17, 17, 31, 17, 17, 17}},
    {'I', {14, 4, 4, 4, 4, 4, 14}},      {'J', {7, 2, 2, 2, 2, 18, 12}},      {'K', {17, 18, 20, 24, 20, 18, 17}},
    {'L', {16, 16, 16, 16, 16, 16, 31}}, {'M', {17, 27, 21, 21, 17, 17, 17}}, {'N', {17, 17, 25, 21, 19, 17, 17}},
    {'O', {14, 17, 17, 17, 17, 17, 14}}, {'Q', {14, 17, 17, 17, 21, 18, 13}}, {'R', {30, 17, 17, 30, 20, 18, 17}},
    {'T', {31, 4, 4, 4, 4, 4, 4}},       {'U', {17, 17, 17, 17, 17, 17, 14}}, {'V', {17, 17, 17, 17, 17, 10, 4}},
    {'X', {17, 17, 10, 4, 10, 17, 17}},  {'Y', {17, 17, 17, 10, 4, 4, 4}},    {'Z', {31, 1, 2, 4, 8, 16, 31}},
    {'b', {16, 16, 22, 25, 17, 17, 30}}, {'c', {0, 0, 14, 16, 16, 17, 14}},   {'f', {6, 9, 8, 28, 8, 8, 8}},
    {'h', {16, 16, 22, 25, 17, 17, 17}}, {'j', {2, 0, 6, 2, 2, 18, 12}},      {'l', {12, 4, 4, 4, 4, 4, 14}},
    {'q', {0, 0, 13, 19, 15, 1, 1}},     {'v', {0, 0, 17, 17, 17, 10, 4}},    {'w', {0, 0, 17, 17, 21, 21, 10}},
    {'x', {0, 0, 17, 10, 4, 10, 17}},    {'z', {0, 0, 31, 2, 4, 8, 31}},      {'_', {0, 0, 0, 0, 0, 0, 31}},
    {'=', {0, 0, 31, 0, 31, 0, 0}},      {':', {0, 12, 12, 0, 12, 12, 0}},    {'(', {2, 4, 8, 8, 8, 4, 2}},
    {')', {8, 4, 2, 2, 2, 4, 8}},        {'/', {0, 1, 2, 4, 8, 16, 0}},       {'%', {24, 25, 2, 4, 8, 19, 3}},
    {',', {0, 0, 0, 0, 12, 4, 8}},
};

void drawText(Picture& picture, int x, int y, int size, const std::string& text) {
    constexpr uint8_t kWhite[3] = {240, 240, 240};
    for (const char c : text) {
        for (const Glyph& glyph : kGlyphs) {
            if (glyph.letter != c) continue;
            for (int row = 0; row < 7; ++row)
                for (int column = 0; column < 5; ++column)
                    if (glyph.rows[row] >> (4 - column) & 1)
                        fill(picture, x + size * column, y + size * row, size, size, kWhite);
        }
        x += 6 * size;
    }
}

std::string numberText(float x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", double(x));
    return text;
}

}  // namespace

void ShutterAverage::add(const Picture& picture) {
    if (count_ == 0) {
        width_ = picture.width;
        height_ = picture.height;
        sum_.assign(size_t(3) * size_t(width_) * size_t(height_), 0);
    }
    if (picture.width != width_ || picture.height != height_) throw Error("shutter average: images of different sizes");
    ++count_;
    for (size_t p = 0; p < sum_.size() / 3; ++p)
        for (size_t k = 0; k < 3; ++k) sum_[3 * p + k] += byteToLinear()[picture.rgba[4 * p + k]];
}

Picture ShutterAverage::picture() const {
    Picture result{width_, height_, std::vector<uint8_t>(size_t(4) * size_t(width_) * size_t(height_), 255)};
    for (size_t p = 0; p < sum_.size() / 3; ++p)
        for (size_t k = 0; k < 3; ++k) result.rgba[4 * p + k] = toByte(sum_[3 * p + k] / float(count_));
    return result;
}

// Box filter.
void ContactSheet::add(const Picture& picture, const std::vector<std::string>& caption) {
    const int width = std::min(width_, picture.width);
    const int height = std::max(1, picture.height * width / std::max(picture.width, 1));
    Picture copy{width, height, std::vector<uint8_t>(size_t(4) * size_t(width) * size_t(height), 255)};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int x0 = x * picture.width / width, x1 = std::max(x0 + 1, (x + 1) * picture.width / width);
            const int y0 = y * picture.height / height, y1 = std::max(y0 + 1, (y + 1) * picture.height / height);
            for (int k = 0; k < 3; ++k) {
                float sum = 0;
                for (int j = y0; j < y1; ++j)
                    for (int i = x0; i < x1; ++i) sum += byteToLinear()[picture.pixel(i, j)[k]];
                pixelAt(copy, x, y)[k] = toByte(sum / float((x1 - x0) * (y1 - y0)));
            }
        }
    drawCaption(copy, caption);
    thumbnails_.push_back(std::move(copy));
}

Picture ContactSheet::picture() const {
    constexpr int kGap = 4;
    int cellWidth = 1, cellHeight = 1;
    for (const Picture& copy : thumbnails_) {
        cellWidth = std::max(cellWidth, copy.width);
        cellHeight = std::max(cellHeight, copy.height);
    }
    const int count = static_cast<int>(thumbnails_.size()), columns = std::max(1, std::min(columns_, count));
    const int rows = (count + columns - 1) / columns;
    Picture sheet{columns * (cellWidth + kGap) + kGap, rows * (cellHeight + kGap) + kGap, {}};
    sheet.rgba.assign(size_t(4) * size_t(sheet.width) * size_t(sheet.height), 255);
    constexpr uint8_t kMargin[3] = {24, 24, 26};
    fill(sheet, 0, 0, sheet.width, sheet.height, kMargin);
    for (int i = 0; i < count; ++i) {
        const Picture& copy = thumbnails_[i];
        const int left = kGap + i % columns * (cellWidth + kGap), top = kGap + i / columns * (cellHeight + kGap);
        for (int y = 0; y < copy.height; ++y)
            std::copy_n(copy.pixel(0, y), 4 * copy.width, pixelAt(sheet, left, top + y));
    }
    return sheet;
}

void drawCaption(Picture& picture, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    const int size = std::max(1, picture.height / 180), line = 10 * size, margin = 4 * size;
    size_t letters = 0;
    for (const std::string& text : lines) letters = std::max(letters, text.size());
    darken(picture, 0, 0, 6 * size * static_cast<int>(letters) + 2 * margin,
           line * static_cast<int>(lines.size()) + margin);
    for (size_t i = 0; i < lines.size(); ++i)
        drawText(picture, margin, margin + line * static_cast<int>(i), size, lines[i]);
}

void drawLegend(Picture& picture, const std::vector<Vec3>& colors, float low, float high, const std::string& title) {
    const int size = std::max(1, picture.height / 270), width = 8 * size, height = picture.height / 3;
    const int left = 10 * size, bottom = picture.height - 12 * size, line = title.empty() ? 0 : 12 * size;
    const int letters = static_cast<int>(std::max(title.size(), size_t(9)));
    darken(picture, left - 5 * size, bottom - height - line - 5 * size, (6 * letters + 10) * size,
           height + line + 11 * size);
    drawText(picture, left, bottom - height - line, size, title);
    for (int y = 0; y < height && !colors.empty(); ++y) {
        const size_t at = std::min(colors.size() - 1, size_t(float(y) / float(height) * float(colors.size())));
        const uint8_t rgb[3] = {toByte(colors[at].x), toByte(colors[at].y), toByte(colors[at].z)};
        fill(picture, left, bottom - y, width, 1, rgb);
    }
    drawText(picture, left + width + 3 * size, bottom - 6 * size, size, numberText(low));
    drawText(picture, left + width + 3 * size, bottom - height, size, numberText(high));
}

}  // namespace purl
