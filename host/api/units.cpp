#include <maya/MAngle.h>
#include <maya/MAnimControl.h>
#include <maya/MDGContext.h>
#include <maya/MDistance.h>
#include <maya/MTime.h>
#include <maya/MTimeRange.h>

#include <algorithm>
#include <cmath>

#include "host/api/access.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

// --- time

namespace {
struct TimeUnit {
    MTime::Unit unit;
    const char* name;  // as scene files spell it
    double perSecond;
};
}  // namespace

static const TimeUnit kTimeUnits[] = {
    {MTime::kHours, "hour", 1.0 / 3600},
    {MTime::kMinutes, "min", 1.0 / 60},
    {MTime::kSeconds, "sec", 1},
    {MTime::kMilliseconds, "millisec", 1000},
    {MTime::kGames, "game", 15},
    {MTime::kFilm, "film", 24},
    {MTime::kPALFrame, "pal", 25},
    {MTime::kNTSCFrame, "ntsc", 30},
    {MTime::kShowScan, "show", 48},
    {MTime::kPALField, "palf", 50},
    {MTime::kNTSCField, "ntscf", 60},
    {MTime::k2FPS, "2fps", 2},
    {MTime::k3FPS, "3fps", 3},
    {MTime::k4FPS, "4fps", 4},
    {MTime::k5FPS, "5fps", 5},
    {MTime::k6FPS, "6fps", 6},
    {MTime::k8FPS, "8fps", 8},
    {MTime::k10FPS, "10fps", 10},
    {MTime::k12FPS, "12fps", 12},
    {MTime::k16FPS, "16fps", 16},
    {MTime::k20FPS, "20fps", 20},
    {MTime::k40FPS, "40fps", 40},
    {MTime::k75FPS, "75fps", 75},
    {MTime::k80FPS, "80fps", 80},
    {MTime::k100FPS, "100fps", 100},
    {MTime::k120FPS, "120fps", 120},
    {MTime::k125FPS, "125fps", 125},
    {MTime::k150FPS, "150fps", 150},
    {MTime::k200FPS, "200fps", 200},
    {MTime::k240FPS, "240fps", 240},
    {MTime::k250FPS, "250fps", 250},
    {MTime::k300FPS, "300fps", 300},
    {MTime::k375FPS, "375fps", 375},
    {MTime::k400FPS, "400fps", 400},
    {MTime::k500FPS, "500fps", 500},
    {MTime::k600FPS, "600fps", 600},
    {MTime::k750FPS, "750fps", 750},
    {MTime::k1200FPS, "1200fps", 1200},
    {MTime::k1500FPS, "1500fps", 1500},
    {MTime::k2000FPS, "2000fps", 2000},
    {MTime::k3000FPS, "3000fps", 3000},
    {MTime::k6000FPS, "6000fps", 6000},
    {MTime::k23_976FPS, "23.976fps", 24000.0 / 1001},
    {MTime::k29_97FPS, "29.97fps", 30000.0 / 1001},
    {MTime::k29_97DF, "29.97df", 30000.0 / 1001},
    {MTime::k47_952FPS, "47.952fps", 48000.0 / 1001},
    {MTime::k59_94FPS, "59.94fps", 60000.0 / 1001},
    {MTime::k44100FPS, "44100fps", 44100},
    {MTime::k48000FPS, "48000fps", 48000},
    {MTime::k90FPS, "90fps", 90},
};

double ticksPer(MTime::Unit unit) {
    for (const TimeUnit& u : kTimeUnits)
        if (u.unit == unit) return kTicksPerSecond / u.perSecond;
    return kTicksPerSecond / 24;
}

MTime::Unit MTime::uiUnit() {
    if (const Graph* g = Graph::current())
        for (const TimeUnit& u : kTimeUnits)
            if (g->units.time == u.name) return u.unit;
    return kFilm;
}

MStatus MTime::setUIUnit(Unit unit) {
    Graph* g = needGraph("MTime::setUIUnit");
    if (!g) return MStatus::kFailure;
    for (const TimeUnit& u : kTimeUnits)
        if (u.unit == unit) {
            g->units.setTime(u.name);
            return MStatus::kSuccess;
        }
    return MStatus::kInvalidParameter;
}

