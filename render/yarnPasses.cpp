// Passes for yarns: tubes, and fibres as sorted lumislice quads.
#include <algorithm>

#include "render/lumislice.h"
#include "render/passItems.h"

namespace purl {

namespace {

constexpr float kFinePixels = 3;  // tubes below this radius (pixels) have vertices about a pixel apart

}  // namespace

const Program& Passes::yarnProgram(const Items& items, size_t yarn) const {
    const bool dry = items.view.yarns[yarn].curves->wetting.empty();
    if (items.sizes[yarn].pixels < kFinePixels) return dry ? fineYarn_ : wetFineYarn_;
    return dry ? yarn_ : wetYarn_;
}

// `asKnit`: the final draw, in which yarns with fibres contribute only their cores. Tubes are closed, so back faces are
// culled.
void Passes::drawTubes(const Items& items, bool asKnit) {
    gl_.Enable(GL_CULL_FACE);
    gl_.CullFace(GL_BACK);
    for (size_t i = 0; i < items.yarns.size(); ++i) {
        const Program& program = yarnProgram(items, i);
        program.use();
        program.set("twisted", items.view.yarns[i].curves->plies > 1 ? 1 : 0);
        program.set("hardShadows", !asKnit || items.fibres[i] ? 1 : 0);
        (asKnit && items.fibres[i] ? items.cores : items.yarns)[i].draw(gl_, clipFromWorld_);
        ++records_.back().yarns;
    }
    gl_.Disable(GL_CULL_FACE);
}

// Yarns: tubes, or the cores of yarns with fibres, and then the fibres.
void Passes::drawKnits(const Items& items) {
    begin("knit", sceneTarget_, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    drawTubes(items, true);
    drawFibres(items);
}

// Blends fibre quads back to front into a single-sample layer, which is then composited: millions of blended quads cost
// a third of what they do with 4x MSAA, and fibres have soft edges anyway. Yarn bodies are drawn one after the other,
// so where two intermingle the later one covers too much.
void Passes::drawFibres(const Items& items) {
    quads_.resize(items.view.yarns.size());
    if (std::find(items.fibres.begin(), items.fibres.end(), true) == items.fibres.end()) return;
    const QuadSort by = items.view.quadSort;
    YarnQuads::Sort sort;
    if (by == QuadSort::gpu || (by == QuadSort::automatic && hardwareRenderer_))
        sort = [this](Buffer<uint64_t>& keys, Buffer<int>& order) { bitonic_.sort(keys, order); };
    gl_.Enable(GL_DEPTH_TEST);
    gl_.Viewport(0, 0, width_, height_);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, layerTarget_);
    bind(kDepth, GL_TEXTURE_2D_MULTISAMPLE, depth_);
    gl_.DepthFunc(GL_ALWAYS);
    farthestDepth_.use();
    drawScreen();
    gl_.DepthFunc(GL_LEQUAL);
    // Occlusion culling on the CPU, for software rasterizers only: a GPU would stall on the read-back and rejects
    // hidden fragments fast enough.
    QuadCulling culling{clipFromWorld_, width_, height_};
    std::vector<float> depths;
    if (!hardwareRenderer_) {
        depths.resize(size_t(width_) * size_t(height_));
        gl_.ReadPixels(0, 0, width_, height_, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
        culling.depths = depths.data();
    }
    for (size_t i = 0; i < items.view.yarns.size(); ++i) {
        if (!items.fibres[i]) continue;
        const YarnLook& look = items.view.yarns[i];
        startTimer("fibres: made");
        quads_[i].set(*look.curves, quadsFor(look, items.sizes[i]));
        startTimer("fibres: sorted");
        if (culling.depths)
            quads_[i].sortFrom(items.view.camera.position, culling, sort);
        else
            quads_[i].sortFrom(items.view.camera.position, sort);
    }
    startTimer("fibres: drawn");
    gl_.BindFramebuffer(GL_FRAMEBUFFER, layerTarget_);  // the GPU sort binds its own framebuffer
    gl_.Viewport(0, 0, width_, height_);
    gl_.Enable(GL_DEPTH_TEST);
    gl_.ClearColor(0, 0, 0, 0);  // after the depth copy, which leaves the colour undefined
    gl_.Clear(GL_COLOR_BUFFER_BIT);

    gl_.Enable(GL_BLEND);
    gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl_.DepthMask(GL_FALSE);
    std::vector<QuadVertex> vertices(size_t(4) * kMaxQuadsPerDraw);
    for (size_t i = 0; i < items.view.yarns.size(); ++i) {
        if (!items.fibres[i]) continue;
        const YarnLook& look = items.view.yarns[i];
        const YarnQuads& quads = quads_[i];
        bind(kSlice, GL_TEXTURE_2D, sliceOf(look.curves->plies));
        const Program& program = look.curves->wetting.empty() ? fibres_ : wetFibres_;
        program.use();
        program.set("radius", items.sizes[i].radius);
        gl_.BindVertexArray(quadArray_);
        gl_.BindBuffer(GL_ARRAY_BUFFER, quadVertices_);
        for (int first = 0; first < quads.visibleCount(); first += kMaxQuadsPerDraw) {
            const int count = std::min(kMaxQuadsPerDraw, quads.visibleCount() - first);
            quads.expand(first, count, vertices.data());
            gl_.BufferData(GL_ARRAY_BUFFER, GLsizeiptr(sizeof(QuadVertex) * 4 * size_t(count)), vertices.data(),
                           GL_STREAM_DRAW);
            gl_.DrawElements(GL_TRIANGLES, 6 * count, GL_UNSIGNED_INT, nullptr);
        }
    }
    gl_.DepthMask(GL_TRUE);
    gl_.Disable(GL_BLEND);
    blendLayer(layerColor_);
}

GLuint Passes::sliceOf(int plies) {
    Handle& slice = slices_[plies];
    if (!slice) {
        SliceParams params;
        params.plies = plies;
        slice = makeSliceTexture(gl_, makeSlice(params));
    }
    return slice;
}

int Passes::quads() const {
    int sum = 0;
    for (const YarnQuads& quads : quads_) sum += quads.count();
    return sum;
}

size_t Passes::quadBytes() const {
    size_t sum = 0;
    for (const YarnQuads& quads : quads_) sum += quads.bytes();
    return sum;
}

}  // namespace purl
