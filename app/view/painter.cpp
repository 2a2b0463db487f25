#include "app/view/painter.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <list>

#include "render/renderer.h"

namespace purl {
namespace {

// Longest of a mesh's or yarn's edges at each vertex, against the same at the start: 0.1 is ten percent longer.
std::vector<float> strainsOf(const std::vector<Vec3>& now, const std::vector<Vec3>& before,
                             const std::vector<std::pair<int, int>>& edges) {
    std::vector<float> strains(now.size(), 0.0f);
    if (before.size() != now.size()) return strains;
    for (const auto& edge : edges) {
        const auto a = static_cast<size_t>(edge.first), b = static_cast<size_t>(edge.second);
        const float rest = length(before[a] - before[b]);
        if (!(rest > 0)) continue;
        const float strain = length(now[a] - now[b]) / rest - 1;
        for (const size_t end : {a, b})
            if (std::abs(strain) > std::abs(strains[end])) strains[end] = strain;
    }
    return strains;
}

std::vector<std::pair<int, int>> edgesOf(const Mesh& mesh) {
    std::vector<std::pair<int, int>> edges;
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) edges.emplace_back(mesh.triangles[t + k], mesh.triangles[t + (k + 1) % 3]);
    return edges;
}

std::vector<std::pair<int, int>> edgesOf(const Curves& curves) {
    std::vector<std::pair<int, int>> edges;
    int first = 0;
    for (const int count : curves.counts) {
        for (int i = 1; i < count; ++i) edges.emplace_back(first + i - 1, first + i);
        first += count;
    }
    return edges;
}

std::vector<float> lengthsOf(const std::vector<Vec3>& vectors, double scale) {
    std::vector<float> lengths;
    lengths.reserve(vectors.size());
    for (const Vec3 v : vectors) lengths.push_back(static_cast<float>(scale) * length(v));
    return lengths;
}

// A frame coloured by a quantity; what does not have it turns grey.
class Tinted {
  public:
    Tinted(const Moment& moment, const Moment* start, Show show) : frame_(*moment.frame) {
        const double meters = frame_.metersPerUnit;
        const Frame* before = start ? start->frame.get() : nullptr;
        std::vector<float> points;
        if (show == Show::speed) points = lengthsOf(frame_.points.velocities, meters);
        if (show == Show::density) points = frame_.points.densities;
        if (show == Show::pressure) points = frame_.points.pressures;
        if (show == Show::wetness) points = frame_.points.wetting.wetness;
        if (points.size() != frame_.points.count()) points.clear();
        std::vector<std::vector<float>> meshes(frame_.meshes.size()), yarns(frame_.curves.size());
        for (size_t m = 0; m < meshes.size(); ++m) {
            Mesh& mesh = frame_.meshes[m];
            if (mesh.kind == MeshKind::liquid || mesh.kind == MeshKind::solid) continue;
            if (show == Show::speed) meshes[m] = lengthsOf(mesh.velocities, meters);
            if (show == Show::wetness) meshes[m] = mesh.wetting.wetness;
            if (show == Show::strain && before && m < before->meshes.size())
                meshes[m] = strainsOf(mesh.positions, before->meshes[m].positions, edgesOf(mesh));
            if (meshes[m].size() != mesh.positions.size()) meshes[m].clear();
        }
        for (size_t c = 0; c < yarns.size(); ++c) {
            Curves& curves = frame_.curves[c];
            if (show == Show::speed) yarns[c] = lengthsOf(curves.velocities, meters);
            if (show == Show::wetness) yarns[c] = curves.wetting.wetness;
            if (show == Show::strain && before && c < before->curves.size())
                yarns[c] = strainsOf(curves.positions, before->curves[c].positions, edgesOf(curves));
            if (yarns[c].size() != curves.count()) yarns[c].clear();
        }
        setScale(show, points, meshes, yarns);
        constexpr Vec3 kGrey{0.18f, 0.18f, 0.19f};
        colors_ = points.empty() ? std::vector<Vec3>(frame_.points.count(), kGrey) : rampColors(points, low_, high_);
        for (size_t m = 0; m < meshes.size(); ++m) {
            if (!meshes[m].empty()) frame_.meshes[m].colors = rampColors(meshes[m], low_, high_);
        }
        for (size_t c = 0; c < yarns.size(); ++c)
            if (!yarns[c].empty()) frame_.curves[c].pointColors = rampColors(yarns[c], low_, high_);
    }

