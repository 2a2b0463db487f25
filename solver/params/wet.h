// How a fabric takes up water and lets it go, and what that does to it: shared by cloths and knits.
#pragma once
#include <string>
#include <vector>

#include "solver/core/describe.h"

namespace purl {

// none: water runs off. soak: what touches the fabric goes into its pores, along them, and drips out again; mass is
// kept to the last digit. The other two are the documents', for comparison; of both the particles stay particles.
// weight: the fabric weighs and looks as if it held what is near (Bayraktar 5.12, as a load); pores: capillary pressure
// draws particles to its points and holds them there (Güdükbay 12).
enum class Absorption { none, soak, weight, pores };
inline Choices choicesOf(Absorption) { return {"none", "soak", "weight", "pores"}; }

// Defaults are a towel that water climbs ten centimetres in, and fast: see wickingSpeed.
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
    bool poresPush = false;
};

// Yarn drinks what touches it unless told not to; cloth may be a sail, and has to be told.
struct YarnWetParams : WetParams {
    YarnWetParams() { absorption = Absorption::soak; }
};

template <class Visit>
void describe(Visit&& visit, WetParams& p) {
    visit(p.absorption,
          About{"absorption", "wab", "",
                "What becomes of water that touches the fabric: none runs off, soak takes it up, lets it wick and drip "
                "and keeps its mass; weight and pores leave it particles, and are there for comparison."});
    visit(p.porosity, About{"porosity", "wpo", "", "Share of the fabric that is pores.", 0.01, 0.99, 0.3, 0.9});
    visit(p.soakDepth, About{"soakDepth", "wsd", "m",
                             "Thickness of the fabric as far as it soaks; with the porosity how much it holds.", 1e-6,
                             kUnbounded, 0.0002, 0.005});
    visit(p.permeability,
          About{"permeability", "wpe", "m²",
                "How easily water moves in the pores. Wide pores are permeable but draw less: water climbs less high.",
                1e-15, 1e-3, 1e-11, 1e-8});
    visit(p.capillarity,
          About{"capillarity", "wca", "N/m",
                "Surface tension times the cosine of the contact angle: how hard pores draw. 0: they do not.", 0, 10, 0,
                0.1});
    visit(p.waterViscosity,
          About{"waterViscosity", "wvi", "Pa·s", "In the pores and of films; a handbook's, not the fluid's own.", 1e-6,
                1e4, 1e-4, 0.1});
    visit(p.wickingSpeed,
          About{"wickingSpeed", "wws", "",
                "Factor of how fast water spreads along the fabric. Woven cotton takes minutes: 0.01.", 0, 100, 0, 2});
    visit(p.courseWicking,
          About{"courseWicking", "wcw", "", "The same along courses: u of the texture coordinates.", 0, 100, 0, 4});
    visit(p.waleWicking, About{"waleWicking", "wwl", "", "The same along wales: v.", 0, 100, 0, 4});
    visit(p.intake, About{"intake", "win", "", "Factor of how fast water comes into the fabric.", 0, 1000, 0, 4});
    visit(p.evaporation,
          About{"evaporation", "wev", "kg/(m²·s)", "How fast it dries; a breeze is 0.0001.", 0, 100, 0, 0.01});
    visit(p.squeeze,
          About{"squeeze", "wsq", "",
                "Share of the pores that closes per strain, where the fabric is stretched or crushed. 0: none does.", 0,
                100, 0, 5});
    visit(p.drips, About{"drips", "wdr", "", "Water that the fabric cannot hold falls off as drops."});
    visit(p.clingingFilm,
          About{"clingingFilm", "wcf", "m", "Thickness of a film that stays where it is.", 0, kUnbounded, 0, 0.0005});
    visit(p.startWetness, About{"startWetness", "wst", "", "Saturation at the start, times wetnessMap.", 0, 1, 0, 1});
    visit(p.startFluid,
          About{"startFluid", "wsf", "", "Name of the fluid that it is wet with at the start. Empty: the first."});
    visit(p.wetWeight,
          About{"wetWeight", "www", "", "Share of the water's weight that the fabric bears.", 0, 100, 0, 1});
    visit(p.wetStiffness,
          About{"wetStiffness", "wss", "",
                "Factor of the stiffness where the fabric is soaked; 1 keeps it as stiff as dry.", 0.01, 100, 0.1, 2});
    visit(p.wetFriction, About{"wetFriction", "wfr", "", "Factor of the friction where it is soaked.", 0, 100, 0, 4});
    visit(p.wetCling,
          About{"wetCling", "wcl", "Pa", "How hard soaked fabric sticks to colliders and to itself.", 0, 1e5, 0, 200});
    visit(p.wetDarkening,
          About{"wetDarkening", "wda", "",
                "How much darker soaked fabric is: C' = C (1 - this √saturation). Cotton wants 0.35 to 0.45; the "
                "papers that Purl follows use 0.15.",
                0, 1, 0, 0.6});
    visit(p.wetSwelling, About{"wetSwelling", "wsw", "", "How much thicker soaked yarn is, as a share.", 0, 1, 0, 0.5});
    visit(
        p.staining,
        About{"staining", "wsn", "",
              "How much of an opaque fluid's colour the fabric shows where it is full of it; clear ones do not stain.",
              0, 1, 0, 1});
    visit(p.poresPush,
          About{"poresPush", "wpp", "",
                "pores: points with more around them than they hold push it out, as printed. Off: they let "
                "it be."});
}

// The pores of a fabric, and what is painted on its points (of one layer, if it has several), each one a point or
// empty: saturation at the start, and factors of porosity and permeability.
struct Pores {
    WetParams params;
    std::vector<float> wetnessMap, porosityMap, permeabilityMap;

    bool absorb() const { return params.absorption != Absorption::none; }
    bool operator==(const Pores& other) const {
        return sameParams(params, other.params) && wetnessMap == other.wetnessMap && porosityMap == other.porosityMap &&
               permeabilityMap == other.permeabilityMap;
    }
};

// Throws Error naming the fabric and what is wrong with its pores.
void checkPores(const std::string& owner, const Pores& pores, size_t points);

}  // namespace purl
