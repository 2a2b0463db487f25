// purlDescribe: the node reference as text, for scripts and help pages.   purlDescribe [-json] [-nodeType purlFluid]
#pragma once
#include <maya/MArgList.h>
#include <maya/MPxCommand.h>
#include <maya/MSyntax.h>

namespace purl {

class DescribeCommand : public MPxCommand {
  public:
    static constexpr const char* kName = "purlDescribe";
    static void* creator() { return new DescribeCommand; }
    static MSyntax newSyntax();

    MStatus doIt(const MArgList& arguments) override;
    bool isUndoable() const override { return false; }
};

}  // namespace purl
