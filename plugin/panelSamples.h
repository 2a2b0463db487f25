// What the panel plots of a frame, and the tree of its caches: the same in Maya and in our own window.
#pragma once
#include <string>
#include <vector>

#include "panel/model.h"
#include "solver/frame.h"

namespace purl {

// kg of water that are there or gone, less what came: it does not change where the books are kept well.
double balanceOf(const FrameStats& stats);

// `balance`: of the first frame. Of a frame on disk only the numbers of its record are known.
PanelSample sampleOf(int number, const FrameStats& stats, double particles, double balance);
PanelSample sampleOf(int number, const Frame& frame, double balance);

// In its place by frame, where that of the same frame was.
void insert(std::vector<PanelSample>& samples, const PanelSample& sample);

double megabytesInUse();  // by this process

// The cache in a folder and those that branched off it, each below its parent; none where there is no cache.
std::vector<PanelCache> panelCaches(const std::string& folder);
// The folder of the first of a line of branches, or the cache's own.
std::string rootOfBranches(const std::string& folder);

}  // namespace purl
