// Renderer: draws views into pictures, without a display. Two of them may live in one process.
#pragma once
#include <memory>
#include <vector>

#include "render/context.h"
#include "render/picture.h"
#include "render/pictureLayers.h"
#include "render/record.h"
#include "render/view.h"

namespace purl {

// The same view gives the same picture, run after run, on Mesa's software renderer. One thread at a time.
class Renderer {
  public:
    Renderer(int width, int height, ContextKind kind = ContextKind::any);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    // `layers`: also what the picture is made of, in numbers.
    Picture draw(const View& view, PictureLayers* layers = nullptr);
    // What was drawn for the last picture, pass by pass.
    const std::vector<PassRecord>& passes() const;
    // How long each pass of the last picture took, where that was asked for before: passes then wait for each other.
    void measure(bool on);
    const std::vector<PassTime>& times() const;
    int quads() const;            // that fibres of yarn were drawn by
    size_t bytesOfQuads() const;  // that are kept for them

  private:
    struct Insides;
    std::unique_ptr<Insides> insides_;
};

}  // namespace purl
