// What the nodes of cloths and soft bodies have in common: a material by name, and what holds their vertices, as
// painted maps and as lists.
#pragma once
#include <maya/MDataHandle.h>

#include <string>
#include <vector>

#include "nodes/paramAttributes.h"
#include "solver/core/describe.h"

namespace purl {

// Pins the vertices of a list (see listed).
void pinListed(const std::string& list, std::vector<float>& pins, size_t count);

// Choice: an enum whose first is custom, the others named as the materials are.
template <class Choice>
struct MaterialAndPins {
    Choice preset{};
    bool isDynamic = true;
    std::string pinnedVertices;

    // Into what the map says already. What is not simulated follows its mesh as a whole.
    void pin(std::vector<float>& pins, size_t count) const {
        if (isDynamic)
            pinListed(pinnedVertices, pins, count);
        else
            pins.assign(count, 1);
    }

    // The material's parameters in place of their own, if one is chosen. Tables are in metres, attributes in Maya's
    // centimetres.
    template <class Params, class Table>
    Params applyTo(const Params& own, const Table& table) const {
        if (preset == Choice{}) return own;
        Params material = table.with(choicesOf(preset)[static_cast<size_t>(preset)], Params());
        scaleLengths(material, kCentimetersPerMeter);
        Params chosen = own;
        for (const auto field : table.fields) chosen.*field = material.*field;
        return chosen;
    }
};
template <class Visit, class Choice>
void describe(Visit&& visit, MaterialAndPins<Choice>& p) {
    visit(p.preset, About{"preset", "pre", "",
                          "custom takes the attributes below; a named material takes its own density, stiffness, "
                          "damping, friction and what else makes it in their place."});
    visit(p.isDynamic, About{"isDynamic", "isd", "", "Off: it follows its mesh as it is, and is met by others there."});
    visit(p.pinnedVertices, About{"pinnedVertices", "pnv", "",
                                  "Vertices that follow the mesh, as in \"0 4 10:20\"; besides those that pins says."});
}

// A painted map, or empty where there is none.
std::vector<float> mapOf(MDataHandle handle);

// The vertices of a list as Maya writes them, "3", "3:7" or "vtx[3:7]"; `count`: how many there are. Throws Error
// naming the attribute on what is no vertex of them.
std::vector<int> listed(const std::string& attribute, const std::string& list, size_t count);

}  // namespace purl
