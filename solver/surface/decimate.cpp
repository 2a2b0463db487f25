#include "solver/surface/decimate.h"

#include <algorithm>
#include <queue>
#include <type_traits>

namespace purl {
namespace {

struct Point {
    double x = 0, y = 0, z = 0;
};
Point pointOf(Vec3 v) { return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)}; }

// Quadric error: Σ area (n·p + d)², area-weighted squared distances from planes.
struct Quadric {
    double xx = 0, xy = 0, xz = 0, xd = 0, yy = 0, yz = 0, yd = 0, zz = 0, zd = 0, dd = 0;

    void addPlane(Point n, double d, double weight) {
        xx += weight * n.x * n.x, xy += weight * n.x * n.y, xz += weight * n.x * n.z, xd += weight * n.x * d;
        yy += weight * n.y * n.y, yz += weight * n.y * n.z, yd += weight * n.y * d;
        zz += weight * n.z * n.z, zd += weight * n.z * d, dd += weight * d * d;
    }
    void add(const Quadric& o) {
        xx += o.xx, xy += o.xy, xz += o.xz, xd += o.xd, yy += o.yy, yz += o.yz, yd += o.yd, zz += o.zz, zd += o.zd,
            dd += o.dd;
    }
    double at(Point p) const {
        return xx * p.x * p.x + yy * p.y * p.y + zz * p.z * p.z + dd +
               2 * (xy * p.x * p.y + xz * p.x * p.z + yz * p.y * p.z + xd * p.x + yd * p.y + zd * p.z);
    }
};

class Decimation {
  public:
    explicit Decimation(Mesh& mesh)
        : mesh_(mesh),
          incident_(mesh.positions.size()),
          quadrics_(mesh.positions.size()),
          version_(mesh.positions.size()),
          remaining_(mesh.triangles.size() / 3) {
        for (size_t t = 0; t < remaining_; ++t) {
            const Vec3 a = corner(t, 0), areaVector = cross(corner(t, 1) - a, corner(t, 2) - a);
            const float area = length(areaVector);
            for (size_t k = 0; k < 3; ++k) incident_[vertex(t, k)].push_back(static_cast<int>(t));
            if (!(area > 0)) continue;
            const Point n = pointOf(areaVector / area), p = pointOf(a);
            for (size_t k = 0; k < 3; ++k)
                quadrics_[vertex(t, k)].addPlane(n, -(n.x * p.x + n.y * p.y + n.z * p.z), static_cast<double>(area));
        }
        for (size_t t = 0; t < remaining_; ++t)
            for (size_t k = 0; k < 3; ++k)
                if (vertex(t, k) < vertex(t, (k + 1) % 3)) enqueue(vertex(t, k), vertex(t, (k + 1) % 3));
    }

    void reduceTo(size_t triangles) {
        while (remaining_ > triangles && !queue_.empty()) {
            const Collapse best = queue_.top();
            queue_.pop();
            if (best.version == version_[best.a] + version_[best.b] && isSafe(best)) collapse(best);
        }
        compact();
    }

  private:
    struct Collapse {
        double error;
        size_t a, b;
        int version;  // of both ends when it was queued; stale entries are skipped
        float t;      // position of the merged vertex along the edge

        // Lowest error first. Ties are broken by vertex index, so that the result is deterministic.
        bool operator<(const Collapse& o) const {
            return error != o.error ? error > o.error : a != o.a ? a > o.a : b > o.b;
        }
    };

    size_t vertex(size_t t, size_t k) const { return static_cast<size_t>(mesh_.triangles[3 * t + k]); }
    Vec3 corner(size_t t, size_t k) const { return mesh_.positions[vertex(t, k)]; }
    bool has(size_t t, size_t v) const { return vertex(t, 0) == v || vertex(t, 1) == v || vertex(t, 2) == v; }

    void enqueue(size_t a, size_t b) {
        if (a > b) std::swap(a, b);
        Quadric sum = quadrics_[a];
        sum.add(quadrics_[b]);
        Collapse best{1e300, a, b, version_[a] + version_[b], 0.5f};
        for (const float t : {0.5f, 0.0f, 1.0f}) {
            const double error = sum.at(pointOf(lerp(mesh_.positions[a], mesh_.positions[b], t)));
            if (error < best.error) best.error = error, best.t = t;
        }
        queue_.push(best);
    }

