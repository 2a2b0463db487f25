// Conversion between Python's and the solver's scene, animations, and the .ma file of a scene.
#include "python/scene.h"
#include "solver/core/error.h"

namespace purl::python {

namespace {

// The items of a list as C++ values. Throws TypeError on an item of another type.
template <class T>
std::vector<T*> itemsOf(const nb::list& list, const std::string& owner, const char* what) {
    std::vector<T*> items;
    for (const nb::handle item : list) {
        T* value = nullptr;
        if (!nb::try_cast(item, value) || !value)
            throw nb::type_error((owner + ": a purl." + what + " expected, not " + nb::repr(item).c_str()).c_str());
        items.push_back(value);
    }
    return items;
}

Emitter emitterOf(const PyEmitter& from) {
    Emitter emitter = from.emitter;
    emitter.mesh = from.mesh->copy();
    return emitter;
}

Fluid fluidOf(const PyFluid& from) {
    Fluid fluid;
    fluid.name = from.name;
    fluid.params = from.params;
    for (const auto* volume : itemsOf<PyTriangleMesh>(from.volumes, from.name + ".volumes", "Mesh"))
        fluid.volumes.push_back(volume->copy());
    for (const auto* emitter : itemsOf<PyEmitter>(from.emitters, from.name + ".emitters", "Emitter"))
        fluid.emitters.push_back(emitterOf(*emitter));
    return fluid;
}

Collider colliderOf(const PyCollider& from) {
    Collider collider = from.collider;
    collider.mesh = from.mesh->copy();
    return collider;
}

MeshPtr pyMeshOf(const TriangleMesh& from) {
    return std::make_shared<PyTriangleMesh>(PyTriangleMesh{from.vertices, from.triangles});
}

PyFluid pyFluidOf(const Fluid& from) {
    PyFluid fluid;
    fluid.name = from.name;
    fluid.params = from.params;
    for (const TriangleMesh& volume : from.volumes) fluid.volumes.append(nb::cast(pyMeshOf(volume)));
    for (const Emitter& emitter : from.emitters)
        fluid.emitters.append(nb::cast(PyEmitter{emitter, pyMeshOf(emitter.mesh)}));
    return fluid;
}

}  // namespace

Scene sceneOf(const PyScene& from) {
    Scene scene;
    scene.solver = from.solver->params;
    for (const auto* fluid : itemsOf<PyFluid>(from.fluids, "scene.fluids", "Fluid"))
        scene.fluids.push_back(fluidOf(*fluid));
    for (const auto* cloth : itemsOf<PyCloth>(from.cloths, "scene.cloths", "Cloth"))
        scene.cloths.push_back(cloth->cloth);
    for (const auto* body : itemsOf<PySoftBody>(from.softBodies, "scene.soft_bodies", "SoftBody"))
        scene.softBodies.push_back(body->body);
    for (const auto* knit : itemsOf<PyKnit>(from.knits, "scene.knits", "Knit")) scene.knits.push_back(knit->knit);
    for (const auto* collider : itemsOf<PyCollider>(from.colliders, "scene.colliders", "Collider"))
        scene.colliders.push_back(colliderOf(*collider));
    for (const auto* field : itemsOf<PyField>(from.fields, "scene.fields", "Field"))
        scene.fields.push_back(field->field);
    return scene;
}

PyScene pySceneOf(const Scene& from) {
    PyScene scene;
    scene.solver->params = from.solver;
    for (const Fluid& fluid : from.fluids) scene.fluids.append(nb::cast(pyFluidOf(fluid)));
    for (const Cloth& cloth : from.cloths) scene.cloths.append(nb::cast(PyCloth{cloth}));
    for (const SoftBody& body : from.softBodies) scene.softBodies.append(nb::cast(PySoftBody{body}));
    for (const Knit& knit : from.knits) scene.knits.append(nb::cast(PyKnit{knit}));
    for (const Collider& collider : from.colliders)
        scene.colliders.append(nb::cast(PyCollider{collider, pyMeshOf(collider.mesh)}));
    for (const Field& field : from.fields) scene.fields.append(nb::cast(PyField{field}));
    return scene;
}

// ---- animation -------------------------------------------------------------------------------------------------

namespace {

// use(body, its animation, what moves it) for every animated body.
template <class Use>
void forAnimated(const PyScene& scene, Use&& use) {
    const auto all = [&](const nb::list& list, auto* type, const char* owner, const char* what) {
        for (auto* item : itemsOf<std::remove_pointer_t<decltype(type)>>(list, owner, what))
            if (item->animation) use(*item);
    };
    all(scene.cloths, static_cast<PyCloth*>(nullptr), "scene.cloths", "Cloth");
    all(scene.softBodies, static_cast<PySoftBody*>(nullptr), "scene.soft_bodies", "SoftBody");
    all(scene.knits, static_cast<PyKnit*>(nullptr), "scene.knits", "Knit");
    all(scene.colliders, static_cast<PyCollider*>(nullptr), "scene.colliders", "Collider");
}

void place(PyCollider& collider, const Mesh& mesh) { collider.mesh = meshOf(mesh); }
void place(PyCloth& cloth, const Mesh& mesh) { placePoints(cloth.cloth, placesOf(mesh)); }
void place(PySoftBody& body, const Mesh& mesh) { placePoints(body.body, placesOf(mesh)); }
void place(PyKnit& knit, const Mesh& mesh) { placePoints(knit.knit, placesOf(mesh)); }

}  // namespace

void moveTo(const PyScene& scene, double frame) {
    forAnimated(scene, [&](auto& item) { place(item, item.animation->at(frame)); });
}

void save(const PyScene& scene, int lastFrame, const std::string& path) {
    std::vector<AnimatedMesh> animated;
    forAnimated(scene, [&](auto& item) { animated.push_back(item.animation->animationOf(nameOf(item))); });
    moveTo(scene, scene.startFrame);
    saveScene(sceneOf(scene), animated, {scene.startFrame, lastFrame}, scene.fps, path);
}

}  // namespace purl::python
