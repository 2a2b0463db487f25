// BitonicSort: sorts numbers on the GPU, by comparing pairs of a fixed network (Batcher 1968) in passes of a fragment
// shader. The order it gives is that of sortByKey; which of the two is quicker depends on where OpenGL runs.
#pragma once
#include "render/gl.h"
#include "solver/core/buffer.h"

namespace purl {

class BitonicSort {
  public:
    explicit BitonicSort(const Gl& gl);
    // By the lowest 32 bits of the keys, ascending, and `order` along with them; of equal keys the lower number of
    // `order` goes first. Leaves framebuffer, viewport and switches as the last pass needs them.
    void sort(Buffer<uint64_t>& keys, Buffer<int>& order) const;

  private:
    const Gl& gl_;
    Program compare_;
    Handle screen_;
};

// Whether OpenGL's work is done by a processor of its own.
bool isHardware(const Gl& gl);

}  // namespace purl
