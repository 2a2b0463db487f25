// An affine transform as Alembic and USD store it, applied to the items of a frame.
#pragma once
#include <array>

#include "solver/frame.h"

namespace purl {

// Row vectors: p' = p M, so that A * B applies A first.
struct Placement {
    std::array<std::array<double, 4>, 4> m{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

    static Placement translation(double x, double y, double z);
    static Placement scaling(double x, double y, double z);
    // About an axis of any length, counter-clockwise as seen against it; the identity if the axis is zero.
    static Placement rotation(double x, double y, double z, double degrees);

    bool operator==(const Placement& other) const { return m == other.m; }
    Vec3 point(Vec3 p) const;
    Vec3 vector(Vec3 v) const;
    // The three rows of the inverse's transpose, for normals.
    Vec3 normal(Vec3 n) const;
    double determinant() const;  // negative if it mirrors
    Placement inverse() const;   // the identity if there is none
};
Placement operator*(const Placement& a, const Placement& b);

void apply(const Placement& placement, Points& points);
void apply(const Placement& placement, Mesh& mesh);
void apply(const Placement& placement, Curves& curves);

}  // namespace purl
