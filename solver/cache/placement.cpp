#include "solver/cache/placement.h"

#include <algorithm>
#include <cstring>

#include "solver/cache/attributes.h"
#include "solver/core/math.h"

namespace purl {
namespace {

// Cofactors of the linear part: its inverse, transposed, times its determinant.
std::array<std::array<double, 3>, 3> cofactors(const Placement& p) {
    std::array<std::array<double, 3>, 3> c;
    for (size_t i = 0; i < 3; ++i)
        for (size_t k = 0; k < 3; ++k) {
            const size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            c[i][k] = p.m[i1][k1] * p.m[i2][k2] - p.m[i1][k2] * p.m[i2][k1];
        }
    return c;
}

template <class Item>
void applyToChannels(const Placement& placement, Item& item) {
    if (placement == Placement()) return;
    const auto scale = static_cast<float>(cbrt(std::fabs(placement.determinant())));
    Item::channels(item, [&](const char* name, auto& channel, bool isLength) {
        using T = typename std::remove_reference_t<decltype(channel)>::value_type;
        if (channel.empty()) return;
        if constexpr (std::is_same_v<T, Vec3>) {
            const bool isPoint = std::strcmp(name, "position") == 0 || std::strcmp(name, "restPosition") == 0;
            const bool isNormal = std::strcmp(name, "normal") == 0;
            if (isPoint || isNormal || isLength)
                for (Vec3& v : channel.edit())
                    v = isPoint ? placement.point(v) : isNormal ? placement.normal(v) : placement.vector(v);
        } else if constexpr (std::is_same_v<T, float>) {
            if (isLength)
                for (float& length : channel.edit()) length *= scale;
        }
    });
}

}  // namespace

Placement Placement::translation(double x, double y, double z) {
    Placement p;
    p.m[3] = {x, y, z, 1};
    return p;
}

Placement Placement::scaling(double x, double y, double z) {
    Placement p;
    p.m[0][0] = x;
    p.m[1][1] = y;
    p.m[2][2] = z;
    return p;
}

Placement Placement::rotation(double x, double y, double z, double degrees) {
    const double size = std::sqrt(x * x + y * y + z * z);
    if (!(size > 0)) return {};
    constexpr double kPi = 3.14159265358979323846;
    const double angle = degrees * (kPi / 180), s = sin(angle), c = cos(angle);
    const double a[3] = {x / size, y / size, z / size};
    // Rodrigues: R = c I + (1 − c) a aᵀ + s [a]×, transposed for row vectors.
    Placement p;
    const double across[3][3] = {{0, a[2], -a[1]}, {-a[2], 0, a[0]}, {a[1], -a[0], 0}};
    for (size_t i = 0; i < 3; ++i)
        for (size_t k = 0; k < 3; ++k) p.m[i][k] = (i == k ? c : 0) + (1 - c) * a[i] * a[k] + s * across[i][k];
    return p;
}

Vec3 Placement::vector(Vec3 v) const {
    Vec3 out;
    for (int k = 0; k < 3; ++k) {
        const auto column = static_cast<size_t>(k);
        out[k] = static_cast<float>(static_cast<double>(v.x) * m[0][column] + static_cast<double>(v.y) * m[1][column] +
                                    static_cast<double>(v.z) * m[2][column]);
    }
    return out;
}

Vec3 Placement::point(Vec3 p) const {
    const auto along = [&](size_t k) {
        return static_cast<float>(static_cast<double>(p.x) * m[0][k] + static_cast<double>(p.y) * m[1][k] +
                                  static_cast<double>(p.z) * m[2][k] + m[3][k]);
    };
    return {along(0), along(1), along(2)};
}

Vec3 Placement::normal(Vec3 n) const {
    const auto c = cofactors(*this);
    const double sign = determinant() < 0 ? -1 : 1;
    double out[3];
    for (size_t k = 0; k < 3; ++k)
        out[k] = sign * (static_cast<double>(n.x) * c[0][k] + static_cast<double>(n.y) * c[1][k] +
                         static_cast<double>(n.z) * c[2][k]);
    const double size = std::sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    if (!(size > 0)) return n;
    return {static_cast<float>(out[0] / size), static_cast<float>(out[1] / size), static_cast<float>(out[2] / size)};
}

double Placement::determinant() const {
    const auto c = cofactors(*this);
    return m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
}

Placement Placement::inverse() const {
    const auto c = cofactors(*this);
    const double det = determinant();
    if (!(det != 0)) return {};
    Placement inverse;
    for (size_t i = 0; i < 3; ++i)
        for (size_t k = 0; k < 3; ++k) inverse.m[i][k] = c[k][i] / det;
    for (size_t k = 0; k < 3; ++k)
        inverse.m[3][k] = -(m[3][0] * inverse.m[0][k] + m[3][1] * inverse.m[1][k] + m[3][2] * inverse.m[2][k]);
    return inverse;
}

Placement operator*(const Placement& a, const Placement& b) {
    Placement product;
    for (size_t i = 0; i < 4; ++i)
        for (size_t k = 0; k < 4; ++k) {
            double sum = 0;
            for (size_t j = 0; j < 4; ++j) sum += a.m[i][j] * b.m[j][k];
            product.m[i][k] = sum;
        }
    return product;
}

void apply(const Placement& placement, Points& points) { applyToChannels(placement, points); }
void apply(const Placement& placement, Curves& curves) { applyToChannels(placement, curves); }

void apply(const Placement& placement, Mesh& mesh) {
    applyToChannels(placement, mesh);
    if (placement.determinant() >= 0) return;
    // Mirrored faces would be seen from behind.
    std::vector<int>& triangles = mesh.triangles.edit();
    for (size_t t = 0; t + 2 < triangles.size(); t += 3) std::swap(triangles[t + 1], triangles[t + 2]);
    reverseFaces(mesh.faces);
}

}  // namespace purl
