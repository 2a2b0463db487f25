#include "farm/sceneFile.h"

#include <cmath>
#include <filesystem>

#include "farm/commands.h"
#include "host/graph/graph.h"
#include "nodes/meshSequenceNode.h"
#include "nodes/paramAttributes.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace purl {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using host::NodePtr;
using host::Plug;

// A length as the number that was typed, in cm: 2 for 0.02f m.
double centimeters(float meters) { return asTyped(static_cast<float>(kCentimetersPerMeter * asTyped(meters))); }

// --- parameters

void setValue(const Plug& plug, double value) {
    if (plug.number() != value) plug.set(value);
}
void setValue(const Plug& plug, float value, const About& about) {
    setValue(plug, isLength(about) ? centimeters(value) : asTyped(value));
}
void setValue(const Plug& plug, int value, const About&) { setValue(plug, double(value)); }
void setValue(const Plug& plug, bool value, const About&) { setValue(plug, double(value)); }
void setValue(const Plug& plug, Vec3 v, const About& about) {
    for (int k = 0; k < 3; ++k) setValue(plug.child(k), v[k], about);
}
void setValue(const Plug& plug, const std::string& value, const About&) {
    if (!value.empty()) plug.set(value);
}
template <class E>
std::enable_if_t<std::is_enum_v<E>> setValue(const Plug& plug, E value, const About&) {
    setValue(plug, double(static_cast<int>(value)));
}

// Sets the attributes of a node that differ from their defaults.
template <class P>
void setParams(const NodePtr& node, P params) {
    describe([&](auto& field, const About& about) { setValue(node->plug(std::string(about.name)), field, about); },
             params);
}

void setMap(const NodePtr& node, const char* attribute, const std::vector<float>& map) {
    if (map.empty()) return;
    std::vector<double> values;
    for (const float value : map) values.push_back(asTyped(value));
    node->plug(std::string(attribute)).set(host::DataPtr(std::make_shared<host::DoubleArrayData>(std::move(values))));
}

std::string listText(const std::vector<int>& vertices) {
    std::string text;
    for (const int v : vertices) text += (text.empty() ? "" : " ") + std::to_string(v);
    return text;
}

// --- the scene

class SceneWriter {
  public:
    SceneWriter(const Scene& scene, const std::vector<AnimatedMesh>& animated, const FrameRange& range, double fps,
                const std::string& path)
        : session_(newCommandSession()), animated_(animated), folder_(toPath(absolutePath(path)).parent_path()) {
        session_->graph().sink = {};
        run("currentUnit", {"-time", host::shortest(fps) + "fps"});
        for (const char* flag : {"-minTime", "-animationStartTime"})
            run("playbackOptions", {flag, std::to_string(range.first)});
        for (const char* flag : {"-maxTime", "-animationEndTime"})
            run("playbackOptions", {flag, std::to_string(range.last)});
        const NodePtr solver = created("solver", "solver", {});
        setParams(solver, scene.solver);
        solver->plug("startFrame").set(double(range.first));
        // Colliders first: cloths refer to them by name.
        for (const Collider& collider : scene.colliders) add(collider);
        for (const Cloth& cloth : scene.cloths) add(cloth);
        for (const Knit& knit : scene.knits) add(knit);
        for (const SoftBody& body : scene.softBodies) add(body);
        for (const Fluid& fluid : scene.fluids) add(fluid);
        for (const Field& field : scene.fields) {
            const NodePtr node = created("field", field.name, {locator(field.name, {field.position, {}})});
            setParams(node, field.params);
        }
        session_->setSceneName(path);
        session_->save();
    }

  private:
    host::CommandResult run(const std::string& command, const Words& words) {
        return session_->command(command, words);
    }
    NodePtr node(const std::string& name) { return session_->graph().get(name); }

