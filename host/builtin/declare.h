// Shorthand for declaring built-in node types, and conversions between MMatrix and Mat4d.
#pragma once
#include "host/graph/graph.h"
#include "host/shapes/polyMesh.h"
#include "host/shapes/transform.h"

namespace purl::host {

inline AttrPtr distance(const std::string& name, const std::string& shortName, double cm = 0) {
    return number(name, shortName, cm, Kind::Distance);
}
inline AttrPtr angle(const std::string& name, const std::string& shortName, double radians = 0) {
    return number(name, shortName, radians, Kind::Angle);
}
inline AttrPtr integer(const std::string& name, const std::string& shortName, int value = 0) {
    return number(name, shortName, value, Kind::Int);
}
inline AttrPtr text(const std::string& name, const std::string& shortName) {
    return typed(name, shortName, DataType::String);
}
// A colour: float3 with children nameR nameG nameB.
AttrPtr color(const std::string& name, const std::string& shortName, double r, double g, double b);

Mat4d fromMaya(const MMatrix& m);
MMatrix toMaya(const Mat4d& m);

DataPtr meshDataFrom(const PolyMesh& mesh);

}  // namespace purl::host
