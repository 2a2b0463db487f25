#include "nodes/surfaceNode.h"

#include <maya/MThreadUtils.h>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"

namespace purl {
namespace {

// The bodies to be meshed: the one named, or every liquid.
std::vector<int> chosenBodies(const Frame& frame, const std::string& name) {
    if (!name.empty()) {
        const int index = findBody(frame, name);
        if (index < 0) throw Error("body \"" + name + "\" is not in the frame; leave it empty for all liquids");
        return {index};
    }
    std::vector<int> liquids;
    for (size_t i = 0; i < frame.bodies.size(); ++i)
        if (frame.bodies[i].kind == BodyKind::liquid) liquids.push_back(static_cast<int>(i));
    return liquids;
}

// One mesh of several, for the single outMesh.
Mesh joined(const Frame& frame, size_t firstMesh) {
    Mesh all;
    for (size_t m = firstMesh; m < frame.meshes.size(); ++m) {
        const Mesh& mesh = frame.meshes[m];
        const auto base = static_cast<int>(all.positions.size());
        all.positions.insert(all.positions.end(), mesh.positions.begin(), mesh.positions.end());
        for (const int vertex : mesh.triangles) all.triangles.push_back(base + vertex);
    }
    return all;
}

}  // namespace

MStatus SurfaceNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outMesh_ && plug != outFrame_) return MS::kUnknownParameter;
    MStatus status;
    const MDataHandle input = block.inputValue(inFrame_, &status);
    if (!status) return status;  // the node that failed has said why
    return guarded(*this, [&] {
        const auto from = FrameData::get(input);
        auto frame = from ? std::make_shared<Frame>(*from) : std::make_shared<Frame>();
        const size_t firstMesh = frame->meshes.size();
        const SurfaceParams params = params_.read(block);
        const Device device = Device::cpu(MThreadUtils::getNumThreads());
        for (const int body : chosenBodies(*frame, choice_.read(block).body))
            frame->meshes.push_back(makeSurface(device, *frame, body, params));

        MDataHandle mesh = block.outputValue(outMesh_);
        mesh.setMObject(meshData(joined(*frame, firstMesh)));
        mesh.setClean();
        MDataHandle out = block.outputValue(outFrame_);
        FrameData::set(out, frame);
        out.setClean();
    });
}

}  // namespace purl