    // The node that purlCreate makes of these objects.
    NodePtr created(const std::string& type, const std::string& name, const Words& objects) {
        if (session_->graph().find(name))
            throw Error("scene: two nodes would be named " + name + "; rename one of the bodies");
        run("select", {"-clear"});
        Words words = {"-type", type, "-name", name};
        words.insert(words.end(), objects.begin(), objects.end());
        run("purlCreate", words);
        const NodePtr made = session_->graph().find(name);
        if (!made) throw Error("scene: \"" + name + "\" cannot be the name of a node; use letters, digits and _");
        return made;
    }

    std::string locator(const std::string& body, const Pose& pose) {
        const std::string made = std::get<Words>(run("spaceLocator", {"-name", body + "Place"})).front();
        Words matrix = {"-worldSpace", "-matrix"};
        const auto row = [&](Vec3 v, double scale, const char* last) {
            for (int k = 0; k < 3; ++k) matrix.push_back(host::shortest(scale * double(v[k])));
            matrix.push_back(last);
        };
        row(pose.axes.x, 1, "0");
        row(pose.axes.y, 1, "0");
        row(pose.axes.z, 1, "0");
        row(pose.position, kCentimetersPerMeter, "1");
        matrix.push_back(made);
        run("xform", matrix);
        return made;
    }

    // A file relative to the scene, if it is beside or below it.
    std::string fromScene(const std::string& file) const {
        const fs::path path = toPath(absolutePath(file)), relative = path.lexically_relative(folder_);
        return toText(relative.empty() || *relative.begin() == ".." ? path : relative);
    }

    // A mesh object of the body, driven by its files if it is animated; returns its transform.
    std::string mesh(const std::string& body, const std::vector<Vec3>& points, const std::vector<int>& counts,
                     const std::vector<int>& corners, const Faces* uvs = nullptr) {
        const std::string transform = std::get<std::string>(run("createNode", {"transform", "-name", body + "Mesh#"}));
        const std::string shape =
            std::get<std::string>(run("createNode", {"mesh", "-name", transform + "Shape", "-parent", transform}));
        run("sets", {shape, "-forceElement", "initialShadingGroup"});
        for (const AnimatedMesh& files : animated_) {
            if (files.body != body) continue;
            const NodePtr sequence =
                node(std::get<std::string>(run("createNode", {MeshSequenceNode::kName, "-name", body + "Files#"})));
            sequence->plug("file").set(fromScene(files.files));
            if (!files.item.empty()) sequence->plug("item").set(files.item);
            sequence->plug("frameOffset").set(double(files.frameOffset));
            run("connectAttr", {"time1.outTime", sequence->name + ".currentTime"});
            run("connectAttr", {sequence->name + ".outMesh", shape + ".inMesh"});
            const double scale = files.metersPerUnit * kCentimetersPerMeter;
            node(transform)->plug("scale").set(scale, scale, scale);
            return transform;
        }
        auto data = std::make_shared<host::MeshData>();
        for (const Vec3 p : points)
            for (int k = 0; k < 3; ++k) data->points.push_back(static_cast<float>(centimeters(p[k])));
        data->faceCounts = counts;
        data->faceVertices = corners;
        if (uvs && !uvs->cornerUvs.empty()) {
            host::MeshData::UvSet set;
            set.u.assign(uvs->u.begin(), uvs->u.end());
            set.v.assign(uvs->v.begin(), uvs->v.end());
            set.counts = counts;
            set.ids.assign(uvs->cornerUvs.begin(), uvs->cornerUvs.end());
            data->uvSets.push_back(std::move(set));
        }
        node(shape)->plug("inMesh").set(host::DataPtr(data));
        return transform;
    }
    std::string mesh(const std::string& body, const TriangleMesh& from) {
        return mesh(body, {from.vertices.begin(), from.vertices.end()}, std::vector<int>(from.triangles.size() / 3, 3),
                    {from.triangles.begin(), from.triangles.end()});
    }
    std::string mesh(const std::string& body, const std::vector<Vec3>& points, const Faces& faces) {
        return mesh(body, points, {faces.counts.begin(), faces.counts.end()},
                    {faces.corners.begin(), faces.corners.end()}, &faces);
    }

