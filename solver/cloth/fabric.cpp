#include "solver/cloth/fabric.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "solver/cloth/immersion.h"
#include "solver/cloth/pointLists.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"

namespace purl {
namespace {

float at(const std::vector<float>& map, int i, float otherwise) { return map.empty() ? otherwise : map[i]; }

// Quantized, so that small changes of wetness do not rebuild the stiffness.
std::vector<float> wetStiffnessFactors(const WetParams& params, Span<const float> saturation) {
    constexpr float kSteps = 16;
    std::vector<float> wetFactors;
    if (!params.isWettable() || params.wetStiffness == 1) return wetFactors;
    bool wet = false;
    for (const float s : saturation) {
        const float step = std::round(kSteps * s) / kSteps;
        wet = wet || step > 0;
        wetFactors.push_back(1 + (params.wetStiffness - 1) * step);
    }
    if (!wet) wetFactors.clear();
    return wetFactors;
}

bool anyZero(const std::vector<float>& wetFactors) {
    return std::any_of(wetFactors.begin(), wetFactors.end(), [](float soft) { return !(soft > 0); });
}

// Stiffness of an element, N/m, with the stiffness map and wetness, from its base value.
struct Stiffness {
    Span<const float> factors;  // per point

    PURL_HD float operator()(float dry, int a, int b) const { return dry * 0.5f * (factors[a] + factors[b]); }
};

struct UpdateSpringStiffness {
    Stiffness stiffness;
    Span<const float> dry;
    Span<Spring> springs;
    PURL_HD void operator()(int e) const { springs[e].stiffness = stiffness(dry[e], springs[e].a, springs[e].b); }
};
struct UpdateBendStiffness {
    Stiffness stiffness;
    Span<const float> dry;
    Span<Bend> bends;
    PURL_HD void operator()(int e) const { bends[e].stiffness = stiffness(dry[e], bends[e].v[0], bends[e].v[1]); }
};

template <class Element>
struct SetDampingTime {
    float time;  // s
    Span<Element> elements;
    PURL_HD void operator()(int e) const { elements[e].dampingTime = time; }
};

struct SetInverseMass {
    Span<const float> mass, pin;
    Span<const float> added;  // kg, or empty
    Span<float> inverseMass;
    PURL_HD void operator()(int i) const {
        inverseMass[i] = mass[i] > 0 && pin[i] < 1 ? 1 / (mass[i] + (added.count ? added[i] : 0)) : 0;
    }
};

// Sums of the entries in a point's row of M⁻¹K, 1/s², and of M⁻¹D, 1/s.
struct RowSums {
    double stiff = 0, damped = 0;
};
struct RowOfPoint {
    Elements elements;
    Span<const int> incidenceStarts;
    Span<const Incidence> incidences;
    Span<const float> inverseMass;

    PURL_HD RowSums operator()(int i) const {
        RowSums row;
        for (int p = incidenceStarts[i]; p < incidenceStarts[i + 1]; ++p) {
            const Incidence own = incidences[p];
            double weights = 2;
            if (!elements.isSpring(own.element)) {
                weights = 0;
                for (const float c : elements.bend(own.element).c) weights += std::fabs(double(c));
            }
            const double entries = double(elements.stiffness(own.element)) * std::fabs(double(own.weight)) * weights *
                                   double(inverseMass[i]);
            row.stiff += entries;
            row.damped += double(elements.dampingTime(own.element)) * entries;
        }
        return row;
    }
};
struct LargestRows {
    PURL_HD RowSums operator()(const RowSums& a, const RowSums& b) const {
        return {Largest()(a.stiff, b.stiff), Largest()(a.damped, b.damped)};
    }
};

// Elements with their stiffness before map and wetness.
template <class Element>
struct ElementList {
    std::vector<Element> elements;
    std::vector<float> dry;  // N/m

    void add(const Element& element, float stiffness) {
        elements.push_back(element);
        dry.push_back(stiffness);
    }
    void add(const ElementList& other, const std::vector<int>& order) {
        for (const int e : order) add(other.elements[e], other.dry[e]);
    }
};

ElementPoints pointsOf(const Spring& spring) { return {spring.a, spring.b, spring.b, spring.b}; }
ElementPoints pointsOf(const Bend& bend) { return {bend.v[0], bend.v[1], bend.v[2], bend.v[3]}; }

// Assigns elements to strips and colours.
class StripColoring {
  public:
    StripColoring(const Strips& strips, const std::vector<int>& slots, int pointsPerLayer)
        : strips_(strips), slots_(slots), pointsPerLayer_(pointsPerLayer), cutAt_(slots.size(), -1) {}

