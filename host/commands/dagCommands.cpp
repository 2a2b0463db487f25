// DAG commands: hierarchy and transforms.
#include <algorithm>
#include <cmath>

#include "host/builtin/declare.h"
#include "host/commands/vertices.h"
#include "host/shapes/transform.h"

namespace purl::host {
namespace {

NodePtr transformOf(const NodePtr& node) {
    if (node->type->isA("transform")) return node;
    if (node->type->shape && !node->parents.empty()) return node->parents.front()->ptr();
    throw Error(node->name + " is not a transform or shape and has no position");
}

std::vector<NodePtr> targetTransforms(const CommandContext& d, const std::vector<std::string>& words) {
    for (const std::string& word : words)
        if (word.find('.') != std::string::npos) throw Error(word + " is not an object");
    std::vector<NodePtr> all;
    for (const NodePtr& n : nodesNamed(d.graph, words)) all.push_back(transformOf(n));
    if (all.empty()) throw Error("nothing is specified or selected");
    return all;
}

// The first DAG path of a node, which may have several instances.
auto dagPathOf(const Graph& graph, const NodePtr& node) {
    const auto paths = graph.dagPaths(*node);
    if (paths.empty()) throw Error(node->name + " is not in the DAG; expected a transform or a shape");
    return paths.front();
}
Mat4d parentOf(const Graph& graph, const NodePtr& node) { return fromMaya(graph.parentMatrix(dagPathOf(graph, node))); }

std::vector<double> shown(const Plug& vector) {
    std::vector<double> out;
    for (int k = 0; k < 3; ++k) out.push_back(vector.child(k).toScene(vector.child(k).number()));
    return out;
}

// Sets translate, rotate, scale and shear so that the local matrix becomes `local`. Pivots are unchanged.
void setLocal(CommandContext& d, const NodePtr& node, const Mat4d& local) {
    const auto order = static_cast<RotateOrder>(int(node->plug("rotateOrder").number()));
    Decomposed parts = decompose(local, order);
    TransformParts now;
    now.rotate = parts.rotate;
    now.rotateOrder = order;
    now.scale = parts.scale;
    now.shear = parts.shear;
    now.rotatePivot = node->plug("rotatePivot").vec3();
    now.rotatePivotTranslate = node->plug("rotatePivotTranslate").vec3();
    now.scalePivot = node->plug("scalePivot").vec3();
    now.scalePivotTranslate = node->plug("scalePivotTranslate").vec3();
    // The translation is the remainder after the offset caused by the pivots.
    const Mat4d without = compose(now);
    for (size_t k = 0; k < 3; ++k) parts.translate[k] = local[12 + k] - without[12 + k];
    const auto set = [&](const char* name, const Vec3d& v) {
        const Plug plug = node->plug(name);
        const auto was = plug.vec3();
        for (int k = 0; k < 3; ++k) {
            const Plug c = plug.child(k);
            if (std::abs(was[k] - v[k]) <= 1e-12 * (1 + std::abs(v[k]))) continue;
            if (c.drivingSource() || c.locked()) {
                d.graph.report(Severity::Warning, c.name() + " is connected or locked and was not changed");
                continue;
            }
            const double stored = v[k];
            d.edits.make(setting(c, [c, stored] { c.set(stored); }));
        }
    };
    set("translate", parts.translate);
    set("rotate", parts.rotate);
    set("scale", parts.scale);
    set("shear", parts.shear);
}

// --- hierarchy

CommandResult parent(CommandContext& d) {
    std::vector<std::string> words = targetWords(d);
    const bool world = d.call.on("world");
    if (words.size() < (world ? 1u : 2u)) throw Error("expected children and a parent");
    const NodePtr above = world ? nullptr : d.graph.get(words.back());
    if (!world) words.pop_back();
    std::vector<std::string> names;
    for (NodePtr node : nodesNamed(d.graph, words)) {
        if (!node->isDag()) throw Error(node->name + " is not a DAG node");
        const bool shape = d.call.on("shape");
        if (node->type->shape && !shape) node = transformOf(node);
        if (d.call.on("removeObject")) throw Error("-removeObject is not supported; delete the instance instead");
        if (d.call.on("addObject")) {
            d.edits.make(instancing(node, above));
        } else {
            const bool keeps = !d.call.on("relative") && node->type->isA("transform");
            const Mat4d before = keeps ? worldOf(d.graph, node) : kIdentity;
            d.edits.make(reparenting(node, above));
            if (keeps) setLocal(d, node, multiply(before, inverse(parentOf(d.graph, node))));
        }
        names.push_back(nameOf(d.graph, node));
    }
    return names;
}

CommandResult group(CommandContext& d) {
    std::vector<NodePtr> members;
    if (!d.call.on("empty")) members = targetTransforms(d, targetWords(d));
    NodePtr above = d.call.has("parent") ? d.graph.get(d.call.text("parent")) : nullptr;
    // Nodes are grouped under their common parent.
    if (!above && !d.call.on("world") && !members.empty() && !members[0]->parents.empty()) {
        above = members[0]->parents.front()->ptr();
        for (const NodePtr& m : members)
            if (m->parents.empty() || m->parents.front() != above.get()) above = nullptr;
    }
    const NodePtr made = createdNode(d, "transform", d.call.text("name", "group#"), above);
    for (const NodePtr& m : members) {
        const Mat4d before = worldOf(d.graph, m);
        d.edits.make(reparenting(m, made));
        if (!d.call.on("relative")) setLocal(d, m, multiply(before, inverse(parentOf(d.graph, m))));
    }
    d.edits.make(selecting(d.graph, {nameOf(d.graph, made)}));
    return nameOf(d.graph, made);
}

CommandResult instance(CommandContext& d) {
    std::vector<std::string> names;
    for (const NodePtr& node : targetTransforms(d, targetWords(d))) {
        const std::string name = d.call.text("name", node->name + "#");
        const NodePtr above = node->parents.empty() ? nullptr : node->parents.front()->ptr();
        const NodePtr made = createdNode(d, "transform", name, above);
        setLocal(d, made, fromMaya(node->plug("matrix").matrix()));
        const std::vector<Node*> children = node->children;
        for (Node* c : children) d.edits.make(instancing(c->ptr(), made));
        names.push_back(nameOf(d.graph, made));
    }
    return names;
}

void below(const NodePtr& node, std::vector<NodePtr>& out) {
    // Maya lists the deepest nodes first.
    for (Node* c : node->children) below(c->ptr(), out);
    for (Node* c : node->children) out.push_back(c->ptr());
}

CommandResult listRelatives(CommandContext& d) {
    const Invocation& call = d.call;
    std::vector<NodePtr> found;
    for (const NodePtr& node : targets(d)) {
        if (!node->isDag()) continue;
        if (call.on("parent")) {
            if (!node->parents.empty()) found.push_back(node->parents.front()->ptr());
        } else if (call.on("allParents")) {
            for (Node* p : node->parents) found.push_back(p->ptr());
        } else if (call.on("allDescendents")) {
            below(node, found);
        } else {
            for (Node* c : node->children)
                if (!call.on("shapes") || c->type->shape) found.push_back(c->ptr());
        }
    }
    std::vector<std::string> names;
    for (const NodePtr& n : found) {
        if (call.has("type")) {
            bool fits = false;
            for (const auto& t : call.values("type")) fits = fits || n->type->isA(t[0]);
            if (!fits) continue;
        }
        if (call.on("noIntermediate") && n->plug("intermediateObject").flag()) continue;
        names.push_back(call.on("fullPath") ? nameOf(d.graph, n, true)
                        : call.on("path")   ? nameOf(d.graph, n)
                                            : n->name);
    }
    return listOrNothing(names);
}

// --- transforms

// Moves components by, or to, a position in the scene's unit. Only the given axes of a position are used.
void moveComponents(CommandContext& d, const Components& components, const std::vector<double>& by,
                    const std::vector<bool>& axes, bool relative, bool world) {
    const Mat4d toWorld = world ? worldOf(d.graph, components.shape) : kIdentity, back = inverse(toWorld);
    placeVertices(d, components, [&](const Vec3d& at) {
        Vec3d p = transformPoint(at, toWorld);
        for (size_t k = 0; k < 3; ++k)
            if (relative || axes[k]) p[k] = (relative ? p[k] : 0) + by[k] * d.graph.units.cmPerUnit;
        return transformPoint(p, back);
    });
}

// The point around which components are rotated or scaled: -pivot, the centre of their bounding box with -centerPivot
// or -objectCenterPivot, or else the pivot of their object.
Vec3d pivotOf(const CommandContext& d, const std::vector<Components>& all, const Components& one, const char* pivot) {
    if (d.call.has("pivot")) {
        const std::vector<double> p = d.call.numbers("pivot");
        const double cm = d.graph.units.cmPerUnit;
        return {p[0] * cm, p[1] * cm, p[2] * cm};
    }
    if (d.call.on("centerPivot")) return centerOf(d.graph, all);
    if (d.call.on("objectCenterPivot")) return centerOf(d.graph, {one});
    const NodePtr transform = transformOf(one.shape);
    return transformPoint(transform->plug(pivot).vec3(), worldOf(d.graph, transform));
}

// Rotates or scales the components among the words, takes them out, and checks the flags that only they have.
void transformComponents(CommandContext& d, std::vector<std::string>& words, const Mat4d& matrix, const char* pivot) {
    const std::vector<Components> all = takeComponents(d.graph, words);
    if (!all.empty() && d.call.on("absolute"))
        throw Error("components are rotated and scaled relative to where they are; leave -absolute out");
    for (const Components& one : all)
        transformVertices(d, one, matrix, pivotOf(d, all, one, pivot), d.call.on("worldSpace"));
    for (const char* flag : {"pivot", "centerPivot", "objectCenterPivot"})
        if (!words.empty() && d.call.has(flag))
            throw Error(std::string("-") + flag + " is supported for components only; set the pivot of " + words[0] +
                        " with xform");
}

// Points of a shape whose bounding box is that of the shape: vertices, or points along a curve.
std::vector<Vec3d> outlineOf(const NodePtr& shape) {
    std::vector<Vec3d> points;
    if (shape->type->isA("mesh"))
        if (const auto mesh = shape->plug("outMesh").data<MeshData>())
            for (size_t i = 0; i + 2 < mesh->points.size(); i += 3)
                points.push_back({double(mesh->points[i]), double(mesh->points[i + 1]), double(mesh->points[i + 2])});
    if (shape->type->isA("nurbsCurve"))
        if (const auto curve = shape->plug("local").data<CurveData>(); curve && !curve->cvs.empty()) {
            // Within a thousandth of a span's height: its extremes lie between samples of a parabola at most that far.
            const int pieces = curve->spans() * (curve->degree == 1 ? 1 : 32);
            for (int i = 0; i <= pieces; ++i) {
                const MPoint p = curve->pointAt(curve->start() + (curve->end() - curve->start()) * i / pieces);
                points.push_back({p.x, p.y, p.z});
            }
        }
    return points;
}

std::vector<double> boundsOf(const Graph& graph, const NodePtr& node) {
    std::vector<double> box = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
    std::vector<NodePtr> all = {node};
    below(node, all);
    for (const NodePtr& n : all) {
        if (!n->type->isA("shape") || n->plug("intermediateObject").flag()) continue;
        const Mat4d world = worldOf(graph, n);
        for (const Vec3d& own : outlineOf(n)) {
            const Vec3d p = transformPoint(own, world);
            for (size_t k = 0; k < 3; ++k) {
                box[k] = std::min(box[k], p[k] / graph.units.cmPerUnit);
                box[k + 3] = std::max(box[k + 3], p[k] / graph.units.cmPerUnit);
            }
        }
    }
    if (!std::isfinite(box[0])) return {0, 0, 0, 0, 0, 0};
    return box;
}

Vec3d stored(const Graph& graph, const std::vector<double>& cm) {
    return {cm[0] * graph.units.cmPerUnit, cm[1] * graph.units.cmPerUnit, cm[2] * graph.units.cmPerUnit};
}

void translateTo(CommandContext& d, const NodePtr& node, const Vec3d& to, bool relative, bool world) {
    const Plug t = node->plug("translate");
    Vec3d local = t.vec3();
    if (world) {
        // In world space, the rotate pivot is positioned.
        const Mat4d parent = parentOf(d.graph, node);
        Vec3d at = transformPoint(local, parent);
        for (size_t k = 0; k < 3; ++k) at[k] = (relative ? at[k] : 0) + to[k];
        local = transformPoint(at, inverse(parent));
    } else {
        for (size_t k = 0; k < 3; ++k) local[k] = (relative ? local[k] : 0) + to[k];
    }
    d.edits.make(setting(t, [t, local] { t.set(local[0], local[1], local[2]); }));
}

void rotateTo(CommandContext& d, const NodePtr& node, const std::vector<double>& angles, bool relative, bool world) {
    const double unit = d.graph.units.radiansPerUnit;
    const Vec3d by = {angles[0] * unit, angles[1] * unit, angles[2] * unit};
    const Plug r = node->plug("rotate");
    const auto order = static_cast<RotateOrder>(int(node->plug("rotateOrder").number()));
    Vec3d now = by;
    if (relative) {
        const Mat4d before = rotation(r.vec3(), order), turn = rotation(by, order);
        Mat4d parent = world ? parentOf(d.graph, node) : kIdentity;
        const Decomposed p = decompose(parent, RotateOrder::xyz);
        parent = rotation(p.rotate, RotateOrder::xyz);
        // Object-space rotation is applied before the current matrix, world-space rotation after it.
        const Mat4d after =
            world ? multiply(multiply(multiply(before, parent), turn), inverse(parent)) : multiply(turn, before);
        now = decompose(after, order).rotate;
    } else if (world) {
        const Decomposed p = decompose(parentOf(d.graph, node), RotateOrder::xyz);
        const Mat4d parent = rotation(p.rotate, RotateOrder::xyz);
        now = decompose(multiply(rotation(by, order), inverse(parent)), order).rotate;
    }
    d.edits.make(setting(r, [r, now] { r.set(now[0], now[1], now[2]); }));
}

CommandResult queryXform(CommandContext& d, const std::string& word) {
    const bool world = d.call.on("worldSpace");
    NodePtr shape;
    std::vector<int> vertices;
    if (verticesNamed(d.graph, word, shape, vertices)) {
        std::vector<double> all;
        for (const int v : vertices)
            for (const double x : vertexAt(d.graph, shape, v, world)) all.push_back(x);
        return all;
    }
    const NodePtr node = transformOf(d.graph.get(word));
    const double cm = d.graph.units.cmPerUnit, angle = d.graph.units.radiansPerUnit;
    const auto matrix = [&] { return world ? worldOf(d.graph, node) : fromMaya(node->plug("matrix").matrix()); };
    const auto point = [&](const Vec3d& p) { return std::vector<double>{p[0] / cm, p[1] / cm, p[2] / cm}; };
    if (d.call.has("matrix")) {
        const Mat4d m = matrix();
        return std::vector<double>(m.begin(), m.end());
    }
    if (d.call.has("translation")) {
        if (!world) return shown(node->plug("translate"));
        const Mat4d m = matrix();
        return point({m[12], m[13], m[14]});
    }
    if (d.call.has("rotation")) {
        if (!world) return shown(node->plug("rotate"));
        const auto order = static_cast<RotateOrder>(int(node->plug("rotateOrder").number()));
        const Vec3d r = decompose(matrix(), order).rotate;
        return std::vector<double>{r[0] / angle, r[1] / angle, r[2] / angle};
    }
    if (d.call.has("scale")) {
        if (!world) return shown(node->plug("scale"));
        const Vec3d s = decompose(matrix(), RotateOrder::xyz).scale;
        return std::vector<double>{s[0], s[1], s[2]};
    }
    if (d.call.has("rotatePivot") || d.call.has("scalePivot") || d.call.has("pivots")) {
        const Vec3d p = node->plug(d.call.has("scalePivot") ? "scalePivot" : "rotatePivot").vec3();
        return point(world ? transformPoint(p, matrix()) : p);
    }
    if (d.call.has("boundingBox")) return boundsOf(d.graph, node);
    throw Error("expected a flag that says what to query");
}

CommandResult xform(CommandContext& d) {
    const std::vector<std::string> words = targetWords(d);
    if (words.empty()) throw Error("nothing is specified or selected");
    if (d.call.query) return queryXform(d, words[0]);
    const bool world = d.call.on("worldSpace"), relative = d.call.on("relative");
    std::vector<std::string> objects = words;
    for (const Components& components : takeComponents(d.graph, objects)) {
        if (!d.call.has("translation"))
            throw Error("only -translation is supported for components; use rotate or scale");
        moveComponents(d, components, d.call.numbers("translation"), {true, true, true}, relative, world);
    }
    for (const std::string& word : objects) {
        const NodePtr node = transformOf(d.graph.get(word));
        if (d.call.has("matrix")) {
            const std::vector<double> m = d.call.numbers("matrix");
            Mat4d local;
            std::copy(m.begin(), m.end(), local.begin());
            setLocal(d, node, world ? multiply(local, inverse(parentOf(d.graph, node))) : local);
        }
        for (const char* pivot : {"rotatePivot", "scalePivot"})
            if (d.call.has(pivot) || d.call.has("pivots")) {
                Vec3d p = stored(d.graph, d.call.numbers(d.call.has(pivot) ? pivot : "pivots"));
                if (world) p = transformPoint(p, inverse(worldOf(d.graph, node)));
                const Plug plug = node->plug(pivot);
                d.edits.make(setting(plug, [plug, p] { plug.set(p[0], p[1], p[2]); }));
            }
        if (d.call.has("scale")) {
            std::vector<double> s = d.call.numbers("scale");
            const Plug plug = node->plug("scale");
            if (relative)
                for (size_t k = 0; k < 3; ++k) s[k] *= plug.vec3()[k];
            setNumbers(d, plug, s);
        }
        if (d.call.has("rotation")) rotateTo(d, node, d.call.numbers("rotation"), relative, world);
        if (d.call.has("translation"))
            translateTo(d, node, stored(d.graph, d.call.numbers("translation")), relative, world);
        if (d.call.on("centerPivots")) {
            const std::vector<double> box = boundsOf(d.graph, node);
            Vec3d middle;
            for (size_t k = 0; k < 3; ++k) middle[k] = (box[k] + box[k + 3]) / 2 * d.graph.units.cmPerUnit;
            middle = transformPoint(middle, inverse(worldOf(d.graph, node)));
            for (const char* pivot : {"rotatePivot", "scalePivot"}) {
                const Plug plug = node->plug(pivot);
                d.edits.make(setting(plug, [plug, middle] { plug.set(middle[0], middle[1], middle[2]); }));
            }
        }
    }
    return {};
}

// Arguments of move, rotate and scale: numbers, then objects. With -x, -y or -z, the numbers apply to these axes only.
struct TransformArguments {
    std::vector<double> values{0, 0, 0};
    std::vector<bool> axes{true, true, true};
    std::vector<std::string> objects;
};

TransformArguments transformArguments(const CommandContext& d, const char* verb, double rest) {
    TransformArguments a;
    const std::vector<std::string> words = d.call.words();
    const std::string v = verb;
    std::vector<size_t> wanted;
    const char* const letters[] = {"X", "Y", "Z", "XY", "XZ", "YZ", "XYZ"};
    const std::vector<size_t> meant[] = {{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}};
    for (size_t k = 0; k < 7; ++k)
        if (d.call.on(v + letters[k])) wanted = meant[k];
    if (wanted.empty()) {
        wanted = {0, 1, 2};
    } else {
        a.axes = {false, false, false};
        a.values = {rest, rest, rest};
        for (const size_t k : wanted) a.axes[k] = true;
    }
    if (words.size() < wanted.size()) throw Error(std::to_string(wanted.size()) + " numbers expected");
    for (size_t k = 0; k < wanted.size(); ++k) a.values[wanted[k]] = numberOf(words[k], verb);
    a.objects.assign(words.begin() + long(wanted.size()), words.end());
    if (a.objects.empty()) a.objects = d.graph.selection;
    if (a.objects.empty()) throw Error("nothing is specified or selected");
    return a;
}

CommandResult move(CommandContext& d) {
    TransformArguments a = transformArguments(d, "move", 0);
    const bool relative = d.call.on("relative");
    const bool world = !d.call.on("objectSpace") && !d.call.on("localSpace");
    for (const Components& components : takeComponents(d.graph, a.objects))
        moveComponents(d, components, a.values, a.axes, relative, world);
    for (const std::string& word : a.objects) {
        const NodePtr node = transformOf(d.graph.get(word));
        Vec3d to = stored(d.graph, a.values);
        if (!relative) {
            // Unspecified axes keep their value.
            Vec3d now = node->plug("translate").vec3();
            if (world) now = transformPoint(now, parentOf(d.graph, node));
            for (size_t k = 0; k < 3; ++k)
                if (!a.axes[k]) to[k] = now[k];
        }
        translateTo(d, node, to, relative, world);
    }
    return {};
}

CommandResult rotate(CommandContext& d) {
    TransformArguments a = transformArguments(d, "rotate", 0);
    const bool relative = !d.call.on("absolute");
    const bool world = d.call.on("worldSpace");
    const double unit = d.graph.units.radiansPerUnit;
    const Vec3d by = {a.values[0] * unit, a.values[1] * unit, a.values[2] * unit};
    transformComponents(d, a.objects, rotation(by, RotateOrder::xyz), "rotatePivot");
    if (a.objects.empty()) return {};
    for (const NodePtr& node : targetTransforms(d, a.objects)) {
        std::vector<double> angles = a.values;
        if (!relative)
            for (size_t k = 0; k < 3; ++k)
                if (!a.axes[k]) angles[k] = shown(node->plug("rotate"))[k];
        rotateTo(d, node, angles, relative, world);
    }
    return {};
}

CommandResult scale(CommandContext& d) {
    TransformArguments a = transformArguments(d, "scale", 1);
    const bool relative = !d.call.on("absolute");
    transformComponents(d, a.objects, scaling({a.values[0], a.values[1], a.values[2]}), "scalePivot");
    if (a.objects.empty()) return {};
    for (const NodePtr& node : targetTransforms(d, a.objects)) {
        std::vector<double> s = a.values;
        const std::vector<double> now = shown(node->plug("scale"));
        for (size_t k = 0; k < 3; ++k) s[k] = !a.axes[k] ? now[k] : relative ? s[k] * now[k] : s[k];
        setNumbers(d, node->plug("scale"), s);
    }
    return {};
}

CommandResult exactWorldBoundingBox(CommandContext& d) {
    std::vector<double> box = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (const NodePtr& node : targets(d)) {
        const std::vector<double> one = boundsOf(d.graph, node);
        for (size_t k = 0; k < 3; ++k) {
            box[k] = std::min(box[k], one[k]);
            box[k + 3] = std::max(box[k + 3], one[k + 3]);
        }
    }
    return box;
}

CommandResult pointPosition(CommandContext& d) {
    const std::vector<std::string> words = targetWords(d);
    NodePtr shape;
    std::vector<int> vertices;
    if (words.size() != 1) throw Error("expected one point");
    if (verticesNamed(d.graph, words[0], shape, vertices) && vertices.size() == 1)
        return vertexAt(d.graph, shape, vertices[0], !d.call.on("local"));
    const Mat4d m = worldOf(d.graph, d.graph.get(words[0]));
    const double cm = d.graph.units.cmPerUnit;
    return std::vector<double>{m[12] / cm, m[13] / cm, m[14] / cm};
}

CommandResult show(CommandContext& d, bool on) {
    for (const NodePtr& node : targets(d)) setNumber(d, node->plug("visibility"), on);
    return {};
}

}  // namespace

std::vector<Command> dagCommands() {
    return {
        {"parent",
         "Moves objects under another object, or to the world.",
         {"world w", "relative r", "absolute a", "shape s", "addObject add", "noConnections nc", "removeObject rm",
          "noInvScale nis"},
         parent},
        {"group",
         "Puts objects under a new transform.",
         {"name n string", "empty em", "parent p string", "world w", "absolute a", "relative r"},
         group},
        {"instance",
         "Creates instances of objects, which share their shapes.",
         {"name n string", "leaf lf !", "smartTransform st !"},
         instance},
        {"listRelatives",
         "Lists parents, children and shapes of objects.",
         {"children c", "parent p", "allParents ap", "allDescendents ad", "shapes s", "fullPath f", "path pa",
          "type typ string ...", "noIntermediate ni"},
         listRelatives},
        {"xform",
         "Sets or queries the transformation of objects, or the position of vertices.",
         {"translation t double double double", "rotation ro double double double", "scale s double double double",
          "matrix m double double double double double double double double double double double double double double "
          "double double",
          "rotatePivot rp double double double", "scalePivot sp double double double",
          "pivots piv double double double", "boundingBox bb", "centerPivots cp", "worldSpace ws", "objectSpace os",
          "absolute a", "relative r", "euler eu", "preserve p bool"},
         xform},
        {"move",
         "Moves objects, or components such as box.vtx[0:3] and box.f[1].",
         {"relative r", "absolute a", "worldSpace ws", "objectSpace os", "localSpace ls", "moveX x", "moveY y",
          "moveZ z", "moveXY xy", "moveXZ xz", "moveYZ yz", "moveXYZ xyz"},
         move},
        {"rotate",
         "Rotates objects, or components such as box.f[1] around a pivot.",
         {"relative r", "absolute a", "worldSpace ws", "objectSpace os", "rotateX x", "rotateY y", "rotateZ z",
          "rotateXY xy", "rotateXZ xz", "rotateYZ yz", "rotateXYZ xyz", "euler eu", "forceOrderXYZ fo",
          "pivot p double double double", "centerPivot cp", "objectCenterPivot ocp"},
         rotate},
        {"scale",
         "Scales objects, or components such as box.f[1] around a pivot.",
         {"relative r", "absolute a", "worldSpace ws", "objectSpace os", "scaleX x", "scaleY y", "scaleZ z",
          "scaleXY xy", "scaleXZ xz", "scaleYZ yz", "scaleXYZ xyz", "pivot p double double double", "centerPivot cp",
          "objectCenterPivot ocp"},
         scale},
        {"exactWorldBoundingBox",
         "Returns the bounding box of objects in world space: x y z of both corners.",
         {"calculateExactly ce", "ignoreInvisible ii"},
         exactWorldBoundingBox},
        {"pointPosition", "Returns the position of a vertex or an object.", {"local l", "world w"}, pointPosition},
        {"hide", "Hides objects.", {}, [](CommandContext& d) { return show(d, false); }},
        {"showHidden", "Shows hidden objects.", {}, [](CommandContext& d) { return show(d, true); }},
    };
}

}  // namespace purl::host
