// The polygon primitives. Vertex, edge and face orders were verified against meshes saved by Maya.
#include "host/shapes/polyMesh.h"

#include <algorithm>
#include <cmath>

#include "host/graph/object.h"
#include "solver/core/math.h"

namespace purl::host {
namespace {

constexpr double kTwoPi = 6.283185307179586476925;

std::array<float, 3> point(double x, double y, double z) {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

void addFace(PolyMesh& mesh, std::initializer_list<int> vertices, std::initializer_list<int> uvs) {
    mesh.counts.push_back(static_cast<int>(vertices.size()));
    mesh.connects.insert(mesh.connects.end(), vertices);
    mesh.uvIds.insert(mesh.uvIds.end(), uvs);
}

void addEdge(PolyMesh& mesh, int a, int b, bool smooth) {
    mesh.edges.push_back({a, b});
    mesh.smooth.push_back(smooth ? 1 : 0);
}

void addUv(PolyMesh& mesh, double u, double v) { mesh.uvs.push_back({static_cast<float>(u), static_cast<float>(v)}); }

// In double precision, because the product of the subdivisions may overflow integers.
void checkFaces(double faces) {
    if (faces > kMaxFaces)
        throw Error("the subdivisions create " + shortest(faces) + " faces; the limit is " + shortest(kMaxFaces) +
                    "; use fewer subdivisions");
}

void finishUvs(PolyMesh& mesh, UvScale uvs) {
    if (uvs != UvScale::none) return;
    mesh.uvs.clear();
    mesh.uvIds.clear();
}

// Surface of revolution about y: rings of `sides` points from bottom to top. Each end is a pole or one n-gon.
struct Ring {
    double radius, y;
};
enum class End { pole, face };

struct Revolved {
    PolyMesh mesh;
    int rings = 0, sides = 0;
    int at(int ring, int k) const { return ring * sides + k % sides; }
};

// Vertices: ring by ring, then the bottom and the top pole. Edges: along the rings, between them, to the poles. Faces:
// rows of quads, then the bottom end, then the top end. Point k of a ring is at θ = 2π (k + 1) / sides.
Revolved revolve(const std::vector<Ring>& profile, int sides, End bottom, double bottomY, End top, double topY) {
    Revolved t;
    t.rings = static_cast<int>(profile.size());
    t.sides = sides;
    PolyMesh& m = t.mesh;
    for (const Ring& ring : profile)
        for (int k = 0; k < sides; ++k) {
            const double a = kTwoPi * (k + 1) / sides;
            m.points.push_back(point(purl::cos(a) * ring.radius, ring.y, -purl::sin(a) * ring.radius));
        }
    int bottomPole = -1, topPole = -1;
    if (bottom == End::pole) {
        bottomPole = static_cast<int>(m.points.size());
        m.points.push_back(point(0, bottomY, 0));
    }
    if (top == End::pole) {
        topPole = static_cast<int>(m.points.size());
        m.points.push_back(point(0, topY, 0));
    }

    for (int i = 0; i < t.rings; ++i)
        for (int k = 0; k < sides; ++k) addEdge(m, t.at(i, k), t.at(i, k + 1), true);
    for (int i = 0; i + 1 < t.rings; ++i)
        for (int k = 0; k < sides; ++k) addEdge(m, t.at(i, k), t.at(i + 1, k), true);
    if (bottom == End::pole)
        for (int k = 0; k < sides; ++k) addEdge(m, bottomPole, t.at(0, k), true);
    if (top == End::pole)
        for (int k = 0; k < sides; ++k) addEdge(m, t.at(t.rings - 1, k), topPole, true);

    for (int i = 0; i + 1 < t.rings; ++i)
        for (int k = 0; k < sides; ++k)
            addFace(m, {t.at(i, k), t.at(i, k + 1), t.at(i + 1, k + 1), t.at(i + 1, k)}, {});
    if (bottom == End::pole) {
        for (int k = 0; k < sides; ++k) addFace(m, {t.at(0, k + 1), t.at(0, k), bottomPole}, {});
    } else {
        m.counts.push_back(sides);
        for (int k = 0; k < sides; ++k) m.connects.push_back(t.at(0, sides - 1 - k));
    }
    if (top == End::pole) {
        for (int k = 0; k < sides; ++k) addFace(m, {t.at(t.rings - 1, k), t.at(t.rings - 1, k + 1), topPole}, {});
    } else {
        m.counts.push_back(sides);
        for (int k = 0; k < sides; ++k) m.connects.push_back(t.at(t.rings - 1, k));
    }
    return t;
}

void hardenRing(PolyMesh& mesh, int ring, int sides) {
    for (int k = 0; k < sides; ++k) mesh.smooth[ring * sides + k] = 0;
}

// Maya's UV layout of a cylinder or cone: the unwrapped side between the discs of the two caps.
constexpr double kDisc = 0.15625, kLabelLeft = 0.375, kLabelRight = 0.625, kLabelBottom = 0.3125, kLabelTop = 0.6875;

struct DiscUvs {
    PolyMesh& mesh;
    int sides;
    double centerV;
    double flip;  // −1 on the bottom, seen from below

    int addRing(double radius) const {
        const int first = static_cast<int>(mesh.uvs.size());
        for (int k = 0; k < sides; ++k) {
            const double a = kTwoPi * (k + 1) / sides;
            addUv(mesh, 0.5 + purl::cos(a) * radius, centerV + flip * purl::sin(a) * radius);
        }
        return first;
    }
};

// UVs of a surface of revolution with `capRings` rings inside each capped end and `sideRows` rows in between.
void addLabelUvs(Revolved& t, int capRings, int sideRows, bool capBelow, bool capAbove, bool poleBelow,
                 bool poleAbove) {
    PolyMesh& m = t.mesh;
    const int n = t.sides;
    // ids per ring: [ring] for the caps (n each), label rows (n + 1 each)
    std::vector<int> below, above, label;
    const DiscUvs bottom{m, n, kDisc, -1}, top{m, n, 1 - kDisc, 1};
    const int rims = std::max(capRings, 1);
    if (capBelow)
        for (int i = 0; i < rims; ++i) below.push_back(bottom.addRing(kDisc * (i + 1) / rims));
    const int labelRows = capAbove ? sideRows + 1 : sideRows;  // the side of a cone ends in its apex
    for (int i = 0; i < labelRows; ++i) {
        label.push_back(static_cast<int>(m.uvs.size()));
        for (int k = 0; k <= n; ++k)
            addUv(m, kLabelLeft + (kLabelRight - kLabelLeft) * k / n,
                  kLabelBottom + (kLabelTop - kLabelBottom) * i / sideRows);
    }
    if (capAbove)
        for (int i = 0; i < rims; ++i) above.push_back(top.addRing(kDisc * (rims - i) / rims));
    const int bottomCenter = static_cast<int>(m.uvs.size());
    if (capBelow && poleBelow) addUv(m, 0.5, kDisc);
    const int topCenter = static_cast<int>(m.uvs.size());
    if (poleAbove) addUv(m, 0.5, capAbove ? 1 - kDisc : kLabelTop);

    const auto disc = [n](int first, int k) { return first + k % n; };
    const int inner = capRings > 0 ? capRings - 1 : 0;  // rows of quads on each cap
    for (int row = 0; row + 1 < t.rings; ++row)
        for (int k = 0; k < n; ++k) {
            if (capBelow && row < inner)
                m.uvIds.insert(m.uvIds.end(), {disc(below[row], k), disc(below[row], k + 1),
                                               disc(below[row + 1], k + 1), disc(below[row + 1], k)});
            else if (capAbove && row >= t.rings - 1 - inner) {
                const int i = row - (t.rings - 1 - inner);
                m.uvIds.insert(m.uvIds.end(), {disc(above[i], k), disc(above[i], k + 1), disc(above[i + 1], k + 1),
                                               disc(above[i + 1], k)});
            } else {
                const int i = row - (capBelow ? inner : 0);
                m.uvIds.insert(m.uvIds.end(), {label[i] + k, label[i] + k + 1, label[i + 1] + k + 1, label[i + 1] + k});
            }
        }
    for (int k = 0; k < n; ++k) {
        if (poleBelow)
            m.uvIds.insert(m.uvIds.end(), {disc(below[0], k + 1), disc(below[0], k), bottomCenter});
        else
            m.uvIds.push_back(disc(below[0], n - 1 - k));
    }
    for (int k = 0; k < n; ++k) {
        if (!poleAbove)
            m.uvIds.push_back(disc(above.back(), k));
        else if (capAbove)
            m.uvIds.insert(m.uvIds.end(), {disc(above.back(), k), disc(above.back(), k + 1), topCenter});
        else
            m.uvIds.insert(m.uvIds.end(), {label.back() + k, label.back() + k + 1, topCenter});
    }
}

}  // namespace

// Rows along x from −w/2, the first at z = +h/2.
PolyMesh polyPlane(double width, double height, int subWidth, int subHeight, UvScale uvs) {
    const int nx = std::max(subWidth, 1), ny = std::max(subHeight, 1);
    checkFaces(double(nx) * ny);
    PolyMesh m;
    const auto at = [nx](int i, int j) { return j * (nx + 1) + i; };
    const double longest = std::max(width, height);
    const double du = uvs == UvScale::keepAspect && longest > 0 ? width / longest : 1;
    const double dv = uvs == UvScale::keepAspect && longest > 0 ? height / longest : 1;
    for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i) {
            const double s = static_cast<double>(i) / nx, t = static_cast<double>(j) / ny;
            m.points.push_back(point(width * (s - 0.5), 0, height * (0.5 - t)));
            addUv(m, s * du, t * dv);
        }
    // Per grid point: the edge along the row, then the edge to the next row.
    for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i) {
            if (i < nx) addEdge(m, at(i, j), at(i + 1, j), j > 0 && j < ny);
            if (j < ny) addEdge(m, at(i, j), at(i, j + 1), i > 0 && i < nx);
        }
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            const int a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
            addFace(m, {a, b, c, d}, {a, b, c, d});
        }
    finishUvs(m, uvs);
    return m;
}

