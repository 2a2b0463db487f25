#include "solver/boundary/boundary.h"

#include <algorithm>
#include <cmath>

#include "solver/boundary/forEachOnHost.h"
#include "solver/boundary/rigidFit.h"
#include "solver/boundary/samples.h"
#include "solver/boundary/wallSums.h"
#include "solver/contact/motion.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/fourDigits.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

constexpr float kRigidTolerance = 1e-3f;  // spacings a rigid mesh's vertices may be off
constexpr float kMostStretch = 1.25f;     // of an edge, before a mesh gets its points anew

template <class T>
void assign(Buffer<T>& buffer, const std::vector<T>& values) {
    buffer.resize(static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), buffer.begin());
}

// W summed over the points of a square lattice, or of a row of them in two dimensions, at a height above one of them.
double layerSum(const WallKernel& kernel, float spacing, float height) {
    const int reach = static_cast<int>(kernel.radius / spacing) + 1;
    double sum = 0;
    const int rows = kernel.dimensions == 3 ? reach : 0;
    for (int j = -rows; j <= rows; ++j)
        for (int i = -reach; i <= reach; ++i)
            sum += kernel(std::sqrt(square(static_cast<float>(i) * spacing) + square(static_cast<float>(j) * spacing) +
                                    height * height));
    return sum;
}

// The same, on average over where above the lattice.
double meanLayerSum(const WallKernel& kernel, float spacing, float height) {
    constexpr int kPlaces = 4;
    double sum = 0;
    const int reach = static_cast<int>(kernel.radius / spacing) + 2;
    const bool isRow = kernel.dimensions == 2;
    const int rows = isRow ? 0 : reach, places = isRow ? kPlaces : kPlaces * kPlaces;
    for (int place = 0; place < places; ++place) {
        const Vec3 at{(static_cast<float>(place % kPlaces) + 0.5f) / kPlaces, 0,
                      isRow ? 0 : (static_cast<float>(place / kPlaces) + 0.5f) / kPlaces};
        for (int j = -rows; j <= rows; ++j)
            for (int i = -reach; i <= reach; ++i)
                sum += kernel(length(spacing * (at - Vec3{static_cast<float>(i), 0, static_cast<float>(j)}) +
                                     Vec3{0, height, 0}));
    }
    return sum / places;
}

struct MeasureVolumes {
    PointGridView grid;
    const Vec3* local;
    WallKernel kernel;
    float calibration;
    Span<float> volume;
    PURL_HD void operator()(int b) const {
        const Vec3 x = local[b];
        float sum = 0;
        if (const RunsAround runs = grid.around(x))
            for (int r = 0; r < kRunsAround; ++r) {
                const Run run = runs[r];
                for (int k = run.begin; k < run.end; ++k) sum += kernel(length(x - local[k]));
            }
        volume[b] = calibration / sum;
    }
};

struct MeasureSeen {
    MeasureVolumes measure;
    Span<const char> seen;
    BoundaryPoint* points;
    PURL_HD void operator()(int k) const {
        if (!seen[k] || measure.volume[k] > 0) return;
        measure(k);
        points[k].volume = measure.volume[k];
    }
};

struct PlacePoints {
    Pose before, after;
    const Vec3* local;
    const Vec3* localBefore;
    const float* volume;
    float friction, dt;
    int dimensions;
    BoundaryPoint* points;
    BoundaryMotion* motions;
    PURL_HD void operator()(int b) const {
        Vec3 x = after.toWorld(local[b]), way = x - before.toWorld(localBefore[b]);
        if (dimensions == 2) x.z = way.z = 0;
        points[b] = {x, volume[b]};
        motions[b] = {dt != 0 ? way / dt : Vec3{}, friction};
    }
};

PURL_HD inline bool within(const Bounds& box, Vec3 x) {
    return x.x >= box.low.x && x.y >= box.low.y && x.z >= box.low.z && x.x <= box.high.x && x.y <= box.high.y &&
           x.z <= box.high.z;
}

// Signed height of x above a plane, towards the fluid.
PURL_HD inline float heightAbove(const Boundary::Placed& plane, Vec3 x) {
    return plane.side * (dot(x - plane.after.position, plane.after.axes.y) - plane.height);
}

