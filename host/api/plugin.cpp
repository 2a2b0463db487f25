#include <maya/MFnPlugin.h>
#include <maya/MPxLocatorNode.h>
#include <maya/MStringResource.h>

#include <algorithm>

#include "host/api/access.h"
#include "host/api/plugin.h"
#include "host/graph/pluginData.h"

namespace purl::host {

// The type that is being initialized: the target of addAttribute and attributeAffects.
static thread_local Type* initializing = nullptr;

static std::vector<std::shared_ptr<Plugin>>& plugins() {
    static std::vector<std::shared_ptr<Plugin>> all;
    return all;
}
static std::vector<CommandType>& commands() {
    static std::vector<CommandType> all;
    return all;
}

std::shared_ptr<Plugin> findPlugin(const std::string& name) {
    for (const auto& p : plugins())
        if (p->name == name) return p;
    return nullptr;
}
void addPlugin(const std::shared_ptr<Plugin>& p) { plugins().push_back(p); }
void removePlugin(const std::shared_ptr<Plugin>& p) {
    auto& all = plugins();
    all.erase(std::remove(all.begin(), all.end(), p), all.end());
}
std::vector<std::string> leftoverRegistrations(const Plugin& plugin) {
    std::vector<std::string> all;
    for (const std::string& name : typeNames())
        if (findType(name)->plugin == plugin.name) all.push_back("node " + name);
    for (const std::string& name : plugin.owned)
        if (findPluginData(name)) all.push_back("data " + name);
    for (const CommandType& c : commands())
        if (c.plugin == plugin.name) all.push_back("command " + c.name);
    return all;
}
const CommandType* findCommand(const std::string& name) {
    for (const CommandType& c : commands())
        if (c.name == name) return &c;
    return nullptr;
}
std::vector<std::string> pluginNames() {
    std::vector<std::string> names;
    for (const auto& p : plugins()) names.push_back(p->name);
    return names;
}
std::vector<std::string> commandNames() {
    std::vector<std::string> names;
    for (const CommandType& c : commands()) names.push_back(c.name);
    return names;
}

}  // namespace purl::host

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MFnPlugin::MFnPlugin(MObject& plugin, const char* vendor, const char* version, const char* requiredApiVersion,
                     MStatus* status) {
    init(plugin, status);
    if (auto p = Api::as<Plugin>(object_)) {
        // uninitializePlugin constructs a second MFnPlugin without vendor and version
        if (std::string(vendor) != "Unknown") p->vendor = vendor;
        if (std::string(version) != "Unknown") p->version = version;
        p->apiVersion = requiredApiVersion;
    }
}

template <class T>
static T read(const MObject& o, T Plugin::*member, MStatus* s) {
    auto p = Api::as<Plugin>(o);
    setStatus(s, p ? MStatus::kSuccess : MStatus::kFailure);
    return p ? (*p).*member : T();
}
MString MFnPlugin::vendor(MStatus* s) const { return read(object_, &Plugin::vendor, s).c_str(); }
MString MFnPlugin::version(MStatus* s) const { return read(object_, &Plugin::version, s).c_str(); }
MString MFnPlugin::apiVersion(MStatus* s) const { return read(object_, &Plugin::apiVersion, s).c_str(); }
MString MFnPlugin::name(MStatus* s) const { return read(object_, &Plugin::name, s).c_str(); }
MString MFnPlugin::loadPath(MStatus* s) const { return read(object_, &Plugin::path, s).c_str(); }
MStatus MFnPlugin::setName(const MString& name, bool) {
    auto p = Api::as<Plugin>(object_);
    if (!p) return MStatus::kFailure;
    p->name = name.asChar();
    return MStatus::kSuccess;
}
MStatus MFnPlugin::setVersion(const MString& version) {
    auto p = Api::as<Plugin>(object_);
    if (!p) return MStatus::kFailure;
    p->version = version.asChar();
    return MStatus::kSuccess;
}

// --- nodes

static Type* typeWithId(unsigned id) {
    for (const std::string& name : typeNames()) {
        Type* t = findType(name);
        if (t->id == id && id != 0) return t;
    }
    return nullptr;
}

