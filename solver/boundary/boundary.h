// Boundary: the contribution of colliders to a fluid's density and pressure. Each fluid particle gets a list of
// boundary samples with volumes: samples distributed over a surface (Akinci et al. 2012), or one sample that represents
// a whole solid (volume maps: Koschier and Bender 2017, Bender et al. 2019). Contact response is in colliders/.
#pragma once
#include <memory>
#include <vector>

#include "solver/boundary/boundaryKernel.h"
#include "solver/boundary/pointGrid.h"
#include "solver/boundary/volumeMap.h"
#include "solver/colliders/stepColliders.h"
#include "solver/core/hostView.h"
#include "solver/core/mirrored.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// vertices: samples at the vertices of a mesh only.
enum class BoundaryModel { particles, volumeMap, vertices };
inline Choices choicesOf(BoundaryModel) { return {"particles", "volumeMap", "vertices"}; }

// The mesh vertices that a boundary sample is attached to, and their weights (barycentric coordinates). −1: unused.
struct PointCarrier {
    int vertex[3] = {-1, -1, -1};
    float share[3] = {0, 0, 0};
};

// Velocity of a boundary sample, and the friction coefficient of its collider.
struct alignas(16) BoundaryMotion {
    Vec3 v;  // m/s
    float friction = 0;
};

// Correction factors for a given kernel and spacing: with them, a particle at rest half a spacing in front of a plane
// has the same density as one inside the fluid.
struct BoundaryCalibration {
    // V = γ / Σ W over the samples (Akinci et al. 2012, eq. 4; γ as in Band et al. 2018). γ is chosen so that one layer
    // of evenly distributed samples half a spacing behind the surface contributes as much as layers of fluid particles
    // that fill the solid.
    float gamma = 1;
    float pointSpacing = 1;  // m, between samples: the particle spacing, or less for a narrow kernel
    // Volume maps integrate over a half-space, which differs slightly from the sum over layers of a particle lattice.
    // To compensate, the solid of a map starts `setBack` behind the surface and its gradient is scaled by
    // `gradientScale`.
    float setBack = 0;  // m
    float gradientScale = 1;
};
BoundaryCalibration calibrate(const BoundaryKernel& kernel, float spacing);

// The time within a step at which colliders are placed: the start, for solvers that compute velocities at the
// particles' old positions, or the end, for those that work on predicted positions.
enum class BoundaryTime { start, end };

class Boundary {
  public:
    explicit Boundary(const Device& device = Device::cpu());
    ~Boundary();
    Boundary(Boundary&&) noexcept;
    Boundary& operator=(Boundary&&) noexcept;

    // Creates samples or volume maps of the given colliders (indices into `list`) for a fluid's particle spacing and
    // kernel. Unchanged ones are reused. They are created from the meshes of the start frame, so that they do not
    // depend on the frame at which a simulation is resumed. models[k] applies to members[k]; the default is particles.
    // Throws Error on an invalid mesh, or one too large for a map.
    void prepare(const StepColliders& list, const std::vector<int>& members, float spacing,
                 const BoundaryKernel& kernel, const std::vector<BoundaryModel>& models = {});
    // The same for all colliders of the scene.
    void prepare(const StepColliders& list, float spacing, const BoundaryKernel& kernel,
                 const std::vector<BoundaryModel>& models = {}) {
        prepare(list, list.ofScene, spacing, kernel, models);
    }
    // Indices into the list of step colliders. The functions below take positions in this vector.
    const std::vector<int>& members() const { return members_; }

    // Places samples and maps for a sub-step; see Colliders::moveTo. Throws Error if a mesh with a volume map deforms.
    void moveTo(const StepColliders& list, float shareBefore, float shareAfter, float dt,
                BoundaryTime where = BoundaryTime::end);

    // Builds the sample list of each particle: all samples within the kernel's radius. Particles with no sample of
    // the colliders firstNeeded, firstNeeded + 1 … in range get an empty list.
    void findNeighbors(const Buffer<Vec3>& x, int firstNeeded = 0);

    // For kernels. Lists are ascending and do not depend on the number of threads.
    struct View {
        // Lists begin at multiples of kPad and are padded with kNoSample, a sample without volume, so that a SIMD loop
        // can read whole groups of eight from starts[i] to starts[i + 1].
        static constexpr int kPad = 8, kNoSample = 0;

