#include "solver/search/triangleTree.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/math.h"

namespace purl {

namespace {

constexpr int kLeafSize = 4;  // triangles

template <class T>
void assign(Buffer<T>& buffer, const std::vector<T>& values) {
    buffer.resize(static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
}

template <class T>
void assign(Buffer<T>& buffer, int count, T value) {
    buffer.resize(count);
    std::fill(buffer.begin(), buffer.end(), value);
}

// Unit face normals.
struct FitFaceNormals {
    Span<const int> order, corners;
    Span<const Vec3> vertices;
    Span<Vec3> faceNormals;

    PURL_HD void operator()(int k) const {
        const int t = order[k];
        const Vec3 a = vertices[corners[3 * t]];
        faceNormals[t] =
            normalized(cross(vertices[corners[3 * t + 1]] - a, vertices[corners[3 * t + 2]] - a), {0, 0, 0});
    }
};

// Unit vertex normals, weighted by the angle of each incident face.
struct FitCornerNormals {
    Span<const int> corners, welded, incidentStarts, incidentCorners;
    Span<const Vec3> vertices, faceNormals;
    Span<Vec3> cornerNormals;

    PURL_HD void operator()(int i) const {
        Vec3 sum;
        const int at = welded[i];
        for (int k = incidentStarts[at]; k < incidentStarts[at + 1]; ++k) {
            const int t = incidentCorners[k] / 3, own = incidentCorners[k] % 3;
            const Vec3 p = vertices[corners[3 * t + own]];
            const Vec3 e = normalized(vertices[corners[3 * t + (own + 1) % 3]] - p),
                       f = normalized(vertices[corners[3 * t + (own + 2) % 3]] - p);
            sum += acos(clamp(dot(e, f), -1, 1)) * faceNormals[t];
        }
        cornerNormals[i] = normalized(sum, {0, 0, 0});
    }
};

// Bounds and dipole of each leaf.
struct FitLeaves {
    Span<const int> order, corners;
    Span<const Vec3> vertices, verticesBefore;  // verticesBefore: empty if the mesh does not move
    Span<TreeNode> nodes;
    Span<float> areas;

    PURL_HD void operator()(int index) const {
        TreeNode& node = nodes[index];
        if (node.count == 0) return;
        node.box = Bounds();
        node.areaNormal = Vec3();
        node.radius = 0;
        float area = 0;
        Vec3 weighted;
        for (int k = node.first; k < node.first + node.count; ++k) {
            const int* corner = corners.data + 3 * order[k];
            const Vec3 a = vertices[corner[0]], b = vertices[corner[1]], c = vertices[corner[2]];
            const Vec3 areaNormal = 0.5f * cross(b - a, c - a);
            node.areaNormal += areaNormal;
            area += length(areaNormal);
            weighted += length(areaNormal) * ((a + b + c) / 3.0f);
            for (int e = 0; e < 3; ++e) {
                node.box.include(vertices[corner[e]]);
                if (verticesBefore.count) node.box.include(verticesBefore[corner[e]]);
            }
        }
        node.center = area > 0 ? weighted / area : node.box.center();
        for (int k = node.first; k < node.first + node.count; ++k)
            for (int e = 0; e < 3; ++e) {
                const float off = length(vertices[corners[3 * order[k] + e]] - node.center);
                node.radius = off > node.radius ? off : node.radius;
            }
        areas[index] = area;
    }
};

// Bounds and dipole of an inner node, from its children.
struct FitInnerNode {
    Span<TreeNode> nodes;
    Span<float> areas;

    PURL_HD void operator()(int index) const {
        TreeNode& node = nodes[index];
        const TreeNode &left = nodes[index + 1], &right = nodes[node.first];
        const float ofLeft = areas[index + 1], ofRight = areas[node.first], area = ofLeft + ofRight;
        const TreeNode* const children[] = {&left, &right};
        node.box = Bounds();
        for (const TreeNode* child : children) {
            node.box.include(child->box.low);
            node.box.include(child->box.high);
        }
        node.areaNormal = left.areaNormal + right.areaNormal;
        node.center = area > 0 ? (ofLeft * left.center + ofRight * right.center) / area : node.box.center();
        node.radius = 0;
        for (const TreeNode* child : children) {
            const float reach = length(child->center - node.center) + child->radius;
            node.radius = node.radius < reach ? reach : node.radius;
        }
        areas[index] = area;
    }
};
struct FitLevel {
    FitInnerNode fit;
    const int* level;
    PURL_HD void operator()(int k) const { fit(level[k]); }
};

}  // namespace

std::string meshFault(const std::vector<Vec3>& vertices, const std::vector<int>& triangles) {
    if (triangles.empty()) return "mesh has no faces";
    if (triangles.size() % 3) return "mesh has a face that is not a triangle";
    const int count = static_cast<int>(vertices.size());
    for (size_t k = 0; k < triangles.size(); ++k)
        if (triangles[k] < 0 || triangles[k] >= count)
            return "mesh face " + std::to_string(k / 3) + " names vertex " + std::to_string(triangles[k]) + " of " +
                   std::to_string(count);
    for (int i = 0; i < count; ++i)
        if (!isFinite(vertices[i])) return "mesh vertex " + std::to_string(i) + " is not finite";
    return "";
}

TriangleTree::TriangleTree(const Device& device)
    : nodes_(device),
      order_(device),
      corners_(device),
      twins_(device),
      rim_(device),
      welded_(device),
      incidentStarts_(device),
      incidentCorners_(device),
      vertices_(device),
      faceNormals_(device),
      cornerNormals_(device),
      verticesBefore_(device),
      faceNormalsBefore_(device),
      cornerNormalsBefore_(device),
      areas_(device),
      inner_(device) {}

TriangleTreeView TriangleTree::view() const {
    TriangleTreeView view;
    view.nodes = nodes_.span();
    view.order = order_.span();
    view.corners = corners_.span();
    view.twins = twins_.span();
    view.vertices = vertices_.span();
    view.verticesBefore = moves_ ? verticesBefore_.span() : vertices_.span();
    view.faceNormals = faceNormals_.span();
    view.cornerNormals = cornerNormals_.span();
    view.faceNormalsBefore = moves_ ? faceNormalsBefore_.span() : faceNormals_.span();
    view.cornerNormalsBefore = moves_ ? cornerNormalsBefore_.span() : cornerNormals_.span();
    view.rim = rim_.span();
    view.maxDisplacement = maxDisplacement_;
    view.closed = isClosed();
    view.moves = moves_;
    return view;
}

void TriangleTree::build(const std::vector<Vec3>& vertices, const std::vector<int>& triangles) {
    PURL_ASSERT(meshFault(vertices, triangles).empty());
    moves_ = continues_ = false;
    maxDisplacement_ = 0;
    ++built_;
    ++fitted_;
    assign(vertices_, vertices);
    assign(corners_, triangles);
    weld(vertices);

    const int count = corners_.size() / 3;
    order_.resize(0);
    std::vector<Vec3> centers(static_cast<size_t>(count));
    for (int t = 0; t < count; ++t) {
        const int a = welded_[triangles[3 * t]], b = welded_[triangles[3 * t + 1]], c = welded_[triangles[3 * t + 2]];
        centers[t] = (vertices[a] + vertices[b] + vertices[c]) / 3.0f;
        if (a == b || b == c || c == a) continue;  // a degenerate triangle bounds nothing
        order_.resize(order_.size() + 1);
        order_[order_.size() - 1] = t;
    }
    pairEdges();
    nodes_.resize(0);
    if (order_.empty()) return;
    split(centers, 0, order_.size());
    if (isClosed() && volume() < 0)
        for (int t = 0; t < count; ++t) {
            std::swap(corners_[3 * t + 1], corners_[3 * t + 2]);
            std::swap(twins_[3 * t], twins_[3 * t + 2]);
        }
    listIncidentCorners();
    fitNormals(vertices_, faceNormals_, cornerNormals_);
    fitNodes();
}

// CSR lists of the incident corners of each welded vertex, in triangle order.
void TriangleTree::listIncidentCorners() {
    assign(incidentStarts_, vertices_.size() + 1, 0);
    for (const int t : order_)
        for (int k = 0; k < 3; ++k) ++incidentStarts_[welded_[corners_[3 * t + k]] + 1];
    for (int i = 0; i < vertices_.size(); ++i) incidentStarts_[i + 1] += incidentStarts_[i];
    incidentCorners_.resize(3 * order_.size());
    std::vector<int> next(incidentStarts_.begin(), incidentStarts_.end());
    for (const int t : order_)
        for (int k = 0; k < 3; ++k) incidentCorners_[next[welded_[corners_[3 * t + k]]]++] = 3 * t + k;
}

void TriangleTree::refit(const std::vector<Vec3>& vertices, const std::vector<Vec3>& before) {
    PURL_ASSERT(static_cast<int>(vertices.size()) == vertices_.size() && before.size() == vertices.size());
    // A motion that continues from the last position already has its starting normals.
    continues_ = std::equal(before.begin(), before.end(), vertices_.begin()) && before != vertices;
    moves_ = before != vertices;
    ++fitted_;
    if (continues_) {
        verticesBefore_.swap(vertices_);
        faceNormalsBefore_.swap(faceNormals_);
        cornerNormalsBefore_.swap(cornerNormals_);
    } else if (moves_) {
        assign(verticesBefore_, before);
    }
    assign(vertices_, vertices);
    maxDisplacement_ = 0;
    for (size_t i = 0; moves_ && i < before.size(); ++i)
        maxDisplacement_ = std::max(maxDisplacement_, length(vertices[i] - before[i]));
    if (nodes_.empty()) return;
    fitNormals(vertices_, faceNormals_, cornerNormals_);
    if (moves_ && !continues_) fitNormals(verticesBefore_, faceNormalsBefore_, cornerNormalsBefore_);
    fitNodes();
}

void TriangleTree::follow(const TriangleTree& host) {
    const bool onlyMoved = built_ == host.built_ && !nodes_.empty();
    const bool continues = onlyMoved && host.continues_ && fitted_ + 1 == host.fitted_;
    if (!onlyMoved) {
        *this = host;
        return listLevels(host);
    }
    fitted_ = host.fitted_;
    moves_ = host.moves_;
    maxDisplacement_ = host.maxDisplacement_;
    if (continues) {
        verticesBefore_.swap(vertices_);
        faceNormalsBefore_.swap(faceNormals_);
        cornerNormalsBefore_.swap(cornerNormals_);
    } else if (moves_) {
        verticesBefore_ = host.verticesBefore_;
    }
    vertices_ = host.vertices_;
    fitNormals(vertices_, faceNormals_, cornerNormals_);
    if (moves_ && !continues) fitNormals(verticesBefore_, faceNormalsBefore_, cornerNormalsBefore_);
    fitNodes();
}

// Parents precede their children.
void TriangleTree::listLevels(const TriangleTree& host) {
    const HostReader<TreeNode> nodes = readOnHost(host.nodes_);
    std::vector<int> depth(static_cast<size_t>(nodes.size()), 0);
    std::vector<std::vector<int>> levels;
    for (int index = 0; index < nodes.size(); ++index) {
        if (nodes[index].count > 0) continue;
        const int own = depth[index];
        depth[index + 1] = depth[nodes[index].first] = own + 1;
        if (static_cast<int>(levels.size()) <= own) levels.emplace_back();
        levels[own].push_back(index);
    }
    std::vector<int> inner;
    levelEnds_.clear();
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
        inner.insert(inner.end(), level->begin(), level->end());
        levelEnds_.push_back(static_cast<int>(inner.size()));
    }
    upload(inner_, inner);
}

void TriangleTree::weld(const std::vector<Vec3>& vertices) {
    std::vector<int> sorted(vertices.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    const auto place = [&](int i) { return std::make_tuple(vertices[i].x, vertices[i].y, vertices[i].z, i); };
    std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return place(a) < place(b); });
    assign(welded_, static_cast<int>(vertices.size()), 0);
    for (size_t k = 0; k < sorted.size(); ++k) {
        const bool same = k > 0 && vertices[sorted[k]] == vertices[sorted[k - 1]];
        welded_[sorted[k]] = same ? welded_[sorted[k - 1]] : sorted[k];
    }
}