// A band of rows around front, top, back and bottom, then the inner points of the right and left sides.
PolyMesh polyCube(double width, double height, double depth, int subWidth, int subHeight, int subDepth, UvScale uvs) {
    const int nw = std::max(subWidth, 1), nh = std::max(subHeight, 1), nd = std::max(subDepth, 1);
    checkFaces(2 * (double(nw) * nh + double(nh) * nd + double(nd) * nw));
    const int rows = 2 * (nh + nd), cols = nw + 1;
    PolyMesh m;
    const auto band = [=](int row, int k) { return (row % rows) * cols + k; };

    // Position of a row in the y z plane.
    const auto rowPoint = [=](int row) -> std::array<double, 2> {
        if (row < nh) return {height * (static_cast<double>(row) / nh - 0.5), depth / 2};
        row -= nh;
        if (row < nd) return {height / 2, depth * (0.5 - static_cast<double>(row) / nd)};
        row -= nd;
        if (row < nh) return {height * (0.5 - static_cast<double>(row) / nh), -depth / 2};
        row -= nh;
        return {-height / 2, depth * (static_cast<double>(row) / nd - 0.5)};
    };
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k <= nw; ++k) {
            const auto [y, z] = rowPoint(row);
            m.points.push_back(point(width * (static_cast<double>(k) / nw - 0.5), y, z));
        }
    // Inner points of a side: bottom to top; front to back on the right, back to front on the left.
    const int rightBase = static_cast<int>(m.points.size());
    for (int b = 1; b < nh; ++b)
        for (int a = 1; a < nd; ++a)
            m.points.push_back(point(width / 2, height * (static_cast<double>(b) / nh - 0.5),
                                     depth * (0.5 - static_cast<double>(a) / nd)));
    const int leftBase = static_cast<int>(m.points.size());
    for (int b = 1; b < nh; ++b)
        for (int a = 1; a < nd; ++a)
            m.points.push_back(point(-width / 2, height * (static_cast<double>(b) / nh - 0.5),
                                     depth * (static_cast<double>(a) / nd - 0.5)));
    // Point (a, b) of a side: a steps from the front, b from the bottom. Points on its border belong to the band.
    const auto rim = [=](int a, int b, int k) {
        if (a == 0) return band(b, k);
        if (b == nh) return band(nh + a, k);
        if (a == nd) return band(2 * nh + nd - b, k);
        return band(2 * nh + 2 * nd - a, k);
    };
    const auto inside = [=](int a, int b) { return a > 0 && a < nd && b > 0 && b < nh; };
    const auto right = [=](int a, int b) {
        return inside(a, b) ? rightBase + (b - 1) * (nd - 1) + a - 1 : rim(a, b, nw);
    };
    const auto left = [=](int a, int b) {  // a steps from the back
        return inside(a, b) ? leftBase + (b - 1) * (nd - 1) + a - 1 : rim(nd - a, b, 0);
    };

    const auto corner = [=](int row) { return row % rows == 0 || row == nh || row == nh + nd || row == 2 * nh + nd; };
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < nw; ++k) addEdge(m, band(row, k), band(row, k + 1), !corner(row));
    for (int row = 0; row < rows; ++row)
        for (int k = 0; k <= nw; ++k) addEdge(m, band(row, k), band(row + 1, k), k > 0 && k < nw);
    const auto sideEdges = [&](auto at) {
        for (int b = 1; b < nh; ++b)
            for (int a = 0; a < nd; ++a) addEdge(m, at(a, b), at(a + 1, b), true);
        for (int b = 0; b < nh; ++b)
            for (int a = 1; a < nd; ++a) addEdge(m, at(a, b), at(a, b + 1), true);
    };
    sideEdges(right);
    sideEdges(left);

    // UVs as an unfolded cross: left, front and right in a row; front, top, back and bottom in a column.
    const double spanU = 2 * depth + width, spanV = 2 * (height + depth), longest = std::max(spanU, spanV);
    const bool keep = uvs == UvScale::keepAspect;
    const double su = longest > 0 ? 1 / (keep ? longest : spanU) : 0,
                 sv = longest > 0 ? 1 / (keep ? longest : spanV) : 0;
    const double u0 = (1 - spanU * su) / 2, v0 = (1 - spanV * sv) / 2;
    const auto rowV = [=](int row) {
        double length = 0;
        for (const auto& [count, size] : {std::pair(nh, height), {nd, depth}, {nh, height}, {nd, depth}}) {
            const int steps = std::min(row, count);
            length += size * steps / count;
            row -= steps;
        }
        return v0 + length * sv;
    };
    for (int row = 0; row <= rows; ++row)
        for (int k = 0; k <= nw; ++k) addUv(m, u0 + (depth + width * k / nw) * su, rowV(row));
    const int rightUv = static_cast<int>(m.uvs.size());
    for (int b = 0; b <= nh; ++b)
        for (int a = 1; a <= nd; ++a) addUv(m, u0 + (depth + width + depth * a / nd) * su, rowV(b));
    const int leftUv = static_cast<int>(m.uvs.size());
    for (int b = 0; b <= nh; ++b)
        for (int a = 0; a < nd; ++a) addUv(m, u0 + depth * a / nd * su, rowV(b));
    const auto rightUvAt = [=](int a, int b) { return a == 0 ? b * cols + nw : rightUv + b * nd + a - 1; };
    const auto leftUvAt = [=](int a, int b) { return a == nd ? b * cols : leftUv + b * nd + a; };

    for (int row = 0; row < rows; ++row)
        for (int k = 0; k < nw; ++k) {
            const int uv = row * cols + k;
            addFace(m, {band(row, k), band(row, k + 1), band(row + 1, k + 1), band(row + 1, k)},
                    {uv, uv + 1, uv + cols + 1, uv + cols});
        }
    const auto sideFaces = [&](auto at, auto uvAt) {
        for (int b = 0; b < nh; ++b)
            for (int a = 0; a < nd; ++a)
                addFace(m, {at(a, b), at(a + 1, b), at(a + 1, b + 1), at(a, b + 1)},
                        {uvAt(a, b), uvAt(a + 1, b), uvAt(a + 1, b + 1), uvAt(a, b + 1)});
    };
    sideFaces(right, rightUvAt);
    sideFaces(left, leftUvAt);
    finishUvs(m, uvs);
    return m;
}

