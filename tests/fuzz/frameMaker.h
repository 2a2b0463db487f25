// A frame made from bytes: any counts, channels there or not, any finite numbers, and names that are hard to spell.
#pragma once
#include <fuzzer/FuzzedDataProvider.h>

#include <climits>
#include <cmath>

#include "solver/frame.h"
#include "solver/geometry/wetting.h"
#include "tests/fuzz/fuzz.h"

namespace purl {

class FrameMaker {
  public:
    explicit FrameMaker(const Bytes& bytes) : bytes_(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()) {}

    Frame frame() {
        Frame frame;
        frame.time = 1;
        for (int bodies = upTo(2); bodies >= 0; --bodies) {
            BodyInfo body;
            body.name = name();
            body.spacing = 0.1f;
            body.supportRadius = 0.2f;
            frame.bodies.push_back(body);
        }
        points(frame.points, static_cast<int>(frame.bodies.size()));
        for (int meshes = upTo(2); meshes > 0; --meshes) frame.meshes.push_back(mesh());
        for (int knits = upTo(2); knits > 0; --knits) frame.curves.push_back(curves());
        return frame;
    }

  private:
    int upTo(int most) { return bytes_.ConsumeIntegralInRange(0, most); }
    bool maybe() { return bytes_.ConsumeBool(); }

    // Not empty: every node has a name.
    std::string name() {
        static const char kLetters[] = "abcXYZ019_:|\"'<>&\\/.- \n\xc3\xa4";
        std::string text(1, 'n');
        for (int count = upTo(6); count > 0; --count) text += kLetters[upTo(static_cast<int>(sizeof kLetters) - 2)];
        return text;
    }
    float number() {
        const auto value = static_cast<float>(bytes_.ConsumeFloatingPoint<float>());
        return std::isfinite(value) ? value : 0;
    }
    void make(float& value) { value = number(); }
    void make(Vec3& value) { value = {number(), number(), number()}; }
    // Numbers of things, from 0; -1: none. As doubles, which nCache makes of them, they are whole up to 2^53.
    void make(int& value) { value = bytes_.ConsumeIntegralInRange(-1, INT_MAX); }
    void make(int64_t& value) { value = bytes_.ConsumeIntegralInRange<int64_t>(-1, int64_t(1) << 53); }

    template <class T>
    void fill(Channel<T>& channel, size_t count) {
        std::vector<T> values(count);
        for (T& value : values) make(value);
        channel = std::move(values);
    }
    template <class Channels>
    void channels(Channels& all, size_t count) {
        Channels::channels(all, [&](const char*, auto& values, bool) {
            if (maybe()) fill(values, count);
        });
    }

    void points(Points& points, int bodies) {
        const auto count = static_cast<size_t>(upTo(12));
        channels(points, count);
        fill(points.positions, count);
        points.ids.edit().resize(count);
        points.bodies.edit().resize(count);
        for (size_t i = 0; i < count; ++i) {
            points.ids.edit()[i] = static_cast<int64_t>(i);
            points.bodies.edit()[i] = upTo(bodies - 1);
        }
    }

    Mesh mesh() {
        Mesh mesh;
        mesh.name = name();
        const auto count = static_cast<size_t>(upTo(9));
        channels(mesh, count);
        fill(mesh.positions, count);
        for (int faces = count ? upTo(6) : 0; faces > 0; --faces)
            for (int k = 0; k < 3; ++k) mesh.triangles.edit().push_back(upTo(static_cast<int>(count) - 1));
        mesh.kind = maybe() ? MeshKind::cloth : MeshKind::liquid;
        return mesh;
    }

    Curves curves() {
        Curves curves;
        curves.name = name();
        size_t count = 0;
        for (int yarns = upTo(3); yarns > 0; --yarns) {
            curves.counts.edit().push_back(2 + upTo(4));
            curves.ids.edit().push_back(upTo(100));
            curves.colors.edit().push_back({number(), number(), number()});
            count += static_cast<size_t>(curves.counts.back());
        }
        fill(curves.positions, count);
        fill(curves.velocities, count);
        fill(curves.widths, count);
        fill(curves.twists, count);
        fill(curves.courses, count);
        fill(curves.wales, count);
        return curves;
    }

    FuzzedDataProvider bytes_;
};

}  // namespace purl
