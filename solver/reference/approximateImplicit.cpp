#include "solver/reference/approximateImplicit.h"

#include <algorithm>
#include <cmath>

#include "solver/cloth/forces.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"

namespace purl {
namespace {

// Diagonal entry of an element in the system matrix, kg.
PURL_HD inline float effectiveMass(float stiffness, float dampingTime, float dt) {
    return (dt * dt + dt * dampingTime) * stiffness;
}

// Element part of the right-hand side, Δt f − Δt² k Σ cᵢ vᵢ, from its force f.
struct RightSideElements {
    Elements elements;
    const Vec3* v;
    float dt;
    Span<Vec3> element;

    PURL_HD void operator()(int e) const {
        element[e] = dt * element[e] - (dt * dt * elements.stiffness(e)) * elements.difference(e, v);
    }
};

// Right-hand side, kg·m/s, per point.
void rightSide(const Fabric& fabric, float dt, const Vec3* x, const Vec3* v, const Vec3* damped, Buffer<Vec3>& element,
               Buffer<Vec3>& result) {
    const Device& device = fabric.springs.device();
    result.resizeDiscard(fabric.count());
    internalForces(fabric, x, damped ? damped : v, element, result.data());
    forEach(device, "rightSideElements", fabric.elementCount(),
            RightSideElements{fabric.elements(), v, dt, element.span()});
    forEach(device, "gatherForces", fabric.count(),
            GatherForces{fabric.incidenceStarts.span(), fabric.incidences.span(), element.span(), result.data()});
}

// Access to a point's row of the system matrix.
struct MatrixRow {
    Elements elements;
    Span<const int> incidenceStarts;
    Span<const Incidence> incidences;
    Span<const float> inverseMass;
    float dt;

