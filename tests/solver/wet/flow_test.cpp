#include "solver/wet/flow.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/wet/pores.h"
#include "tests/solver/cloth/cloths.h"

namespace purl {
namespace {

using namespace test;

// A single strip of fabric, a centimetre wide and n cells long, from the origin along a direction.
struct Strip {
    Scene scene;
    Buffer<Vec3> x;
    PoreSheet sheet{Device::cpu(1)};
    Buffer<float> room;
    Flow flow{Device::cpu(1)};
    WetCells wet{Device::cpu(1)};
    CellLayout layout;

    explicit Strip(int cells, Vec3 along, const WetParams& params = {}) {
        Cloth cloth = gridCloth(3, cells, {}, {0, 0, 0.01f}, along);
        cloth.pores.params = params;
        cloth.pores.params.absorption = Absorption::soak;
        scene.cloths.push_back(cloth);
        make();
    }
    void make() {
        const std::vector<Vec3>& points = scene.cloths[0].points;
        x.resize(static_cast<int>(points.size()));
        std::copy(points.begin(), points.end(), x.begin());
        sheet.set(scene, x);
        sheet.measureRoom(x, room);
        layout = layoutOf(scene);
        wet.width = layout.width();
        wet.contents.resize(wet.width * sheet.cells.size());
        wet.wetAt.resize(sheet.cells.size());
    }
    double& water(int cell) { return wet.contents[wet.width * cell]; }
    double full(int cell) const { return double(room[cell]) / double(layout.inverseDensity[0]); }
    double saturation(int cell) { return water(cell) / full(cell); }
    double mass() {
        double sum = 0;
        for (int i = 0; i < sheet.cells.size(); ++i) sum += water(i);
        return sum;
    }
    void run(double dt, Vec3 gravity = {}) { flow.move(wet, layout, sheet, x, room, gravity, 0, dt); }
};

// B-22
TEST(Sheet, cellsHaveTheFabricsVolumeAndItsPaintedPores) {
    Cloth cloth = gridCloth(5, 9, {}, {0.04f, 0, 0}, {0, 0, 0.08f});
    cloth.pores.params.absorption = Absorption::soak;
    cloth.pores.porosityMap.assign(45, 0.5f);
    cloth.pores.permeabilityMap.assign(45, 4);
    Scene scene = sceneOf(cloth);
    checkScene(scene);
    Buffer<Vec3> rest(Device::cpu(), 45);
    std::copy(cloth.points.begin(), cloth.points.end(), rest.begin());
    PoreSheet sheet{Device::cpu()};
    sheet.set(scene, rest);
    double volume = 0;
    for (const PoreCell& cell : sheet.cells) {
        volume += double(cell.volume);
        EXPECT_FLOAT_EQ(cell.porosity, 0.3f);
        EXPECT_FLOAT_EQ(cell.permeability, 4e-9f);
    }
    EXPECT_NEAR(volume, 0.04 * 0.08 * 0.001, 1e-12) << "area times soakDepth";
    // Squares conduct along their edges and not diagonally.
    for (int i = 0; i < sheet.cells.size(); ++i)
        for (int k = sheet.linkStarts[i]; k < sheet.linkStarts[i + 1]; ++k)
            EXPECT_NEAR(sheet.links[k].length, 0.01f, 1e-6);

    scene.cloths[0].pores.porosityMap[3] = 0;
    EXPECT_THROW(checkScene(scene), Error);
    scene.cloths[0].pores.porosityMap[3] = 2;
    EXPECT_THROW(checkScene(scene), Error) << "1.2 of the fabric cannot be pores";
    scene.cloths[0].pores.porosityMap.clear();
    scene.cloths[0].pores.permeabilityMap[3] = 0;
    EXPECT_THROW(checkScene(scene), Error);
}

TEST(Sheet, strainClosesPores) {
    Cloth cloth = gridCloth(5, 5, {}, {0.04f, 0, 0}, {0, 0, 0.04f});
    cloth.pores.params.absorption = Absorption::soak;
    cloth.pores.params.squeeze = 2;
    const Scene scene = sceneOf(cloth);
    Buffer<Vec3> rest(Device::cpu(), 25), x(Device::cpu(), 25);
    std::copy(cloth.points.begin(), cloth.points.end(), rest.begin());
    PoreSheet sheet{Device::cpu()};
    sheet.set(scene, rest);
    Buffer<float> free, room;
    sheet.measureRoom(rest, free);
    const auto strained = [&](Vec3 factor) {
        for (int i = 0; i < 25; ++i) x[i] = {factor.x * rest[i].x, 0, factor.z * rest[i].z};
        sheet.measureRoom(x, room);
        return room[12] / free[12];
    };
    EXPECT_NEAR(strained({1, 1, 1}), 1, 1e-5);
    // The stretches are roots of a small difference: floats leave three digits.
    EXPECT_NEAR(strained({1.1f, 1, 1}), 0.8, 1e-3) << "a tenth longer, two tenths of the pores";
    EXPECT_NEAR(strained({0.9f, 1, 1}), 0.8, 1e-3) << "a tenth of the area crushed";
    EXPECT_NEAR(strained({0.1f, 1, 1}), 0.05, 1e-4) << "fibres do not weld";
}

// Nearly closed pores equalize twenty times faster than the time steps can follow.
TEST(Flow, crushedPoresNeitherShakeNorHoldUpTheOthers) {
    Strip strip(41, {0.2f, 0, 0});
    for (int c = 0; c < 3; ++c) strip.room[20 * 3 + c] *= 0.05f;
    for (int i = 0; i < strip.sheet.cells.size(); ++i) strip.water(i) = i < 60 ? 0.9 * strip.full(i) : 0;
    const double mass = strip.mass();
    double before = 0;
    for (int k = 0; k < 500; ++k) {
        strip.run(0.004);
        const double beyond = strip.saturation(21 * 3 + 1);
        EXPECT_GE(beyond, before - 1e-9) << "water only comes, and does not sway, " << k;
        before = beyond;
    }
    EXPECT_NEAR(strip.mass(), mass, 1e-12 * mass);
    EXPECT_GT(strip.saturation(21 * 3 + 1), 0.3) << "it came through the narrow place";
    EXPECT_LE(strip.saturation(20 * 3 + 1), 1.05);
    EXPECT_GE(strip.saturation(20 * 3 + 1), strip.saturation(22 * 3 + 1));
}

// G-28
TEST(Flow, waterWicksToWhereItIsDry) {
    Strip strip(41, {0.1f, 0, 0});
    for (int i = 0; i < strip.sheet.cells.size(); ++i)
        if (strip.x[i].x < 0.05f) strip.water(i) = strip.full(i);
    const double mass = strip.mass();
    const auto middle = [&] {
        double sum = 0;
        for (int i = 0; i < strip.sheet.cells.size(); ++i) sum += strip.water(i) * double(strip.x[i].x);
        return sum / strip.mass();
    };
    double before = middle();
    for (int step = 0; step < 100; ++step) {
        strip.run(0.01);
        const double now = middle();
        EXPECT_GT(now, before - 1e-9);
        before = now;
    }
    EXPECT_GT(before, 0.03) << "from 0.025 towards the middle, 0.05";
    EXPECT_NEAR(strip.mass(), mass, 1e-12 * mass);

    Strip even(41, {0.1f, 0, 0});
    for (int i = 0; i < even.sheet.cells.size(); ++i) even.water(i) = 0.5 * even.full(i);
    even.run(1);
    for (int i = 0; i < even.sheet.cells.size(); ++i) EXPECT_NEAR(even.saturation(i), 0.5, 1e-9);
}

TEST(Flow, keepsMassAndStaysPositiveForAnyStep) {
    for (const double dt : {1e-4, 0.01, 1.0, 100.0}) {
        WetParams params;
        params.wickingSpeed = 10;
        Strip strip(41, {0, 0.1f, 0}, params);
        for (int i = 0; i < strip.sheet.cells.size(); ++i)
            strip.water(i) = (i * 7919 % 13) / 6.0 * strip.full(i);  // up to twice their capacity
        const double mass = strip.mass();
        for (int step = 0; step < 20; ++step) {
            strip.run(dt, {0, -9.81f, 0});
            for (int i = 0; i < strip.sheet.cells.size(); ++i) ASSERT_GE(strip.water(i), 0) << dt;
            ASSERT_NEAR(strip.mass(), mass, 1e-12 * mass) << dt;
        }
    }
}

// The first rows of a strip are kept full: the part below the water level.
constexpr int kFed = 20;
void feed(Strip& strip) {
    for (int i = 0; i < 3 * kFed; ++i) strip.water(i) = strip.full(i);
}
double takenUp(Strip& strip) {
    double sum = 0;
    // Water comes from the centre of the last full row: half of that row counts as taken up.
    for (int i = 3 * (kFed - 1); i < 3 * kFed; ++i) sum += 0.5 * strip.full(i);
    for (int i = 3 * kFed; i < strip.sheet.cells.size(); ++i) sum += strip.water(i);
    return sum;
}
double takenUp(Strip& strip, double seconds) {
    for (double time = 0; time < seconds - 1e-9; time += 2e-4) {
        feed(strip);
        strip.run(2e-4);
    }
    return takenUp(strip);
}

// Without gravity the uptake of a strip grows with √t (Washburn 1921).
TEST(Flow, isTakenUpWithTheRootOfTime) {
    Strip strip(81, {0.1f, 0, 0});
    const double early = takenUp(strip, 0.02), late = takenUp(strip, 0.06);
    EXPECT_NEAR(std::log(late / early) / std::log(4.0), 0.5, 0.015)
        << "of four times the time; the front is some twenty cells";
}

// mass ~ √(D t) · capacity, D = κ p/(φ μ), p ~ √(φ/κ)
TEST(Flow, scalesWithPermeabilityAndPorosity) {
    const auto taken = [](float permeability, float porosity) {
        WetParams params;
        params.permeability = permeability;
        params.porosity = porosity;
        Strip strip(81, {0.1f, 0, 0}, params);
        return takenUp(strip, 0.04);
    };
    const double plain = taken(1e-9f, 0.4f);
    EXPECT_NEAR(taken(4e-9f, 0.4f) / plain, std::sqrt(2.0), 0.03) << "D ~ √κ, mass its root";
    EXPECT_NEAR(taken(1e-9f, 0.8f) / plain, 2 * std::pow(2.0, -0.25), 0.03) << "D ~ 1/√φ, capacity ~ φ";
}

// In equilibrium the capillary pressure at every height balances the weight of the water below, and the strip is dry
// beyond the capillary height σ J(0)/(√(κ/φ) ρ g).
TEST(Flow, climbsToTheCapillaryHeight) {
    WetParams params;
    params.wickingSpeed = 20;  // only changes the time scale
    constexpr int kRows = 41;
    Strip strip(kRows, {0, 0.2f, 0}, params);
    const double heavy = 9.81 / double(strip.layout.inverseDensity[0]);  // N/m³
    const double height = capillaryPressure(0.0728, 1e-9, 0.6, 0) / heavy;
    EXPECT_NEAR(height, 0.102, 0.001);
    for (int i = 0; i < 3 * kRows; ++i)
        if (strip.x[i].y < 0.1f) strip.water(i) = strip.full(i);
    for (int step = 0; step < 5000; ++step) strip.run(2e-3, {0, -9.81f, 0});
    const Buffer<CellWater>& water = strip.flow.measure(strip.wet, strip.layout, strip.sheet, strip.room);
    int row = 1;
    while (water[3 * row].pressure >= 0) ++row;
    const double level = double(strip.x[3 * row].y) + water[3 * row].pressure / heavy;
    EXPECT_GT(level, 0);
    for (; row < kRows; ++row) {
        const double z = double(strip.x[3 * row].y) - level;
        if (z < 0.8 * height) { EXPECT_NEAR(-water[3 * row].pressure, heavy * z, 0.02 * heavy * height) << z; }
        // To the resolution of a row of cells.
        if (z > height + 0.006) { EXPECT_LT(water[3 * row].saturation, 0.02) << z; }
    }
}

TEST(Flow, goesFasterAlongTheCoursesThatSayso) {
    Cloth cloth = gridCloth(21, 21, {}, {0.1f, 0, 0}, {0, 0, 0.1f});
    cloth.pores.params.absorption = Absorption::soak;
    cloth.pores.params.courseWicking = 4;
    // Courses along z: u increases there.
    for (const Vec3 p : cloth.points) {
        cloth.faces.u.edit().push_back(p.z);
        cloth.faces.v.edit().push_back(p.x);
    }
    cloth.faces.cornerUvs = cloth.faces.corners;
    Strip strip(3, {0.01f, 0, 0});
    strip.scene.cloths = {cloth};
    strip.wet = WetCells(Device::cpu());
    strip.make();
    const int center = 10 * 21 + 10;
    strip.water(center) = 30 * strip.full(center);
    for (int step = 0; step < 30; ++step) strip.run(0.01);
    double alongX = 0, alongZ = 0;
    for (int i = 0; i < strip.sheet.cells.size(); ++i) {
        alongX += strip.water(i) * std::pow(double(strip.x[i].x) - 0.05, 2);
        alongZ += strip.water(i) * std::pow(double(strip.x[i].z) - 0.05, 2);
    }
    EXPECT_NEAR(alongZ / alongX, 4, 1) << "spread grows with the root of the conductivity, its square with that";
}

TEST(Flow, filmRunsDownAndClingsWhereItIsThin) {
    WetParams params;
    params.capillarity = 0;
    params.wickingSpeed = 0;
    params.clingingFilm = 1e-4f;
    Strip strip(41, {0, 0.1f, 0}, params);
    for (int i = 0; i < strip.sheet.cells.size(); ++i) {
        const double film = strip.x[i].y > 0.05f ? 4e-4 : 0;
        strip.water(i) =
            strip.full(i) + film * double(strip.sheet.cells[i].area) / double(strip.layout.inverseDensity[0]);
    }
    const double mass = strip.mass();
    for (int step = 0; step < 500; ++step) strip.run(0.01, {0, -9.81f, 0});
    EXPECT_NEAR(strip.mass(), mass, 1e-12 * mass);
    const Buffer<CellWater>& water = strip.flow.measure(strip.wet, strip.layout, strip.sheet, strip.room);
    EXPECT_NEAR(water[3 * 40].film, 1e-4f, 2e-5) << "so much stays";
    EXPECT_GT(water[0].film, 1e-3f) << "the rest is at the hem";
}

}  // namespace
}  // namespace purl
