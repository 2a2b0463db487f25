// The viscosity force: draws a particle's velocity to its neighbours', and is all the damping there is.
#pragma once
#include "solver/fluid/material.h"

namespace purl {

// f = μ Σ (uⱼ − uᵢ) mⱼ/ρⱼ ∇²W   Kelager 4.17: one j's share without μ
PURL_HD inline Vec3 viscosityTerm(Vec3 vi, Vec3 vj, float volume, float laplacian) {
    return (volume * laplacian) * (vj - vi);
}

}  // namespace purl
