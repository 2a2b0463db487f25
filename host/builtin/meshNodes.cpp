// Meshes, curves, surfaces and the construction history nodes between a primitive and its shape.
#include <set>

#include "host/builtin/builtin.h"
#include "host/builtin/declare.h"
#include "host/builtin/meshBuild.h"
#include "host/builtin/meshEdits.h"

namespace purl::host {
namespace {

// The first upstream node of a geometry input that cannot be computed (a placeholder), or null.
NodePtr blocker(const Plug& input) {
    std::set<const Node*> seen;
    Plug plug = input;
    NodePtr last;
    while (Plug source = plug.drivingSource()) {
        last = source.node;
        if (last->type->placeholder || !seen.insert(last.get()).second) return last;
        // geometry inputs of pass-through nodes
        Plug next;
        for (const char* name : {"inMesh", "inputGeometry", "inputPolymesh", "input[0].inputGeometry", "inputPoly[0]"})
            if (!next && last->has(name)) next = last->plug(name);
        if (!next) return last;
        plug = next;
    }
    return last;
}

[[noreturn]] void failNotAvailable(const Plug& input) {
    const NodePtr by = blocker(input);
    // The graph prepends the name of the shape.
    throw Error("geometry not available: " +
                (by ? "driven by " + by->name + " (" + by->type->name + ")" : "it has no points and no history"));
}

// Of a curve or surface.
template <class T>
void transformCvs(T& shape, const Mat4d& m) {
    const Mat4d all = multiply(fromMaya(shape.matrix), m);
    shape.matrix = MMatrix();
    for (MPoint& p : shape.cvs) {
        const Vec3d q = transformPoint({p.x, p.y, p.z}, all);
        p.x = q[0], p.y = q[1], p.z = q[2];
    }
}

// The geometry with its points transformed by its own matrix, if any, and then by m.
DataPtr transformed(const DataPtr& data, const Mat4d& m) {
    DataPtr copy = data ? data->clone() : nullptr;
    if (auto mesh = std::dynamic_pointer_cast<MeshData>(copy)) {
        const Mat4d all = multiply(fromMaya(mesh->matrix), m), forNormals = transpose(inverse(all));
        mesh->matrix = MMatrix();
        for (std::size_t i = 0; i + 2 < mesh->points.size(); i += 3) {
            const Vec3d p = transformPoint({mesh->points[i], mesh->points[i + 1], mesh->points[i + 2]}, all);
            for (int k = 0; k < 3; ++k) mesh->points[i + k] = static_cast<float>(p[k]);
        }
        // n' = n M⁻ᵀ, unit length again
        for (std::size_t i = 0; i + 2 < mesh->faceNormals.size(); i += 3) {
            const float* from = &mesh->faceNormals[i];
            MVector n;
            for (int k = 0; k < 3; ++k)
                n[k] = from[0] * forNormals[k] + from[1] * forNormals[4 + k] + from[2] * forNormals[8 + k];
            n.normalize();
            for (int k = 0; k < 3; ++k) mesh->faceNormals[i + k] = static_cast<float>(n[k]);
        }
    } else if (auto curve = std::dynamic_pointer_cast<CurveData>(copy)) {
        transformCvs(*curve, m);
    } else if (auto surface = std::dynamic_pointer_cast<SurfaceData>(copy)) {
        transformCvs(*surface, m);
    }
    return copy;
}

// Applies the matrix of world-space data that is connected to a shape's input.
template <class T>
DataPtr inOwnSpace(const DataPtr& data) {
    auto shape = std::dynamic_pointer_cast<T>(data);
    return shape && shape->matrix != MMatrix() ? transformed(data, kIdentity) : data;
}

// worldMesh[i], worldSpace[i]: the geometry with the matrix of one DAG path, which the reader applies.
template <class T>
Result computeWorldGeometry(const Plug& plug, const AttrPtr& local) {
    Node& node = *plug.node;
    if (node.plug(local).evaluate() == Result::Failed) return Result::Failed;  // the error was already reported
    auto shape = node.plug(local).data<T>();
    if (!shape) return Result::Failed;
    auto copy = std::static_pointer_cast<T>(shape->clone());
    copy->matrix = node.plug("worldMatrix").element(plug.indices[0]).matrix();
    plug.put(std::static_pointer_cast<Data>(copy));
    return Result::Done;
}

// The output mesh of a shape in object space: its input plus the tweaks .pnts.
DataPtr shownMesh(Node& node, const AttrPtr& inMesh, const AttrPtr& pnts) {
    const Plug input = node.plug(inMesh);
    const DataPtr data = inOwnSpace<MeshData>(input.data());
    if (!data) failNotAvailable(input);
    const Plug tweaks = node.plug(pnts);
    const std::vector<int> elements = tweaks.elements();
    if (elements.empty()) return data;
    auto copy = std::static_pointer_cast<MeshData>(data->clone());
    for (const int i : elements) {
        if (i >= copy->vertexCount()) break;
        const auto d = tweaks.element(i).vec3();
        for (int k = 0; k < 3; ++k) copy->points[3 * i + k] += static_cast<float>(d[k]);
    }
    return copy;
}

void addMesh() {
    Type& mesh = addType("mesh", "shape");
    mesh.apiType = MFn::kMesh;
    const AttrPtr inMesh = mesh.add(typed("inMesh", "i", DataType::Mesh));
    const AttrPtr pnts = mesh.add(array(
        numeric("pnts", "pt", Kind::Float, {distance("pntx", "px"), distance("pnty", "py"), distance("pntz", "pz")})));
    const AttrPtr out = mesh.add(output(typed("outMesh", "o", DataType::Mesh)));
    const AttrPtr world = mesh.add(worldSpace(output(typed("worldMesh", "w", DataType::Mesh))));
    mesh.add(text("currentUVSet", "cuvs"));
    mesh.add(boolean("doubleSided", "ds", true));
    mesh.add(boolean("opposite", "op"));
    mesh.add(integer("displaySmoothMesh", "dsm"));
    mesh.add(integer("smoothLevel", "lev", 2));
    mesh.affects({inMesh, pnts}, {out, world});
    mesh.compute = [=](const Plug& plug) {
        Node& node = *plug.node;
        if (plug.attr == out) {
            plug.put(shownMesh(node, inMesh, pnts));
            return Result::Done;
        }
        return plug.attr == world && plug.isElement() ? computeWorldGeometry<MeshData>(plug, out) : Result::Unknown;
    };
}

// The attributes that curves and surfaces have in common.
struct Controlled {
    AttrPtr create, cached, points, local, world;
};
Controlled addControlled(Type& type, DataType kind) {
    Controlled a;
    a.create = type.add(typed("create", "cr", kind));
    a.cached = type.add(typed("cached", "cc", kind));
    a.points = type.add(array(numeric("controlPoints", "cp", Kind::Double,
                                      {distance("xValue", "xv"), distance("yValue", "yv"), distance("zValue", "zv")})));
    a.local = type.add(output(typed("local", "l", kind)));
    a.world = type.add(worldSpace(output(typed("worldSpace", "ws", kind))));
    type.affects({a.create, a.cached, a.points}, {a.local, a.world});
    return a;
}

// The input from construction history, else the shape stored in the file, plus the tweaks .controlPoints.
template <class T>
DataPtr shownControlled(Node& node, const Controlled& a) {
    DataPtr data = inOwnSpace<T>(node.plug(a.create).data());
    if (!data) data = node.plug(a.cached).data();
    if (!data) failNotAvailable(node.plug(a.create));
    const Plug tweaks = node.plug(a.points);
    if (tweaks.elements().empty()) return data;
    auto copy = std::static_pointer_cast<T>(data->clone());
    for (const int i : tweaks.elements()) {
        if (i >= static_cast<int>(copy->cvs.size())) break;
        const auto d = tweaks.element(i).vec3();
        copy->cvs[i].x += d[0], copy->cvs[i].y += d[1], copy->cvs[i].z += d[2];
    }
    return copy;
}

void addCurve() {
    Type& curve = addType("nurbsCurve", "shape");
    curve.apiType = MFn::kNurbsCurve;
    const Controlled a = addControlled(curve, DataType::Curve);
    const AttrPtr degree = curve.add(output(integer("degree", "d"))), spans = curve.add(output(integer("spans", "s"))),
                  form = curve.add(output(integer("form", "f")));
    curve.affects({a.create, a.cached, a.points}, {degree, spans, form});
    curve.compute = [=](const Plug& plug) {
        Node& node = *plug.node;
        if (plug.attr == a.local) {
            plug.put(shownControlled<CurveData>(node, a));
            return Result::Done;
        }
        if (plug.attr == degree || plug.attr == spans || plug.attr == form) {
            const auto data = node.plug(a.local).data<CurveData>();
            if (!data) failNotAvailable(node.plug(a.create));
            plug.put(plug.attr == degree ? data->degree : plug.attr == spans ? data->spans() : data->form);
            return Result::Done;
        }
        return plug.attr == a.world && plug.isElement() ? computeWorldGeometry<CurveData>(plug, a.local)
                                                        : Result::Unknown;
    };
}

void addSurface() {
    Type& surface = addType("nurbsSurface", "shape");
    surface.apiType = MFn::kNurbsSurface;
    const Controlled a = addControlled(surface, DataType::Surface);
    surface.compute = [=](const Plug& plug) {
        if (plug.attr == a.local) {
            plug.put(shownControlled<SurfaceData>(*plug.node, a));
            return Result::Done;
        }
        return plug.attr == a.world && plug.isElement() ? computeWorldGeometry<SurfaceData>(plug, a.local)
                                                        : Result::Unknown;
    };
}

// Declares a pass-through node: one geometry input, one geometry output.
void addPass(const char* name, const char* inLong, const char* inShort, const char* outLong, const char* outShort,
             const std::vector<AttrPtr>& extra, std::function<DataPtr(Node&, DataPtr)> work) {
    Type& type = addType(name);
    const AttrPtr in = type.add(typed(inLong, inShort, DataType::Any));
    const AttrPtr out = type.add(output(typed(outLong, outShort, DataType::Any)));
    std::vector<AttrPtr> inputs = extra;
    for (const AttrPtr& a : extra) type.add(a);
    inputs.push_back(in);
    type.affects(inputs, {out});
    type.compute = [=](const Plug& plug) {
        if (plug.attr != out) return Result::Unknown;
        plug.put(work(*plug.node, plug.node->plug(in).data()));
        return Result::Done;
    };
}

// The faces selected by a node's component list on its input mesh.
std::vector<int> facesNamed(Node& node, const char* list, const MeshData& mesh) {
    const auto components = node.plug(list).data<ComponentListData>();
    return components ? facesIn(*components, mesh.faceCount()) : std::vector<int>();
}

DataPtr withFacesExtruded(Node& node, const DataPtr& data) {
    const auto mesh = std::dynamic_pointer_cast<MeshData>(data);
    if (!mesh) return data;
    const std::array<double, 3> translate = node.plug("localTranslate").vec3(), scale = node.plug("localScale").vec3();
    if (translate[0] != 0 || translate[1] != 0)
        throw Error("localTranslateX and localTranslateY are not supported; use localTranslateZ, along the normal");
    if (scale[0] != scale[1]) throw Error("localScaleX and localScaleY must be equal");
    if (node.plug("divisions").number() != 1) throw Error("only one division of an extrusion is supported");
    Extrusion extrusion;
    extrusion.thickness = node.plug("thickness").number();
    extrusion.translateZ = translate[2];
    extrusion.offset = node.plug("offset").number();
    extrusion.scale = scale[0];
    extrusion.together = node.plug("keepFacesTogether").flag();
    return extruded(*mesh, facesNamed(node, "inputComponents", *mesh), extrusion);
}

DataPtr smoothedMesh(Node& node, const DataPtr& data) {
    const auto mesh = std::dynamic_pointer_cast<MeshData>(data);
    if (!mesh) return data;
    if (int(facesNamed(node, "inputComponents", *mesh).size()) != mesh->faceCount())
        throw Error("only whole meshes can be smoothed, not individual faces");
    if (node.plug("method").number() != 0) throw Error("only the exponential method of smoothing is supported");
    Smoothing smoothing;
    smoothing.divisions = int(node.plug("divisions").number());
    smoothing.continuity = node.plug("continuity").number();
    smoothing.keepBorder = node.plug("keepBorder").flag();
    return smoothed(*mesh, smoothing);
}

void addUnite() {
    Type& type = addType("polyUnite");
    const AttrPtr meshes = type.add(array(typed("inputPoly", "ip", DataType::Mesh)));
    const AttrPtr matrices = type.add(array(matrix("inputMat", "im")));
    const AttrPtr out = type.add(output(typed("output", "out", DataType::Mesh)));
    type.affects({meshes, matrices}, {out});
    type.compute = [=](const Plug& plug) {
        if (plug.attr != out) return Result::Unknown;
        std::vector<std::pair<std::shared_ptr<const MeshData>, Mat4d>> parts;
        for (const int i : plug.node->plug(meshes).elements()) {
            const Plug input = plug.node->plug(meshes).element(i);
            const auto mesh = input.data<MeshData>();
            if (!mesh) failNotAvailable(input);
            parts.emplace_back(mesh, fromMaya(plug.node->plug(matrices).element(i).matrix()));
        }
        plug.put(DataPtr(united(parts)));
        return Result::Done;
    };
}

void addHistory() {
    const auto same = [](Node&, DataPtr data) { return data; };
    addPass("groupParts", "inputGeometry", "ig", "outputGeometry", "og",
            {integer("groupId", "gi"), typed("inputComponents", "ic", DataType::ComponentList),
             typed("inputRemoveComponent", "irc", DataType::ComponentList)},
            same);
    addPass("transformGeometry", "inputGeometry", "ig", "outputGeometry", "og",
            {matrix("transform", "txf"), boolean("invertTransform", "itf")}, [](Node& node, DataPtr data) {
                const Mat4d m = fromMaya(node.plug("transform").matrix());
                return transformed(data, node.plug("invertTransform").flag() ? inverse(m) : m);
            });
    // Nodes that change only UVs, colours or normals pass the geometry through: simulations need only the points.
    for (const char* name : {"polyTweakUV", "polyColorPerVertex", "polySoftEdge", "polyNormalPerVertex"})
        addPass(name, "inputPolymesh", "ip", "output", "out", {}, same);
    addPass("polyTweak", "inputPolymesh", "ip", "output", "out",
            {array(numeric("tweak", "tk", Kind::Float,
                           {distance("tweakX", "tx"), distance("tweakY", "ty"), distance("tweakZ", "tz")}))},
            [](Node& node, DataPtr data) -> DataPtr {
                auto mesh = std::dynamic_pointer_cast<MeshData>(data);
                if (!mesh) return data;
                auto copy = std::static_pointer_cast<MeshData>(mesh->clone());
                const Plug tweaks = node.plug("tweak");
                for (const int i : tweaks.elements()) {
                    if (i >= copy->vertexCount()) break;
                    const auto d = tweaks.element(i).vec3();
                    for (int k = 0; k < 3; ++k) copy->points[3 * i + k] += static_cast<float>(d[k]);
                }
                return copy;
            });

    const auto addDelete = [](const char* name, const char* in, const char* inShort, const char* out,
                              const char* outShort, const char* list, const char* listShort) {
        addPass(name, in, inShort, out, outShort, {typed(list, listShort, DataType::ComponentList)},
                [list](Node& node, DataPtr data) -> DataPtr {
                    const auto mesh = std::dynamic_pointer_cast<MeshData>(data);
                    return mesh ? withoutFaces(*mesh, facesNamed(node, list, *mesh)) : data;
                });
    };
    addDelete("deleteComponent", "inputGeometry", "ig", "outputGeometry", "og", "deleteComponents", "dc");
    addDelete("polyDelFacet", "inputPolymesh", "ip", "output", "out", "inputComponents", "ics");
    addPass("polyExtrudeFace", "inputPolymesh", "ip", "output", "out",
            {typed("inputComponents", "ics", DataType::ComponentList), distance("thickness", "tk"),
             vector3("localTranslate", "lt", Kind::Distance), vector3("localScale", "ls", Kind::Double, 1, 1, 1),
             number("offset", "off"), integer("divisions", "d", 1), boolean("keepFacesTogether", "kft", true),
             boolean("worldSpace", "ws"), matrix("inputMatrix", "ix"), boolean("reverseAllFaces", "raf", true)},
            withFacesExtruded);
    addPass("polySmoothFace", "inputPolymesh", "ip", "output", "out",
            {typed("inputComponents", "ics", DataType::ComponentList), integer("method", "mth"),
             range(integer("divisions", "dv", 1), 0, kMaxSmoothDivisions), range(number("continuity", "c", 1), 0, 1),
             boolean("keepBorder", "kb", true)},
            smoothedMesh);
    addUnite();

    // The first node of a deformer chain: passes each geometry through.
    Type& tweak = addType("tweak");
    const AttrPtr input = tweak.add(
        array(compound("input", "ip", {typed("inputGeometry", "ig", DataType::Any), integer("groupId", "gi")})));
    const AttrPtr out = tweak.add(array(output(typed("outputGeometry", "og", DataType::Any))));
    tweak.affects({input, input->children[0]}, {out});
    tweak.compute = [=](const Plug& plug) {
        if (plug.attr != out || !plug.isElement()) return Result::Unknown;
        plug.put(plug.node->plug(input).element(plug.indices[0]).child(0).data());
        return Result::Done;
    };

    Type& groupId = addType("groupId");
    groupId.add(integer("groupId", "id"));
}

}  // namespace

void addMeshTypes() {
    addMesh();
    addCurve();
    addSurface();
    addHistory();
}

}  // namespace purl::host
