#include "render/yarnPath.h"

#include <algorithm>
#include <cmath>

#include "solver/core/buffer.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// Two or more consecutive finite points of a yarn.
struct Run {
    int first, count;
    int yarn;
};

std::vector<Run> runsOf(const Curves& curves) {
    std::vector<Run> runs;
    int first = 0;
    for (int yarn = 0; yarn < static_cast<int>(curves.counts.size()); ++yarn) {
        const int end = first + curves.counts[yarn];
        for (int i = first; i < end;) {
            int stop = i;
            while (stop < end && isFinite(curves.positions[stop])) ++stop;
            if (stop - i > 1) runs.push_back({i, stop - i, yarn});
            i = stop + 1;
        }
        first = end;
    }
    return runs;
}

// Curve parameter: t in [0, 1] between point `span` of a run and the next.
struct CurveParameter {
    int run, span;
    float t;
};

struct Path {
    const Curves& curves;
    const std::vector<Run>& runs;
    YarnShape shape;

    CurveSpan span(const Run& run, int i) const { return CurveSpan(curves.positions.data() + run.first, run.count, i); }
    Vec3 at(const Run& run, int i, float t) const {
        const CurveSpan own = span(run, i);
        return shape == YarnShape::straight ? lerp(own.b, own.c, t) : own.at(t);
    }
    Vec3 along(const Run& run, int i, float t) const {
        const CurveSpan own = span(run, i);
        const Vec3 straight = normalized(own.c - own.b);
        return shape == YarnShape::straight ? straight : normalized(own.tangent(t), straight);
    }
};

constexpr int kChordsPerSpan = 24;  // chords per span for its arc length; steps are then even to one or two percent

struct ChordLengths {
    Path path;
    const Run& run;
    float* lengths;

    void operator()(int span) const {
        Vec3 previous = path.at(run, span, 0);
        for (int k = 0; k < kChordsPerSpan; ++k) {
            const Vec3 next = path.at(run, span, float(k + 1) / kChordsPerSpan);
            lengths[span * kChordsPerSpan + k] = length(next - previous);
            previous = next;
        }
    }
};

// Evaluates all channels except the frame.
struct EvaluateSample {
    Path path;
    const CurveParameter* parameters;
    YarnSample* samples;

    template <class T>
    T value(const Channel<T>& values, int point, float t, T fallback) const {
        if (values.size() != path.curves.count()) return fallback;
        return lerp(values[point], values[size_t(point) + 1], t);
    }
    void operator()(int i) const {
        const CurveParameter parameter = parameters[i];
        const Run& run = path.runs[parameter.run];
        const Curves& curves = path.curves;
        const int point = run.first + parameter.span;
        YarnSample& sample = samples[i];
        sample.x = path.at(run, parameter.span, parameter.t);
        sample.along = path.along(run, parameter.span, parameter.t);
        const Vec3 dry = size_t(run.yarn) < curves.colors.size() ? curves.colors[run.yarn] : Vec3{};
        sample.color = value(curves.pointColors, point, parameter.t, dry);
        sample.radius = value(curves.widths, point, parameter.t, 0.0f) / 2;
        sample.twist = value(curves.twists, point, parameter.t, 0.0f);
        sample.velocity = value(curves.velocities, point, parameter.t, Vec3{});
        sample.wetness = value(curves.wetting.wetness, point, parameter.t, 0.0f);
        sample.run = parameter.run;
    }
};

std::vector<YarnSample> evaluateSamples(const Path& path, const std::vector<CurveParameter>& parameters) {
    std::vector<YarnSample> samples(parameters.size());
    forEach(Device::cpu(), "points of yarns", static_cast<int>(parameters.size()),
            EvaluateSample{path, parameters.data(), samples.data()}, 1024);
    // Serial: each frame is the previous one, parallel transported.
    Vec3 side{1, 0, 0};
    for (size_t i = 0; i < samples.size(); ++i) {
        if (i > 0 && samples[i].run != samples[i - 1].run) side = {1, 0, 0};
        const Vec3 along = samples[i].along;
        const Vec3 across = side - dot(side, along) * along;
        const Vec3 other = std::abs(along.x) < 0.7f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        side = lengthSquared(across) > 1e-12f ? normalized(across) : normalized(cross(along, other));
        samples[i].side = side;
    }
    return samples;
}

}  // namespace

std::vector<YarnSample> sampleYarns(const Curves& curves, float gap, YarnShape shape) {
    const std::vector<Run> runs = runsOf(curves);
    const Path path{curves, runs, shape};
    std::vector<CurveParameter> parameters;
    std::vector<float> lengths;
    for (int r = 0; r < static_cast<int>(runs.size()); ++r) {
        const Run& run = runs[r];
        const int chords = (run.count - 1) * kChordsPerSpan;
        lengths.resize(size_t(chords));
        forEach(Device::cpu(), "lengths of yarns", run.count - 1, ChordLengths{path, run, lengths.data()}, 64);
        double total = 0;  // double: a garment's yarn has about 100,000 steps
        for (const float own : lengths) total += own;
        if (!(total > 0)) continue;
        const int gaps = std::max(1, static_cast<int>(std::lround(total / gap)));
        int chord = 0;
        double travelled = 0;
        for (int k = 0; k <= gaps; ++k) {
            const double target = total * k / gaps;
            while (chord + 1 < chords && travelled + lengths[chord] < target) travelled += lengths[chord++];
            const float own = lengths[chord];
            const float within = own > 0 ? std::clamp(static_cast<float>((target - travelled) / own), 0.0f, 1.0f) : 0;
            parameters.push_back(
                {r, chord / kChordsPerSpan, (float(chord % kChordsPerSpan) + within) / kChordsPerSpan});
        }
    }
    return evaluateSamples(path, parameters);
}

std::vector<YarnSample> sampleSpans(const Curves& curves, int perSpan) {
    const std::vector<Run> runs = runsOf(curves);
    std::vector<CurveParameter> parameters;
    for (int r = 0; r < static_cast<int>(runs.size()); ++r) {
        for (int span = 0; span + 1 < runs[r].count; ++span)
            for (int k = span > 0 ? 1 : 0; k <= perSpan; ++k)
                parameters.push_back({r, span, float(k) / float(perSpan)});
    }
    return evaluateSamples({curves, runs, YarnShape::spline}, parameters);
}

}  // namespace purl
