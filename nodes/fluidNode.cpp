#include "nodes/fluidNode.h"

#include <maya/MArrayDataHandle.h>

#include "nodes/boundary.h"
#include "nodes/data.h"
#include "nodes/geometry.h"

namespace purl {
namespace {

// What a preset never sets: resolution and start.
bool isOwn(const std::string& attribute) {
    return attribute == "particleSpacing" || attribute == "jitter" || attribute == "startVelocity";
}

FluidParams withPreset(FluidPresetChoice choice, const FluidParams& own) {
    if (choice == FluidPresetChoice::custom) return own;
    FluidParams params = fluidPreset(choicesOf(choice)[static_cast<size_t>(choice)]);
    params.particleSpacing = own.particleSpacing;
    params.jitter = own.jitter;
    params.startVelocity = own.startVelocity;
    const FluidParams defaults;
    if (!(own.color == defaults.color)) params.color = own.color;
    if (own.opacity != defaults.opacity) params.opacity = own.opacity;
    return params;
}

}  // namespace

Vec3 glowOf(FluidPresetChoice preset) {
    // Basalt at 1150 °C is orange; brighter than a white surface in the key light.
    return preset == FluidPresetChoice::lava ? Vec3{2.4f, 0.62f, 0.09f} : Vec3{};
}

std::vector<PresetReference> FluidNode::presets() {
    std::vector<PresetReference> all;
    for (const FluidPreset& each : fluidPresets()) {
        PresetReference preset{each.name, {}};
        FluidParams material = fluidPreset(each.name);
        std::vector<AttributeReference> rows;
        describe(ReferenceWriter{rows}, material);
        for (const AttributeReference& row : rows)
            if (!isOwn(row.name)) preset.values.push_back(row);
        all.push_back(std::move(preset));
    }
    return all;
}

MStatus FluidNode::compute(const MPlug& plug, MDataBlock& block) {
    if (plug != outBody_) return MS::kUnknownParameter;
    return guarded(*this, [&] {
        Fluid fluid;
        fluid.name = name().asUTF8();
        fluid.params = withPreset(nodeParams_.read(block).preset, params_.read(block));
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
