#include "solver/contact/skins.h"

#include <algorithm>

namespace purl {
namespace {

std::vector<Vec3> pointsOf(const Buffer<Vec3>& x, const Skin& skin) {
    return {x.begin() + skin.first, x.begin() + skin.first + skin.count};
}

const Buffer<Vec3>& placesOf(const State& state, const Skin& skin) {
    return skin.ofCloth ? state.cloth.x : state.soft.x;
}

// Which triangles each of its points is a corner of.
void findFans(Skin& skin) {
    const std::vector<int>& corners = skin.shape.mesh.triangles;
    skin.fanStarts.assign(static_cast<size_t>(skin.count) + 1, 0);
    for (const int corner : corners) ++skin.fanStarts[static_cast<size_t>(corner) + 1];
    for (size_t i = 1; i < skin.fanStarts.size(); ++i) skin.fanStarts[i] += skin.fanStarts[i - 1];
    skin.fans.resize(corners.size());
    std::vector<int> next = skin.fanStarts;
    for (size_t k = 0; k < corners.size(); ++k)
        skin.fans[static_cast<size_t>(next[static_cast<size_t>(corners[k])]++)] = static_cast<int>(k / 3);
}

template <class Params>
void describeSkin(Skin& skin, const std::string& name, const Params& params, const Faces& faces) {
    skin.contact = params.fluidContact;
    skin.pushed = params.fluidPush;
    skin.shape.name = name;
    ColliderParams& wall = skin.shape.params;
    wall.shape = ColliderShape::mesh;
    wall.motion = ColliderMotion::dynamic;  // its way is that of a step
    wall.friction = std::min(1.0f, params.friction);
    wall.thickness = 0.5f * params.thickness;
    skin.shape.mesh.triangles = triangulate(faces);
}

}  // namespace

void Skins::set(const Scene& scene, const Scene& placed, const std::vector<ColliderPlace>& from, const State& state) {
    skins_.clear();
    if (!scene.fluids.empty()) {
        int first = 0;
        for (const Cloth& cloth : scene.cloths) {
            Skin skin;
            skin.first = first + cloth.middle();
            skin.count = cloth.pointsOfLayer();
            first += static_cast<int>(cloth.points.size());
            describeSkin(skin, cloth.name, cloth.params, cloth.facesOfLayer());
            findFans(skin);
            // A metre of depth has no place on a sheet.
            if (scene.solver.dimensions == 2) skin.contact = FluidContact::none;
            skins_.push_back(std::move(skin));
        }
        addSoftBodies(scene, state);
    }
    lay(placed, from, state);
}

void Skins::setForCloths(const Scene& scene, const Scene& placed, const std::vector<ColliderPlace>& from,
                         const State& state) {
    skins_.clear();
    if (!scene.cloths.empty() && scene.solver.dimensions == 3) {
        addSoftBodies(scene, state);
        for (size_t b = 0; b < skins_.size(); ++b) {
            const SoftBody& body = scene.softBodies[b];
            const bool solid = body.params.bodyCollision && !body.faces.empty();
            skins_[b].contact = solid ? FluidContact::surface : FluidContact::none;
            skins_[b].count = static_cast<int>(body.points.size());
        }
    }
    lay(placed, from, state);
}

void Skins::addSoftBodies(const Scene& scene, const State& state) {
    int first = 0;
    for (size_t b = 0; b < scene.softBodies.size(); ++b) {
        const SoftBody& body = scene.softBodies[b];
        const int points = state.soft.counts[static_cast<int>(b)];
        Skin skin;
        skin.ofCloth = false;
        skin.first = first;
        first += points;
        describeSkin(skin, body.name, body.params, body.faces);
        // A flat body has no surface that a plane could cut, a cloud none at all.
        if (skin.contact == FluidContact::surface && (body.faces.empty() || scene.solver.dimensions == 2))
            skin.contact = FluidContact::points;
        skin.count = skin.contact == FluidContact::surface ? static_cast<int>(body.points.size()) : points;
        skins_.push_back(std::move(skin));
    }
}

// Takes up their places and those of the colliders beside them.
void Skins::lay(const Scene& placed, const std::vector<ColliderPlace>& from, const State& state) {
    shapes_.clear();
    scene_ = Scene();
    from_.clear();
    skins_.erase(std::remove_if(skins_.begin(), skins_.end(),
                                [](const Skin& skin) { return skin.contact == FluidContact::none; }),
                 skins_.end());
    if (skins_.empty()) return;
    scene_.colliders = placed.colliders;
    from_ = from;
    from_.resize(placed.colliders.size());
    for (Skin& skin : skins_) {
        skin.shape.mesh.vertices = pointsOf(placesOf(state, skin), skin);
        skin.from.vertices = skin.shape.mesh.vertices;
        ColliderPlace shape;
        shape.vertices = pointsOf(skin.ofCloth ? state.cloth.rest : state.soft.rest, skin);
        shapes_.push_back(std::move(shape));
        if (skin.contact != FluidContact::surface) continue;
        skin.collider = static_cast<int>(scene_.colliders.size());
        scene_.colliders.push_back(skin.shape);
        from_.push_back(skin.from);
    }
}

void Skins::beginStep() {
    for (Skin& skin : skins_) skin.from.vertices = skin.shape.mesh.vertices;
}

void Skins::endStep(const State& state, const Scene& placed, const std::vector<ColliderPlace>& from) {
    for (size_t c = 0; c < placed.colliders.size(); ++c) {
        if (placed.colliders[c].params.motion != ColliderMotion::dynamic) continue;
        scene_.colliders[c] = placed.colliders[c];
        from_[c] = from[c];
    }
    for (Skin& skin : skins_) {
        skin.shape.mesh.vertices = pointsOf(placesOf(state, skin), skin);
        if (skin.collider < 0) continue;
        scene_.colliders[static_cast<size_t>(skin.collider)].mesh.vertices = skin.shape.mesh.vertices;
        from_[static_cast<size_t>(skin.collider)] = skin.from;
    }
}

}  // namespace purl