struct CountWalls {
    Span<const Boundary::Placed> walls;
    int firstNeeded;
    float radius;
    Span<const Vec3> x;
    Span<int> counts, padded, standIns;

    PURL_HD void operator()(int i) const {
        const Vec3 p = x[i];
        int surface = 0, alone = 0, before = 0;
        for (int c = 0; c < walls.count; ++c) {
            const Boundary::Placed& wall = walls[c];
            if (c == firstNeeded) before = surface + alone;
            if (!within(wall.box, p)) continue;
            if (wall.kind == Boundary::Placed::points) {
                const Vec3 local = wall.after.toLocal(p);
                if (const RunsAround runs = wall.grid.around(local))
                    for (int r = 0; r < kRunsAround; ++r) {
                        const Run run = runs[r];
                        for (int k = run.begin; k < run.end; ++k)
                            if (lengthSquared(local - wall.local[k]) < square(radius)) ++surface;
                    }
            } else if (wall.kind == Boundary::Placed::map) {
                if (wall.volume.isNear(wall.after.toLocal(p))) ++alone;
            } else if (wall.kind == Boundary::Placed::plane) {
                if (std::fabs(heightAbove(wall, p)) < radius) ++alone;
            }
        }
        constexpr int kPad = Boundary::View::kPad;
        if (firstNeeded > 0 && surface + alone == before) surface = alone = 0;
        counts[i] = surface + alone;
        padded[i] = (surface + alone + kPad - 1) / kPad * kPad;
        standIns[i] = alone;
    }
};

struct ListWalls {
    Span<const Boundary::Placed> walls;
    WallKernel kernel;
    float firmness, dt;
    Span<const Vec3> x;
    const int *counts, *starts, *standInStarts;
    int firstStandIn;
    int* indices;
    BoundaryPoint* points;
    BoundaryMotion* motions;
    int* owners;

    PURL_HD void operator()(int i) const {
        if (!counts[i]) return;
        const Vec3 p = x[i];
        int* list = indices + starts[i];
        int next = firstStandIn + standInStarts[i];
        for (int c = 0; c < walls.count; ++c) {
            const Boundary::Placed& wall = walls[c];
            if (!within(wall.box, p)) continue;
            if (wall.kind == Boundary::Placed::points) {
                const Vec3 local = wall.after.toLocal(p);
                if (const RunsAround runs = wall.grid.around(local))
                    for (int r = 0; r < kRunsAround; ++r) {
                        const Run run = runs[r];
                        for (int k = run.begin; k < run.end; ++k)
                            if (lengthSquared(local - wall.local[k]) < square(kernel.radius)) *list++ = wall.first + k;
                    }
            } else if (wall.kind == Boundary::Placed::map) {
                const Vec3 local = wall.after.toLocal(p);
                if (!wall.volume.isNear(local)) continue;
                Vec3 gradient;
                const float share = wall.volume.share(local, gradient);
                *list++ = stand(next++, c, p, share, wall.after.axes * gradient);
            } else if (wall.kind == Boundary::Placed::plane) {
                const float d = heightAbove(wall, p);
                if (!(std::fabs(d) < kernel.radius)) continue;
                const Vec3 intoWall = -wall.side * wall.after.axes.y;
                *list++ = stand(next++, c, p, kernel.shareAt(d), kernel.layerAt(d) * intoWall);
            }
        }
        for (const int* const end = indices + starts[i + 1]; list != end; ++list) *list = Boundary::View::kNobody;
    }

    PURL_HD int stand(int at, int owner, Vec3 p, float share, Vec3 gradient) const {
        const Boundary::Placed& wall = walls[owner];
        if (kernel.dimensions == 2) gradient.z = 0;
        const BoundaryPoint point = standIn(kernel, p, share, firmness * gradient);
        Vec3 way = point.x - wall.before.toWorld(wall.after.toLocal(point.x));
        if (kernel.dimensions == 2) way.z = 0;
        points[at] = point;
        motions[at] = {dt != 0 ? way / dt : Vec3{}, wall.friction};
        owners[at] = owner;
        return at;
    }
};

