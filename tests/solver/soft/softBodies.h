// Small soft bodies for tests.
#pragma once
#include "solver/cache/stateFile.h"
#include "solver/simulator.h"
#include "solver/soft/soft.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl::test {

inline SoftBody cloudOf(const std::vector<Vec3>& points, float spacing, const std::string& name = "body") {
    SoftBody body;
    body.name = name;
    body.points = points;
    body.params.spacing = spacing;
    body.params.damping = 0;
    return body;
}

// n × n × n points.
inline SoftBody block(int n, float spacing, Vec3 low = {}, const std::string& name = "body") {
    return cloudOf(lattice(n, n, n, spacing, low), spacing, name);
}

inline SoftBody bodyOf(const TriangleMesh& mesh, const std::string& name = "body") {
    SoftBody body;
    body.name = name;
    body.points = mesh.vertices;
    body.faces.corners = mesh.triangles;
    body.faces.counts.edit().assign(mesh.triangles.size() / 3, 3);
    return body;
}

inline Scene softScene(const SoftBody& body, float gravity = 0) {
    Scene scene;
    scene.solver.gravity = gravity;
    scene.softBodies.push_back(body);
    return scene;
}

inline Collider floorAt(float height, float friction = 0.5f) {
    Collider floor;
    floor.name = "floor";
    floor.params.shape = ColliderShape::plane;
    floor.params.friction = friction;
    floor.pose.position = {0, height, 0};
    return floor;
}

// Steps of exactly dt seconds.
inline void stepsOf(Scene& scene, float dt, int iterations = 1) {
    for (SoftBody& body : scene.softBodies) {
        body.params.maxTimeStep = dt;
        body.params.iterations = iterations;
    }
}

// The start state with every point moved to positionOf(x).
template <class PositionOf>
State deformed(const Scene& scene, const PositionOf& positionOf) {
    Simulator simulator(oneThread());
    simulator.reset(scene);
    State state = simulator.state();
    for (Vec3& x : state.soft.x) x = positionOf(x);
    return state;
}

inline Vec3 meanOf(const Buffer<Vec3>& values, int first = 0, int count = -1) {
    double sum[3] = {};
    const int end = count < 0 ? values.size() : first + count;
    for (int i = first; i < end; ++i)
        for (int k = 0; k < 3; ++k) sum[k] += double(values[i][k]);
    const double n = end - first;
    return {float(sum[0] / n), float(sum[1] / n), float(sum[2] / n)};
}

// Advances frame by frame to `time`, s.
inline const Frame& playTo(Simulator& simulator, const Scene& scene, double time, double fps = 24) {
    const int first = static_cast<int>(simulator.state().time * fps + 0.5);
    for (int frame = first + 1; frame <= static_cast<int>(time * fps + 0.5); ++frame)
        simulator.advanceTo(scene, frame / fps);
    return simulator.frame();
}

}  // namespace purl::test
