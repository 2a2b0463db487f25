// MDGContext: the contexts of host/graph/context.h.
#include <maya/MDGContext.h>

#include "host/api/access.h"
#include "host/graph/context.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MDGContext MDGContext::fsNormal;
bool MDGContext::isNormal(MStatus* status) const {
    setStatus(status, MStatus::kSuccess);
    return normal_;
}
MStatus MDGContext::getTime(MTime& t) const {
    if (normal_) return MStatus::kFailure;
    t = time_;
    return MStatus::kSuccess;
}

#if MAYA_API_VERSION >= 20180000
MDGContext MDGContext::current(MStatus* status) {
    setStatus(status, MStatus::kSuccess);
    MDGContext now;
    const Graph* graph = Graph::current();
    if (const auto& context = Context::current(); context && graph) {
        now = MDGContext(timeOf(graph->ticks()));
        now.context_ = context;
    }
    return now;
}

MDGContext MDGContext::makeCurrent(MStatus* status) const {
    const MDGContext before = current(status);
    if (normal_) {
        Context::makeCurrent(nullptr);
        return before;
    }
    Graph* graph = needGraph("MDGContext::makeCurrent");
    if (!graph) {
        setStatus(status, MStatus::kFailure);
        return before;
    }
    Context::makeCurrent(context_ ? context_ : std::make_shared<Context>(*graph));
    if (!context_) graph->setTicks(ticksOf(time_));
    return before;
}
#endif

}  // namespace Autodesk::Maya::OpenMayaHost
