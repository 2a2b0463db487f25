#include "plugin/createCommand.h"

#include <maya/MAngle.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <maya/MStringArray.h>

#include "nodes/solverNode.h"
#include "solver/core/error.h"

namespace purl {

struct CreateCommand::Kind {
    const char* name;
    void (CreateCommand::*make)();
};
const CreateCommand::Kind CreateCommand::kKinds[] = {
    {"fluid", &CreateCommand::makeFluid},       {"emitter", &CreateCommand::makeEmitter},
    {"collider", &CreateCommand::makeCollider}, {"rigid", &CreateCommand::makeRigid},
    {"cloth", &CreateCommand::makeCloth},       {"knit", &CreateCommand::makeKnit},
    {"softBody", &CreateCommand::makeSoftBody}, {"field", &CreateCommand::makeField},
    {"solver", &CreateCommand::makeSolver},
};

std::string CreateCommand::kindNames() {
    std::string names;
    const size_t count = sizeof kKinds / sizeof kKinds[0];
    for (size_t i = 0; i < count; ++i)
        names += (i == 0 ? "" : i + 1 == count ? " or " : ", ") + std::string(kKinds[i].name);
    return names;
}

CommandAbout CreateCommand::about() {
    return {kName,
            "Creates a body from the given or selected objects, connects it to a solver, and adds an output that can "
            "be seen. Returns the names of the new nodes; with query and `type`, the types.",
            {{"typ", "type", MSyntax::kString,
              "What to create: fluid (fills a closed mesh, or is fed by emitters), emitter, collider, rigid (a moving "
              "collider), cloth, knit, softBody, field or solver."},
             {"n", "name", MSyntax::kString, "Name of the new node."},
             kSolverFlag,
             {"o", "output", MSyntax::kBoolean, "Whether to add the output: a mesh, or the curves of a knit. [on]"}},
            true,
            true};
}

void CreateCommand::run(const MArgDatabase& arguments) {
    if (arguments.isQuery()) {
        MStringArray names;
        for (const Kind& kind : kKinds) names.append(kind.name);
        return setResult(names);
    }
    MString type;
    if (!arguments.isFlagSet("-type")) throw Error("-type is required: " + kindNames());
    arguments.getFlagArgument("-type", 0, type);
    if (arguments.isFlagSet("-name")) arguments.getFlagArgument("-name", 0, name_);
    if (arguments.isFlagSet("-solver")) arguments.getFlagArgument("-solver", 0, solverName_);
    if (arguments.isFlagSet("-output")) arguments.getFlagArgument("-output", 0, output_);
    objects_ = objectsOf(arguments);
    for (const Kind& kind : kKinds) {
        if (type != kind.name) continue;
        (this->*kind.make)();
        MStringArray names;
        for (const MObject& node : created_) names.append(nameOf(node));
        return setResult(names);
    }
    throw Error(std::string("unknown type ") + type.asChar() + ": " + kindNames());
}

// --- parts

void CreateCommand::report(const MObject& node) { created_.push_back(node); }

MObject CreateCommand::solver() {
    if (!solver_.isNull()) return solver_;
    solver_ = findSolver(solverName_, objects_);
    if (!solver_.isNull()) return solver_;
    return newSolver("");
}

MObject CreateCommand::newSolver(const MString& name) {
    solver_ = create(SolverNode::kName, name);
    connect(plugOf(timeNode(), "outTime"), plugOf(solver_, "currentTime"));
    if (MGlobal::isZAxisUp()) {
        set(plugOf(solver_, "gravityDirection"), 0, 0, -1);
        set(plugOf(solver_, "planeNormal"), 0, 0, 1);
    }
    return solver_;
}

MObject CreateCommand::body(const char* type) {
    const MObject node = create(type, name_);
    report(node);
    return node;
}

void CreateCommand::join(const MObject& body) {
    connect(plugOf(body, "outBody"), nextElement(plugOf(solver(), "bodies")));
}

std::vector<MObject> CreateCommand::selected(const char* shapeType) const {
    std::vector<MObject> shapes;
    for (const MObject& object : objects_) {
        const MObject shape = shapeOf(object);
        if (!shape.isNull() && typeOf(shape) == shapeType) shapes.push_back(shape);
    }
    return shapes;
}

// Matrices come from transforms; without a selection a locator is created.
MObject CreateCommand::transformFor(const MObject& object) {
    if (!object.isNull()) return object;
    const MObject transform = createTransform((name_.length() > 0 ? name_ : MString("purl")) + "Place1");
    createShape("locator", nameOf(transform) + "Shape", transform);
    // Planes, emitters and fields have y up.
    if (MGlobal::isZAxisUp()) set(plugOf(transform, "rotateX"), MAngle(90, MAngle::kDegrees));
    report(transform);
    return transform;
}

void CreateCommand::takeMesh(const MObject& mesh, const MPlug& in, bool becomesIntermediate) {
    connect(plugOf(mesh, "worldMesh").elementByLogicalIndex(0), in);
    // The simulated result is shown by an output; the source mesh becomes intermediate, as in Maya's own commands.
    if (becomesIntermediate && output_) set(plugOf(mesh, "intermediateObject"), true);
}

MObject CreateCommand::showMesh(const MPlug& mesh, const char* name) {
    const MObject transform = createTransform(MString(name) + "1");
    const MObject shape = createShape("mesh", nameOf(transform) + "Shape", transform);
    connect(mesh, plugOf(shape, "inMesh"));
    for (const MObject& group : nodesOfType("shadingEngine"))
        if (MFnDependencyNode(group).name() == "initialShadingGroup")
            connect(plugOf(shape, "instObjGroups").elementByLogicalIndex(0),
                    nextElement(plugOf(group, "dagSetMembers")));
    report(transform);
    return transform;
}

// The connection follows the body if it is renamed or referenced; the name finds it in caches of older names.
void CreateCommand::showBody(const MObject& body, const MPlug& in, const MPlug& name) {
    connect(plugOf(body, "outBody"), in);
    set(name, nameOf(body));
}

void CreateCommand::showCurve(const MPlug& curve, const char* name) {
    const MObject transform = createTransform(MString(name) + "1");
    const MObject shape = createShape("nurbsCurve", nameOf(transform) + "Shape", transform);
    connect(curve, plugOf(shape, "create"));
    report(transform);
}

// --- kinds

void CreateCommand::makeSolver() { report(newSolver(name_)); }

void CreateCommand::makeFluid() {
    const MObject fluid = body("purlFluid");
    for (const MObject& mesh : selected("mesh")) takeMesh(mesh, nextElement(plugOf(fluid, "inMesh")), true);
    for (const MObject& object : objects_)
        if (typeOf(object) == "purlEmitter")
            connect(plugOf(object, "outEmitter"), nextElement(plugOf(fluid, "inEmitter")));
    join(fluid);
    if (!output_) return;
    // One surface node shows all liquids of a solver.
    const MPlug last = lastFrame(solver());
    if (typeOf(last.node()) == "purlSurface") return;
    const MObject surface = create("purlSurface", "");
    connect(last, plugOf(surface, "inFrame"));
    report(surface);
    showMesh(plugOf(surface, "outMesh"), "outputFluid");
}

void CreateCommand::makeEmitter() {
    const std::vector<MObject> meshes = selected("mesh"), curves = selected("nurbsCurve");
    MObject fluid;
    for (const MObject& object : objects_)
        if (typeOf(object) == "purlFluid") fluid = object;
    const MObject emitter = body("purlEmitter");
    if (!meshes.empty()) {
        takeMesh(meshes.front(), plugOf(emitter, "inMesh"), false);
        set(plugOf(emitter, "shape"), int(EmitterShape::surface));
    } else if (!curves.empty()) {
        connect(plugOf(curves.front(), "worldSpace").elementByLogicalIndex(0), plugOf(emitter, "inCurve"));
        set(plugOf(emitter, "shape"), int(EmitterShape::curve));
    } else {
        MObject at;
        for (const MObject& object : objects_)
            if (object.hasFn(MFn::kTransform)) at = object;
        at = transformFor(at);
        connect(plugOf(at, "worldMatrix").elementByLogicalIndex(0), plugOf(emitter, "inMatrix"));
    }
    if (fluid.isNull()) {
        const std::vector<MObject> fluids = nodesOfType("purlFluid");
        if (fluids.size() > 1) throw Error("the scene has several fluids; select the one to feed too");
        if (!fluids.empty()) fluid = fluids.front();
    }
    if (!fluid.isNull()) {
        connect(plugOf(emitter, "outEmitter"), nextElement(plugOf(fluid, "inEmitter")));
        return;
    }
    name_ = "";
    objects_ = {emitter};
    makeFluid();
}

void CreateCommand::makeCollider() {
    const std::vector<MObject> meshes = selected("mesh");
    for (const MObject& each : meshes) {
        const MObject collider = body("purlCollider");
        takeMesh(each, plugOf(collider, "inMesh"), false);
        set(plugOf(collider, "shape"), int(ColliderShape::mesh));
        join(collider);
    }
    if (!meshes.empty()) return;
    MObject at;
    for (const MObject& object : objects_)
        if (object.hasFn(MFn::kTransform)) at = object;
    const MObject collider = body("purlCollider");
    at = transformFor(at);
    connect(plugOf(at, "worldMatrix").elementByLogicalIndex(0), plugOf(collider, "inMatrix"));
    set(plugOf(collider, "shape"), int(ColliderShape::plane));
    join(collider);
}

// A rigid body is a purlCollider with dynamic motion. It is displayed by a copy of its mesh under a transform that a
// purlRigid drives. The source mesh stays in place as the rest pose: driving it would create a dependency cycle.
void CreateCommand::makeRigid() {
    std::vector<MObject> colliders;
    for (const MObject& object : objects_)
        if (typeOf(object) == "purlCollider") colliders.push_back(object);
    for (const MObject& mesh : selected("mesh")) {
        MObject collider = colliderOf(mesh);
        if (collider.isNull()) {
            collider = body("purlCollider");
            takeMesh(mesh, plugOf(collider, "inMesh"), false);
            set(plugOf(collider, "shape"), int(ColliderShape::mesh));
            join(collider);
        }
        colliders.push_back(collider);
    }
    if (colliders.empty()) throw Error("no mesh or purlCollider is selected to be a rigid body");
    for (const MObject& collider : colliders) {
        set(plugOf(collider, "motion"), int(ColliderMotion::dynamic));
        if (output_ && !isShown(collider)) showRigid(collider);
    }
}

MObject CreateCommand::colliderOf(const MObject& mesh) {
    for (const MPlug& to : destinationsOf(plugOf(mesh, "worldMesh").elementByLogicalIndex(0)))
        if (typeOf(to.node()) == "purlCollider") return to.node();
    return MObject();
}

bool CreateCommand::isShown(const MObject& collider) {
    for (const MObject& rigid : nodesOfType("purlRigid"))
        if (sourceOf(plugOf(rigid, "inCollider")).node() == collider ||
            plugOf(rigid, "collider").asString() == nameOf(collider))
            return true;
    return false;
}

void CreateCommand::showRigid(const MObject& collider) {
    const MObject rigid = create("purlRigid", "");
    connect(frameSource(solver()), plugOf(rigid, "inFrame"));
    showBody(collider, plugOf(rigid, "inCollider"), plugOf(rigid, "collider"));
    report(rigid);
    const MPlug mesh = sourceOf(plugOf(collider, "inMesh"));
    MObject transform;
    if (mesh.isNull() || plugOf(collider, "shape").asInt() != int(ColliderShape::mesh)) {
        transform = createTransform("outputRigid1");
        createShape("locator", nameOf(transform) + "Shape", transform);
        report(transform);
    } else {
        transform = showMesh(mesh, "outputRigid");
        if (typeOf(mesh.node()) == "mesh") set(plugOf(mesh.node(), "intermediateObject"), true);
    }
    connect(plugOf(rigid, "outTranslate"), plugOf(transform, "translate"));
    connect(plugOf(rigid, "outRotate"), plugOf(transform, "rotate"));
    connect(plugOf(transform, "rotateOrder"), plugOf(rigid, "rotateOrder"));
}

void CreateCommand::makeCloth() {
    const std::vector<MObject> meshes = selected("mesh");
    if (meshes.empty()) throw Error("no mesh is selected to be a cloth");
    for (const MObject& each : meshes) {
        const MObject cloth = body("purlCloth");
        takeMesh(each, plugOf(cloth, "inMesh"), true);
        join(cloth);
        if (!output_) continue;
        const MObject shown = create("purlClothMesh", "");
        connect(frameSource(solver()), plugOf(shown, "inFrame"));
        showBody(cloth, plugOf(shown, "inCloth"), plugOf(shown, "cloth"));
        report(shown);
        showMesh(plugOf(shown, "outMesh"), "outputCloth");
    }
}

void CreateCommand::makeKnit() {
    const std::vector<MObject> meshes = selected("mesh");
    if (meshes.empty()) throw Error("no mesh is selected to be knitted");
    for (const MObject& each : meshes) {
        const MObject knit = body("purlKnit");
        takeMesh(each, plugOf(knit, "inMesh"), true);
        join(knit);
        if (!output_) continue;
        const MObject shown = create("purlYarn", "");
        connect(frameSource(solver()), plugOf(shown, "inFrame"));
        showBody(knit, plugOf(shown, "inKnit"), plugOf(shown, "knit"));
        report(shown);
        showCurve(plugOf(shown, "outCurve"), "outputYarn");
    }
}

void CreateCommand::makeSoftBody() {
    const std::vector<MObject> meshes = selected("mesh");
    if (meshes.empty()) throw Error("no mesh is selected to be a soft body");
    for (const MObject& each : meshes) {
        const MObject soft = body("purlSoftBody");
        takeMesh(each, plugOf(soft, "inMesh"), true);
        join(soft);
        if (!output_) continue;
        const MObject shown = create("purlClothMesh", "");
        connect(frameSource(solver()), plugOf(shown, "inFrame"));
        showBody(soft, plugOf(shown, "inCloth"), plugOf(shown, "cloth"));
        report(shown);
        showMesh(plugOf(shown, "outMesh"), "outputSoftBody");
    }
}

void CreateCommand::makeField() {
    MObject at;
    for (const MObject& object : objects_)
        if (object.hasFn(MFn::kTransform)) at = object;
    const MObject field = body("purlField");
    at = transformFor(at);
    connect(plugOf(at, "worldMatrix").elementByLogicalIndex(0), plugOf(field, "inMatrix"));
    join(field);
}

}  // namespace purl
