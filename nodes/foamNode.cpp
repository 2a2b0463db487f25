#include "nodes/foamNode.h"

#include <maya/MThreadUtils.h>

#include <algorithm>

#include "nodes/boundary.h"
#include "nodes/data.h"

namespace purl {
std::vector<FoamWall> foamWalls(const Scene& scene) {
    std::vector<FoamWall> walls;
    for (const Collider& collider : scene.colliders) {
        if (collider.params.effect == ColliderEffect::kill) continue;
        TriangleMesh outline = outlineOf(collider);
        walls.push_back({std::move(outline.vertices), std::move(outline.triangles)});
    }
    return walls;
}

MStatus FoamNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outFrame_) return MS::kUnknownParameter;
    MStatus status;
    const MDataHandle input = block.inputValue(inFrame_, &status);
    if (!status) return status;  // the node that failed has said why
    return guarded(*this, [&] {
        const auto from = FrameData::get(input);
        auto frame = from ? std::make_shared<Frame>(*from) : std::make_shared<Frame>();
        const FoamParams params = params_.read(block);
        for (const int index : chosenLiquids(*frame, choice_.read(block).body)) {
            const std::string& body = frame->bodies[static_cast<size_t>(index)].name;
            auto played = std::find_if(played_.begin(), played_.end(), [&](const Played& p) { return p.body == body; });
            if (played == played_.end())
                played =
                    played_.insert(played_.end(), {body, -1, Foam(body, Device::cpu(MThreadUtils::getNumThreads()))});
            if (played->time != frame->time) {
                Scene walls;
                appendBodies(walls, block.inputArrayValue(bodies_));
                played->foam.advance(*frame, params, foamWalls(walls));
            }
            played->time = frame->time;
            played->foam.addTo(*frame, params);
        }
        MDataHandle out = block.outputValue(outFrame_);
        FrameData::set(out, frame);
        out.setClean();
    });
}

}  // namespace purl
