// Time commands: currentTime, playbackOptions, keyframes and units.
#include <algorithm>
#include <cmath>

#include "host/commands/command.h"
#include "host/shapes/animCurve.h"

namespace purl::host {
namespace {

CommandResult currentTime(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (d.call.query || words.empty()) return d.graph.frame();
    const double ticks = numberOf(words[0], "time") * d.graph.units.ticksPerFrame;
    Graph* g = &d.graph;
    // Undoable, unlike Maya's default: it is cheap here, and useful for scripts.
    d.edits.make({[g, ticks] { g->setTicks(ticks); }, [g, before = g->ticks()] { g->setTicks(before); }});
    return d.graph.frame();
}

CommandResult playbackOptions(CommandContext& d) {
    const struct {
        const char* flag;
        double Graph::*ticks;
    } ranges[] = {{"minTime", &Graph::minTicks},
                  {"maxTime", &Graph::maxTicks},
                  {"animationStartTime", &Graph::startTicks},
                  {"animationEndTime", &Graph::endTicks}};
    Graph* g = &d.graph;
    CommandResult result;
    for (const auto& r : ranges) {
        if (!d.call.has(r.flag)) continue;
        if (d.call.query) return g->*r.ticks / g->units.ticksPerFrame;
        const double wanted = d.call.number(r.flag) * g->units.ticksPerFrame;
        const auto member = r.ticks;
        d.edits.make(
            {[g, member, wanted] { g->*member = wanted; }, [g, member, before = g->*member] { g->*member = before; }});
        result = d.call.number(r.flag);
    }
    // The playback range stays within the animation range.
    if (!d.call.query) {
        const double start = std::min(g->startTicks, g->minTicks), end = std::max(g->endTicks, g->maxTicks);
        d.edits.make({[g, start, end] { g->startTicks = start, g->endTicks = end; },
                      [g, s = g->startTicks, e = g->endTicks] { g->startTicks = s, g->endTicks = e; }});
    }
    // Settings of interactive playback: without effect here, stored so that scripts can query them.
    const struct {
        const char *flag, *otherwise;
        std::vector<std::string> choices;  // empty: the value is a number
    } windows[] = {{"loop", "continuous", {"once", "continuous", "oscillate"}},
                   {"view", "active", {"all", "active"}},
                   {"by", "1", {}},
                   {"playbackSpeed", "0", {}},
                   {"maxPlaybackSpeed", "0", {}}};
    for (const auto& w : windows) {
        if (!d.call.has(w.flag)) continue;
        const std::string name = w.flag;
        const auto shown = [&](const std::string& value) {
            return w.choices.empty() ? CommandResult(numberOf(value, name)) : CommandResult(value);
        };
        const auto found = g->playback.find(name);
        const std::string before = found == g->playback.end() ? w.otherwise : found->second;
        if (d.call.query) return shown(before);
        const std::string wanted = d.call.text(name);
        if (!w.choices.empty() && std::count(w.choices.begin(), w.choices.end(), wanted) == 0)
            throw Error("-" + name + ": invalid value " + wanted);
        d.edits.make(
            {[g, name, wanted] { g->playback[name] = wanted; }, [g, name, before] { g->playback[name] = before; }});
        result = shown(wanted);
    }
    if (d.call.query) throw Error("expected a flag that says what to query");
    return result;
}

// --- keys

Tangent tangentNamed(const std::string& name) {
    const std::pair<const char*, Tangent> kNames[] = {
        {"spline", Tangent::spline},     {"linear", Tangent::linear},        {"flat", Tangent::flat},
        {"step", Tangent::step},         {"stepnext", Tangent::stepNext},    {"clamped", Tangent::clamped},
        {"plateau", Tangent::plateau},   {"auto", Tangent::automatic},       {"fast", Tangent::fast},
        {"slow", Tangent::slow},         {"fixed", Tangent::fixed},          {"automix", Tangent::autoMix},
        {"autoease", Tangent::autoEase}, {"autocustom", Tangent::autoCustom}};
    for (const auto& [text, tangent] : kNames)
        if (name == text) return tangent;
    throw Error("unknown tangent type " + name + "; use spline, linear, flat, step, plateau or auto");
}

NodePtr curveFor(CommandContext& d, const Plug& plug) {
    if (const Plug source = plug.source()) {
        if (source.node->type->name.rfind("animCurveT", 0) == 0) return source.node;
        throw Error(plug.name() + " is driven by " + source.name() + "; disconnect it first");
    }
    const char* letter = plug.attr->kind == Kind::Distance ? "L"
                         : plug.attr->kind == Kind::Angle  ? "A"
                         : plug.attr->kind == Kind::Time   ? "T"
                                                           : "U";
    std::string attribute = plug.path();
    std::replace_if(
        attribute.begin(), attribute.end(), [](char c) { return c == '.' || c == '[' || c == ']'; }, '_');
    const size_t last = plug.attr->parent ? plug.attr->name.size() : attribute.size();
    const NodePtr curve = createdNode(d, std::string("animCurveT") + letter,
                                      plug.node->name + "_" + attribute.substr(attribute.size() - last));
    const Plug weighted = curve->plug("weightedTangents");
    d.edits.make(setting(weighted, [weighted] { weighted.set(0.0); }));
    const Plug tangent = curve->plug("tangentType");
    d.edits.make(setting(tangent, [tangent] { tangent.set(double(Tangent::automatic)); }));
    d.edits.make(connecting(curve->plug("output"), plug));
    return curve;
}

void setKey(CommandContext& d, const Plug& plug, double frame, double value) {
    const NodePtr curve = curveFor(d, plug);
    const Plug keys = curve->plug("keyTimeValue");
    const double ticks = frame * d.graph.units.ticksPerFrame;
    int at = -1, next = 0;
    for (const int i : keys.elements()) {
        if (std::abs(keys.element(i).child(0).number() - ticks) < 1) at = i;
        next = std::max(next, i + 1);
    }
    const Plug key = keys.element(at < 0 ? next : at);
    d.edits.make(setting(key, [key, ticks, value] {
        key.child(0).set(ticks);
        key.child(1).set(value);
    }));
    for (const auto& [flag, attribute] :
         {std::pair<const char*, const char*>{"inTangentType", "keyTanInType"}, {"outTangentType", "keyTanOutType"}}) {
        if (!d.call.has(flag)) continue;
        const Plug tangent = curve->plug(attribute).element(key.indices.back());
        const double type = double(tangentNamed(d.call.text(flag)));
        d.edits.make(setting(tangent, [tangent, type] { tangent.set(type); }));
    }
}

void keyableLeaves(const Plug& plug, std::vector<Plug>& out) {
    if (plug.isArray()) return;
    if (plug.isCompound()) {
        for (int k = 0; k < plug.childCount(); ++k) keyableLeaves(plug.child(k), out);
    } else if (isScalar(plug.attr->kind)) {
        out.push_back(plug);
    }
}

std::vector<Plug> keyedPlugs(const CommandContext& d) {
    std::vector<Plug> plugs;
    const auto attributes = d.call.values("attribute");
    for (const std::string& word : targetWords(d)) {
        const size_t dot = word.find('.');
        const NodePtr node = d.graph.get(word.substr(0, dot));
        if (dot != std::string::npos) {
            keyableLeaves(node->plug(word.substr(dot + 1)), plugs);
        } else if (!attributes.empty()) {
            for (const auto& a : attributes) keyableLeaves(node->plug(a[0]), plugs);
        } else {
            for (const AttrPtr& a : node->attributes())
                if (a->keyable && !a->array) keyableLeaves(node->plug(a), plugs);
        }
    }
    if (plugs.empty()) throw Error("no keyable attribute is specified or selected");
    return plugs;
}

CommandResult setKeyframe(CommandContext& d) {
    std::vector<double> frames;
    for (const auto& t : d.call.values("time")) frames.push_back(numberOf(t[0], "time"));
    if (frames.empty()) frames.push_back(d.graph.frame());
    int count = 0;
    for (const Plug& plug : keyedPlugs(d))
        for (const double frame : frames) {
            const double value = d.call.has("value") ? plug.fromScene(d.call.number("value")) : plug.number();
            setKey(d, plug, frame, value);
            ++count;
        }
    return count;
}

// keyframe -query: times, values and count of keys.
CommandResult keyframe(CommandContext& d) {
    if (!d.call.query) throw Error("only -query is supported; use setKeyframe to set keys");
    std::vector<double> times, values;
    for (const Plug& plug : keyedPlugs(d)) {
        const Plug source = plug.source();
        if (!source || source.node->type->name.rfind("animCurveT", 0) != 0) continue;
        const Plug keys = source.node->plug("keyTimeValue");
        for (const int i : keys.elements()) {
            times.push_back(keys.element(i).child(0).toScene(keys.element(i).child(0).number()));
            values.push_back(plug.toScene(keys.element(i).child(1).number()));
        }
    }
    if (d.call.on("keyframeCount")) return int(times.size());
    const std::vector<double>& asked = d.call.on("valueChange") ? values : times;
    return asked.empty() ? CommandResult() : CommandResult(asked);
}

CommandResult currentUnit(CommandContext& d) {
    const Units& units = d.graph.units;
    if (d.call.query) {
        if (d.call.has("linear")) return units.linear;
        if (d.call.has("angle")) return units.angular;
        if (d.call.has("time")) return units.time;
        throw Error("expected a flag that says what to query");
    }
    Graph* g = &d.graph;
    const Units before = units;
    Units after = units;
    if (d.call.has("linear")) after.setLinear(d.call.text("linear"));
    if (d.call.has("angle")) after.setAngular(d.call.text("angle"));
    if (d.call.has("time")) after.setTime(d.call.text("time"));
    // The current time and the ranges keep their frame numbers; keys keep their times in seconds.
    const double ratio = after.ticksPerFrame / before.ticksPerFrame;
    const auto change = [g](const Units& to, double by) {
        g->units = to;
        for (double Graph::*t : {&Graph::minTicks, &Graph::maxTicks, &Graph::startTicks, &Graph::endTicks}) g->*t *= by;
        g->setTicks(g->ticks() * by);
    };
    d.edits.make(
        {[change, after, ratio] { change(after, ratio); }, [change, before, ratio] { change(before, 1 / ratio); }});
    return d.call.has("linear") ? after.linear : d.call.has("angle") ? after.angular : after.time;
}

}  // namespace

std::vector<Command> timeCommands() {
    return {
        {"currentTime", "Sets or returns the current frame.", {"update u bool"}, currentTime},
        {"playbackOptions",
         "Sets or returns the playback range.",
         {"minTime min double", "maxTime max double", "animationStartTime ast double", "animationEndTime aet double",
          "loop l string", "by by double", "playbackSpeed ps double", "maxPlaybackSpeed mps double", "view v string"},
         playbackOptions},
        {"setKeyframe",
         "Keys attributes at the current or a given time.",
         {"time t double ...", "value v double", "attribute at string ...", "inTangentType itt string",
          "outTangentType ott string", "breakdown bd bool !", "hierarchy hi string !", "controlPoints cp !",
          "shape s !"},
         setKeyframe},
        {"keyframe",
         "Lists the keys of attributes.",
         {"attribute at string ...", "timeChange tc", "valueChange vc", "keyframeCount kc"},
         keyframe},
        {"currentUnit",
         "Sets or returns the units of the scene.",
         {"linear l string", "angle a string", "time t string", "updateAnimation ua bool"},
         currentUnit},
    };
}

}  // namespace purl::host
