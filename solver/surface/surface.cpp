#include "solver/surface/surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/math.h"
#include "solver/reference/rootFields.h"
#include "solver/surface/decimate.h"
#include "solver/surface/field.h"
#include "solver/surface/march.h"
#include "solver/surface/restoreVolume.h"
#include "solver/surface/shape.h"
#include "solver/surface/smooth.h"
#include "solver/surface/thin.h"
#include "solver/surface/transfer.h"
#include "solver/surface/wallContact.h"

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Scales of the field, in cells unless stated.
struct FieldScale {
    double cell;     // in the frame's unit
    double radius;   // of a blob
    double spacing;  // between particles at rest
    bool root;
    float isoValue;

    // ∫ (1 − (r/R)²)³ over the ball
    double integral() const { return 64 * kPi / 315 * radius * radius * radius; }
    // Σ in the interior, before the square root
    double fullSum() const { return root ? integral() / (spacing * spacing * spacing) : 1; }
    float full() const { return static_cast<float>(root ? std::sqrt(fullSum()) : 1); }
    // Value that samples a spacing apart must exceed for everything between them to be inside: a hole small
    // enough to lie between them reduces the field by at most a quarter. Weights may halve the terms of a root
    // field.
    float fullThreshold() const {
        const double iso = static_cast<double>(isoValue);
        return static_cast<float>((root ? 2 * iso * iso : iso) + 0.15 * fullSum());
    }
};

FieldScale makeScale(const Frame& frame, const std::vector<int>& bodies, const SurfaceParams& params) {
    double spacing = kUnbounded, support = 0;
    for (const int body : bodies) {
        const BodyInfo& info = frame.bodies[body];
        spacing = std::min(spacing, static_cast<double>(info.spacing));
        support =
            std::max(support, static_cast<double>(info.supportRadius > 0 ? info.supportRadius : 2 * info.spacing));
    }
    const double cell = spacing / static_cast<double>(params.resolution);
    // A kernel narrower than a cell would be missed by the grid.
    const double radius = std::max(1.0, static_cast<double>(params.kernelScale) * support / cell);
    return {cell, radius, static_cast<double>(params.resolution), params.reference.field != ReferenceField::none,
            params.isoValue};
}

template <class Form>
struct BlobSet {
    Buffer<Blob> blobs;
    Buffer<Form> forms;

    BlobView<Form> view(const SortedPoints& members, float reach) const {
        return {members.runs(), blobs.span(), forms.span(), reach};
    }
};

// Rest volume of a particle, in the cube of the frame's unit: the sphere of its radius, which holds its mass at its
// current density, scaled to the rest density. Without radii or densities, the cube of the spacing.
double restVolume(const Frame& frame, size_t particle) {
    const Points& points = frame.points;
    const BodyInfo& body = frame.bodies[points.bodies.empty() ? 0 : static_cast<size_t>(points.bodies[particle])];
    if (points.radii.empty() || points.densities.empty()) return pow(static_cast<double>(body.spacing), 3);
    return 4 * kPi / 3 * pow(static_cast<double>(points.radii[particle]), 3) *
           static_cast<double>(points.densities[particle]) / static_cast<double>(body.restDensity);
}

// Isotropic blobs with the peak of the field type.
BlobSet<Ball> makeBalls(const Device& device, const Frame& frame, const SortedPoints& members,
                        const FieldScale& scale) {
    BlobSet<Ball> set{Buffer<Blob>(device), Buffer<Ball>(device)};
    set.blobs.resizeDiscard(members.count());
    set.forms.resizeDiscard(members.count());
    const auto radius = static_cast<float>(scale.radius);
    const double cube = scale.cell * scale.cell * scale.cell * scale.integral();
    for (int i = 0; i < members.count(); ++i) {
        const double peak = scale.root ? 1 : restVolume(frame, static_cast<size_t>(members.particles[i])) / cube;
        set.blobs[i] = {members.x[i], static_cast<float>(peak)};
        set.forms[i] = {1 / (radius * radius), radius, 0};
    }
    return set;
}

