// Commands that create polygon primitives, locators, cameras, lights and curves, and query meshes and sets.
#include <cmath>

#include "host/builtin/meshEdits.h"
#include "host/commands/command.h"

namespace purl::host {
namespace {

// A flag of a poly command and the attribute of the primitive node that it sets.
struct Setting {
    const char* flag;       // declared in the table below
    const char* attribute;  // of the primitive node
};

struct Primitive {
    const char *command, *sentence, *node, *name;
    std::vector<Setting> settings;
};

const std::vector<Primitive>& primitives() {
    static const std::vector<Primitive> all = {
        {"polyCube",
         "Creates a box.",
         "polyCube",
         "pCube",
         {{"width w double", "width"},
          {"height h double", "height"},
          {"depth d double", "depth"},
          {"subdivisionsX sx int", "subdivisionsWidth"},
          {"subdivisionsY sy int", "subdivisionsHeight"},
          {"subdivisionsZ sz int", "subdivisionsDepth"}}},
        {"polyPlane",
         "Creates a sheet.",
         "polyPlane",
         "pPlane",
         {{"width w double", "width"},
          {"height h double", "height"},
          {"subdivisionsX sx int", "subdivisionsWidth"},
          {"subdivisionsY sy int", "subdivisionsHeight"}}},
        {"polySphere",
         "Creates a sphere.",
         "polySphere",
         "pSphere",
         {{"radius r double", "radius"},
          {"subdivisionsX sx int", "subdivisionsAxis"},
          {"subdivisionsY sy int", "subdivisionsHeight"}}},
        {"polyCylinder",
         "Creates a closed cylinder. Its last two faces are the ends, if subdivisionsCaps is 0; delete them for a "
         "tube.",
         "polyCylinder",
         "pCylinder",
         {{"radius r double", "radius"},
          {"height h double", "height"},
          {"subdivisionsX sx int", "subdivisionsAxis"},
          {"subdivisionsY sy int", "subdivisionsHeight"},
          {"subdivisionsZ sz int", "subdivisionsCaps"},
          {"subdivisionsAxis sa int", "subdivisionsAxis"},
          {"subdivisionsHeight sh int", "subdivisionsHeight"},
          {"subdivisionsCaps sc int", "subdivisionsCaps"}}},
        {"polyCone",
         "Creates a closed cone.",
         "polyCone",
         "pCone",
         {{"radius r double", "radius"},
          {"height h double", "height"},
          {"subdivisionsX sx int", "subdivisionsAxis"},
          {"subdivisionsY sy int", "subdivisionsHeight"},
          {"subdivisionsZ sz int", "subdivisionsCap"}}},
        {"polyTorus",
         "Creates a torus.",
         "polyTorus",
         "pTorus",
         {{"radius r double", "radius"},
          {"sectionRadius sr double", "sectionRadius"},
          {"twist tw double", "twist"},
          {"subdivisionsX sx int", "subdivisionsAxis"},
          {"subdivisionsY sy int", "subdivisionsHeight"}}},
    };
    return all;
}

// The primitive node that created a mesh, for -query and -edit.
NodePtr primitiveNodeOf(const CommandContext& d, const Primitive& primitive) {
    NodePtr node = targets(d).front();
    if (node->isDag()) {
        const NodePtr shape = firstShape(node);
        Plug source = shape && shape->type->isA("mesh") ? shape->plug("inMesh").source() : Plug();
        while (source) {  // upstream through later construction history
            node = source.node;
            source = Plug();
            for (const char* name : {"inputGeometry", "inputPolymesh"})
                if (node->has(name)) source = node->plug(name).source();
        }
    }
    if (node->type->name != primitive.node) throw Error(node->name + " is not a " + primitive.node);
    return node;
}

void apply(CommandContext& d, const Primitive& primitive, const NodePtr& creator) {
    for (const Setting& s : primitive.settings) {
        const std::string flag = FlagSpec(s.flag).longName;
        if (d.call.has(flag)) setNumber(d, creator->plug(s.attribute), d.call.number(flag));
    }
    if (d.call.has("axis")) setNumbers(d, creator->plug("axis"), d.call.numbers("axis"));
    if (d.call.has("createUVs")) setNumber(d, creator->plug("createUVs"), d.call.number("createUVs"));
}

CommandResult makePrimitive(CommandContext& d, const Primitive& primitive) {
    if (d.call.query) {
        const NodePtr creator = primitiveNodeOf(d, primitive);
        for (const Setting& s : primitive.settings)
            if (d.call.has(FlagSpec(s.flag).longName)) {
                const Plug p = creator->plug(s.attribute);
                if (p.attr->kind == Kind::Int) return int(p.number());
                return p.toScene(p.number());
            }
        throw Error("expected a flag that says what to query");
    }
    if (d.call.edit) {
        const NodePtr creator = primitiveNodeOf(d, primitive);
        apply(d, primitive, creator);
        return nameOf(d.graph, creator);
    }
    const auto [transform, shape] = createdShape(d, "mesh", d.call.text("name", primitive.name + std::string("#")));
    const NodePtr creator = createdNode(d, primitive.node, primitive.node + std::string("#"));
    apply(d, primitive, creator);
    const bool history = d.call.on("constructionHistory", true);
    const Plug in = shape->plug("inMesh");
    if (history) {
        d.edits.make(connecting(creator->plug("output"), in));
    } else {
        const DataPtr mesh = creator->plug("output").data();
        d.edits.make(setting(in, [in, mesh] { in.set(mesh); }));
        d.edits.make(removing(creator));
    }
    if (const NodePtr group = d.graph.find("initialShadingGroup")) addToSet(d, group, shape);
    d.edits.make(selecting(d.graph, {nameOf(d.graph, transform)}));
    std::vector<std::string> made = {nameOf(d.graph, transform)};
    if (history) made.push_back(nameOf(d.graph, creator));
    return made;
}

std::shared_ptr<const MeshData> meshOf(const NodePtr& node) {
    const NodePtr shape = node->isDag() ? firstShape(node) : nullptr;
    if (!shape || !shape->type->isA("mesh")) throw Error(node->name + " has no mesh");
    const auto mesh = shape->plug("outMesh").data<MeshData>();
    if (!mesh) throw Error(node->name + ": the mesh is empty");
    return mesh;
}

CommandResult polyEvaluate(CommandContext& d) {
    const auto mesh = meshOf(targets(d).front());
    int uvs = mesh->uvSets.empty() ? 0 : int(mesh->uvSets.front().u.size()), triangles = 0;
    for (const int n : mesh->faceCounts) triangles += n - 2;
    if (d.call.on("vertex")) return mesh->vertexCount();
    if (d.call.on("face")) return mesh->faceCount();
    if (d.call.on("edge")) return int(mesh->edges().size());
    if (d.call.on("triangle")) return triangles;
    if (d.call.on("uvcoord")) return uvs;
    return std::vector<int>{mesh->vertexCount(), int(mesh->edges().size()), mesh->faceCount(), uvs, triangles};
}

CommandResult spaceLocator(CommandContext& d) {
    const auto [transform, shape] = createdShape(d, "locator", d.call.text("name", "locator#"));
    if (d.call.has("position")) setNumbers(d, shape->plug("localPosition"), d.call.numbers("position"));
    d.edits.make(selecting(d.graph, {nameOf(d.graph, transform)}));
    return std::vector<std::string>{nameOf(d.graph, transform)};
}

CommandResult camera(CommandContext& d) {
    const auto [transform, shape] = createdShape(d, "camera", d.call.text("name", "camera#"));
    if (d.call.has("position")) setNumbers(d, transform->plug("translate"), d.call.numbers("position"));
    if (d.call.has("rotation")) setNumbers(d, transform->plug("rotate"), d.call.numbers("rotation"));
    if (d.call.has("focalLength")) setNumber(d, shape->plug("focalLength"), d.call.number("focalLength"));
    if (d.call.has("centerOfInterest"))
        setNumber(d, shape->plug("centerOfInterest"), d.call.number("centerOfInterest"));
    return namesOf(d.graph, {transform, shape});
}

CommandResult light(CommandContext& d, const char* type) {
    const auto [transform, shape] = createdShape(d, type, d.call.text("name", type + std::string("#")));
    if (d.call.has("rotation")) setNumbers(d, transform->plug("rotate"), d.call.numbers("rotation"));
    if (d.call.has("intensity")) setNumber(d, shape->plug("intensity"), d.call.number("intensity"));
    if (d.call.has("rgb")) setNumbers(d, shape->plug("color"), d.call.numbers("rgb"));
    return nameOf(d.graph, shape);
}

// A curve with the given control points and, by default, Maya's end knot multiplicity.
CommandResult curve(CommandContext& d) {
    auto data = std::make_shared<CurveData>();
    data->degree = int(d.call.number("degree", 3));
    const double cm = d.graph.units.cmPerUnit;
    for (const auto& p : d.call.values("point"))
        data->cvs.emplace_back(numberOf(p[0], "point") * cm, numberOf(p[1], "point") * cm,
                               numberOf(p[2], "point") * cm);
    const int count = int(data->cvs.size());
    if (data->degree < 1 || data->degree > 7) throw Error("-degree must be between 1 and 7");
    if (count <= data->degree)
        throw Error("a curve of degree " + std::to_string(data->degree) + " needs " + std::to_string(data->degree + 1) +
                    " points");
    for (const auto& k : d.call.values("knot")) data->knots.push_back(numberOf(k[0], "knot"));
    const size_t needed = size_t(count + data->degree - 1);
    if (data->knots.empty()) {
        const int spans = count - data->degree;
        for (int k = 0; k < int(needed); ++k) data->knots.push_back(std::min(std::max(0, k - data->degree + 1), spans));
    }
    if (data->knots.size() != needed)
        throw Error(std::to_string(needed) + " knots are required, not " + std::to_string(data->knots.size()));
    const auto [transform, shape] = createdShape(d, "nurbsCurve", d.call.text("name", "curve#"));
    const Plug in = shape->plug("cached");
    d.edits.make(setting(in, [in, data] { in.set(std::static_pointer_cast<Data>(data)); }));
    d.edits.make(selecting(d.graph, {nameOf(d.graph, transform)}));
    return nameOf(d.graph, transform);
}

CommandResult sets(CommandContext& d) {
    if (d.call.has("forceElement") || d.call.has("addElement") || d.call.has("include")) {
        const std::string flag = d.call.has("forceElement") ? "forceElement"
                                 : d.call.has("addElement") ? "addElement"
                                                            : "include";
        const NodePtr set = d.graph.get(d.call.text(flag));
        if (!set->type->isA("objectSet")) throw Error(set->name + " is not a set");
        for (const NodePtr& node : targets(d)) {
            const NodePtr shape = set->type->isA("shadingEngine") && node->isDag() ? firstShape(node) : node;
            if (shape && shape->isDag()) addToSet(d, set, shape);
        }
        return set->name;
    }
    if (d.call.query) {
        const NodePtr set = targets(d).front();
        std::vector<std::string> members;
        const Plug array = set->plug("dagSetMembers");
        for (const int i : array.elements())
            if (const Plug s = array.element(i).source()) members.push_back(nameOf(d.graph, s.node));
        return listOrNothing(members);
    }
    const bool shading = d.call.on("renderable");
    const NodePtr made = createdNode(d, shading ? "shadingEngine" : "objectSet", d.call.text("name", "set#"));
    if (!d.call.on("empty"))
        for (const std::string& word : targetWords(d)) {
            const NodePtr node = d.graph.get(word);
            const NodePtr shape = shading && node->isDag() ? firstShape(node) : node;
            if (shape && shape->isDag()) addToSet(d, made, shape);
        }
    return made->name;
}

CommandResult shadingNode(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 1) throw Error("expected one node type");
    const Type* type = findType(words[0]);
    if (!type || type->placeholder) throw Error("unknown node type " + words[0]);
    return nameOf(d.graph, createdNode(d, words[0], d.call.text("name")));
}

}  // namespace