MStatus MFnPlugin::registerNode(const MString& typeName, const MTypeId& id, MCreatorFunction create,
                                MInitializeFunction initialize, MPxNode::Type kind, const MString* classification) {
    auto plugin = Api::as<Plugin>(object_);
    const std::string name = typeName.asChar();
    if (!plugin || !create || !initialize) return MStatus::kInvalidParameter;
    if (const Type* other = typeWithId(id.id())) {
        report(Severity::Error, name + ": its MTypeId is already used by " + other->name);
        return MStatus::kFailure;
    }
    // A scene loaded before the plugin may have registered a placeholder type.
    if (const Type* old = findType(name)) {
        if (!old->placeholder) {
            report(Severity::Error, name + ": a node type with this name already exists");
            return MStatus::kFailure;
        }
        removeType(name);
    }
    const bool locator = kind == MPxNode::kLocatorNode;
    Type& type = addType(name, locator ? "locator" : kind == MPxNode::kDeformerNode ? "geometryFilter" : "");
    type.id = id.id();
    type.apiType = locator ? MFn::kPluginLocatorNode : MFn::kPluginDependNode;
    type.create = create;
    type.plugin = plugin->name;
    if (classification) type.classification = classification->asChar();
    Type* const before = initializing;
    initializing = &type;
    MStatus s = MStatus::kFailure;
    try {
        s = initialize();
    } catch (const std::exception& e) { report(Severity::Error, name + ": " + e.what()); }
    initializing = before;
    if (!s) {
        report(Severity::Error, name + ": initialize() failed; its attributes could not be created");
        removeType(name);
    }
    return s;
}

MStatus MFnPlugin::deregisterNode(const MTypeId& id) {
    const Type* type = typeWithId(id.id());
    if (!type) return MStatus::kNotFound;
    if (type->instances > 0) {
        report(Severity::Error, type->name + ": nodes of this type still exist; delete them first");
        return MStatus::kFailure;
    }
    removeType(std::string(type->name));
    return MStatus::kSuccess;
}

bool MFnPlugin::isNodeRegistered(const MString& typeName) {
    const Type* t = findType(typeName.asChar());
    return t && t->create;
}
MObject MFnPlugin::findPlugin(const MString& name) {
    return Api::make(std::static_pointer_cast<Object>(purl::host::findPlugin(name.asChar())));
}

// --- data and commands

MStatus MFnPlugin::registerData(const MString& typeName, const MTypeId& id, MCreatorFunction create, MPxData::Type) {
    if (!Api::as<Plugin>(object_) || !create) return MStatus::kInvalidParameter;
    if (findPluginData(id.id()) || findPluginData(std::string(typeName.asChar()))) {
        report(Severity::Error, std::string(typeName.asChar()) + ": this data type already exists");
        return MStatus::kFailure;
    }
    addPluginData({typeName.asChar(), id.id(), create});
    Api::as<Plugin>(object_)->owned.push_back(typeName.asChar());
    return MStatus::kSuccess;
}
MStatus MFnPlugin::deregisterData(const MTypeId& id) {
    if (!findPluginData(id.id())) return MStatus::kNotFound;
    removePluginData(id.id());
    return MStatus::kSuccess;
}
MStatus MFnPlugin::registerCommand(const MString& name, MCreatorFunction create, MCreateSyntaxFunction syntax) {
    auto plugin = Api::as<Plugin>(object_);
    if (!plugin || !create) return MStatus::kInvalidParameter;
    if (findCommand(name.asChar())) {
        report(Severity::Error, std::string(name.asChar()) + ": a command with this name already exists");
        return MStatus::kFailure;
    }
    commands().push_back({name.asChar(), plugin->name, create, syntax});
    return MStatus::kSuccess;
}
MStatus MFnPlugin::deregisterCommand(const MString& name) {
    auto& all = commands();
    const auto it = std::find_if(all.begin(), all.end(), [&](const CommandType& c) { return name == c.name.c_str(); });
    if (it == all.end()) return MStatus::kNotFound;
    all.erase(it);
    return MStatus::kSuccess;
}

MStatus MFnPlugin::registerUI(const MString& create, const MString& remove, const MString&, const MString&) {
    auto plugin = Api::as<Plugin>(object_);
    if (!plugin) return MStatus::kFailure;
    plugin->createUi = create.asChar();
    plugin->deleteUi = remove.asChar();
    return MStatus::kSuccess;
}

MStatus MFnPlugin::registerUIStrings(MStatus (*registerStrings)(), const MString& pluginStringsProc) {
    auto plugin = Api::as<Plugin>(object_);
    if (!plugin) return MStatus::kFailure;
    plugin->stringsProc = pluginStringsProc.asChar();
    return registerStrings ? registerStrings() : MStatus();
}

// --- texts

MStatus MStringResource::registerString(const MStringResourceId& id) {
    const auto plugin = purl::host::findPlugin(Api::plugin(id));
    if (!plugin) return MStatus::kNotFound;
    if (plugin->texts.emplace(Api::key(id), Api::english(id)).second) return MStatus::kSuccess;
    report(Severity::Warning, plugin->name + ": the string resource " + Api::key(id) + " is registered already");
    return MStatus::kFailure;
}
MString MStringResource::getString(const MStringResourceId& id, MStatus& status) {
    const auto plugin = purl::host::findPlugin(Api::plugin(id));
    const auto found = plugin ? plugin->texts.find(Api::key(id)) : std::map<std::string, std::string>::iterator();
    const bool there = plugin && found != plugin->texts.end();
    status = there ? MStatus::kSuccess : MStatus::kNotFound;
    return Api::make(there ? found->second : Api::english(id));
}

// --- MPxNode

