// Lanes against one float at a time, to the bit. The same test is built for other instruction sets, whose registers and
// fma differ.
#include "solver/core/lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace purl {
namespace {

using Eight = std::array<float, kLanes>;

Eight eight(Lanes a) {
    Eight all;
    store(a, all.data());
    return all;
}

uint32_t bits(float a) {
    uint32_t all;
    std::memcpy(&all, &a, sizeof all);
    return all;
}

// Which NaN an operation returns is up to the processor.
void expectSame(float a, float b, const char* what, float x, float y = 0, float z = 0) {
    if (std::isnan(a) && std::isnan(b)) return;
    EXPECT_EQ(bits(a), bits(b)) << what << " of " << x << ", " << y << ", " << z << ": " << a << ", " << b;
}

// Any bits at all, and the values where operations differ in their corners.
std::vector<float> samples(int count, unsigned seed) {
    const float inf = std::numeric_limits<float>::infinity(), tiny = std::numeric_limits<float>::denorm_min();
    const std::vector<float> special{0.0f, -0.0f, 1.0f,    -1.0f,  inf,    -inf,   std::nanf(""), tiny, -tiny,
                                     0.1f, 3.0f,  3.4e38f, -3e38f, 1e-38f, 1e-20f, 1e15f,         1e30f};
    std::mt19937 random(seed);
    std::vector<float> all;
    for (int k = 0; k < count; ++k) {
        float value = special[random() % special.size()];
        const auto any = static_cast<uint32_t>(random());
        if (k % 3 == 0) std::memcpy(&value, &any, sizeof value);
        if (k % 3 == 1) value = std::ldexp(static_cast<float>(static_cast<int>(any % 20001) - 10000), k % 7 - 12);
        all.push_back(value);
    }
    return all;
}

TEST(Lanes, everyOperationIsThatOfAFloat) {
    constexpr int kCount = 8 * 5000;
    const std::vector<float> a = samples(kCount, 1), b = samples(kCount, 2), c = samples(kCount, 3);
    for (int k = 0; k < kCount; k += kLanes) {
        const Lanes x = load(a.data() + k), y = load(b.data() + k), z = load(c.data() + k);
        const auto compare = [&](const char* what, Lanes result, auto scalar) {
            const Eight each = eight(result);
            for (int l = 0; l < kLanes; ++l) {
                const float p = a[k + l], q = b[k + l], r = c[k + l];
                expectSame(each[l], scalar(p, q, r), what, p, q, r);
            }
        };
        compare("+", x + y, [](float p, float q, float) { return p + q; });
        compare("-", x - y, [](float p, float q, float) { return p - q; });
        compare("*", x * y, [](float p, float q, float) { return p * q; });
        compare("/", x / y, [](float p, float q, float) { return p / q; });
        compare("negation", -x, [](float p, float, float) { return -p; });
        compare("abs", abs(x), [](float p, float, float) { return abs(p); });
        compare("sqrt", sqrt(x), [](float p, float, float) { return sqrt(p); });
        compare("min", min(x, y), [](float p, float q, float) { return min(p, q); });
        compare("max", max(x, y), [](float p, float q, float) { return max(p, q); });
        compare("fma", fma(x, y, z), [](float p, float q, float r) { return fma(p, q, r); });
        compare("fnma", fnma(x, y, z), [](float p, float q, float r) { return fnma(p, q, r); });
        compare("select", select(x < y, z, x), [](float p, float q, float r) { return select(p < q, r, p); });
        const auto compareBits = [&](const char* what, LaneMask result, auto scalar) {
            for (int l = 0; l < kLanes; ++l)
                EXPECT_EQ(bitsOf(result) >> l & 1, int(scalar(a[k + l], b[k + l]))) << what << a[k + l] << b[k + l];
        };
        compareBits("<", x < y, [](float p, float q) { return p < q; });
        compareBits("<=", x <= y, [](float p, float q) { return p <= q; });
        compareBits(">", x > y, [](float p, float q) { return p > q; });
        compareBits(">=", x >= y, [](float p, float q) { return p >= q; });
        compareBits("==", x == y, [](float p, float q) { return p == q; });
        compareBits("!", !(x == y), [](float p, float q) { return !(p == q); });
        compareBits("&", (x < y) & (x > -y), [](float p, float q) { return p < q && p > -q; });
        compareBits("|", (x < y) | (x == y), [](float p, float q) { return p < q || p == q; });
    }
}

// The C library's fma is exact: glibc's uses the instruction or an exact method of its own.
TEST(Lanes, fmaInSoftwareRoundsOnce) {
    const std::vector<float> a = samples(60000, 4), b = samples(60000, 5), c = samples(60000, 6);
    for (size_t k = 0; k < a.size(); ++k) {
        expectSame(fmaInDouble(a[k], b[k], c[k]), std::fma(a[k], b[k], c[k]), "fma", a[k], b[k], c[k]);
        expectSame(fma(a[k], b[k], c[k]), std::fma(a[k], b[k], c[k]), "fma", a[k], b[k], c[k]);
    }
    // Sums that two roundings get wrong: just beside the middle between two floats.
    const float x = 1 + std::ldexp(1.0f, -12), y = 1 + std::ldexp(1.0f, -12);  // x y = 1 + 2⁻¹¹ + 2⁻²⁴
    for (const float beside : {1e-12f, -1e-12f, 1e-25f, -1e-25f, 0.0f, 1e-38f})
        for (const float sign : {1.0f, -1.0f})
            expectSame(fmaInDouble(sign * x, y, beside), std::fma(sign * x, y, beside), "fma", x, y, beside);
}

TEST(Lanes, sumsHaveOneOrder) {
    const std::vector<float> values{1e8f, 1.0f, -3.3f, 0.7f, -1e8f, 1e-3f, 12345.678f, 1e6f};
    const float* const v = values.data();
    const float expected = ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
    EXPECT_EQ(sum(load(v)), expected);
    EXPECT_NE(expected, ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7])));  // the order shows
    EXPECT_EQ(minLane(load(v)), -1e8f);
    EXPECT_EQ(maxLane(load(v)), 1e8f);
}

