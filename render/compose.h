// Pictures made of pictures: exposures over time, contact sheets, the legend of a colour scale.
#pragma once
#include <string>
#include <vector>

#include "render/picture.h"
#include "solver/core/vec.h"

namespace purl {

// The mean of pictures in linear light: what a shutter lets in while it is open. All must be of one size.
class Exposure {
  public:
    void add(const Picture& picture);
    Picture picture() const;

  private:
    int width_ = 0, height_ = 0, count_ = 0;
    std::vector<float> sum_;  // linear red, green, blue of each pixel
};

// Small copies side by side, rows from the top.
class ContactSheet {
  public:
    // Each copy is at most `width` wide.
    ContactSheet(int columns, int width) : columns_(columns), width_(width) {}
    void add(const Picture& picture);
    Picture picture() const;

  private:
    int columns_, width_;
    std::vector<Picture> copies_;
};

// A bar of colours from low to high in the picture's lower left corner, with the two numbers beside it and what they
// are of above; letters that are unknown are left out.
void drawLegend(Picture& picture, const std::vector<Vec3>& colors, float low, float high,
                const std::string& title = "");

}  // namespace purl
