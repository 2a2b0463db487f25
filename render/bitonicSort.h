// BitonicSort: sorts 32-bit keys on the GPU with Batcher's bitonic network (1968), one fragment-shader pass per compare
// step. Gives the same order as sortByKey; which of the two is faster depends on the OpenGL driver.
#pragma once
#include "render/gl.h"
#include "solver/core/buffer.h"

namespace purl {

class BitonicSort {
  public:
    explicit BitonicSort(const Gl& gl);
    // Sorts ascending by the low 32 bits of the keys and permutes `order` along. Ties are broken by the lower value in
    // `order`. Leaves framebuffer, viewport and enables as the last pass set them.
    void sort(Buffer<uint64_t>& keys, Buffer<int>& order) const;

  private:
    const Gl& gl_;
    Program compare_;
    Handle screen_;
};

// False for Mesa's software rasterizers.
bool isHardwareRenderer(const Gl& gl);

}  // namespace purl
