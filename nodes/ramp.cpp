#include "nodes/ramp.h"

#include <maya/MArrayDataHandle.h>
#include <maya/MDataHandle.h>
#include <maya/MFnCompoundAttribute.h>
#include <maya/MRampAttribute.h>
#include <maya/MString.h>

#include <algorithm>

namespace purl {
namespace {

void read(const MDataHandle& handle, float& value) { value = handle.asFloat(); }
void read(const MDataHandle& handle, Vec3& value) {
    const float3& v = handle.asFloat3();
    value = {v[0], v[1], v[2]};
}

template <class T>
void readEntries(MDataBlock& block, const MObject& attribute, Ramp<T>& ramp) {
    ramp.entries.clear();
    const MFnCompoundAttribute compound(attribute);
    MArrayDataHandle array = block.inputArrayValue(attribute);
    for (unsigned i = 0; i < array.elementCount(); ++i) {
        array.jumpToArrayElement(i);
        MDataHandle element = array.inputValue();
        typename Ramp<T>::Entry entry;
        entry.position = element.child(compound.child(0)).asFloat();
        read(element.child(compound.child(1)), entry.value);
        entry.step = static_cast<RampStep>(std::clamp<int>(element.child(compound.child(2)).asShort(), 0, 3));
        ramp.entries.push_back(entry);
    }
    // Elements are in the order of their creation.
    std::stable_sort(ramp.entries.begin(), ramp.entries.end(),
                     [](const auto& a, const auto& b) { return a.position < b.position; });
}

// Catmull–Rom spline from b at t = 0 to c at t = 1, with tangents (c − a)/2 and (d − b)/2.
template <class T>
T spline(T a, T b, T c, T d, float t) {
    return b + 0.5f * t * ((c - a) + t * (2.0f * a - 5.0f * b + 4.0f * c - d + t * (3.0f * (b - c) + d - a)));
}

}  // namespace

template <class T>
T Ramp<T>::at(float position) const {
    const auto after = std::upper_bound(entries.begin(), entries.end(), position,
                                        [](float p, const Entry& entry) { return p < entry.position; });
    if (after == entries.begin()) return entries.front().value;
    if (after == entries.end()) return entries.back().value;
    const Entry &from = *(after - 1), &to = *after;
    float t = (position - from.position) / (to.position - from.position);
    switch (from.step) {
        case RampStep::none: return from.value;
        case RampStep::smooth: t = t * t * (3 - 2 * t); break;
        case RampStep::spline: {
            const T before = after - 1 == entries.begin() ? from.value : (after - 2)->value;
            const T beyond = after + 1 == entries.end() ? to.value : (after + 1)->value;
            return spline(before, from.value, to.value, beyond, t);
        }
        case RampStep::linear: break;
    }
    return from.value + t * (to.value - from.value);
}
template struct Ramp<float>;
template struct Ramp<Vec3>;

MObject makeRamp(const char* name, const char* shortName, const CurveRamp&) {
    return MRampAttribute::createCurveRamp(name, shortName);
}
MObject makeRamp(const char* name, const char* shortName, const ColorRamp&) {
    return MRampAttribute::createColorRamp(name, shortName);
}
void readRamp(MDataBlock& block, const MObject& attribute, CurveRamp& ramp) { readEntries(block, attribute, ramp); }
void readRamp(MDataBlock& block, const MObject& attribute, ColorRamp& ramp) { readEntries(block, attribute, ramp); }

}  // namespace purl
