// What flows along our own connections: a handle on a value that nobody changes any more. Copying a handle is free,
// so a frame of a million particles passes through ten nodes at no cost.
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

// Tells SharedData its Maya name and id: struct { using Value; static constexpr unsigned kId; static constexpr const
// char* kName; }
struct BodyTraits {
    using Value = Scene;  // a scene that holds just this body, in scene units
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

    // What the plug holds, or null where nothing is connected.
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

// All bodies of an array plug in one scene, behind what it holds. Throws Error where one could not be computed.
inline void appendBodies(Scene& scene, MArrayDataHandle bodies) {
    for (unsigned i = 0; i < bodies.elementCount(); ++i, bodies.next()) {
        MStatus status;
        const MDataHandle element = bodies.inputValue(&status);
        const auto body = status ? BodyData::get(element) : nullptr;
        if (!body)
            throw Error("bodies[" + std::to_string(bodies.elementIndex()) +
                        "] gives no body; see the message before this one");
        append(scene, *body);
    }
}

}  // namespace purl