PolyMesh polySphere(double radius, int subAxis, int subHeight, UvScale uvs) {
    const int n = std::max(subAxis, 3), rows = std::max(subHeight, 2);
    checkFaces(double(n) * rows);
    std::vector<Ring> profile;
    for (int i = 1; i < rows; ++i) {
        const double latitude = kTwoPi / 2 * (static_cast<double>(i) / rows - 0.5);
        profile.push_back({radius * purl::cos(latitude), radius * purl::sin(latitude)});
    }
    Revolved t = revolve(profile, n, End::pole, -radius, End::pole, radius);
    PolyMesh& m = t.mesh;
    for (int i = 1; i < rows; ++i)
        for (int k = 0; k <= n; ++k) addUv(m, static_cast<double>(k) / n, static_cast<double>(i) / rows);
    const int bottom = static_cast<int>(m.uvs.size());
    for (int k = 0; k < n; ++k) addUv(m, (k + 0.5) / n, 0);
    const int top = static_cast<int>(m.uvs.size());
    for (int k = 0; k < n; ++k) addUv(m, (k + 0.5) / n, 1);
    const auto at = [n](int i, int k) { return i * (n + 1) + k; };
    for (int i = 0; i + 2 < rows; ++i)
        for (int k = 0; k < n; ++k)
            m.uvIds.insert(m.uvIds.end(), {at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    for (int k = 0; k < n; ++k) m.uvIds.insert(m.uvIds.end(), {at(0, k + 1), at(0, k), bottom + k});
    for (int k = 0; k < n; ++k) m.uvIds.insert(m.uvIds.end(), {at(rows - 2, k), at(rows - 2, k + 1), top + k});
    finishUvs(m, uvs);
    return std::move(t.mesh);
}

PolyMesh polyCylinder(double radius, double height, int subAxis, int subHeight, int subCaps, UvScale uvs) {
    const int n = std::max(subAxis, 3), rows = std::max(subHeight, 1), caps = std::max(subCaps, 0);
    checkFaces(double(n) * (rows + 2.0 * caps));
    std::vector<Ring> profile;
    for (int i = 1; i < caps; ++i) profile.push_back({radius * i / caps, -height / 2});
    const int firstSide = static_cast<int>(profile.size());
    for (int i = 0; i <= rows; ++i) profile.push_back({radius, height * (static_cast<double>(i) / rows - 0.5)});
    for (int i = caps - 1; i > 0; --i) profile.push_back({radius * i / caps, height / 2});
    const End end = caps > 0 ? End::pole : End::face;
    Revolved t = revolve(profile, n, end, -height / 2, end, height / 2);
    hardenRing(t.mesh, firstSide, n);
    hardenRing(t.mesh, firstSide + rows, n);
    addLabelUvs(t, caps, rows, true, true, caps > 0, caps > 0);
    finishUvs(t.mesh, uvs);
    return std::move(t.mesh);
}

PolyMesh polyCone(double radius, double height, int subAxis, int subHeight, int subCaps, UvScale uvs) {
    const int n = std::max(subAxis, 3), rows = std::max(subHeight, 1), caps = std::max(subCaps, 0);
    checkFaces(double(n) * (double(rows) + caps));
    std::vector<Ring> profile;
    for (int i = 1; i < caps; ++i) profile.push_back({radius * i / caps, -height / 2});
    const int firstSide = static_cast<int>(profile.size());
    for (int i = 0; i < rows; ++i) {
        const double f = static_cast<double>(i) / rows;
        profile.push_back({radius * (1 - f), height * (f - 0.5)});
    }
    Revolved t = revolve(profile, n, caps > 0 ? End::pole : End::face, -height / 2, End::pole, height / 2);
    hardenRing(t.mesh, firstSide, n);
    addLabelUvs(t, caps, rows, true, false, caps > 0, true);
    finishUvs(t.mesh, uvs);
    return std::move(t.mesh);
}

// Rings about y, starting at the inner side of the tube, going down, out and up; `twist` rotates the section.
PolyMesh polyTorus(double radius, double sectionRadius, double twist, int subAxis, int subHeight, UvScale uvs) {
    const int n = std::max(subAxis, 3), rows = std::max(subHeight, 3);
    checkFaces(double(n) * rows);
    PolyMesh m;
    const auto at = [=](int i, int k) { return i % rows * n + k % n; };
    for (int i = 0; i < rows; ++i) {
        const double around = kTwoPi * i / rows + kTwoPi / 2 + twist;
        const double r = radius + sectionRadius * purl::cos(around), y = sectionRadius * purl::sin(around);
        for (int k = 0; k < n; ++k) {
            const double a = kTwoPi * (k + 1) / n;
            m.points.push_back(point(r * purl::cos(a), y, -r * purl::sin(a)));
        }
    }
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < n; ++k) addEdge(m, at(i, k), at(i, k + 1), true);
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < n; ++k) addEdge(m, at(i, k), at(i + 1, k), true);
    for (int i = 0; i <= rows; ++i)
        for (int k = 0; k <= n; ++k) addUv(m, static_cast<double>(k) / n, static_cast<double>(i) / rows);
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < n; ++k) {
            const int uv = i * (n + 1) + k;
            addFace(m, {at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)}, {uv, uv + 1, uv + n + 2, uv + n + 1});
        }
    finishUvs(m, uvs);
    return m;
}

