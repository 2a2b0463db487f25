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

// The last `count` meshes as one, for outMesh; a single one is shared.
Mesh joined(const Frame& frame, size_t count) {
    Mesh all;
    if (count == 1) {
        all = frame.meshes.back();
        all.faces = {};
        if (all.colors.empty()) all.colors = std::vector<Vec3>(all.positions.size(), all.color);
        return all;
    }
    for (size_t m = frame.meshes.size() - count; m < frame.meshes.size(); ++m) {
        const Mesh& mesh = frame.meshes[m];
        const size_t before = all.positions.size(), after = before + mesh.positions.size();
        const auto base = static_cast<int>(before);
        forEachChannel(all, mesh, [&](auto& to, const auto& from) {
            if (to.empty() && from.empty()) return;
            auto& values = to.edit();
            values.resize(before);
            values.insert(values.end(), from.begin(), from.end());
            values.resize(after);
        });
        // Meshes of liquids that do not mix have one colour.
        if (mesh.colors.empty()) {
            std::vector<Vec3>& colors = all.colors.edit();
            colors.resize(before);
            colors.resize(after, mesh.color);
        }
        std::vector<int>& triangles = all.triangles.edit();
        triangles.reserve(triangles.size() + mesh.triangles.size());
        for (const int vertex : mesh.triangles) triangles.push_back(base + vertex);
    }
    return all;
}

// Whether `ratio` differs from 1 by a larger factor than `other`; 0 means unknown.
bool isFartherFromOne(double ratio, double other) {
    return ratio > 0 && (other <= 0 || std::abs(std::log(ratio)) > std::abs(std::log(other)));
}

}  // namespace

// Appends the surfaces of the chosen liquids to the frame's meshes, reusing cached ones if allowed.
struct SurfaceNode::AddSurfaces {
    SurfaceParams params;
    SurfaceChoice choice;
    WantedBody body;
    Device device;
    bool recordLoops;

    std::vector<std::vector<int>> groups(const Frame& frame) const {
        return surfaceGroups(frame, chosenLiquids(frame, body), choice.together);
    }

    void operator()(Frame& frame) const {
        const std::vector<std::vector<int>> all = groups(frame);
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
            for (const std::vector<int>& group : all) add(group);
        });
        for (Mesh& mesh : own) {
            if (isFartherFromOne(mesh.volumeRatio, frame.stats.volumeRatio)) frame.stats.volumeRatio = mesh.volumeRatio;
            frame.meshes.push_back(std::move(mesh));
        }
    }
};

SurfaceNode::AddSurfaces SurfaceNode::settingsIn(MDataBlock& block) {
    return {params_.read(block, &former_), together_.read(block),
            wantedBody(block, inBody_, choice_.read(block).body, *this), Device::cpu(MThreadUtils::getNumThreads()),
            recordLoops_};
}

void SurfaceNode::addTo(Frame& frame) {
    MDataBlock block = forceCache();
    settingsIn(block)(frame);
}

MStatus SurfaceNode::compute(const MPlug& plug, MDataBlock& block) {
    if (!isOutput<SurfaceNode>(plug)) return MS::kUnknownParameter;
    MStatus status;
    const MDataHandle input = block.inputValue(inFrame_, &status);
    if (!status) return status;  // already reported by the node that failed
    return guarded(*this, [&] {
        const AddSurfaces addSurfaces = settingsIn(block);
        // Plugs that nobody is connected to are computed only on request. They take the surfaces from outFrame.
        std::shared_ptr<const Frame> made;
        if (plug != outFrame_ && block.isClean(outFrame_)) made = FrameData::get(block.outputValue(outFrame_));
        if (!made || !made->deferred.empty()) {
            const auto from = FrameData::get(input);
            const auto frame = from ? std::make_shared<Frame>(*from) : std::make_shared<Frame>();
            const bool defers = defer_ && plug == outFrame_;
            if (defers) {
                frame->deferred.emplace_back([addSurfaces, node = std::string(name().asUTF8())](Frame& whole) {
                    try {
                        addSurfaces(whole);
                    } catch (const Error& error) { throw Error(node + ": " + error.what()); }
                });
            } else {
                complete(*frame);
                addSurfaces(*frame);
            }
            made = frame;
            MDataHandle out = block.outputValue(outFrame_);
            FrameData::set(out, made);
            out.setClean();
            if (defers) return;
        }
        publish(plug, block, joined(*made, addSurfaces.groups(*made).size()));
    });
}

void SurfaceNode::publish(const MPlug& asked, MDataBlock& block, const Mesh& surface) const {
    const auto isWanted = [&](const MObject& plug) {
        return asked == plug || MPlug(thisMObject(), plug).isConnected();
    };
    if (isWanted(outMesh_)) {
        MDataHandle mesh = block.outputValue(outMesh_);
        mesh.setMObject(meshData(surface));
        mesh.setClean();
    }
    const auto vectors = [&](const MObject& plug, const Channel<Vec3>& channel) {
        if (isWanted(plug)) purl::publish<MFnVectorArrayData, MVectorArray>(block, plug, channel);
    };
    const auto numbers = [&](const MObject& plug, const auto& channel) {
        if (isWanted(plug)) purl::publish<MFnDoubleArrayData, MDoubleArray>(block, plug, channel);
    };
    vectors(outVelocities_, surface.velocities);
    vectors(outNormals_, surface.normals);
    vectors(outColors_, surface.colors);
    vectors(outRestPositions_, surface.restPositions);
    numbers(outAges_, surface.ages);
    numbers(outIds_, surface.ids);
    if (isWanted(outSources_)) purl::publish<MFnIntArrayData, MIntArray>(block, outSources_, surface.sources);
}

}  // namespace purl
