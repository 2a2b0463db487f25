// Converts exceptions to Maya statuses: none reaches Maya, and each is displayed once.
#pragma once
#include <maya/MGlobal.h>
#include <maya/MPxNode.h>
#include <maya/MStatus.h>
#include <maya/MString.h>

#include <exception>

#include "solver/core/error.h"

namespace purl {

// Runs `work` in a node's compute. An exception is displayed with the node's name and returned as MS::kFailure.
template <class Work>
MStatus guarded(const MPxNode& node, Work&& work) {
    try {
        work();
        return MS::kSuccess;
    } catch (const Cancelled&) {
        MGlobal::displayWarning(node.name() + ": cancelled");
    } catch (const std::exception& error) { MGlobal::displayError(node.name() + ": " + error.what()); } catch (...) {
        MGlobal::displayError(node.name() + ": failed for an unknown reason");
    }
    return MS::kFailure;
}

}  // namespace purl
