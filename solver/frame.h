// Frame: the output of the solver, in host memory. Nodes publish it, caches store it, render/ draws it. Its channels
// are shared by copies, so that copying a frame costs some dozens of pointers.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "solver/core/channel.h"
#include "solver/core/phaseTime.h"
#include "solver/core/vec.h"
#include "solver/geometry/curves.h"
#include "solver/geometry/faces.h"
#include "solver/geometry/wetting.h"

namespace purl {

// The stitch that each drop fell from, identified as in Curves; -1 for other particles. Empty unless requested by
// SolverParams::origins. The cast-on also has course -1.
struct DropOrigins {
    Channel<int> knits;  // index into Frame::curves
    Channel<int> yarnIds, courses, wales;

    // visit(name, channel, isLength)
    template <class Self, class Visit>
    static void channels(Self& self, Visit&& visit) {
        visit("knit", self.knits, false);
        visit("yarnId", self.yarnIds, false);
        visit("course", self.courses, false);
        visit("wale", self.wales, false);
    }
};

// Largest distance of a wall in Points::wallOffsets, in particle spacings.
constexpr float kWallReach = 1.25f;

// All particles of a frame, sorted by id. Channels are as long as `ids`, or empty if a file did not contain them.
struct Points {
    Channel<int64_t> ids;
    Channel<int> bodies;  // index into Frame::bodies
    Channel<Vec3> positions, velocities, accelerations;
    Channel<Vec3> normals;  // unit, outward, of surface particles; zero inside
    Channel<float> densities, pressures;
    Channel<float> radii;  // of a sphere of the particle's mass and density
    Channel<float> ages;   // s
    Channel<Vec3> colors;  // of fluids that mix; empty if none do, then the body's colour applies
    // Source of a particle: index into the volumes of its body, then its emitters, then the cells of fabrics; see
    // foam.h.
    Channel<int> sources;
    Channel<Vec3> restPositions;  // position at birth
    // Vector from each particle to the nearest wall (collider, cloth or soft body) within kWallReach spacings; zero if
    // there is none. Attaches the liquid's surface to walls. Empty in restored frames.
    Channel<Vec3> wallOffsets;

    Wetting wetting;  // if fabrics absorb
    DropOrigins drops;

    size_t count() const { return positions.size(); }

    // visit(name, channel, isLength), with the names used in caches. Lengths and their rates are converted between
    // units.
    template <class Self, class Visit>
    static void channels(Self& self, Visit&& visit) {
        visit("id", self.ids, false);
        visit("body", self.bodies, false);
        visit("position", self.positions, true);
        visit("velocity", self.velocities, true);
        visit("acceleration", self.accelerations, true);
        visit("normal", self.normals, false);
        visit("density", self.densities, false);
        visit("pressure", self.pressures, false);
        visit("radiusPP", self.radii, true);
        visit("age", self.ages, false);
        visit("rgbPP", self.colors, false);
        visit("source", self.sources, false);
        visit("restPosition", self.restPositions, true);
        visit("wallOffset", self.wallOffsets, true);
        Wetting::channels(self.wetting, visit);
        DropOrigins::channels(self.drops, visit);
    }
};

// liquid: the surface of a fluid's particles; solid: a rigid body; cloth, softBody: with the faces of the original mesh
// (none for a point cloud).
enum class MeshKind { liquid, solid, cloth, softBody };

struct Mesh {
    std::string name;
    Channel<Vec3> positions;
    Channel<Vec3> velocities;  // units per second; empty or one per vertex
    Channel<Vec3> normals;     // empty or one per vertex
    Channel<int> triangles;    // three vertex indices each, counter-clockwise seen from outside
    Faces faces;               // polygons and texture coordinates; empty if there are only the triangles
    Vec3 color{0.5f, 0.5f, 0.5f};
    float opacity = 0;  // of a liquid: 0 clear, 1 opaque
    MeshKind kind = MeshKind::liquid;
    double volumeRatio = 0;  // of a liquid: enclosed volume over the rest volume of its particles; 0: unknown

    // Of a liquid, transferred from its particles; empty or one per vertex. Colours, ages and rest positions are
    // blended, the others come from the nearest particle.
    Channel<Vec3> colors{}, restPositions{};
    Channel<float> ages{};  // s
    Channel<int64_t> ids{};
    Channel<int> bodies{}, sources{};
    // Of a cloth that absorbs; it has colours too.
    Wetting wetting{};

