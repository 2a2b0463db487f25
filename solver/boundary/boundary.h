// Boundary: what colliders add to a fluid's density and pressure. For each fluid particle it has a short list of
// boundary samples with volumes, by whichever model: samples spread over a surface (Akinci et al. 2012) or one sample
// that replaces a whole solid (volume maps: Koschier and Bender 2017, Bender et al. 2019). Contact is in colliders/.
#pragma once
#include <memory>
#include <vector>

#include "solver/boundary/boundaryKernel.h"
#include "solver/boundary/pointGrid.h"
#include "solver/boundary/volumeMap.h"
#include "solver/colliders/stepColliders.h"
#include "solver/core/buffer.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// vertices: samples at the vertices of a mesh, and nowhere else.
enum class BoundaryModel { particles, volumeMap, vertices };
inline Choices choicesOf(BoundaryModel) { return {"particles", "volumeMap", "vertices"}; }

// The vertices of a mesh that carry a boundary sample, and their shares of it; −1: none.
struct PointCarrier {
    int vertex[3] = {-1, -1, -1};
    float share[3] = {0, 0, 0};
};

// How a boundary sample moves, and what its collider's friction is.
struct alignas(16) BoundaryMotion {
    Vec3 v;  // m/s
    float friction = 0;
};

// Makes a particle at rest half a spacing before a plane as dense as one inside the fluid, whatever the kernel.
struct BoundaryCalibration {
    // V = γ / Σ W over the samples (Akinci et al. 2012, eq. 4; γ as in Band et al. 2018): then a layer of evenly spread
    // samples half a spacing behind the surface adds what layers of fluid in the solid's place would.
    float gamma = 1;
    float pointSpacing = 1;  // m, between samples: the fluid's own, or less for a narrow kernel
    // Integrals over a half-space are not quite sums over the layers of a lattice; so a volume map's solid begins
    // a little behind the surface, and its gradient is scaled a little.
    float setBack = 0;  // m
    float firmness = 1;
};
BoundaryCalibration calibrate(const BoundaryKernel& kernel, float spacing);

// Where colliders stand while a step is taken: at its start for solvers that work on velocities at the particles' old
// positions, at its end for those that work on the new positions.
enum class BoundaryTime { start, end };

class Boundary {
  public:
    explicit Boundary(const Device& device = Device::cpu());
    ~Boundary();
    Boundary(Boundary&&) noexcept;
    Boundary& operator=(Boundary&&) noexcept;

    // Creates samples and volume maps of these members of the list, for fluids of this spacing and kernel; unchanged
    // ones are reused. They are created on the meshes of the start frame, so that they do not depend on when a
    // simulation was resumed. models[k] belongs to member k; by default all use samples. Throws Error on an invalid
    // mesh, or one too large for a map.
    void prepare(const StepColliders& list, const std::vector<int>& members, float spacing,
                 const BoundaryKernel& kernel, const std::vector<BoundaryModel>& models = {});
    // The same of the scene's colliders, all of them.
    void prepare(const StepColliders& list, float spacing, const BoundaryKernel& kernel,
                 const std::vector<BoundaryModel>& models = {}) {
        prepare(list, list.ofScene, spacing, kernel, models);
    }
    // Which of the list's colliders they are. Below, colliders are counted in this order.
    const std::vector<int>& members() const { return members_; }

    // Moves samples and maps to a sub-step: see Colliders::moveTo. Throws Error on a mesh with a volume map that
    // deforms.
    void moveTo(const StepColliders& list, float shareBefore, float shareAfter, float dt,
                BoundaryTime where = BoundaryTime::end);

    // Lists the samples within the kernel's radius of each particle that has any of the colliders firstNeeded,
    // firstNeeded + 1 … within it; no samples for all others.
    void findNeighbors(const Buffer<Vec3>& x, int firstNeeded = 0);

    // What a kernel reads. Lists are ascending and the same for any number of threads.
    struct View {
        // Lists begin at multiples of kPad and are padded with kNobody, a sample of no volume: a SIMD loop may read
        // whole groups of eight from starts[i] to starts[i + 1].
        static constexpr int kPad = 8, kNobody = 0;

        const int* starts;  // one more than particles
        const int* counts;
        const int* indices;  // into points and motions
        const BoundarySample* points;
        const BoundaryMotion* motions;
        const int* owners;  // of the samples: the collider

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
    // Lengths of all particles' lists together.
    int entries() const { return indices_.size(); }
    // What carries each sample of a mesh, in the order of the samples; moveTo may change that.
    Span<const PointCarrier> carriersOf(int collider) const;
    // The collider's first sample.
    int firstPoint(int collider) const { return placed_[collider].first; }

    // No sample is near any particle, so that whole passes may be left out.
    bool empty() const { return indices_.empty(); }

    // All samples on surfaces, without kNobody: what a viewer may want to see. Where no fluid is near, samples of
    // deforming colliders have no volume.
    Span<const BoundarySample> surfacePoints() const { return {points_.data() + 1, surfacePoints_}; }

    // A collider as kernels read it.
    struct ColliderView {
        enum Kind { nothing, points, map, plane };
        Kind kind = nothing;
        Bounds box;          // in world space; particles outside have no sample of it near
        Pose before, after;  // of the frame that samples, map or plane are in
        float side = 1;      // plane: +1 where the fluid is above
        float height = 0;    // plane, m
        float friction = 0;
        int first = 0;  // of its samples in the common array
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
    void measureSeen(Source& source, int first, int particles);
    void placeMesh(Source& source, const StepCollider& collider, float shareBefore, float shareAfter,
                   ColliderView& placed);
    void findCarriers(Source& source) const;
    void placeCarried(Source& source, std::vector<Vec3>& points, const std::vector<Vec3>& before);
    void layOut();

    Device device_;
    float spacing_ = 0;
    BoundaryKernel kernel_;
    BoundaryCalibration calibration_;
    std::vector<int> members_;
    std::vector<std::unique_ptr<Source>> sources_;  // one for each member
    Buffer<ColliderView> placed_;
    int surfacePoints_ = 0;
    bool laidOut_ = false;
    Buffer<BoundarySample> points_;
    Buffer<BoundaryMotion> motions_;
    Buffer<int> owners_;
    Buffer<int> counts_, padded_, starts_, indices_;
    Buffer<int> standIns_, standInStarts_;  // samples of volume maps and planes, of each particle
    float dt_ = 0;
};

}  // namespace purl
