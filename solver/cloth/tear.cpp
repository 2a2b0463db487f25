#include "solver/cloth/tear.h"

#include <algorithm>
#include <tuple>
#include <type_traits>

#include "solver/core/hostView.h"

namespace purl {
namespace {

struct StrainedEdge {
    float strain;
    int a, b;  // a < b
};

class Splitter {
  public:
    Splitter(Faces& faces, Span<const Vec3> x)
        : counts_(faces.counts), corners_(faces.corners.edit()), x_(x), facesOf_(static_cast<size_t>(x.count)) {
        int first = 0, face = 0;
        for (const int count : counts_) {
            firsts_.push_back(first);
            for (int k = 0; k < count; ++k) facesOf_[corner(face, k)].push_back(face);
            first += count;
            ++face;
        }
    }

    // Moves the faces of v on the far side of the plane through v normal to `along` to a copy of v. Returns false if
    // all faces are on one side.
    bool split(int v, Vec3 along) {
        std::vector<int> stay, go;
        for (const int face : facesOf_[v]) {
            Vec3 middle;
            const int count = counts_[face];
            for (int k = 0; k < count; ++k) middle += position(corner(face, k)) - position(v);
            (dot(middle, along) > 0 ? go : stay).push_back(face);
        }
        if (stay.empty() || go.empty()) return false;
        const std::vector<int> nearby = neighbors(v);
        moveTo(go, v, addCopy(v));
        separate(v);
        separate(points() - 1);
        for (const int w : nearby) separate(w);
        return true;
    }

