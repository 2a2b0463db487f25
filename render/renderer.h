// Renderer: offscreen rendering of views to images. Several renderers may exist in one process.
#pragma once
#include <memory>
#include <vector>

#include "render/aovs.h"
#include "render/context.h"
#include "render/picture.h"
#include "render/record.h"
#include "render/view.h"

namespace purl {

// Deterministic on Mesa's software rasterizer: the same view gives the same image. Not thread-safe.
class Renderer {
  public:
    Renderer(int width, int height, ContextKind kind = ContextKind::any);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    // `aovs`: if not null, also receives the AOVs.
    Picture draw(const View& view, Aovs* aovs = nullptr);
    // Items drawn by each pass of the last image.
    const std::vector<PassRecord>& passes() const;
    // Pass timings of the last image, if `measure` was turned on before; passes then wait for the GPU.
    void measure(bool on);
    const std::vector<PassTime>& times() const;
    int quads() const;         // fibre quads drawn
    size_t quadBytes() const;  // memory they use

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace purl
