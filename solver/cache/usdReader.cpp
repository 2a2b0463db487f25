#include "solver/cache/usdReader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "solver/cache/attributes.h"
#include "solver/cache/placement.h"
#include "solver/cache/points.h"
#include "solver/cache/usd.h"
#include "solver/cache/usdText.h"
#include "solver/cache/usdWords.h"
#include "solver/core/error.h"
#include "solver/core/math.h"

namespace purl {
using namespace usd;
namespace {

constexpr double kSlack = 1e-6;  // of time codes, for rounding

template <class T>
std::vector<T> numbersIn(std::string_view text, const std::string& name, const std::string& path) {
    constexpr std::string_view kBetween = "(), []\t\r\n";
    std::vector<T> values;
    if (text == "None") return values;
    const char* const end = text.data() + text.size();
    for (size_t at = text.find_first_not_of(kBetween); at < text.size(); at = text.find_first_not_of(kBetween, at)) {
        T value{};
        const auto [next, error] = std::from_chars(text.data() + at, end, value);
        if (error != std::errc()) throw Error(path + ": " + name + " has a value that is not a number of its type");
        values.push_back(value);
        at = static_cast<size_t>(next - text.data());
    }
    return values;
}

// The quoted texts of a list.
std::vector<std::string> textsIn(std::string_view list) {
    std::vector<std::string> texts;
    for (size_t at = list.find('"'); at < list.size(); at = list.find('"', at + 1)) {
        const size_t end = list.find('"', at + 1);
        if (end == std::string_view::npos) break;
        texts.emplace_back(list.substr(at + 1, end - at - 1));
        at = end;
    }
    return texts;
}

// The value that holds at a time: that of the last sample up to it, or the first.
std::string_view valueAt(const UsdProperty& property, double time) {
    const auto& samples = property.samples;
    if (samples.empty()) return property.value;
    const auto after = std::upper_bound(samples.begin(), samples.end(), time + kSlack,
                                        [](double t, const auto& sample) { return t < sample.first; });
    return after == samples.begin() ? after->second : std::prev(after)->second;
}

// The numbers at a time, between two samples if they have the same count.
template <class T>
std::vector<T> interpolated(const UsdProperty& property, double time, const std::string& path) {
    const auto& samples = property.samples;
    std::vector<T> values = numbersIn<T>(valueAt(property, time), property.name, path);
    const auto after = std::upper_bound(samples.begin(), samples.end(), time + kSlack,
                                        [](double t, const auto& sample) { return t < sample.first; });
    if (after == samples.begin() || after == samples.end()) return values;
    const double begin = std::prev(after)->first, share = (time - begin) / (after->first - begin);
    if (!(share > kSlack)) return values;
    const std::vector<T> next = numbersIn<T>(after->second, property.name, path);
    for (size_t i = 0; i < values.size() && next.size() == values.size(); ++i)
        values[i] += static_cast<T>(share) * (next[i] - values[i]);
    return values;
}

struct Shape {
    const UsdPrim* prim;
    Prim kind;
    std::vector<const UsdPrim*> above;  // outermost first
};

}  // namespace

struct UsdReader::Stage {
    std::string text, path;
    UsdLayer layer;
    std::vector<Shape> shapes;
    std::set<std::string> unread;
    double metersPerUnit = 0.01, fps = 24;  // USD's own defaults
    std::string upAxis = "Y";

