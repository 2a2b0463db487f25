#include "farm/doctor.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "nodes/doctorGeometry.h"
#include "nodes/world.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

using Problems = std::vector<Problem>;

Vec3 vectorOf(host::Node& node, const char* attribute) {
    const std::array<double, 3> v = node.plug(attribute).vec3();
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

// Reads the solver settings that the doctor examines, and the ground plane.
void readSettings(const host::NodePtr& node, Scene& scene) {
    SolverParams& settings = scene.solver;
    const auto number = [&](const char* attribute) { return node->plug(attribute).number(); };
    settings.gravity = static_cast<float>(number("gravity"));
    settings.maxTimeStep = static_cast<float>(number("maxTimeStep"));
    settings.cfl = static_cast<float>(number("cfl"));
    settings.subSteps = static_cast<int>(number("subSteps"));
    settings.minTimeStep = static_cast<float>(number("minTimeStep"));
    settings.timeScale = static_cast<float>(number("timeScale"));
    settings.pressureSolver = static_cast<PressureSolver>(static_cast<int>(number("pressureSolver")));
    settings.dimensions = static_cast<int>(number("dimensions"));
    settings.maxParticles = static_cast<int>(number("maxParticles"));
    WorldParams world;
    world.usePlane = node->plug("usePlane").flag();
    world.planeFriction = static_cast<float>(number("planeFriction"));
    world.planeOrigin = vectorOf(*node, "planeOrigin");
    world.planeNormal = vectorOf(*node, "planeNormal");
    addWindAndGround(scene, world, node->name + "Plane");
}

// The scene under examination.
struct Context {
    Playback& playback;
    host::Graph& graph;
    host::NodePtr solver;
    std::string name;  // the solver's
};

// Nodes that are not connected.
void checkConnections(const Context& context, Problems& found) {
    int next = 0;
    for (const int index : context.solver->plug("bodies").elements()) next = std::max(next, index + 1);
    for (const char* type : {"purlFluid", "purlCloth", "purlKnit", "purlSoftBody", "purlCollider", "purlField"})
        for (const host::NodePtr& node : context.graph.nodesOfType(type)) {
            if (!node->plug("outBody").destinations().empty()) continue;
            Problem problem = problemOf(Harm::warning, node->name, "is not connected to a solver and has no effect");
            problem.remedy = "connect it to " + context.name;
            problem.connections = {{node->name + ".outBody", context.name + ".bodies[" + std::to_string(next++) + "]"}};
            found.push_back(problem);
        }
    const auto fluids = context.graph.nodesOfType("purlFluid");
    for (const host::NodePtr& node : context.graph.nodesOfType("purlEmitter")) {
        if (!node->plug("outEmitter").destinations().empty()) continue;
        Problem problem = problemOf(Harm::warning, node->name, "is not connected to a fluid and emits nothing");
        if (fluids.size() == 1) {
            int free = 0;
            for (const int index : fluids[0]->plug("inEmitter").elements()) free = std::max(free, index + 1);
            problem.remedy = "connect it to " + fluids[0]->name;
            problem.connections = {
                {node->name + ".outEmitter", fluids[0]->name + ".inEmitter[" + std::to_string(free) + "]"}};
        }
        found.push_back(problem);
    }
}

void checkCaches(const Context& context, Problems& found) {
    bool reads = false;
    for (const host::NodePtr& node : context.graph.nodesOfType("purlCache")) {
        const std::string mode = node->plug("mode").asText(), folder = node->plug("directory").text();
        reads = reads || mode == "read";
        if (mode == "read" && !fs::exists(toPath(folder) / "manifest.json"))
            found.push_back(
                remedied(problemOf(Harm::error, node->name, "reads \"" + folder + "\", which holds no cache"),
                         "simulate instead", {node->name + ".mode=pass"}));
        if (mode == "write" && folder.empty())
            found.push_back(remedied(problemOf(Harm::error, node->name, "writes frames, but its directory is empty"),
                                     "write to " + defaultOutput(context.playback.path()),
                                     {node->name + ".directory=" + defaultOutput(context.playback.path())}));
    }
    if (!reads && context.solver->plug("playFromCache").flag())
        found.push_back(remedied(
            problemOf(Harm::error, context.name, "plays from a cache, but no purlCache reads one: there are no frames"),
            "simulate instead", {context.name + ".playFromCache=off"}));
}

// A name not used by any node.
std::string freeName(const host::Graph& graph, const std::string& wanted) {
    for (int i = 1;; ++i) {
        const std::string name = wanted + (i == 1 ? "" : std::to_string(i));
        if (!graph.find(name)) return name;
    }
}

// Rigid bodies with a visible mesh: without a purlRigid the mesh stays in place while the body moves.
void checkRigids(const Context& context, const Patient& patient, Problems& found) {
    int index = -1;
    for (const Collider& collider : patient.bodies.colliders) {
        if (collider.params.motion != ColliderMotion::dynamic) continue;
        ++index;
        if (openEdges(collider.mesh) > 0) continue;  // an open mesh cannot be a rigid body
        const host::NodePtr node = context.graph.find(collider.name);
        const host::Plug mesh = node ? node->plug("inMesh").source() : host::Plug();
        if (collider.params.shape != ColliderShape::mesh || !mesh || !mesh.node->type->isA("mesh")) continue;
        bool followed = false;
        for (const host::NodePtr& rigid : context.graph.nodesOfType("purlRigid")) {
            const std::string chosen = rigid->plug("collider").text();
            followed = followed || chosen == collider.name ||
                       (chosen.empty() && static_cast<int>(rigid->plug("index").number()) == index);
        }
        if (followed) continue;
        Problem problem = problemOf(Harm::warning, collider.name,
                                    "is a rigid body without a purlRigid: it moves, but its mesh stays where it is");
        problem.remedy = "add a copy of the mesh, moved by a purlRigid";
        const std::string rigid = freeName(context.graph, collider.name + "Rigid");
        const std::string shown = freeName(context.graph, collider.name + "Output"), shape = shown + "Shape";
        problem.nodes = {{"purlRigid", rigid, ""}, {"transform", shown, ""}, {"mesh", shape, shown}};
        problem.assignments = {rigid + ".collider=" + collider.name, mesh.node->name + ".intermediateObject=on"};
        problem.connections = {{context.name + ".outFrame", rigid + ".inFrame"},
                               {mesh.name(), shape + ".inMesh"},
                               {shown + ".rotateOrder", rigid + ".rotateOrder"},
                               {rigid + ".outTranslate", shown + ".translate"},
                               {rigid + ".outRotate", shown + ".rotate"}};
        found.push_back(problem);
    }
}

// Mixing liquids with separate surfaces have a visible seam between them.
void checkSurfaces(const Context& context, const Patient& patient, Problems& found) {
    std::vector<std::string> mixing;
    for (const Fluid& fluid : patient.bodies.fluids)
        if (fluid.params.kind == FluidKind::liquid && fluid.params.dispersion > 0) mixing.push_back(fluid.name);
    if (mixing.size() < 2) return;
    const std::string both = mixing[0] + " and " + mixing[1];
    std::string apart;
    for (const host::NodePtr& surface : context.graph.nodesOfType("purlSurface")) {
        const std::string body = surface->plug("body").text();
        if (body.empty() && surface->plug("together").asText() == "off")
            found.push_back(remedied(problemOf(Harm::warning, surface->name,
                                               "makes separate surfaces for " + both +
                                                   ", which mix: a seam is visible "
                                                   "between them"),
                                     "let them share one surface", {surface->name + ".together=automatic"}));
        if (std::find(mixing.begin(), mixing.end(), body) == mixing.end()) continue;
        if (!apart.empty())
            found.push_back(problemOf(Harm::warning, surface->name,
                                      "and " + apart +
                                          " make separate surfaces for liquids that mix: a seam is visible "
                                          "between them; delete one and clear the body attribute of the other"));
        apart = surface->name;
    }
}

// A gas has no surface mesh. In Maya it is visible only through a purlView or purlPoints.
void checkGases(const Context& context, const Patient& patient, Problems& found) {
    if (!context.graph.nodesOfType("purlView").empty() || !context.graph.nodesOfType("purlPoints").empty()) return;
    for (const Fluid& fluid : patient.bodies.fluids) {
        if (fluid.params.kind != FluidKind::gas) continue;
        Problem problem = problemOf(Harm::note, fluid.name, "is a gas and has no surface: it is not visible in Maya");
        const std::string view = freeName(context.graph, "purlView1");
        problem.remedy = "add a purlView";
        problem.nodes = {{"transform", view, ""}, {"purlView", view + "Shape", view}};
        problem.connections = {{context.name + ".outFrame", view + "Shape.inFrame"}};
        found.push_back(problem);
        return;
    }
}

// Without a camera, images are framed automatically.
void checkCamera(const Context& context, const Patient& patient, Problems& found) {
    for (const host::NodePtr& node : context.graph.nodesOfType("camera")) {
        const std::string& name = node->name;
        if (name != "perspShape" && name != "topShape" && name != "frontShape" && name != "sideShape") return;
    }
    Bounds box;
    const auto include = [&](const std::vector<Vec3>& points) {
        for (const Vec3 p : points) box.include(p);
    };
    for (const Fluid& fluid : patient.bodies.fluids) {
        for (const TriangleMesh& mesh : fluid.volumes) include(mesh.vertices);
        for (const Emitter& emitter : fluid.emitters) box.include(emitter.pose.position);
    }
    for (const Cloth& cloth : patient.bodies.cloths) include(cloth.points);
    for (const Knit& knit : patient.bodies.knits) include(knit.points);
    for (const SoftBody& body : patient.bodies.softBodies) include(body.points);
    for (const Collider& collider : patient.bodies.colliders) include(collider.mesh.vertices);
    Problem problem = problemOf(Harm::note, "", "the scene has no camera: images are framed automatically");
    if (!box.empty()) {
        // From the front and slightly above, far enough to see the bounding sphere with a field of view of 40°.
        const double radius = 0.5 * std::max(1e-3, double(length(box.size()))), distance = radius / 0.34;
        const std::string camera = freeName(context.graph, "shotCamera");
        const auto place = [](double x) { return std::to_string(x); };
        problem.remedy = "add a camera that shows everything";
        problem.nodes = {{"transform", camera, ""}, {"camera", camera + "Shape", camera}};
        problem.assignments = {camera + ".translate=" + place(double(box.center().x)) + " " +
                                   place(double(box.center().y) + 0.26 * distance) + " " +
                                   place(double(box.center().z) + 0.966 * distance),
                               camera + ".rotate=-15 0 0", camera + "Shape.renderable=on"};
    }
    found.push_back(problem);
}

}  // namespace

