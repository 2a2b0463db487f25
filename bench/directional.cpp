// Özgen's comparison of methods against overstretching (2013, chapter 6): none, one directional pass, and Provot's
// passes over all springs. A sheet of 41 × 41 points, a metre wide, of 0.3 kg and soft springs, pinned at its upper
// edge or two corners, released from a tilt; Verlet steps of 3 ms with velocity damping. Prints a table; times are CPU
// time of the enforcement alone on one thread, the best of five parts of the run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "solver/cloth/directional.h"
#include "solver/cloth/forces.h"

namespace {

using namespace purl;

constexpr int kSide = 41, kParts = 5;
constexpr float kStep = 0.003f, kMass = 0.3f;

// CPU time of this process, independent of other load.
double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

enum class Held { edge, corners };

Cloth sheet(Held held, float stiffness) {
    Cloth cloth;
    cloth.name = "sheet";
    const float edge = 1.0f / (kSide - 1);
    for (int j = 0; j < kSide; ++j)
        for (int i = 0; i < kSide; ++i) cloth.points.push_back({edge * float(i), -edge * float(j), 0});
    for (int j = 0; j + 1 < kSide; ++j)
        for (int i = 0; i + 1 < kSide; ++i) {
            const int a = j * kSide + i;
            cloth.faces.counts.edit().push_back(4);
            cloth.faces.corners.edit().insert(cloth.faces.corners.edit().end(), {a, a + 1, a + kSide + 1, a + kSide});
        }
    cloth.pins.assign(cloth.points.size(), 0);
    for (int i = 0; i < kSide; ++i)
        if (held == Held::edge || i == 0 || i == kSide - 1) cloth.pins[i] = 1;
    cloth.params.density = kMass;
    cloth.params.stretchStiffness = cloth.params.shearStiffness = stiffness;
    cloth.params.bendSpring = 2 * stiffness;
    cloth.params.bendStiffness = cloth.params.damping = 0;
    return cloth;
}

enum class Method { none, directional, product, iterative };

struct Row {
    const char* about;
    Held held;
    float damping, stiffness;
    Method method;
    int passes;
    Enforcement how;
};

void play(const Row& row, int steps) {
    const Cloth cloth = sheet(row.held, row.stiffness);
    const Device device = Device::cpu(1);
    Fabric fabric(device);
    fabric.set(cloth, {cloth.points.data(), static_cast<int>(cloth.points.size())});
    const CorrectionList list = makeCorrectionList(fabric, {0, -1, 0}, {});
    std::vector<Correction> all;
    for (const Spring& spring : fabric.springs) all.push_back({spring.a, spring.b, spring.rest});

    // Tilted by 60° about its upper edge.
    std::vector<Vec3> x = cloth.points, v(x.size()), force(x.size());
    for (Vec3& p : x) p = {p.x, 0.5f * p.y, -0.866f * p.y};
    Buffer<Vec3> element(device);
    Directional directional;
    long long handled = 0;
    double best = 1e30;
    const Span<const float> w = fabric.inverseMass.span();
    for (int part = 0; part < kParts; ++part) {
        double spent = 0;
        for (int step = 0; step < steps / kParts; ++step) {
            internalForces(fabric, x.data(), v.data(), element, force.data());
            const std::vector<Vec3> before = x;
            for (int i = 0; i < fabric.count(); ++i) {
                const auto k = static_cast<size_t>(i);
                if (!(w[i] > 0)) continue;
                v[k] = (1 - row.damping) * v[k] + kStep * (Vec3{0, -9.81f, 0} + w[i] * force[k]);
                x[k] += kStep * v[k];
            }
            const double start = seconds();
            if (row.method == Method::directional) handled += enforce(list.sequence, row.how, w, x.data());
            if (row.method == Method::product) handled += directional.apply(fabric, {0, -1, 0}, row.passes, x.data());
            for (int pass = 0; pass < row.passes && row.method == Method::iterative; ++pass)
                handled += enforce(all, row.how, w, x.data());
            spent += seconds() - start;
            for (size_t k = 0; k < x.size(); ++k) v[k] = (1 / kStep) * (x[k] - before[k]);
            if (row.method == Method::product)
                directional.dampRelativeMotion(
                    fabric, {0, -1, 0}, Directional::relativeDampingShare(kStep, 9.81f, fabric.meanEdge()), v.data());
        }
        best = std::min(best, spent / (steps / kParts));
    }
    double most = 0, mean = 0, lowest = 0, speed = 0;
    int counted = 0;
    for (const Link& link : fabric.topology().links) {
        if (link.family != SpringFamily::structural) continue;
        const double strain = double(length(x[link.a] - x[link.b]) / link.rest) - 1;
        most = std::max(most, strain);
        mean += strain;
        ++counted;
    }
    for (const Vec3& p : x) lowest = std::min(lowest, double(p.y));
    for (const Vec3& p : v) speed += double(length(p)) / double(v.size());
    std::printf("| %s, %g, %g | %s | %.0f | %.1f %% | %.2f %% | %.3f | %.4f | %.1f |\n",
                row.held == Held::edge ? "upper edge" : "two corners", double(row.damping), double(row.stiffness),
                row.about, double(handled) / steps, 100 * most, 100 * mean / counted, lowest, speed, 1e6 * best);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    const int steps = count > 1 ? std::atoi(words[1]) : 3000;
    const Enforcement oneSided, halves{true, 0.5f};
    const Row rows[] = {
        {"none", Held::edge, 0.1f, 0.3f, Method::none, 0, {}},
        {"directional, once", Held::edge, 0.1f, 0.3f, Method::directional, 1, oneSided},
        {"directional, once", Held::edge, 0.1f, 0.03f, Method::directional, 1, oneSided},
        {"Provot, 1 pass", Held::edge, 0.1f, 0.3f, Method::iterative, 1, halves},
        {"Provot, 2 passes", Held::edge, 0.1f, 0.3f, Method::iterative, 2, halves},
        {"Provot, 10 passes", Held::edge, 0.1f, 0.3f, Method::iterative, 10, halves},
        {"Provot, 40 passes", Held::edge, 0.1f, 0.3f, Method::iterative, 40, halves},
        {"directional, once", Held::edge, 0.01f, 0.3f, Method::directional, 1, oneSided},
        {"directional, damped as Purl does", Held::edge, 0.01f, 0.3f, Method::product, 1, oneSided},
        {"directional, once", Held::corners, 0.1f, 0.03f, Method::directional, 1, oneSided},
        {"directional, halves", Held::corners, 0.1f, 0.3f, Method::directional, 1, halves},
        {"directional, as Purl does: 5 passes", Held::corners, 0.1f, 0.3f, Method::product, 5, oneSided},
        {"Provot, 1 pass", Held::corners, 0.1f, 0.3f, Method::iterative, 1, halves},
        {"Provot, 10 passes", Held::corners, 0.1f, 0.3f, Method::iterative, 10, halves},
    };
    std::printf(
        "| held, damping, stiffness | method | springs handled a step | longest | mean | lowest, m | speed, m/s | "
        "µs a step |\n|---|---|---|---|---|---|---|---|\n");
    for (const Row& row : rows) play(row, steps);
}
