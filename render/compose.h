// Image operations: averaging over the shutter interval, contact sheets, colour-scale legends.
#pragma once
#include <string>
#include <vector>

#include "render/picture.h"
#include "solver/core/vec.h"

namespace purl {

// Averages images in linear light, as a camera does while its shutter is open (motion blur). All images must have the
// same size.
class ShutterAverage {
  public:
    void add(const Picture& picture);
    Picture picture() const;

  private:
    int width_ = 0, height_ = 0, count_ = 0;
    std::vector<float> sum_;  // linear RGB per pixel
};

// Thumbnails in a grid, rows from the top.
class ContactSheet {
  public:
    // Thumbnails are at most `width` pixels wide.
    explicit ContactSheet(int columns = 6, int width = 320) : columns_(columns), width_(width) {}
    // `caption`: lines drawn on the thumbnail.
    void add(const Picture& picture, const std::vector<std::string>& caption = {});
    Picture picture() const;

  private:
    int columns_, width_;
    std::vector<Picture> thumbnails_;
};

// Draws lines of text in the upper left corner, on a darkened background. Characters without a glyph are skipped.
void drawCaption(Picture& picture, const std::vector<std::string>& lines);

// Draws a colour bar in the lower left corner with the values `low` and `high` beside it and `title` above. Characters
// without a glyph are skipped.
void drawLegend(Picture& picture, const std::vector<Vec3>& colors, float low, float high,
                const std::string& title = "");

}  // namespace purl
