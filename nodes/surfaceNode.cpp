#include "nodes/surfaceNode.h"

#include <maya/MThreadUtils.h>

#include <algorithm>
#include <cmath>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"
#include "nodes/publish.h"
#include "solver/core/error.h"
#include "solver/core/profile.h"

namespace purl {
namespace {

// Groups of liquids that share a surface, in the order of their first liquids.
std::vector<std::vector<int>> surfaceGroups(const Frame& frame, const std::vector<int>& liquids, Together together) {
    std::vector<std::vector<int>> groups;
    size_t shared = 0;  // index of the shared group + 1; 0: none yet
    for (const int body : liquids) {
        const bool shares =
            together == Together::on || (together == Together::automatic && frame.bodies[body].dispersion > 0);
        if (shares && shared > 0) {
            groups[shared - 1].push_back(body);
            continue;
        }
        groups.push_back({body});
        if (shares) shared = groups.size();
    }
    return groups;
}

// All meshes from `firstMesh` on as one, for outMesh.
Mesh joined(const Frame& frame, size_t firstMesh) {
    Mesh all;
    for (size_t m = firstMesh; m < frame.meshes.size(); ++m) {
        const Mesh& mesh = frame.meshes[m];
        const size_t before = all.positions.size(), after = before + mesh.positions.size();
        const auto base = static_cast<int>(before);
        forEachChannel(all, mesh, [&](auto& to, const auto& from) {
            if (to.empty() && from.empty()) return;
            to.resize(before);
            to.insert(to.end(), from.begin(), from.end());
            to.resize(after);
        });
        // Meshes of liquids that do not mix have one colour.
        if (mesh.colors.empty()) {
            all.colors.resize(before);
            all.colors.resize(after, mesh.color);
        }
        for (const int vertex : mesh.triangles) all.triangles.push_back(base + vertex);
    }
    return all;
}

// Whether `ratio` differs from 1 by a larger factor than `other`; 0 means unknown.
bool isFartherFromOne(double ratio, double other) {
    return ratio > 0 && (other <= 0 || std::abs(std::log(ratio)) > std::abs(std::log(other)));
}

// Appends the surfaces of the chosen liquids to the frame's meshes, reusing cached ones if allowed. Returns the index
// of the first.
struct AddSurfaces {
    SurfaceParams params;
    SurfaceChoice choice;
    std::string body;
    Device device;
    bool recordLoops;

    size_t operator()(Frame& frame) const {
        const std::vector<int> liquids = chosenLiquids(frame, body);
        std::vector<Mesh> own;
        const auto add = [&](const std::vector<int>& bodies) {
            const std::string& name = frame.bodies[bodies[0]].name;
            const auto cached = std::find_if(frame.meshes.begin(), frame.meshes.end(), [&](const Mesh& mesh) {
                return mesh.kind == MeshKind::liquid && mesh.name == name;
            });
            if (choice.useCached && cached != frame.meshes.end()) {
                own.push_back(std::move(*cached));
                frame.meshes.erase(cached);
                return;
            }
            SurfaceReport report;
            own.push_back(makeSurface(device, frame, bodies, params, &report));
            frame.stats.surfaceMemory = std::max(frame.stats.surfaceMemory, report.megabytes);
        };
        Profile{device, frame.phases, recordLoops}("makeSurface", [&] {
            for (const std::vector<int>& group : surfaceGroups(frame, liquids, choice.together)) add(group);
        });
        const size_t firstMesh = frame.meshes.size();
        for (Mesh& mesh : own) {
            if (isFartherFromOne(mesh.volumeRatio, frame.stats.volumeRatio)) frame.stats.volumeRatio = mesh.volumeRatio;
            frame.meshes.push_back(std::move(mesh));
        }
        return firstMesh;
    }
};

}  // namespace

MStatus SurfaceNode::compute(const MPlug& plug, MDataBlock& block) {
    if (!isOutput<SurfaceNode>(plug)) return MS::kUnknownParameter;
    MStatus status;
    const MDataHandle input = block.inputValue(inFrame_, &status);
    if (!status) return status;  // already reported by the node that failed
    return guarded(*this, [&] {
        const auto from = FrameData::get(input);
        auto frame = from ? std::make_shared<Frame>(*from) : std::make_shared<Frame>();
        const AddSurfaces addSurfaces{params_.read(block, &former_), together_.read(block), choice_.read(block).body,
                                      Device::cpu(MThreadUtils::getNumThreads()), recordLoops_};
        MDataHandle out = block.outputValue(outFrame_);
        if (defer_ && plug == outFrame_) {
            frame->deferred.emplace_back([addSurfaces, node = std::string(name().asUTF8())](Frame& whole) {
                try {
                    addSurfaces(whole);
                } catch (const Error& error) { throw Error(node + ": " + error.what()); }
            });
            FrameData::set(out, frame);
            out.setClean();
            return;
        }
        complete(*frame);
        const Mesh all = joined(*frame, addSurfaces(*frame));
        MDataHandle mesh = block.outputValue(outMesh_);
        mesh.setMObject(meshData(all));
        mesh.setClean();
        publish<MFnVectorArrayData, MVectorArray>(block, outVelocities_, all.velocities);
        publish<MFnVectorArrayData, MVectorArray>(block, outNormals_, all.normals);
        publish<MFnVectorArrayData, MVectorArray>(block, outColors_, all.colors);
        publish<MFnVectorArrayData, MVectorArray>(block, outRestPositions_, all.restPositions);
        publish<MFnDoubleArrayData, MDoubleArray>(block, outAges_, all.ages);
        publish<MFnDoubleArrayData, MDoubleArray>(block, outIds_, all.ids);
        publish<MFnIntArrayData, MIntArray>(block, outSources_, all.sources);
        FrameData::set(out, frame);
        out.setClean();
    });
}

}  // namespace purl