Patient patientOf(Playback& playback) {
    host::Graph& graph = playback.graph();
    const host::Graph::Scope scope(graph);
    const host::NodePtr solver = graph.find(playback.solverName());
    playback.showFrame(playback.startFrame());
    Patient patient;
    patient.name = playback.solverName();
    patient.bodies = playback.bodies();
    readSettings(solver, patient.bodies);
    const double unit = graph.units.cmPerUnit;
    if (unit != 1) scaleLengths(patient.bodies, 1 / unit);
    patient.lengthUnit = graph.units.linear;
    patient.meters = unit * solver->plug("spaceScale").number();
    patient.followsTime = solver->plug("currentTime").isConnected();
    patient.enabled = solver->plug("enable").flag();
    patient.zUp = graph.upAxis() == "z";
    patient.startFrame = playback.startFrame();
    patient.first = playback.playbackRange().first;
    patient.last = playback.playbackRange().last;
    patient.fps = playback.fps();
    return patient;
}

std::vector<Problem> examine(Playback& playback) {
    Problems found;
    host::Graph& graph = playback.graph();
    const host::Graph::Scope scope(graph);
    const host::NodePtr solver = graph.find(playback.solverName());
    const Context context{playback, graph, solver, playback.solverName()};
    try {
        const Patient patient = patientOf(playback);
        found = examine(patient);
        checkRigids(context, patient, found);
        checkSurfaces(context, patient, found);
        checkGases(context, patient, found);
        checkCamera(context, patient, found);
    } catch (const Error& error) {
        // The message of a node begins with its name: "collider1: …".
        const std::string text = error.what();
        const size_t colon = text.find(": ");
        const bool named = colon != std::string::npos && graph.find(text.substr(0, colon)) != nullptr;
        found.push_back(
            problemOf(Harm::error, named ? text.substr(0, colon) : "", named ? text.substr(colon + 2) : text));
    }
    checkConnections(context, found);
    checkCaches(context, found);
    std::stable_sort(found.begin(), found.end(), [](const Problem& a, const Problem& b) { return a.harm > b.harm; });
    return found;
}

void cure(Playback& playback, const Problem& problem) {
    host::Graph& graph = playback.graph();
    const host::Graph::Scope scope(graph);
    try {
        for (const NewNode& node : problem.nodes)
            graph.create(node.type, node.name, node.parent.empty() ? nullptr : graph.find(node.parent));
    } catch (const host::Error& error) { throw Error(error.what()); }
    for (const std::string& assignment : problem.assignments) playback.set(assignment);
    try {
        for (const auto& [source, destination] : problem.connections)
            graph.connect(graph.plug(source), graph.plug(destination));
    } catch (const host::Error& error) { throw Error(error.what()); }
}

}  // namespace purl
