#include "nodes/fluidNode.h"

#include <maya/MArrayDataHandle.h>

#include <tuple>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"

namespace purl {
namespace {

// A preset sets the material only; resolution and initial state stay those of the node.
constexpr auto kOwnFields =
    std::make_tuple(&FluidParams::particleSpacing, &FluidParams::jitter, &FluidParams::startVelocity);

bool isOwn(const void* field, const FluidParams& params) {
    return std::apply([&](auto... own) { return ((field == &(params.*own)) || ...); }, kOwnFields);
}

FluidParams withPreset(FluidPresetChoice choice, const FluidParams& own) {
    const FluidPreset* preset = presetRow(choice, fluidPresets());
    if (!preset) return own;
    FluidParams params = preset->params;
    std::apply([&](auto... field) { ((params.*field = own.*field), ...); }, kOwnFields);
    const FluidParams defaults;
    if (!(own.color == defaults.color)) params.color = own.color;
    if (own.opacity != defaults.opacity) params.opacity = own.opacity;
    return params;
}

}  // namespace

Vec3 glowOf(FluidPresetChoice choice) {
    const FluidPreset* preset = presetRow(choice, fluidPresets());
    return preset ? preset->glow : Vec3{};
}

std::vector<PresetReference> FluidNode::presets() {
    std::vector<PresetReference> all;
    for (const FluidPreset& each : fluidPresets()) {
        PresetReference preset{each.name, {}};
        FluidParams material = each.params;
        describe(
            [&](auto& field, const About& about) {
                if (!isOwn(&field, material)) ReferenceWriter{preset.values}(field, about);
            },
            material);
        all.push_back(std::move(preset));
    }
    return all;
}

MStatus FluidNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        Fluid fluid;
        fluid.name = name().asUTF8();
        fluid.params = withPreset(nodeParams_.read(block).preset, params_.read(block, &former_));
        MArrayDataHandle meshes = block.inputArrayValue(inMesh_);
        for (unsigned i = 0; i < meshes.elementCount(); ++i, meshes.next()) {
            MDataHandle element = meshes.inputValue();
            fluid.volumes.push_back(worldMesh(element));
            if (fluid.volumes.back().empty()) throw Error("a mesh connected to inMesh has no faces");
        }
        MArrayDataHandle emitters = block.inputArrayValue(inEmitter_);
        for (unsigned i = 0; i < emitters.elementCount(); ++i, emitters.next())
            if (const auto emitter = EmitterData::get(emitters.inputValue())) fluid.emitters.push_back(*emitter);

        auto body = std::make_shared<Scene>();
        body->fluids.push_back(std::move(fluid));
        BodyData::set(block.outputValue(outBody_), body);
        block.setClean(plug);
    });
}

}  // namespace purl
