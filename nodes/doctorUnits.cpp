// Checks of units: values that are off by a factor of 10 to 1000, as if entered in another unit.
#include <algorithm>
#include <cmath>

#include "nodes/doctorChecks.h"
#include "nodes/doctorGeometry.h"

namespace purl {
namespace {

constexpr double kLargestGarment = 12, kSmallestGarment = 0.01;  // m: a stage curtain, a doll's sock
constexpr double kLargestFill = 300, kSmallestFill = 0.002;      // m: a harbour, a drop
constexpr double kMaxSpeed = 150;                                // m/s, close to the speed of sound

// Garments reveal the scale of a scene, because people are of similar size.
void checkGarments(const Patient& patient, Problems& found) {
    double largest = 0;
    std::string owner;
    const auto measure = [&](const std::string& name, const std::vector<Vec3>& points) {
        const double side = largestSide(boundsOf(points));
        if (side <= largest) return;
        largest = side;
        owner = name;
    };
    for (const Cloth& cloth : patient.bodies.cloths) measure(cloth.name, cloth.points);
    for (const Knit& knit : patient.bodies.knits) measure(knit.name, knit.points);
    const double size = largest * patient.meters;
    if (largest <= 0 || (size <= kLargestGarment && size >= kSmallestGarment)) return;
    // The power of ten that scales it to between 0.2 m and 2 m.
    const double scale = std::pow(10, std::floor(std::log10(2 / largest)));
    found.push_back(remedied(problemOf(Harm::warning, owner,
                                       "is " + text(size) + " m large: it would move as " +
                                           (size > 1 ? "slowly as something huge" : "fast as something tiny")),
                             "treat a unit of the scene as " + typed(scale) + " m",
                             {patient.name + ".spaceScale=" + typed(scale)}));
}

// The largest fill of a scene without garments.
void checkPools(const Patient& patient, Problems& found) {
    if (!patient.bodies.cloths.empty() || !patient.bodies.knits.empty()) return;
    double largest = 0;
    std::string owner;
    for (const Fluid& fluid : patient.bodies.fluids)
        for (const TriangleMesh& mesh : fluid.volumes) {
            const double side = largestSide(boundsOf(mesh.vertices));
            if (side <= largest) continue;
            largest = side;
            owner = fluid.name;
        }
    const double size = largest * patient.meters;
    if (largest <= 0 || (size <= kLargestFill && size >= kSmallestFill)) return;
    const double scale = std::pow(10, std::floor(std::log10(2 / largest)));
    found.push_back(remedied(problemOf(Harm::warning, owner,
                                       "is " + text(size) + " m large: it would move as " +
                                           (size > 1 ? "slowly as a sea" : "fast as a droplet")),
                             "treat a unit of the scene as " + typed(scale) + " m",
                             {patient.name + ".spaceScale=" + typed(scale)}));
}

// A value outside the physical range, which is inside it when multiplied by `factor`.
struct Suspect {
    const std::string& node;
    const char* attribute;
    double value, min, max, factor;
    const char *unit, *mistaken;  // the unit of the attribute, and the unit it seems to be in
};
void suspect(const Suspect& s, Problems& found) {
    if (s.value >= s.min && s.value <= s.max) return;
    const double better = s.value * s.factor;
    Problem problem = problemOf(Harm::warning, s.node,
                                std::string("has a ") + s.attribute + " of " + text(s.value) + " " + s.unit +
                                    "; it looks like a value in " + s.mistaken);
    if (better >= s.min && better <= s.max)
        problem = remedied(problem, "set it to " + text(better) + " " + s.unit,
                           {s.node + "." + s.attribute + "=" + text(better)});
    found.push_back(problem);
}

}  // namespace

void checkUnits(const Patient& patient, Problems& found) {
    checkGarments(patient, found);
    checkPools(patient, found);
    for (const Fluid& fluid : patient.bodies.fluids) {
        if (fluid.params.kind == FluidKind::liquid)
            suspect({fluid.name, "restDensity", double(fluid.params.restDensity), 50, 25000, 1000, "kg/m³", "g/cm³"},
                    found);
        for (const Emitter& emitter : fluid.emitters)
            suspect({emitter.name, "speed", double(emitter.params.speed), 0, kMaxSpeed, 0.01, "m/s", "cm/s"}, found);
    }
    for (const Collider& collider : patient.bodies.colliders)
        if (collider.params.motion == ColliderMotion::dynamic)
            suspect({collider.name, "density", double(collider.params.density), 10, 25000, 1000, "kg/m³", "g/cm³"},
                    found);
    for (const Cloth& cloth : patient.bodies.cloths)
        suspect({cloth.name, "density", double(cloth.params.density), 0, 10, 0.001, "kg/m²", "g/m²"}, found);
    for (const Knit& knit : patient.bodies.knits)
        suspect({knit.name, "density", double(knit.params.density), 0, 10, 0.001, "kg/m²", "g/m²"}, found);
}

}  // namespace purl