TEST(Lanes, rowsAndPointsGoToTheirLanes) {
    std::vector<Float4> rows(40);
    for (int k = 0; k < 40; ++k) {
        const auto f = static_cast<float>(k);
        rows[k] = {f, f + 0.25f, f + 0.5f, f + 0.75f};
    }
    const int list[kLanes] = {3, 39, 0, 7, 7, 21, 12, 1};
    const Row<Lanes> four = loadRows(rows.data(), list);
    const Eight x = eight(four.x), y = eight(four.y), z = eight(four.z), w = eight(four.w);
    const Eight gathered = eight(gather(&rows[0].x, list));
    for (int l = 0; l < kLanes; ++l) {
        const Float4& row = rows[list[l]];
        EXPECT_EQ(x[l], row.x);
        EXPECT_EQ(y[l], row.y);
        EXPECT_EQ(z[l], row.z);
        EXPECT_EQ(w[l], row.w);
        EXPECT_EQ(gathered[l], (&rows[0].x)[list[l]]);
    }
    std::vector<Float4> written(40);
    storeRows(four, written.data(), list);
    for (const int k : list) EXPECT_EQ(std::memcmp(&written[k], &rows[k], sizeof(Float4)), 0);
    EXPECT_EQ(written[2].x, 0);

    std::vector<Vec3> points(9);
    for (int k = 0; k < 9; ++k) points[k] = {float(k), float(10 * k), float(100 * k)};
    const VecOf<Lanes> eightPoints = loadPoints(points.data() + 1);
    for (int l = 0; l < kLanes; ++l) {
        EXPECT_EQ(eight(eightPoints.x)[l], points[l + 1].x);
        EXPECT_EQ(eight(eightPoints.y)[l], points[l + 1].y);
        EXPECT_EQ(eight(eightPoints.z)[l], points[l + 1].z);
    }
}

struct alignas(32) TwoRows {
    float a[4], b[4];
};

TEST(Lanes, dotsOfDifferencesAreThoseOfFloats) {
    std::vector<TwoRows> rows(20);
    for (int k = 0; k < 20; ++k)
        for (int c = 0; c < 4; ++c) {
            rows[k].a[c] = std::sin(static_cast<float>(7 * k + c));
            rows[k].b[c] = std::cos(static_cast<float>(3 * k - c));
        }
    const int list[kLanes] = {3, 19, 0, 7, 7, 11, 12, 1};
    const Eight dots = eight(dotOfDifferences(rows.data(), list, rows[5]));
    for (int l = 0; l < kLanes; ++l) {
        const TwoRows &own = rows[5], &other = rows[list[l]];
        const auto product = [&](int c) { return (own.a[c] - other.a[c]) * (own.b[c] - other.b[c]); };
        EXPECT_EQ(dots[l], (product(0) + product(2)) + (product(1) + product(3))) << l;
    }
}

TEST(Lanes, setsOfLanesMoveToTheFront) {
    const int numbers[kLanes] = {10, 11, 12, 13, 14, 15, 16, -17};
    for (int set = 0; set < 256; ++set) {
        int moved[kLanes];
        store(compacted(load(numbers), set), moved);
        int at = 0;
        forEachBit(set, [&](int lane) { EXPECT_EQ(moved[at++], numbers[lane]) << set; });
    }
    EXPECT_EQ(bitsOf(load(numbers) == LaneInts(13)), 1 << 3);
    EXPECT_EQ(bitsOf(load(numbers) > LaneInts(13)), 0b01110000);
    EXPECT_EQ(bitsOf(load(numbers) + LaneInts(1) < LaneInts(12)), 0b10000001);
}

TEST(Lanes, vectorsAreThoseOfFloats) {
    const std::vector<float> a = samples(64, 7), b = samples(64, 8);
    const VecOf<Lanes> p{load(&a[0]), load(&a[8]), load(&a[16])}, q{load(&b[0]), load(&b[8]), load(&b[16])};
    const Eight along = eight(dot(p, q)), across = eight(cross(p, q).y), nearer = eight(fma(load(&a[24]), p, q).z);
    for (int l = 0; l < kLanes; ++l) {
        const VecOf<float> s{a[l], a[8 + l], a[16 + l]}, t{b[l], b[8 + l], b[16 + l]};
        expectSame(along[l], dot(s, t), "dot", a[l]);
        expectSame(across[l], cross(s, t).y, "cross", a[l]);
        expectSame(nearer[l], fma(a[24 + l], s, t).z, "fma", a[l]);
    }
}

}  // namespace
}  // namespace purl
