// MItDag: visits the DAG paths below a root, or all of the scene, depth or breadth first.
#pragma once
#include <maya/MDagPath.h>
#include <maya/MFn.h>
#include <maya/MObject.h>

#include <deque>

namespace Autodesk::Maya::OpenMayaHost {

class MItDag {
  public:
    enum TraversalType { kInvalidType, kDepthFirst, kBreadthFirst };

    // Items that are not compatible with the filter are passed through, but not shown.
    MItDag(TraversalType type = kDepthFirst, MFn::Type filter = MFn::kInvalid, MStatus* status = nullptr);
    MStatus reset();
    MStatus reset(const MObject& root, TraversalType type = kDepthFirst, MFn::Type filter = MFn::kInvalid);
    MStatus reset(const MDagPath& root, TraversalType type = kDepthFirst, MFn::Type filter = MFn::kInvalid);

    MObject root(MStatus* status = nullptr);
    MStatus next();
    bool isDone(MStatus* status = nullptr);
    MStatus prune();                                      // the descendants of the current item are not visited
    unsigned int depth(MStatus* status = nullptr) const;  // levels below the root; top-level nodes of a scene have 1
    MObject currentItem(MStatus* status = nullptr);
    MObject item(MStatus* status = nullptr) { return currentItem(status); }
    MStatus getPath(MDagPath& path) const;
    MString fullPathName(MStatus* status = nullptr) const;
    MString partialPathName(MStatus* status = nullptr) const;
    bool isInstanced(bool indirect = true, MStatus* status = nullptr);
    unsigned int instanceCount(bool total, MStatus* status = nullptr);
    TraversalType traversalType(MStatus* status = nullptr) const;

  private:
    struct Item {
        MDagPath path;
        unsigned int depth;
    };
    void skip();  // to an item that passes the filter
    void step();

    TraversalType type_;
    MFn::Type filter_;
    MObject root_;
    std::deque<Item> items_;  // the current one first
    bool pruned_ = false;
};

}  // namespace Autodesk::Maya::OpenMayaHost
