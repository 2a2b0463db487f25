#include "solver/makeFrame.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "solver/cloth/tear.h"
#include "solver/colliders/rigid.h"
#include "solver/core/forEach.h"
#include "solver/core/math.h"
#include "solver/core/sort.h"
#include "solver/fluid/material.h"
#include "solver/soft/displaySurface.h"
#include "solver/soft/soft.h"
#include "solver/wet/appearance.h"

namespace purl {
namespace {

// order[k] is the particle with the k-th smallest id.
Buffer<int> orderOfIds(const State& state) {
    const Buffer<int64_t>& id = state.particles.id;
    // Not the device's own host, whose loops stop when a run is cancelled: the frame is rebuilt after that, too.
    const Device host = Device::cpu(id.device().threads());
    Buffer<uint64_t> keys(host, id.size());
    Buffer<int> order(host, id.size());
    for (int i = 0; i < id.size(); ++i) {
        keys[i] = static_cast<uint64_t>(id[i]);
        order[i] = i;
    }
    int bits = 1;
    while (bits < 63 && (int64_t(1) << bits) < state.nextId) ++bits;
    sortByKey(keys, order, bits);
    return order;
}

std::vector<BodyInfo> bodiesOf(const Scene& scene) {
    std::vector<BodyInfo> bodies;
    for (const Fluid& fluid : scene.fluids) {
        BodyInfo body;
        body.name = fluid.name;
        body.kind = fluid.params.kind == FluidKind::gas ? BodyKind::gas : BodyKind::liquid;
        body.restDensity = fluid.params.restDensity;
        body.spacing = fluid.params.particleSpacing;
        body.supportRadius = static_cast<float>(supportRadius(scene, fluid.params));
        body.color = fluid.params.color;
        body.opacity = fluid.params.opacity;
        body.dispersion = fluid.params.dispersion;
        bodies.push_back(body);
    }
    return bodies;
}

FrameStats statsOf(const Points& points, const Scene& scene) {
    FrameStats stats;
    if (points.count() == 0) return stats;
    for (size_t i = 0; i < points.count(); ++i) {
        const FluidParams& params = scene.fluids[static_cast<size_t>(points.bodies[i])].params;
        const double compression = double(points.densities[i]) / params.restDensity;
        const double speed = length(points.velocities[i]);
        stats.meanCompression += compression;
        stats.maxCompression = std::max(stats.maxCompression, compression);
        stats.compressedShare += compression > 1.01 ? 1 : 0;
        stats.densityError += 100 * std::max(0.0, compression - 1);
        stats.maxSpeed = std::max(stats.maxSpeed, speed);
        stats.kineticEnergy += 0.5 * particleMass(params, scene.solver.dimensions) * speed * speed;
    }
    stats.meanCompression /= double(points.count());
    stats.compressedShare /= double(points.count());
    stats.densityError /= double(points.count());
    return stats;
}

// Fastest vertex of meshes or yarns, m/s.
template <class Shapes>
double fastestVertex(const Shapes& shapes) {
    double fastest = 0;
    for (const auto& shape : shapes)
        for (const Vec3 v : shape.velocities) fastest = std::max(fastest, double(length(v)));
    return fastest;
}

// Adds the poses and outlines of rigid bodies.
void addRigids(const State& state, const Scene& scene, Frame& frame) {
    for (size_t i = 0; i < scene.colliders.size() && i < state.colliders.size(); ++i) {
        const ColliderPlace& place = state.colliders[i];
        if (!isRigid(scene.colliders[i]) || !place.rigid) continue;
        Collider collider = scene.colliders[i];
        collider.pose = place.pose;
        collider.mesh.vertices = place.vertices;
        TriangleMesh outline = outlineOf(collider);
        Mesh solid;
        solid.name = collider.name;
        solid.kind = MeshKind::solid;
        solid.triangles = std::move(outline.triangles);
        std::vector<Vec3> velocities;
        velocities.reserve(outline.vertices.size());
        for (const Vec3 vertex : outline.vertices)
            velocities.push_back(place.velocity + cross(place.spin, vertex - place.pose.position));
        solid.velocities = std::move(velocities);
        solid.positions = std::move(outline.vertices);
        frame.meshes.push_back(std::move(solid));
        Rigid rigid{collider.name, place.pose.position, place.pose.axes};
        if (collider.params.shape == ColliderShape::mesh) {
            const Pose& start = state.shapes[i].pose;
            rigid.axes = place.pose.axes * transposed(start.axes);
            rigid.position = place.pose.position - rigid.axes * start.position;
        }
        frame.rigids.push_back(std::move(rigid));
    }
}

std::vector<Mesh> clothsOf(const State& state, const Scene& scene) {
    std::vector<Mesh> cloths;
    const ClothPoints& points = state.cloth;
    int first = 0;
    for (size_t c = 0; c < scene.cloths.size(); ++c) {
        const Cloth& cloth = scene.cloths[c];
        const int end = first + points.counts[static_cast<int>(c)];
        Mesh mesh;
        mesh.name = cloth.name;
        mesh.kind = MeshKind::cloth;
        mesh.color = cloth.params.color;
        mesh.positions = std::vector<Vec3>(points.x.begin() + first, points.x.begin() + end);
        mesh.velocities = std::vector<Vec3>(points.v.begin() + first, points.v.begin() + end);
        mesh.faces = tornFaces(cloth, points, static_cast<int>(c));
        mesh.triangles = triangulate(mesh.faces);
        cloths.push_back(std::move(mesh));
        first = end;
    }
    return cloths;
}

// Without interior points; a point cloud has no faces.
std::vector<Mesh> softBodiesOf(const State& state, const Scene& scene) {
    std::vector<Mesh> bodies;
    for (int b = 0; b < state.soft.bodies() && b < static_cast<int>(scene.softBodies.size()); ++b) {
        const SoftBody& body = scene.softBodies[static_cast<size_t>(b)];
        const SoftRange range = softRange(state, scene, b);
        Mesh mesh;
        mesh.name = body.name;
        mesh.kind = MeshKind::softBody;
        mesh.color = body.params.color;
        mesh.positions =
            displaySurface(state.soft.x.device(), body, {state.soft.rest.data() + range.first, range.vertices},
                           {state.soft.x.data() + range.first, range.vertices});
        const Vec3* const v = state.soft.v.begin() + range.first;
        mesh.velocities = std::vector<Vec3>(v, v + range.vertices);
        mesh.triangles = triangulate(body.faces);
        mesh.faces = body.faces;
        bodies.push_back(std::move(mesh));
    }
    return bodies;
}

// Sets the stitches that drops fell from.
void setDropOrigins(const Scene& scene, const Scene& simulated, const Knits& knits, Frame& frame) {
    Points& points = frame.points;
    if (points.sources.empty() || frame.curves.empty()) return;
    struct Place {
        int knit = -1;
        StitchPlace stitch;
    };
    std::vector<Place> cells;  // one per cloth point
    for (const Cloth& cloth : simulated.cloths) {
        const size_t first = cells.size();
        cells.resize(first + cloth.points.size());
        for (size_t k = 0; k < frame.curves.size(); ++k) {
            if (frame.curves[k].name != cloth.name) continue;
            const std::vector<StitchPlace> stitches = knits.fabric(k).stitches();
            for (size_t i = 0; i < stitches.size(); ++i)
                cells[first + static_cast<size_t>(cloth.middle()) + i] = {static_cast<int>(k), stitches[i]};
        }
    }
    std::vector<int> dropKnits, yarnIds, courses, wales;
    for (std::vector<int>* channel : {&dropKnits, &yarnIds, &courses, &wales}) channel->reserve(points.count());
    for (size_t i = 0; i < points.count(); ++i) {
        const Fluid& fluid = scene.fluids[static_cast<size_t>(points.bodies[i])];
        // Source indices count the fluid's volumes, then its emitters, then the cells of fabrics.
        const auto cell = static_cast<size_t>(points.sources[i]) - fluid.volumes.size() - fluid.emitters.size();
        const Place place = cell < cells.size() ? cells[cell] : Place();
        dropKnits.push_back(place.knit);
        yarnIds.push_back(place.stitch.yarnId);
        courses.push_back(place.stitch.course);
        wales.push_back(place.stitch.wale);
    }
    points.drops = {std::move(dropKnits), std::move(yarnIds), std::move(courses), std::move(wales)};
}

// Adds the water in fabrics and its mass balance.
void addWater(const State& state, const Scene& scene, const Scene& simulated, const Knits& knits, WetFabrics& wet,
              Frame& frame) {
    if (state.wet.count() == 0) return;
    wet.set(simulated, state);
    if (wet.empty()) return;
    for (int c = 0; c < static_cast<int>(simulated.cloths.size()); ++c) {
        const Cloth& cloth = simulated.cloths[static_cast<size_t>(c)];
        const Wetting wetting = wet.wettingOf(state, simulated, c);
        const std::vector<float> stain = wet.stainOf(state, simulated, c);
        if (wetting.empty()) continue;
        for (Mesh& mesh : frame.meshes) {
            if (mesh.kind != MeshKind::cloth || mesh.name != cloth.name) continue;
            mesh.wetting = wetting;
            std::vector<Vec3> colors;
            colors.reserve(stain.size());
            for (size_t i = 0; i < stain.size(); ++i)
                colors.push_back(
                    wetColor(cloth.pores.params, cloth.params.color, wetting.wetness[i], stain[i], wetting.dye[i]));
            mesh.colors = std::move(colors);
        }
        for (size_t k = 0; k < frame.curves.size(); ++k) {
            if (frame.curves[k].name != cloth.name) continue;
            const auto onYarn = [&](const auto& values) {
                using T = typename std::decay_t<decltype(values)>::value_type;
                return knits.fabric(k).onYarn(Span<const T>{values.data(), static_cast<int>(values.size())});
            };
            wetYarn(cloth.pores.params,
                    {onYarn(wetting.wetness), onYarn(wetting.filmThickness), onYarn(wetting.timeSinceWet),
                     onYarn(wetting.dye)},
                    onYarn(stain), frame.curves[k]);
        }
    }
    FrameStats& stats = frame.stats;
    stats.absorbed = state.wet.absorbed;
    stats.dripped = state.wet.dripped;
    stats.emitted -= state.wet.dripped;
    stats.liquidMass = WetFabrics::liquidMass(state, scene);
    stats.fabricMass = wet.fabricMass(state);
    stats.evaporatedMass = state.wet.evaporated;
    stats.suppliedMass = state.wet.supplied;
    stats.drainedMass = state.wet.drained;
    setDropOrigins(scene, simulated, knits, frame);
}

}  // namespace

Points pointsOf(const State& state, const std::vector<BodyInfo>& bodies) {
    const Particles& particles = state.particles;
    const int count = particles.count();
    const Buffer<int> order = orderOfIds(state);
    Points points;
    const Device host = order.device();
    const auto gather = [&](auto& to, const auto& from) {
        std::vector<typename std::decay_t<decltype(to)>::value_type> values(static_cast<size_t>(count));
        forEachChunk(host, "gatherPoints", count, 1024, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) values[static_cast<size_t>(i)] = from[order[i]];
        });
        to = std::move(values);
    };
    gather(points.ids, particles.id);
    gather(points.bodies, particles.body);
    gather(points.positions, particles.x);
    gather(points.velocities, particles.v);
    if (!particles.source.empty()) {
        gather(points.sources, particles.source);
        gather(points.restPositions, particles.rest);
    }
    gather(points.accelerations, particles.a);
    gather(points.normals, particles.normal);
    gather(points.densities, particles.density);
    gather(points.pressures, particles.pressure);
    // Total pressure of dfsph's two solvers.
    if (!particles.divergencePressure.empty()) {
        std::vector<float>& pressures = points.pressures.edit();
        for (int i = 0; i < particles.divergencePressure.size(); ++i)
            pressures[static_cast<size_t>(i)] += particles.divergencePressure[order[i]];
    }
    gather(points.ages, particles.birth);
    for (float& age : points.ages.edit()) age = static_cast<float>(state.time) - age;
    if (particles.color.width == 3) {
        const Buffer<float>& values = particles.color.values;
        std::vector<Vec3> colors(static_cast<size_t>(count));
        for (int i = 0; i < count; ++i) {
            const int from = 3 * order[i];
            colors[static_cast<size_t>(i)] = {values[from], values[from + 1], values[from + 2]};
        }
        points.colors = std::move(colors);
    }

    if (const WideChannel& soaking = particles.soaking; soaking.width > 0) {
        const auto value = [&](int i, int what) { return soaking.values[soaking.width * order[i] + what]; };
        std::vector<float> wetness, filmThickness, timeSinceWet;
        for (std::vector<float>* channel : {&wetness, &filmThickness, &timeSinceWet})
            channel->reserve(static_cast<size_t>(count));
        for (int i = 0; i < count; ++i) {
            wetness.push_back(value(i, kWetness));
            filmThickness.push_back(value(i, kFilm));
            const float at = value(i, kTouched);
            timeSinceWet.push_back(at > 0 ? static_cast<float>(state.time) - at : -1);
        }
        points.wetting = {std::move(wetness), std::move(filmThickness), std::move(timeSinceWet), {}};
    }

    std::vector<float> radii(points.count());
    const auto setRadius = [&](size_t i) {
        const BodyInfo& body = bodies[static_cast<size_t>(points.bodies[i])];
        double mass = double(body.restDensity) * body.spacing * body.spacing * body.spacing;
        // Without the mass that a fabric has already absorbed.
        if (particles.soaking.width > 0)
            mass = std::max(
                0.0,
                mass - double(particles.soaking.values[particles.soaking.width * order[static_cast<int>(i)] + kGiven]));
        // The sphere that holds the particle's mass at its density: r = ∛(3 m / (4π ρ))   Kelager 5.19
        const double density = points.densities[i] > 0 ? double(points.densities[i]) : kUnbounded;
        radii[i] = static_cast<float>(cbrt(3 * mass / (4 * kPi * density)));
    };
    forEachChunk(host, "setRadii", count, 256, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) setRadius(static_cast<size_t>(i));
    });
    points.radii = std::move(radii);
    return points;
}

