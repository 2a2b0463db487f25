// MPxCommand: the base class of plugin commands.
#pragma once
#include <maya/MArgList.h>
#include <maya/MString.h>
#include <maya/MSyntax.h>

namespace Autodesk::Maya::OpenMayaHost {

class MPxCommand {
  public:
    MPxCommand() = default;
    virtual ~MPxCommand();
    MPxCommand(const MPxCommand&) = delete;
    MPxCommand& operator=(const MPxCommand&) = delete;

    virtual MStatus doIt(const MArgList& args) = 0;
    virtual MStatus undoIt();
    virtual MStatus redoIt();
    virtual bool isUndoable() const;
    virtual bool hasSyntax() const;
    MSyntax syntax() const;

    static void displayInfo(const MString& text, bool showLineNumber = false);
    static void displayWarning(const MString& text, bool showLineNumber = false);
    static void displayError(const MString& text, bool showLineNumber = false);

    static void clearResult();
    static void setResult(bool v);
    static void setResult(int v);
    static void setResult(double v);
    static void setResult(const MString& v);
    static void setResult(const char* v) { setResult(MString(v)); }
    static void setResult(const MIntArray& v);
    static void setResult(const MDoubleArray& v);
    static void setResult(const MStringArray& v);
    static void appendToResult(int v);
    static void appendToResult(double v);
    static void appendToResult(const MString& v);
    static void appendToResult(const char* v) { appendToResult(MString(v)); }

  private:
    friend struct purl::host::Api;
    MSyntax (*createSyntax_)() = nullptr;
};

}  // namespace Autodesk::Maya::OpenMayaHost
