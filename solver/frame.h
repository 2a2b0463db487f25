// Frame: everything that leaves the solver, in host memory. What nodes publish, caches hold and pictures show.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "solver/core/phaseTime.h"
#include "solver/core/vec.h"
#include "solver/geometry/curves.h"
#include "solver/geometry/faces.h"
#include "solver/geometry/wetting.h"

namespace purl {

// The stitch that each drop off a knit fell from, by the names that Curves has for it; -1 of all others, and empty
// where nobody asked (SolverParams::origins). A course of -1 is also that of the cast-on.
struct DropOrigins {
    std::vector<int> knits;  // index into Frame::curves
    std::vector<int> yarnIds, courses, wales;

    // visit(name, vector, isLength)
    template <class Self, class Visit>
    static void channels(Self& self, Visit&& visit) {
        visit("knit", self.knits, false);
        visit("yarnId", self.yarnIds, false);
        visit("course", self.courses, false);
        visit("wale", self.wales, false);
    }
};

// How near a wall must be to a particle for Points::wallOffsets to have it, in particle spacings.
constexpr float kWallReach = 1.25f;

// All particles of a frame, sorted by id. Channels are as long as `ids`, or empty where a file did not hold them.
struct Points {
    std::vector<int64_t> ids;
    std::vector<int> bodies;  // index into Frame::bodies
    std::vector<Vec3> positions, velocities, accelerations;
    std::vector<Vec3> normals;  // unit, outward, of surface particles; zero inside
    std::vector<float> densities, pressures;
    std::vector<float> radii;  // of the sphere that holds the particle's mass at its density
    std::vector<float> ages;   // s
    std::vector<Vec3> colors;  // of fluids that mix; empty where none do, and a body's colour is its particles'
    // Which of its body's volumes let it in or, counted on from them, emitters and cells of fabrics; see also foam.h.
    std::vector<int> sources;
    std::vector<Vec3> restPositions;  // where it was let in
    // From each particle to the nearest wall (collider, cloth or soft body) within kWallReach spacings; zero: none.
    // What the surface of a liquid needs to end at walls; empty where the frame was restored and not simulated.
    std::vector<Vec3> wallOffsets;

    Wetting wetting;  // where fabrics soak
    DropOrigins drops;

    size_t count() const { return positions.size(); }

    // visit(name, vector, isLength): names as caches spell them; lengths (and rates of them) follow the unit.
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

// liquid: the surface around a fluid's particles; solid: a rigid body; cloth, softBody: with the faces of the mesh they
// came from, of a cloud of points none.
enum class MeshKind { liquid, solid, cloth, softBody };

struct Mesh {
    std::string name;
    std::vector<Vec3> positions;
    std::vector<Vec3> velocities;  // units per second; empty or one a vertex
    std::vector<Vec3> normals;     // empty or one a vertex
    std::vector<int> triangles;    // three vertex indices each, counter-clockwise seen from outside
    Faces faces;                   // of more corners, and texture coordinates; empty: the triangles are all there is
    Vec3 color{0.5f, 0.5f, 0.5f};
    float opacity = 0;  // of a liquid: 0 clear, 1 hides what is behind
    MeshKind kind = MeshKind::liquid;
    double volumeRatio = 0;  // of a liquid: enclosed volume over that of its particles at rest; 0: not known

    // Of a liquid, from its particles, each empty or one a vertex: colours, ages and rest positions are mixed, the rest
    // is the nearest particle's.
    std::vector<Vec3> colors{}, restPositions{};
    std::vector<float> ages{};  // s
    std::vector<int64_t> ids{};
    std::vector<int> bodies{}, sources{};
    // Of a cloth that soaks; it has colours too.
    Wetting wetting{};

