#include "solver/cloth/fabric.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "solver/cloth/immersion.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

float at(const std::vector<float>& map, int i, float otherwise) {
    return map.empty() ? otherwise : map[static_cast<size_t>(i)];
}

template <class T>
void put(Buffer<T>& buffer, const std::vector<T>& values) {
    buffer.renew(static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
}

// In coarse steps, so that springs are not made anew for every drop that comes.
std::vector<float> softnessOf(const WetParams& params, Span<const float> saturation) {
    constexpr float kSteps = 16;
    std::vector<float> softness;
    if (params.absorption == Absorption::none || params.wetStiffness == 1) return softness;
    bool wet = false;
    for (const float s : saturation) {
        const float step = std::round(kSteps * s) / kSteps;
        wet = wet || step > 0;
        softness.push_back(1 + (params.wetStiffness - 1) * step);
    }
    if (!wet) softness.clear();
    return softness;
}

bool vanishes(const std::vector<float>& softness) {
    return std::any_of(softness.begin(), softness.end(), [](float soft) { return !(soft > 0); });
}

// N/m, of an element on fabric that is painted and wet, from what it has where it is neither.
struct Stiffness {
    Span<const float> firmness;  // of each point

    PURL_HD float operator()(float dry, int a, int b) const { return dry * 0.5f * (firmness[a] + firmness[b]); }
};

struct RestiffenSprings {
    Stiffness stiffness;
    Span<const float> dry;
    Span<Spring> springs;
    PURL_HD void operator()(int e) const { springs[e].stiffness = stiffness(dry[e], springs[e].a, springs[e].b); }
};
struct RestiffenBends {
    Stiffness stiffness;
    Span<const float> dry;
    Span<Bend> bends;
    PURL_HD void operator()(int e) const { bends[e].stiffness = stiffness(dry[e], bends[e].v[0], bends[e].v[1]); }
};

// Elements, and their stiffness where they are neither painted nor wet.
template <class Element>
struct Made {
    std::vector<Element> elements;
    std::vector<float> dry;  // N/m

    void add(const Element& element, float stiffness) {
        elements.push_back(element);
        dry.push_back(stiffness);
    }
    void add(const Made& other, const std::vector<int>& order) {
        for (const int e : order) add(other.elements[static_cast<size_t>(e)], other.dry[static_cast<size_t>(e)]);
    }
};

ElementPoints pointsOf(const Spring& spring) { return {spring.a, spring.b, spring.b, spring.b}; }
ElementPoints pointsOf(const Bend& bend) { return {bend.v[0], bend.v[1], bend.v[2], bend.v[3]}; }

// Where elements lie in a fabric that is cut into strips, and in which colours.
class StripColoring {
  public:
    StripColoring(const Strips& strips, const std::vector<int>& places, int ofLayer)
        : strips_(strips), places_(places), ofLayer_(ofLayer), cutAt_(places.size(), -1) {}

    // Which cut an element crosses, or −1.
    template <class Element>
    int cut(const Element& element) const {
        int first = strips_.count, last = -1;
        for (const int v : pointsOf(element)) {
            first = std::min(first, strips_.of[static_cast<size_t>(v)]);
            last = std::max(last, strips_.of[static_cast<size_t>(v)]);
        }
        return first < last ? first : -1;
    }
    // Its points are now such that what crosses a cut moves them.
    template <class Element>
    void markCrossing(const Made<Element>& group) {
        for (const Element& element : group.elements)
            if (const int at = cut(element); at >= 0)
                for (const int v : pointsOf(element)) cutAt_[static_cast<size_t>(v)] = at;
    }
    // The cut at one of an element's points, or −1.
    template <class Element>
    int cutNear(const Element& element) const {
        int near = -1;
        for (const int v : pointsOf(element)) near = std::max(near, cutAt_[static_cast<size_t>(v)]);
        return near;
    }
    // Behind those there are, in the order of colours of their own: what lies within strips, or what crosses cuts.
    // `afterAll`: what is near a cut is solved after what crosses it.
    template <class Element>
    void add(const Made<Element>& group, bool crossing, bool afterAll, Colors& colors, Made<Element>& all) const {
        std::vector<ElementPoints> points;
        std::vector<int> strip;
        Made<Element> own;
        for (size_t e = 0; e < group.elements.size(); ++e) {
            const Element& element = group.elements[e];
            const int at = afterAll ? cutNear(element) : cut(element);
            if ((at >= 0) != crossing) continue;
            points.push_back(pointsOf(element));
            strip.push_back(crossing ? at : strips_.of[static_cast<size_t>(points.back()[0])]);
            own.add(element, group.dry[e]);
        }
        const Colored order = colored(points, strip, strips_.count, places_, ofLayer_);
        colors.append(order.colors);
        all.add(own, order.order);
    }

  private:
    const Strips& strips_;
    const std::vector<int>& places_;
    int ofLayer_;
    std::vector<int> cutAt_;  // of each point that something crossing a cut moves: which; −1 otherwise
};

}  // namespace