// Positions in one frame of reference: cells relative to the first block's corner.
Buffer<Vec3> gatherPositions(const Device& device, const SortedPoints& members, const std::vector<int>& chosen) {
    Buffer<Vec3> x(device);
    x.resizeDiscard(static_cast<int>(chosen.size()));
    if (chosen.empty()) return x;
    const BlockCoord origin = blockCoord(members.keys[0]);
    int block = 0;
    for (int i = 0; i < x.size(); ++i) {
        const int member = chosen[i];
        while (members.starts[block + 1] <= member) ++block;
        const BlockCoord place = blockCoord(members.keys[block]);
        const auto cells = [](int blocks) { return static_cast<float>(kEdge * blocks); };
        x[i] =
            members.x[member] + Vec3{cells(place.x - origin.x), cells(place.y - origin.y), cells(place.z - origin.z)};
    }
    return x;
}
Buffer<Vec3> gatherPositions(const Device& device, const SortedPoints& members) {
    std::vector<int> all(static_cast<size_t>(members.count()));
    std::iota(all.begin(), all.end(), 0);
    return gatherPositions(device, members, all);
}

// Applies the surface values of the root fields, and the weights of lone particles.
void applyWeights(const Device& device, const SortedPoints& members, const FieldScale& scale,
                  const SurfaceParams& params, BlobSet<Ball>& balls) {
    const ReferenceField root = params.reference.field;
    const bool values = root != ReferenceField::none && root != ReferenceField::root;
    const bool lone = params.loneParticles != LoneParticles::keep;
    if (!values && !lone) return;
    const Buffer<Vec3> x = gatherPositions(device, members);
    const auto h = static_cast<float>(scale.radius);
    Neighbors neighbors(device);
    neighbors.build(x, h);
    applySurfaceValues(root, neighbors, h, balls.blobs, balls.forms);
    if (lone) {
        Buffer<float> weight(device);
        loneWeights(neighbors, params.loneParticles == LoneParticles::drop, weight);
        for (int i = 0; i < members.count(); ++i) balls.blobs[i].peak *= weight[i];
    }
}

// A sample around a particle with at least this field value means that its liquid is not thin; the middle of a film of
// one layer reaches half of it.
constexpr float kThickSample = 0.95f;

// Classifies the blocks, and marks particles that may lie in thin liquid.
template <int kStep>
void classifyBlocks(const Device& device, const BlockGrid& blocks, const BlobView<Ball>& blobs, float touch2,
                    float fullThreshold, Buffer<uint8_t>& fill, Buffer<uint8_t>& mayBeThin) {
    Buffer<float> samples(device);
    samples.resizeDiscard(SampleField<kStep>::kCount * blocks.count());
    forEach(device, "sampleField", blocks.count(),
            SampleField<kStep>{blobs, blocks.keys.span(), touch2, samples.span()}, 16);
    forEach(device, "classifyBlocks", blocks.count(),
            ClassifyBlocks<kStep>{blocks.view(), std::as_const(samples).span(), fullThreshold, fill.span()}, 64);
    forEach(device, "findThin", blobs.runs.keys.count,
            FindThin<kStep>{blocks.view(), blobs.runs, blobs.blobs, std::as_const(samples).span(), kThickSample,
                            mayBeThin.span()},
            64);
}

// The blocks where the field must be evaluated (narrow band), and which of those are completely liquid.
struct NarrowBand {
    BlockGrid blocks;
    Buffer<uint8_t> isLiquid;
    int liquidBlocks = 0;
    Buffer<uint8_t> mayBeThin;  // per particle
};

