// Animation curves and unit conversions as nodes.
#include <algorithm>

#include "host/builtin/builtin.h"
#include "host/builtin/declare.h"
#include "host/shapes/animCurve.h"

namespace purl::host {
namespace {

// Builds an AnimCurve from a node's .ktv and tangents. Omitted elements have default values.
AnimCurve curveOf(Node& node, bool timed) {
    AnimCurve curve;
    curve.tangent = static_cast<Tangent>(static_cast<int>(node.plug("tangentType").number()));
    curve.weighted = node.plug("weightedTangents").flag();
    curve.pre = static_cast<Infinity>(static_cast<int>(node.plug("preInfinity").number()));
    curve.post = static_cast<Infinity>(static_cast<int>(node.plug("postInfinity").number()));

    const Plug ktv = node.plug("keyTimeValue");
    std::map<int, std::size_t> place;  // logical index → index in keys
    for (const int i : ktv.elements()) {
        Key key;
        key.time = ktv.element(i).child(0).number() / (timed ? kTicksPerSecond : 1);
        key.value = ktv.element(i).child(1).number();
        place[i] = curve.keys.size();
        curve.keys.push_back(key);
    }
    const auto each = [&](const char* name, auto store) {
        const Plug array = node.plug(name);
        for (const int i : array.elements()) {
            const auto at = place.find(i);
            if (at != place.end()) store(curve.keys[at->second], array.element(i).number());
        }
    };
    each("keyTanInType", [](Key& k, double x) { k.in = static_cast<Tangent>(static_cast<int>(x)); });
    each("keyTanOutType", [](Key& k, double x) { k.out = static_cast<Tangent>(static_cast<int>(x)); });
    each("keyTanInX", [](Key& k, double x) { k.inX = x, k.hasIn = true; });
    each("keyTanInY", [](Key& k, double x) { k.inY = x, k.hasIn = true; });
    each("keyTanOutX", [](Key& k, double x) { k.outX = x, k.hasOut = true; });
    each("keyTanOutY", [](Key& k, double x) { k.outY = x, k.hasOut = true; });
    std::stable_sort(curve.keys.begin(), curve.keys.end(), [](const Key& a, const Key& b) { return a.time < b.time; });
    return curve;
}

void addCurveType(const std::string& name, Kind in, Kind out) {
    Type& type = addType(name);
    type.apiType = MFn::kAnimCurve;
    const AttrPtr input = type.add(number("input", "i", 0, in));
    const AttrPtr ktv = type.add(
        array(compound("keyTimeValue", "ktv", {number("keyTime", "kt", 0, in), number("keyValue", "kv", 0, out)})));
    std::vector<AttrPtr> shape = {
        integer("tangentType", "tan", static_cast<int>(Tangent::spline)),
        boolean("weightedTangents", "wgt", true),
        integer("preInfinity", "pre"),
        integer("postInfinity", "pst"),
        array(integer("keyTanInType", "kit")),
        array(integer("keyTanOutType", "kot")),
        array(number("keyTanInX", "kix", 1, Kind::Float)),
        array(number("keyTanInY", "kiy", 0, Kind::Float)),
        array(number("keyTanOutX", "kox", 1, Kind::Float)),
        array(number("keyTanOutY", "koy", 0, Kind::Float)),
        array(boolean("keyTanLocked", "ktl", true)),
        array(boolean("keyWeightLocked", "kwl", true)),
        array(boolean("keyBreakdown", "kbd", false)),
        array(boolean("keyTickDrawSpecial", "ktds", false)),
    };
    for (const AttrPtr& a : shape) type.add(a);
    shape.push_back(ktv);
    // Hidden output that caches the keys in the node's payload. It is dirtied by changes of keys, but not of time.
    const AttrPtr collected = type.add(hidden(output(boolean("keysCollected", "kcol"))));
    const AttrPtr outAttr = type.add(output(number("output", "o", 0, out)));
    type.affects(shape, {collected, outAttr});
    type.affects({input}, {outAttr});

    const bool timed = in == Kind::Time;
    type.compute = [=](const Plug& plug) {
        Node& node = *plug.node;
        if (plug.attr == collected) {
            node.payload = curveOf(node, timed);
            plug.put(1.0);
            return Result::Done;
        }
        if (plug.attr != outAttr) return Result::Unknown;
        node.plug(collected).evaluate();
        const double x = node.plug(input).number() / (timed ? kTicksPerSecond : 1);
        plug.put(evaluate(std::any_cast<const AnimCurve&>(node.payload), x));
        return Result::Done;
    };
    // A time-based curve uses time1 unless its input is connected, as in Maya.
    if (timed)
        type.created = [input](Node& node) {
            if (NodePtr time = node.graph->time1()) node.graph->connect(time->plug("outTime"), node.plug(input));
        };
}

}  // namespace

void addAnimTypes() {
    const struct {
        char letter;
        Kind kind;
    } outputs[] = {{'L', Kind::Distance}, {'A', Kind::Angle}, {'U', Kind::Double}, {'T', Kind::Time}};
    for (const auto& out : outputs) {
        addCurveType(std::string("animCurveT") + out.letter, Kind::Time, out.kind);
        addCurveType(std::string("animCurveU") + out.letter, Kind::Double, out.kind);
    }

    // output = input · factor, in internal units: its connections do not convert units.
    Type& unit = addType("unitConversion");
    const AttrPtr input = unit.add(number("input", "i"));
    const AttrPtr factor = unit.add(number("conversionFactor", "cf", 1));
    const AttrPtr out = unit.add(output(number("output", "o")));
    input->rawUnits = out->rawUnits = true;
    unit.affects({input, factor}, {out});
    unit.compute = [=](const Plug& plug) {
        if (plug.attr != out) return Result::Unknown;
        plug.put(plug.node->plug(input).number() * plug.node->plug(factor).number());
        return Result::Done;
    };
}

}  // namespace purl::host
