#include "solver/knit/stitch.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

const std::array<BondingPoint, 12>& plain() { return stitchOf(StitchKind::knit).t; }

// G-08 B-41
TEST(Stitch, weightsOfEveryBondingPointAddUpToOne) {
    for (const Stitch& stitch : stitches())
        for (const BondingPoint& point : stitch.t)
            EXPECT_NEAR(point.m[0] + point.m[1] + point.m[2] + point.m[3], 1, 2e-7f);  // four roundings
}

// B-41: the table of Bayraktar's section 4.2 as positions in the cell.
TEST(Stitch, plainStitchHasThePlacesOfTheDocument) {
    const float u[] = {1 / 7.f,  3 / 14.f, 11 / 14.f, 6 / 7.f, 0,        2 / 7.f,
                       5 / 14.f, 1 / 7.f,  1,         5 / 7.f, 9 / 14.f, 6 / 7.f};
    const float v[] = {0, 1 / 3.f, 1 / 3.f, 0, 0, 0, 0.25f, 1, 0, 0, 0.25f, 1};
    for (size_t t = 0; t < 12; ++t) {
        EXPECT_NEAR(plain()[t].u(), u[t], 2e-7f) << "t" << t + 1;
        EXPECT_NEAR(plain()[t].v(), v[t], 2e-7f) << "t" << t + 1;
    }
}

// G-09
TEST(Stitch, layersAreThoseOfTheDocument) {
    for (const size_t t : {1, 4, 7, 8, 11, 12}) EXPECT_EQ(plain()[t - 1].depth, 0) << "t" << t;
    for (const size_t t : {2, 3, 5, 6, 9, 10}) EXPECT_EQ(plain()[t - 1].depth, 1) << "t" << t;
}

// G-10 B-41
TEST(Stitch, plainStitchIsItsOwnMirrorImage) {
    const size_t pairs[][2] = {{1, 4}, {2, 3}, {5, 9}, {6, 10}, {7, 11}, {8, 12}};
    for (const auto& pair : pairs) {
        const BondingPoint &a = plain()[pair[0] - 1], &b = plain()[pair[1] - 1];
        EXPECT_EQ(a.depth, b.depth);
        for (const size_t m : {0, 1, 2, 3}) EXPECT_EQ(a.m[m], b.m[m ^ 1]) << "t" << pair[0];
    }
}

TEST(Stitch, purlIsKnitFromTheOtherSide) {
    const auto& purl = stitchOf(StitchKind::purl).t;
    for (size_t t = 0; t < 12; ++t) {
        EXPECT_EQ(purl[t].m, plain()[t].m);
        EXPECT_EQ(purl[t].depth, 1 - plain()[t].depth);
    }
}

}  // namespace
}  // namespace purl
