// MEvaluationManager and MNodeCacheDisablingInfoHelper.
#include <maya/MDGContext.h>
#include <maya/MEvaluationManager.h>
#include <maya/MEvaluationNode.h>
#include <maya/MNodeCacheDisablingInfo.h>
#include <maya/MNodeCacheDisablingInfoHelper.h>
#include <maya/MObjectArray.h>

#include "host/api/access.h"
#include "host/playback.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

bool MEvaluationManager::evaluationManagerActive(const MDGContext& context) { return evaluationInExecution(context); }
bool MEvaluationManager::evaluationInExecution(const MDGContext&) { return evaluatesManaged(); }

static void disable(MNodeCacheDisablingInfo& info, const MEvaluationNode& evaluated, const MString* category,
                    const std::string& what) {
    const NodePtr node = Api::node(evaluated);
    info.setCacheDisabled(true);
    info.setReason(MString(((category ? category->asChar()
                             : node   ? node->type->name
                                      : "node") +
                            std::string(" ") + (node ? node->name : "") + what)
                               .c_str()));
}

void MNodeCacheDisablingInfoHelper::setUnsafeNode(MNodeCacheDisablingInfo& info, const MEvaluationNode& node,
                                                  const MString* category) {
    disable(info, node, category, " is not safe for cached playback");
}

void MNodeCacheDisablingInfoHelper::setUnsafeValue(MNodeCacheDisablingInfo& info, const MEvaluationNode& node,
                                                   const MObject& attribute, const MString& value,
                                                   const MString& supported, const MString* category) {
    const AttrPtr attr = Api::attr(attribute);
    disable(info, node, category,
            std::string(": ") + (attr ? attr->name : "?") + " is " + value.asChar() + "; cached playback needs " +
                supported.asChar());
}

bool MNodeCacheDisablingInfoHelper::testBooleanAttribute(MNodeCacheDisablingInfo* info, MObjectArray& monitored,
                                                         const MEvaluationNode& evaluated, const MObject& attribute,
                                                         bool supported, ConnectionTestFlag test,
                                                         const MString* category, MStatus* status) {
    const NodePtr node = Api::node(evaluated);
    const AttrPtr attr = Api::attr(attribute);
    setStatus(status, node && attr ? MStatus::kSuccess : MStatus::kInvalidParameter);
    if (!node || !attr) return false;
    monitored.append(attribute);
    const Plug plug = node->plug(attr);
    const bool animated = test == kTestDirtyPlug ? evaluated.dirtyPlugExists(attribute) : bool(plug.source());
    if (!animated && plug.flag() == supported) return false;
    if (info)
        setUnsafeValue(*info, evaluated, attribute,
                       animated    ? "animated"
                       : supported ? "off"
                                   : "on",
                       supported ? "on" : "off", category);
    return true;
}

}  // namespace Autodesk::Maya::OpenMayaHost
