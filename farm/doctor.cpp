#include "farm/doctor.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "nodes/doctorGeometry.h"
#include "nodes/world.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

using Problems = std::vector<Problem>;

Vec3 vectorOf(host::Node& node, const char* attribute) {
    const std::array<double, 3> v = node.plug(attribute).vec3();
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

// The solver's settings that the doctor looks at, and its ground.
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

// What lies around the solver.
struct Chart {
    Session& session;
    host::Graph& graph;
    host::NodePtr solver;
    std::string name;  // the solver's
};

// What was made and left lying.
void checkConnections(const Chart& chart, Problems& found) {
    int next = 0;
    for (const int index : chart.solver->plug("bodies").elements()) next = std::max(next, index + 1);
    for (const char* type : {"purlFluid", "purlCloth", "purlKnit", "purlSoftBody", "purlCollider", "purlField"})
        for (const host::NodePtr& node : chart.graph.nodesOfType(type)) {
            if (!node->plug("outBody").destinations().empty()) continue;
            Problem problem = problemOf(Harm::warning, node->name, "is connected to no solver: it takes no part");
            problem.remedy = "connect it to " + chart.name;
            problem.connections = {{node->name + ".outBody", chart.name + ".bodies[" + std::to_string(next++) + "]"}};
            found.push_back(problem);
        }
    const auto fluids = chart.graph.nodesOfType("purlFluid");
    for (const host::NodePtr& node : chart.graph.nodesOfType("purlEmitter")) {
        if (!node->plug("outEmitter").destinations().empty()) continue;
        Problem problem = problemOf(Harm::warning, node->name, "feeds no fluid: nothing comes out of it");
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

void checkCaches(const Chart& chart, Problems& found) {
    bool reads = false;
    for (const host::NodePtr& node : chart.graph.nodesOfType("purlCache")) {
        const std::string mode = node->plug("mode").asText(), folder = node->plug("directory").text();
        reads = reads || mode == "read";
        if (mode == "read" && !fs::exists(fs::path(folder) / "manifest.json"))
            found.push_back(
                remedied(problemOf(Harm::error, node->name, "is to read \"" + folder + "\", where no cache is"),
                         "simulate instead", {node->name + ".mode=pass"}));
        if (mode == "write" && folder.empty())
            found.push_back(remedied(problemOf(Harm::error, node->name, "is to write frames, but names no folder"),
                                     "write to " + defaultOutput(chart.session.path()),
                                     {node->name + ".directory=" + defaultOutput(chart.session.path())}));
    }
    if (!reads && chart.solver->plug("playFromCache").flag())
        found.push_back(
            remedied(problemOf(Harm::error, chart.name,
                               "is to rest while a cache plays, but no purlCache reads one: it stays empty"),
                     "simulate instead", {chart.name + ".playFromCache=off"}));
}

// A name that no node has yet.
std::string freeName(const host::Graph& graph, const std::string& wanted) {
    for (int i = 1;; ++i) {
        const std::string name = wanted + (i == 1 ? "" : std::to_string(i));
        if (!graph.find(name)) return name;
    }
}

// Rigid bodies of a mesh that is seen: without a purlRigid it stays where it was while the body falls.
void checkRigids(const Chart& chart, const Patient& patient, Problems& found) {
    int index = -1;
    for (const Collider& collider : patient.bodies.colliders) {
        if (collider.params.motion != ColliderMotion::dynamic) continue;
        ++index;
        if (openEdges(collider.mesh) > 0) continue;  // it cannot be one at all
        const host::NodePtr node = chart.graph.find(collider.name);
        const host::Plug mesh = node ? node->plug("inMesh").source() : host::Plug();
        if (collider.params.shape != ColliderShape::mesh || !mesh || !mesh.node->type->isA("mesh")) continue;
        bool followed = false;
        for (const host::NodePtr& rigid : chart.graph.nodesOfType("purlRigid")) {
            const std::string chosen = rigid->plug("collider").text();
            followed = followed || chosen == collider.name ||
                       (chosen.empty() && static_cast<int>(rigid->plug("index").number()) == index);
        }
        if (followed) continue;
        Problem problem = problemOf(Harm::warning, collider.name,
                                    "is a rigid body without a purlRigid: it moves, but its mesh stays where it is");
        problem.remedy = "show it by a copy of the mesh that a purlRigid moves";
        const std::string rigid = freeName(chart.graph, collider.name + "Rigid");
        const std::string shown = freeName(chart.graph, collider.name + "Output"), shape = shown + "Shape";
        problem.nodes = {{"purlRigid", rigid, ""}, {"transform", shown, ""}, {"mesh", shape, shown}};
        problem.assignments = {rigid + ".collider=" + collider.name, mesh.node->name + ".intermediateObject=on"};
        problem.connections = {{chart.name + ".outFrame", rigid + ".inFrame"},
                               {mesh.name(), shape + ".inMesh"},
                               {shown + ".rotateOrder", rigid + ".rotateOrder"},
                               {rigid + ".outTranslate", shown + ".translate"},
                               {rigid + ".outRotate", shown + ".rotate"}};
        found.push_back(problem);
    }
}

// Liquids that mix but are shown by a surface each have a seam between them.
void checkSurfaces(const Chart& chart, const Patient& patient, Problems& found) {
    std::vector<std::string> mixing;
    for (const Fluid& fluid : patient.bodies.fluids)
        if (fluid.params.kind == FluidKind::liquid && fluid.params.dispersion > 0) mixing.push_back(fluid.name);
    if (mixing.size() < 2) return;
    const std::string both = mixing[0] + " and " + mixing[1];
    std::string apart;
    for (const host::NodePtr& surface : chart.graph.nodesOfType("purlSurface")) {
        const std::string body = surface->plug("body").text();
        if (body.empty() && surface->plug("together").asText() == "off")
            found.push_back(remedied(problemOf(Harm::warning, surface->name,
                                               "makes a surface each for " + both +
                                                   ", which mix: a seam stays between "
                                                   "them"),
                                     "let them share one", {surface->name + ".together=automatic"}));
        if (std::find(mixing.begin(), mixing.end(), body) == mixing.end()) continue;
        if (!apart.empty())
            found.push_back(problemOf(Harm::warning, surface->name,
                                      "and " + apart +
                                          " make a surface each for liquids that mix: a seam stays "
                                          "between them; delete one and empty the body of the other"));
        apart = surface->name;
    }
}

// A gas has no surface, and so no mesh: in Maya it is seen by a purlView or as what purlPoints gives.
void checkGases(const Chart& chart, const Patient& patient, Problems& found) {
    if (!chart.graph.nodesOfType("purlView").empty() || !chart.graph.nodesOfType("purlPoints").empty()) return;
    for (const Fluid& fluid : patient.bodies.fluids) {
        if (fluid.params.kind != FluidKind::gas) continue;
        Problem problem = problemOf(Harm::note, fluid.name, "is a gas and has no surface: nothing shows it in Maya");
        const std::string view = freeName(chart.graph, "purlView1");
        problem.remedy = "add a purlView";
        problem.nodes = {{"transform", view, ""}, {"purlView", view + "Shape", view}};
        problem.connections = {{chart.name + ".outFrame", view + "Shape.inFrame"}};
        found.push_back(problem);
        return;
    }
}

// Pictures of a scene without a camera are framed by what is in it.
void checkCamera(const Chart& chart, const Patient& patient, Problems& found) {
    for (const host::NodePtr& node : chart.graph.nodesOfType("camera")) {
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
    Problem problem = problemOf(Harm::note, "", "there is no camera: pictures are framed by what is in the scene");
    if (!box.empty()) {
        // From the front, a little from above; far enough to see the whole sphere around it by 40 degrees.
        const double radius = 0.5 * std::max(1e-3, double(length(box.size()))), distance = radius / 0.34;
        const std::string camera = freeName(chart.graph, "shotCamera");
        const auto place = [](double x) { return std::to_string(x); };
        problem.remedy = "add a camera that sees all of it";
        problem.nodes = {{"transform", camera, ""}, {"camera", camera + "Shape", camera}};
        problem.assignments = {camera + ".translate=" + place(double(box.center().x)) + " " +
                                   place(double(box.center().y) + 0.26 * distance) + " " +
                                   place(double(box.center().z) + 0.966 * distance),
                               camera + ".rotate=-15 0 0", camera + "Shape.renderable=on"};
    }
    found.push_back(problem);
}

}  // namespace

Patient patientOf(Session& session) {
    host::Graph& graph = session.graph();
    const host::Graph::Scope scope(graph);
    const host::NodePtr solver = graph.find(session.solverName());
    session.showFrame(session.startFrame());
    Patient patient;
    patient.name = session.solverName();
    patient.bodies = session.bodies();
    readSettings(solver, patient.bodies);
    const double unit = graph.units.cmPerUnit;
    if (unit != 1) scaleLengths(patient.bodies, 1 / unit);
    patient.lengthUnit = graph.units.linear;
    patient.meters = unit * solver->plug("spaceScale").number();
    patient.followsTime = solver->plug("currentTime").isConnected();
    patient.enabled = solver->plug("enable").flag();
    patient.startFrame = session.startFrame();
    patient.first = session.playbackRange().first;
    patient.last = session.playbackRange().last;
    patient.fps = session.fps();
    return patient;
}

std::vector<Problem> examine(Session& session) {
    Problems found;
    host::Graph& graph = session.graph();
    const host::Graph::Scope scope(graph);
    const host::NodePtr solver = graph.find(session.solverName());
    const Chart chart{session, graph, solver, session.solverName()};
    try {
        const Patient patient = patientOf(session);
        found = examine(patient);
        checkRigids(chart, patient, found);
        checkSurfaces(chart, patient, found);
        checkGases(chart, patient, found);
        checkCamera(chart, patient, found);
    } catch (const Error& error) {
        // A node's own words, "collider1: …".
        const std::string text = error.what();
        const size_t colon = text.find(": ");
        const bool named = colon != std::string::npos && graph.find(text.substr(0, colon)) != nullptr;
        found.push_back(
            problemOf(Harm::error, named ? text.substr(0, colon) : "", named ? text.substr(colon + 2) : text));
    }
    checkConnections(chart, found);
    checkCaches(chart, found);
    std::stable_sort(found.begin(), found.end(), [](const Problem& a, const Problem& b) { return a.harm > b.harm; });
    return found;
}

void cure(Session& session, const Problem& problem) {
    host::Graph& graph = session.graph();
    const host::Graph::Scope scope(graph);
    try {
        for (const NewNode& node : problem.nodes)
            graph.create(node.type, node.name, node.parent.empty() ? nullptr : graph.find(node.parent));
    } catch (const host::Error& error) { throw Error(error.what()); }
    for (const std::string& assignment : problem.assignments) session.set(assignment);
    try {
        for (const auto& [source, destination] : problem.connections)
            graph.connect(graph.plug(source), graph.plug(destination));
    } catch (const host::Error& error) { throw Error(error.what()); }
}

}  // namespace purl
