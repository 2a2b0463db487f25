#include "solver/wet/pores.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

// B-24 G-25
TEST(Pores, leverettIsTheDocumentsTable) {
    EXPECT_NEAR(leverett(0), 0.560, 1e-6);
    EXPECT_NEAR(leverett(0.25), 0.403078, 1e-6);
    EXPECT_NEAR(leverett(0.5), 0.336375, 1e-6);
    EXPECT_NEAR(leverett(0.75), 0.241484, 1e-6);
    EXPECT_NEAR(leverett(0.9), 0.121763, 1e-6);
    EXPECT_NEAR(leverett(1), 0, 1e-12);
    for (int k = 0; k < 1000; ++k) {
        EXPECT_GT(leverett(k / 1000.0), leverett((k + 1) / 1000.0)) << "monotonically decreasing";
        EXPECT_LE((leverett(k / 1000.0) - leverett((k + 1) / 1000.0)) * 1000, kSteepestLeverett);
    }
    EXPECT_LT(leverett(1.2), 0) << "overfull pores push water out";
}

// B-25 G-26
TEST(Pores, capillaryPressureScales) {
    const double p = capillaryPressure(0.0728, 1e-9, 0.6, 0.3);
    EXPECT_NEAR(capillaryPressure(2 * 0.0728, 1e-9, 0.6, 0.3), 2 * p, 1e-9 * p);
    EXPECT_NEAR(capillaryPressure(0.0728, 4e-9, 0.6, 0.3), p / 2, 1e-9 * p);
    EXPECT_NEAR(capillaryPressure(0.0728, 1e-9, 0.15, 0.3), p / 2, 1e-9 * p);
    EXPECT_EQ(capillaryPressure(0.0728, 1e-9, 0.6, 1), 0);
}

// ∫ k dJ / ∫ dJ, summed in a thousand intervals.
TEST(Pores, whatIsOpenOnTheWayIsTheMeanOfWhatLiesBetween) {
    for (const double s : {1.0, 0.8, 0.3})
        for (const double ahead : {0.0, 0.2, 0.29}) {
            double open = 0, drawn = 0;
            for (int k = 0; k < 1000; ++k) {
                const double a = ahead + (s - ahead) * k / 1000, b = ahead + (s - ahead) * (k + 1) / 1000;
                open += relativePermeability(0.5 * (a + b)) * (leverett(a) - leverett(b));
                drawn += leverett(a) - leverett(b);
            }
            EXPECT_NEAR(meanRelativePermeability(s, ahead), open / drawn, 1e-5) << s << " " << ahead;
            EXPECT_LE(meanRelativePermeability(s, ahead), relativePermeability(s))
                << "never more than where it is wettest";
        }
    EXPECT_NEAR(meanRelativePermeability(0.5, 0.4995), relativePermeability(0.5), 1e-3);
    EXPECT_EQ(meanRelativePermeability(0.2, 0.9), relativePermeability(0.2))
        << "into a wetter cell: that of the source";
    EXPECT_EQ(meanRelativePermeability(0, 0), 0);
    EXPECT_EQ(meanRelativePermeability(1, 1), 1);
}

// B-23
TEST(Pores, saturationIsMassOverWhatPoresHold) {
    EXPECT_EQ(saturationOf(0, 0.6, 1e-6, 1000), 0);
    EXPECT_DOUBLE_EQ(saturationOf(3e-4, 0.6, 1e-6, 1000), 0.5);
    EXPECT_DOUBLE_EQ(saturationOf(6e-4, 0.6, 1e-6, 1000), 1);
}

// G-57 B-28
TEST(Pores, wetFabricIsDarkerByTheRootOfItsSaturation) {
    EXPECT_EQ(wetShade(0.15f, 0), 1) << "dry is the colour itself";
    EXPECT_NEAR(wetShade(0.15f, 0.25f), 0.925f, 1e-5);
    EXPECT_NEAR(wetShade(0.15f, 0.5f), 0.89393f, 1e-5);
    EXPECT_NEAR(wetShade(0.15f, 1), 0.85f, 1e-5);
    EXPECT_NEAR(wetShade(0.15f, 1.7f), 0.85f, 1e-5) << "under water no darker than soaked";
}

}  // namespace
}  // namespace purl
