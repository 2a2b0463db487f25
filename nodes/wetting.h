// Wetness outputs shared by purlClothMesh, purlYarn and purlPoints, as Maya arrays.
#pragma once
#include "nodes/plugs.h"
#include "nodes/publish.h"
#include "solver/geometry/wetting.h"

namespace purl {

struct WettingPlugs {
    MObject wetness, filmThickness, timeSinceWet, dye;
};

template <class Visit>
void describeWetting(Visit&& visit, WettingPlugs& plugs) {
    visit(plugs.wetness,
          PlugAbout{"outWetness", "owe", PlugType::doubles, PlugUse::out,
                    "Saturation, from 0 (dry) to 1 (saturated); for particles, that of the fabric they touch."});
    visit(plugs.filmThickness, PlugAbout{"outFilmThickness", "oft", PlugType::doubles, PlugUse::out,
                                         "Thickness of the water film on the fabric."});
    visit(plugs.timeSinceWet,
          PlugAbout{"outTimeSinceWet", "otsw", PlugType::doubles, PlugUse::out,
                    "Seconds since water last arrived, or a particle last touched fabric; -1: never."});
    visit(plugs.dye, PlugAbout{"outDye", "ody", PlugType::vectors, PlugUse::out,
                               "Colour of the absorbed water; for particles, the same as outColors."});
}

inline void publishWetting(MDataBlock& block, const WettingPlugs& plugs, const Wetting& wetting) {
    publish<MFnDoubleArrayData, MDoubleArray>(block, plugs.wetness, wetting.wetness);
    publish<MFnDoubleArrayData, MDoubleArray>(block, plugs.filmThickness, wetting.filmThickness);
    publish<MFnDoubleArrayData, MDoubleArray>(block, plugs.timeSinceWet, wetting.timeSinceWet);
    publish<MFnVectorArrayData, MVectorArray>(block, plugs.dye, wetting.dye);
}

}  // namespace purl
