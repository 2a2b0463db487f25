// Data of Purl's own connections: shared handles to immutable values. Copying a handle is cheap, so a frame of a
// million particles passes through ten nodes at no cost.
#pragma once
#include <maya/MArrayDataHandle.h>
#include <maya/MDataHandle.h>
#include <maya/MFnPluginData.h>
#include <maya/MPxData.h>
#include <maya/MString.h>
#include <maya/MTypeId.h>

#include <memory>
#include <utility>

#include "nodes/ids.h"
#include "solver/core/error.h"
#include "solver/frame.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// Traits of SharedData: struct { using Value; static constexpr unsigned kId; static constexpr const char* kName; }
struct BodyTraits {
    using Value = Scene;  // a scene with this body only, in the units of the Maya scene
    static constexpr unsigned kId = id::kBodyData;
    static constexpr const char* kName = "purlBody";
};
struct EmitterTraits {
    using Value = Emitter;
    static constexpr unsigned kId = id::kEmitterData;
    static constexpr const char* kName = "purlEmitterData";
};
struct FrameTraits {
    using Value = Frame;
    static constexpr unsigned kId = id::kFrameData;
    static constexpr const char* kName = "purlFrame";
};

struct StateTraits {
    using Value = State;  // SI
    static constexpr unsigned kId = id::kStateData;
    static constexpr const char* kName = "purlState";
};

template <class Traits>
class SharedData : public MPxData {
  public:
    using Value = typename Traits::Value;

    static void* creator() { return new SharedData; }
    static MTypeId dataId() { return MTypeId(Traits::kId); }

    MTypeId typeId() const override { return dataId(); }
    MString name() const override { return Traits::kName; }
    void copy(const MPxData& other) override { value_ = static_cast<const SharedData&>(other).value_; }

    // The value on a plug; null if nothing is connected.
    static std::shared_ptr<const Value> get(const MDataHandle& handle) {
        const auto* data = static_cast<const SharedData*>(handle.asPluginData());
        return data ? data->value_ : nullptr;
    }
    static std::shared_ptr<const Value> get(const MObject& object) {
        MStatus status;
        const MFnPluginData data(object, &status);
        return status ? static_cast<const SharedData*>(data.constData())->value_ : nullptr;
    }
    static MStatus set(MDataHandle handle, std::shared_ptr<const Value> value) {
        MStatus status;
        MFnPluginData create;
        create.create(dataId(), &status);
        if (!status) return status;
        auto* data = static_cast<SharedData*>(create.data(&status));
        if (!status) return status;
        data->value_ = std::move(value);
        return handle.setMPxData(data);
    }

  private:
    std::shared_ptr<const Value> value_;
};

using BodyData = SharedData<BodyTraits>;
using EmitterData = SharedData<EmitterTraits>;
using FrameData = SharedData<FrameTraits>;
using StateData = SharedData<StateTraits>;

// Appends all bodies of an array plug to a scene. Throws Error if one of them failed to compute.
inline void appendBodies(Scene& scene, MArrayDataHandle bodies) {
    for (unsigned i = 0; i < bodies.elementCount(); ++i, bodies.next()) {
        MStatus status;
        const MDataHandle element = bodies.inputValue(&status);
        const auto body = status ? BodyData::get(element) : nullptr;
        if (!body)
            throw Error("bodies[" + std::to_string(bodies.elementIndex()) + "] has no body; see the previous message");
        append(scene, *body);
    }
}

}  // namespace purl
