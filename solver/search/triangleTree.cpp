#include "solver/search/triangleTree.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

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

}  // namespace

std::string faultOf(const std::vector<Vec3>& vertices, const std::vector<int>& triangles) {
    if (triangles.empty()) return "mesh has no faces";
    if (triangles.size() % 3) return "mesh has a face that is no triangle";
    const int count = static_cast<int>(vertices.size());
    for (size_t k = 0; k < triangles.size(); ++k)
        if (triangles[k] < 0 || triangles[k] >= count)
            return "mesh face " + std::to_string(k / 3) + " names vertex " + std::to_string(triangles[k]) + " of " +
                   std::to_string(count);
    for (int i = 0; i < count; ++i)
        if (!isFinite(vertices[i])) return "mesh vertex " + std::to_string(i) + " is not a finite point";
    return "";
}

TriangleTree::TriangleTree(const Device& device)
    : nodes_(device),
      order_(device),
      corners_(device),
      twins_(device),
      rim_(device),
      vertices_(device),
      faceNormals_(device),
      cornerNormals_(device),
      verticesBefore_(device),
      faceNormalsBefore_(device),
      cornerNormalsBefore_(device) {}

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
    view.travel = travel_;
    view.closed = isClosed();
    view.moves = moves_;
    return view;
}

void TriangleTree::build(const std::vector<Vec3>& vertices, const std::vector<int>& triangles) {
    PURL_ASSERT(faultOf(vertices, triangles).empty());
    vertices_.device().synchronize();
    moves_ = false;
    travel_ = 0;
    assign(vertices_, vertices);
    assign(corners_, triangles);
    weld(vertices);

    const int count = corners_.size() / 3;
    order_.resize(0);
    std::vector<Vec3> centers(static_cast<size_t>(count));
    for (int t = 0; t < count; ++t) {
        const int a = welded_[triangles[3 * t]], b = welded_[triangles[3 * t + 1]], c = welded_[triangles[3 * t + 2]];
        centers[t] = (vertices[a] + vertices[b] + vertices[c]) / 3.0f;
        if (a == b || b == c || c == a) continue;  // a line or a point bounds nothing
        order_.resize(order_.size() + 1);
        order_[order_.size() - 1] = t;
    }
    pairEdges();
    nodes_.resize(0);
    if (order_.empty()) return;
    split(centers, 0, order_.size());
    fit();

    if (isClosed() && volume() < 0) {
        for (int t = 0; t < count; ++t) {
            std::swap(corners_[3 * t + 1], corners_[3 * t + 2]);
            std::swap(twins_[3 * t], twins_[3 * t + 2]);
        }
        fit();
    }
}

void TriangleTree::refit(const std::vector<Vec3>& vertices, const std::vector<Vec3>& before) {
    PURL_ASSERT(static_cast<int>(vertices.size()) == vertices_.size() && before.size() == vertices.size());
    vertices_.device().synchronize();
    moves_ = before != vertices;
    assign(vertices_, vertices);
    if (moves_) assign(verticesBefore_, before);
    travel_ = 0;
    for (size_t i = 0; moves_ && i < before.size(); ++i) travel_ = std::max(travel_, length(vertices[i] - before[i]));
    if (nodes_.empty()) return;
    fit();
}

void TriangleTree::weld(const std::vector<Vec3>& vertices) {
    std::vector<int> sorted(vertices.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    const auto place = [&](int i) { return std::make_tuple(vertices[i].x, vertices[i].y, vertices[i].z, i); };
    std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return place(a) < place(b); });
    welded_.assign(vertices.size(), 0);
    for (size_t k = 0; k < sorted.size(); ++k) {
        const bool same = k > 0 && vertices[sorted[k]] == vertices[sorted[k - 1]];
        welded_[sorted[k]] = same ? welded_[sorted[k - 1]] : sorted[k];
    }
}