MTime::MTime(double value, Unit unit) : value_(value), unit_(unit) {}
MTime::Unit MTime::unit() const { return unit_ == kInvalid ? uiUnit() : unit_; }
double MTime::as(Unit to) const {
    const Unit from = unit();
    return from == to ? value_ : value_ * ticksPer(from) / ticksPer(to);
}
MStatus MTime::setUnit(Unit u) {
    unit_ = u;
    return MStatus::kSuccess;
}
MStatus MTime::setValue(double v) {
    value_ = v;
    return MStatus::kSuccess;
}
MTime MTime::operator+(const MTime& o) const { return {value_ + o.as(unit()), unit()}; }
MTime MTime::operator-(const MTime& o) const { return {value_ - o.as(unit()), unit()}; }
MTime MTime::operator+(double v) const { return {value_ + v, unit()}; }
MTime MTime::operator-(double v) const { return {value_ - v, unit()}; }
MTime MTime::operator*(double s) const { return {value_ * s, unit()}; }
MTime MTime::operator/(double s) const { return {value_ / s, unit()}; }
MTime& MTime::operator++() { return *this = *this + 1.0; }
MTime& MTime::operator--() { return *this = *this - 1.0; }
// Times are equal if they round to the same tick.
bool MTime::operator==(const MTime& o) const { return ticksOf(*this) == ticksOf(o); }
bool MTime::operator<(const MTime& o) const { return ticksOf(*this) < ticksOf(o); }
std::ostream& operator<<(std::ostream& out, const MTime& t) { return out << t.value(); }

// --- lengths and angles

static double cmPer(MDistance::Unit u) {
    static const double cm[] = {1, 2.54, 30.48, 91.44, 160934.4, 0.1, 1, 100000, 100};
    return cm[u < MDistance::kLast ? u : 0];
}
static const char* const kLinearNames[] = {"cm", "in", "ft", "yd", "mi", "mm", "cm", "km", "m"};

double MDistance::as(Unit u) const { return u == unit_ ? value_ : value_ * cmPer(unit_) / cmPer(u); }
MStatus MDistance::setValue(double v) {
    value_ = v;
    return MStatus::kSuccess;
}
MStatus MDistance::setUnit(Unit u) {
    unit_ = u;
    return MStatus::kSuccess;
}
MDistance::Unit MDistance::uiUnit() {
    if (const Graph* g = Graph::current())
        for (int u = kInches; u < kLast; ++u)
            if (g->units.linear == kLinearNames[u]) return Unit(u);
    return kCentimeters;
}
MStatus MDistance::setUIUnit(Unit u) {
    Graph* g = needGraph("MDistance::setUIUnit");
    if (!g || u <= kInvalid || u >= kLast) return MStatus::kFailure;
    return attempt([&] { g->units.setLinear(kLinearNames[u]); });
}
double MDistance::internalToUI(double v) { return MDistance(v).as(uiUnit()); }
double MDistance::uiToInternal(double v) { return MDistance(v, uiUnit()).asCentimeters(); }
std::ostream& operator<<(std::ostream& out, const MDistance& d) { return out << d.value(); }

static double radiansPer(MAngle::Unit u) {
    const double degree = 0.017453292519943295;
    const double radians[] = {1, 1, degree, degree / 60, degree / 3600};
    return radians[u < MAngle::kLast ? u : 0];
}
static const char* const kAngularNames[] = {"rad", "rad", "deg", "min", "sec"};

double MAngle::as(Unit u) const { return u == unit_ ? value_ : value_ * radiansPer(unit_) / radiansPer(u); }
MStatus MAngle::setValue(double v) {
    value_ = v;
    return MStatus::kSuccess;
}
MStatus MAngle::setUnit(Unit u) {
    unit_ = u;
    return MStatus::kSuccess;
}
MAngle::Unit MAngle::uiUnit() {
    if (const Graph* g = Graph::current())
        for (int u = kRadians; u < kLast; ++u)
            if (g->units.angular == kAngularNames[u]) return Unit(u);
    return kDegrees;
}
MStatus MAngle::setUIUnit(Unit u) {
    Graph* g = needGraph("MAngle::setUIUnit");
    if (!g || u <= kInvalid || u >= kLast) return MStatus::kFailure;
    return attempt([&] { g->units.setAngular(kAngularNames[u]); });
}
double MAngle::internalToUI(double v) { return MAngle(v).as(uiUnit()); }
double MAngle::uiToInternal(double v) { return MAngle(v, uiUnit()).asRadians(); }
std::ostream& operator<<(std::ostream& out, const MAngle& a) { return out << a.value(); }