std::vector<Vec3> between(const Device& device, const std::vector<Vec3>& a, const std::vector<Vec3>& b, float share) {
    if (share >= 1 || a.size() != b.size()) return b;
    if (share <= 0) return a;
    std::vector<Vec3> result(b.size());
    forEachOnHost(device, "between", static_cast<int>(b.size()), [&](int k) {
        const auto i = static_cast<size_t>(k);
        result[i] = a[i] == b[i] ? a[i] : lerp(a[i], b[i], share);
    });
    return result;
}

bool isStretched(const std::vector<Vec3>& shape, const std::vector<Vec3>& now, const std::vector<int>& triangles,
                 float spacing) {
    for (size_t k = 0; k < triangles.size(); ++k) {
        const int a = triangles[k], b = triangles[k % 3 == 2 ? k - 2 : k + 1];
        const float before = length(shape[b] - shape[a]), after = length(now[b] - now[a]);
        if (std::fabs(after - before) > (kMostStretch - 1) * std::max(before, 0.2f * spacing)) return true;
    }
    return false;
}

struct BoxOf {
    Span<const Vec3> points;
    PURL_HD Bounds operator()(int i) const { return {points[i], points[i]}; }
};
struct JoinBoxes {
    PURL_HD Bounds operator()(const Bounds& a, const Bounds& b) const {
        return {min(a.low, b.low), max(a.high, b.high)};
    }
};
Bounds boundsOf(const Buffer<Vec3>& points) {
    return reduce(points.device(), "boundsOfPoints", points.size(), Bounds{}, BoxOf{points.span()}, JoinBoxes{});
}

// The box around a box in another frame.
Bounds moved(const Bounds& box, const Pose& pose) {
    Bounds result;
    for (int k = 0; k < 8 && !box.empty(); ++k)
        result.include(pose.toWorld(
            {k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y, k & 4 ? box.high.z : box.low.z}));
    return result;
}

bool sameShape(const ColliderParams& a, const ColliderParams& b) {
    ColliderParams other = b;
    other.friction = a.friction;
    other.adhesion = a.adhesion;
    return sameParams(a, other);
}

}  // namespace

WallCalibration calibrate(const WallKernel& kernel, float spacing) {
    const double cube = std::pow(double(spacing), kernel.dimensions);
    const float step = 0.05f * spacing;
    double missing = 0, slope = 0;
    for (int k = 1; static_cast<float>(k - 1) * spacing < kernel.radius; ++k) {
        const float height = static_cast<float>(k) * spacing;
        missing += layerSum(kernel, spacing, height);
        slope += (layerSum(kernel, spacing, height - step) - layerSum(kernel, spacing, height + step)) / (2 * step);
    }
    WallCalibration result;
    // A particle a spacing before the points' layer sees a disc of it, √(h² − s²) wide. There are to be as many of them
    // in it as a kernel of some thirty neighbours would see a spacing apart: too few would feel rough.
    const float seen = square(kernel.radius / spacing) - 1;
    result.pointSpacing = spacing * std::sqrt(clamp(seen / 2.7f, 0.05f, 1));
    const double first = meanLayerSum(kernel, result.pointSpacing, spacing);
    result.gamma =
        static_cast<float>(first > 0 ? cube * missing / first * layerSum(kernel, result.pointSpacing, 0) : 1);
    float near = 0, far = kernel.radius;  // where a half-space adds what is missing
    for (int k = 0; k < 40; ++k) {
        const float middle = 0.5f * (near + far);
        (kernel.shareAt(middle) > cube * missing ? near : far) = middle;
    }
    result.setBack = near - 0.5f * spacing;
    const float layer = kernel.layerAt(near);
    result.firmness = layer > 0 ? static_cast<float>(cube * slope / layer) : 1;
    return result;
}

// A collider with its points or its map, in its own frame; a mesh's is the world as its shape was in it.
struct Boundary::Wall {
    explicit Wall(const Device& device)
        : tree(device),
          grid(device),
          local(device),
          localBefore(device),
          volumes(device),
          carriers(device),
          map(device),
          seen(device) {}

    // What it was made of.
    ColliderParams params;
    BoundaryModel model = BoundaryModel::particles;
    std::string name;
    std::vector<int> triangles;
    RigidShape shape;
    Pose pose;  // of a primitive at the start, which says where the plane of two dimensions cuts it
    bool made = false;

