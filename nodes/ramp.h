// Ramps: floats or colours along 0 to 1, as drawn in the attribute editor. Read from the data block only, because
// cached playback evaluates nodes with its own data blocks.
#pragma once
#include <maya/MDataBlock.h>
#include <maya/MObject.h>

#include <vector>

#include "solver/core/vec.h"

namespace purl {

enum class RampStep { none, linear, smooth, spline };  // values as in MRampAttribute

template <class T>
struct Ramp {
    struct Entry {
        float position = 0;
        T value{};
        RampStep step = RampStep::linear;  // interpolation up to the next entry
        bool operator==(const Entry& other) const {
            return position == other.position && value == other.value && step == other.step;
        }
    };
    std::vector<Entry> entries;  // sorted by position; empty: no ramp

    bool operator==(const Ramp& other) const { return entries == other.entries; }
    T at(float position) const;  // requires entries
};
using CurveRamp = Ramp<float>;
using ColorRamp = Ramp<Vec3>;

MObject makeRamp(const char* name, const char* shortName, const CurveRamp&);
MObject makeRamp(const char* name, const char* shortName, const ColorRamp&);
void readRamp(MDataBlock& block, const MObject& attribute, CurveRamp& ramp);
void readRamp(MDataBlock& block, const MObject& attribute, ColorRamp& ramp);

}  // namespace purl
