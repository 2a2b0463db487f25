// Events: what happens to scenes, for the message classes of the API. Nothing is sent from evaluations in contexts.
#pragma once
#include <functional>
#include <string>

#include "host/graph/plug.h"

namespace purl::host {

struct Event {
    enum Kind {
        timeChanged,
        nodeAdded,
        nodeRemoved,  // about to be
        renamed,
        connected,
        disconnected,
        attributeSet,
        beforeNew,
        afterNew,
        beforeOpen,
        afterOpen,
        beforeImport,
        afterImport,
        beforeSave,
        afterSave
    };
    Kind kind;
    NodePtr node;
    Plug plug, other;  // connections: source and destination
    std::string text;  // the name before
    double ticks = 0;
};

using EventId = unsigned long long;
EventId listen(std::function<void(const Event&)> listener);
bool unlisten(EventId id);  // false if there is none
bool anyListens();
void announce(const Event& event);

}  // namespace purl::host
