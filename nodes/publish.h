// Copies channels of a frame to output plugs, as Maya arrays.
#pragma once
#include <maya/MDataBlock.h>
#include <maya/MDataHandle.h>
#include <maya/MDoubleArray.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MFnIntArrayData.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MIntArray.h>
#include <maya/MVectorArray.h>

#include <vector>

#include "solver/core/channel.h"
#include "solver/core/vec.h"

namespace purl {

inline void copy(const std::vector<Vec3>& from, MVectorArray& to) {
    to.setLength(static_cast<unsigned>(from.size()));
    for (unsigned i = 0; i < to.length(); ++i) to.set(MVector(from[i].x, from[i].y, from[i].z), i);
}
template <class Value>
void copy(const Channel<Value>& from, MDoubleArray& to) {
    to.setLength(static_cast<unsigned>(from.size()));
    const Value* const values = from.data();
    for (unsigned i = 0; i < to.length(); ++i) to.set(static_cast<double>(values[i]), i);
}
inline void copy(const std::vector<int>& from, MIntArray& to) {
    to = MIntArray(from.data(), static_cast<unsigned>(from.size()));
}

// Sets an output plug to a channel as array data, created with the given function set.
template <class FunctionSet, class Array, class Values>
void publish(MDataBlock& block, const MObject& plug, const Values& values) {
    Array array;
    copy(values, array);
    MDataHandle handle = block.outputValue(plug);
    handle.setMObject(FunctionSet().create(array));
    handle.setClean();
}

}  // namespace purl
