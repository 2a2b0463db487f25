#include "nodes/yarnNode.h"

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"
#include "nodes/names.h"
#include "nodes/publish.h"

namespace purl {
namespace {

const Curves& chosenKnit(const Frame& frame, const WantedBody& wanted) {
    if (frame.curves.empty()) throw Error("the frame has no knit; connect a purlKnit to the solver");
    const int index = wanted.isAny() ? 0 : wanted.indexIn(frame.curves);
    if (index < 0)
        throw Error("knit \"" + wanted.name() + "\" is not in the frame; leave the name empty for the first one");
    return frame.curves[static_cast<size_t>(index)];
}

// The points of one yarn.
std::vector<Vec3> pointsOf(const Curves& curves, int yarn) {
    size_t first = 0;
    for (size_t k = 0; k < curves.counts.size(); ++k) {
        const auto count = static_cast<size_t>(curves.counts[k]);
        if (curves.ids[k] == yarn)
            return std::vector<Vec3>(curves.positions.begin() + static_cast<std::ptrdiff_t>(first),
                                     curves.positions.begin() + static_cast<std::ptrdiff_t>(first + count));
        first += count;
    }
    throw Error("yarn " + std::to_string(yarn) + " is not in knit \"" + curves.name + "\", which has " +
                std::to_string(curves.counts.size()));
}

}  // namespace

MStatus YarnNode::compute(const MPlug& plug, MDataBlock& block) {
    if (!isOutput<YarnNode>(plug)) return MS::kUnknownParameter;
    MStatus status;
    const MDataHandle input = block.inputValue(inFrame_, &status);
    if (!status) return status;  // already reported by the node that failed
    return guarded(*this, [&] {
        const auto frame = FrameData::get(input);
        const YarnChoice choice = choice_.read(block);
        const Curves none;
        const Curves& curves = frame ? chosenKnit(*frame, wantedBody(block, inKnit_, choice.knit, *this)) : none;
        publish<MFnVectorArrayData, MVectorArray>(block, outPositions_, curves.positions);
        publish<MFnVectorArrayData, MVectorArray>(block, outVelocities_, curves.velocities);
        publish<MFnDoubleArrayData, MDoubleArray>(block, outWidths_, curves.widths);
        publish<MFnDoubleArrayData, MDoubleArray>(block, outTwists_, curves.twists);
        publish<MFnIntArrayData, MIntArray>(block, outCourses_, curves.courses);
        publish<MFnIntArrayData, MIntArray>(block, outWales_, curves.wales);
        publish<MFnIntArrayData, MIntArray>(block, outCounts_, curves.counts);
        publish<MFnIntArrayData, MIntArray>(block, outIds_, curves.ids);
        publish<MFnVectorArrayData, MVectorArray>(block, outColors_, curves.colors);
        publish<MFnVectorArrayData, MVectorArray>(block, outWetColors_, curves.pointColors);
        publishWetting(block, wetting_, curves.wetting);
        MDataHandle plies = block.outputValue(outPlies_);
        plies.setInt(curves.plies);
        plies.setClean();
        MDataHandle curve = block.outputValue(outCurve_);
        curve.setMObject(curveData(frame ? pointsOf(curves, choice.yarn) : std::vector<Vec3>()));
        curve.setClean();
    });
}

}  // namespace purl
