#include "solver/core/conjugateGradients.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/core/lanes.h"

namespace purl {
namespace {

struct Identity {
    PURL_HD Vec3 apply(int, Vec3 r) const { return r; }
    PURL_HD double energy(int, Vec3 r) const { return dotInDouble(r, r); }
};

struct SmallEnough {
    PURL_HD bool operator()(const ConjugateGradientState& now) const { return now.rz < 1e-10; }
};

// A rod of `count` points, both ends held: A = tridiagonal (−1, diagonal, −1), the same for x, y and z.
template <class Direction>
struct Rod {
    float diagonal = 2;
    Buffer<Vec3> x, r, ap;
    Buffer<Direction> p;

    explicit Rod(int count) {
        for (Buffer<Vec3>* values : {&x, &r, &ap}) values->resize(count);
        p.resize(count);
    }
    ConjugateGradientState solve(Vec3 load, int maxIterations) {
        for (int i = 0; i < r.size(); ++i) r[i] = load, p[i] = {load.x, load.y, load.z};
        ConjugateGradients<Direction, Identity> cg{Device::cpu(), {}, x.span(), r.span(), ap.span(), p.span()};
        const auto multiply = [&](const int*) {
            for (int i = 0; i < r.size(); ++i) {
                ap[i] = diagonal * Vec3(p[i]);
                if (i > 0) ap[i] -= Vec3(p[i - 1]);
                if (i + 1 < r.size()) ap[i] -= Vec3(p[i + 1]);
            }
        };
        return cg.solve(multiply, SmallEnough{}, maxIterations);
    }
};

template <class Direction>
void expectParabola() {
    constexpr int kPoints = 31;
    Rod<Direction> rod(kPoints);
    const auto cg = rod.solve({1, -2, 0.5f}, 100);
    // By symmetry the Krylov space of a constant load has (n + 1)/2 dimensions.
    EXPECT_EQ(cg.iterations, (kPoints + 1) / 2);
    for (int i = 0; i < kPoints; ++i) {
        const auto exact = static_cast<float>((i + 1) * (kPoints - i)) / 2;  // x'' = −1 with x = 0 at both ends
        // floats of size 128 after 16 updates: 16 · 128 · 2⁻²⁴
        EXPECT_NEAR(rod.x[i].x, exact, 1.5e-4f);
        EXPECT_NEAR(rod.x[i].y, -2 * exact, 3e-4f);
        EXPECT_NEAR(rod.x[i].z, 0.5f * exact, 1e-4f);
    }
}

TEST(ConjugateGradients, solvesARodUnderConstantLoadInHalfAsManyIterationsAsPoints) { expectParabola<Vec3>(); }

TEST(ConjugateGradients, paddedDirectionsGiveTheSameSolution) { expectParabola<Float4>(); }

TEST(ConjugateGradients, stopsAtTheLimitOfIterations) {
    Rod<Vec3> rod(31);
    EXPECT_EQ(rod.solve({1, 0, 0}, 3).iterations, 3);
}

TEST(ConjugateGradients, stopsBeforeAMatrixThatIsNotPositiveDefiniteSpoilsTheSolution) {
    Rod<Vec3> rod(31);
    rod.diagonal = -2;
    const auto cg = rod.solve({1, 0, 0}, 100);
    EXPECT_EQ(cg.iterations, 0);
    for (const Vec3& x : rod.x) EXPECT_EQ(x.x, 0);
}

}  // namespace
}  // namespace purl