    void add(const Collider& collider) {
        const bool isMesh = collider.params.shape == ColliderShape::mesh;
        const NodePtr made =
            created("collider", collider.name,
                    {isMesh ? mesh(collider.name, collider.mesh) : locator(collider.name, collider.pose)});
        setParams(made, collider.params);
        if (collider.params.motion == ColliderMotion::dynamic) run("purlCreate", {"-type", "rigid", collider.name});
    }

    void addWetting(const NodePtr& node, const Pores& pores) {
        setParams(node, pores.params);
        setMap(node, "wetnessPerVertex", pores.wetnessMap);
        setMap(node, "porosityPerVertex", pores.porosityMap);
        setMap(node, "permeabilityPerVertex", pores.permeabilityMap);
    }

    template <class Fabric>
    NodePtr addFabric(const char* type, const Fabric& fabric) {
        const NodePtr made = created(type, fabric.name, {mesh(fabric.name, fabric.points, fabric.faces)});
        setParams(made, fabric.params);
        setMap(made, "pins", fabric.pins);
        setMap(made, "stiffnessPerVertex", fabric.stiffnessMap);
        setMap(made, "massPerVertex", fabric.massMap);
        addWetting(made, fabric.pores);
        return made;
    }
    void add(const Cloth& cloth) {
        const NodePtr made = addFabric("cloth", cloth);
        if (!cloth.attachTo.empty()) made->plug("attachTo").set(cloth.attachTo);
        if (!cloth.attachedVertices.empty()) made->plug("attachedVertices").set(listText(cloth.attachedVertices));
        setValue(made->plug("attachDistance"), centimeters(cloth.attachDistance));
    }
    void add(const Knit& knit) {
        if (!knit.chart.empty())
            throw Error(knit.name +
                        ": a chart given as text cannot be saved; write it to a file and set pattern to its name");
        addFabric("knit", knit);
    }
    void add(const SoftBody& body) {
        if (body.faces.empty()) throw Error(body.name + ": a point cloud cannot be saved; give it faces");
        const NodePtr made = created("softBody", body.name, {mesh(body.name, body.points, body.faces)});
        setParams(made, body.params);
        setMap(made, "pins", body.pins);
        if (!(body.dragTo == Vec3{}))
            run("connectAttr", {locator(body.name, {body.dragTo, {}}) + ".worldMatrix[0]", body.name + ".inDrag"});
    }
    void add(const Fluid& fluid) {
        Words meshes;
        for (const TriangleMesh& volume : fluid.volumes) meshes.push_back(mesh(fluid.name, volume));
        setParams(created("fluid", fluid.name, meshes), fluid.params);
        for (const Emitter& emitter : fluid.emitters) {
            const EmitterShape shape = emitter.params.shape;
            std::string source;
            if (shape == EmitterShape::curve) {
                Words words = {"-degree", "1", "-name", emitter.name + "Curve"};
                for (const Vec3 p : emitter.curve) {
                    words.push_back("-point");
                    for (int k = 0; k < 3; ++k) words.push_back(host::shortest(centimeters(p[k])));
                }
                source = std::get<std::string>(run("curve", words));
            } else if (shape == EmitterShape::disc) {
                source = locator(emitter.name, emitter.pose);
            } else {
                source = mesh(emitter.name, emitter.mesh);
            }
            setParams(created("emitter", emitter.name, {source, fluid.name}), emitter.params);
        }
    }

    std::unique_ptr<host::Session> session_;
    const std::vector<AnimatedMesh>& animated_;
    fs::path folder_;
};

}  // namespace

void saveScene(const Scene& scene, const std::vector<AnimatedMesh>& animated, const FrameRange& range, double fps,
               const std::string& path) {
    checkScene(scene);
    if (range.last < range.first) throw Error("frames: the last frame is before the first");
    try {
        SceneWriter(scene, animated, range, fps, path);
    } catch (const host::Error& error) { throw Error(error.what()); }
}

}  // namespace purl
