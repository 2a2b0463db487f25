#include "nodes/knitNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"
#include "solver/cache/file.h"

namespace purl {

MStatus KnitNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        Knit knit;
        knit.name = name().asUTF8();
        const auto own = nodeParams_.read(block);
        knit.params = params_.read(block);
        if (own.preset != KnitPresetChoice::custom) {
            // Gauges are in metres, attributes in Maya's centimetres.
            scaleLengths(knit.params, 1 / kCentimetersPerMeter);
            knit.params = own.applyTo(knit.params, gauges());
            scaleLengths(knit.params, kCentimetersPerMeter);
        }
        MDataHandle mesh = block.inputValue(inMesh_);
        worldFaces(mesh, knit.points, knit.faces);
        if (knit.faces.empty()) throw Error("mesh has no faces; connect one to inMesh");
        knit.pins = mapOf(block.inputValue(pins_));
        knit.stiffnessMap = mapOf(block.inputValue(stiffnessMap_));
        knit.massMap = mapOf(block.inputValue(massMap_));
        knit.pores = poresOf(block, pores_, poreMaps_);
        pinListed(own.pinnedVertices, knit.pins, knit.points.size());
        // Our own patterns have plain names; a file's has an extension.
        const std::string& pattern = knit.params.pattern;
        if (pattern.find('.') != std::string::npos) knit.chart = readFile(pattern);
        auto body = std::make_shared<Scene>();
        body->knits.push_back(std::move(knit));
        BodyData::set(block.outputValue(outBody_), body);
        block.setClean(plug);
    });
}

}  // namespace purl
