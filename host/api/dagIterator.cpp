// MItDag.
#include <maya/MFnDagNode.h>
#include <maya/MItDag.h>

#include "host/api/access.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MItDag::MItDag(TraversalType type, MFn::Type filter, MStatus* status) : type_(type), filter_(filter) {
    const MStatus s = reset();
    if (status) *status = s;
}

MStatus MItDag::reset() {
    items_.clear();
    root_ = MObject();
    pruned_ = false;
    const Graph* graph = needGraph("MItDag");
    if (!graph) return MStatus::kFailure;
    for (const NodePtr& node : graph->nodes())
        if (node->isDag() && node->parents.empty()) items_.push_back({Api::make(DagPath{node}), 1});
    skip();
    return MStatus::kSuccess;
}
MStatus MItDag::reset(const MObject& root, TraversalType type, MFn::Type filter) {
    MDagPath path;
    if (!MDagPath::getAPathTo(root, path)) return MStatus::kInvalidParameter;
    return reset(path, type, filter);
}
MStatus MItDag::reset(const MDagPath& root, TraversalType type, MFn::Type filter) {
    if (!root.isValid() || type == kInvalidType) return MStatus::kInvalidParameter;
    type_ = type;
    filter_ = filter;
    root_ = root.node();
    pruned_ = false;
    items_.assign(1, {root, 0});
    skip();
    return MStatus::kSuccess;
}

// Replaces the current item by its children: before the other items, or after them.
void MItDag::step() {
    const Item item = items_.front();
    items_.pop_front();
    const bool pruned = std::exchange(pruned_, false);
    if (pruned) return;
    std::vector<Item> below;
    for (unsigned int k = 0; k < item.path.childCount(); ++k) {
        MDagPath path = item.path;
        path.push(item.path.child(k));
        below.push_back({path, item.depth + 1});
    }
    items_.insert(type_ == kBreadthFirst ? items_.end() : items_.begin(), below.begin(), below.end());
}
void MItDag::skip() {
    while (!items_.empty() && filter_ != MFn::kInvalid && !items_.front().path.hasFn(filter_)) step();
}
MStatus MItDag::next() {
    if (items_.empty()) return MStatus::kFailure;
    step();
    skip();
    return MStatus::kSuccess;
}
bool MItDag::isDone(MStatus* status) {
    setStatus(status, MStatus::kSuccess);
    return items_.empty();
}
MStatus MItDag::prune() {
    if (items_.empty()) return MStatus::kFailure;
    pruned_ = true;
    return MStatus::kSuccess;
}
MObject MItDag::root(MStatus* status) {
    setStatus(status, MStatus::kSuccess);
    return root_;
}
unsigned int MItDag::depth(MStatus* status) const {
    setStatus(status, items_.empty() ? MStatus::kFailure : MStatus::kSuccess);
    return items_.empty() ? 0 : items_.front().depth;
}
MObject MItDag::currentItem(MStatus* status) {
    setStatus(status, items_.empty() ? MStatus::kFailure : MStatus::kSuccess);
    return items_.empty() ? MObject() : items_.front().path.node();
}
MStatus MItDag::getPath(MDagPath& path) const {
    if (items_.empty()) return MStatus::kFailure;
    path = items_.front().path;
    return MStatus::kSuccess;
}
MString MItDag::fullPathName(MStatus* status) const {
    setStatus(status, items_.empty() ? MStatus::kFailure : MStatus::kSuccess);
    return items_.empty() ? MString() : items_.front().path.fullPathName();
}
MString MItDag::partialPathName(MStatus* status) const {
    setStatus(status, items_.empty() ? MStatus::kFailure : MStatus::kSuccess);
    return items_.empty() ? MString() : items_.front().path.partialPathName();
}
bool MItDag::isInstanced(bool indirect, MStatus* status) {
    return MFnDagNode(currentItem(status)).isInstanced(indirect);
}
unsigned int MItDag::instanceCount(bool total, MStatus* status) {
    return MFnDagNode(currentItem(status)).instanceCount(total);
}
MItDag::TraversalType MItDag::traversalType(MStatus* status) const {
    setStatus(status, MStatus::kSuccess);
    return type_;
}

}  // namespace Autodesk::Maya::OpenMayaHost
