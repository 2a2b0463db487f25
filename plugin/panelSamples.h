// Plot samples of a frame and the cache tree, shared by Maya and `purl view`.
#pragma once
#include <string>
#include <vector>

#include "panel/model.h"
#include "solver/frame.h"

namespace purl {

// Water balance in kg: present + removed − added. Constant if mass is conserved.
double balanceOf(const FrameStats& stats);

// `balance`: that of the first frame. For cached frames only the recorded statistics are known.
PanelSample sampleOf(int number, const FrameStats& stats, double particles, double balance);
PanelSample sampleOf(int number, const Frame& frame, double balance);

// Inserts by frame number, replacing a sample of the same frame.
void insert(std::vector<PanelSample>& samples, const PanelSample& sample);

double megabytesInUse();  // of this process

// The cache in a folder and its branches, each after its parent; empty if there is no cache.
std::vector<PanelCache> panelCaches(const std::string& folder);
// Folder of the root of a branch tree, or the cache itself.
std::string rootOfBranches(const std::string& folder);

}  // namespace purl