// Edges between the same two vertices are paired if they run in opposite directions; unpaired edges are open.
void TriangleTree::pairEdges() {
    struct Edge {
        int low, high, side;  // side: 3 · triangle + edge
        bool rising;
    };
    std::vector<Edge> edges;
    for (const int t : order_)
        for (int k = 0; k < 3; ++k) {
            const int a = welded_[corners_[3 * t + k]], b = welded_[corners_[3 * t + (k + 1) % 3]];
            edges.push_back({std::min(a, b), std::max(a, b), 3 * t + k, a < b});
        }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::tie(a.low, a.high, a.side) < std::tie(b.low, b.high, b.side);
    });
    assign(twins_, corners_.size(), -1);
    assign(rim_, vertices_.size(), 0);
    openEdges_ = 0;
    for (size_t begin = 0, end; begin < edges.size(); begin = end) {
        std::vector<int> rising, falling;
        for (end = begin;
             end < edges.size() && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high; ++end)
            (edges[end].rising ? rising : falling).push_back(edges[end].side);
        const size_t pairs = std::min(rising.size(), falling.size());
        for (size_t k = 0; k < pairs; ++k) {
            twins_[rising[k]] = falling[k] / 3;
            twins_[falling[k]] = rising[k] / 3;
        }
        openEdges_ += static_cast<int>(rising.size() + falling.size() - 2 * pairs);
        if (rising.size() != falling.size()) rim_[edges[begin].low] = rim_[edges[begin].high] = 1;
    }
    for (int i = 0; i < vertices_.size(); ++i) rim_[i] = rim_[welded_[i]];
}