NarrowBand makeBand(const Device& device, const SortedPoints& members, const BlobSet<Ball>& balls,
                    const FieldScale& scale, float reach) {
    const auto blocksIn = [](double cells) { return static_cast<int>(std::ceil(cells / kEdge)); };
    BlockGrid all(device);
    all.keys = members.keys;
    // One cell more than a blob's reach: then no cut cell lies outside.
    dilate(all.keys, blocksIn(static_cast<double>(reach) + 1.01));
    findForwardNeighbors(all);
    Buffer<uint8_t> fill(device), liquid(device), mayBeThin(device);
    fill.resizeDiscard(all.count());
    liquid.resizeDiscard(all.count());
    mayBeThin.resizeDiscard(members.count());
    // Samples at most a spacing apart, and close enough that no blob falls between them.
    const double widest = std::min(scale.spacing, scale.radius / 2);
    const int step = widest >= 8 ? 8 : widest >= 4 ? 4 : widest >= 2 ? 2 : 1;
    if (step == 1) {
        std::fill(fill.begin(), fill.end(), static_cast<uint8_t>(Fill::mixed));
        std::fill(mayBeThin.begin(), mayBeThin.end(), uint8_t(1));
    } else {
        const float touch2 = square(reach) + 0.75f * square(static_cast<float>(step));
        const BlobView<Ball> blobs = balls.view(members, std::sqrt(touch2));
        switch (step) {
            case 2: classifyBlocks<2>(device, all, blobs, touch2, scale.fullThreshold(), fill, mayBeThin); break;
            case 4: classifyBlocks<4>(device, all, blobs, touch2, scale.fullThreshold(), fill, mayBeThin); break;
            default: classifyBlocks<8>(device, all, blobs, touch2, scale.fullThreshold(), fill, mayBeThin); break;
        }
    }
    // Full blocks in front of a mixed block are kept for the cells between the two.
    Buffer<uint8_t> keep(device);
    keep.resizeDiscard(all.count());
    int liquidBlocks = 0;
    for (int b = 0; b < all.count(); ++b) {
        const auto is = [&](int block, Fill what) { return block >= 0 && fill[block] == static_cast<uint8_t>(what); };
        liquid[b] = is(b, Fill::liquid);
        liquidBlocks += liquid[b];
        keep[b] = is(b, Fill::mixed);
        for (int k = 1; liquid[b] && !keep[b] && k < 8; ++k) keep[b] = is(all.ahead[8 * b + k], Fill::mixed);
    }
    NarrowBand band{keepBlocks(all, keep, liquid), Buffer<uint8_t>(device), liquidBlocks, std::move(mayBeThin)};
    band.isLiquid.resizeDiscard(band.blocks.count());
    for (int b = 0, next = 0; b < all.count(); ++b)
        if (keep[b]) band.isLiquid[next++] = liquid[b];
    return band;
}

// Some particles, plus all particles within the radius of their blocks, which are their neighbourhoods.
struct Neighborhoods {
    std::vector<int> members;  // ascending
    Buffer<Vec3> x;            // positions, in one frame of reference
    Buffer<uint8_t> wanted;    // 1 for the selected particles, 0 for mere neighbours
    Neighbors neighbors;

    // `blocks`: sorted keys of the blocks within `margin` blocks of which particles are selected.
    template <class Wanted>
    Neighborhoods(const Device& device, const SortedPoints& all, Buffer<uint64_t> blocks, int margin, float radius,
                  const Wanted& isWanted)
        : x(device), wanted(device), neighbors(device) {
        if (margin > 0) dilate(blocks, margin);
        Buffer<uint64_t> searched = blocks;
        dilate(searched, static_cast<int>(std::ceil(radius / kEdge)));
        std::vector<uint8_t> flags;
        for (int block = 0; block < all.keys.size(); ++block) {
            const auto has = [&](const Buffer<uint64_t>& keys) {
                return std::binary_search(keys.begin(), keys.end(), all.keys[block]);
            };
            if (!has(searched)) continue;
            const bool inside = has(blocks);
            for (int i = all.starts[block]; i < all.starts[block + 1]; ++i) {
                members.push_back(i);
                flags.push_back(inside && isWanted(i));
            }
        }
        x = gatherPositions(device, all, members);
        wanted.resizeDiscard(x.size());
        std::copy(flags.begin(), flags.end(), wanted.begin());
        neighbors.build(x, radius);
    }
    int count() const { return x.size(); }
};

// Kernel radius of an isolated particle, in spacings: two such drops merge at a distance of 1.6 spacings. And the least
// kernel radius in cells, so that the grid does not miss a drop.
constexpr double kLoneRadius = 1.3, kMinRadius = 1.5;

// Adapts the kernels of particles in thin liquid, so that the surface keeps drops, threads and films.
void shapeThin(const Device& device, const SortedPoints& members, const NarrowBand& band, const FieldScale& scale,
               BlobSet<Ball>& balls) {
    Buffer<uint64_t> blocks(device);
    for (int block = 0; block < members.keys.size(); ++block) {
        const auto* const flags = band.mayBeThin.begin();
        if (std::find(flags + members.starts[block], flags + members.starts[block + 1], 1) ==
            flags + members.starts[block + 1])
            continue;
        blocks.resize(blocks.size() + 1);
        blocks[blocks.size() - 1] = members.keys[block];
    }
    if (blocks.empty()) return;
    const auto radius = static_cast<float>(scale.radius);
    const Neighborhoods near(device, members, std::move(blocks), 0, radius, [&](int i) { return band.mayBeThin[i]; });
    Buffer<float> peak(device);
    peak.resizeDiscard(near.count());
    for (int k = 0; k < near.count(); ++k) peak[k] = balls.blobs[near.members[k]].peak;
    const auto loneRadius = static_cast<float>(std::max(kLoneRadius * scale.spacing, kMinRadius));
    const ThinBlobs thin = shapeThin(near.neighbors, near.wanted, peak, radius, loneRadius);
    for (int k = 0; k < near.count(); ++k) {
        const auto i = near.members[k];
        balls.blobs[i].peak *= thin.factor[k];
        balls.forms[i] = {1 / square(thin.radius[k]), thin.radius[k], 0};
    }
}