    TriangleTree tree;  // of a mesh, in the shape
    SetBack setBack;
    std::vector<Vec3> sampledOn;  // vertices, as they were when the samples were made
    bool stretched = false;      // what deforms by steps: at the last prepare, so that samples are made on it as it was
    std::vector<Vec3> prepared;  // then: where it was
    std::vector<SurfaceSample> samples;
    std::vector<int> order;  // which sample, or vertex, each point is
    PointGrid grid;
    Buffer<Vec3> local, localBefore;  // points in cell order; before: where they were, of a mesh that deforms
    Buffer<float> volumes;
    Buffer<PointCarrier> carriers;  // of a mesh, of each point
    VolumeMap map;
    Buffer<char> seen;          // by point, whether fluid is near
    std::vector<Vec3> carried;  // the points as the mesh carried them, before they were sorted
    bool deformed = false;      // the points are in the world's frame, not in the shape's
    bool stale = true;          // the points are yet to be placed

    float setBackBy(float spacing) const { return spacing - std::max(0.5f * spacing, params.thickness); }
    // The solid of a map or plane, from the surface towards the fluid.
    float growBy(float spacing, const WallCalibration& calibration) const {
        return std::max(0.0f, params.thickness - 0.5f * spacing) - calibration.setBack;
    }
};

Boundary::Boundary(const Device& device)
    : device_(device),
      placed_(device),
      points_(device),
      motions_(device),
      owners_(device),
      counts_(device),
      padded_(device),
      starts_(device, 1),
      indices_(device),
      standIns_(device),
      standInStarts_(device) {}
Boundary::~Boundary() = default;
Boundary::Boundary(Boundary&&) noexcept = default;
Boundary& Boundary::operator=(Boundary&&) noexcept = default;

void Boundary::prepare(const Scene& scene, const std::vector<ColliderPlace>& shapes, float spacing,
                       const WallKernel& kernel, const std::vector<BoundaryModel>& models) {
    PURL_ASSERT(spacing > 0 && kernel.radius > 0);
    device_.synchronize();
    const bool sameFluid = spacing == spacing_ && kernel == kernel_;
    if (!sameFluid) {
        spacing_ = spacing;
        kernel_ = kernel;
        calibration_ = calibrate(kernel, spacing);
    }
    const size_t count = scene.colliders.size();
    if (walls_.size() != count) laidOut_ = false;
    while (walls_.size() < count) walls_.push_back(std::make_unique<Wall>(device_));
    walls_.resize(count);

    for (size_t c = 0; c < count; ++c) {
        const Collider& collider = scene.colliders[c];
        const bool isMesh = collider.params.shape == ColliderShape::mesh;
        const BoundaryModel model = c < models.size() ? models[c] : BoundaryModel::particles;
        const bool given = c < shapes.size() && shapes[c].vertices.size() == collider.mesh.vertices.size();
        const std::vector<Vec3>& shape = given ? shapes[c].vertices : collider.mesh.vertices;
        const Pose pose = c < shapes.size() ? shapes[c].pose : collider.pose;
        Wall& wall = *walls_[c];
        if (wall.made && sameFluid && wall.model == model && wall.name == collider.name &&
            sameShape(wall.params, collider.params) && (isMesh || kernel.dimensions == 3 || wall.pose == pose) &&
            (!isMesh || (wall.triangles == collider.mesh.triangles && wall.shape.vertices() == shape))) {
            chooseSamples(wall, collider);
            continue;
        }

        walls_[c] = std::make_unique<Wall>(device_);
        Wall& fresh = *walls_[c];
        laidOut_ = false;
        fresh.params = collider.params;
        fresh.pose = pose;
        fresh.model = model;
        fresh.name = collider.name;
        if (isMesh && model == BoundaryModel::vertices) {
            fresh.triangles = collider.mesh.triangles;
            fresh.shape.set(shape);
        } else if (isMesh) {
            const std::string fault = meshFault(shape, collider.mesh.triangles);
            if (!fault.empty())
                throw Error(collider.name + ": collider " + fault + "; connect another mesh or choose a primitive");
            fresh.triangles = collider.mesh.triangles;
            fresh.shape.set(shape);
            fresh.tree.build(shape, collider.mesh.triangles);
        }
        if (collider.params.shape == ColliderShape::plane) {
            fresh.made = true;
            continue;
        }
        if (model != BoundaryModel::volumeMap) {
            if (isMesh && model == BoundaryModel::particles) {
                const float inwards = fresh.setBackBy(spacing);
                fresh.setBack.prepare(fresh.tree, collider.params.container ? -inwards : inwards);
            }
            makePoints(fresh, isMesh ? &shape : nullptr);
            chooseSamples(fresh, collider);
        } else {
            SolidDistance solid;
            solid.shape = collider.params.shape;
            solid.container = collider.params.container;
            solid.radius = collider.params.radius;
            solid.halfLength = collider.params.halfLength;
            solid.halfSize = collider.params.halfSize;
            solid.mesh = fresh.tree.view();
            solid.sheet = isMesh && !fresh.tree.isClosed() ? spacing - 2 * calibration_.setBack : 0;
            solid.grow = fresh.growBy(spacing, calibration_);
            fresh.map.build(collider.name, solid, kernel);
        }
        fresh.made = true;
    }
}

