#include "host/graph/events.h"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include "host/graph/context.h"

namespace purl::host {
namespace {

std::mutex listening;
std::map<EventId, std::function<void(const Event&)>> listeners;
std::atomic<bool> any{false};
EventId lastId = 0;

}  // namespace

EventId listen(std::function<void(const Event&)> listener) {
    const std::lock_guard<std::mutex> lock(listening);
    listeners[++lastId] = std::move(listener);
    any = true;
    return lastId;
}

bool unlisten(EventId id) {
    const std::lock_guard<std::mutex> lock(listening);
    const bool there = listeners.erase(id) > 0;
    any = !listeners.empty();
    return there;
}

bool anyListens() { return any && !Context::current(); }

void announce(const Event& event) {
    if (!anyListens()) return;
    std::vector<std::pair<EventId, std::function<void(const Event&)>>> all;
    {
        const std::lock_guard<std::mutex> lock(listening);
        all.assign(listeners.begin(), listeners.end());
    }
    for (const auto& [id, listener] : all) {
        {
            // An earlier one may have removed it.
            const std::lock_guard<std::mutex> lock(listening);
            if (!listeners.count(id)) continue;
        }
        listener(event);
    }
}

}  // namespace purl::host