// --- the current time

static MStatus withGraph(const char* caller, const std::function<void(Graph&)>& edit) {
    Graph* g = needGraph(caller);
    if (!g) return MStatus::kFailure;
    edit(*g);
    return MStatus::kSuccess;
}
static MTime timeIn(const char* caller, const std::function<double(const Graph&)>& ticks) {
    const Graph* g = needGraph(caller);
    return g ? timeOf(ticks(*g)) : MTime();
}

bool MAnimControl::isPlaying() { return false; }
MTime MAnimControl::currentTime() {
    return timeIn("MAnimControl::currentTime", [](const Graph& g) { return g.ticks(); });
}
MStatus MAnimControl::setCurrentTime(const MTime& t) {
    return withGraph("MAnimControl::setCurrentTime", [&](Graph& g) { g.setTicks(ticksOf(t)); });
}
MTime MAnimControl::minTime() {
    return timeIn("MAnimControl::minTime", [](const Graph& g) { return g.minTicks; });
}
MTime MAnimControl::maxTime() {
    return timeIn("MAnimControl::maxTime", [](const Graph& g) { return g.maxTicks; });
}
MTime MAnimControl::animationStartTime() {
    return timeIn("MAnimControl::animationStartTime", [](const Graph& g) { return g.startTicks; });
}
MTime MAnimControl::animationEndTime() {
    return timeIn("MAnimControl::animationEndTime", [](const Graph& g) { return g.endTicks; });
}
MStatus MAnimControl::setMinTime(MTime t) {
    return withGraph("MAnimControl::setMinTime", [&](Graph& g) { g.minTicks = ticksOf(t); });
}
MStatus MAnimControl::setMaxTime(MTime t) {
    return withGraph("MAnimControl::setMaxTime", [&](Graph& g) { g.maxTicks = ticksOf(t); });
}
MStatus MAnimControl::setMinMaxTime(MTime a, MTime b) {
    const MStatus s = setMinTime(a);
    return s ? setMaxTime(b) : s;
}
MStatus MAnimControl::setAnimationStartTime(MTime t) {
    return withGraph("MAnimControl::setAnimationStartTime", [&](Graph& g) { g.startTicks = ticksOf(t); });
}
MStatus MAnimControl::setAnimationEndTime(MTime t) {
    return withGraph("MAnimControl::setAnimationEndTime", [&](Graph& g) { g.endTicks = ticksOf(t); });
}
MStatus MAnimControl::setAnimationStartEndTime(MTime a, MTime b) {
    const MStatus s = setAnimationStartTime(a);
    return s ? setAnimationEndTime(b) : s;
}

// --- MTimeRange

MTimeRange::MTimeRange(const MTime& min, const MTime& max) {
    if (min <= max) spans_.push_back({min, max});
}
bool MTimeRange::intersects(const MTime& min, const MTime& max) const {
    return std::any_of(spans_.begin(), spans_.end(), [&](const Bounds& b) { return b.min <= max && min <= b.max; });
}
MTimeRange MTimeRange::operator|(const MTimeRange& o) const {
    std::vector<Bounds> all = spans_;
    all.insert(all.end(), o.spans_.begin(), o.spans_.end());
    std::sort(all.begin(), all.end(), [](const Bounds& a, const Bounds& b) { return a.min < b.min; });
    MTimeRange joined;
    for (const Bounds& span : all) {
        if (joined.spans_.empty() || joined.spans_.back().max < span.min)
            joined.spans_.push_back(span);
        else if (joined.spans_.back().max < span.max)
            joined.spans_.back().max = span.max;
    }
    return joined;
}
MTimeRange::Bounds MTimeRange::bounds() const {
    return spans_.empty() ? Bounds() : Bounds{spans_.front().min, spans_.back().max};
}

}  // namespace Autodesk::Maya::OpenMayaHost

namespace purl::host {

double ticksOf(const MTime& t) { return std::round(t.value() * Autodesk::Maya::OpenMayaHost::ticksPer(t.unit())); }

MTime timeOf(double ticks) {
    const MTime::Unit unit = MTime::uiUnit();
    return MTime(ticks / Autodesk::Maya::OpenMayaHost::ticksPer(unit), unit);
}

}  // namespace purl::host