// Computes anisotropic shapes for the particles that reach a block of the band.
BlobSet<Ellipsoid> makeEllipsoids(const Device& device, const Frame& frame, const SortedPoints& members,
                                  const BlobSet<Ball>& balls, const NarrowBand& band, const FieldScale& scale,
                                  float maxShift) {
    const auto radius = static_cast<float>(scale.radius);
    Buffer<uint64_t> shaped(device);
    for (int b = 0; b < band.blocks.count(); ++b) {
        if (band.isLiquid[b]) continue;
        shaped.resize(shaped.size() + 1);
        shaped[shaped.size() - 1] = band.blocks.keys[b];
    }
    const int margin = static_cast<int>(std::ceil((radius + maxShift) / kEdge));
    // Thin liquid keeps isotropic blobs with raised peaks, and so do particles near walls: flattened blobs would lose
    // half of a film.
    const auto full = static_cast<float>(scale.spacing * scale.spacing * scale.spacing / scale.integral());
    const std::vector<Vec3>& walls = frame.points.wallOffsets;
    const Neighborhoods near(device, members, std::move(shaped), margin, radius, [&](int i) {
        return balls.blobs[i].peak <= 1.05f * full && (walls.empty() || walls[members.particles[i]] == Vec3{});
    });
    const Shapes shapes = anisotropicShapes(near.neighbors, near.wanted, radius, maxShift);

    BlobSet<Ellipsoid> set{balls.blobs, Buffer<Ellipsoid>(device)};
    set.forms.resizeDiscard(members.count());
    for (int i = 0; i < members.count(); ++i) {
        const Ball& ball = balls.forms[i];
        set.forms[i] = {ball.inverse, 0, 0, ball.inverse, 0, ball.inverse, {ball.radius, ball.radius, ball.radius}};
    }
    for (int k = 0; k < near.count(); ++k) {
        const int i = near.members[k];
        if (!near.wanted[k]) continue;
        set.blobs[i].x += shapes.shift[k];
        set.blobs[i].peak *= shapes.scale[k];
        set.forms[i] = shapes.form[k];
    }
    return set;
}

struct WorldPositions {
    Span<const uint64_t> keys;
    Span<const int> firstVertex;
    Span<const Vec3> local;
    double cell;
    Span<Vec3> world;

    PURL_HD void operator()(int block) const {
        const BlockCoord place = blockCoord(keys[block]);
        const auto at = [&](int start, float offset) {
            return static_cast<float>((static_cast<double>(kEdge) * start + static_cast<double>(offset)) * cell);
        };
        for (int i = firstVertex[block]; i < firstVertex[block + 1]; ++i)
            world[i] = {at(place.x, local[i].x), at(place.y, local[i].y), at(place.z, local[i].z)};
    }
};

// visit(particle values, vertex values) for each channel that is blended.
template <class Visit>
void forEachMixed(const Points& points, const std::vector<Vec3>& colors, Mesh& mesh, Visit&& visit) {
    visit(points.velocities, mesh.velocities);
    visit(colors, mesh.colors);
    visit(points.restPositions, mesh.restPositions);
    visit(points.ages, mesh.ages);
}

