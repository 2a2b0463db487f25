#include "solver/fluid/fill.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/fourDigits.h"
#include "solver/core/math.h"
#include "solver/core/random.h"

namespace purl {

namespace {

// Tests lattice sites from `begin` on: writes their particles' positions, and whether they are inside the mesh.
struct FillSites {
    FillLattice lattice;
    TriangleTreeView mesh;
    float jitter;
    int dimensions;
    uint64_t seed;
    int64_t begin;
    Span<int> inside;
    Span<Vec3> x;

    PURL_HD void operator()(int i) const {
        const int64_t site = begin + i;
        x[i] = lattice.site(site);
        inside[i] = mesh.isInside(x[i]);
        if (!inside[i] || jitter <= 0) return;
        const auto random = [&](int axis) { return 2 * randomUnit(seed, static_cast<uint64_t>(3 * site + axis)) - 1; };
        const Vec3 offset{random(0), random(1), dimensions == 3 ? random(2) : 0};
        const Vec3 moved = x[i] + jitter * lattice.spacing * offset;
        if (mesh.isInside(moved)) x[i] = moved;
    }
};

std::string inMetres(float length) {
    std::ostringstream text;
    text << length << " m";
    return text.str();
}

}  // namespace

FillLattice::FillLattice(const Bounds& box, float spacing, int dimensions, Vec3 down) : spacing(spacing) {
    constexpr double kMaxSites = 1e9, kMinSitesToFit = 4;
    const Vec3 steepness{std::fabs(down.x), std::fabs(down.y), dimensions == 3 ? std::fabs(down.z) : 0};
    const int vertical = steepness.x > std::max(steepness.y, steepness.z) ? 0 : steepness.z > steepness.y ? 2 : 1;
    const Vec3 size = box.size();
    pitch = {spacing, spacing, spacing};
    double counts[3] = {1, 1, 1}, stretch = 1;
    for (int axis = 0; axis < dimensions; ++axis) {
        const double fittingSites = double(size[axis]) / spacing;
        counts[axis] = std::max(1.0, std::round(fittingSites));
        // A fit that is exact up to rounding is left unchanged.
        if (axis == vertical || fittingSites < kMinSitesToFit || std::fabs(fittingSites - counts[axis]) < 1e-4)
            continue;
        pitch[axis] = static_cast<float>(double(size[axis]) / counts[axis]);
        stretch *= double(pitch[axis]) / spacing;
    }
    pitch[vertical] = static_cast<float>(spacing / stretch);
    counts[vertical] = std::max(1.0, std::round(double(size[vertical]) / double(pitch[vertical])));
    const double sites = counts[0] * counts[1] * counts[2];
    if (!(sites <= kMaxSites))
        throw Error("volume mesh spans a box of " + fourDigits(sites) + " sites at spacing " + inMetres(spacing) +
                    ", more than " + fourDigits(kMaxSites) + "; use a larger spacing, or a volume for each piece");
    countX = static_cast<int64_t>(counts[0]);
    countY = static_cast<int64_t>(counts[1]);
    countZ = static_cast<int64_t>(counts[2]);
    first = box.center() -
            0.5f * Vec3{pitch.x * float(counts[0] - 1), pitch.y * float(counts[1] - 1), pitch.z * float(counts[2] - 1)};
    const double excess = double(size[vertical]) / double(pitch[vertical]) - counts[vertical];
    if (double(size[vertical]) >= kMinSitesToFit * spacing && std::fabs(excess) > 1e-4) {
        const float half = 0.5f * pitch[vertical];
        first[vertical] = down[vertical] > 0 ? box.high[vertical] - half - pitch[vertical] * float(counts[vertical] - 1)
                                             : box.low[vertical] + half;
    }
    if (dimensions == 2) first.z = 0;
}

TriangleTree volumeTree(const TriangleMesh& mesh) {
    const std::string fault = meshFault(mesh.vertices, mesh.triangles);
    if (!fault.empty()) throw Error("volume " + fault + "; connect a closed mesh");
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    if (!tree.isClosed())
        throw Error("volume mesh is open (" + std::to_string(tree.openEdges()) +
                    " edges have one face); close its holes");
    return tree;
}

std::vector<Vec3> fillVolume(const TriangleMesh& mesh, float spacing, float jitter, uint64_t seed, int maxParticles,
                             const Device& device, int dimensions, Vec3 down) {
    const TriangleTree tree = volumeTree(mesh);
    const auto tooMany = [&] {
        return Error("volume mesh holds more than " + std::to_string(maxParticles) + " particles at spacing " +
                     inMetres(spacing) + "; use a larger spacing or a larger maxParticles");
    };
    if (dimensions == 3 && tree.volume() / pow(double(spacing), 3) > 1.5 * maxParticles + 1000)
        throw tooMany();  // fail before allocating too much
    const FillLattice lattice(tree.bounds(), spacing, dimensions, down);
    constexpr int64_t kBatch = 1 << 20;
    const Device cpu = device.host();  // the tree is in host memory
    const int64_t sites = lattice.sites();
    Buffer<int> inside(cpu, static_cast<int>(std::min(kBatch, sites)));
    Buffer<Vec3> x(cpu, inside.size());
    std::vector<Vec3> filled;
    for (int64_t begin = 0; begin < sites; begin += kBatch) {
        const int count = static_cast<int>(std::min(kBatch, sites - begin));
        forEach(cpu, "fillVolume", count,
                FillSites{lattice, tree.view(), jitter, dimensions, seed, begin, inside.span(), x.span()});
        for (int i = 0; i < count; ++i)
            if (inside[i]) filled.push_back(x[i]);
        if (filled.size() > static_cast<size_t>(maxParticles)) throw tooMany();
    }
    return filled;
}

}  // namespace purl