    std::vector<size_t> neighborsOf(size_t v) const {
        std::vector<size_t> all;
        for (const int t : incident_[v])
            for (size_t k = 0; k < 3; ++k)
                if (vertex(static_cast<size_t>(t), k) != v) all.push_back(vertex(static_cast<size_t>(t), k));
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    // Link condition: the two ends share exactly the two corners opposite the edge (else the surface would pinch), and
    // enough vertices remain around them. No triangle may flip or become a needle.
    bool isSafe(const Collapse& c) const {
        const std::vector<size_t> a = neighborsOf(c.a), b = neighborsOf(c.b);
        std::vector<size_t> common;
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
        if (common.size() != 2 || a.size() + b.size() < 8 || a.size() + b.size() > 24) return false;
        // A corner opposite the edge loses a triangle: three must remain.
        for (const size_t side : common)
            if (incident_[side].size() < 4) return false;
        const Vec3 to = lerp(mesh_.positions[c.a], mesh_.positions[c.b], c.t);
        for (const size_t end : {c.a, c.b})
            for (const int index : incident_[end]) {
                const auto t = static_cast<size_t>(index);
                if (has(t, c.a) && has(t, c.b)) continue;
                Vec3 p[3];
                for (size_t k = 0; k < 3; ++k) p[k] = vertex(t, k) == end ? to : corner(t, k);
                const Vec3 before = cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
                const Vec3 after = cross(p[1] - p[0], p[2] - p[0]);
                const float longest = std::max({length(p[1] - p[0]), length(p[2] - p[1]), length(p[0] - p[2])});
                if (!(dot(before, after) > 0.5f * length(before) * length(after)) ||
                    length(after) < 0.05f * longest * longest)
                    return false;
            }
        return true;
    }

    void collapse(const Collapse& c) {
        Mesh::channels(mesh_, [&](const char*, auto& channel, bool) {
            using Value = typename std::remove_reference_t<decltype(channel)>::value_type;
            if (channel.empty()) return;
            std::vector<Value>& values = channel.edit();
            if constexpr (std::is_integral_v<Value>)
                values[c.a] = c.t > 0.5f ? values[c.b] : values[c.a];
            else
                values[c.a] = lerp(values[c.a], values[c.b], c.t);
        });
        quadrics_[c.a].add(quadrics_[c.b]);
        std::vector<int> kept;
        for (const int t : incident_[c.a])
            if (!has(static_cast<size_t>(t), c.b)) kept.push_back(t);
        for (const int index : incident_[c.b]) {
            const auto t = static_cast<size_t>(index);
            if (has(t, c.a)) {
                for (size_t k = 0; k < 3; ++k) {
                    if (vertex(t, k) == c.a || vertex(t, k) == c.b) continue;
                    auto& side = incident_[vertex(t, k)];
                    side.erase(std::find(side.begin(), side.end(), index));
                }
                mesh_.triangles.edit()[3 * t] = -1;
                --remaining_;
                continue;
            }
            for (size_t k = 0; k < 3; ++k)
                if (vertex(t, k) == c.b) mesh_.triangles.edit()[3 * t + k] = static_cast<int>(c.a);
            kept.push_back(index);
        }
        incident_[c.b].clear();
        incident_[c.a] = std::move(kept);
        ++version_[c.a];
        ++version_[c.b];
        for (const size_t other : neighborsOf(c.a)) enqueue(c.a, other);
    }

    void compact() {
        std::vector<int> place(mesh_.positions.size(), -1), triangles;
        for (size_t t = 0; 3 * t < mesh_.triangles.size(); ++t)
            if (mesh_.triangles[3 * t] >= 0)
                for (size_t k = 0; k < 3; ++k) place[vertex(t, k)] = 0;
        int count = 0;
        for (int& p : place)
            if (p == 0) p = count++;
        for (size_t t = 0; 3 * t < mesh_.triangles.size(); ++t)
            if (mesh_.triangles[3 * t] >= 0)
                for (size_t k = 0; k < 3; ++k) triangles.push_back(place[vertex(t, k)]);
        Mesh::channels(mesh_, [&](const char*, auto& channel, bool) {
            if (channel.empty()) return;
            auto& values = channel.edit();
            for (size_t i = 0; i < place.size(); ++i)
                if (place[i] >= 0) values[place[i]] = values[i];
            values.resize(static_cast<size_t>(count));
        });
        mesh_.triangles = std::move(triangles);
        for (Vec3& n : mesh_.normals.edit()) n = normalized(n);
    }

    Mesh& mesh_;
    std::vector<std::vector<int>> incident_;  // incident triangles of each vertex
    std::vector<Quadric> quadrics_;
    std::vector<int> version_;
    size_t remaining_;
    std::priority_queue<Collapse> queue_;
};

}  // namespace

void decimateMesh(Mesh& mesh, float share) {
    if (!(share > 0) || mesh.triangles.empty()) return;
    const double wanted = (1 - static_cast<double>(share)) * static_cast<double>(mesh.triangles.size() / 3);
    Decimation(mesh).reduceTo(static_cast<size_t>(wanted));
}

}  // namespace purl
