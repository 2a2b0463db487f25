// What wetting tells, as Maya arrays: the same outputs of purlClothMesh, purlYarn and purlPoints.
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
    visit(plugs.wetness, PlugAbout{"outWetness", "owe", PlugType::doubles, PlugUse::out,
                                   "Saturation, 0 dry to 1 full; of a particle, of the fabric that it touches."});
    visit(plugs.filmThickness,
          PlugAbout{"outFilmThickness", "oft", PlugType::doubles, PlugUse::out, "Of the water upon the fabric."});
    visit(plugs.timeSinceWet, PlugAbout{"outTimeSinceWet", "otsw", PlugType::doubles, PlugUse::out,
                                        "Seconds since water last came, or a particle touched fabric; -1: never."});
    visit(plugs.dye, PlugAbout{"outDye", "ody", PlugType::vectors, PlugUse::out,
                               "Colour of the water in it; of particles it is outColors."});
}

inline void publishWetting(MDataBlock& block, const WettingPlugs& plugs, const Wetting& wetting) {
    publish<MFnDoubleArrayData, MDoubleArray>(block, plugs.wetness, wetting.wetness);
    publish<MFnDoubleArrayData, MDoubleArray>(block, plugs.filmThickness, wetting.filmThickness);
    publish<MFnDoubleArrayData, MDoubleArray>(block, plugs.timeSinceWet, wetting.timeSinceWet);
    publish<MFnVectorArrayData, MVectorArray>(block, plugs.dye, wetting.dye);
}

}  // namespace purl
