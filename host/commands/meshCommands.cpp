// Commands that edit meshes and build them from other geometry, each as a node of the construction history.
#include <algorithm>
#include <cmath>

#include "host/builtin/meshBuild.h"
#include "host/builtin/meshEdits.h"
#include "host/commands/vertices.h"

namespace purl::host {
namespace {

// Faces of one mesh, and the words that named them.
struct FaceSelection {
    NodePtr shape;
    std::vector<int> faces;
    std::string word;
};

// The faces named by the arguments or the selection; an object stands for all of its faces.
std::vector<FaceSelection> facesOf(const CommandContext& d, const std::vector<std::string>& words, bool objects) {
    std::vector<FaceSelection> all;
    for (const std::string& word : words) {
        FaceSelection found;
        const bool component = word.find('.') != std::string::npos;
        if (!facesNamed(d.graph, component || !objects ? word : word + ".f[*]", found.shape, found.faces))
            throw Error(word + " is neither a node nor faces of a mesh (" + word.substr(0, word.find('.')) +
                        ".f[0:3])");
        found.word = word;
        const auto known = std::find_if(all.begin(), all.end(), [&](const auto& f) { return f.shape == found.shape; });
        if (known == all.end())
            all.push_back(found);
        else
            known->faces.insert(known->faces.end(), found.faces.begin(), found.faces.end());
    }
    for (FaceSelection& selection : all) {
        std::vector<int>& f = selection.faces;
        std::sort(f.begin(), f.end());
        f.erase(std::unique(f.begin(), f.end()), f.end());
    }
    return all;
}

void refuseModes(const CommandContext& d) {
    if (d.call.query || d.call.edit)
        throw Error("-query and -edit are not supported; use getAttr and setAttr on the node");
}

// Gives a history node its name, and returns its name.
std::string finished(CommandContext& d, const NodePtr& node) {
    if (d.call.has("name")) d.edits.make(renaming(node, d.call.text("name")));
    return nameOf(d.graph, node);
}

// The history is needed if the mesh has one already; else -constructionHistory says what is wanted, and here a mesh
// without history is edited directly.
CommandResult polyExtrudeFacet(CommandContext& d) {
    refuseModes(d);
    const double cm = d.graph.units.cmPerUnit;
    std::vector<double> translate = {0, 0, 0}, scale = {1, 1, 1};
    if (d.call.has("localTranslate")) translate = d.call.numbers("localTranslate");
    if (d.call.has("localScale")) scale = d.call.numbers("localScale");
    const char* const axes[] = {"X", "Y", "Z"};
    for (size_t k = 0; k < 3; ++k) {
        translate[k] = d.call.number(std::string("localTranslate") + axes[k], translate[k]);
        scale[k] = d.call.number(std::string("localScale") + axes[k], scale[k]);
    }
    if (translate[0] != 0 || translate[1] != 0)
        throw Error(
            "-localTranslate is supported along z only, the normal of the faces; use move for other directions");
    if (scale[0] != scale[1]) throw Error("-localScale must be the same in x and y");
    if (d.call.number("divisions", 1) != 1) throw Error("only one division is supported; extrude again for more");
    Extrusion extrusion;
    extrusion.thickness = d.call.number("thickness") * cm;
    extrusion.translateZ = translate[2] * cm;
    extrusion.offset = d.call.number("offset");
    extrusion.scale = scale[0];
    extrusion.together = d.call.on("keepFacesTogether", true);
    if (extrusion.thickness == 0 && extrusion.translateZ == 0 && extrusion.offset == 0 && extrusion.scale == 1)
        throw Error("a non-zero -thickness, -localTranslateZ or -offset, or a -localScale is required");
    const std::vector<std::string> words = targetWords(d);
    if (words.empty()) throw Error("nothing is specified or selected");
    std::vector<std::string> made;
    for (const FaceSelection& selection : facesOf(d, words, true)) {
        const NodePtr node = insertHistory(
            d, selection.shape, {"polyExtrudeFace", "inputPolymesh", "output", "inputComponents"}, selection.faces,
            [&](const MeshData& mesh) { return extruded(mesh, selection.faces, extrusion); });
        if (!node) continue;
        setNumber(d, node->plug("thickness"), d.call.number("thickness"));
        setNumber(d, node->plug("localTranslateZ"), translate[2]);
        setNumbers(d, node->plug("localScale"), scale);
        setNumber(d, node->plug("offset"), extrusion.offset);
        setNumber(d, node->plug("keepFacesTogether"), extrusion.together);
        made.push_back(finished(d, node));
    }
    return made;
}

CommandResult polyDelFacet(CommandContext& d) {
    refuseModes(d);
    const std::vector<std::string> words = targetWords(d);
    if (words.empty()) throw Error("nothing is specified or selected");
    std::vector<std::string> made;
    for (const NodePtr& node : deleteFaces(d, words, {"polyDelFacet", "inputPolymesh", "output", "inputComponents"}))
        made.push_back(finished(d, node));
    return made;
}

CommandResult polySmooth(CommandContext& d) {
    refuseModes(d);
    Smoothing smoothing;
    smoothing.divisions = int(d.call.number("divisions", 1));
    smoothing.continuity = d.call.number("continuity", 1);
    smoothing.keepBorder = d.call.on("keepBorder", true);
    if (d.call.number("method") != 0) throw Error("only -method 0, exponential, is supported");
    if (smoothing.divisions < 0 || smoothing.divisions > kMaxSmoothDivisions)
        throw Error("-divisions must be between 0 and " + std::to_string(kMaxSmoothDivisions));
    if (!(smoothing.continuity >= 0 && smoothing.continuity <= 1)) throw Error("-continuity must be between 0 and 1");
    const std::vector<std::string> words = targetWords(d);
    if (words.empty()) throw Error("nothing is specified or selected");
    std::vector<std::string> made;
    for (const FaceSelection& selection : facesOf(d, words, true)) {
        const NodePtr node = insertHistory(
            d, selection.shape, {"polySmoothFace", "inputPolymesh", "output", "inputComponents"}, selection.faces,
            [&](const MeshData& mesh) {
                if (int(selection.faces.size()) != mesh.faceCount())
                    throw Error(selection.word + ": only whole meshes can be smoothed, not individual faces");
                return smoothed(mesh, smoothing);
            });
        if (!node) continue;
        setNumber(d, node->plug("divisions"), smoothing.divisions);
        setNumber(d, node->plug("continuity"), smoothing.continuity);
        setNumber(d, node->plug("keepBorder"), smoothing.keepBorder);
        made.push_back(finished(d, node));
    }
    return made;
}

// A new object with this mesh, in the initial shading group and selected.
std::pair<NodePtr, NodePtr> createdMesh(CommandContext& d, const std::string& name) {
    const auto made = createdShape(d, "mesh", name);
    if (const NodePtr group = d.graph.find("initialShadingGroup")) addToSet(d, group, made.second);
    d.edits.make(selecting(d.graph, {nameOf(d.graph, made.first)}));
    return made;
}

// The united object reads the original shapes, which become intermediate; without history the originals are deleted.
CommandResult polyUnite(CommandContext& d) {
    refuseModes(d);
    if (d.call.number("mergeUVSets", 1) != 1) throw Error("only -mergeUVSets 1, by name, is supported");
    std::vector<NodePtr> shapes;
    for (const NodePtr& node : targets(d)) {
        const NodePtr shape = node->isDag() ? firstShape(node) : nullptr;
        if (!shape || !shape->type->isA("mesh")) throw Error(node->name + " has no mesh");
        if (std::find(shapes.begin(), shapes.end(), shape) != shapes.end())
            throw Error(node->name + " is listed twice; duplicate it first");
        shapes.push_back(shape);
    }
    if (shapes.size() < 2) throw Error("expected at least two meshes");
    const auto [transform, united] = createdMesh(d, d.call.text("name", "polySurface#"));
    const NodePtr node = createdNode(d, "polyUnite", "polyUnite#");
    for (size_t i = 0; i < shapes.size(); ++i) {
        d.edits.make(connecting(shapes[i]->plug("outMesh"), node->plug("inputPoly").element(int(i))));
        d.edits.make(connecting(shapes[i]->plug("worldMatrix").element(0), node->plug("inputMat").element(int(i))));
    }
    const Plug in = united->plug("inMesh"), out = node->plug("output");
    if (d.call.on("constructionHistory", true)) {
        d.edits.make(connecting(out, in));
        for (const NodePtr& shape : shapes) setNumber(d, shape->plug("intermediateObject"), 1);
    } else {
        const DataPtr mesh = out.data();
        if (!mesh) throw Error("cannot compute the united mesh; see the previous message");
        d.edits.make(setting(in, [in, mesh] { in.set(mesh); }));
        d.edits.make(removing(node));
        for (const NodePtr& shape : shapes) d.edits.make(removing(shape->parents.front()->ptr()));
    }
    std::vector<std::string> made = {nameOf(d.graph, transform)};
    if (node->alive()) made.push_back(nameOf(d.graph, node));
    return made;
}

CommandResult revolve(CommandContext& d) {
    refuseModes(d);
    if (d.call.number("polygon") != 1)
        throw Error("only polygons are supported here; add -polygon 1 (in Python polygon=1)");
    if (d.call.on("constructionHistory"))
        throw Error("the history of surfaces is not supported; leave -constructionHistory out");
    std::vector<NodePtr> curves = targets(d);
    if (curves.size() != 1) throw Error("expected one curve");
    const NodePtr shape = curves[0]->isDag() ? firstShape(curves[0]) : nullptr;
    if (!shape || !shape->type->isA("nurbsCurve")) throw Error(curves[0]->name + " is not a curve");
    const auto curve = shape->plug("local").data<CurveData>();
    if (!curve) throw Error(curves[0]->name + ": the curve is empty");
    const Mat4d world = worldOf(d.graph, shape);
    std::vector<Vec3d> profile = profileOf(*curve);
    for (Vec3d& p : profile) p = transformPoint(p, world);

    Revolution revolution;
    const double cm = d.graph.units.cmPerUnit, angle = d.graph.units.radiansPerUnit;
    const auto vector = [&](const char* flag, Vec3d& into, double unit) {
        const std::vector<double> v = d.call.numbers(flag);
        for (size_t k = 0; k < v.size(); ++k) into[k] = v[k] * unit;
    };
    vector("axis", revolution.axis, 1);
    vector("pivot", revolution.pivot, cm);
    if (d.call.has("startSweep")) revolution.start = d.call.number("startSweep") * angle;
    if (d.call.has("endSweep")) revolution.end = d.call.number("endSweep") * angle;
    revolution.degree = int(d.call.number("degree", 3));
    revolution.sections = int(d.call.number("sections", 8));
    if (revolution.degree != 1 && revolution.degree != 3) throw Error("-degree must be 1 (linear) or 3 (round)");
    if (revolution.sections < 1 || revolution.sections > 4096) throw Error("-sections must be between 1 and 4096");
    const double sweep = std::abs(revolution.end - revolution.start);
    if (!(sweep > 0 && sweep < 6.2832)) throw Error("-startSweep and -endSweep must be at most one turn apart");
    if (sweep > 6.2831 && revolution.sections * (revolution.degree == 1 ? 1 : 4) < 3)
        throw Error("a full turn of -degree 1 needs at least 3 sections");
    const DataPtr mesh = revolved(profile, revolution);
    const auto [transform, made] = createdMesh(d, d.call.text("name", "revolvedSurface#"));
    const Plug in = made->plug("inMesh");
    d.edits.make(setting(in, [in, mesh] { in.set(mesh); }));
    return std::vector<std::string>{nameOf(d.graph, transform)};
}

}  // namespace

std::vector<NodePtr> deleteFaces(CommandContext& d, const std::vector<std::string>& words, const HistoryNode& kind) {
    std::vector<NodePtr> made;
    for (const FaceSelection& selection : facesOf(d, words, false))
        if (const NodePtr node = insertHistory(d, selection.shape, kind, selection.faces, [&](const MeshData& mesh) {
                return withoutFaces(mesh, selection.faces);
            }))
            made.push_back(node);
    return made;
}

std::vector<Command> meshCommands() {
    return {
        {"polyExtrudeFacet",
         "Extrudes faces, or thickens an open mesh to a solid with walls.",
         {"thickness tk double",
          "localTranslate lt double double double",
          "localTranslateX ltx double",
          "localTranslateY lty double",
          "localTranslateZ ltz double",
          "offset off double",
          "localScale ls double double double",
          "localScaleX lsx double",
          "localScaleY lsy double",
          "localScaleZ lsz double",
          "keepFacesTogether kft bool",
          "divisions d int",
          "constructionHistory ch bool",
          "name n string",
          "translate t double double double !",
          "rotate ro double double double !",
          "scale s double double double !",
          "localRotate lr double double double !",
          "localDirection ld double double double !",
          "inputCurve inc string !",
          "taper tp double !",
          "twist twt double !"},
         polyExtrudeFacet},
        {"polyDelFacet", "Deletes faces.", {"constructionHistory ch bool", "name n string"}, polyDelFacet},
        {"polySmooth",
         "Smooths a mesh by Catmull-Clark subdivision.",
         {"divisions dv int", "continuity c double", "keepBorder kb bool", "method mth int",
          "constructionHistory ch bool", "name n string", "keepHardEdge khe bool !", "keepSelectionBorder ksb bool !"},
         polySmooth},
        {"polyUnite",
         "Combines meshes into one.",
         {"name n string", "constructionHistory ch bool", "mergeUVSets muv int", "centerPivot cp !",
          "objectPivot op !"},
         polyUnite},
        {"revolve",
         "Revolves a curve around an axis; returns a polygon mesh (polygon=1 is required).",
         {"name n string", "axis ax double double double", "pivot p double double double", "startSweep ssw double",
          "endSweep esw double", "degree d int", "sections s int", "polygon po int", "autoCorrectNormal acn bool",
          "constructionHistory ch bool", "useTolerance ut bool !", "tolerance tol double !", "bridge br bool !",
          "computePivotAndAxis cpa int !"},
         revolve},
    };
}

}  // namespace purl::host
