// XPBD: moves the points of a cloth until each spring and fold is as long as its force leaves it over the step
// (Macklin, Müller and Chentanez 2016), going through them colour by colour.
#pragma once
#include "solver/cloth/fabric.h"
#include "solver/core/lanes.h"

namespace purl {

// Eight springs of one colour. What is missing to eight has both ends in the element after the last point.
struct alignas(32) SpringBlock {
    int a[8], b[8];
    float rest[8], compliance[8];  // m, m/N
};

// Eight folds of one colour.
struct alignas(32) BendBlock {
    int v[4][8];
    float c[4][8];
    float rest[8], compliance[8];
    int points;  // 3 where no fourth has weight
};

class Xpbd {
  public:
    explicit Xpbd(const Device& device);

    // x, m: the points after dt seconds without the cloth's own forces, and then with them. xBefore: before.
    void solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);
    // The same one by one, as a GPU does it: the measure for the other, which goes eight at a time.
    void solvePlain(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);

  private:
    void solveTuned(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);
    void pack(const Fabric& fabric);

    Buffer<float> springForce_;  // λ of each, N·s²
    Buffer<Vec3> bendForce_;
    // Of the tuned loop.
    unsigned packed_ = 0;  // the fabric's version that the blocks are of
    Buffer<SpringBlock> springBlocks_;
    Buffer<BendBlock> bendBlocks_;
    Colors springColors_, bendColors_;  // in blocks
    Buffer<float> springForces_, bendForces_;
    Buffer<Float4> points_, before_;
};

}  // namespace purl