    Stage(std::string all, std::string from) : text(std::move(all)), path(std::move(from)), layer(checked(), path) {
        number("metersPerUnit", metersPerUnit);
        number("timeCodesPerSecond", fps);
        if (!(metersPerUnit > 0) || !(metersPerUnit < 1e9)) throw Error(path + ": metersPerUnit must be above 0");
        if (!(fps > 0) || !(fps < 1e6)) throw Error(path + ": timeCodesPerSecond must be above 0");
        if (const auto axis = layer.root.about.find("upAxis"); axis != layer.root.about.end())
            upAxis = usdString(axis->second);
        std::vector<const UsdPrim*> above;
        walk(layer.root, above);
    }
    const std::string& checked() const {
        if (text.compare(0, 8, "PXR-USDC") == 0)
            throw Error(path + ": is a binary USD file, which cannot be read; convert it with usdcat -o NAME.usda");
        if (text.compare(0, 2, "PK") == 0)
            throw Error(path + ": is a USD package, which cannot be read; unpack it and convert it with usdcat");
        return text;
    }
    void number(const char* name, double& value) const {
        const auto found = layer.root.about.find(name);
        if (found == layer.root.about.end()) return;
        const std::vector<double> values = numbersIn<double>(found->second, name, path);
        if (!values.empty()) value = values[0];
    }

    void walk(const UsdPrim& prim, std::vector<const UsdPrim*>& above) {
        for (const char* arc : {"references", "payload", "subLayers", "inherits", "specializes"})
            if (prim.about.find(arc) != prim.about.end()) unread.insert(arc);
        if (prim.about.find("clips") != prim.about.end()) unread.insert("value clips");
        if (prim.hasVariants) unread.insert("variants");
        if (prim.type == "PointInstancer") unread.insert("instances");
        if (prim.specifier == "class" || prim.type == "PointInstancer") return;
        for (const Prim kind : {Prim::points, Prim::mesh, Prim::curves})
            if (prim.type == kPrims[static_cast<size_t>(kind)] && prim.specifier == "def")
                shapes.push_back({&prim, kind, above});
        above.push_back(&prim);
        for (const UsdPrim& child : prim.children) walk(child, above);
        above.pop_back();
    }

    std::vector<double> times() const {
        std::set<double> all;
        const auto add = [&](const UsdPrim& prim, bool shape) {
            for (const auto& [name, property] : prim.properties)
                if ((shape && name == "points") || name.compare(0, 8, "xformOp:") == 0)
                    for (const auto& [time, value] : property.samples) all.insert(time);
        };
        for (const Shape& shape : shapes) {
            add(*shape.prim, true);
            for (const UsdPrim* prim : shape.above) add(*prim, false);
        }
        if (all.empty() && !shapes.empty()) {
            double first = 1;
            number("startTimeCode", first);
            all.insert(first);
        }
        return {all.begin(), all.end()};
    }

    // ---- transforms ---------------------------------------------------------------------------------------------

    Placement operation(const UsdPrim& prim, const std::string& name, double time) const {
        const UsdProperty* property = prim.find(name);
        if (!property) return {};
        std::vector<double> v = interpolated<double>(*property, time, path);
        const std::string kind = name.substr(8, name.find(':', 8) - 8);  // xformOp:KIND[:suffix]
        const auto need = [&](size_t count) {
            if (v.size() != count) throw Error(path + ": " + name + " has " + std::to_string(v.size()) + " numbers");
        };
        if (kind == "translate") {
            need(3);
            return Placement::translation(v[0], v[1], v[2]);
        }
        if (kind == "scale") {
            need(3);
            return Placement::scaling(v[0], v[1], v[2]);
        }
        if (kind == "orient") {  // real part first
            need(4);
            const double size = std::sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
            return Placement::rotation(v[1], v[2], v[3], 2 * atan2(size, v[0]) * 57.29577951308232);
        }
        if (kind == "transform") {
            need(16);
            Placement p;
            for (size_t i = 0; i < 16; ++i) p.m[i / 4][i % 4] = v[i];
            return p;
        }
        Placement turned;
        if (kind.compare(0, 6, "rotate") == 0) {
            const std::string axes = kind.substr(6);  // "X", or "XYZ" in the order of application
            need(axes.size() == 1 ? 1 : 3);
            for (const char axis : axes) {
                const double angle = v[axes.size() == 1 ? 0 : static_cast<size_t>(std::clamp(axis - 'X', 0, 2))];
                turned = turned * Placement::rotation(axis == 'X', axis == 'Y', axis == 'Z', angle);
            }
        }
        return turned;
    }
    Placement placementAt(const Shape& shape, double time) const {
        constexpr std::string_view kInvert = "!invert!";
        Placement whole;
        const auto include = [&](const UsdPrim& prim) {
            const UsdProperty* order = prim.find("xformOpOrder");
            Placement local;
            bool reset = false;
            for (const std::string& word : order ? textsIn(order->value) : std::vector<std::string>()) {
                if (word == "!resetXformStack!") {
                    reset = true;
                    continue;
                }
                const bool invert = word.compare(0, kInvert.size(), kInvert) == 0;
                const std::string name = invert ? word.substr(kInvert.size()) : word;
                if (name.compare(0, 8, "xformOp:") != 0) continue;
                const Placement p = operation(prim, name, time);
                local = (invert ? p.inverse() : p) * local;
            }
            whole = reset ? local : local * whole;
        };
        for (const UsdPrim* prim : shape.above) include(*prim);
        include(*shape.prim);
        return whole;
    }