// Throws Error, before memory is taken, where a wall asks for more samples than any scene has a use for.
void Boundary::checkSampleCount(const Wall& wall, const std::vector<Vec3>* vertices) const {
    constexpr double kMaxSamples = 1e8;
    if (wall.model == BoundaryModel::vertices) return;
    const ColliderParams& params = wall.params;
    const float spacing = calibration_.pointSpacing;
    const int dimensions = kernel_.dimensions;
    const double samples = vertices ? expectedSamples(*vertices, wall.triangles, spacing, dimensions)
                           : params.shape == ColliderShape::box
                               ? expectedSamplesOfBox(params.halfSize, spacing, dimensions)
                               : expectedSamplesOfCapsule(params.halfLength, params.radius, spacing, dimensions);
    if (!(samples <= kMaxSamples))
        throw Error(wall.name + ": its surface takes about " + fourDigits(samples) + " boundary samples, more than " +
                    fourDigits(kMaxSamples) + "; make it smaller or the particles larger");
}

// What deforms by steps gets samples of its own no more often than it is prepared, once a frame: making them takes
// longer than all else of a step.
void Boundary::chooseSamples(Wall& wall, const Collider& collider) const {
    if (collider.params.shape != ColliderShape::mesh || collider.params.motion != ColliderMotion::dynamic) return;
    if (wall.model != BoundaryModel::particles) return;
    wall.stretched = isStretched(wall.shape.vertices(), collider.mesh.vertices, wall.triangles, spacing_);
    if (wall.stretched) wall.prepared = collider.mesh.vertices;
}

// The wall's points in its own frame, their cells and volumes; of a mesh, those that ride on it.
void Boundary::makePoints(Wall& wall, const std::vector<Vec3>* vertices) {
    const ColliderParams& params = wall.params;
    std::vector<Vec3> points;
    checkSampleCount(wall, vertices);
    if (vertices && wall.model == BoundaryModel::vertices) {
        points = *vertices;
    } else if (vertices) {
        std::vector<Vec3> moved;
        wall.setBack.apply(*vertices, moved);
        wall.samples = kernel_.dimensions == 2
                           ? sampleSection(moved, wall.setBack.triangles(), calibration_.pointSpacing)
                           : sampleTriangles(moved, wall.setBack.triangles(), calibration_.pointSpacing);
        wall.sampledOn = *vertices;
        const std::vector<int>& corners = wall.setBack.triangles();
        for (const SurfaceSample& s : wall.samples) {
            const Vec3 a = moved[corners[3 * s.triangle]], b = moved[corners[3 * s.triangle + 1]],
                       c = moved[corners[3 * s.triangle + 2]];
            points.push_back(a + s.u * (b - a) + s.v * (c - a));
        }
    } else {
        const float grow = (params.container ? 1.0f : -1.0f) * wall.setBackBy(spacing_);
        const float radius = std::max(0.0f, params.radius + grow);
        const float halfLength = params.shape == ColliderShape::capsule ? params.halfLength : 0;
        if (kernel_.dimensions == 2)
            points = params.shape == ColliderShape::box
                         ? sectionOfBox(params.halfSize + Vec3{grow, grow, grow}, wall.pose, calibration_.pointSpacing)
                         : sectionOfCapsule(halfLength, radius, wall.pose, calibration_.pointSpacing);
        else if (params.shape == ColliderShape::box)
            points = sampleBox(max(params.halfSize + Vec3{grow, grow, grow}, Vec3{}), calibration_.pointSpacing);
        else
            points = sampleCapsule(halfLength, radius, calibration_.pointSpacing);
    }
    wall.order = wall.grid.build(points, kernel_.radius);
    assign(wall.local, points);
    measureVolumes(wall);
    if (vertices) findCarriers(wall);
    wall.deformed = false;
    wall.stale = true;
    laidOut_ = false;
}