    // The cut that an element crosses; −1: none.
    template <class Element>
    int cut(const Element& element) const {
        int first = strips_.count, last = -1;
        for (const int v : pointsOf(element)) {
            first = std::min(first, strips_.stripOf[v]);
            last = std::max(last, strips_.stripOf[v]);
        }
        return first < last ? first : -1;
    }
    // Marks the points of elements that cross a cut.
    template <class Element>
    void markCrossing(const ElementList<Element>& group) {
        for (const Element& element : group.elements)
            if (const int at = cut(element); at >= 0)
                for (const int v : pointsOf(element)) cutAt_[v] = at;
    }
    // The cut next to an element, through a marked point; −1: none.
    template <class Element>
    int cutNear(const Element& element) const {
        int nearest = -1;
        for (const int v : pointsOf(element)) nearest = std::max(nearest, cutAt_[v]);
        return nearest;
    }
    // Appends the elements of a group as separate colours, either those interior to strips or those that cross cuts.
    // `afterCrossing`: elements next to a cut count as crossing it, so that they are solved after it.
    template <class Element>
    void add(const ElementList<Element>& group, bool crossing, bool afterCrossing, Colors& colors,
             ElementList<Element>& total) const {
        std::vector<ElementPoints> points;
        std::vector<int> strip;
        ElementList<Element> own;
        for (size_t e = 0; e < group.elements.size(); ++e) {
            const Element& element = group.elements[e];
            const int at = afterCrossing ? cutNear(element) : cut(element);
            if ((at >= 0) != crossing) continue;
            points.push_back(pointsOf(element));
            strip.push_back(crossing ? at : strips_.stripOf[points.back()[0]]);
            own.add(element, group.dry[e]);
        }
        const ColoredElements order = colorElements(points, strip, strips_.count, slots_, pointsPerLayer_);
        colors.append(order.colors);
        total.add(own, order.order);
    }

