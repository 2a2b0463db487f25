#include "solver/cloth/approximate.h"

#include <algorithm>
#include <cmath>

#include "solver/cloth/forces.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

// kg, that an element adds to the matrix.
PURL_HD inline float heft(float stiffness, float lag, float dt) { return (dt * dt + dt * lag) * stiffness; }

// Δt f − Δt² k Σ cᵢ vᵢ of each element, from its force f.
struct DriveElements {
    Elements elements;
    const Vec3* v;
    float dt;
    Span<Vec3> element;

    PURL_HD void operator()(int e) const {
        element[e] = dt * element[e] - (dt * dt * elements.stiffness(e)) * elements.difference(e, v);
    }
};

// kg·m/s, on each point.
void drive(const Fabric& fabric, float dt, const Vec3* x, const Vec3* v, const Vec3* damped, Buffer<Vec3>& element,
           Buffer<Vec3>& result) {
    const Device& device = fabric.springs.device();
    result.renew(fabric.count());
    innerForces(fabric, x, damped ? damped : v, element, result.data());
    forEach(device, "driveElements", fabric.elementCount(), DriveElements{fabric.elements(), v, dt, element.span()});
    forEach(device, "gatherForces", fabric.count(),
            GatherForces{fabric.starts.span(), fabric.parts.span(), element.span(), result.data()});
}

// A point's row of the matrix: its diagonal, and what its springs' other ends add.
struct RowOf {
    Elements elements;
    Span<const int> starts;
    Span<const Part> parts;
    Span<const float> inverseMass;
    float dt;

    PURL_HD float diagonal(int i) const {
        float sum = 1 / inverseMass[i];
        for (int p = starts[i]; p < starts[i + 1]; ++p) {
            const int e = parts[p].element;
            sum += square(parts[p].weight) * heft(elements.stiffness(e), elements.lag(e), dt);
        }
        return sum;
    }
};

// What each point would do if its neighbours stood still.
struct Guess {
    RowOf row;
    Span<const Vec3> drive;
    Span<Vec3> guess;
    PURL_HD void operator()(int i) const { guess[i] = row.inverseMass[i] > 0 ? drive[i] / row.diagonal(i) : Vec3{}; }
};

// And with them doing that.   Δvᵢ = (rᵢ + Σⱼ hᵢⱼ rⱼ/(mⱼ + Σ h)) / (mᵢ + Σ h)
struct Conclude {
    RowOf row;
    Span<const Vec3> drive, guess;
    Vec3* v;
    PURL_HD void operator()(int i) const {
        if (!(row.inverseMass[i] > 0)) return;
        Vec3 sum = drive[i];
        for (int p = row.starts[i]; p < row.starts[i + 1]; ++p) {
            const int e = row.parts[p].element;
            if (!row.elements.isSpring(e)) continue;
            const Spring& spring = row.elements.springs[e];
            sum += heft(spring.stiffness, spring.lag, row.dt) * guess[spring.a == i ? spring.b : spring.a];
        }
        v[i] += sum / row.diagonal(i);
    }
};

}  // namespace

void NeighborEstimate::solve(const Fabric& fabric, float dt, const Vec3* x, Vec3* v, const Vec3* damped) {
    const Device& device = fabric.springs.device();
    drive(fabric, dt, x, v, damped, element_, drive_);
    guess_.renew(fabric.count());
    const RowOf row{fabric.elements(), fabric.starts.span(), fabric.parts.span(), fabric.inverseMass.span(), dt};
    forEach(device, "guess", fabric.count(), Guess{row, drive_.span(), guess_.span()});
    forEach(device, "conclude", fabric.count(), Conclude{row, drive_.span(), guess_.span(), v});
}

