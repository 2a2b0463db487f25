// What Purl's commands share: errors told once, the scene's solver, and edits that undo takes back.
#pragma once
#include <maya/MArgDatabase.h>
#include <maya/MDagModifier.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MPxCommand.h>
#include <maya/MSyntax.h>

#include <string>
#include <vector>

namespace purl {

class SolverNode;

// A command does its work in run(), through modifier_ where it edits the scene. It may throw Error.
class PurlCommand : public MPxCommand {
  public:
    MStatus doIt(const MArgList& arguments) final;
    MStatus redoIt() final { return modifier_.doIt(); }
    MStatus undoIt() final { return modifier_.undoIt(); }
    bool isUndoable() const final { return edited_; }

  protected:
    virtual void run(const MArgDatabase& arguments) = 0;
    virtual const char* name() const = 0;

    // --- edits. Each is done at once.
    MObject create(const char* type, const MString& name);  // without a place in the DAG
    MObject createTransform(const MString& name);           // in the world
    MObject createShape(const char* type, const MString& name, const MObject& parent);
    void connect(const MPlug& source, const MPlug& destination);
    void disconnect(const MPlug& source, const MPlug& destination);
    void set(const MPlug& plug, const MString& text);
    void set(const MPlug& plug, int value);  // whole numbers, switches and choices
    void remove(const MObject& node);
    void done(const MStatus& status, const MString& what);  // throws Error unless it is well
    // The solver simulates; or the purlCache right behind it plays, and the solver rests.
    void simulate(const MObject& solver);
    void playCache(const MObject& solver);

  private:
    void settle();
    MDagModifier modifier_;
    bool edited_ = false;
};

// A row of the table of commands.
struct CommandEntry {
    const char* name;
    void* (*create)();
    MSyntax (*syntax)();
};
const std::vector<CommandEntry>& purlCommands();

// --- the scene's graph, as commands need it. All throw Error naming what is missing.
MPlug plugOf(const MObject& node, const char* attribute);
MString nameOf(const MObject& node);
std::string typeOf(const MObject& node);
MObject nodeNamed(const MString& name);
std::vector<MObject> nodesOfType(const char* type);
MPlug sourceOf(const MPlug& plug);                     // null: nothing drives it
std::vector<MPlug> destinationsOf(const MPlug& plug);  // in order of connection
MPlug nextElement(const MPlug& array);                 // the first that nothing drives
MObject timeNode();

// The solver that is named, or that the selected objects belong to, or the scene's only one; null: there is none.
MObject findSolver(const MString& name, const std::vector<MObject>& selected);
MObject needSolver(const MArgDatabase& arguments);  // by -solver, or as above
SolverNode& solverNode(const MObject& solver);
// The purlCache right behind a solver, whose frames all others take; null: there is none.
MObject cacheBehind(const MObject& solver);
bool cachePlays(const MObject& solver);
// Where frames come from behind the solver and its cache, and the last of the chain, which has all surfaces in it.
MPlug frameSource(const MObject& solver);
MPlug lastFrame(const MObject& solver);

// What is selected, or given as objects.
std::vector<MObject> objectsOf(const MArgDatabase& arguments);
// The shape that stands for an object: itself, or the first of a transform's that is not intermediate.
MObject shapeOf(const MObject& object);

}  // namespace purl
