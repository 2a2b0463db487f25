// A command with arguments, a result and undo: exampleLift -amount 2 node … raises transforms.
#include <maya/MArgDatabase.h>
#include <maya/MDGModifier.h>
#include <maya/MFn.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnPlugin.h>
#include <maya/MGlobal.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MPxCommand.h>
#include <maya/MSelectionList.h>
#include <maya/MSyntax.h>

class Lift : public MPxCommand {
  public:
    static void* creator() { return new Lift; }
    static MSyntax newSyntax() {
        MSyntax syntax;
        syntax.addFlag("-am", "-amount", MSyntax::kDouble);
        syntax.setObjectType(MSyntax::kSelectionList, 1);
        return syntax;
    }
    bool isUndoable() const override { return true; }
    MStatus doIt(const MArgList& list) override {
        MStatus status;
        const MArgDatabase arguments(syntax(), list, &status);
        if (!status) return status;
        double by = 1;
        if (arguments.isFlagSet("-amount")) arguments.getFlagArgument("-amount", 0, by);
        MSelectionList objects;
        arguments.getObjects(objects);
        int lifted = 0;
        for (unsigned int i = 0; i < objects.length(); ++i) {
            MObject node;
            objects.getDependNode(i, node);
            if (!node.hasFn(MFn::kTransform)) {
                displayError(MFnDependencyNode(node).name() + " is not a transform");
                return MS::kFailure;
            }
            const MPlug y = MFnDependencyNode(node).findPlug("translateY", false);
            edits_.newPlugValueDouble(y, y.asDouble() + by);
            ++lifted;
        }
        setResult(lifted);
        return redoIt();
    }
    MStatus redoIt() override { return edits_.doIt(); }
    MStatus undoIt() override { return edits_.undoIt(); }

  private:
    MDGModifier edits_;
};

MStatus initializePlugin(MObject object) {
    return MFnPlugin(object, "Example", "1.0").registerCommand("exampleLift", Lift::creator, Lift::newSyntax);
}
MStatus uninitializePlugin(MObject object) { return MFnPlugin(object).deregisterCommand("exampleLift"); }
