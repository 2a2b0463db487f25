// Values that a standard attribute had before they became reference variants. Saved scenes and scripts still set them;
// they select the variant, and the node says once which attribute to set instead.
#pragma once
#include <maya/MGlobal.h>
#include <maya/MPxNode.h>

#include <mutex>
#include <set>

#include "solver/reference/registry.h"

namespace purl {

class FormerValues {
  public:
    explicit FormerValues(const MPxNode& node) : node_(node) {}

    void note(const ReferenceVariant& variant) {
        const std::lock_guard<std::mutex> noting(noting_);
        if (noted_.insert(&variant).second)
            MGlobal::displayWarning(node_.name() + ": " + deprecationOf(variant).c_str());
    }

  private:
    const MPxNode& node_;
    std::mutex noting_;  // cached playback computes in the background
    std::set<const ReferenceVariant*> noted_;
};

}  // namespace purl