MObject MPxNode::message, MPxNode::caching, MPxNode::frozen, MPxNode::isHistoricallyInteresting, MPxNode::state;

MPxNode::~MPxNode() = default;
void MPxNode::postConstructor() {}
MPxNode::Type MPxNode::type() const { return kDependNode; }
MPxNode::Type MPxLocatorNode::type() const { return kLocatorNode; }
bool MPxLocatorNode::isBounded() const { return false; }
MBoundingBox MPxLocatorNode::boundingBox() const { return {}; }
MStringArray MPxNode::getFilesToArchive(bool, bool, bool) const {
    MStringArray files;
    const NodePtr node = std::static_pointer_cast<Node>(node_.lock());
    for (const AttrPtr& attr : node ? node->attributes() : std::vector<AttrPtr>())
        if (attr->usedAsFilename && !attr->array)
            if (const std::string path = node->plug(attr).text(); !path.empty()) files.append(path.c_str());
    return files;
}
MStatus MPxNode::compute(const MPlug&, MDataBlock&) { return MStatus::kUnknownParameter; }
MStatus MPxNode::setDependentsDirty(const MPlug&, MPlugArray&) { return MStatus::kSuccess; }
MStatus MPxNode::preEvaluation(const MDGContext&, const MEvaluationNode&) { return MStatus::kSuccess; }
MStatus MPxNode::postEvaluation(const MDGContext&, const MEvaluationNode&, PostEvaluationType) {
    return MStatus::kSuccess;
}
MPxNode::SchedulingType MPxNode::schedulingType() const { return kDefaultScheduling; }
void MPxNode::getCacheSetup(const MEvaluationNode&, MNodeCacheDisablingInfo&, MNodeCacheSetupInfo&,
                            MObjectArray&) const {}
void MPxNode::configCache(const MEvaluationNode&, MCacheSchema&) const {}
MTimeRange MPxNode::transformInvalidationRange(const MPlug&, const MTimeRange& input) const { return input; }
MStatus MPxNode::connectionMade(const MPlug&, const MPlug&, bool) { return MStatus::kUnknownParameter; }
MStatus MPxNode::connectionBroken(const MPlug&, const MPlug&, bool) { return MStatus::kUnknownParameter; }

MObject MPxNode::thisMObject() const { return Api::make(node_.lock()); }
static NodePtr nodeOf(const std::weak_ptr<Object>& node) { return std::static_pointer_cast<Node>(node.lock()); }
MTypeId MPxNode::typeId() const {
    const NodePtr n = nodeOf(node_);
    return MTypeId(n ? n->type->id : 0u);
}
MString MPxNode::typeName() const {
    const NodePtr n = nodeOf(node_);
    return n ? MString(n->type->name.c_str()) : MString();
}
MString MPxNode::name() const {
    const NodePtr n = nodeOf(node_);
    return n ? MString(n->name.c_str()) : MString();
}
MDataBlock MPxNode::forceCache() { return Api::block(nodeOf(node_)); }

MStatus MPxNode::addAttribute(const MObject& attribute) {
    const AttrPtr a = Api::attr(attribute);
    if (!initializing || !a || a->parent) return MStatus::kInvalidParameter;
    return attempt([&] { initializing->add(a); });
}
MStatus MPxNode::attributeAffects(const MObject& whenChanges, const MObject& isAffected) {
    const AttrPtr from = Api::attr(whenChanges), to = Api::attr(isAffected);
    if (!initializing || !from || !to) return MStatus::kInvalidParameter;
    for (const AttrPtr& a : {from, to})
        if (!initializing->has(a->root())) {
            report(Severity::Error,
                   initializing->name + ": attributeAffects refers to " + a->name + " before addAttribute");
            return MStatus::kFailure;
        }
    initializing->affects(from.get(), to.get());
    return MStatus::kSuccess;
}
MStatus MPxNode::inheritAttributesFrom(const MString& typeName) {
    purl::host::Type* base = findType(typeName.asChar());
    if (!initializing || !base || base->dag) return MStatus::kInvalidParameter;
    initializing->base = base;
    return MStatus::kSuccess;
}

// --- MEvaluationNode

MPlug MEvaluationNode::dirtyPlug(const MObject& attribute, MStatus* s) const {
    for (const MPlug& p : dirty_) {
        // a dirty child or element makes its parents dirty too
        const AttrPtr a = Api::attr(p.attribute()), wanted = Api::attr(attribute);
        if (wanted && a->isOrIsBelow(wanted.get())) {
            setStatus(s, MStatus::kSuccess);
            return p;
        }
    }
    setStatus(s, MStatus::kFailure);
    return {};
}
bool MEvaluationNode::dirtyPlugExists(const MObject& attribute, MStatus* s) const {
    const bool there = !dirtyPlug(attribute).isNull();
    setStatus(s, MStatus::kSuccess);
    return there;
}

}  // namespace Autodesk::Maya::OpenMayaHost