void Boundary::measureVolumes(Wall& wall) {
    wall.volumes.resize(wall.local.size());
    forEach(device_, "measureVolumes", wall.local.size(),
            MeasureVolumes{wall.grid.view(), wall.local.data(), kernel_, calibration_.gamma, wall.volumes.span()});
    device_.synchronize();
}

// Points of all walls in one array, behind kNobody.
void Boundary::layOut() {
    surfacePoints_ = 0;
    for (const auto& wall : walls_) {
        surfacePoints_ += wall->local.size();
        wall->stale = true;
    }
    points_.resize(1 + surfacePoints_);
    motions_.resize(1 + surfacePoints_);
    owners_.resize(1 + surfacePoints_);
    owners_[View::kNobody] = -1;
    int next = 1;
    for (size_t c = 0; c < walls_.size(); ++c)
        for (int k = 0; k < walls_[c]->local.size(); ++k) owners_[next++] = static_cast<int>(c);
    points_[View::kNobody] = {{1e6f, 1e6f, 1e6f}, 0};
    motions_[View::kNobody] = {};
    laidOut_ = true;
}

void Boundary::moveTo(const Scene& scene, const std::vector<ColliderPlace>& from, float shareBefore, float shareAfter,
                      float dt, WallsAt where) {
    PURL_ASSERT(walls_.size() == scene.colliders.size());
    device_.synchronize();
    if (!(dt > 0)) shareBefore = shareAfter;
    // The start is where walls come to if time runs backwards; their velocities are the same.
    if (where == WallsAt::start) {
        std::swap(shareBefore, shareAfter);
        dt = -dt;
    }
    const size_t count = scene.colliders.size();
    placed_.resize(static_cast<int>(count));
    const float frameShares[2] = {shareBefore, shareAfter};

    for (size_t c = 0; c < count; ++c) {
        const Collider& collider = scene.colliders[c];
        Wall& wall = *walls_[c];
        Placed& placed = placed_[static_cast<int>(c)];
        const Pose before = placed.before, after = placed.after;
        const float friction = placed.friction;
        const ColliderPlace* start = c < from.size() ? &from[c] : nullptr;
        // A rigid body's way is that of the step, not of the frame.
        const bool rigid = collider.params.motion == ColliderMotion::dynamic;
        shareBefore = rigid ? (where == WallsAt::end ? 0.0f : 1.0f) : frameShares[0];
        shareAfter = rigid ? 1 - shareBefore : frameShares[1];
        if (collider.params.shape == ColliderShape::mesh) {
            if (start && start->vertices.size() != collider.mesh.vertices.size()) start = nullptr;
            placeMesh(wall, collider, start ? start->vertices : collider.mesh.vertices, shareBefore, shareAfter,
                      placed);
        } else {
            placed.before = start ? poseBetween(start->pose, collider.pose, shareBefore) : collider.pose;
            placed.after = start ? poseBetween(start->pose, collider.pose, shareAfter) : collider.pose;
        }
        placed.friction = collider.params.friction;
        // Points that stood still and stand still are where they belong.
        const bool rests =
            placed.before == before && placed.after == after && placed.friction == friction && before == after;
        if (!rests) wall.stale = true;
    }

    if (!laidOut_) layOut();
    int first = 1;
    for (size_t c = 0; c < count; ++c) {
        Wall& wall = *walls_[c];
        Placed& placed = placed_[static_cast<int>(c)];
        const float radius = kernel_.radius;
        placed.first = first;
        if (wall.params.shape == ColliderShape::plane) {
            placed.kind = Placed::plane;
            placed.side = wall.params.container ? -1.0f : 1.0f;
            placed.height = placed.side * wall.growBy(spacing_, calibration_);
            placed.box = {{-1e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f}};
        } else if (wall.model == BoundaryModel::volumeMap) {
            placed.kind = Placed::map;
            placed.volume = wall.map.view();
            placed.box = moved(placed.volume.bounds(), placed.after);
        } else {
            placed.kind = Placed::points;
            placed.local = wall.local.data();
            placed.grid = wall.grid.view();
            if (wall.stale) {
                placed.box = moved(grown(boundsOf(wall.local), radius), placed.after);
                forEach(device_, "placeBoundary", wall.local.size(),
                        PlacePoints{placed.before, placed.after, wall.local.data(),
                                    wall.deformed ? wall.localBefore.data() : wall.local.data(), wall.volumes.data(),
                                    placed.friction, dt, kernel_.dimensions, points_.data() + first,
                                    motions_.data() + first});
            }
            // What moves is placed anew next time, be it only to come to rest.
            wall.stale = wall.deformed;
            first += wall.local.size();
        }
    }
    dt_ = dt;
}

