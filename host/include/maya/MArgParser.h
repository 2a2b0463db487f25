// MArgParser: parses a command's arguments according to its syntax.
#pragma once
#include <maya/MAngle.h>
#include <maya/MArgList.h>
#include <maya/MDistance.h>
#include <maya/MSyntax.h>
#include <maya/MTime.h>

namespace Autodesk::Maya::OpenMayaHost {

class MArgParser {
  public:
    MArgParser(const MSyntax& syntax, const MArgList& args, MStatus* status = nullptr);

    bool isFlagSet(const char* flag, MStatus* status = nullptr) const;
    bool isQuery(MStatus* status = nullptr) const;
    bool isEdit(MStatus* status = nullptr) const;
    unsigned int numberOfFlagsUsed() const;
    unsigned int numberOfFlagUses(const char* flag) const;
    MStatus getFlagArgument(const char* flag, unsigned int index, bool& v) const;
    MStatus getFlagArgument(const char* flag, unsigned int index, int& v) const;
    MStatus getFlagArgument(const char* flag, unsigned int index, unsigned int& v) const;
    MStatus getFlagArgument(const char* flag, unsigned int index, double& v) const;
    MStatus getFlagArgument(const char* flag, unsigned int index, MString& v) const;
    MStatus getFlagArgument(const char* flag, unsigned int index, MTime& v) const;
    MStatus getFlagArgument(const char* flag, unsigned int index, MDistance& v) const;
    MStatus getFlagArgument(const char* flag, unsigned int index, MAngle& v) const;
    bool flagArgumentBool(const char* flag, unsigned int index, MStatus* status = nullptr) const;
    int flagArgumentInt(const char* flag, unsigned int index, MStatus* status = nullptr) const;
    double flagArgumentDouble(const char* flag, unsigned int index, MStatus* status = nullptr) const;
    MString flagArgumentString(const char* flag, unsigned int index, MStatus* status = nullptr) const;
    MStatus getFlagArgumentList(const char* flag, unsigned int use, MArgList& args) const;
    MStatus getCommandArgument(unsigned int index, bool& v) const;
    MStatus getCommandArgument(unsigned int index, int& v) const;
    MStatus getCommandArgument(unsigned int index, double& v) const;
    MStatus getCommandArgument(unsigned int index, MString& v) const;
    MString commandArgumentString(unsigned int index, MStatus* status = nullptr) const;
    int commandArgumentInt(unsigned int index, MStatus* status = nullptr) const;
    double commandArgumentDouble(unsigned int index, MStatus* status = nullptr) const;
    MStatus getObjects(MStringArray& objects) const;

  protected:
    struct Use {
        std::string flag;  // long name
        std::vector<std::string> args;
    };
    const std::string* argument(const char* flag, unsigned int use, unsigned int index) const;
    MStatus parse(const MArgList& args);
    MSyntax syntax_;
    std::vector<Use> uses_;
    std::vector<std::string> args_, objects_;
    bool query_ = false, edit_ = false;
};

}  // namespace Autodesk::Maya::OpenMayaHost