  private:
    const Strips& strips_;
    const std::vector<int>& slots_;
    int pointsPerLayer_;
    std::vector<int> cutAt_;  // per point: the cut crossed by one of its elements; −1: none
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
      incidenceStarts(device),
      incidences(device),
      fanStarts(device),
      fans(device),
      drySpringStiffness_(device),
      dryBendStiffness_(device),
      stiffnessFactors_(device) {}

void Fabric::set(const Cloth& cloth, Span<const Vec3> rest, Span<const float> saturation) {
    const bool newMesh = cloth_.points.size() != cloth.points.size() || cloth_.faces != cloth.faces ||
                         !std::equal(rest.begin(), rest.end(), cloth_.points.begin()) ||
                         cloth_.layers.count != cloth.layers.count || cloth_.layers.seams != cloth.layers.seams;
    std::vector<float> wetFactors = wetStiffnessFactors(cloth.pores.params, saturation);
    const bool newWetFactors = wetFactors_ != wetFactors;
    // Elements with zero stiffness are left out: the set of elements changes when stiffness becomes zero.
    const bool newMaterial = newMesh || !sameParams(cloth_.params, cloth.params) ||
                             cloth_.stiffnessMap != cloth.stiffnessMap || !(cloth_.layers == cloth.layers) ||
                             (newWetFactors && (anyZero(wetFactors_) || anyZero(wetFactors)));
    wetFactors_ = std::move(wetFactors);
    cloth_ = cloth;
    cloth_.points.assign(rest.begin(), rest.end());
    if (newMesh) {
        try {
            topology_ = makeTopology(cloth.faces, rest.data, rest.count);
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
                joined[std::min(link.a, link.b)] = true;
        slots_ = rowSlots(joined);
        std::vector<ElementPoints> elements;
        for (const Link& link : topology_.links) elements.push_back({link.a, link.b, link.b, link.b});
        for (const Fold& fold : topology_.folds) elements.push_back({fold.v[0], fold.v[1], fold.v[2], fold.v[3]});
        strips_ = makeStrips(elements, joined, static_cast<int>(cloth_.points.size()) / cloth.layers.count);
    }
    setMasses();
    setCore();
    if (newMaterial) {
        ++version_;
        setElements();
        setIncidences();
    } else if (newWetFactors) {
        ++stiffnessVersion_;
        updateStiffness();
    }
}

void Fabric::setMasses() {
    const auto count = static_cast<int>(cloth_.points.size());
    minMass_ = 0;
    inverseMass.resizeDiscard(count);
    for (Mirrored<float>* values : {&mass, &area, &pin}) values->onHost().resizeDiscard(count);
    for (int i = 0; i < count; ++i) {
        area.onHost()[i] = topology_.areas[i];
        pin.onHost()[i] = at(cloth_.pins, i, 0);
        mass.onHost()[i] =
            layerShare() * addedMassFactor(cloth_.params) * cloth_.params.density * area[i] * at(cloth_.massMap, i, 1);
        if (isFree(i) && !(minMass_ > 0 && minMass_ < mass[i])) minMass_ = mass[i];
    }
    for (Mirrored<float>* values : {&mass, &area, &pin}) values->upload();
    setAddedMass({});
}

void Fabric::setCore() {
    std::vector<float> lengths;
    const int count = cloth_.params.coreStiffness > 0 ? this->count() : 0;
    Vec3 moment;
    float total = 0;
    for (int i = 0; i < count; ++i) {
        moment += mass[i] * rest(i);
        total += mass[i];
    }
    for (int i = 0; i < count; ++i) lengths.push_back(total > 0 ? length(rest(i) - moment / total) : 0);
    upload(coreLength, lengths);
}

void Fabric::setAddedMass(Span<const float> addedMass) {
    forEach(inverseMass.device(), "setAddedMass", count(),
            SetInverseMass{mass.span(), pin.span(), addedMass, inverseMass.span()}, 8192);
}

void Fabric::setElements() {
    const ClothParams& params = cloth_.params;
    setStiffnessFactors();
    const Stiffness stiffnessOf{std::as_const(stiffnessFactors_).onHost().span()};
    // For thick fabrics soft springs come first and struts, which keep the thickness, last: a Gauss–Seidel solver
    // satisfies the last ones best.
    constexpr SpringFamily kOrder[] = {SpringFamily::slant, SpringFamily::bend, SpringFamily::shear,
                                       SpringFamily::structural, SpringFamily::strut};
    std::vector<ElementList<Spring>> groups(layers() > 1 ? std::size(kOrder) : 1);
    const auto groupOf = [&](SpringFamily family) -> ElementList<Spring>& {
        const auto position = std::find(std::begin(kOrder), std::end(kOrder), family) - std::begin(kOrder);
        return groups[layers() > 1 ? static_cast<size_t>(position) : 0];
    };
    const auto modulusOf = [&](SpringFamily family) {
        switch (family) {
            case SpringFamily::structural: return layerShare() * params.stretchStiffness;
            case SpringFamily::shear: return layerShare() * params.shearStiffness;
            case SpringFamily::bend: return layerShare() * params.bendSpring;
            case SpringFamily::strut: return cloth_.layers.compressStiffness;
            default: return cloth_.layers.slideStiffness;
        }
    };
    for (const Link& link : topology_.links) {
        const float dry = modulusOf(link.family) * link.stiffnessPerModulus,
                    stiffness = stiffnessOf(dry, link.a, link.b);
        if (!(stiffness > 0)) continue;
        const bool swapped = slots_[link.a] > slots_[link.b];
        groupOf(link.family)
            .add({swapped ? link.b : link.a, swapped ? link.a : link.b, link.rest, stiffness, params.damping}, dry);
    }
    ElementList<Bend> folds;
    for (const Fold& fold : topology_.folds) {
        const float dry = layerShare() * params.bendStiffness * fold.stiffnessPerModulus,
                    stiffness = stiffnessOf(dry, fold.v[0], fold.v[1]);
        if (!(stiffness > 0)) continue;
        Bend bend{};
        std::copy(fold.v, fold.v + 4, bend.v);
        std::copy(fold.c, fold.c + 4, bend.c);
        bend.rest = fold.rest;
        bend.stiffness = stiffness;
        bend.dampingTime = params.bendDamping;
        folds.add(bend, dry);
    }
    StripColoring coloring(strips_, slots_, static_cast<int>(cloth_.points.size()) / layers());
    for (const ElementList<Spring>& group : groups) coloring.markCrossing(group);
    coloring.markCrossing(folds);
    ElementList<Spring> allSprings;
    ElementList<Bend> allBends;
    springColors = bendColors = {};
    springColors.strips = bendColors.strips = strips_.count;
    for (const bool crossing : {false, true}) {
        coloring.add(folds, crossing, false, bendColors, allBends);
        // Struts come last next to cuts, too.
        for (const ElementList<Spring>& group : groups)
            coloring.add(group, crossing, layers() > 1 && &group == &groups.back(), springColors, allSprings);
        if (crossing) break;
        bendColors.interiorColors = bendColors.count();
        springColors.interiorColors = springColors.count();
    }
    upload(springs, allSprings.elements);
    upload(drySpringStiffness_, allSprings.dry);
    upload(bends, allBends.elements);
    upload(dryBendStiffness_, allBends.dry);
    springDampingTime_ = params.damping;
    bendDampingTime_ = params.bendDamping;
}

void Fabric::setStiffnessFactors() {
    Buffer<float>& factors = stiffnessFactors_.onHost();
    factors.resizeDiscard(static_cast<int>(cloth_.points.size()));
    for (int i = 0; i < factors.size(); ++i) factors[i] = at(cloth_.stiffnessMap, i, 1) * at(wetFactors_, i, 1);
    stiffnessFactors_.upload();
}

// Updates the stiffness of existing elements after a change of wetness.
void Fabric::updateStiffness() {
    const Device& device = springs.device();
    setStiffnessFactors();
    const Stiffness stiffness{stiffnessFactors_.span()};
    forEach(device, "updateSpringStiffness", springs.size(),
            UpdateSpringStiffness{stiffness, std::as_const(drySpringStiffness_).span(), springs.span()});
    forEach(device, "updateBendStiffness", bends.size(),
            UpdateBendStiffness{stiffness, std::as_const(dryBendStiffness_).span(), bends.span()});
}

bool Fabric::mostlyInRuns() const { return 2 * (springColors.inRuns() + bendColors.inRuns()) >= elementCount(); }

void Fabric::setDampingTimes(float springTime, float bendTime) {
    if (springTime == springDampingTime_ && bendTime == bendDampingTime_) return;
    springDampingTime_ = springTime;
    bendDampingTime_ = bendTime;
    const Device& device = springs.device();
    forEach(device, "setDampingTime", springs.size(), SetDampingTime<Spring>{springTime, springs.span()}, 8192);
    forEach(device, "setDampingTime", bends.size(), SetDampingTime<Bend>{bendTime, bends.span()}, 8192);
}

void Fabric::setIncidences() {
    const HostReader<Spring> ofSprings = readOnHost(springs);
    const HostReader<Bend> ofBends = readOnHost(bends);
    const PointLists<Incidence> around =
        listByPoint<Incidence>(static_cast<int>(cloth_.points.size()), [&](const auto& add) {
            for (int s = 0; s < ofSprings.size(); ++s) {
                add(ofSprings[s].a, {s, 1});
                add(ofSprings[s].b, {s, -1});
            }
            for (int b = 0; b < ofBends.size(); ++b)
                for (int k = 0; k < 4; ++k)
                    if (ofBends[b].c[k] != 0) add(ofBends[b].v[k], {ofSprings.size() + b, ofBends[b].c[k]});
        });
    upload(incidenceStarts, around.starts);
    upload(incidences, around.values);
}

void Fabric::setFans() {
    const PointLists<int> around = listByPoint<int>(static_cast<int>(cloth_.points.size()), [&](const auto& add) {
        for (size_t t = 0; t + 2 < triangles.size(); t += 3)
            for (size_t k = 0; k < 3; ++k) {
                add(triangles[t + k], triangles[t + (k + 1) % 3]);
                add(triangles[t + k], triangles[t + (k + 2) % 3]);
            }
    });
    upload(fanStarts, around.starts);
    upload(fans, around.values);
}

// By Gershgorin's theorem, eigenvalues of M⁻¹K are at most the largest row sum κ, those of the damping M⁻¹D at most δ;
// velocity Verlet is stable while ¼ κ Δt² + ½ δ Δt ≤ 1.
double Fabric::stepLimit() const {
    const auto [stiff, damped] =
        reduce(springs.device(), "stepLimit", count(), RowSums{},
               RowOfPoint{elements(), incidenceStarts.span(), incidences.span(), inverseMass.span()}, LargestRows{});
    if (!(stiff > 0)) return kUnbounded;
    return (std::sqrt(damped * damped + 4 * stiff) - damped) / stiff;
}

}  // namespace purl
