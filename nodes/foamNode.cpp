#include "nodes/foamNode.h"

#include <maya/MThreadUtils.h>

#include <algorithm>

#include "nodes/boundary.h"
#include "nodes/data.h"

namespace purl {
std::vector<FoamCollider> foamWalls(const Scene& scene) {
    std::vector<FoamCollider> walls;
    for (const Collider& collider : scene.colliders) {
        if (collider.params.effect == ColliderEffect::kill) continue;
        TriangleMesh outline = outlineOf(collider);
        walls.push_back({std::move(outline.vertices), std::move(outline.triangles)});
    }
    return walls;
}

MStatus FoamNode::compute(const MPlug& plug, MDataBlock& block) {
    if (!isOutput<FoamNode>(plug)) return MS::kUnknownParameter;
    MStatus status;
    const MDataHandle input = block.inputValue(inFrame_, &status);
    if (!status) return status;  // already reported by the node that failed
    return guarded(*this, [&] {
        const auto from = FrameData::get(input);
        auto frame = from ? std::make_shared<Frame>(*from) : std::make_shared<Frame>();
        const FoamParams params = params_.read(block);
        const WantedBody choice = wantedBody(block, inBody_, choice_.read(block).body, *this);
        Scene walls;
        appendBodies(walls, block.inputArrayValue(bodies_));
        const std::lock_guard<std::mutex> computing(computing_);
        if (const auto held = FoamData::get(block.outputValue(outState_)); held && held != published_) played_ = *held;
        for (const int index : chosenLiquids(*frame, choice)) {
            const std::string body = frame->bodies[index].name;
            if (findBody(*frame, body + "Foam") >= 0) continue;  // already in the frame, from a cache
            auto played =
                std::find_if(played_.begin(), played_.end(), [&](const PlayedFoam& p) { return p.body == body; });
            if (played == played_.end())
                played =
                    played_.insert(played_.end(), {body, -1, Foam(body, Device::cpu(MThreadUtils::getNumThreads()))});
            if (played->time != frame->time) played->foam.advance(*frame, params, foamWalls(walls));
            played->time = frame->time;
            played->foam.addTo(*frame, params);
        }
        FrameData::set(block.outputValue(outFrame_), frame);
        block.setClean(outFrame_);
        if (!isCached() && plug != outState_) return;
        published_ = std::make_shared<const std::vector<PlayedFoam>>(played_);
        FoamData::set(block.outputValue(outState_), published_);
        block.setClean(outState_);
    });
}

}  // namespace purl
