// MFloatMatrix: 4×4 in single precision, row-major; points are row vectors, so the translation is the last row.
#pragma once
#include <maya/MStatus.h>

namespace Autodesk::Maya::OpenMayaHost {

class MFloatMatrix {
  public:
    float matrix[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

    MFloatMatrix() = default;
    explicit MFloatMatrix(const float m[4][4]);

    float& operator()(unsigned int row, unsigned int col) { return matrix[row][col]; }
    float operator()(unsigned int row, unsigned int col) const { return matrix[row][col]; }
    float* operator[](unsigned int row) { return matrix[row]; }
    const float* operator[](unsigned int row) const { return matrix[row]; }
    MStatus get(float m[4][4]) const;
    bool operator==(const MFloatMatrix& o) const;
    bool operator!=(const MFloatMatrix& o) const { return !(*this == o); }
};

}  // namespace Autodesk::Maya::OpenMayaHost