Frame makeFrame(const State& from, const Scene& scene, const Scene& simulated, const Knits& knits, WetFabrics& wet) {
    const StateOnHost onHost(from);  // parts of the frame are made in parallel, but a device serves one thread
    const State& state = onHost.state();
    Frame frame;
    addRigids(state, scene, frame);
    for (Mesh& cloth : clothsOf(state, scene)) frame.meshes.push_back(std::move(cloth));
    for (Mesh& body : softBodiesOf(state, scene)) frame.meshes.push_back(std::move(body));
    frame.time = state.time;
    frame.bodies = bodiesOf(scene);
    // These parts are independent and run in parallel. The hash is serial, so it starts first.
    const std::function<void()> parts[] = {
        [&] { frame.stateHash = hashOf(state); },
        [&] {
            frame.points = pointsOf(state, frame.bodies);
            frame.stats = statsOf(frame.points, scene);
        },
        [&] { frame.curves = knits.makeCurves(state, scene); },
    };
    forEachChunk(state.particles.x.device().host(), "makeParts", static_cast<int>(std::size(parts)), 1,
                 [&](int part, int) { parts[part](); });
    frame.stats.maxSpeed = std::max(frame.stats.maxSpeed, fastestVertex(frame.meshes));
    frame.stats.emitted = state.nextId - state.filled;
    frame.stats.killed = state.killed;
    frame.stats.maxSpeed = std::max(frame.stats.maxSpeed, fastestVertex(frame.curves));
    addWater(state, scene, simulated, knits, wet, frame);
    return frame;
}

}  // namespace purl
