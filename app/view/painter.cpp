#include "app/view/painter.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <list>

#include "render/renderer.h"

namespace purl {
namespace {

// Reduces the cost for software rasterizers: no refraction, fibres and shadows.
void simplify(View& view) {
    view.cascades = 1;
    // Distant point lights look the same as directional ones but cast no shadows.
    const Vec3 middle = view.focus.empty() ? Vec3{} : view.focus.center();
    const float far = view.focus.empty() ? 1e4f : 1e3f * length(view.focus.size());
    for (Light& light : view.lights)
        if (light.kind == LightKind::directional) {
            light.kind = LightKind::point;
            light.position = middle - far * normalized(light.direction);
            light.decay = 0;
        }
    for (MeshLook& look : view.meshes)
        if (look.material == Material::water) {
            const Mesh& mesh = *look.mesh;
            look = matte(mesh, 0.25f * look.color + Vec3{0.10f, 0.24f, 0.36f});
            look.roughness = 0.25f;
            look.creaseAngle = 3.15f;
        }
    for (YarnLook& look : view.yarns) look.detail = YarnDetail::tubes;
}

Picture draw(std::unique_ptr<Renderer>& renderer, int& width, int& height, const View& view, int wide, int high) {
    if (!renderer || width != wide || height != high) {
        renderer.reset();
        renderer = std::make_unique<Renderer>(wide, high);
        width = wide;
        height = high;
    }
    return renderer->draw(view);
}

}  // namespace

Painter::Painter(std::function<void(Painting)> done) : done_(std::move(done)), thread_([this] { work(); }) {}

Painter::~Painter() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void Painter::paint(PaintRequest request) {
    const std::lock_guard<std::mutex> lock(mutex_);
    next_ = std::move(request);
    wake_.notify_all();
}

bool Painter::busy() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return busy_ || next_;
}

void Painter::work() {
    // Created, used and destroyed on this thread, which owns the OpenGL context.
    std::unique_ptr<Renderer> renderer;
    int width = 0, height = 0;
    for (;;) {
        Painting painting;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            busy_ = false;
            wake_.wait(lock, [this] { return ending_ || next_; });
            if (ending_) return;
            painting.of = std::move(*next_);
            next_.reset();
            busy_ = true;
        }
        const PaintRequest& of = painting.of;
        const auto began = std::chrono::steady_clock::now();
        try {
            std::list<Points> foams;
            std::optional<Tinted> tinted;
            if (of.show != Show::look)
                tinted.emplace(*of.moment->frame, of.start ? of.start->frame.get() : nullptr, of.show, of.scale);
            static const std::vector<Vec3> kOwn;
            View view = arrange(tinted ? tinted->frame() : *of.moment->frame, of.moment->around, of.points || tinted,
                                tinted ? tinted->colors() : kOwn, foams);
            view.camera = of.camera;
            view.focus = of.focus;
            view.ground.visible = view.ground.visible && of.ground;
            view.ground.grid = 0;  // shows the scale
            view.ground.height = of.focus.empty() ? 0 : of.focus.low.y;
            if (of.wire) drawWire(view);
            if (of.detail == Detail::sketch) simplify(view);
            painting.picture = draw(renderer, width, height, view, of.width, of.height);
            if (tinted) {
                painting.low = tinted->scale().low;
                painting.high = tinted->scale().high;
                painting.hasValues = tinted->any();
            }
        } catch (const std::exception& error) { painting.error = error.what(); }
        painting.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        done_(std::move(painting));
    }
}

}  // namespace purl
