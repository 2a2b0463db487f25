// XPBD: compliant constraints for springs and folds (Macklin, Müller and Chentanez 2016), solved by Gauss–Seidel over
// colours, eight elements at a time.
#pragma once
#include "solver/cloth/fabric.h"
#include "solver/cloth/xpbdBlocks.h"

namespace purl {

// Structure of arrays: x, y, z and inverse mass of all points.
struct SoaPoints {
    float* channel[4];
};
class SoaBuffer {
  public:
    explicit SoaBuffer(const Device& device) : values_(device) {}

    // Uninitialized arrays for `count` points.
    SoaPoints resize(int count) {
        values_.resizeDiscard(4 * count);
        return {{values_.data(), values_.data() + count, values_.data() + 2 * count, values_.data() + 3 * count}};
    }

  private:
    Buffer<float> values_;
};

class Xpbd {
  public:
    explicit Xpbd(const Device& device);

    // Projects x, m, the predicted positions after dt seconds without internal forces. xBefore: positions at the start.
    void solve(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);
    // The same with the same bits, one element per index of a kernel: on GPUs.
    void solveByElement(const Fabric& fabric, float dt, int iterations, const Vec3* xBefore, Vec3* x);

  private:
    // Copies the points, calls project(runs, others), access to points of runs and of scattered blocks, and copies
    // back.
    template <class Project>
    void withPoints(const Fabric& fabric, const Vec3* xBefore, Vec3* x, const Project& project);

    XpbdBlocks blocks_;
    // Points in any order, gathered one by one; or in slot order.
    Buffer<Float4> points_, before_;
    SoaBuffer soa_, soaBefore_;
};

}  // namespace purl
