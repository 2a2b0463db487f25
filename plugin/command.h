// Base class of Purl's commands: error reporting, finding the solver, undoable edits.
#pragma once
#include <maya/MAngle.h>
#include <maya/MArgDatabase.h>
#include <maya/MArgList.h>
#include <maya/MDagModifier.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MPxCommand.h>
#include <maya/MStatus.h>
#include <maya/MString.h>
#include <maya/MSyntax.h>

#include <string>
#include <vector>

#include "nodes/connections.h"
#include "plugin/commandAbout.h"

namespace purl {

// A command implements run() and edits the scene through modifier_. It may throw Error.
class PurlCommand : public MPxCommand {
  public:
    MStatus doIt(const MArgList& arguments) final;
    MStatus redoIt() final { return modifier_.doIt(); }
    MStatus undoIt() final { return modifier_.undoIt(); }
    bool isUndoable() const final { return edited_; }

  protected:
    virtual void run(const MArgDatabase& arguments) = 0;
    virtual const char* name() const = 0;

    // --- edits, executed immediately
    MObject create(const char* type, const MString& name);  // not in the DAG
    MObject createTransform(const MString& name);           // parented to the world
    MObject createShape(const char* type, const MString& name, const MObject& parent);
    void connect(const MPlug& source, const MPlug& destination);
    void disconnect(const MPlug& source, const MPlug& destination);
    void set(const MPlug& plug, const MString& text);
    void set(const MPlug& plug, int value);  // integers and enums
    void set(const MPlug& plug, bool value);
    void set(const MPlug& plug, float x, float y, float z);  // of its three children
    void set(const MPlug& plug, const MAngle& value);
    void remove(const MObject& node);
    void done(const MStatus& status, const MString& what);  // throws Error on failure
    // Switches between simulating and playing back the purlCache after the solver.
    void simulate(const MObject& solver);
    void playCache(const MObject& solver);

  private:
    void commit();
    MDagModifier modifier_;
    bool edited_ = false;
};

// One row of the command table.
struct CommandEntry {
    const char* name;
    void* (*create)();
    MSyntax (*syntax)();
    CommandAbout (*about)();
};
const std::vector<CommandEntry>& purlCommands();

// --- graph queries, beside those of nodes/connections.h; all throw Error naming what is missing
MPlug nextElement(const MPlug& array);  // first unconnected element
MObject timeNode();

// The named solver, or the one that the selected objects belong to, or the scene's only one; null if there is none.
MObject findSolver(const MString& name, const std::vector<MObject>& selected);
MObject requireSolver(const MArgDatabase& arguments);  // from -solver, or as above
// The purlCache directly after a solver, from which all other nodes take frames; null if there is none.
MObject cacheBehind(const MObject& solver);
bool cachePlays(const MObject& solver);
// The frame plug after the solver and its cache, and the last one of the chain, which includes all surfaces.
MPlug frameSource(const MObject& solver);
MPlug lastFrame(const MObject& solver);

// Selected or given objects.
std::vector<MObject> objectsOf(const MArgDatabase& arguments);
// The object itself if it is a shape, else the transform's first non-intermediate shape.
MObject shapeOf(const MObject& object);

}  // namespace purl
