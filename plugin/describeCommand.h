// purlDescribe: the node reference as text, for scripts and help pages.
//     purlDescribe [-json] [-nodeType purlFluid]
//     purlDescribe -nodeTypes                        names of all nodes
//     purlDescribe -rows -nodeType purlFluid         its settings in the editor's order: "section|attribute|sentence"
//     purlDescribe -inputs -nodeType purlFluid       what is connected rather than set
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
