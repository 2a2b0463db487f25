// What purlCloth and purlKnit take in alike: a mesh, painted maps, and how the fabric soaks.
#pragma once
#include "nodes/geometry.h"
#include "nodes/paramAttributes.h"
#include "nodes/pins.h"
#include "nodes/plugs.h"
#include "solver/scene.h"

namespace purl {

struct FabricPlugs {
    MObject inMesh, pins, stiffness, mass, wetness, porosity, permeability;
};

// As the nodes of nucleus have it, what may be painted upon X is in XPerVertex, and XMapType says whether it counts.
// Their third choice, a texture, only Maya could sample: a farm would see something else.
enum class MapType { none, vertex };
inline Choices choicesOf(MapType) { return {"none", "vertex"}; }

struct FabricMaps {
    MapType stiffness = MapType::vertex, mass = MapType::vertex, wetness = MapType::vertex, porosity = MapType::vertex,
            permeability = MapType::vertex;
};
template <class Visit>
void describe(Visit&& visit, FabricMaps& p) {
    visit(p.stiffness, About{"stiffnessMapType", "stmt", "", "Whether stiffnessPerVertex counts."});
    visit(p.mass, About{"massMapType", "msmt", "", "Whether massPerVertex counts."});
    visit(p.wetness, About{"wetnessMapType", "wwmt", "", "Whether wetnessPerVertex counts."});
    visit(p.porosity, About{"porosityMapType", "wpmt", "", "Whether porosityPerVertex counts."});
    visit(p.permeability, About{"permeabilityMapType", "wkmt", "", "Whether permeabilityPerVertex counts."});
}

// `mesh`, `pinned`: what those two are to the node, in its own words.
template <class Visit>
void describeFabricPlugs(Visit&& visit, FabricPlugs& plugs, const char* mesh, const char* pinned) {
    const auto map = [](const char* name, const char* shortName, const char* sentence) {
        return PlugAbout{name, shortName, PlugType::doubles, PlugUse::in, sentence};
    };
    visit(plugs.inMesh, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in, mesh});
    visit(plugs.pins, map("pins", "pns", pinned));
    visit(plugs.stiffness,
          map("stiffnessPerVertex", "stpv", "Factor of the stiffness at each vertex; may be painted."));
    visit(plugs.mass, map("massPerVertex", "mspv", "Factor of the mass at each vertex; may be painted."));
    visit(plugs.wetness,
          map("wetnessPerVertex", "wwpv", "How wet each vertex is at the start, times startWetness; may be painted."));
    visit(plugs.porosity, map("porosityPerVertex", "wppv", "Factor of the porosity at each vertex; may be painted."));
    visit(plugs.permeability,
          map("permeabilityPerVertex", "wkpv", "Factor of the permeability at each vertex; may be painted."));
}

// Into a Cloth or a Knit. Throws Error where there is no mesh, or no such vertex to pin.
template <class Wet, class Pins, class Body>
void readFabric(MDataBlock& block, const FabricPlugs& plugs, const ParamAttributes<FabricMaps>& mapTypes,
                const ParamAttributes<Wet>& pores, const Pins& held, Body& body) {
    MDataHandle mesh = block.inputValue(plugs.inMesh);
    worldFaces(mesh, body.points, body.faces);
    if (body.faces.empty()) throw Error("mesh has no faces; connect one to inMesh");
    const FabricMaps types = mapTypes.read(block);
    const auto painted = [&](MapType type, const MObject& map) {
        return type == MapType::vertex ? mapOf(block.inputValue(map)) : std::vector<float>();
    };
    body.pins = mapOf(block.inputValue(plugs.pins));
    body.stiffnessMap = painted(types.stiffness, plugs.stiffness);
    body.massMap = painted(types.mass, plugs.mass);
    body.pores = {pores.read(block), painted(types.wetness, plugs.wetness), painted(types.porosity, plugs.porosity),
                  painted(types.permeability, plugs.permeability)};
    held.pin(body.pins, body.points.size());
}

}  // namespace purl