    // ---- arrays -------------------------------------------------------------------------------------------------

    template <class T>
    std::vector<T> list(const UsdPrim& prim, const std::string& name, double time) const {
        const UsdProperty* property = prim.find(name);
        if (!property) return {};
        return numbersIn<T>(valueAt(*property, time), name, path);
    }
    // Fills a channel of `count` elements. One value for all is repeated; values of faces and corners are left out.
    template <class T>
    void channel(const char* channelName, Channel<T>& shared, const Shape& shape, double time, size_t count) const {
        if (std::strcmp(channelName, "body") == 0) return;
        const std::string name = attributeName(channelName, shape.kind);
        const UsdProperty* property = shape.prim->find(name);
        if (!property) return;
        std::string shown;
        if (const auto found = property->about.find("interpolation"); found != property->about.end())
            shown = usdString(found->second);
        if (shown == "faceVarying") return;
        std::vector<T> values;
        if constexpr (std::is_same_v<T, Vec3>) {
            const std::vector<float> flat =
                name == "points" ? interpolated<float>(*property, time, path) : list<float>(*shape.prim, name, time);
            if (flat.size() % 3) throw Error(path + ": " + name + " does not contain vectors");
            values.resize(flat.size() / 3);
            if (!flat.empty()) std::memcpy(static_cast<void*>(values.data()), flat.data(), sizeof(float) * flat.size());
        } else {
            values = list<T>(*shape.prim, name, time);
        }
        if (name != "points" && values.size() != count) {
            if (values.size() == 1)
                values.assign(count, T(values[0]));
            else if (shown == "uniform")
                return;
        }
        shared = std::move(values);
    }

    std::string nameOf(const UsdPrim& prim) const {
        const UsdProperty* given = prim.find("purl:name");
        return given ? usdString(given->value) : prim.name;
    }
    Frame read(double time) const {
        Frame frame;
        frame.metersPerUnit = metersPerUnit;
        frame.time = time / fps;
        for (const Shape& shape : shapes) {
            if (const UsdProperty* simulated = shape.prim->find("purl:time")) {
                const std::vector<double> values = numbersIn<double>(simulated->value, "purl:time", path);
                if (!values.empty()) frame.time = values[0];
            }
            const Placement placement = placementAt(shape, time);
            switch (shape.kind) {
                case Prim::points: readPoints(frame, shape, time, placement); break;
                case Prim::mesh: readMesh(frame, shape, time, placement); break;
                case Prim::curves: readCurves(frame, shape, time, placement); break;
            }
        }
        return frame;
    }
    size_t countOf(const Shape& shape, double time) const {
        return list<float>(*shape.prim, "points", time).size() / 3;
    }