// Splits the triangles at the median of their centroids along the longest axis; parents precede their children.
void TriangleTree::split(std::vector<Vec3>& centers, int begin, int end) {
    const int index = nodes_.size();
    nodes_.resize(index + 1);
    if (end - begin <= kLeafSize) {
        // nth_element leaves them in an order of its own, which differs between standard libraries.
        std::sort(order_.begin() + begin, order_.begin() + end);
        nodes_[index].first = begin;
        nodes_[index].count = end - begin;
        return;
    }
    Bounds spread;
    for (int k = begin; k < end; ++k) spread.include(centers[order_[k]]);
    const Vec3 size = spread.size();
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int middle = (begin + end) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
        return std::make_tuple(centers[a][axis], a) < std::make_tuple(centers[b][axis], b);
    });
    split(centers, begin, middle);
    nodes_[index].first = nodes_.size();
    nodes_[index].count = 0;
    split(centers, middle, end);
}

void TriangleTree::fitNormals(const Buffer<Vec3>& vertices, Buffer<Vec3>& faceNormals,
                              Buffer<Vec3>& cornerNormals) const {
    const Device& device = vertices_.device();
    faceNormals.resize(0);
    faceNormals.resize(corners_.size() / 3);  // all zero
    cornerNormals.resizeDiscard(vertices.size());
    forEach(device, "fitFaceNormals", order_.size(),
            FitFaceNormals{order_.span(), corners_.span(), vertices.span(), faceNormals.span()});
    forEach(device, "fitCornerNormals", vertices.size(),
            FitCornerNormals{corners_.span(), welded_.span(), incidentStarts_.span(), incidentCorners_.span(),
                             vertices.span(), std::as_const(faceNormals).span(), cornerNormals.span()});
}

