// Inputs shared by purlCloth and purlKnit: the mesh, painted maps, and the parameters of wet fabric.
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

// As on Maya's nCloth, the paintable map of X is XPerVertex, and XMapType switches it on. A texture as third choice is
// missing: only Maya could sample it, and the farm would get another result.
enum class MapType { none, vertex };
inline Choices choicesOf(MapType) { return {"none", "vertex"}; }

struct FabricMaps {
    MapType stiffness = MapType::vertex, mass = MapType::vertex, wetness = MapType::vertex, porosity = MapType::vertex,
            permeability = MapType::vertex;
};
template <class Visit>
void describe(Visit&& visit, FabricMaps& p) {
    visit(p.stiffness,
          About{"stiffnessMapType", "stmt", "", "vertex: stiffnessPerVertex is used; none: it is ignored."}.section(
              "Painted maps"));
    visit(p.mass, About{"massMapType", "msmt", "", "vertex: massPerVertex is used; none: it is ignored."});
    visit(p.wetness,
          About{"wetnessMapType", "wwmt", "", "vertex: wetnessPerVertex is used; none: it is ignored."}.initialOnly());
    visit(p.porosity, About{"porosityMapType", "wpmt", "", "vertex: porosityPerVertex is used; none: it is ignored."});
    visit(p.permeability,
          About{"permeabilityMapType", "wkmt", "", "vertex: permeabilityPerVertex is used; none: it is ignored."});
}

// `mesh` and `pinned` are the sentences of inMesh and pins.
template <class Visit>
void describeFabricPlugs(Visit&& visit, FabricPlugs& plugs, const char* mesh, const char* pinned) {
    const auto map = [](const char* name, const char* shortName, const char* sentence) {
        return PlugAbout{name, shortName, PlugType::doubles, PlugUse::in, sentence};
    };
    visit(plugs.inMesh, PlugAbout{"inMesh", "im", PlugType::mesh, PlugUse::in, mesh});
    visit(plugs.pins, map("pins", "pns", pinned));
    visit(plugs.stiffness, map("stiffnessPerVertex", "stpv", "Factor on the stiffness at each vertex. Paintable."));
    visit(plugs.mass, map("massPerVertex", "mspv", "Factor on the mass at each vertex. Paintable."));
    visit(plugs.wetness, map("wetnessPerVertex", "wwpv", "Factor on startWetness at each vertex. Paintable."));
    visit(plugs.porosity, map("porosityPerVertex", "wppv", "Factor on the porosity at each vertex. Paintable."));
    visit(plugs.permeability,
          map("permeabilityPerVertex", "wkpv", "Factor on the permeability at each vertex. Paintable."));
}

// Reads the inputs into a Cloth or a Knit. Throws Error if there is no mesh or a vertex to pin does not exist.
template <class Wet, class Pins, class Body>
void readFabric(MDataBlock& block, const FabricPlugs& plugs, const ParamAttributes<FabricMaps>& mapTypes,
                const ParamAttributes<Wet>& pores, const Pins& held, FormerValues& former, Body& body) {
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
    body.pores = {pores.read(block, &former), painted(types.wetness, plugs.wetness),
                  painted(types.porosity, plugs.porosity), painted(types.permeability, plugs.permeability)};
    held.pin(body.pins, body.points.size());
}

}  // namespace purl