// Edges between the same two vertices meet in pairs that run opposite ways; those left over are open.
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

// Halves the triangles at the median of their centres along the longest axis; a parent stands before its children.
void TriangleTree::split(std::vector<Vec3>& centers, int begin, int end) {
    const int index = nodes_.size();
    nodes_.resize(index + 1);
    if (end - begin <= kLeafSize) {
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

void TriangleTree::fit() {
    fitNormals(vertices_, faceNormals_, cornerNormals_);
    if (moves_) fitNormals(verticesBefore_, faceNormalsBefore_, cornerNormalsBefore_);
    fitNodes();
}

void TriangleTree::fitNormals(const Buffer<Vec3>& vertices, Buffer<Vec3>& faceNormals,
                              Buffer<Vec3>& cornerNormals) const {
    assign(faceNormals, corners_.size() / 3, Vec3{});
    assign(cornerNormals, vertices.size(), Vec3{});
    for (const int t : order_) {
        const int* corner = corners_.data() + 3 * t;
        const std::array<Vec3, 3> p = {vertices[corner[0]], vertices[corner[1]], vertices[corner[2]]};
        const Vec3 n = normalized(cross(p[1] - p[0], p[2] - p[0]), {0, 0, 0});
        faceNormals[t] = n;
        for (int k = 0; k < 3; ++k) {
            const Vec3 e = normalized(p[(k + 1) % 3] - p[k]), f = normalized(p[(k + 2) % 3] - p[k]);
            cornerNormals[welded_[corner[k]]] += std::acos(clamp(dot(e, f), -1, 1)) * n;
        }
    }
    for (int i = 0; i < vertices.size(); ++i)
        cornerNormals[i] = welded_[i] == i ? normalized(cornerNormals[i], {0, 0, 0}) : cornerNormals[welded_[i]];
}

// Children come after their parent, so one sweep from the last node to the first meets them before it.
void TriangleTree::fitNodes() {
    std::vector<float> areas(static_cast<size_t>(nodes_.size()));
    for (int index = nodes_.size() - 1; index >= 0; --index) {
        TreeNode& node = nodes_[index];
        node.box = Bounds();
        node.areaNormal = Vec3();
        node.radius = 0;
        float area = 0;
        Vec3 weighted;
        if (node.count == 0) {
            for (const int child : {index + 1, node.first}) {
                node.box.include(nodes_[child].box.low);
                node.box.include(nodes_[child].box.high);
                node.areaNormal += nodes_[child].areaNormal;
                area += areas[child];
                weighted += areas[child] * nodes_[child].center;
            }
            node.center = area > 0 ? weighted / area : node.box.center();
            for (const int child : {index + 1, node.first})
                node.radius = std::max(node.radius, length(nodes_[child].center - node.center) + nodes_[child].radius);
        } else {
            for (int k = node.first; k < node.first + node.count; ++k) {
                const int* corner = corners_.data() + 3 * order_[k];
                const Vec3 a = vertices_[corner[0]], b = vertices_[corner[1]], c = vertices_[corner[2]];
                const Vec3 areaNormal = 0.5f * cross(b - a, c - a);
                node.areaNormal += areaNormal;
                area += length(areaNormal);
                weighted += length(areaNormal) * ((a + b + c) / 3.0f);
                for (int e = 0; e < 3; ++e) {
                    node.box.include(vertices_[corner[e]]);
                    if (moves_) node.box.include(verticesBefore_[corner[e]]);
                }
            }
            node.center = area > 0 ? weighted / area : node.box.center();
            for (int k = node.first; k < node.first + node.count; ++k)
                for (int e = 0; e < 3; ++e)
                    node.radius = std::max(node.radius, length(vertices_[corners_[3 * order_[k] + e]] - node.center));
        }
        areas[index] = area;
    }
}

// V = Σ a·(b × c) / 6, about the first vertex so that nothing is lost far from the origin.
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