Fabric::Fabric(const Device& device)
    : springs(device),
      bends(device),
      inverseMass(device),
      mass(device),
      area(device),
      pin(device),
      coreLength(device),
      starts(device),
      parts(device),
      fanStarts(device),
      fans(device),
      drySprings_(device),
      dryBends_(device),
      firmness_(device) {}

void Fabric::set(const Cloth& cloth, Span<const Vec3> rest, Span<const float> saturation) {
    springs.device().synchronize();
    const bool newMesh = cloth_.points.size() != cloth.points.size() || cloth_.faces != cloth.faces ||
                         !std::equal(rest.begin(), rest.end(), cloth_.points.begin()) ||
                         cloth_.layers.count != cloth.layers.count || cloth_.layers.seams != cloth.layers.seams;
    std::vector<float> softness = softnessOf(cloth.pores.params, saturation);
    const bool newSoftness = softness_ != softness;
    // What has no stiffness has no spring: fabric that gets so soft gets others.
    const bool newMaterial = newMesh || !sameParams(cloth_.params, cloth.params) ||
                             cloth_.stiffnessMap != cloth.stiffnessMap || !(cloth_.layers == cloth.layers) ||
                             (newSoftness && (vanishes(softness_) || vanishes(softness)));
    softness_ = std::move(softness);
    cloth_ = cloth;
    cloth_.points.assign(rest.begin(), rest.end());
    if (newMesh) {
        try {
            topology_ = topologyOf(cloth.faces, rest.data, rest.count);
            if (cloth.layers.count > 1) joinLayers(topology_, rest.data, cloth.layers.count);
            sew(topology_, rest.data, cloth.layers.seams);
        } catch (const Error& error) {
            cloth_.points.clear();
            throw Error(cloth.name + ": " + error.what());
        }
        ++meshVersion_;
        triangles = triangulate(cloth.faces);
        setFans();
        double sum = 0;
        int edges = 0;
        for (const Link& link : topology_.links)
            if (link.family == SpringFamily::structural) {
                sum += double(link.rest);
                ++edges;
            }
        meanEdge_ = static_cast<float>(sum / edges);
        std::vector<bool> joined(cloth_.points.size());
        for (const Link& link : topology_.links)
            if (link.family == SpringFamily::structural && std::abs(link.a - link.b) == 1)
                joined[static_cast<size_t>(std::min(link.a, link.b))] = true;
        places_ = rowPlaces(joined);
        std::vector<ElementPoints> elements;
        for (const Link& link : topology_.links) elements.push_back({link.a, link.b, link.b, link.b});
        for (const Fold& fold : topology_.folds) elements.push_back({fold.v[0], fold.v[1], fold.v[2], fold.v[3]});
        strips_ = stripsOf(elements, joined, static_cast<int>(cloth_.points.size()) / cloth.layers.count);
    }
    setMasses();
    setCore();
    if (newMaterial) {
        ++version_;
        setElements();
        setParts();
    } else if (newSoftness) {
        ++stiffnessVersion_;
        restiffen();
    }
}

void Fabric::setMasses() {
    const auto count = static_cast<int>(cloth_.points.size());
    leastMass_ = 0;
    inverseMass.renew(count);
    mass.renew(count);
    area.renew(count);
    pin.renew(count);
    for (int i = 0; i < count; ++i) {
        area[i] = topology_.areas[static_cast<size_t>(i)];
        pin[i] = at(cloth_.pins, i, 0);
        mass[i] = ofLayer() * heavierBy(cloth_.params) * cloth_.params.density * area[i] * at(cloth_.massMap, i, 1);
        const bool isFree = mass[i] > 0 && pin[i] < 1;
        if (isFree && !(leastMass_ > 0 && leastMass_ < mass[i])) leastMass_ = mass[i];
    }
    carry({});
}

