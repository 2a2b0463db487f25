// Attributes shared by cloths, knits and soft bodies: preset, and pinned vertices as lists and painted maps.
#pragma once
#include <maya/MDataHandle.h>

#include <string>
#include <vector>

#include "nodes/paramAttributes.h"
#include "nodes/preset.h"
#include "solver/core/describe.h"

namespace purl {

// Pins the listed vertices (see listed).
void pinListed(const std::string& list, std::vector<float>& pins, size_t count);

// Choice: the enum of the preset attribute; see preset.h.
template <class Choice>
struct MaterialAndPins {
    Choice preset{};
    bool isDynamic = true;
    std::string pinnedVertices;

    // Adds the pinned vertices to a painted map. A body that is not dynamic is pinned as a whole.
    void pin(std::vector<float>& pins, size_t count) const {
        if (isDynamic)
            pinListed(pinnedVertices, pins, count);
        else
            pins.assign(count, 1);
    }

    // `own` with the parameters of the chosen preset. Tables are in metres, attributes in Maya's centimetres.
    template <class Params, class Table>
    Params applyTo(const Params& own, const Table& table) const {
        const auto* row = presetRow(preset, table.rows);
        if (!row) return own;
        Params material = table.with(row->name, Params());
        scaleLengths(material, kCentimetersPerMeter);
        Params chosen = own;
        for (const auto field : table.fields) chosen.*field = material.*field;
        return chosen;
    }
};
template <class Visit, class Choice>
void describe(Visit&& visit, MaterialAndPins<Choice>& p) {
    visit(p.preset, About{"preset", "pre", "",
                          "custom: uses the attributes below. A named material replaces its own ones, such as density, "
                          "stiffness, damping and friction."}
                        .section(presetHeading(Choice{}), SectionPlace::identity)
                        .initialOnly());
    visit(p.isDynamic, About{"isDynamic", "isd", "",
                             "Off: the body follows its mesh unchanged, and other bodies collide with it there."});
    visit(p.pinnedVertices,
          About{"pinnedVertices", "pnv", "",
                "Vertices that follow the mesh, such as \"0 4 10:20\", in addition to those of pins."});
}

// The values of a painted map; empty if nothing is painted.
std::vector<float> mapOf(MDataHandle handle);

// Vertex indices from a list in Maya's notation: "3", "3:7" or "vtx[3:7]". Throws Error naming the attribute if a
// vertex is not below `count`.
std::vector<int> listed(const std::string& attribute, const std::string& list, size_t count);

}  // namespace purl