// A mesh that keeps its shape over the frame moves as one piece, its points at rest in the shape's frame. If it does
// not, they are carried along by its triangles, in the world's.
void Boundary::placeMesh(Wall& wall, const Collider& collider, const std::vector<Vec3>& start, float shareBefore,
                         float shareAfter, Placed& placed) {
    if (wall.model == BoundaryModel::vertices) {
        placed.before = placed.after = Pose();
        std::vector<Vec3> points = between(device_, start, collider.mesh.vertices, shareAfter);
        placeCarried(wall, points, between(device_, start, collider.mesh.vertices, shareBefore));
        return;
    }
    const float tolerance = kRigidTolerance * spacing_;
    Pose a, b;
    const bool rigid = wall.shape.fit(start, tolerance, a) && wall.shape.fit(collider.mesh.vertices, tolerance, b);
    if (!rigid && wall.model == BoundaryModel::volumeMap)
        throw Error(collider.name + ": volume maps need a rigid mesh; use boundary particles");
    placed.before = rigid ? poseBetween(a, b, shareBefore) : Pose();
    placed.after = rigid ? poseBetween(a, b, shareAfter) : Pose();
    if (rigid) {
        const bool elsewhere = wall.deformed || wall.sampledOn != wall.shape.vertices();
        if (elsewhere && wall.model == BoundaryModel::particles) makePoints(wall, &wall.shape.vertices());
        return;
    }

    // A shape far from the first one is given points of its own, which depend on this frame's start alone.
    const bool bySteps = collider.params.motion == ColliderMotion::dynamic;
    const bool stretched =
        bySteps ? wall.stretched : isStretched(wall.shape.vertices(), start, wall.triangles, spacing_);
    const std::vector<Vec3>& sampleOn = !stretched ? wall.shape.vertices() : bySteps ? wall.prepared : start;
    if (wall.sampledOn != sampleOn) makePoints(wall, &sampleOn);

    const std::vector<Vec3> now = between(device_, start, collider.mesh.vertices, shareAfter);
    const std::vector<Vec3> before = between(device_, start, collider.mesh.vertices, shareBefore);
    std::vector<Vec3> movedNow, movedBefore;
    wall.setBack.apply(now, movedNow);
    wall.setBack.apply(before, movedBefore);
    const std::vector<int>& corners = wall.setBack.triangles();
    const auto carried = [&](const SurfaceSample& s, const std::vector<Vec3>& vertices) {
        const Vec3 a = vertices[corners[3 * s.triangle]], b = vertices[corners[3 * s.triangle + 1]],
                   c = vertices[corners[3 * s.triangle + 2]];
        return a + s.u * (b - a) + s.v * (c - a);
    };
    std::vector<Vec3> points(wall.samples.size()), pointsBefore(wall.samples.size());
    forEachOnHost(device_, "carrySamples", static_cast<int>(wall.samples.size()), [&](int i) {
        const auto k = static_cast<size_t>(i);
        points[k] = carried(wall.samples[k], movedNow);
        pointsBefore[k] = carried(wall.samples[k], movedBefore);
    });
    placeCarried(wall, points, pointsBefore);
}