void Fabric::setCore() {
    coreLength.renew(cloth_.params.coreStiffness > 0 ? count() : 0);
    Vec3 moment;
    float all = 0;
    for (int i = 0; i < coreLength.size(); ++i) {
        moment += mass[i] * rest(i);
        all += mass[i];
    }
    for (int i = 0; i < coreLength.size(); ++i) coreLength[i] = all > 0 ? length(rest(i) - moment / all) : 0;
}

void Fabric::carry(Span<const float> burden) {
    constexpr int kAtATime = 512;
    forEachChunk(Device::cpu(inverseMass.device().threads()), "carry", count(), kAtATime, [&](int begin, int end) {
        for (int i = begin; i < end; ++i)
            inverseMass[i] = mass[i] > 0 && pin[i] < 1 ? 1 / (mass[i] + (burden.count ? burden[i] : 0)) : 0;
    });
}

void Fabric::setElements() {
    const ClothParams& params = cloth_.params;
    setFirmness();
    const Stiffness stiffnessOf{std::as_const(firmness_).span()};
    // Of thick fabrics the softest come first and what keeps the thickness last: solvers that go through springs one by
    // one leave the last ones as they should be.
    constexpr SpringFamily kOrder[] = {SpringFamily::slant, SpringFamily::bend, SpringFamily::shear,
                                       SpringFamily::structural, SpringFamily::strut};
    std::vector<Made<Spring>> groups(layers() > 1 ? std::size(kOrder) : 1);
    const auto groupOf = [&](SpringFamily family) -> Made<Spring>& {
        const auto place = std::find(std::begin(kOrder), std::end(kOrder), family) - std::begin(kOrder);
        return groups[layers() > 1 ? static_cast<size_t>(place) : 0];
    };
    const auto modulusOf = [&](SpringFamily family) {
        switch (family) {
            case SpringFamily::structural: return ofLayer() * params.stretchStiffness;
            case SpringFamily::shear: return ofLayer() * params.shearStiffness;
            case SpringFamily::bend: return ofLayer() * params.bendSpring;
            case SpringFamily::strut: return cloth_.layers.compressStiffness;
            default: return cloth_.layers.slideStiffness;
        }
    };
    for (const Link& link : topology_.links) {
        const float dry = modulusOf(link.family) * link.share, stiffness = stiffnessOf(dry, link.a, link.b);
        if (!(stiffness > 0)) continue;
        const bool turned = places_[static_cast<size_t>(link.a)] > places_[static_cast<size_t>(link.b)];
        groupOf(link.family)
            .add({turned ? link.b : link.a, turned ? link.a : link.b, link.rest, stiffness, params.damping}, dry);
    }
    Made<Bend> folds;
    for (const Fold& fold : topology_.folds) {
        const float dry = ofLayer() * params.bendStiffness * fold.share,
                    stiffness = stiffnessOf(dry, fold.v[0], fold.v[1]);
        if (!(stiffness > 0)) continue;
        Bend bend{};
        std::copy(fold.v, fold.v + 4, bend.v);
        std::copy(fold.c, fold.c + 4, bend.c);
        bend.rest = fold.rest;
        bend.stiffness = stiffness;
        bend.lag = params.bendDamping;
        folds.add(bend, dry);
    }
    StripColoring coloring(strips_, places_, static_cast<int>(cloth_.points.size()) / layers());
    for (const Made<Spring>& group : groups) coloring.markCrossing(group);
    coloring.markCrossing(folds);
    Made<Spring> allSprings;
    Made<Bend> allBends;
    springColors = bendColors = {};
    springColors.strips = bendColors.strips = strips_.count;
    for (const bool crossing : {false, true}) {
        coloring.add(folds, crossing, false, bendColors, allBends);
        // Struts come last near the cuts too.
        for (const Made<Spring>& group : groups)
            coloring.add(group, crossing, layers() > 1 && &group == &groups.back(), springColors, allSprings);
        if (crossing) break;
        bendColors.within = bendColors.count();
        springColors.within = springColors.count();
    }
    put(springs, allSprings.elements);
    put(drySprings_, allSprings.dry);
    put(bends, allBends.elements);
    put(dryBends_, allBends.dry);
    springLag_ = params.damping;
    bendLag_ = params.bendDamping;
}

