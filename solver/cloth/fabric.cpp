#include "solver/cloth/fabric.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "solver/cloth/immersion.h"
#include "solver/core/error.h"

namespace purl {
namespace {

float at(const std::vector<float>& map, int i, float otherwise) {
    return map.empty() ? otherwise : map[static_cast<size_t>(i)];
}

// Gives every element the first colour that none of its points has met yet, and sorts them by colour, then by their
// first point, so that memory is gone through in order.
template <class Element, class PointsOf>
Colors sortByColor(std::vector<Element>& elements, int points, const PointsOf& pointsOf) {
    std::vector<uint64_t> met(static_cast<size_t>(points));
    struct Place {
        int color, first;
        size_t from;
    };
    std::vector<Place> places;
    std::vector<int> spill;  // counts of what found none of 64 colours free: they get one each
    int most = 0;
    for (size_t e = 0; e < elements.size(); ++e) {
        uint64_t taken = 0;
        int first = points;
        pointsOf(elements[e], [&](int v) {
            taken |= met[static_cast<size_t>(v)];
            first = std::min(first, v);
        });
        int color = 0;
        while (color < 64 && taken >> color & 1) ++color;
        if (color == 64) {
            color = 64 + static_cast<int>(spill.size());
            spill.push_back(1);
        } else {
            pointsOf(elements[e], [&](int v) { met[static_cast<size_t>(v)] |= uint64_t(1) << color; });
        }
        most = std::max(most, color + 1);
        places.push_back({color, first, e});
    }
    std::stable_sort(places.begin(), places.end(), [](const Place& p, const Place& q) {
        return p.color != q.color ? p.color < q.color : p.first < q.first;
    });
    std::vector<Element> ordered;
    Colors colors;
    colors.starts.assign(static_cast<size_t>(most) + 1, 0);
    for (const Place& place : places) {
        ordered.push_back(elements[place.from]);
        ++colors.starts[static_cast<size_t>(place.color) + 1];
    }
    for (size_t c = 1; c < colors.starts.size(); ++c) colors.starts[c] += colors.starts[c - 1];
    elements.swap(ordered);
    return colors;
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

}  // namespace

Fabric::Fabric(const Device& device)
    : springs(device),
      bends(device),
      inverseMass(device),
      mass(device),
      area(device),
      pin(device),
      starts(device),
      parts(device),
      fanStarts(device),
      fans(device) {}

void Fabric::set(const Cloth& cloth, Span<const Vec3> rest, Span<const float> saturation) {
    springs.device().synchronize();
    const bool newMesh = cloth_.points.size() != cloth.points.size() || cloth_.faces != cloth.faces ||
                         !std::equal(rest.begin(), rest.end(), cloth_.points.begin()) ||
                         cloth_.layers.count != cloth.layers.count || cloth_.layers.seams != cloth.layers.seams;
    std::vector<float> softness = softnessOf(cloth.pores.params, saturation);
    const bool newMaterial = newMesh || !sameParams(cloth_.params, cloth.params) ||
                             cloth_.stiffnessMap != cloth.stiffnessMap || !(cloth_.layers == cloth.layers) ||
                             softness_ != softness;
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
        triangles = trianglesOf(cloth.faces);
        setFans();
        double sum = 0;
        int edges = 0;
        for (const Link& link : topology_.links)
            if (link.family == SpringFamily::structural) {
                sum += double(link.rest);
                ++edges;
            }
        meanEdge_ = static_cast<float>(sum / edges);
    }
    setMasses();
    if (!newMaterial) return;
    ++version_;
    setElements();
    setParts();
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

void Fabric::carry(Span<const float> burden) {
    for (int i = 0; i < count(); ++i)
        inverseMass[i] = mass[i] > 0 && pin[i] < 1 ? 1 / (mass[i] + (burden.count ? burden[i] : 0)) : 0;
}

void Fabric::setElements() {
    const ClothParams& params = cloth_.params;
    const auto count = static_cast<int>(cloth_.points.size());
    const auto painted = [&](int i) { return at(cloth_.stiffnessMap, i, 1) * at(softness_, i, 1); };
    // Of thick fabrics the softest come first and what keeps the thickness last: solvers that go through springs one by
    // one leave the last ones as they should be.
    constexpr SpringFamily kOrder[] = {SpringFamily::slant, SpringFamily::bend, SpringFamily::shear,
                                       SpringFamily::structural, SpringFamily::strut};
    std::vector<std::vector<Spring>> groups(layers() > 1 ? std::size(kOrder) : 1);
    const auto groupOf = [&](SpringFamily family) -> std::vector<Spring>& {
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
        const float stiffness = modulusOf(link.family) * link.share * 0.5f * (painted(link.a) + painted(link.b));
        if (stiffness > 0) groupOf(link.family).push_back({link.a, link.b, link.rest, stiffness, params.damping});
    }
    std::vector<Bend> bendList;
    for (const Fold& fold : topology_.folds) {
        const float stiffness =
            ofLayer() * params.bendStiffness * fold.share * 0.5f * (painted(fold.v[0]) + painted(fold.v[1]));
        if (!(stiffness > 0)) continue;
        Bend bend{};
        std::copy(fold.v, fold.v + 4, bend.v);
        std::copy(fold.c, fold.c + 4, bend.c);
        bend.rest = fold.rest;
        bend.stiffness = stiffness;
        bend.lag = params.bendDamping;
        bendList.push_back(bend);
    }
    std::vector<Spring> springList;
    springColors = {};
    for (std::vector<Spring>& group : groups) {
        const Colors colors = sortByColor(group, count, [](const Spring& spring, const auto& visit) {
            visit(spring.a);
            visit(spring.b);
        });
        for (int c = 1; c <= colors.count(); ++c)
            springColors.starts.push_back(static_cast<int>(springList.size()) + colors.starts[static_cast<size_t>(c)]);
        springList.insert(springList.end(), group.begin(), group.end());
    }
    bendColors = sortByColor(bendList, count, [](const Bend& bend, const auto& visit) {
        for (const int v : bend.v) visit(v);
    });
    put(springs, springList);
    put(bends, bendList);
    springLag_ = params.damping;
    bendLag_ = params.bendDamping;
}

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