// Points of a mesh that deforms, in the world's frame. A step asks for them twice where cloths feel the fluid before
// they move and the fluid then meets them where they came from: their cells and volumes are the same.
void Boundary::placeCarried(Wall& wall, std::vector<Vec3>& points, const std::vector<Vec3>& before) {
    if (!wall.deformed || wall.carried != points) {
        wall.carried = points;
        wall.order = wall.grid.build(points, kernel_.radius);
        assign(wall.local, points);
        wall.volumes.resize(0);
        wall.volumes.resize(wall.local.size());
        findCarriers(wall);
    }
    wall.localBefore.resize(wall.local.size());
    forEachOnHost(device_, "sortSamples", wall.local.size(), [&](int k) {
        wall.localBefore[k] = before[static_cast<size_t>(wall.order[static_cast<size_t>(k)])];
    });
    wall.deformed = true;
    wall.stale = true;
}

void Boundary::findCarriers(Wall& wall) const {
    wall.carriers.renew(wall.local.size());
    const std::vector<int>& corners = wall.setBack.triangles();
    forEachOnHost(device_, "findCarriers", wall.carriers.size(), [&](int k) {
        PointCarrier& carrier = wall.carriers[k] = {};
        const int i = wall.order[static_cast<size_t>(k)];
        if (wall.model == BoundaryModel::vertices) {
            carrier.vertex[0] = i;
            carrier.share[0] = 1;
            return;
        }
        const SurfaceSample& s = wall.samples[static_cast<size_t>(i)];
        for (int c = 0; c < 3; ++c) carrier.vertex[c] = corners[static_cast<size_t>(3 * s.triangle + c)];
        carrier.share[0] = 1 - s.u - s.v;
        carrier.share[1] = s.u;
        carrier.share[2] = s.v;
    });
}

Span<const PointCarrier> Boundary::carriersOf(int wall) const {
    return std::as_const(walls_[static_cast<size_t>(wall)]->carriers).span();
}

void Boundary::findNeighbors(const Buffer<Vec3>& x, int firstNeeded) {
    const int count = x.size();
    counts_.resize(count);
    padded_.resize(count);
    standIns_.resize(count);
    forEach(device_, "countWalls", count,
            CountWalls{std::as_const(placed_).span(), firstNeeded, kernel_.radius, x.span(), counts_.span(),
                       padded_.span(), standIns_.span()});
    device_.synchronize();
    scan(padded_, starts_);
    scan(standIns_, standInStarts_);
    indices_.resize(starts_[count]);
    const int firstStandIn = 1 + surfacePoints_;
    points_.resize(firstStandIn + standInStarts_[count]);
    motions_.resize(points_.size());
    owners_.resize(points_.size());
    forEach(device_, "listWalls", count,
            ListWalls{std::as_const(placed_).span(), kernel_, calibration_.firmness, dt_, x.span(), counts_.data(),
                      starts_.data(), standInStarts_.data(), firstStandIn, indices_.data(), points_.data(),
                      motions_.data(), owners_.data()});
    for (size_t c = 0; c < walls_.size(); ++c)
        if (walls_[c]->deformed) measureSeen(*walls_[c], placed_[static_cast<int>(c)].first, count);
}

// Volumes of points that deform are others in every step, and few of them have fluid near.
void Boundary::measureSeen(Wall& wall, int first, int particles) {
    wall.seen.resize(0);
    wall.seen.resize(wall.local.size());
    sumOnWalls(device_, "seenPoints", view(), particles, first, wall.seen.span(),
               [](int, const int*, char& seen) { seen = 1; });
    forEach(device_, "measureVolumes", wall.seen.size(),
            MeasureSeen{
                MeasureVolumes{wall.grid.view(), wall.local.data(), kernel_, calibration_.gamma, wall.volumes.span()},
                std::as_const(wall.seen).span(), points_.data() + first});
    device_.synchronize();
}

}  // namespace purl
