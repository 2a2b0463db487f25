// MArgDatabase: an MArgParser that also resolves object names in the scene.
#pragma once
#include <maya/MArgParser.h>
#include <maya/MSelectionList.h>

namespace Autodesk::Maya::OpenMayaHost {

class MArgDatabase : public MArgParser {
  public:
    MArgDatabase(const MSyntax& syntax, const MArgList& args, MStatus* status = nullptr);
    using MArgParser::getFlagArgument;
    using MArgParser::getObjects;
    MStatus getFlagArgument(const char* flag, unsigned int index, MSelectionList& list) const;
    MStatus getObjects(MSelectionList& list) const;
};

}  // namespace Autodesk::Maya::OpenMayaHost
