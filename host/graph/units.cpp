// The names of units in scene files, and their sizes.
#include "host/graph/graph.h"

namespace purl::host {

void Units::setLinear(const std::string& wanted) {
    static const struct {
        const char *shortName, *longName;
        double cm;
    } table[] = {{"mm", "millimeter", 0.1}, {"cm", "centimeter", 1}, {"m", "meter", 100},   {"km", "kilometer", 100000},
                 {"in", "inch", 2.54},      {"ft", "foot", 30.48},   {"yd", "yard", 91.44}, {"mi", "mile", 160934.4}};
    for (const auto& u : table)
        if (wanted == u.shortName || wanted == u.longName) {
            linear = u.shortName;
            cmPerUnit = u.cm;
            return;
        }
    throw Error("unknown length unit " + wanted);
}

void Units::setAngular(const std::string& wanted) {
    static const struct {
        const char *shortName, *longName;
        double degrees;
    } table[] = {{"deg", "degree", 1},
                 {"rad", "radian", 57.295779513082323},
                 {"min", "minute", 1.0 / 60},
                 {"sec", "second", 1.0 / 3600}};
    for (const auto& u : table)
        if (wanted == u.shortName || wanted == u.longName) {
            angular = u.shortName;
            radiansPerUnit = angular == "rad" ? 1.0 : u.degrees * 0.017453292519943295;
            return;
        }
    throw Error("unknown angle unit " + wanted);
}

void Units::setTime(const std::string& wanted) {
    static const struct {
        const char* name;
        double perSecond;
    } table[] = {{"game", 15},
                 {"film", 24},
                 {"pal", 25},
                 {"ntsc", 30},
                 {"show", 48},
                 {"palf", 50},
                 {"ntscf", 60},
                 {"hour", 1.0 / 3600},
                 {"min", 1.0 / 60},
                 {"sec", 1},
                 {"second", 1},
                 {"millisec", 1000},
                 {"23.976fps", 24000.0 / 1001},
                 {"29.97fps", 30000.0 / 1001},
                 {"29.97df", 30000.0 / 1001},
                 {"47.952fps", 48000.0 / 1001},
                 {"59.94fps", 60000.0 / 1001}};
    double perSecond = 0;
    for (const auto& u : table)
        if (wanted == u.name) perSecond = u.perSecond;
    const size_t fps = wanted.find("fps");
    if (perSecond == 0 && fps != std::string::npos && fps + 3 == wanted.size())
        parseNumber(wanted.substr(0, fps), perSecond);
    if (!(perSecond > 0)) throw Error("unknown time unit " + wanted);
    // From one hour per frame, Maya's longest unit, to about 141 ticks per frame.
    constexpr double kMinRate = 1.0 / 3600, kMaxRate = 1e6;
    if (perSecond < kMinRate || perSecond > kMaxRate)
        throw Error("time unit " + wanted + " is out of range: 1/3600 to 1000000 frames per second");
    time = wanted;
    ticksPerFrame = kTicksPerSecond / perSecond;
}

}  // namespace purl::host
