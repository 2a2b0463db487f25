#include "solver/coupling/deformingColliders.h"

#include <algorithm>
#include <utility>

#include "solver/core/downloads.h"
#include "solver/core/hostView.h"

namespace purl {
namespace {

Channel<Vec3> pointsOf(const Buffer<Vec3>& x, const DeformingCollider& one) {
    const HostReader<Vec3> own = readOnHost(x.device(), Span<const Vec3>{x.data() + one.first, one.count});
    return std::vector<Vec3>(own.begin(), own.end());
}

void update(const State& state, const std::vector<DeformingCollider>& all, StepColliders& colliders) {
    if (all.empty()) return;
    Downloads positions(state.cloth.x.device());
    std::vector<std::vector<Vec3>> vertices;
    for (const DeformingCollider& one : all) {
        const Buffer<Vec3>& x = one.isCloth ? state.cloth.x : state.soft.x;
        vertices.emplace_back(static_cast<size_t>(one.count));
        positions.add(vertices.back().data(), Span<const Vec3>{x.data() + one.first, one.count});
    }
    positions.wait();
    for (size_t k = 0; k < all.size(); ++k) colliders[all[k].collider].after.vertices = std::move(vertices[k]);
}

// Finds the triangles around each point, in CSR layout.
void findFans(const std::vector<int>& corners, DeformingCollider& cloth) {
    cloth.fanStarts.assign(static_cast<size_t>(cloth.count) + 1, 0);
    for (const int corner : corners) ++cloth.fanStarts[corner + 1];
    for (size_t i = 1; i < cloth.fanStarts.size(); ++i) cloth.fanStarts[i] += cloth.fanStarts[i - 1];
    cloth.fans.resize(corners.size());
    std::vector<int> next = cloth.fanStarts;
    for (size_t k = 0; k < corners.size(); ++k) cloth.fans[next[corners[k]]++] = static_cast<int>(k / 3);
}

// Adds the points of `one` to the list; returns their index there.
template <class Params>
int addCollider(const DeformingCollider& one, const std::string& name, const Params& params, const Faces& faces,
                const State& state, StepColliders& colliders) {
    StepCollider collider;
    collider.name = name;
    collider.params.shape = ColliderShape::mesh;
    collider.params.motion = ColliderMotion::dynamic;
    collider.params.friction = std::min(1.0f, params.friction);
    collider.params.thickness = 0.5f * params.thickness;
    collider.triangles = triangulate(faces);
    collider.before.vertices = collider.after.vertices = pointsOf(one.isCloth ? state.cloth.x : state.soft.x, one);
    collider.start.vertices = pointsOf(one.isCloth ? state.cloth.rest : state.soft.rest, one);
    colliders.add(std::move(collider));
    return colliders.count() - 1;
}

// Returns its index among the placed colliders.
int addPlaced(int collider, std::vector<int>& placed) {
    placed.push_back(collider);
    return static_cast<int>(placed.size()) - 1;
}

void addCloth(DeformingCollider one, const Cloth& cloth, const State& state, StepColliders& colliders) {
    one.contact = cloth.params.fluidContact;
    if (one.contact == FluidContact::none) return;
    one.pushed = cloth.params.fluidPush;
    one.collider = addCollider(one, cloth.name, cloth.params, cloth.facesOfLayer(), state, colliders);
    if (one.contact == FluidContact::surface) one.placed = addPlaced(one.collider, colliders.forFluids);
    findFans(colliders[one.collider].triangles, one);
    colliders.deforming.push_back(std::move(one));
}

// Fluids collide with the surface of a soft body, or with all of its points.
void addSoftBody(DeformingCollider one, const SoftBody& body, int dimensions, const State& state,
                 StepColliders& colliders) {
    one.contact = body.params.fluidContact;
    // In two dimensions the surface of a flat body does not intersect the plane; a point cloud has no surface.
    if (one.contact == FluidContact::surface && (body.faces.empty() || dimensions == 2))
        one.contact = FluidContact::points;
    if (one.contact == FluidContact::none) return;
    if (one.contact == FluidContact::surface) one.count = static_cast<int>(body.points.size());
    one.pushed = body.params.fluidPush;
    one.collider = addCollider(one, body.name, body.params, body.faces, state, colliders);
    if (one.contact == FluidContact::surface) one.placed = addPlaced(one.collider, colliders.forFluids);
    colliders.deforming.push_back(std::move(one));
}

}  // namespace

void addDeformingColliders(const Scene& scene, const State& state, StepColliders& colliders) {
    const bool fluids = !scene.fluids.empty(), space = scene.solver.dimensions == 3;
    DeformingCollider one;
    // Not in two dimensions: volumes there are per metre of depth, which a sheet does not have.
    for (const Cloth& cloth : scene.cloths) {
        DeformingCollider layer = one;
        layer.first = one.first + cloth.middle();
        layer.count = cloth.pointsOfLayer();
        if (fluids && space) addCloth(std::move(layer), cloth, state, colliders);
        one.first += static_cast<int>(cloth.points.size());
    }
    one.isCloth = false;
    one.first = 0;
    for (size_t b = 0; b < scene.softBodies.size(); ++b) {
        const SoftBody& body = scene.softBodies[b];
        one.count = state.soft.counts[static_cast<int>(b)];
        const size_t before = colliders.deforming.size();
        if (fluids) addSoftBody(one, body, scene.solver.dimensions, state, colliders);
        if (!scene.cloths.empty() && space && body.params.bodyCollision && !body.faces.empty()) {
            DeformingCollider surface = one;
            surface.count = static_cast<int>(body.points.size());
            // Shared with the fluids, if they collide with the surface too.
            const bool known = colliders.deforming.size() > before && colliders.deforming.back().placed >= 0;
            surface.collider = known ? colliders.deforming.back().collider
                                     : addCollider(surface, body.name, body.params, body.faces, state, colliders);
            surface.placed = addPlaced(surface.collider, colliders.forCloths);
            colliders.softBodies.push_back(std::move(surface));
        }
        one.first += one.count;
    }
}

void updateDeformingColliders(const State& state, StepColliders& colliders) {
    update(state, colliders.deforming, colliders);
}

void updateSoftColliders(const State& state, StepColliders& colliders) {
    update(state, colliders.softBodies, colliders);
}

}  // namespace purl
