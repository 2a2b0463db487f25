// Volume-preserving smoothing of closed meshes.
#pragma once
#include "solver/core/device.h"
#include "solver/frame.h"

namespace purl {

// `passes` iterations of Taubin's λ|μ filter on the positions; normals are averaged too.
void smoothMesh(const Device& device, Mesh& mesh, int passes);

}  // namespace purl
