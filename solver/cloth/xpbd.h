// XPBD: compliant constraints for springs and folds (Macklin, Müller and Chentanez 2016), solved by Gauss–Seidel over
// colours.
#pragma once
#include "solver/cloth/fabric.h"
#include "solver/cloth/xpbdLanes.h"

namespace purl {

class Xpbd {
  public:
    explicit Xpbd(const Device& device);

    // Projects x, m, the predicted positions after dt seconds without internal forces. xBefore: positions at the start.
    void solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);
    // Scalar version, used on GPUs and as the reference for the vectorized one.
    void solveScalar(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);

  private:
    Buffer<float> springLambda_;  // λ per spring, N·s²
    Buffer<Vec3> bendLambda_;
    XpbdLanes lanes_;
};

}  // namespace purl
