// Converts exceptions to Maya statuses: none reaches Maya, and each is displayed once.
#pragma once
#include <maya/MGlobal.h>
#include <maya/MPxNode.h>
#include <maya/MStatus.h>
#include <maya/MString.h>

#include <exception>
#include <string>

#include "solver/core/error.h"

namespace purl {

// A message about a node. The solver library begins messages that concern no single body with "solver: "; the node's
// name takes that place.
inline MString messageOf(const MPxNode& node, const std::string& text) {
    static const std::string kLibrary = "solver: ";
    const size_t begin = text.rfind(kLibrary, 0) == 0 ? kLibrary.size() : 0;
    return node.name() + ": " + text.substr(begin).c_str();
}

// Runs `work` in a node's compute. An exception is displayed with the node's name and returned as MS::kFailure.
template <class Work>
MStatus guarded(const MPxNode& node, Work&& work) {
    try {
        work();
        return MS::kSuccess;
    } catch (const Cancelled&) {
        MGlobal::displayWarning(node.name() + ": cancelled");
    } catch (const std::exception& error) { MGlobal::displayError(messageOf(node, error.what())); } catch (...) {
        MGlobal::displayError(node.name() + ": failed for an unknown reason");
    }
    return MS::kFailure;
}

}  // namespace purl
