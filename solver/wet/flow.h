// Flow: transport of water along fabrics, through the pores by capillary pressure and gravity (Darcy), and as a film
// downhill where the pores are full. The scheme is conservative, and no cell gives more than it has: mass stays
// positive for any step.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/sheet.h"

namespace purl {

// Contents of a cell besides the fluid masses. All are advected with the water but do not evaporate.
enum DyeContents {
    kRed,      // kg · colour component: colour times the mass it came with
    kGreen,    //
    kBlue,     //
    kColored,  // kg, that mass
    kPigment,  // kg, that mass times its opacity: what stains
    kDyes      // number of dye contents
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

// Layout of a cell's contents, and the densities of the fluids.
struct CellLayout {
    static constexpr int kMaxFluids = 16;
    int fluids = 1;
    float inverseDensity[kMaxFluids] = {};  // m³/kg

    PURL_HD int width() const { return fluids + kDyes; }
    // The contents of one cell.
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
// Throws Error if there are too many fluids.
CellLayout layoutOf(const Scene& scene);

// The water of a cell.
struct CellWater {
    double volume;    // m³
    double pressure;  // Pa, in the pores, relative to the air; negative is suction
    float saturation;
    float film;  // m, on top of the fabric
};

// m³/s from one cell to another, or limiting factors: through the pores, and as a film.
struct Flux {
    double pores = 0, film = 0;
};

class Flow {
  public:
    explicit Flow(const Device& device);

    // Advances by dt seconds. Cells are at x and hold at most `room`, m³. `gravity`: m/s².
    void move(WetCells& wet, const CellLayout& layout, const PoreSheet& sheet, const Buffer<Vec3>& x,
              const Buffer<float>& room, Vec3 gravity, double time, double dt);
    // The current water of each cell.
    const Buffer<CellWater>& measure(const WetCells& wet, const CellLayout& layout, const PoreSheet& sheet,
                                     const Buffer<float>& room);

  private:
    void findActiveCells(const PoreSheet& sheet);

    Device device_;
    Buffer<CellWater> water_;
    Buffer<Flux> out_, share_;
    Buffer<double> next_;
    Buffer<float> conductanceScale_;  // per cell, see Fluxes
    Buffer<int> active_;              // cells that are wet or may become so
    std::vector<int> ring_, found_;
};

}  // namespace purl
