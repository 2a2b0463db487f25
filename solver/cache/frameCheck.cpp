#include "solver/cache/frameCheck.h"

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "solver/core/error.h"

namespace purl {
namespace {

// No early exit, so that the loops vectorize.
bool allFinite(const std::vector<float>& values) {
    bool finite = true;
    for (const float value : values) finite &= isFinite(value);
    return finite;
}
bool allFinite(const std::vector<Vec3>& values) {
    bool finite = true;
    for (const Vec3 value : values) {
        finite &= isFinite(value.x);
        finite &= isFinite(value.y);
        finite &= isFinite(value.z);
    }
    return finite;
}
template <class Whole>
bool allFinite(const std::vector<Whole>&) {
    static_assert(std::is_integral_v<Whole>);
    return true;
}

template <class Value>
size_t firstNotFinite(const std::vector<Value>& values) {
    size_t i = 0;
    if constexpr (!std::is_integral_v<Value>)
        while (isFinite(values[i])) ++i;
    return i;
}

[[noreturn]] void refuse(const std::string& name, const std::string& what, int frameNumber) {
    throw Error(name + ": " + what + " is not finite in frame " + std::to_string(frameNumber) +
                "; the frame was not written; a smaller maxTimeStep helps");
}

}  // namespace

void checkFinite(const Frame& frame, int frameNumber) {
    const auto check = [&](const std::string& channel, const auto& values, const auto& nameOf) {
        if (allFinite(values)) return;
        const size_t i = firstNotFinite(values);
        refuse(nameOf(i), channel + " of point " + std::to_string(i), frameNumber);
    };
    Points::channels(frame.points, [&](const char* channel, const auto& values, bool) {
        check(channel, values, [&](size_t i) {
            const std::vector<int>& bodies = frame.points.bodies;
            return i < bodies.size() ? frame.bodies[bodies[i]].name : std::string("points");
        });
    });
    for (const Mesh& mesh : frame.meshes)
        Mesh::channels(mesh, [&](const char* channel, const auto& values, bool) {
            check(channel, values, [&](size_t) { return mesh.name; });
        });
    for (const Curves& curves : frame.curves) {
        const auto visit = [&](const char* channel, const auto& values, bool) {
            check(channel, values, [&](size_t) { return curves.name; });
        };
        Curves::channels(curves, visit);
        Curves::yarnChannels(curves, visit);
    }
    for (const Rigid& rigid : frame.rigids)
        if (!isFinite(rigid.position) || !isFinite(rigid.axes.x) || !isFinite(rigid.axes.y) || !isFinite(rigid.axes.z))
            refuse(rigid.name, "its pose", frameNumber);
    FrameStats::fields(frame.stats, [&](const char* field, auto value) {
        if (!std::isfinite(static_cast<double>(value))) refuse("solver", field, frameNumber);
    });
}

}  // namespace purl