        const int* starts;  // CSR offsets, one more than there are particles
        const int* counts;
        const int* indices;  // into points and motions
        const BoundarySample* points;
        const BoundaryMotion* motions;
        const int* owners;  // collider of each sample

        PURL_HD int count(int i) const { return counts[i]; }
        PURL_HD const int* begin(int i) const { return indices + starts[i]; }
        PURL_HD const int* end(int i) const { return indices + starts[i] + counts[i]; }

        // visit(x, volume, v, friction) for each sample near particle i.
        template <class Visit>
        PURL_HD void forEach(int i, Visit&& visit) const {
            for (const int *b = begin(i), *last = end(i); b != last; ++b)
                visit(points[*b].x, points[*b].volume, motions[*b].v, motions[*b].friction);
        }
    };
    View view() const {
        return {starts_.data(), counts_.data(), indices_.data(), points_.data(), motions_.data(), owners_.data()};
    }
    // A view for the host. Where the device is not the CPU it copies the lists, and counts that.
    class OnHost {
      public:
        explicit OnHost(const Boundary& boundary)
            : starts_(boundary.starts_),
              counts_(boundary.counts_),
              indices_(boundary.indices_),
              points_(boundary.points_),
              motions_(boundary.motions_),
              owners_(boundary.owners_) {}
        View view() const {
            return {starts_.data(), counts_.data(), indices_.data(), points_.data(), motions_.data(), owners_.data()};
        }

      private:
        HostReader<int> starts_, counts_, indices_;
        HostReader<BoundarySample> points_;
        HostReader<BoundaryMotion> motions_;
        HostReader<int> owners_;
    };
    // Total length of all lists, including padding.
    int entries() const { return indices_.size(); }
    // The vertices that each sample of a mesh is attached to, in the order of the samples. moveTo may change them.
    const Mirrored<PointCarrier>& carriersOf(int collider) const;
    // Index of the collider's first sample.
    int firstPoint(int collider) const { return placed_[collider].first; }

    // True if no particle has a sample in range; boundary passes can then be skipped.
    bool empty() const { return indices_.empty(); }

    // All samples on surfaces, without kNoSample, for display. Samples of deforming colliders have volume 0 where no
    // fluid is near.
    Span<const BoundarySample> surfacePoints() const { return {points_.data() + 1, surfacePoints_}; }

    // A collider, for kernels.
    struct ColliderView {
        enum Kind { nothing, points, map, plane };
        Kind kind = nothing;
        Bounds box;          // in world space; particles outside have no sample in range
        Pose before, after;  // local-to-world transform of samples, map or plane at the start and end of the sub-step
        float side = 1;      // plane: +1 if the fluid is above
        float height = 0;    // plane, m
        float friction = 0;
        int first = 0;  // index of its first sample in the common array
        const Vec3* local = nullptr;
        PointGridView grid;
        VolumeMapView volume;
    };

  private:
    struct Source;

    void chooseSamples(Source& source, const StepCollider& collider) const;
    void checkSampleCount(const Source& source, const std::vector<Vec3>* vertices) const;
    void makePoints(Source& source, const std::vector<Vec3>* vertices);
    void measureVolumes(Source& source);
    void measureVolumesNearFluid(Source& source, int first, int particles);
    void placeMesh(Source& source, const StepCollider& collider, float shareBefore, float shareAfter,
                   ColliderView& placed);
    void setLocal(Source& source, const std::vector<Vec3>& points) const;
    void findCarriers(Source& source) const;
    void uploadCarriers(Source& source) const;
    void sortOnDevice(Source& source, bool isThere) const;
    void placeBeforeOnDevice(Source& source, const std::vector<Vec3>& before) const;
    void placeDeforming(Source& source, std::vector<Vec3>& points, const std::vector<Vec3>& before);
    void layOut();

    Device device_;
    float spacing_ = 0;
    BoundaryKernel kernel_;
    BoundaryCalibration calibration_;
    std::vector<int> members_;
    std::vector<std::unique_ptr<Source>> sources_;  // one for each member
    Mirrored<ColliderView> placed_;
    int surfacePoints_ = 0;
    bool laidOut_ = false;
    Buffer<BoundarySample> points_;
    Buffer<BoundaryMotion> motions_;
    Buffer<int> owners_;
    Buffer<int> counts_, padded_, starts_, indices_;
    Buffer<int> standIns_,
        standInStarts_;  // per particle: number and offset of its samples from volume maps and planes
    float dt_ = 0;
};

}  // namespace purl
