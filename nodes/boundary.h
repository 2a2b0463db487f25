// The line between Purl's exceptions and Maya's statuses: nothing is thrown across it, everything is said once.
#pragma once
#include <maya/MGlobal.h>
#include <maya/MPxNode.h>
#include <maya/MStatus.h>
#include <maya/MString.h>

#include <exception>

#include "solver/core/error.h"

namespace purl {

// Runs `work` for a node's compute. An Error becomes one message that names the node, and MS::kFailure.
template <class Work>
MStatus guarded(const MPxNode& node, Work&& work) {
    try {
        work();
        return MS::kSuccess;
    } catch (const Cancelled&) {
        MGlobal::displayWarning(node.name() + ": cancelled");
    } catch (const std::exception& error) { MGlobal::displayError(node.name() + ": " + error.what()); } catch (...) {
        MGlobal::displayError(node.name() + ": failed, and did not say why");
    }
    return MS::kFailure;
}

}  // namespace purl
