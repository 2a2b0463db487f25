#include "solver/boundary/boundary.h"

#include <algorithm>
#include <cmath>

#include "solver/boundary/forEachOnHost.h"
#include "solver/boundary/rigidFit.h"
#include "solver/boundary/sampleLists.h"
#include "solver/boundary/sampleSums.h"
#include "solver/boundary/samples.h"
#include "solver/colliders/motion.h"
#include "solver/core/copy.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/fourDigits.h"
#include "solver/core/hostView.h"
#include "solver/core/math.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

constexpr float kRigidTolerance = 1e-3f;  // allowed deviation of the vertices of a rigid mesh, in particle spacings
constexpr float kMaxStretch = 1.25f;      // ratio of edge lengths beyond which a mesh is resampled

// Sum of W over a square lattice (in 2D: a row) of points, evaluated at a height above one of the points.
double layerSum(const BoundaryKernel& kernel, float spacing, float height) {
    const int reach = static_cast<int>(kernel.radius / spacing) + 1;
    double sum = 0;
    const int rows = kernel.dimensions == 3 ? reach : 0;
    for (int j = -rows; j <= rows; ++j)
        for (int i = -reach; i <= reach; ++i)
            sum += kernel(std::sqrt(square(static_cast<float>(i) * spacing) + square(static_cast<float>(j) * spacing) +
                                    height * height));
    return sum;
}

