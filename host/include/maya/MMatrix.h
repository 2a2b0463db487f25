// MMatrix: 4×4 in double precision, row-major; points are row vectors, so the translation is the last row.
#pragma once
#include <maya/MStatus.h>

#include <ostream>

namespace Autodesk::Maya::OpenMayaHost {

constexpr double MMatrix_kTol = 1.0e-10;

class MMatrix {
  public:
    double matrix[4][4];

    MMatrix() { setToIdentity(); }
    explicit MMatrix(const double m[4][4]);
    explicit MMatrix(const float m[4][4]);

    double& operator()(unsigned int row, unsigned int col) { return matrix[row][col]; }
    double operator()(unsigned int row, unsigned int col) const { return matrix[row][col]; }
    double* operator[](unsigned int row) { return matrix[row]; }
    const double* operator[](unsigned int row) const { return matrix[row]; }
    MStatus get(double m[4][4]) const;
    MStatus get(float m[4][4]) const;

    MMatrix& setToIdentity();
    MMatrix& setToProduct(const MMatrix& left, const MMatrix& right) { return *this = left * right; }
    MMatrix operator*(const MMatrix& o) const;
    MMatrix& operator*=(const MMatrix& o) { return *this = *this * o; }
    MMatrix operator+(const MMatrix& o) const;
    MMatrix operator-(const MMatrix& o) const;
    MMatrix operator*(double s) const;
    bool operator==(const MMatrix& o) const;
    bool operator!=(const MMatrix& o) const { return !(*this == o); }

    MMatrix transpose() const;
    MMatrix inverse() const;  // for a singular matrix unspecified but finite; check isSingular first
    double det4x4() const;
    double det3x3() const;
    bool isSingular() const;
    bool isEquivalent(const MMatrix& o, double tolerance = MMatrix_kTol) const;

    static const MMatrix identity;
};

std::ostream& operator<<(std::ostream& out, const MMatrix& m);

}  // namespace Autodesk::Maya::OpenMayaHost
