// XPBD: moves the points of a cloth until each spring and fold is as long as its lambda leaves it over the step
// (Macklin, Müller and Chentanez 2016), going through them colour by colour.
#pragma once
#include "solver/cloth/fabric.h"
#include "solver/cloth/xpbdLanes.h"

namespace purl {

class Xpbd {
  public:
    explicit Xpbd(const Device& device);

    // x, m: the points after dt seconds without the cloth's own lambdas, and then with them. xBefore: before.
    void solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);
    // The same one by one, as a GPU does it: the measure for the other, which goes eight at a time.
    void solveScalar(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);

  private:
    Buffer<float> springLambda_;  // λ of each, N·s²
    Buffer<Vec3> bendLambda_;
    XpbdLanes lanes_;
};

}  // namespace purl