// The same, averaged over positions above a lattice cell.
double meanLayerSum(const BoundaryKernel& kernel, float spacing, float height) {
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
    BoundaryKernel kernel;
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

struct MeasureVolumesNearFluid {
    MeasureVolumes measure;
    Span<const char> nearFluid;
    BoundarySample* points;  // of the collider
    PURL_HD void operator()(int k) const {
        if (!nearFluid[k] || measure.volume[k] > 0) return;
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
    BoundarySample* points;
    BoundaryMotion* motions;
    PURL_HD void operator()(int b) const {
        Vec3 x = after.toWorld(local[b]), displacement = x - before.toWorld(localBefore[b]);
        if (dimensions == 2) x.z = displacement.z = 0;
        points[b] = {x, volume[b]};
        motions[b] = {dt != 0 ? displacement / dt : Vec3{}, friction};
    }
};

struct MarkNearFluid {
    PURL_HD void operator()(int, int, char& nearFluid) const { nearFluid = 1; }
};

// The lengths of all lists together, and the number of stand-ins.
struct SampleCounts {
    int padded = 0, standIns = 0;
};
struct SampleCountsOf {
    Span<const int> padded, standIns;
    PURL_HD SampleCounts operator()(int i) const { return {padded[i], standIns[i]}; }
};
struct AddSampleCounts {
    PURL_HD SampleCounts operator()(const SampleCounts& a, const SampleCounts& b) const {
        return {a.padded + b.padded, a.standIns + b.standIns};
    }
};

bool isStretched(const std::vector<Vec3>& shape, const std::vector<Vec3>& now, const std::vector<int>& triangles,
                 float spacing) {
    for (size_t k = 0; k < triangles.size(); ++k) {
        const int a = triangles[k], b = triangles[k % 3 == 2 ? k - 2 : k + 1];
        const float before = length(shape[b] - shape[a]), after = length(now[b] - now[a]);
        if (std::fabs(after - before) > (kMaxStretch - 1) * std::max(before, 0.2f * spacing)) return true;
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
Bounds boundsOf(const Device& host, const std::vector<Vec3>& points) {
    const Span<const Vec3> all{points.data(), static_cast<int>(points.size())};
    return reduce(host, "boundsOfPoints", all.count, Bounds{}, BoxOf{all}, JoinBoxes{});
}

// Axis-aligned box around a transformed box.
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

BoundaryCalibration calibrate(const BoundaryKernel& kernel, float spacing) {
    const double cube = pow(double(spacing), kernel.dimensions);
    const float step = 0.05f * spacing;
    double missing = 0, slope = 0;
    for (int k = 1; static_cast<float>(k - 1) * spacing < kernel.radius; ++k) {
        const float height = static_cast<float>(k) * spacing;
        missing += layerSum(kernel, spacing, height);
        slope += (layerSum(kernel, spacing, height - step) - layerSum(kernel, spacing, height + step)) / (2 * step);
    }
    BoundaryCalibration result;
    // The kernel covers a disc of radius √(h² − s²) of a layer of samples one spacing away. The disc should contain at
    // least as many samples as for a kernel with about thirty neighbours, otherwise the boundary becomes uneven.
    const float discRadius2 = square(kernel.radius / spacing) - 1;
    result.pointSpacing = spacing * std::sqrt(clamp(discRadius2 / 2.7f, 0.05f, 1));
    const double first = meanLayerSum(kernel, result.pointSpacing, spacing);
    result.gamma =
        static_cast<float>(first > 0 ? cube * missing / first * layerSum(kernel, result.pointSpacing, 0) : 1);
    float near = 0, far = kernel.radius;  // bisection: distance at which a half-space supplies the missing density
    for (int k = 0; k < 40; ++k) {
        const float middle = 0.5f * (near + far);
        (kernel.shareAt(middle) > cube * missing ? near : far) = middle;
    }
    result.setBack = near - 0.5f * spacing;
    const float layer = kernel.layerAt(near);
    result.gradientScale = layer > 0 ? static_cast<float>(cube * slope / layer) : 1;
    return result;
}

// Samples or volume map of a collider in its local frame. For a mesh that is world space at the start frame.
struct Boundary::Source {
    explicit Source(const Device& device)
        : tree(device.host()),
          grid(device),
          local(device, "boundary.local"),
          localBefore(device, "boundary.localBefore"),
          volumes(device, "boundary.volumes"),
          carriers(device, "boundary.carriers"),
          map(device),
          nearFluid(device, "boundary.nearFluid"),
          onDevice(device) {}

    // What another device needs to place samples that a mesh carries: the samples in their own order.
    struct OnDevice {
        explicit OnDevice(const Device& device)
            : order(device, "boundary.order"),
              carried(device, "boundary.carried"),
              carriedBefore(device, "boundary.carriedBefore"),
              carriers(device, "boundary.carriersOfSamples") {}

        Buffer<int> order;
        Buffer<Vec3> carried, carriedBefore;  // of the last two different positions
        Buffer<PointCarrier> carriers;
    };

    // What they were created from.
    ColliderParams params;
    BoundaryModel model = BoundaryModel::particles;
    std::string name;
    Channel<int> triangles;
    RigidShape shape;
    Pose pose;  // of a primitive at the start frame; in 2D its intersection with the plane z = 0 depends on it
    bool made = false;

    TriangleTree tree;  // of a mesh at the start frame
    OffsetSurface offsetSurface;
    std::vector<Vec3> sampledOn;  // vertices from which the samples were created
    bool stretched = false;  // deforming collider: was too stretched at the last prepare(), sample it as it was then
    Channel<Vec3> prepared;  // its vertices at that time
    std::vector<SurfaceSample> samples;
    std::vector<int> order;  // cell order → sample or vertex
    PointGrid grid;
    Buffer<Vec3> local, localBefore;  // samples in cell order; localBefore: of a deforming mesh before the sub-step
    Buffer<float> volumes;
    Bounds box;                       // of the samples in `local`
    Mirrored<PointCarrier> carriers;  // for a mesh, per sample
    VolumeMap map;
    Buffer<char> nearFluid;     // per sample: fluid is near
    std::vector<Vec3> carried;  // sample positions on the deformed mesh, before they were sorted by cell
    OnDevice onDevice;
    std::vector<Vec3> carriedBefore;  // the positions of onDevice.carriedBefore
    bool deformed = false;            // samples are in current world space, not in the frame of the start shape
    bool stale = true;                // samples must be placed again

    // Of a sample of a mesh, in the order of `samples`.
    PointCarrier carrierOf(int i) const {
        PointCarrier carrier;
        if (model == BoundaryModel::vertices) {
            carrier.vertex[0] = i;
            carrier.share[0] = 1;
            return carrier;
        }
        const SurfaceSample& s = samples[i];
        for (int c = 0; c < 3; ++c) carrier.vertex[c] = offsetSurface.triangles()[3 * s.triangle + c];
        carrier.share[0] = 1 - s.u - s.v;
        carrier.share[1] = s.u;
        carrier.share[2] = s.v;
        return carrier;
    }

    float offsetDistance(float spacing) const { return spacing - std::max(0.5f * spacing, params.thickness); }
    // Offset of the solid of a map or plane from the surface, positive towards the fluid.
    float growBy(float spacing, const BoundaryCalibration& calibration) const {
        return std::max(0.0f, params.thickness - 0.5f * spacing) - calibration.setBack;
    }
};

Boundary::Boundary(const Device& device)
    : device_(device),
      placed_(device, "boundary.placed"),
      points_(device, "boundary.points"),
      motions_(device, "boundary.motions"),
      owners_(device, "boundary.owners"),
      counts_(device, "boundary.counts"),
      padded_(device, "boundary.padded"),
      starts_(device, 1, "boundary.starts"),
      indices_(device, "boundary.indices"),
      standIns_(device, "boundary.standIns"),
      standInStarts_(device, "boundary.standInStarts") {}
Boundary::~Boundary() = default;
Boundary::Boundary(Boundary&&) noexcept = default;
Boundary& Boundary::operator=(Boundary&&) noexcept = default;

void Boundary::prepare(const StepColliders& list, const std::vector<int>& members, float spacing,
                       const BoundaryKernel& kernel, const std::vector<BoundaryModel>& models) {
    PURL_ASSERT(spacing > 0 && kernel.radius > 0);
    const bool sameFluid = spacing == spacing_ && kernel == kernel_;
    if (!sameFluid) {
        spacing_ = spacing;
        kernel_ = kernel;
        calibration_ = calibrate(kernel, spacing);
    }
    members_ = members;
    const size_t count = members.size();
    if (sources_.size() != count) laidOut_ = false;
    while (sources_.size() < count) sources_.push_back(std::make_unique<Source>(device_));
    sources_.resize(count);

    const std::vector<Vec3> noVertices;
    for (size_t c = 0; c < count; ++c) {
        const StepCollider& collider = list[members[c]];
        const bool isMesh = collider.isMesh();
        const BoundaryModel model = c < models.size() ? models[c] : BoundaryModel::particles;
        const std::vector<Vec3>& shape = isMesh ? collider.start.vertices.vector() : noVertices;
        const Pose pose = collider.start.pose;
        Source& source = *sources_[c];
        if (source.made && sameFluid && source.model == model && source.name == collider.name &&
            sameShape(source.params, collider.params) && (isMesh || kernel.dimensions == 3 || source.pose == pose) &&
            (!isMesh || (source.triangles == collider.triangles && source.shape.vertices() == shape))) {
            chooseSamples(source, collider);
            continue;
        }

        sources_[c] = std::make_unique<Source>(device_);
        Source& fresh = *sources_[c];
        laidOut_ = false;
        fresh.params = collider.params;
        fresh.pose = pose;
        fresh.model = model;
        fresh.name = collider.name;
        if (isMesh && model == BoundaryModel::vertices) {
            fresh.triangles = collider.triangles;
            fresh.shape.set(shape);
        } else if (isMesh) {
            const std::string fault = meshFault(shape, collider.triangles);
            if (!fault.empty())
                throw Error(collider.name + ": collider " + fault + "; connect another mesh or choose a primitive");
            fresh.triangles = collider.triangles;
            fresh.shape.set(shape);
            fresh.tree.build(shape, collider.triangles);
        }
        if (collider.params.shape == ColliderShape::plane) {
            fresh.made = true;
            continue;
        }
        if (model != BoundaryModel::volumeMap) {
            if (isMesh && model == BoundaryModel::particles) {
                const float inwards = fresh.offsetDistance(spacing);
                fresh.offsetSurface.prepare(fresh.tree, collider.params.container ? -inwards : inwards);
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

// Throws Error, before allocating memory, if a collider would need an unreasonable number of samples.
void Boundary::checkSampleCount(const Source& source, const std::vector<Vec3>* vertices) const {
    constexpr double kMaxSamples = 1e8;
    if (source.model == BoundaryModel::vertices) return;
    const ColliderParams& params = source.params;
    const float spacing = calibration_.pointSpacing;
    const int dimensions = kernel_.dimensions;
    const double samples = vertices ? expectedSamples(*vertices, source.triangles, spacing, dimensions)
                           : params.shape == ColliderShape::box
                               ? expectedSamplesOfBox(params.halfSize, spacing, dimensions)
                               : expectedSamplesOfCapsule(params.halfLength, params.radius, spacing, dimensions);
    if (!(samples <= kMaxSamples))
        throw Error(source.name + ": its surface needs about " + fourDigits(samples) + " boundary samples, more than " +
                    fourDigits(kMaxSamples) + "; make it smaller or the particles larger");
}

// Decides whether a deforming collider is resampled. Only done in prepare(), once per frame, because sampling takes
// longer than the rest of a step.
void Boundary::chooseSamples(Source& source, const StepCollider& collider) const {
    if (!collider.isMesh() || !collider.movesByStep()) return;
    if (source.model != BoundaryModel::particles) return;
    source.stretched = isStretched(source.shape.vertices(), collider.after.vertices, source.triangles, spacing_);
    if (source.stretched) source.prepared = collider.after.vertices;
}

// Creates the samples in the collider's local frame, with their cells, volumes and carriers.
void Boundary::makePoints(Source& source, const std::vector<Vec3>* vertices) {
    const ColliderParams& params = source.params;
    std::vector<Vec3> points;
    checkSampleCount(source, vertices);
    if (vertices && source.model == BoundaryModel::vertices) {
        points = *vertices;
    } else if (vertices) {
        std::vector<Vec3> moved;
        source.offsetSurface.apply(*vertices, moved);
        source.samples = kernel_.dimensions == 2
                             ? sampleSection(moved, source.offsetSurface.triangles(), calibration_.pointSpacing)
                             : sampleTriangles(moved, source.offsetSurface.triangles(), calibration_.pointSpacing);
        source.sampledOn = *vertices;
        const std::vector<int>& corners = source.offsetSurface.triangles();
        for (const SurfaceSample& s : source.samples) {
            const Vec3 a = moved[corners[3 * s.triangle]], b = moved[corners[3 * s.triangle + 1]],
                       c = moved[corners[3 * s.triangle + 2]];
            points.push_back(a + s.u * (b - a) + s.v * (c - a));
        }
    } else {
        const float grow = (params.container ? 1.0f : -1.0f) * source.offsetDistance(spacing_);
        const float radius = std::max(0.0f, params.radius + grow);
        const float halfLength = params.shape == ColliderShape::capsule ? params.halfLength : 0;
        if (kernel_.dimensions == 2)
            points =
                params.shape == ColliderShape::box
                    ? sectionOfBox(params.halfSize + Vec3{grow, grow, grow}, source.pose, calibration_.pointSpacing)
                    : sectionOfCapsule(halfLength, radius, source.pose, calibration_.pointSpacing);
        else if (params.shape == ColliderShape::box)
            points = sampleBox(max(params.halfSize + Vec3{grow, grow, grow}, Vec3{}), calibration_.pointSpacing);
        else
            points = sampleCapsule(halfLength, radius, calibration_.pointSpacing);
    }
    source.order = source.grid.build(points, kernel_.radius);
    setLocal(source, points);
    source.grid.finish(source.local);
    measureVolumes(source);
    if (vertices) {
        findCarriers(source);
        source.carriers.upload();
        if (!device_.isCpu()) uploadCarriers(source);
    }
    source.deformed = false;
    source.stale = true;
    laidOut_ = false;
}

void Boundary::setLocal(Source& source, const std::vector<Vec3>& points) const {
    upload(source.local, points);
    source.box = boundsOf(device_.host(), points);
}

void Boundary::measureVolumes(Source& source) {
    source.volumes.resize(source.local.size());
    forEach(
        device_, "measureVolumes", source.local.size(),
        MeasureVolumes{source.grid.view(), source.local.data(), kernel_, calibration_.gamma, source.volumes.span()});
}

// Arranges the samples of all colliders in one array, after kNoSample.
void Boundary::layOut() {
    surfacePoints_ = 0;
    for (const auto& source : sources_) {
        surfacePoints_ += source->local.size();
        source->stale = true;
    }
    points_.resize(1 + surfacePoints_);
    motions_.resize(1 + surfacePoints_);
    owners_.resize(1 + surfacePoints_);
    setElements(owners_, View::kNoSample, 1, -1);
    int next = 1;
    for (size_t c = 0; c < sources_.size(); ++c) {
        setElements(owners_, next, sources_[c]->local.size(), static_cast<int>(c));
        next += sources_[c]->local.size();
    }
    setElements(points_, View::kNoSample, 1, BoundarySample{{1e6f, 1e6f, 1e6f}, 0});
    setElements(motions_, View::kNoSample, 1, BoundaryMotion{});
    laidOut_ = true;
}

void Boundary::moveTo(const StepColliders& list, float shareBefore, float shareAfter, float dt, BoundaryTime where) {
    if (!(dt > 0)) shareBefore = shareAfter;
    // Time-reversed, the step ends at its start; the velocities are the same.
    if (where == BoundaryTime::start) {
        std::swap(shareBefore, shareAfter);
        dt = -dt;
    }
    const size_t count = sources_.size();
    placed_.onHost().resize(static_cast<int>(count));
    const float frameShares[2] = {shareBefore, shareAfter};

    for (size_t c = 0; c < count; ++c) {
        const StepCollider& collider = list[members_[c]];
        Source& source = *sources_[c];
        ColliderView& placed = placed_.onHost()[static_cast<int>(c)];
        const Pose before = placed.before, after = placed.after;
        const float friction = placed.friction;
        const bool byStep = collider.movesByStep();
        shareBefore = byStep ? (where == BoundaryTime::end ? 0.0f : 1.0f) : frameShares[0];
        shareAfter = byStep ? 1 - shareBefore : frameShares[1];
        if (collider.isMesh()) {
            placeMesh(source, collider, shareBefore, shareAfter, placed);
        } else {
            placed.before = poseBetween(collider.before.pose, collider.after.pose, shareBefore);
            placed.after = poseBetween(collider.before.pose, collider.after.pose, shareAfter);
        }
        placed.friction = collider.params.friction;
        // Samples that were and are at rest need no update.
        const bool rests =
            placed.before == before && placed.after == after && placed.friction == friction && before == after;
        if (!rests) source.stale = true;
    }

    if (!laidOut_) layOut();
    int first = 1;
    for (size_t c = 0; c < count; ++c) {
        Source& source = *sources_[c];
        ColliderView& placed = placed_.onHost()[static_cast<int>(c)];
        const float radius = kernel_.radius;
        placed.first = first;
        if (source.params.shape == ColliderShape::plane) {
            placed.kind = ColliderView::plane;
            placed.side = source.params.container ? -1.0f : 1.0f;
            placed.height = placed.side * source.growBy(spacing_, calibration_);
            placed.box = {{-1e30f, -1e30f, -1e30f}, {1e30f, 1e30f, 1e30f}};
        } else if (source.model == BoundaryModel::volumeMap) {
            placed.kind = ColliderView::map;
            placed.volume = source.map.view();
            placed.box = moved(placed.volume.bounds(), placed.after);
        } else {
            placed.kind = ColliderView::points;
            placed.local = source.local.data();
            placed.grid = source.grid.view();
            if (source.stale) {
                placed.box = moved(grown(source.box, radius), placed.after);
                forEach(device_, "placeBoundary", source.local.size(),
                        PlacePoints{placed.before, placed.after, source.local.data(),
                                    source.deformed ? source.localBefore.data() : source.local.data(),
                                    source.volumes.data(), placed.friction, dt, kernel_.dimensions,
                                    points_.data() + first, motions_.data() + first});
            }
            // A deforming collider is placed again next time, at least to set its velocities to zero.
            source.stale = source.deformed;
            first += source.local.size();
        }
    }
    placed_.upload();
    dt_ = dt;
}

// A mesh that is rigid over the frame moves by a pose, with its samples fixed in the frame of the start shape.
// Otherwise its triangles carry the samples, in world space.
void Boundary::placeMesh(Source& source, const StepCollider& collider, float shareBefore, float shareAfter,
                         ColliderView& placed) {
    const Channel<Vec3>&start = collider.before.vertices, &end = collider.after.vertices;
    if (source.model == BoundaryModel::vertices) {
        placed.before = placed.after = Pose();
        const Channel<Vec3> now = verticesBetween(start, end, shareAfter);
        const Channel<Vec3> before = verticesBetween(start, end, shareBefore);
        std::vector<Vec3> points = now;
        placeDeforming(source, points, before);
        return;
    }
    const float tolerance = kRigidTolerance * spacing_;
    Pose a, b;
    const bool rigid = source.shape.fit(start, tolerance, a) && source.shape.fit(end, tolerance, b);
    if (!rigid && source.model == BoundaryModel::volumeMap)
        throw Error(collider.name + ": volume maps need a rigid mesh; use boundary particles");
    placed.before = rigid ? poseBetween(a, b, shareBefore) : Pose();
    placed.after = rigid ? poseBetween(a, b, shareAfter) : Pose();
    if (rigid) {
        const bool elsewhere = source.deformed || source.sampledOn != source.shape.vertices();
        if (elsewhere && source.model == BoundaryModel::particles) makePoints(source, &source.shape.vertices());
        return;
    }

    // A shape that differs too much from the start shape is resampled, based only on the start of this frame.
    const bool bySteps = collider.movesByStep();
    const bool stretched =
        bySteps ? source.stretched : isStretched(source.shape.vertices(), start, source.triangles, spacing_);
    const std::vector<Vec3>& sampleOn = !stretched ? source.shape.vertices()
                                        : bySteps  ? source.prepared.vector()
                                                   : start.vector();
    if (source.sampledOn != sampleOn) makePoints(source, &sampleOn);

    std::vector<Vec3> movedNow, movedBefore;
    const Channel<Vec3> now = verticesBetween(start, end, shareAfter);
    const Channel<Vec3> before = verticesBetween(start, end, shareBefore);
    source.offsetSurface.apply(now, movedNow);
    source.offsetSurface.apply(before, movedBefore);
    const std::vector<int>& corners = source.offsetSurface.triangles();
    const auto carried = [&](const SurfaceSample& s, const std::vector<Vec3>& vertices) {
        const Vec3 a = vertices[corners[3 * s.triangle]], b = vertices[corners[3 * s.triangle + 1]],
                   c = vertices[corners[3 * s.triangle + 2]];
        return a + s.u * (b - a) + s.v * (c - a);
    };
    std::vector<Vec3> points(source.samples.size()), pointsBefore(source.samples.size());
    forEachOnHost(device_, "carrySamples", static_cast<int>(source.samples.size()), [&](int i) {
        const auto k = static_cast<size_t>(i);
        points[k] = carried(source.samples[k], movedNow);
        pointsBefore[k] = carried(source.samples[k], movedBefore);
    });
    placeDeforming(source, points, pointsBefore);
}

// Places the samples of a deforming mesh in world space. If cloths are coupled to the fluid, a step calls this twice,
// and the second time with the same positions; cells and volumes are then reused.
void Boundary::placeDeforming(Source& source, std::vector<Vec3>& points, const std::vector<Vec3>& before) {
    if (!source.deformed || source.carried != points) {
        if (!device_.isCpu()) source.carriedBefore.swap(source.carried);
        // The positions after a step are those before the next one, and mostly on the device already.
        const bool isThere = !device_.isCpu() && source.carried == points;
        source.carried = points;
        source.order = source.grid.build(points, kernel_.radius);
        findCarriers(source);
        if (device_.isCpu())
            setLocal(source, points);
        else
            sortOnDevice(source, isThere);
        source.grid.finish(source.local);
        source.volumes.resize(0);
        source.volumes.resize(source.local.size());
    }
    if (!device_.isCpu()) {
        placeBeforeOnDevice(source, before);
    } else {
        source.localBefore.resizeDiscard(source.local.size());
        const HostEditor<Vec3> sorted = writeOnHost(source.localBefore);
        forEachOnHost(device_, "sortSamples", sorted.size(), [&](int k) { sorted[k] = before[source.order[k]]; });
    }
    source.deformed = true;
    source.stale = true;
}

// Sorts the new positions and their carriers on the device. Only positions and their order are copied there. isThere:
// the new positions are what the device has as positions before the sub-step.
void Boundary::sortOnDevice(Source& source, bool isThere) const {
    Source::OnDevice& own = source.onDevice;
    own.carriedBefore.swap(own.carried);
    if (!isThere) upload(own.carried, source.carried);
    upload(own.order, source.order);
    permute(source.local, own.carried, own.order);
    permute(source.carriers.onDevice(), own.carriers, own.order);
    source.box = boundsOf(device_.host(), source.carried);
}

// The positions before the sub-step, which mostly are on the device already.
void Boundary::placeBeforeOnDevice(Source& source, const std::vector<Vec3>& before) const {
    Source::OnDevice& own = source.onDevice;
    if (before == source.carried) return permute(source.localBefore, own.carried, own.order);
    if (before != source.carriedBefore) {
        upload(own.carriedBefore, before);
        source.carriedBefore = before;
    }
    permute(source.localBefore, own.carriedBefore, own.order);
}

void Boundary::uploadCarriers(Source& source) const {
    std::vector<PointCarrier> carriers;
    for (size_t i = 0; i < source.order.size(); ++i) carriers.push_back(source.carrierOf(static_cast<int>(i)));
    upload(source.onDevice.carriers, carriers);
}

void Boundary::findCarriers(Source& source) const {
    Buffer<PointCarrier>& carriers = source.carriers.onHost();
    carriers.resizeDiscard(static_cast<int>(source.order.size()));
    forEachOnHost(device_, "findCarriers", carriers.size(),
                  [&](int k) { carriers[k] = source.carrierOf(source.order[k]); });
}

const Mirrored<PointCarrier>& Boundary::carriersOf(int collider) const { return sources_[collider]->carriers; }

void Boundary::findNeighbors(const Buffer<Vec3>& x, int firstNeeded) {
    const int count = x.size();
    counts_.resize(count);
    padded_.resize(count);
    standIns_.resize(count);
    forEach(device_, "countBoundarySamples", count,
            CountSamples{placed_.span(), firstNeeded, kernel_.radius, x.span(), counts_.span(), padded_.span(),
                         standIns_.span()});
    const SampleCounts found =
        reduce(device_, "sampleCounts", count, SampleCounts{},
               SampleCountsOf{std::as_const(padded_).span(), std::as_const(standIns_).span()}, AddSampleCounts{});
    scan(padded_, starts_);
    scan(standIns_, standInStarts_);
    indices_.resize(found.padded);
    const int firstStandIn = 1 + surfacePoints_;
    points_.resize(firstStandIn + found.standIns);
    motions_.resize(points_.size());
    owners_.resize(points_.size());
    forEach(device_, "listBoundarySamples", count,
            ListSamples{placed_.span(), kernel_, calibration_.gradientScale, dt_, x.span(), counts_.data(),
                        starts_.data(), standInStarts_.data(), firstStandIn, indices_.data(), points_.data(),
                        motions_.data(), owners_.data()});
    for (size_t c = 0; c < sources_.size(); ++c)
        if (sources_[c]->deformed) measureVolumesNearFluid(*sources_[c], placed_[static_cast<int>(c)].first, count);
}

// Volumes of samples on deforming colliders change in every step; computes them only for the few that are near fluid.
void Boundary::measureVolumesNearFluid(Source& source, int first, int particles) {
    source.nearFluid.resize(0);
    source.nearFluid.resize(source.local.size());
    sumOnSamples(device_, "findSamplesNearFluid", view(), entries(), particles, first, source.nearFluid.span(),
                 MarkNearFluid{});
    forEach(device_, "measureVolumes", source.nearFluid.size(),
            MeasureVolumesNearFluid{MeasureVolumes{source.grid.view(), source.local.data(), kernel_, calibration_.gamma,
                                                   source.volumes.span()},
                                    std::as_const(source.nearFluid).span(), points_.data() + first});
}

}  // namespace purl
