#include "solver/fluid/fill.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/fourDigits.h"
#include "solver/core/random.h"

namespace purl {

namespace {

// Sites of the lattice from `begin` on: where their particles go, and whether they are inside.
struct FillSites {
    Lattice lattice;
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
        const Vec3 way{random(0), random(1), dimensions == 3 ? random(2) : 0};
        const Vec3 moved = x[i] + jitter * lattice.spacing * way;
        if (mesh.isInside(moved)) x[i] = moved;
    }
};

std::string inMetres(float length) {
    std::ostringstream text;
    text << length << " m";
    return text.str();
}

}  // namespace

Lattice::Lattice(const Bounds& box, float spacing, int dimensions, Vec3 down) : spacing(spacing) {
    constexpr double kMaxSites = 1e9, kFewestToFit = 4;
    const Vec3 steepness{std::fabs(down.x), std::fabs(down.y), dimensions == 3 ? std::fabs(down.z) : 0};
    const int upright = steepness.x > std::max(steepness.y, steepness.z) ? 0 : steepness.z > steepness.y ? 2 : 1;
    const Vec3 size = box.size();
    pitch = {spacing, spacing, spacing};
    double counts[3] = {1, 1, 1}, stretch = 1;
    for (int axis = 0; axis < dimensions; ++axis) {
        const double fitting = double(size[axis]) / spacing;
        counts[axis] = std::max(1.0, std::round(fitting));
        // A fit that is exact but for rounding stays as it is.
        if (axis == upright || fitting < kFewestToFit || std::fabs(fitting - counts[axis]) < 1e-4) continue;
        pitch[axis] = static_cast<float>(double(size[axis]) / counts[axis]);
        stretch *= double(pitch[axis]) / spacing;
    }
    pitch[upright] = static_cast<float>(spacing / stretch);
    counts[upright] = std::max(1.0, std::round(double(size[upright]) / double(pitch[upright])));
    const double sites = counts[0] * counts[1] * counts[2];
    if (!(sites <= kMaxSites))
        throw Error("volume mesh spans a box of " + fourDigits(sites) + " sites at spacing " + inMetres(spacing) +
                    ", more than " + fourDigits(kMaxSites) + "; use a larger spacing, or a volume for each piece");
    countX = static_cast<int64_t>(counts[0]);
    countY = static_cast<int64_t>(counts[1]);
    countZ = static_cast<int64_t>(counts[2]);
    first = box.center() -
            0.5f * Vec3{pitch.x * float(counts[0] - 1), pitch.y * float(counts[1] - 1), pitch.z * float(counts[2] - 1)};
    const double excess = double(size[upright]) / double(pitch[upright]) - counts[upright];
    if (double(size[upright]) >= kFewestToFit * spacing && std::fabs(excess) > 1e-4) {
        const float half = 0.5f * pitch[upright];
        first[upright] = down[upright] > 0 ? box.high[upright] - half - pitch[upright] * float(counts[upright] - 1)
                                           : box.low[upright] + half;
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

std::vector<Vec3> fillVolume(const TriangleMesh& mesh, float spacing, float jitter, uint64_t seed, int most,
                             const Device& device, int dimensions, Vec3 down) {
    const TriangleTree tree = volumeTree(mesh);
    const auto tooMany = [&] {
        return Error("volume mesh holds more than " + std::to_string(most) + " particles at spacing " +
                     inMetres(spacing) + "; use a larger spacing or a larger maxParticles");
    };
    if (dimensions == 3 && tree.volume() / std::pow(double(spacing), 3) > 1.5 * most + 1000)
        throw tooMany();  // before it takes forever
    const Lattice lattice(tree.bounds(), spacing, dimensions, down);
    constexpr int64_t kAtOnce = 1 << 20;
    const Device cpu = device.isCuda() ? Device::cpu() : device;  // the tree lives here
    const int64_t sites = lattice.sites();
    Buffer<int> inside(cpu, static_cast<int>(std::min(kAtOnce, sites)));
    Buffer<Vec3> x(cpu, inside.size());
    std::vector<Vec3> filled;
    for (int64_t begin = 0; begin < sites; begin += kAtOnce) {
        const int count = static_cast<int>(std::min(kAtOnce, sites - begin));
        forEach(cpu, "fillVolume", count,
                FillSites{lattice, tree.view(), jitter, dimensions, seed, begin, inside.span(), x.span()});
        for (int i = 0; i < count; ++i)
            if (inside[i]) filled.push_back(x[i]);
        if (filled.size() > static_cast<size_t>(most)) throw tooMany();
    }
    return filled;
}

}  // namespace purl
