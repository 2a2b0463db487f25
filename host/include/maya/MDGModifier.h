// MDGModifier: a list of undoable graph edits.
#pragma once
#include <maya/MPlug.h>
#include <maya/MTypeId.h>

#include <functional>
#include <vector>

namespace purl::host {
struct Edit;
}

namespace Autodesk::Maya::OpenMayaHost {

class MDGModifier {
  public:
    MDGModifier() = default;
    virtual ~MDGModifier() = default;

    // The node is created immediately, before doIt.
    MObject createNode(const MTypeId& id, MStatus* status = nullptr);
    MObject createNode(const MString& typeName, MStatus* status = nullptr);
    MStatus deleteNode(const MObject& node);
    MStatus renameNode(const MObject& node, const MString& name);
    MStatus connect(const MPlug& source, const MPlug& destination);
    MStatus connect(const MObject& sourceNode, const MObject& sourceAttribute, const MObject& destinationNode,
                    const MObject& destinationAttribute);
    MStatus disconnect(const MPlug& source, const MPlug& destination);
    MStatus disconnect(const MObject& sourceNode, const MObject& sourceAttribute, const MObject& destinationNode,
                       const MObject& destinationAttribute);
    MStatus addAttribute(const MObject& node, const MObject& attribute);
    MStatus newPlugValue(const MPlug& plug, const MObject& value);
    MStatus newPlugValueBool(const MPlug& plug, bool value);
    MStatus newPlugValueShort(const MPlug& plug, short value);
    MStatus newPlugValueInt(const MPlug& plug, int value);
    MStatus newPlugValueFloat(const MPlug& plug, float value);
    MStatus newPlugValueDouble(const MPlug& plug, double value);
    MStatus newPlugValueString(const MPlug& plug, const MString& value);
    MStatus newPlugValueMTime(const MPlug& plug, const MTime& value);
    MStatus newPlugValueMDistance(const MPlug& plug, const MDistance& value);
    MStatus newPlugValueMAngle(const MPlug& plug, const MAngle& value);
    MStatus doIt();  // executes pending edits; after undoIt, all edits
    MStatus undoIt();

  protected:
    struct Edit {
        std::function<void()> redo, undo;
        bool done = false;
    };
    MStatus add(const purl::host::Edit& edit);
    MStatus setNumber(const MPlug& plug, double stored);
    std::vector<Edit> edits_;
};

}  // namespace Autodesk::Maya::OpenMayaHost
