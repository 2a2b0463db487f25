// Smoothing of a closed mesh that keeps its volume.
#pragma once
#include "solver/core/device.h"
#include "solver/frame.h"

namespace purl {

// `passes` rounds of Taubin's λ|μ filter on the positions; normals are averaged along.
void smoothMesh(const Device& device, Mesh& mesh, int passes);

}  // namespace purl
