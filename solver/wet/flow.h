// Flow: water along fabrics. Through the pores by capillary pressure and weight (Darcy), and what they do not hold as a
// film downhill. What leaves one cell comes to another, and none gives more than it has: mass is kept and stays
// positive for any step.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/sheet.h"

namespace purl {

// What cells hold behind the fluids' masses. All follow the water but do not evaporate with it.
enum DyeContents {
    kRed,      // kg · share: colour times the mass it came with
    kGreen,    //
    kBlue,     //
    kColored,  // kg, that mass
    kPigment,  // kg, that mass times how opaque it was: what stains
    kDyes      // how many these are
};

inline void addDye(double* dyes, double mass, Vec3 color, double opacity) {
    dyes[kRed] += mass * double(color.x);
    dyes[kGreen] += mass * double(color.y);
    dyes[kBlue] += mass * double(color.z);
    dyes[kColored] += mass;
    dyes[kPigment] += mass * opacity;
}
inline Vec3 dyeOf(const double* dyes) {
    const double mass = dyes[kColored];
    if (!(mass > 0)) return {};
    return {static_cast<float>(dyes[kRed] / mass), static_cast<float>(dyes[kGreen] / mass),
            static_cast<float>(dyes[kBlue] / mass)};
}

// How the contents of a cell are laid out, and how heavy the fluids are.
struct CellLayout {
    static constexpr int kMostFluids = 16;
    int fluids = 1;
    float inverseDensity[kMostFluids] = {};  // m³/kg

    PURL_HD int width() const { return fluids + kDyes; }
    // Of the cell's contents, among those of all.
    double* of(Buffer<double>& contents, int cell) const {
        return contents.data() + static_cast<size_t>(width()) * static_cast<size_t>(cell);
    }
    const double* of(const Buffer<double>& contents, int cell) const {
        return contents.data() + static_cast<size_t>(width()) * static_cast<size_t>(cell);
    }
    PURL_HD double massOf(const double* cell) const {
        double sum = 0;
        for (int f = 0; f < fluids; ++f) sum += cell[f];
        return sum;
    }
    PURL_HD double volumeOf(const double* cell) const {
        double sum = 0;
        for (int f = 0; f < fluids; ++f) sum += cell[f] * double(inverseDensity[f]);
        return sum;
    }
};
// Throws Error where there are too many fluids.
CellLayout layoutOf(const Scene& scene);

// Water in a cell, as flow sees it.
struct CellWater {
    double volume;    // m³
    double pressure;  // Pa, in the pores: below the air's by what they draw with
    float saturation;
    float film;  // m, upon the fabric
};

// m³/s from one cell to another, or shares of it: through the pores, and as a film.
struct Flux {
    double pores = 0, film = 0;
};

class Flow {
  public:
    explicit Flow(const Device& device);

    // Lets water move for dt seconds between cells that are at x and hold at most `room`, m³. `pull`, m/s²: gravity.
    void move(WetCells& wet, const CellLayout& layout, const PoreSheet& sheet, const Buffer<Vec3>& x,
              const Buffer<float>& room, Vec3 pull, double time, double dt);
    // What each cell holds now.
    const Buffer<CellWater>& measure(const WetCells& wet, const CellLayout& layout, const PoreSheet& sheet,
                                     const Buffer<float>& room);

  private:
    void wake(const PoreSheet& sheet);

    Device device_;
    Buffer<CellWater> water_;
    Buffer<Flux> out_, share_;
    Buffer<double> next_;
    Buffer<float> slow_;  // of each cell, see Fluxes
    Buffer<int> awake_;   // cells that are wet or may become so
    std::vector<int> ring_, found_;
};

}  // namespace purl