void placeOnAxis(PolyMesh& mesh, const Vec3d& axis, double slideY) {
    const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const Vec3d d = length > 0 ? Vec3d{axis[0] / length, axis[1] / length, axis[2] / length} : Vec3d{0, 1, 0};
    Mat4d turn = kIdentity;
    if (d[1] < -1 + 1e-12) {
        turn = scaling({1, -1, -1});  // half a turn about x
    } else {
        // Rodrigues' formula for the rotation from y to d about k = y × d = (d_z, 0, −d_x): R = I + [k] + [k]² / (1 +
        // d_y)
        const double f = 1 / (1 + d[1]);
        turn = {1 - d[0] * d[0] * f,
                -d[0],
                -d[0] * d[2] * f,
                0,  //
                d[0],
                d[1],
                d[2],
                0,  //
                -d[0] * d[2] * f,
                -d[2],
                1 - d[2] * d[2] * f,
                0,  //
                0,
                0,
                0,
                1};
    }
    transformPoints(mesh, multiply(translation({0, slideY, 0}), turn));
}

void transformPoints(PolyMesh& mesh, const Mat4d& matrix) {
    if (matrix == kIdentity) return;
    for (std::array<float, 3>& p : mesh.points) {
        const Vec3d q = transformPoint({p[0], p[1], p[2]}, matrix);
        p = point(q[0], q[1], q[2]);
    }
}

std::string check(const PolyMesh& mesh) {
    std::size_t at = 0;
    const int vertices = static_cast<int>(mesh.points.size());
    for (std::size_t f = 0; f < mesh.counts.size(); ++f) {
        const std::string face = "face " + std::to_string(f);
        if (mesh.counts[f] < 3)
            return face + " has " + std::to_string(mesh.counts[f]) + " vertices, expected 3 or more";
        if (at + mesh.counts[f] > mesh.connects.size()) return face + " has no vertices left";
        for (int i = 0; i < mesh.counts[f]; ++i) {
            const int v = mesh.connects[at + i];
            if (v < 0 || v >= vertices)
                return face + " refers to vertex " + std::to_string(v) + " of " + std::to_string(vertices);
        }
        at += mesh.counts[f];
    }
    if (at != mesh.connects.size()) return std::to_string(mesh.connects.size() - at) + " vertices belong to no face";
    return "";
}

}  // namespace purl::host
