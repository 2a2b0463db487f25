// Frames with something in every channel.
#pragma once
#include <cstdint>
#include <string>

#include "solver/core/random.h"
#include "solver/frame.h"
#include "solver/geometry/wetting.h"

namespace purl {

inline Mesh tetrahedron(const std::string& name, uint64_t seed) {
    Mesh mesh;
    mesh.name = name;
    mesh.color = {0.25f, 0.5f, 0.75f};
    for (uint64_t i = 0; i < 4; ++i) {
        const auto value = [&](uint64_t k) { return randomUnit(seed, 100 * k + i) * 3 - 1; };
        mesh.positions.edit().push_back({value(0), value(1), value(2)});
        mesh.normals.edit().push_back({value(3), value(4), value(5)});
        mesh.velocities.edit().push_back({value(6), value(7), value(8)});
    }
    mesh.triangles = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    return mesh;
}

// Two liquids whose particles alternate, and a mesh.
inline Frame frameNumbered(int number, int particles = 20) {
    Frame frame;
    frame.time = (number - 1) / 24.0;
    frame.metersPerUnit = 0.01;
    frame.stateHash = 0xfeedfacecafe0000ull + static_cast<uint64_t>(number);
    frame.stats.steps = 10 + number;
    frame.stats.stepLength = 1.0 / 3 / (number + 0.5);
    frame.stats.maxSpeed = 0.1 * number;
    frame.bodies.push_back({"water", BodyKind::liquid, 998.29f, 2.1f, 4.05f, {0.1f, 0.2f, 0.3f}});
    frame.bodies.push_back({"scene:oil", BodyKind::liquid, 900, 2, 4, {0.7f, 0.6f, 0.1f}});
    Points& p = frame.points;
    for (int i = 0; i < particles; ++i) {
        const auto seed = static_cast<uint64_t>(number);
        const auto value = [&](int k) { return randomUnit(seed, static_cast<uint64_t>(100 * k + i)) * 200 - 100; };
        p.ids.edit().push_back(3 * i);
        p.bodies.edit().push_back(i % 2);
        p.positions.edit().push_back({value(0), value(1), value(2)});
        p.velocities.edit().push_back({value(3), value(4), value(5)});
        p.accelerations.edit().push_back({value(6), value(7), value(8)});
        p.normals.edit().push_back({value(9), value(10), value(11)});
        p.densities.edit().push_back(1000 + value(12));
        p.pressures.edit().push_back(value(13));
        p.radii.edit().push_back(1 + value(14) / 200);
        p.ages.edit().push_back(static_cast<float>(frame.time));
    }
    frame.meshes.push_back(tetrahedron("water", static_cast<uint64_t>(number)));
    return frame;
}

// Something in every channel that tells of wetting.
inline void wet(Wetting& wetting, size_t count, uint64_t seed) {
    uint64_t next = 0;
    Wetting::channels(wetting, [&](const char*, auto& channel, bool) {
        auto& values = channel.edit();
        values.resize(count);
        auto* numbers = reinterpret_cast<float*>(values.data());
        for (size_t i = 0; i < sizeof(values[0]) / sizeof(float) * count; ++i) numbers[i] = randomUnit(seed, ++next);
    });
}

// The same with what else a frame may hold: colours, a cloth of quads with texture coordinates, and yarns.
inline Frame everything(int number) {
    Frame frame = frameNumbered(number);
    const auto seed = static_cast<uint64_t>(number);
    const auto value = [&](uint64_t k) { return randomUnit(seed + 7, k) * 3 - 1; };
    const auto vector = [&](uint64_t k) { return Vec3{value(k), value(k + 1), value(k + 2)}; };
    for (size_t i = 0; i < frame.points.count(); ++i) {
        frame.points.colors.edit().push_back(vector(3 * i + 1000));
        frame.points.drops.knits.edit().push_back(static_cast<int>(i % 2) - 1);
        frame.points.drops.yarnIds.edit().push_back(static_cast<int>(i % 3) - 1);
        frame.points.drops.courses.edit().push_back(static_cast<int>(i) - 1);
        frame.points.drops.wales.edit().push_back(static_cast<int>(2 * i));
    }

    Mesh cloth;
    cloth.name = "cloth";
    cloth.kind = MeshKind::cloth;
    for (uint64_t i = 0; i < 6; ++i) {
        cloth.positions.edit().push_back(vector(3 * i));
        cloth.velocities.edit().push_back(vector(3 * i + 100));
        cloth.normals.edit().push_back(vector(3 * i + 200));
    }
    Faces faces;
    faces.counts = {4, 4};
    faces.corners = {0, 1, 4, 3, 1, 2, 5, 4};
    for (int i = 0; i < 8; ++i) {
        faces.u.edit().push_back(0.125f * static_cast<float>(i));
        faces.v.edit().push_back(1 - 0.0625f * static_cast<float>(i));
        faces.cornerUvs.edit().push_back(i);
    }
    takeFaces(cloth, faces);
    wet(cloth.wetting, cloth.positions.size(), seed);
    wet(frame.points.wetting, frame.points.count(), seed + 1);
    frame.meshes.push_back(cloth);

    Curves yarns;
    yarns.name = "jumper";
    yarns.plies = 3;
    yarns.counts = {5, 4};
    yarns.ids = {7, 9};
    yarns.colors = {{0.5f, 0.25f, 0.125f}, {1, 0, 0.5f}};
    for (uint64_t i = 0; i < 9; ++i) {
        yarns.positions.edit().push_back(vector(3 * i + 300));
        yarns.velocities.edit().push_back(vector(3 * i + 400));
        yarns.widths.edit().push_back(0.1f + 0.01f * value(i + 500));
        yarns.twists.edit().push_back(value(i + 600));
        yarns.courses.edit().push_back(static_cast<int>(i / 3) - 1);
        yarns.wales.edit().push_back(static_cast<int>(i));
    }
    wet(yarns.wetting, yarns.positions.size(), seed + 2);
    frame.curves.push_back(yarns);
    return frame;
}

}  // namespace purl