    // visit(name, vector, isLength) for what each vertex has, as Points::channels has it.
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
    // The two visits run in step: channel n of one goes with channel n of the other.
    std::vector<const void*> others;
    Channels::channels(b, [&](const char*, const auto& values, bool) { others.push_back(&values); });
    size_t next = 0;
    Channels::channels(a, [&](const char*, auto& values, bool) {
        visit(values, *static_cast<std::remove_reference_t<decltype(values)> const*>(others[next++]));
    });
}

// Gives a mesh its faces, as far as they say more than its triangles do; of texture coordinates, those that every
// corner has.
void takeFaces(Mesh& mesh, Faces faces);

// How a rigid body stands: point p of its geometry is at position + axes · p. A primitive's geometry is about its own
// centre; a mesh's is where the scene had it when it was let go, so that at first nothing is moved.
struct Rigid {
    std::string name;  // of its collider
    Vec3 position;
    Mat3 axes;  // orthonormal
};

// foam: spray, foam and bubbles upon a liquid; see surface/foam.h
enum class BodyKind { liquid, gas, foam };
const char* kindName(BodyKind kind);

// What the reader of a frame must know of the body a particle belongs to.
struct BodyInfo {
    std::string name;
    BodyKind kind = BodyKind::liquid;
    float restDensity = 1000;  // kg/m³
    float spacing = 0;         // between particles at rest
    float supportRadius = 0;   // of the smoothing kernel
    Vec3 color{0.5f, 0.5f, 0.5f};
    float opacity = 0;     // 0 clear, 1 hides what is behind
    float dispersion = 0;  // m²/s; liquids with more than 0 mix with each other
};

// How well the fluid keeps its volume (Kelager §5.2), and how the frame was made.
struct FrameStats {
    int steps = 0;
    double stepLength = 0;       // s
    double meanCompression = 0;  // mean of ρ/ρ0
    double maxCompression = 0;   // largest ρ/ρ0
    double compressedShare = 0;  // share of particles with ρ > 1.01 ρ0
    double densityError = 0;     // %, mean compression beyond ρ0: as left by the pressure solver, mean of the steps
    double iterations = 0;       // of the pressure solver, mean of the steps; 0 with wcsph
    double divergenceIterations = 0;  // of dfsph's first solver, mean of the steps
    double viscosityIterations = 0;   // of implicit viscosity, mean of the steps
    double viscosityError = 0;        // %, what it left undone, mean of the steps
    double maxSpeed = 0;              // m/s
    double kineticEnergy = 0;         // J
    int64_t pairs = 0;                // of particles within a support radius, each once, as the last step found them
    double clothIterations = 0;       // of implicitEuler's solver, mean of the cloths' steps
    double maxStretch = 0;            // largest strain of a cloth's springs: 0.01 is a percent longer than at rest
    int64_t emitted = 0;              // particles let out by emitters since the start
    int64_t killed = 0;               // particles deleted by kill volumes since the start
    // Volume that a liquid's surface encloses over the volume of its particles: of all surfaces the one farthest
    // from 1. 0: no surface was made.
    double volumeRatio = 0;
    double surfaceMemory = 0;  // MB that the liquids' surfaces took while they were made, at most
    // Where fabrics soak: liquid + fabric + evaporated + drained - supplied is always what it was at the start.
    int64_t absorbed = 0;       // particles taken up since the start
    int64_t dripped = 0;        // particles that dripped since the start
    double liquidMass = 0;      // kg, of what are particles now
    double fabricMass = 0;      // kg, of the water in fabrics now
    double evaporatedMass = 0;  // kg, since the start
    double suppliedMass = 0;    // kg, by emitters since the start
    double drainedMass = 0;     // kg, into kill volumes since the start

    // visit(name, field): what manifests and `purl sim --stats` tell; not the memory, which is no matter of the frame.
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
    double metersPerUnit = 1;  // lengths in this frame times this are metres
    uint64_t stateHash = 0;    // of the State it was taken from: the receipt
    std::vector<BodyInfo> bodies;
    Points points;
    std::vector<Mesh> meshes;
    std::vector<Curves> curves;  // the yarns of each knit
    std::vector<Rigid> rigids;   // in the order of the scene's colliders
    FrameStats stats;

    // What is still to be put in, in this order: meshes that another thread makes while the simulation goes on.
    std::vector<std::function<void(Frame&)>> deferred;
    std::vector<PhaseTime> phases;  // of what was made after the simulation
};

// Puts in what was deferred.
void complete(Frame& frame);
// The same frame with lengths, and all that goes with them, in another unit.
Frame inUnits(Frame frame, double metersPerUnit);
// The points of one body only, in their order.
Points pointsOf(const Frame& frame, int body);
// Adds the bodies and points of `part` behind those of `whole`. A channel that one of them lacks is zero there.
void appendPoints(Frame& whole, const Frame& part);
// Colour of each of these points of the frame: its own where fluids mix, or its body's.
std::vector<Vec3> colorsOf(const Frame& frame, const Points& points);
// Index of the body so named, or -1.
int findBody(const Frame& frame, const std::string& name);

}  // namespace purl
