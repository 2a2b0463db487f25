// The same fabric has the same shape on coarse and fine meshes.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

constexpr float kEdge = 0.6f, kSpan = 0.4f;  // m

// A square of felt with a bending length (B/w)^⅓ of about 9 cm, so that 24 quads per side resolve its folds and its
// shape is unique. Finer fabrics have many stable folds, chosen by chance at any resolution.
Cloth felt(int squares, ClothSolver solver) {
    Cloth cloth = test::levelCloth(squares + 1, kEdge);
    ClothParams& params = cloth.params;
    params.solver = solver;
    params.maxTimeStep = 0.02f;
    params.tolerance = 2e-3f;
    params.bendStiffness = 1e-3f;
    params.stretchStiffness = 200;
    params.shearStiffness = 20;
    params.damping = 2e-4f;
    params.airDrag = 1;
    return cloth;
}

// m: how far the corners and edge centres hang below the support, and the square root of the projected area, as in
// Cusick's drape test.
struct Drape {
    double corner = 0, middle = 0, shadow = 0;
};

// Pinned horizontally in its central third and released. Not draped over a collider: on round supports friction lets
// cloth creep a little with every step, more with longer ones.
Drape overEdge(int squares, ClothSolver solver, int iterations = 5, float dt = 0.02f) {
    Cloth cloth = felt(squares, solver);
    cloth.params.iterations = iterations;
    cloth.params.maxTimeStep = dt;
    test::pin(cloth, [](Vec3 p) { return std::max(std::fabs(p.x), std::fabs(p.z)) < kEdge / 6 + 1e-4f; });
    Simulator simulator(test::oneThread());
    test::play(simulator, test::sceneOf(cloth), solver == ClothSolver::xpbd ? 2 : 1);
    const Buffer<Vec3>& x = simulator.state().cloth.x;
    const int n = squares + 1, half = squares / 2;
    const float top = x[half * n + half].y;
    Drape drape;
    for (const int i : {0, squares, squares * n, squares * n + squares}) drape.corner += double(top - x[i].y) / 4;
    for (const int i : {half, half * n, half * n + squares, squares * n + half})
        drape.middle += double(top - x[i].y) / 4;
    double area = 0;
    const auto side = [&](int from, int step) {
        for (int k = 0; k < squares; ++k) {
            const Vec3 a = x[from + k * step], b = x[from + (k + 1) * step];
            area += 0.5 * double(a.z * b.x - a.x * b.z);
        }
    };
    side(0, 1);
    side(squares, n);
    side(squares * n + squares, -1);
    side(squares * n, -n);
    drape.shadow = std::sqrt(std::fabs(area));
    return drape;
}

void expectSameDrape(const Drape& one, const Drape& other, double within) {
    EXPECT_NEAR(one.corner / other.corner, 1, within);
    EXPECT_NEAR(one.middle / other.middle, 1, within);
    EXPECT_NEAR(one.shadow / other.shadow, 1, within);
}

// m: sag of the centre and of the lower edge of a sheet hung by two parts of its upper edge, which move together.
Vec3 hung(int squares) {
    Cloth cloth = felt(squares, ClothSolver::implicitEuler);
    test::pin(cloth, [](Vec3 p) { return p.x < -0.299f && std::fabs(p.z) > 0.5f * kSpan - 0.001f; });
    Scene scene = test::sceneOf(cloth);
    Simulator simulator(test::oneThread());
    simulator.reset(scene);
    for (int frame = 1; frame <= 24; ++frame) {
        const float closer = 0.12f * std::min(1.0f, float(frame) / 12);
        for (size_t i = 0; i < cloth.points.size(); ++i)
            scene.cloths[0].points[i].z = cloth.points[i].z - std::copysign(closer, cloth.points[i].z);
        simulator.advanceTo(scene, frame / 24.0);
    }
    const Buffer<Vec3>& x = simulator.state().cloth.x;
    const int n = squares + 1, half = squares / 2;
    return {-x[half].y, -x[half * n + half].y, -x[squares * n + half].y};
}

// Within 3 % of each other; measured 2 %.
TEST(ClothResolution, drapeIsTheSameOnFinerMeshes) {
    const Drape coarse = overEdge(24, ClothSolver::implicitEuler), fine = overEdge(48, ClothSolver::implicitEuler);
    EXPECT_GT(coarse.corner, 0.1);
    expectSameDrape(coarse, fine, 0.03);
}

TEST(ClothResolution, hangingClothIsTheSameOnFinerMeshes) {
    const Vec3 coarse = hung(24), fine = hung(48);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(coarse[k], fine[k], 0.005 * double(fine[2])) << k;  // 0.04 %
    EXPECT_GT(fine[2], 0.4f);
}

TEST(ClothResolution, nightlyDrapeOfAHundredSquaresMatchesTwentyFour) {
    const Drape coarse = overEdge(24, ClothSolver::implicitEuler), finest = overEdge(96, ClothSolver::implicitEuler);
    expectSameDrape(coarse, finest, 0.03);
    const Vec3 wide = hung(24), narrow = hung(96);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(wide[k], narrow[k], 0.03 * double(narrow[2])) << k;
}

// xpbd is too soft while its iterations do not reach across the cloth: more iterations or shorter steps converge to the
// same shape.
TEST(ClothResolution, xpbdConvergesToTheSameShape) {
    const Drape exact = overEdge(24, ClothSolver::implicitEuler);
    const auto errorOf = [&](int iterations, float dt) {
        const Drape drape = overEdge(24, ClothSolver::xpbd, iterations, dt);
        return std::fabs(drape.corner / exact.corner - 1) + std::fabs(drape.middle / exact.middle - 1);
    };
    const double few = errorOf(5, 0.004f), many = errorOf(40, 0.004f);
    EXPECT_GT(few, 0.3);    // 0.50 with too few iterations
    EXPECT_LT(many, 0.05);  // 0.005
}

}  // namespace
}  // namespace purl