    const Frame& frame() const { return frame_; }
    const std::vector<Vec3>& colors() const { return colors_; }
    float low() const { return low_; }
    float high() const { return high_; }
    bool any() const { return any_; }

  private:
    void setScale(Show show, const std::vector<float>& points, const std::vector<std::vector<float>>& meshes,
                  const std::vector<std::vector<float>>& yarns) {
        std::vector<float> all = points;
        for (const auto& each : meshes) all.insert(all.end(), each.begin(), each.end());
        for (const auto& each : yarns) all.insert(all.end(), each.begin(), each.end());
        any_ = !all.empty();
        if (show == Show::wetness || !any_) {
            low_ = 0;
            high_ = 1;
            return;
        }
        // A few stray ones do not set the scale.
        const auto rank = [&](double share) {
            const auto place = all.begin() + static_cast<std::ptrdiff_t>(share * double(all.size() - 1));
            std::nth_element(all.begin(), place, all.end());
            return *place;
        };
        low_ = show == Show::speed ? 0 : rank(0.01);
        high_ = rank(0.99);
        if (show == Show::strain) {
            high_ = std::max({std::abs(low_), std::abs(high_), 0.01f});
            low_ = -high_;
        }
        // A scale that changes with every frame is not read: only to two digits.
        const auto rounded = [](float value, bool up) {
            if (value == 0) return value;
            const float step = std::pow(10.0f, std::floor(std::log10(std::abs(value))) - 1) * 5;
            return step * (up ? std::ceil(value / step) : std::floor(value / step));
        };
        low_ = rounded(low_, false);
        high_ = rounded(high_, true);
        if (!(high_ > low_)) high_ = low_ + 1;
    }

    Frame frame_;
    std::vector<Vec3> colors_;
    float low_ = 0, high_ = 1;
    bool any_ = false;
};

// Cheaper to draw without a GPU: no refraction, no fibres, no shadows.
void simplify(View& view) {
    view.cascades = 1;
    // Lights from afar, which look the same but cast none.
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

const char* nameOf(Show show) {
    const char* names[kShows] = {"Look", "Speed", "Density", "Pressure", "Wetness", "Strain"};
    return names[static_cast<size_t>(show)];
}

const char* unitOf(Show show) {
    const char* units[kShows] = {"", "m/s", "kg/m³", "Pa", "", ""};
    return units[static_cast<size_t>(show)];
}

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
    // Made, used and undone on this thread: OpenGL's context is of one thread.
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
            if (of.show != Show::look) tinted.emplace(*of.moment, of.start.get(), of.show);
            static const std::vector<Vec3> kOwn;
            View view = arrange(tinted ? tinted->frame() : *of.moment->frame, of.moment->around, of.points || tinted,
                                tinted ? tinted->colors() : kOwn, foams);
            view.camera = of.camera;
            view.focus = of.focus;
            view.ground.visible = of.ground;
            view.ground.height = of.focus.empty() ? 0 : of.focus.low.y;
            if (of.detail == Detail::sketch) simplify(view);
            painting.picture = draw(renderer, width, height, view, of.width, of.height);
            if (tinted) {
                painting.low = tinted->low();
                painting.high = tinted->high();
                painting.hasValues = tinted->any();
            }
        } catch (const std::exception& error) { painting.error = error.what(); }
        painting.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        done_(std::move(painting));
    }
}

}  // namespace purl
