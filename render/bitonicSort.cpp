#include "render/bitonicSort.h"

#include <algorithm>
#include <string>
#include <vector>

namespace purl {

namespace {

constexpr int kTextureWidth = 4096;  // texture width; entries are stored row by row

// GL_RENDERER substrings of Mesa's software rasterizers.
constexpr const char* kSoftwareRenderers[] = {"llvmpipe", "softpipe", "swrast"};

struct Entry {
    uint32_t key = ~0u, order = ~0u;  // padding up to a power of two sorts last
};

}  // namespace

BitonicSort::BitonicSort(const Gl& gl)
    : gl_(gl), compare_(gl, {"screen.vert", "bitonic.frag"}), screen_(makeVertexArray(gl)) {}

void BitonicSort::sort(Buffer<uint64_t>& keys, Buffer<int>& order) const {
    const int count = keys.size();
    int length = 2;
    while (length < count) length *= 2;
    const int width = std::min(length, kTextureWidth), height = length / width;
    std::vector<Entry> entries(static_cast<size_t>(length));
    for (int i = 0; i < count; ++i) entries[i] = {static_cast<uint32_t>(keys[i]), static_cast<uint32_t>(order[i])};
    Handle from = makeUint2Texture(gl_, width, height, entries.data()),
           to = makeUint2Texture(gl_, width, height, nullptr);
    Handle fromTarget = makeTarget(gl_, from, 0), toTarget = makeTarget(gl_, to, 0);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.Disable(GL_BLEND);
    gl_.Viewport(0, 0, width, height);
    gl_.ActiveTexture(GL_TEXTURE0);
    compare_.use();
    compare_.set("entries", 0);
    gl_.BindVertexArray(screen_);
    for (int run = 2; run <= length; run *= 2)
        for (int step = run / 2; step > 0; step /= 2) {
            gl_.BindFramebuffer(GL_FRAMEBUFFER, toTarget);
            gl_.BindTexture(GL_TEXTURE_2D, from);
            compare_.set("run", run);
            compare_.set("step", step);
            gl_.DrawArrays(GL_TRIANGLES, 0, 3);
            std::swap(from, to);
            std::swap(fromTarget, toTarget);
        }
    gl_.BindFramebuffer(GL_FRAMEBUFFER, fromTarget);
    gl_.ReadPixels(0, 0, width, height, GL_RG_INTEGER, GL_UNSIGNED_INT, entries.data());
    for (int i = 0; i < count; ++i) {
        keys[i] = entries[i].key;
        order[i] = static_cast<int>(entries[i].order);
    }
}

bool isHardwareRenderer(const Gl& gl) {
    const auto* name = reinterpret_cast<const char*>(gl.GetString(GL_RENDERER));
    const std::string text = name ? name : "";
    return std::none_of(std::begin(kSoftwareRenderers), std::end(kSoftwareRenderers),
                        [&](const char* part) { return text.find(part) != std::string::npos; });
}

}  // namespace purl