// How stiff each point's fabric is, of what its parameters say.
void Fabric::setFirmness() {
    firmness_.renew(static_cast<int>(cloth_.points.size()));
    for (int i = 0; i < firmness_.size(); ++i) firmness_[i] = at(cloth_.stiffnessMap, i, 1) * at(softness_, i, 1);
}

// The same springs and folds, wetter or drier.
void Fabric::restiffen() {
    const Device& device = springs.device();
    setFirmness();
    const Stiffness stiffness{std::as_const(firmness_).span()};
    forEach(device, "restiffenSprings", springs.size(),
            RestiffenSprings{stiffness, std::as_const(drySprings_).span(), springs.span()});
    forEach(device, "restiffenBends", bends.size(),
            RestiffenBends{stiffness, std::as_const(dryBends_).span(), bends.span()});
    device.synchronize();
}

bool Fabric::liesInRows() const { return 2 * (springColors.inRuns() + bendColors.inRuns()) >= elementCount(); }

void Fabric::setLags(float ofSprings, float ofBends) {
    if (ofSprings == springLag_ && ofBends == bendLag_) return;
    springs.device().synchronize();
    springLag_ = ofSprings;
    bendLag_ = ofBends;
    for (Spring& spring : springs) spring.lag = ofSprings;
    for (Bend& bend : bends) bend.lag = ofBends;
}

void Fabric::setParts() {
    std::vector<std::vector<Part>> around(cloth_.points.size());
    const auto add = [&](int v, Part part) {
        if (part.weight != 0) around[static_cast<size_t>(v)].push_back(part);
    };
    for (int s = 0; s < springs.size(); ++s) {
        add(springs[s].a, {s, 1});
        add(springs[s].b, {s, -1});
    }
    for (int b = 0; b < bends.size(); ++b)
        for (int k = 0; k < 4; ++k) add(bends[b].v[k], {springs.size() + b, bends[b].c[k]});
    std::vector<int> first{0};
    std::vector<Part> all;
    for (const auto& list : around) {
        all.insert(all.end(), list.begin(), list.end());
        first.push_back(static_cast<int>(all.size()));
    }
    put(starts, first);
    put(parts, all);
}

void Fabric::setFans() {
    std::vector<std::vector<int>> around(cloth_.points.size());
    for (size_t t = 0; t + 2 < triangles.size(); t += 3)
        for (size_t k = 0; k < 3; ++k) {
            auto& fan = around[static_cast<size_t>(triangles[t + k])];
            fan.push_back(triangles[t + (k + 1) % 3]);
            fan.push_back(triangles[t + (k + 2) % 3]);
        }
    std::vector<int> first{0}, all;
    for (const auto& fan : around) {
        all.insert(all.end(), fan.begin(), fan.end());
        first.push_back(static_cast<int>(all.size()));
    }
    put(fanStarts, first);
    put(fans, all);
}

// No eigenvalue of M⁻¹K exceeds the largest sum of a row, κ, nor one of the damping's M⁻¹D its own, δ (Gershgorin), and
// velocity Verlet is stable while ¼ κ Δt² + ½ δ Δt ≤ 1.
double Fabric::stepLimit() const {
    double stiff = 0, damped = 0;
    for (int i = 0; i < count(); ++i) {
        double stiffRow = 0, dampedRow = 0;
        for (int p = starts[i]; p < starts[i + 1]; ++p) {
            const auto [element, weight] = parts[p];
            double weights = 2, stiffness = 0, lag = 0;
            if (element < springs.size()) {
                stiffness = springs[element].stiffness;
                lag = springs[element].lag;
            } else {
                const Bend& bend = bends[element - springs.size()];
                weights = 0;
                for (const float c : bend.c) weights += std::fabs(c);
                stiffness = bend.stiffness;
                lag = bend.lag;
            }
            const double entries = stiffness * std::fabs(double(weight)) * weights * inverseMass[i];
            stiffRow += entries;
            dampedRow += lag * entries;
        }
        stiff = std::max(stiff, stiffRow);
        damped = std::max(damped, dampedRow);
    }
    if (!(stiff > 0)) return kUnbounded;
    return (std::sqrt(damped * damped + 4 * stiff) - damped) / stiff;
}

}  // namespace purl