    void readPoints(Frame& frame, const Shape& shape, double time, const Placement& placement) const {
        Frame part;
        part.bodies.resize(1);
        part.bodies[0].name = nameOf(*shape.prim);
        const size_t count = countOf(shape, time);
        Points::channels(part.points,
                         [&](const char* name, auto& values, bool) { channel(name, values, shape, time, count); });
        if (part.points.radii.empty()) {
            Channel<float> widths;
            channel("width", widths, shape, time, count);
            for (float& width : widths.edit()) width /= 2;  // a diameter
            part.points.radii = std::move(widths);
        }
        checkCounts(part.points, path);
        part.points.bodies = std::vector<int>(part.points.count());
        apply(placement, part.points);
        if (frame.bodies.empty()) {
            frame.bodies = std::move(part.bodies);
            frame.points = std::move(part.points);
        } else {
            appendPoints(frame, part);
        }
    }

    void readMesh(Frame& frame, const Shape& shape, double time, const Placement& placement) const {
        Mesh mesh;
        mesh.name = nameOf(*shape.prim);
        const size_t count = countOf(shape, time);
        Mesh::channels(mesh, [&](const char* name, auto& values, bool) { channel(name, values, shape, time, count); });
        mesh.faces.counts = list<int>(*shape.prim, "faceVertexCounts", time);
        mesh.faces.corners = list<int>(*shape.prim, "faceVertexIndices", time);
        const std::vector<float> uvs = list<float>(*shape.prim, "primvars:st", time);
        std::vector<float> u, v;
        for (size_t i = 0; i + 1 < uvs.size(); i += 2) {
            u.push_back(uvs[i]);
            v.push_back(uvs[i + 1]);
        }
        mesh.faces.u = std::move(u);
        mesh.faces.v = std::move(v);
        mesh.faces.cornerUvs = list<int>(*shape.prim, "primvars:st:indices", time);
        if (mesh.faces.cornerUvs.empty() && mesh.faces.u.size() == mesh.faces.corners.size()) {
            std::vector<int> own(mesh.faces.corners.size());  // one of each corner, without shared ones
            for (size_t i = 0; i < own.size(); ++i) own[i] = static_cast<int>(i);
            mesh.faces.cornerUvs = std::move(own);
        }
        checkCounts(mesh, path);
        if (const UsdProperty* side = shape.prim->find("orientation"); side && usdString(side->value) == "leftHanded")
            reverseFaces(mesh.faces);
        takeFaces(mesh, Faces(mesh.faces));
        apply(placement, mesh);
        frame.meshes.push_back(std::move(mesh));
    }

    void readCurves(Frame& frame, const Shape& shape, double time, const Placement& placement) const {
        Curves curves;
        curves.name = nameOf(*shape.prim);
        if (const UsdProperty* plies = shape.prim->find("purl:plies")) {
            const std::vector<int> values = numbersIn<int>(plies->value, "purl:plies", path);
            if (!values.empty()) curves.plies = values[0];
        }
        curves.counts = list<int>(*shape.prim, "curveVertexCounts", time);
        const size_t count = countOf(shape, time);
        Curves::channels(curves,
                         [&](const char* name, auto& values, bool) { channel(name, values, shape, time, count); });
        Curves::yarnChannels(curves, [&](const char* name, auto& values, bool) {
            channel(name, values, shape, time, curves.counts.size());
        });
        completeYarns(curves);
        checkCounts(curves, path);
        apply(placement, curves);
        frame.curves.push_back(std::move(curves));
    }
};

UsdReader::UsdReader(std::string text, std::string path)
    : stage_(std::make_unique<Stage>(std::move(text), std::move(path))) {}
UsdReader::~UsdReader() = default;

double UsdReader::fps() const { return stage_->fps; }
std::string UsdReader::upAxis() const { return stage_->upAxis; }
std::vector<double> UsdReader::times() const { return stage_->times(); }
Frame UsdReader::read(double time) const { return stage_->read(time); }
std::vector<std::string> UsdReader::unread() const { return {stage_->unread.begin(), stage_->unread.end()}; }

Frame decodeUsd(const std::string& text, const std::string& path) {
    const UsdReader reader(text, path);
    const std::vector<double> times = reader.times();
    if (times.empty()) throw Error(path + ": contains no BasisCurves, Mesh or Points");
    Frame frame = reader.read(times.front());
    return frame;
}

}  // namespace purl