// Children follow their parent, so one backward sweep visits them first.
void TriangleTree::fitNodes() {
    const Device& device = vertices_.device();
    areas_.resizeDiscard(nodes_.size());
    forEach(
        device, "fitLeaves", nodes_.size(),
        FitLeaves{order_.span(), corners_.span(), vertices_.span(),
                  moves_ ? std::as_const(verticesBefore_).span() : Span<const Vec3>{}, nodes_.span(), areas_.span()});
    const FitInnerNode fit{nodes_.span(), areas_.span()};
    if (device.isCpu()) {
        for (int index = nodes_.size() - 1; index >= 0; --index)
            if (nodes_[index].count == 0) fit(index);
        return;
    }
    int first = 0;
    for (const int end : levelEnds_) {
        forEach(device, "fitLevel", end - first, FitLevel{fit, inner_.data() + first});
        first = end;
    }
}

// V = Σ a·(b × c) / 6, relative to the first vertex to avoid cancellation far from the origin.
double TriangleTree::volume() const {
    double six = 0;
    for (const int t : order_) {
        const Vec3 origin = vertices_[corners_[3 * order_[0]]];
        six += dot(vertices_[corners_[3 * t]] - origin,
                   cross(vertices_[corners_[3 * t + 1]] - origin, vertices_[corners_[3 * t + 2]] - origin));
    }
    return six / 6;
}

}  // namespace purl