    // visit(name, channel, isLength) for every vertex channel; see Points::channels.
    template <class Self, class Visit>
    static void channels(Self& self, Visit&& visit) {
        visit("position", self.positions, true);
        visit("velocity", self.velocities, true);
        visit("normal", self.normals, false);
        visit("rgbPP", self.colors, false);
        visit("restPosition", self.restPositions, true);
        visit("age", self.ages, false);
        visit("id", self.ids, false);
        visit("body", self.bodies, false);
        visit("source", self.sources, false);
        Wetting::channels(self.wetting, visit);
    }
};

// visit(channel of a, same channel of b) for two Points, or two meshes.
template <class Channels, class Visit>
void forEachChannel(Channels& a, const Channels& b, Visit&& visit) {
    // Channels are visited in the same order: channel n of one corresponds to channel n of the other.
    std::vector<const void*> others;
    Channels::channels(b, [&](const char*, const auto& values, bool) { others.push_back(&values); });
    size_t next = 0;
    Channels::channels(a, [&](const char*, auto& values, bool) {
        visit(values, *static_cast<std::remove_reference_t<decltype(values)> const*>(others[next++]));
    });
}

// Sets the faces of a mesh if they contain more than its triangles. Texture coordinates are kept only if every corner
// has them.
void takeFaces(Mesh& mesh, Faces faces);

// Pose of a rigid body: point p of its geometry is at position + axes · p. Primitives are centred at the origin; a mesh
// is taken as in the scene at the moment of its release, so that its first pose is the identity.
struct Rigid {
    std::string name;  // of its collider
    Vec3 position;
    Mat3 axes;  // orthonormal
};

// foam: spray, foam and bubbles of a liquid; see surface/foam.h
enum class BodyKind { liquid, gas, foam };
const char* kindName(BodyKind kind);

// Properties of a body that readers of a frame need.
struct BodyInfo {
    std::string name;
    BodyKind kind = BodyKind::liquid;
    float restDensity = 1000;  // kg/m³
    float spacing = 0;         // between particles at rest
    float supportRadius = 0;   // of the smoothing kernel
    Vec3 color{0.5f, 0.5f, 0.5f};
    float opacity = 0;     // 0 clear, 1 opaque
    float dispersion = 0;  // m²/s; liquids with more than 0 mix with each other
};

// Statistics: compression (Kelager §5.2), solver effort and mass balance.
struct FrameStats {
    int steps = 0;
    double stepLength = 0;            // s
    double meanCompression = 0;       // mean of ρ/ρ0
    double maxCompression = 0;        // largest ρ/ρ0
    double compressedShare = 0;       // fraction of particles with ρ > 1.01 ρ0
    double densityError = 0;          // %, mean compression that the pressure solver left, averaged over the steps
    double iterations = 0;            // of the pressure solver, mean of the steps; 0 with wcsph
    double divergenceIterations = 0;  // of dfsph's first solver, mean of the steps
    double viscosityIterations = 0;   // of implicit viscosity, mean of the steps
    double viscosityError = 0;        // %, remaining residual, mean of the steps
    double maxSpeed = 0;              // m/s
    double kineticEnergy = 0;         // J
    int64_t pairs = 0;                // of particles within the support radius, in the last step
    double clothIterations = 0;       // of implicitEuler's solver, mean of the cloths' steps
    double maxStretch = 0;            // largest strain of a cloth's springs: 0.01 is 1 % longer than at rest
    int64_t emitted = 0;              // particles emitted since the start
    int64_t killed = 0;               // particles deleted by kill volumes since the start
    // Enclosed volume of a liquid's surface over the volume of its particles; of all surfaces the one farthest from 1.
    // 0 if there is no surface.
    double volumeRatio = 0;
    double surfaceMemory = 0;  // MB, peak memory of surface reconstruction
    // If fabrics absorb: liquid + fabric + evaporated + drained − supplied is constant.
    int64_t absorbed = 0;       // particles absorbed since the start
    int64_t dripped = 0;        // particles that dripped since the start
    double liquidMass = 0;      // kg, of all particles
    double fabricMass = 0;      // kg, of the water in fabrics
    double evaporatedMass = 0;  // kg, since the start
    double suppliedMass = 0;    // kg, by emitters since the start
    double drainedMass = 0;     // kg, into kill volumes since the start

    // visit(name, field) for manifests and `purl sim --stats`. Without the memory, which is not a property of the
    // frame.
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("steps", self.steps);
        visit("stepLength", self.stepLength);
        visit("meanCompression", self.meanCompression);
        visit("maxCompression", self.maxCompression);
        visit("compressedShare", self.compressedShare);
        visit("densityError", self.densityError);
        visit("iterations", self.iterations);
        visit("divergenceIterations", self.divergenceIterations);
        visit("viscosityIterations", self.viscosityIterations);
        visit("viscosityError", self.viscosityError);
        visit("maxSpeed", self.maxSpeed);
        visit("kineticEnergy", self.kineticEnergy);
        visit("pairs", self.pairs);
        visit("clothIterations", self.clothIterations);
        visit("maxStretch", self.maxStretch);
        visit("emitted", self.emitted);
        visit("killed", self.killed);
        visit("volumeRatio", self.volumeRatio);
        visit("absorbed", self.absorbed);
        visit("dripped", self.dripped);
        visit("liquidMass", self.liquidMass);
        visit("fabricMass", self.fabricMass);
        visit("evaporatedMass", self.evaporatedMass);
        visit("suppliedMass", self.suppliedMass);
        visit("drainedMass", self.drainedMass);
    }
};

struct Frame {
    double time = 0;           // s since the simulation's start
    double metersPerUnit = 1;  // factor from this frame's lengths to metres
    uint64_t stateHash = 0;    // of the State it was made from (the receipt)
    std::vector<BodyInfo> bodies;
    Points points;
    std::vector<Mesh> meshes;
    std::vector<Curves> curves;  // the yarns of each knit
    std::vector<Rigid> rigids;   // in the order of the scene's colliders
    FrameStats stats;

    // Work that completes the frame, in this order: meshes that another thread makes while the simulation continues.
    std::vector<std::function<void(Frame&)>> deferred;
    std::vector<PhaseTime> phases;  // of the deferred work
};

// Runs the deferred work.
void complete(Frame& frame);
// Converts lengths and dependent quantities to another unit; channels that no other frame shares are scaled in place.
Frame inUnits(Frame frame, double metersPerUnit);
// The points of one body, in order.
Points pointsOf(const Frame& frame, int body);
// Appends the bodies and points of `part`. Channels that only one of them has are zero in the other.
void appendPoints(Frame& whole, const Frame& part);
// Colour of each of these points: its own if fluids mix, otherwise its body's.
std::vector<Vec3> colorsOf(const Frame& frame, const Points& points);
// Index of the body with this name, or -1.
int findBody(const Frame& frame, const std::string& name);

}  // namespace purl