// Returns the bytes used, the mesh included. `nearestParticles`: of each vertex.
template <class Form>
double transferChannels(const Device& device, const Frame& frame, const std::vector<int>& bodies,
                        const SortedPoints& members, const BlobView<Form>& blobs, const BlockGrid& blocks,
                        const Triangulation& made, Mesh& mesh, std::vector<int>& nearestParticles) {
    const Points& points = frame.points;
    const std::vector<Vec3> own = bodies.size() > 1 ? colorsOf(frame, points) : std::vector<Vec3>();
    const std::vector<Vec3>& colors = bodies.size() > 1 ? own : points.colors.vector();
    int width = 0;
    forEachMixed(points, colors, mesh, [&](const auto& from, const auto&) {
        if (!from.empty()) width += static_cast<int>(sizeof(from[0]) / sizeof(float));
    });
    Buffer<float> numbers(device), mixed(device);
    numbers.resizeDiscard(width * members.count());
    int column = 0;
    forEachMixed(points, colors, mesh, [&](const auto& from, const auto&) {
        if (from.empty()) return;
        const int floats = static_cast<int>(sizeof(from[0]) / sizeof(float));
        const auto* const values = reinterpret_cast<const float*>(from.data());
        for (int i = 0; i < members.count(); ++i)
            for (int k = 0; k < floats; ++k)
                numbers[width * i + column + k] = values[floats * members.particles[i] + k];
        column += floats;
    });
    const int count = made.vertexCount();
    Buffer<Vec3> normal(device);
    Buffer<int> nearest(device);
    normal.resizeDiscard(count);
    nearest.resizeDiscard(count);
    mixed.resizeDiscard(width * count);
    forEach(device, "transferChannels", blocks.count(),
            TransferChannels<Form>{blobs, blocks.keys.span(), made.firstVertex.span(), made.local.span(),
                                   std::as_const(numbers).span(), width, normal.span(), mixed.span(), nearest.span()},
            8);
    numbers = Buffer<float>(device);
    mesh.normals = std::vector<Vec3>(normal.begin(), normal.end());
    normal = Buffer<Vec3>(device);
    column = 0;
    forEachMixed(points, colors, mesh, [&](const auto& from, auto& to) {
        if (from.empty()) return;
        const int floats = static_cast<int>(sizeof(from[0]) / sizeof(float));
        std::vector<typename std::decay_t<decltype(to)>::value_type> taken(static_cast<size_t>(count));
        auto* const values = reinterpret_cast<float*>(taken.data());
        for (int i = 0; i < count; ++i)
            for (int k = 0; k < floats; ++k) values[floats * i + k] = mixed[width * i + column + k];
        to = std::move(taken);
        column += floats;
    });
    const auto take = [&](const auto& from, auto& to) {
        if (from.empty()) return;
        std::vector<typename std::decay_t<decltype(to)>::value_type> taken(static_cast<size_t>(count));
        for (int i = 0; i < count; ++i) taken[i] = from[members.particles[nearest[i]]];
        to = std::move(taken);
    };
    take(points.ids, mesh.ids);
    take(points.sources, mesh.sources);
    if (bodies.size() > 1) take(points.bodies, mesh.bodies);
    nearestParticles.resize(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) nearestParticles[i] = members.particles[nearest[i]];
    const double vertex = 2 * double(sizeof(float)) * width + 3 * double(sizeof(Vec3)) + 3 * double(sizeof(int64_t)) +
                          double(sizeof(int));
    return double(sizeof(float)) * width * members.count() + vertex * count +
           2 * double(sizeof(int)) * made.corners.size();
}

}  // namespace

double enclosedVolume(const Mesh& mesh) {
    // V = Σ (a − o) · ((b − o) × (c − o)) / 6, with o near the mesh to avoid cancellation.
    if (mesh.positions.empty()) return 0;
    const std::vector<Vec3>& positions = mesh.positions;
    const std::vector<int>& corners = mesh.triangles;
    const Vec3 o = positions[0];
    double sum = 0;
    for (size_t t = 0; t + 2 < corners.size(); t += 3) {
        const auto at = [&](size_t k) { return positions[corners[t + k]] - o; };
        sum += static_cast<double>(dot(at(0), cross(at(1), at(2)))) / 6;
    }
    return sum;
}

double liquidVolume(const Frame& frame, int body) {
    double sum = 0;
    for (size_t i = 0; i < frame.points.count(); ++i)
        if (frame.points.bodies.empty() ? body == 0 : frame.points.bodies[i] == body) sum += restVolume(frame, i);
    return sum;
}

