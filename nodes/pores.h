// The wet attributes of fabrics: their pores' parameters and painted maps, shared by purlCloth and purlKnit.
#pragma once
#include "nodes/paramAttributes.h"
#include "nodes/pins.h"
#include "nodes/plugs.h"
#include "solver/scene.h"

namespace purl {

struct PoreMapPlugs {
    MObject wetnessMap, porosityMap, permeabilityMap;
};

template <class Visit>
void describePoreMaps(Visit&& visit, PoreMapPlugs& plugs) {
    visit(plugs.wetnessMap, PlugAbout{"wetnessMap", "wwm", PlugType::doubles, PlugUse::in,
                                      "How wet each vertex is at the start, times startWetness; may be painted."});
    visit(plugs.porosityMap, PlugAbout{"porosityMap", "wpm", PlugType::doubles, PlugUse::in,
                                       "Factor of the porosity at each vertex; may be painted."});
    visit(plugs.permeabilityMap, PlugAbout{"permeabilityMap", "wkm", PlugType::doubles, PlugUse::in,
                                           "Factor of the permeability at each vertex; may be painted."});
}

inline Pores poresOf(MDataBlock& block, const ParamAttributes<WetParams>& params, const PoreMapPlugs& plugs) {
    return {params.read(block), mapOf(block.inputValue(plugs.wetnessMap)), mapOf(block.inputValue(plugs.porosityMap)),
            mapOf(block.inputValue(plugs.permeabilityMap))};
}

}  // namespace purl
