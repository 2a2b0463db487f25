// What purlCloth and purlKnit take in alike: a mesh, painted maps, and how the fabric soaks.
#pragma once
#include "nodes/geometry.h"
#include "nodes/paramAttributes.h"
#include "nodes/pins.h"
#include "nodes/plugs.h"
#include "solver/scene.h"

namespace purl {

struct FabricPlugs {
    MObject inMesh, pins, stiffnessMap, massMap, wetnessMap, porosityMap, permeabilityMap;
};

// `mesh`, `pinned`: what those two are to the node, in its own words.
template <class Visit>
void describeFabricPlugs(Visit&& visit, FabricPlugs& plugs, const char* mesh, const char* pinned) {
    const auto map = [](const char* name, const char* shortName, const char* sentence) {
        return PlugAbout{name, shortName, PlugType::doubles, PlugUse::in, sentence};
    };
    visit(plugs.inMesh, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in, mesh});
    visit(plugs.pins, map("pins", "pns", pinned));
    visit(plugs.stiffnessMap, map("stiffnessMap", "stm", "Factor of the stiffness at each vertex; may be painted."));
    visit(plugs.massMap, map("massMap", "msm", "Factor of the mass at each vertex; may be painted."));
    visit(plugs.wetnessMap,
          map("wetnessMap", "wwm", "How wet each vertex is at the start, times startWetness; may be painted."));
    visit(plugs.porosityMap, map("porosityMap", "wpm", "Factor of the porosity at each vertex; may be painted."));
    visit(plugs.permeabilityMap,
          map("permeabilityMap", "wkm", "Factor of the permeability at each vertex; may be painted."));
}

// Into a Cloth or a Knit. Throws Error where there is no mesh, or no such vertex to pin.
template <class Pins, class Body>
void readFabric(MDataBlock& block, const FabricPlugs& plugs, const ParamAttributes<WetParams>& pores, const Pins& held,
                Body& body) {
    MDataHandle mesh = block.inputValue(plugs.inMesh);
    worldFaces(mesh, body.points, body.faces);
    if (body.faces.empty()) throw Error("mesh has no faces; connect one to inMesh");
    body.pins = mapOf(block.inputValue(plugs.pins));
    body.stiffnessMap = mapOf(block.inputValue(plugs.stiffnessMap));
    body.massMap = mapOf(block.inputValue(plugs.massMap));
    body.pores = {pores.read(block), mapOf(block.inputValue(plugs.wetnessMap)),
                  mapOf(block.inputValue(plugs.porosityMap)), mapOf(block.inputValue(plugs.permeabilityMap))};
    held.pin(body.pins, body.points.size());
}

}  // namespace purl
