// Parameters of wet fabrics, shared by cloths and knits: uptake, wicking, dripping, and the effect of water on them.
#pragma once
#include <string>
#include <vector>

#include "solver/core/describe.h"
#include "solver/reference/params.h"

namespace purl {

// none: water runs off. soak: fabric absorbs the fluid that touches it, which wicks along the fabric and drips off
// again; mass is conserved exactly.
enum class Absorption { none, soak };
inline Choices choicesOf(Absorption) { return {"none", "soak"}; }

// Defaults are a towel that water climbs by ten centimetres, faster than in reality: see wickingSpeed.
struct WetParams {
    Absorption absorption = Absorption::none;
    float porosity = 0.6f;
    float soakDepth = 0.001f;
    float permeability = 1e-9f;
    float capillarity = 0.0728f;
    float waterViscosity = 0.001f;
    float wickingSpeed = 1;
    float courseWicking = 1;
    float waleWicking = 1;
    float intake = 1;
    float evaporation = 1e-4f;
    float squeeze = 2;
    bool drips = true;
    float clingingFilm = 5e-5f;
    float startWetness = 0;
    std::string startFluid;
    float wetWeight = 1;
    float wetStiffness = 0.4f;
    float wetFriction = 1.5f;
    float wetCling = 30;
    float wetDarkening = 0.4f;
    float wetSwelling = 0.1f;
    float staining = 1;
    WetReference reference;

    // Whether the fabric takes fluid up; a reference variant takes the place of `absorption`.
    bool soaks() const { return absorption == Absorption::soak && reference.absorption == ReferenceAbsorption::none; }
    bool isWettable() const {
        return absorption != Absorption::none || reference.absorption != ReferenceAbsorption::none;
    }
};

// Knits absorb by default; cloth, which may be a sail, does not.
struct YarnWetParams : WetParams {
    YarnWetParams() { absorption = Absorption::soak; }
};

template <class Visit>
void describe(Visit&& visit, WetParams& p) {
    visit(p.absorption,
          About{"absorption", "wab", "",
                "What happens to fluid that touches the fabric. none: it runs off; soak: it is absorbed, wicks and "
                "drips, and its mass is conserved."}
              .section("Soaking"));
    visit(p.porosity,
          About{"porosity", "wpo", "", "Fraction of the fabric's volume that is pores.", 0.01, 0.99, 0.3, 0.9});
    visit(p.soakDepth, About{"soakDepth", "wsd", "m",
                             "Thickness of the absorbing fabric. Together with porosity, it gives the capacity.", 1e-6,
                             kUnbounded, 0.0002, 0.005});
    visit(p.permeability, About{"permeability", "wpe", "m²",
                                "How easily water flows through the pores. Wide pores have a high permeability but "
                                "weaker capillary pressure, so water climbs less high.",
                                1e-15, 1e-3, 1e-11, 1e-8});
    visit(p.capillarity, About{"capillarity", "wca", "N/m",
                               "Strength of capillary suction: surface tension times the cosine of the contact angle. "
                               "0: none.",
                               0, 10, 0, 0.1});
    visit(p.waterViscosity, About{"waterViscosity", "wvi", "Pa·s",
                                  "Viscosity of absorbed water and films: the physical value, not that of the fluid "
                                  "node.",
                                  1e-6, 1e4, 1e-4, 0.1});
    visit(p.wickingSpeed,
          About{"wickingSpeed", "wws", "",
                "Factor on how fast water spreads along the fabric. Woven cotton takes minutes: 0.01.", 0, 100, 0, 2}
              .section("Wicking"));
    visit(p.courseWicking, About{"courseWicking", "wcw", "", "Factor on wicking along courses (u).", 0, 100, 0, 4});
    visit(p.waleWicking, About{"waleWicking", "wwl", "", "Factor on wicking along wales (v).", 0, 100, 0, 4});
    visit(p.intake, About{"intake", "win", "", "Factor on how fast the fabric absorbs fluid.", 0, 1000, 0, 4});
    visit(p.evaporation, About{"evaporation", "wev", "kg/(m²·s)", "Drying rate; 0.0001 in a breeze.", 0, 100, 0, 0.01});
    visit(p.squeeze, About{"squeeze", "wsq", "",
                           "Fraction of the pores that closes per strain where the fabric is stretched or compressed, "
                           "which wrings water out. 0: none.",
                           0, 100, 0, 5});
    visit(p.drips, About{"drips", "wdr", "", "Water beyond the fabric's capacity falls off as drops of fluid."});
    visit(p.clingingFilm,
          About{"clingingFilm", "wcf", "m", "Thickness up to which a water film on the fabric stays in place.", 0,
                kUnbounded, 0, 0.0005});
    visit(p.startWetness,
          About{"startWetness", "wst", "", "Initial saturation, multiplied by wetnessPerVertex.", 0, 1, 0, 1}
              .initialOnly());
    visit(p.startFluid,
          About{"startFluid", "wsf", "", "Name of the fluid that the fabric initially holds. Empty: the first."}
              .initialOnly());
    visit(
        p.wetWeight,
        About{"wetWeight", "www", "", "Fraction of the water's weight that the fabric carries.", 0, 100, 0, 1}.section(
            "When wet"));
    visit(p.wetStiffness,
          About{"wetStiffness", "wss", "", "Factor on the stiffness of saturated fabric; 1 is as stiff as dry.", 0.01,
                100, 0.1, 2});
    visit(p.wetFriction, About{"wetFriction", "wfr", "", "Factor on the friction of saturated fabric.", 0, 100, 0, 4});
    visit(p.wetCling, About{"wetCling", "wcl", "Pa", "How strongly saturated fabric sticks to colliders and to itself.",
                            0, 1e5, 0, 200});
    visit(p.wetDarkening, About{"wetDarkening", "wda", "",
                                "How much saturated fabric darkens: its colour is multiplied by 1 - wetDarkening "
                                "√saturation. Cotton looks right at 0.35 to 0.45; the source papers use 0.15.",
                                0, 1, 0, 0.6});
    visit(p.wetSwelling,
          About{"wetSwelling", "wsw", "", "How much thicker saturated yarn becomes: 0.1 is 10 %.", 0, 1, 0, 0.5});
    visit(p.staining,
          About{"staining", "wsn", "",
                "How much of an opaque fluid's colour saturated fabric shows. Clear fluids do not stain.", 0, 1, 0, 1});
    describe(visit, p.reference);
}

// The pores of a fabric and the maps painted on its points (of one layer, if it has several): initial saturation, and
// factors on porosity and permeability. One value per point, or empty.
struct Pores {
    WetParams params;
    std::vector<float> wetnessMap, porosityMap, permeabilityMap;

    bool absorb() const { return params.isWettable(); }
    bool operator==(const Pores& other) const {
        return sameParams(params, other.params) && wetnessMap == other.wetnessMap && porosityMap == other.porosityMap &&
               permeabilityMap == other.permeabilityMap;
    }
};

// Throws Error naming the fabric and the problem if its parameters or maps are invalid.
void checkPores(const std::string& owner, const Pores& pores, size_t points);

}  // namespace purl