    PURL_HD float diagonal(int i) const {
        float sum = 1 / inverseMass[i];
        for (int p = incidenceStarts[i]; p < incidenceStarts[i + 1]; ++p) {
            const int e = incidences[p].element;
            sum += square(incidences[p].weight) * effectiveMass(elements.stiffness(e), elements.dampingTime(e), dt);
        }
        return sum;
    }
};

// First estimate: neighbours at rest.
struct EstimateAlone {
    MatrixRow row;
    Span<const Vec3> rightSide;
    Span<Vec3> estimate;
    PURL_HD void operator()(int i) const {
        estimate[i] = row.inverseMass[i] > 0 ? rightSide[i] / row.diagonal(i) : Vec3{};
    }
};

// Second estimate: neighbours move as in the first.   Δvᵢ = (rᵢ + Σⱼ hᵢⱼ rⱼ/(mⱼ + Σ h)) / (mᵢ + Σ h)
struct ApplyEstimates {
    MatrixRow row;
    Span<const Vec3> rightSide, estimate;
    Vec3* v;
    PURL_HD void operator()(int i) const {
        if (!(row.inverseMass[i] > 0)) return;
        Vec3 sum = rightSide[i];
        for (int p = row.incidenceStarts[i]; p < row.incidenceStarts[i + 1]; ++p) {
            const int e = row.incidences[p].element;
            if (!row.elements.isSpring(e)) continue;
            const Spring& spring = row.elements.springs[e];
            sum += effectiveMass(spring.stiffness, spring.dampingTime, row.dt) *
                   estimate[spring.a == i ? spring.b : spring.a];
        }
        v[i] += sum / row.diagonal(i);
    }
};

}  // namespace

void NeighborEstimate::solve(const Fabric& fabric, float dt, const Vec3* x, Vec3* v, const Vec3* damped) {
    const Device& device = fabric.springs.device();
    rightSide(fabric, dt, x, v, damped, element_, rightSide_);
    estimate_.resizeDiscard(fabric.count());
    const MatrixRow row{fabric.elements(), fabric.incidenceStarts.span(), fabric.incidences.span(),
                        fabric.inverseMass.span(), dt};
    forEach(device, "estimate", fabric.count(), EstimateAlone{row, rightSide_.span(), estimate_.span()});
    forEach(device, "applyEstimates", fabric.count(), ApplyEstimates{row, rightSide_.span(), estimate_.span(), v});
}

void PrecomputedFilter::factor(const Fabric& fabric, float dt) {
    const int count = fabric.count();
    const HostReader<Spring> springs = readOnHost(fabric.springs);
    const HostReader<Bend> bends = readOnHost(fabric.bends);
    const HostReader<float> inverseMass = readOnHost(fabric.inverseMass);
    bandwidth_ = 0;
    for (const Spring& spring : springs) bandwidth_ = std::max(bandwidth_, std::abs(spring.a - spring.b));
    for (const Bend& bend : bends) {
        const auto [low, high] = std::minmax_element(bend.v, bend.v + 4);
        bandwidth_ = std::max(bandwidth_, *high - *low);
    }
    const size_t row = static_cast<size_t>(bandwidth_) + 1, size = row * static_cast<size_t>(count);
    constexpr size_t kMaxEntries = size_t(1) << 28;  // 2 GB
    if (size > kMaxEntries)
        throw Error(fabric.name() + ": precomputedFilter would need more than 2 GB for " + std::to_string(count) +
                    " points; use implicitEuler, which stores no matrix");
    std::vector<double> matrix(size);
    const auto entry = [&](int i, int j) -> double& {
        return matrix[static_cast<size_t>(std::max(i, j)) * row + static_cast<size_t>(bandwidth_ - std::abs(i - j))];
    };
    const auto isFree = [&](int i) { return inverseMass[i] > 0; };
    for (int i = 0; i < count; ++i) entry(i, i) = isFree(i) ? 1 / double(inverseMass[i]) : 1;
    const auto add = [&](int i, int j, double value) {
        if (isFree(i) && isFree(j) && i >= j) entry(i, j) += value;
    };
    for (const Spring& spring : springs) {
        const double value = effectiveMass(spring.stiffness, spring.dampingTime, dt);
        add(spring.a, spring.a, value);
        add(spring.b, spring.b, value);
        add(std::max(spring.a, spring.b), std::min(spring.a, spring.b), -value);
    }
    for (const Bend& bend : bends)
        for (int k = 0; k < 4; ++k)
            for (int l = 0; l < 4; ++l)
                if (bend.c[k] != 0 && bend.c[l] != 0)
                    add(bend.v[k], bend.v[l],
                        double(effectiveMass(bend.stiffness, bend.dampingTime, dt)) * double(bend.c[k]) *
                            double(bend.c[l]));
    if (matrix == matrix_) return;
    matrix_ = matrix;
    // Banded Cholesky, row by row:   L Lᵀ = A
    for (int i = 0; i < count; ++i)
        for (int j = std::max(0, i - bandwidth_); j <= i; ++j) {
            double sum = entry(i, j);
            for (int k = std::max(0, i - bandwidth_); k < j; ++k)
                if (j - k <= bandwidth_) sum -= entry(i, k) * entry(j, k);
            entry(i, j) = i == j ? std::sqrt(sum) : sum / entry(j, j);
        }
    band_.swap(matrix);
    ++factored_;
}

void PrecomputedFilter::solve(const Fabric& fabric, float dt, const Vec3* x, Vec3* v, const Vec3* damped) {
    rightSide(fabric, dt, x, v, damped, element_, rightSide_);
    factor(fabric, dt);
    const int count = fabric.count();
    const HostReader<float> inverseMass = readOnHost(fabric.inverseMass);
    const HostReader<Vec3> rightSide = readOnHost(rightSide_);
    const HostEditor<Vec3> velocity = editOnHost(rightSide_.device(), Span<Vec3>{v, count});
    const size_t row = static_cast<size_t>(bandwidth_) + 1;
    const auto entry = [&](int i, int j) {
        return band_[static_cast<size_t>(i) * row + static_cast<size_t>(bandwidth_ - (i - j))];
    };
    for (int axis = 0; axis < 3; ++axis) {
        solution_.resize(static_cast<size_t>(count));
        for (int i = 0; i < count; ++i) {
            double sum = inverseMass[i] > 0 ? double(rightSide[i][axis]) : 0;
            for (int j = std::max(0, i - bandwidth_); j < i; ++j) sum -= entry(i, j) * solution_[j];
            solution_[i] = sum / entry(i, i);
        }
        for (int i = count - 1; i >= 0; --i) {
            double& value = solution_[i];
            value /= entry(i, i);
            for (int j = std::max(0, i - bandwidth_); j < i; ++j) solution_[j] -= entry(i, j) * value;
            if (inverseMass[i] > 0) velocity[i][axis] += static_cast<float>(value);
        }
    }
}

}  // namespace purl
