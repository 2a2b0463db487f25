#include "nodes/pointsNode.h"

#include <maya/MFnArrayAttrsData.h>

#include <algorithm>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/publish.h"
#include "solver/core/random.h"

namespace purl {

std::vector<int> chosenLiquids(const Frame& frame, const WantedBody& wanted) {
    if (!wanted.isAny()) {
        const int index = wanted.indexIn(frame.bodies);
        if (index < 0)
            throw Error("body \"" + wanted.name() + "\" is not in the frame; leave the name empty for all liquids");
        return {index};
    }
    std::vector<int> liquids;
    for (size_t i = 0; i < frame.bodies.size(); ++i)
        if (frame.bodies[i].kind == BodyKind::liquid) liquids.push_back(static_cast<int>(i));
    return liquids;
}

namespace {

// Position of each particle along a ramp, 0 to 1; empty if the frame lacks the quantity.
std::vector<float> inputOf(RampInput input, float max, const Points& points, double metersPerUnit) {
    std::vector<float> values;
    if (input == RampInput::age) values = points.ages;
    if (input == RampInput::wetness) values = points.wetting.wetness;
    if (input == RampInput::speed)
        for (const Vec3 v : points.velocities) values.push_back(static_cast<float>(metersPerUnit) * length(v));
    for (float& value : values) value = std::clamp(value / max, 0.0f, 1.0f);
    if (values.size() != points.count()) values.clear();
    return values;
}

void scaleRadii(const PointsDisplay& look, double metersPerUnit, Points& points) {
    const auto along = inputOf(look.radiusScaleInput, look.radiusScaleInputMax, points, metersPerUnit);
    std::vector<float>& radii = points.radii.edit();
    for (size_t i = 0; i < radii.size(); ++i) {
        if (!along.empty() && !look.radiusScale.entries.empty()) radii[i] *= look.radiusScale.at(along[i]);
        radii[i] *= 1 - look.radiusScaleRandomize * randomUnit(0, static_cast<uint64_t>(points.ids[i]));
    }
}

void recolor(const PointsDisplay& look, double metersPerUnit, const Points& points, std::vector<Vec3>& colors) {
    const auto along = inputOf(look.colorInput, look.colorInputMax, points, metersPerUnit);
    for (size_t i = 0; i < along.size() && !look.color.entries.empty(); ++i) colors[i] = look.color.at(along[i]);
}

}  // namespace

MStatus PointsNode::compute(const MPlug& plug, MDataBlock& block) {
    if (!isOutput<PointsNode>(plug)) return MS::kUnknownParameter;
    MStatus status;
    const MDataHandle input = block.inputValue(inFrame_, &status);
    if (!status) return status;  // already reported by the node that failed
    return guarded(*this, [&] {
        const auto frame = FrameData::get(input);
        const WantedBody wanted = wantedBody(block, inBody_, choice_.read(block).body, *this);
        Points chosen;
        if (frame && !wanted.isAny()) chosen = pointsOf(*frame, chosenLiquids(*frame, wanted).front());
        const PointsDisplay look = look_.read(block);
        const bool sized = look.radiusScaleInput != RampInput::off || look.radiusScaleRandomize > 0;
        if (frame && wanted.isAny() && sized) chosen = frame->points;
        const double meters = frame ? frame->metersPerUnit : 1;
        if (sized) scaleRadii(look, meters, chosen);
        const Points& points = frame && wanted.isAny() && !sized ? frame->points : chosen;

        publish<MFnVectorArrayData, MVectorArray>(block, outPositions_, points.positions);
        publish<MFnVectorArrayData, MVectorArray>(block, outVelocities_, points.velocities);
        publish<MFnVectorArrayData, MVectorArray>(block, outNormals_, points.normals);
        publish<MFnDoubleArrayData, MDoubleArray>(block, outIds_, points.ids);
        publish<MFnIntArrayData, MIntArray>(block, outBodies_, points.bodies);
        publish<MFnDoubleArrayData, MDoubleArray>(block, outRadii_, points.radii);
        publish<MFnDoubleArrayData, MDoubleArray>(block, outDensities_, points.densities);
        publish<MFnDoubleArrayData, MDoubleArray>(block, outPressures_, points.pressures);
        publishWetting(block, wetting_, points.wetting);
        publish<MFnIntArrayData, MIntArray>(block, outDropKnits_, points.drops.knits);
        publish<MFnIntArrayData, MIntArray>(block, outDropYarns_, points.drops.yarnIds);
        publish<MFnIntArrayData, MIntArray>(block, outDropCourses_, points.drops.courses);
        publish<MFnIntArrayData, MIntArray>(block, outDropWales_, points.drops.wales);

        std::vector<Vec3> colors = frame ? colorsOf(*frame, points) : std::vector<Vec3>();
        recolor(look, meters, points, colors);
        publish<MFnVectorArrayData, MVectorArray>(block, outColors_, colors);

        MFnArrayAttrsData all;
        const MObject particles = all.create();
        MVectorArray position = all.vectorArray("position"), velocity = all.vectorArray("velocity"),
                     color = all.vectorArray("rgbPP");
        MDoubleArray id = all.doubleArray("id"), radius = all.doubleArray("radiusPP");
        copy(points.positions, position);
        copy(points.velocities, velocity);
        copy(colors, color);
        copy(points.ids, id);
        copy(points.radii, radius);
        MDataHandle out = block.outputValue(outParticles_);
        out.setMObject(particles);
        out.setClean();

        MDataHandle count = block.outputValue(outCount_);
        count.setInt(static_cast<int>(points.count()));
        count.setClean();
    });
}

}  // namespace purl
