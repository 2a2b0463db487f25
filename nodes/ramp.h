// Ramps: values or colours along 0 to 1, as artists draw them in the attribute editor. Read from the data block alone,
// so that cached playback, which has blocks of its own, sees the right one.
#pragma once
#include <maya/MDataBlock.h>
#include <maya/MObject.h>

#include <vector>

#include "solver/core/vec.h"

namespace purl {

enum class RampStep { none, linear, smooth, spline };  // Maya's, by its numbers

template <class T>
struct Ramp {
    struct Entry {
        float position = 0;
        T value{};
        RampStep step = RampStep::linear;  // to the next one
        bool operator==(const Entry& other) const {
            return position == other.position && value == other.value && step == other.step;
        }
    };
    std::vector<Entry> entries;  // by position; none: the ramp is not there

    bool operator==(const Ramp& other) const { return entries == other.entries; }
    T at(float position) const;  // of one that has entries
};
using CurveRamp = Ramp<float>;
using ColorRamp = Ramp<Vec3>;

MObject makeRamp(const char* name, const char* shortName, const CurveRamp&);
MObject makeRamp(const char* name, const char* shortName, const ColorRamp&);
void readRamp(MDataBlock& block, const MObject& attribute, CurveRamp& ramp);
void readRamp(MDataBlock& block, const MObject& attribute, ColorRamp& ramp);

}  // namespace purl