    std::vector<int> neighbors(int v) const {
        std::vector<int> found;
        for (const int face : facesOf_[v])
            for (int k = 0; k < counts_[face]; ++k)
                if (corner(face, k) != v) found.push_back(corner(face, k));
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    std::vector<int> takeCopies() { return std::move(copies_); }

  private:
    int points() const { return static_cast<int>(facesOf_.size()); }
    int& corner(int face, int k) { return corners_[firsts_[face] + k]; }
    int corner(int face, int k) const { return corners_[firsts_[face] + k]; }
    Vec3 position(int v) const {
        while (v >= x_.count) v = copies_[v - x_.count];
        return x_[v];
    }
    int addCopy(int v) {
        copies_.push_back(v);
        facesOf_.emplace_back();
        return points() - 1;
    }
    void moveTo(const std::vector<int>& some, int v, int copy) {
        for (const int face : some) {
            for (int k = 0; k < counts_[face]; ++k)
                if (corner(face, k) == v) corner(face, k) = copy;
            auto& left = facesOf_[v];
            left.erase(std::find(left.begin(), left.end(), face));
            facesOf_[copy].push_back(face);
        }
    }
    // Whether two faces of v share an edge at v.
    bool shareEdge(int one, int other, int v) const {
        const auto beside = [&](int face, int& before, int& after) {
            const int count = counts_[face];
            for (int k = 0; k < count; ++k)
                if (corner(face, k) == v) {
                    before = corner(face, (k + count - 1) % count);
                    after = corner(face, (k + 1) % count);
                }
        };
        int p = 0, q = 0, r = 0, s = 0;
        beside(one, p, q);
        beside(other, r, s);
        return p == r || p == s || q == r || q == s;
    }
    // Faces that share only the point v, not an edge, get separate copies of it.
    void separate(int v) {
        std::vector<int> remaining = facesOf_[v];
        for (bool first = true; !remaining.empty(); first = false) {
            std::vector<int> component{remaining[0]};
            remaining.erase(remaining.begin());
            for (size_t k = 0; k < component.size(); ++k)
                for (size_t m = 0; m < remaining.size();)
                    if (shareEdge(component[k], remaining[m], v)) {
                        component.push_back(remaining[m]);
                        remaining.erase(remaining.begin() + static_cast<std::ptrdiff_t>(m));
                    } else {
                        ++m;
                    }
            if (!first) moveTo(component, v, addCopy(v));
        }
    }

    const std::vector<int>& counts_;
    std::vector<int>& corners_;
    Span<const Vec3> x_;
    std::vector<int> firsts_;
    std::vector<std::vector<int>> facesOf_;  // faces of each point
    std::vector<int> copies_;
};

std::vector<StrainedEdge> overstretchedEdges(const Faces& faces, Span<const Vec3> rest, Span<const Vec3> x,
                                             float limit) {
    std::vector<StrainedEdge> found;
    forEachFace(faces, [&](const int* corners, int count) {
        for (int k = 0; k < count; ++k) {
            const auto [a, b] = std::minmax(corners[k], corners[(k + 1) % count]);
            const float most2 = square(1 + limit) * lengthSquared(rest[a] - rest[b]), l2 = lengthSquared(x[a] - x[b]);
            if (l2 > most2) found.push_back({l2 / most2, a, b});
        }
    });
    std::sort(found.begin(), found.end(), [](const StrainedEdge& p, const StrainedEdge& q) {
        return std::make_tuple(-p.strain, p.a, p.b) < std::make_tuple(-q.strain, q.a, q.b);
    });
    return found;
}

}  // namespace

std::vector<int> tear(Faces& faces, Span<const Vec3> rest, Span<const Vec3> x, Span<const float> inverseMass,
                      float limit) {
    const std::vector<StrainedEdge> strained = overstretchedEdges(faces, rest, x, limit);
    if (strained.empty()) return {};
    Splitter mesh(faces, x);
    std::vector<char> locked(static_cast<size_t>(x.count));
    for (const StrainedEdge& edge : strained) {
        const int ends[] = {edge.a, edge.b};
        const bool secondFirst = !(inverseMass[edge.a] > 0) && inverseMass[edge.b] > 0;
        for (int k = 0; k < 2; ++k) {
            const int v = ends[secondFirst ? 1 - k : k];
            if (!(inverseMass[v] > 0) || locked[edge.a] || locked[edge.b]) continue;
            const std::vector<int> nearby = mesh.neighbors(v);
            if (!mesh.split(v, x[edge.b] - x[edge.a])) continue;
            locked[v] = 1;
            for (const int w : nearby)
                if (w < x.count) locked[w] = 1;
            break;
        }
    }
    return mesh.takeCopies();
}

Faces tornFaces(const Cloth& cloth, const ClothPoints& points, int index) {
    Faces faces = cloth.faces;
    if (points.corners.empty()) return faces;
    int first = 0;
    for (int c = 0; c < index; ++c) first += points.cornerCounts[c];
    std::copy(points.corners.begin() + first, points.corners.begin() + first + points.cornerCounts[index],
              faces.corners.edit().begin());
    return faces;
}

Cloth tornCloth(const Cloth& cloth, const ClothPoints& points, int index) {
    if (points.origins.empty()) return cloth;
    Cloth torn = cloth;
    torn.faces = tornFaces(cloth, points, index);
    const int first = points.firstOf(index), count = points.counts[index];
    const auto copyPerPoint = [&](auto& values) {
        if (values.empty()) return;
        const auto before = values;
        values.resize(static_cast<size_t>(count));
        for (int i = 0; i < count; ++i) values[i] = before[points.origins[first + i]];
    };
    copyPerPoint(torn.points);
    copyPerPoint(torn.pins);
    copyPerPoint(torn.stiffnessMap);
    copyPerPoint(torn.massMap);
    torn.attachedVertices.clear();
    for (int i = 0; i < count; ++i)
        if (std::find(cloth.attachedVertices.begin(), cloth.attachedVertices.end(), points.origins[first + i]) !=
            cloth.attachedVertices.end())
            torn.attachedVertices.push_back(i);
    return torn;
}

bool mayTear(const Scene& scene) {
    return scene.fluids.empty() && std::none_of(scene.cloths.begin(), scene.cloths.end(),
                                                [](const Cloth& cloth) { return cloth.pores.absorb(); });
}

void addTornPoints(ClothPoints& points, const std::vector<TearResult>& torn) {
    std::vector<int> source, origins, corners, cornerCounts;
    int first = 0;
    for (size_t c = 0; c < torn.size(); ++c) {
        int& count = points.counts[static_cast<int>(c)];
        const auto originOf = [&](int i) { return points.origins.empty() ? i : points.origins[first + i]; };
        for (int i = 0; i < count; ++i) source.push_back(first + i);
        for (int copy : torn[c].copies) {
            while (copy >= count) copy = torn[c].copies[copy - count];
            source.push_back(first + copy);
        }
        for (size_t k = origins.size(); k < source.size(); ++k) origins.push_back(originOf(source[k] - first));
        corners.insert(corners.end(), torn[c].faces.corners.begin(), torn[c].faces.corners.end());
        cornerCounts.push_back(static_cast<int>(torn[c].faces.corners.size()));
        first += count;
        count += static_cast<int>(torn[c].copies.size());
    }
    const auto gather = [&](auto& channel, int width) {
        if (channel.empty()) return;
        const auto before = readOnHost(channel);
        std::vector<typename std::decay_t<decltype(channel)>::Element> after;
        for (const int i : source)
            after.insert(after.end(), before.data() + width * i, before.data() + width * (i + 1));
        upload(channel, after);
    };
    for (Buffer<Vec3>* channel : {&points.x, &points.v, &points.rest, &points.target, &points.reaction})
        gather(*channel, 1);
    gather(points.addedMass, 1);
    gather(points.past.values, points.past.width);
    upload(points.origins, origins);
    upload(points.corners, corners);
    upload(points.cornerCounts, cornerCounts);
}

}  // namespace purl
