#include "solver/fluid/fill.h"

#include <cmath>
#include <sstream>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/random.h"

namespace purl {

namespace {

// One layer of the lattice: where its particles go, and whether they are inside.
struct FillLayer {
    Lattice lattice;
    TriangleTreeView mesh;
    float jitter;
    int dimensions;
    uint64_t seed;
    int64_t layer;
    Span<int> inside;
    Span<Vec3> x;

    PURL_HD void operator()(int i) const {
        const int64_t site = layer * lattice.countX * lattice.countY + i;
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

Lattice::Lattice(const Bounds& box, float spacing, int dimensions) : spacing(spacing) {
    constexpr double kMostSites = 4e9;
    const auto along = [&](int axis) { return std::max(1.0, std::round(double(box.size()[axis]) / spacing)); };
    const double x = along(0), y = along(1), z = dimensions == 3 ? along(2) : 1;
    if (!(x * y * z <= kMostSites))
        throw Error("volume mesh spans too many spacings of " + inMetres(spacing) + "; use a larger spacing");
    countX = static_cast<int64_t>(x);
    countY = static_cast<int64_t>(y);
    countZ = static_cast<int64_t>(z);
    first = box.center() - 0.5f * spacing * Vec3{float(x - 1), float(y - 1), float(z - 1)};
    if (dimensions == 2) first.z = 0;
}

TriangleTree volumeTree(const TriangleMesh& mesh) {
    const std::string fault = faultOf(mesh.vertices, mesh.triangles);
    if (!fault.empty()) throw Error("volume " + fault + "; connect a closed mesh");
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    if (!tree.isClosed())
        throw Error("volume mesh is open (" + std::to_string(tree.openEdges()) +
                    " edges have one face); close its holes");
    return tree;
}

std::vector<Vec3> fillVolume(const TriangleMesh& mesh, float spacing, float jitter, uint64_t seed, int most,
                             const Device& device, int dimensions) {
    const TriangleTree tree = volumeTree(mesh);
    const auto tooMany = [&] {
        return Error("volume mesh holds more than " + std::to_string(most) + " particles at spacing " +
                     inMetres(spacing) + "; use a larger spacing or a larger maxParticles");
    };
    if (dimensions == 3 && tree.volume() / std::pow(double(spacing), 3) > 1.5 * most + 1000)
        throw tooMany();  // before it takes forever
    const Lattice lattice(tree.bounds(), spacing, dimensions);
    const int layerSites = static_cast<int>(lattice.countX * lattice.countY);
    const Device cpu = device.isCuda() ? Device::cpu() : device;  // the tree lives here
    Buffer<int> inside(cpu, layerSites);
    Buffer<Vec3> x(cpu, layerSites);
    std::vector<Vec3> filled;
    for (int64_t layer = 0; layer < lattice.countZ; ++layer) {
        forEach(cpu, "fillVolume", layerSites,
                FillLayer{lattice, tree.view(), jitter, dimensions, seed, layer, inside.span(), x.span()});
        for (int i = 0; i < layerSites; ++i)
            if (inside[i]) filled.push_back(x[i]);
        if (filled.size() > static_cast<size_t>(most)) throw tooMany();
    }
    return filled;
}

}  // namespace purl
