// The message classes: callbacks of plugins on events of the graph.
#include <maya/MCallbackIdArray.h>
#include <maya/MDGMessage.h>
#include <maya/MNodeMessage.h>
#include <maya/MSceneMessage.h>

#include "host/api/access.h"
#include "host/graph/events.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MStatus MMessage::removeCallback(MCallbackId id) {
    return unlisten(id) ? MStatus::kSuccess : MStatus::kInvalidParameter;
}
MStatus MMessage::removeCallbacks(const MCallbackIdArray& ids) {
    MStatus all;
    for (unsigned int i = 0; i < ids.length(); ++i)
        if (const MStatus status = removeCallback(ids[i]); !status) all = status;
    return all;
}

template <class Listener>
static MCallbackId add(bool valid, Listener listener, MStatus* status) {
    setStatus(status, valid ? MStatus::kSuccess : MStatus::kInvalidParameter);
    return valid ? listen(listener) : 0;
}

MCallbackId MDGMessage::addTimeChangeCallback(MTimeFunction function, void* data, MStatus* status) {
    return add(
        function != nullptr,
        [=](const Event& event) {
            if (event.kind != Event::timeChanged) return;
            MTime time = timeOf(event.ticks);
            function(time, data);
        },
        status);
}

static MCallbackId addOfType(Event::Kind kind, MMessage::MNodeFunction function, const MString& type, void* data,
                             MStatus* status) {
    return add(
        function && findType(type.asChar()),
        [=, type = std::string(type.asChar())](const Event& event) {
            if (event.kind != kind || !event.node->type->isA(type)) return;
            MObject node = Api::make(event.node);
            function(node, data);
        },
        status);
}
MCallbackId MDGMessage::addNodeAddedCallback(MNodeFunction function, const MString& type, void* data, MStatus* status) {
    return addOfType(Event::nodeAdded, function, type, data, status);
}
MCallbackId MDGMessage::addNodeRemovedCallback(MNodeFunction function, const MString& type, void* data,
                                               MStatus* status) {
    return addOfType(Event::nodeRemoved, function, type, data, status);
}
MCallbackId MDGMessage::addConnectionCallback(MPlugFunction function, void* data, MStatus* status) {
    return add(
        function != nullptr,
        [=](const Event& event) {
            if (event.kind != Event::connected && event.kind != Event::disconnected) return;
            MPlug source = Api::make(event.plug), destination = Api::make(event.other);
            function(source, destination, event.kind == Event::connected, data);
        },
        status);
}

MCallbackId MNodeMessage::addAttributeChangedCallback(MObject& node, MAttr2PlugFunction function, void* data,
                                                      MStatus* status) {
    const NodePtr watched = Api::node(node);
    return add(
        function && watched,
        [=, wanted = std::weak_ptr<Node>(watched)](const Event& event) {
            const NodePtr own = wanted.lock();
            if (!own) return;
            const auto send = [&](int message, const Plug& plug, const Plug& other) {
                MPlug first = Api::make(plug), second = other ? Api::make(other) : MPlug();
                function(static_cast<AttributeMessage>(message), first, second, data);
            };
            if (event.kind == Event::attributeSet && event.plug.node == own) send(kAttributeSet, event.plug, {});
            if (event.kind != Event::connected && event.kind != Event::disconnected) return;
            const int made = (event.kind == Event::connected ? kConnectionMade : kConnectionBroken) | kOtherPlugSet;
            if (event.plug.node == own) send(made, event.plug, event.other);
            if (event.other.node == own) send(made | kIncomingDirection, event.other, event.plug);
        },
        status);
}
MCallbackId MNodeMessage::addNameChangedCallback(MObject& node, MNodeStringFunction function, void* data,
                                                 MStatus* status) {
    const NodePtr watched = Api::node(node);
    return add(
        function && (watched || node.isNull()),
        [=, wanted = std::weak_ptr<Node>(watched), every = node.isNull()](const Event& event) {
            if (event.kind != Event::renamed || !(every || event.node == wanted.lock())) return;
            MObject object = Api::make(event.node);
            function(object, event.text.c_str(), data);
        },
        status);
}
MCallbackId MNodeMessage::addNodePreRemovalCallback(MObject& node, MNodeFunction function, void* data,
                                                    MStatus* status) {
    const NodePtr watched = Api::node(node);
    return add(
        function && watched,
        [=, wanted = std::weak_ptr<Node>(watched)](const Event& event) {
            if (event.kind != Event::nodeRemoved || event.node != wanted.lock()) return;
            MObject object = Api::make(event.node);
            function(object, data);
        },
        status);
}

MCallbackId MSceneMessage::addCallback(Message message, MBasicFunction function, void* data, MStatus* status) {
    static const Event::Kind kKinds[] = {Event::beforeNew,    Event::afterNew,    Event::beforeOpen, Event::afterOpen,
                                         Event::beforeImport, Event::afterImport, Event::beforeSave, Event::afterSave};
    const bool valid = function && message >= kBeforeNew && message <= kAfterSave;
    const Event::Kind kind = valid ? kKinds[message] : Event::beforeNew;
    return add(
        valid,
        [=](const Event& event) {
            if (event.kind == kind) function(data);
        },
        status);
}

}  // namespace Autodesk::Maya::OpenMayaHost