Mesh makeSurface(const Device& device, const Frame& frame, const std::vector<int>& bodies, const SurfaceParams& params,
                 SurfaceReport* report) {
    if (bodies.empty()) return {};
    for (const int body : bodies) {
        if (body < 0 || body >= static_cast<int>(frame.bodies.size()))
            throw Error("surface: the frame has no body number " + std::to_string(body));
        const BodyInfo& info = frame.bodies[body];
        if (info.kind == BodyKind::gas) throw Error(info.name + ": a gas has no surface; show its points");
        if (info.kind == BodyKind::foam) throw Error(info.name + ": foam has no surface; show its points");
        if (!(info.spacing > 0)) throw Error(info.name + ": has no particle spacing; a surface needs one");
    }
    const BodyInfo& info = frame.bodies[bodies[0]];
    checkParams(info.name, params);
    Mesh mesh;
    mesh.name = info.name;
    mesh.color = info.color;
    mesh.opacity = info.opacity;

    const FieldScale scale = makeScale(frame, bodies, params);
    const bool stretched = !scale.root && params.field == SurfaceField::anisotropic;
    // Smoothing only displaces particles by noise, which is less than this.
    const auto maxShift = static_cast<float>(stretched ? 0.3 * scale.spacing : 0);
    const float reach = static_cast<float>(scale.radius) + maxShift;
    const SortedPoints members = gather(device, frame, bodies, scale.cell, info.name, !scale.root);
    BlobSet<Ball> balls = makeBalls(device, frame, members, scale);
    applyWeights(device, members, scale, params, balls);
    // Volume that the field shows: reduced for faded particles.
    std::vector<float> volumes(frame.points.count());
    for (int i = 0; i < members.count(); ++i)
        volumes[members.particles[i]] =
            static_cast<float>(static_cast<double>(balls.blobs[i].peak) * scale.integral() * pow(scale.cell, 3));
    const NarrowBand band = makeBand(device, members, balls, scale, reach);
    if (band.blocks.count() > 2000000)
        throw Error(info.name + ": the surface's grid is too large; lower resolution (" +
                    std::to_string(static_cast<int>(scale.spacing + 0.5)) + " now)");
    if (!scale.root) shapeThin(device, members, band, scale, balls);
    Triangulation made(device);
    std::vector<int> nearest;  // nearest particle of each vertex
    double bytes = 0;
    const auto polygonize = [&](const auto& blobs) {
        const double particles = members.count() * double(sizeof(Vec3) + sizeof(int) + sizeof(Blob) + sizeof(Ball) +
                                                          (stretched ? sizeof(Blob) + sizeof(Ellipsoid) : 0));
        const auto sum = [&](int first, int count, Span<float> nodes) {
            forEach(device, "sumField", count,
                    SumField<typename std::decay_t<decltype(blobs)>::FormType>{
                        blobs, first, band.blocks.keys.span(), band.isLiquid.span(), scale.root, scale.full(), nodes},
                    8);
        };
        made = march(band.blocks, sum, scale.isoValue, scale.full());
        const double grid = band.blocks.count() * double(8 * sizeof(int) + sizeof(uint64_t));
        const double transferred =
            transferChannels(device, frame, bodies, members, blobs, band.blocks, made, mesh, nearest);
        bytes = particles + grid + std::max(made.bytes, transferred);
    };
    if (stretched)
        polygonize(makeEllipsoids(device, frame, members, balls, band, scale, maxShift).view(members, reach));
    else
        polygonize(balls.view(members, reach));

    mesh.triangles = std::vector<int>(made.corners.begin(), made.corners.end());
    made.corners = Buffer<int>(device);
    Buffer<Vec3> world(device);
    world.resizeDiscard(made.vertexCount());
    forEach(
        device, "worldPositions", band.blocks.count(),
        WorldPositions{band.blocks.keys.span(), made.firstVertex.span(), made.local.span(), scale.cell, world.span()},
        64);
    mesh.positions = std::vector<Vec3>(world.begin(), world.end());
    smoothMesh(device, mesh, params.smoothing);
    if (!scale.root) {
        // After smoothing: while the mesh continues behind the wall, smoothing has no crease there to round off.
        const std::vector<Vec3> wallNormals =
            attachToWalls(device, frame, bodies, scale.radius * scale.cell, params.contactAngle, mesh);
        // With another iso value the artist chose another volume.
        if (scale.isoValue == kVolumeLevel) restoreVolume(nearest, volumes, wallNormals, mesh);
    }
    double volume = 0;
    for (const int body : bodies) volume += liquidVolume(frame, body);
    if (volume > 0) mesh.volumeRatio = enclosedVolume(mesh) / volume;
    decimateMesh(mesh, params.decimation);
    if (report) {
        report->blocks = band.blocks.count();
        report->liquidBlocks = band.liquidBlocks;
        report->megabytes = 1e-6 * bytes;
    }
    return mesh;
}

Mesh makeSurface(const Device& device, const Frame& frame, int body, const SurfaceParams& params,
                 SurfaceReport* report) {
    return makeSurface(device, frame, std::vector<int>{body}, params, report);
}

}  // namespace purl