void PrecomputedFilter::factor(const Fabric& fabric, float dt) {
    const int count = fabric.count();
    width_ = 0;
    for (const Spring& spring : fabric.springs) width_ = std::max(width_, std::abs(spring.a - spring.b));
    for (const Bend& bend : fabric.bends) {
        const auto [low, high] = std::minmax_element(bend.v, bend.v + 4);
        width_ = std::max(width_, *high - *low);
    }
    const size_t row = static_cast<size_t>(width_) + 1, size = row * static_cast<size_t>(count);
    constexpr size_t kMost = size_t(1) << 28;  // 2 GB
    if (size > kMost)
        throw Error(fabric.name() + ": precomputedFilter would need more than 2 GB for " + std::to_string(count) +
                    " points; implicitEuler needs none of it");
    std::vector<double> matrix(size);
    const auto entry = [&](int i, int j) -> double& {
        return matrix[static_cast<size_t>(std::max(i, j)) * row + static_cast<size_t>(width_ - std::abs(i - j))];
    };
    const auto isFree = [&](int i) { return fabric.inverseMass[i] > 0; };
    for (int i = 0; i < count; ++i) entry(i, i) = isFree(i) ? 1 / double(fabric.inverseMass[i]) : 1;
    const auto add = [&](int i, int j, double value) {
        if (isFree(i) && isFree(j) && i >= j) entry(i, j) += value;
    };
    for (const Spring& spring : fabric.springs) {
        const double value = heft(spring.stiffness, spring.lag, dt);
        add(spring.a, spring.a, value);
        add(spring.b, spring.b, value);
        add(std::max(spring.a, spring.b), std::min(spring.a, spring.b), -value);
    }
    for (const Bend& bend : fabric.bends)
        for (int k = 0; k < 4; ++k)
            for (int l = 0; l < 4; ++l)
                if (bend.c[k] != 0 && bend.c[l] != 0)
                    add(bend.v[k], bend.v[l],
                        double(heft(bend.stiffness, bend.lag, dt)) * double(bend.c[k]) * double(bend.c[l]));
    if (matrix == matrix_) return;
    matrix_ = matrix;
    // Cholesky, row by row within the band:   L Lᵀ = A
    for (int i = 0; i < count; ++i)
        for (int j = std::max(0, i - width_); j <= i; ++j) {
            double sum = entry(i, j);
            for (int k = std::max(0, i - width_); k < j; ++k)
                if (j - k <= width_) sum -= entry(i, k) * entry(j, k);
            entry(i, j) = i == j ? std::sqrt(sum) : sum / entry(j, j);
        }
    band_.swap(matrix);
    ++factored_;
}

void PrecomputedFilter::solve(const Fabric& fabric, float dt, const Vec3* x, Vec3* v, const Vec3* damped) {
    drive(fabric, dt, x, v, damped, element_, drive_);
    fabric.springs.device().synchronize();
    factor(fabric, dt);
    const int count = fabric.count();
    const size_t row = static_cast<size_t>(width_) + 1;
    const auto entry = [&](int i, int j) {
        return band_[static_cast<size_t>(i) * row + static_cast<size_t>(width_ - (i - j))];
    };
    for (int axis = 0; axis < 3; ++axis) {
        side_.resize(static_cast<size_t>(count));
        for (int i = 0; i < count; ++i) {
            double sum = fabric.inverseMass[i] > 0 ? double(drive_[i][axis]) : 0;
            for (int j = std::max(0, i - width_); j < i; ++j) sum -= entry(i, j) * side_[static_cast<size_t>(j)];
            side_[static_cast<size_t>(i)] = sum / entry(i, i);
        }
        for (int i = count - 1; i >= 0; --i) {
            double& own = side_[static_cast<size_t>(i)];
            own /= entry(i, i);
            for (int j = std::max(0, i - width_); j < i; ++j) side_[static_cast<size_t>(j)] -= entry(i, j) * own;
            if (fabric.inverseMass[i] > 0) v[i][axis] += static_cast<float>(own);
        }
    }
}

}  // namespace purl