std::vector<Command> polyCommands() {
    std::vector<Command> all = {
        {"polyEvaluate",
         "Returns the numbers of vertices, edges, faces, UVs and triangles of a mesh.",
         {"vertex v", "face f", "edge e", "triangle t", "uvcoord uv"},
         polyEvaluate},
        {"spaceLocator",
         "Creates a locator.",
         {"name n string", "position p double double double", "absolute a", "relative r"},
         spaceLocator},
        {"camera",
         "Creates a camera.",
         {"name n string", "position p double double double", "rotation rot double double double",
          "focalLength fl double", "centerOfInterest coi double"},
         camera},
        {"curve",
         "Creates a curve through control points.",
         {"name n string", "degree d int", "point p double double double ...", "knot k double ...",
          "periodic per bool !"},
         curve},
        {"sets",
         "Creates sets and changes their members; shading groups are sets.",
         {"name n string", "empty em", "renderable r bool", "forceElement fe string", "addElement add string",
          "include in string", "noSurfaceShader nss bool"},
         sets},
        {"shadingNode",
         "Creates a shading node.",
         {"name n string", "asShader as", "asUtility au", "asTexture at", "asLight al", "skipSelect ss"},
         shadingNode},
    };
    for (const char* type : {"directionalLight", "pointLight", "ambientLight", "spotLight"})
        all.emplace_back(type, "Creates a light.",
                         std::vector<const char*>{"name n string", "intensity i double", "rgb rgb double double double",
                                                  "rotation rot double double double"},
                         [type](CommandContext& d) { return light(d, type); });
    for (const Primitive& primitive : primitives()) {
        std::vector<const char*> flags = {"name n string", "axis ax double double double",
                                          "constructionHistory ch bool", "createUVs cuv int", "object o bool"};
        for (const Setting& s : primitive.settings) flags.push_back(s.flag);
        all.emplace_back(primitive.command, primitive.sentence, flags,
                         [&primitive](CommandContext& d) { return makePrimitive(d, primitive); });
    }
    return all;
}

}  // namespace purl::host
