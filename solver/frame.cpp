#include "solver/frame.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace purl {

const char* kindName(BodyKind kind) {
    constexpr const char* kNames[] = {"liquid", "gas", "foam"};
    return kNames[static_cast<int>(kind)];
}

void takeFaces(Mesh& mesh, Faces faces) {
    if (faces.cornerUvs.size() != faces.corners.size()) {
        faces.cornerUvs = {};
        faces.u = faces.v = {};
    }
    mesh.triangles = triangulate(faces);
    const bool plain = std::all_of(faces.counts.begin(), faces.counts.end(), [](int count) { return count == 3; });
    mesh.faces = plain && faces.cornerUvs.empty() ? Faces{} : std::move(faces);
}

void complete(Frame& frame) {
    const auto deferred = std::exchange(frame.deferred, {});
    for (const std::function<void(Frame&)>& make : deferred) make(frame);
}

Frame inUnits(Frame frame, double metersPerUnit) {
    if (frame.metersPerUnit == metersPerUnit) return frame;
    const auto scale = static_cast<float>(frame.metersPerUnit / metersPerUnit);
    const auto scaleLength = [&](const char*, auto& channel, bool isLength) {
        using Value = typename std::remove_reference_t<decltype(channel)>::value_type;
        if constexpr (!std::is_integral_v<Value>)
            if (isLength && !channel.empty())
                for (Value& value : channel.edit()) value = value * scale;
    };
    Points::channels(frame.points, scaleLength);
    for (Mesh& mesh : frame.meshes) Mesh::channels(mesh, scaleLength);
    for (Curves& curves : frame.curves) Curves::channels(curves, scaleLength);
    for (Rigid& rigid : frame.rigids) rigid.position = rigid.position * scale;
    for (BodyInfo& body : frame.bodies) {
        body.spacing *= scale;
        body.supportRadius *= scale;
    }
    frame.metersPerUnit = metersPerUnit;
    return frame;
}

Points pointsOf(const Frame& frame, int body) {
    const std::vector<int>& bodies = frame.points.bodies;
    std::vector<size_t> chosen;
    for (size_t i = 0; i < bodies.size(); ++i)
        if (bodies[i] == body) chosen.push_back(i);
    if (chosen.size() == frame.points.count()) return frame.points;

    Points some;
    forEachChannel(some, frame.points, [&](auto& to, const auto& from) {
        if (from.empty()) return;
        const auto& all = from.vector();
        std::decay_t<decltype(all)> values;
        values.reserve(chosen.size());
        for (const size_t i : chosen) values.push_back(all[i]);
        to = std::move(values);
    });
    return some;
}

void appendPoints(Frame& whole, const Frame& part) {
    const size_t before = whole.points.count(), after = before + part.points.count();
    const int firstBody = static_cast<int>(whole.bodies.size());
    whole.bodies.insert(whole.bodies.end(), part.bodies.begin(), part.bodies.end());

    if (after == before) return;
    Points added = part.points;
    std::vector<int>& bodies = added.bodies.edit();
    bodies.resize(added.count());
    for (int& body : bodies) body += firstBody;

    forEachChannel(whole.points, added, [&](auto& to, const auto& from) {
        if (to.empty() && from.empty()) return;
        if (before == 0 && from.size() == after) {
            to = from;
            return;
        }
        std::decay_t<decltype(from.vector())> values;
        values.reserve(after);
        values.assign(to.begin(), to.end());
        values.resize(before);
        values.insert(values.end(), from.begin(), from.end());
        values.resize(after);
        to = std::move(values);
    });
}

std::vector<Vec3> colorsOf(const Frame& frame, const Points& points) {
    if (!points.colors.empty()) return points.colors;
    std::vector<Vec3> colors(points.count(), BodyInfo().color);
    for (size_t i = 0; i < points.bodies.size(); ++i) {
        const auto body = static_cast<size_t>(points.bodies[i]);
        if (body < frame.bodies.size()) colors[i] = frame.bodies[body].color;
    }
    return colors;
}

int findBody(const Frame& frame, const std::string& name) {
    for (size_t i = 0; i < frame.bodies.size(); ++i)
        if (frame.bodies[i].name == name) return static_cast<int>(i);
    return -1;
}

}  // namespace purl
