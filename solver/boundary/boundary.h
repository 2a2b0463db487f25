// Boundary: what walls add to a fluid's density and pressure. For each fluid particle a short list of wall points with
// volumes, whichever way a collider makes them: points spread over its surface (Akinci et al. 2012) or one point that
// stands in for it (Koschier and Bender 2017, Bender et al. 2019). Where particles may not go is contact's to say.
#pragma once
#include <memory>
#include <vector>

#include "solver/boundary/pointGrid.h"
#include "solver/boundary/volumeMap.h"
#include "solver/boundary/wallKernel.h"
#include "solver/colliders/stepColliders.h"
#include "solver/core/buffer.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

// vertices: points where a mesh has its vertices, and nowhere else.
enum class BoundaryModel { particles, volumeMap, vertices };
inline Choices choicesOf(BoundaryModel) { return {"particles", "volumeMap", "vertices"}; }

// The vertices of a mesh that a wall point rides on, and their shares of it; −1: none.
struct PointCarrier {
    int vertex[3] = {-1, -1, -1};
    float share[3] = {0, 0, 0};
};

// How a wall point moves, and what its collider's friction is.
struct alignas(16) BoundaryMotion {
    Vec3 v;  // m/s
    float friction = 0;
};

// What makes a particle at rest half a spacing before a plane wall as dense as one inside the fluid, whatever the
// kernel.
struct WallCalibration {
    // V = γ / Σ W over the wall's points (Akinci et al. 2012, eq. 4; γ as in Band et al. 2018): then a layer of evenly
    // spread points half a spacing behind the surface adds what the layers of fluid in the wall's place would.
    float gamma = 1;
    float pointSpacing = 1;  // m, between the points: the fluid's own, or less for a narrow kernel
    // Integrals over a half-space are not quite sums over the layers of a lattice; so a volume map's solid begins
    // a little behind the surface, and its gradient is scaled a little.
    float setBack = 0;  // m
    float firmness = 1;
};
WallCalibration calibrate(const WallKernel& kernel, float spacing);

// Where walls stand while a step is taken: solvers that reckon from the particles' places at its start, by velocities,
// want them there; those that reckon from where the particles have come to, at its end.
enum class WallsAt { start, end };

class Boundary {
  public:
    explicit Boundary(const Device& device = Device::cpu());
    ~Boundary();
    Boundary(Boundary&&) noexcept;
    Boundary& operator=(Boundary&&) noexcept;

    // Makes samples and maps of these members of the list for fluids of this spacing and kernel; what has not changed
    // stays. They are made on the meshes as they were at the simulation's start: so they do not depend on when a
    // simulation was resumed. models[k] is of member k; none: particles. Throws Error on a mesh that is none, or that
    // is too large for a map.
    void prepare(const StepColliders& list, const std::vector<int>& members, float spacing, const WallKernel& kernel,
                 const std::vector<BoundaryModel>& models = {});
    // The same of the scene's colliders, all of them.
    void prepare(const StepColliders& list, float spacing, const WallKernel& kernel,
                 const std::vector<BoundaryModel>& models = {}) {
        prepare(list, list.ofScene, spacing, kernel, models);
    }
    // Which of the list's colliders each wall is made of.
    const std::vector<int>& members() const { return members_; }

    // Places the walls at a sub-step: see Colliders::moveTo. Throws Error on a mesh with a volume map that deforms.
    void moveTo(const StepColliders& list, float shareBefore, float shareAfter, float dt, WallsAt where = WallsAt::end);

    // Lists the wall points within the kernel's radius of each particle that has any of walls firstNeeded,
    // firstNeeded + 1 … so near; of all others none.
    void findNeighbors(const Buffer<Vec3>& x, int firstNeeded = 0);

    // What a kernel sees. Lists are ascending and the same for any number of threads.
    struct View {
        // Lists begin at multiples of kPad and are filled up with kNobody, a point of no volume: a SIMD loop may read
        // whole eights from starts[i] to starts[i + 1].
        static constexpr int kPad = 8, kNobody = 0;

        const int* starts;  // one more than particles
        const int* counts;
        const int* indices;  // into points and motions
        const BoundaryPoint* points;
        const BoundaryMotion* motions;
        const int* owners;  // of the points: which of the walls they are of

        PURL_HD int count(int i) const { return counts[i]; }
        PURL_HD const int* begin(int i) const { return indices + starts[i]; }
        PURL_HD const int* end(int i) const { return indices + starts[i] + counts[i]; }

        // visit(x, volume, v, friction) for each wall point near particle i.
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
    // What each point of a mesh's wall rides on, in the order of the points; moveTo may change that.
    Span<const PointCarrier> carriersOf(int wall) const;
    // The wall's first point.
    int firstPoint(int wall) const { return placed_[wall].first; }

    // No wall is near any particle, so that whole passes may be left out.
    bool empty() const { return indices_.empty(); }

    // All points spread over surfaces, without kNobody: what a viewer may want to see. Where no fluid is near, points
    // of walls that deform have no volume.
    Span<const BoundaryPoint> surfacePoints() const { return {points_.data() + 1, surfacePoints_}; }

    // A collider as kernels see it.
    struct Placed {
        enum Kind { nothing, points, map, plane };
        Kind kind = nothing;
        Bounds box;          // in the world: no particle outside has anything of it near
        Pose before, after;  // of the frame that the points, the map or the plane are in
        float side = 1;      // plane: +1 where the fluid is above
        float height = 0;    // plane, m
        float friction = 0;
        int first = 0;  // of its points in the common array
        const Vec3* local = nullptr;
        PointGridView grid;
        VolumeMapView volume;
    };

  private:
    struct Wall;

    void chooseSamples(Wall& wall, const StepCollider& collider) const;
    void checkSampleCount(const Wall& wall, const std::vector<Vec3>* vertices) const;
    void makePoints(Wall& wall, const std::vector<Vec3>* vertices);
    void measureVolumes(Wall& wall);
    void measureSeen(Wall& wall, int first, int particles);
    void placeMesh(Wall& wall, const StepCollider& collider, float shareBefore, float shareAfter, Placed& placed);
    void findCarriers(Wall& wall) const;
    void placeCarried(Wall& wall, std::vector<Vec3>& points, const std::vector<Vec3>& before);
    void layOut();

    Device device_;
    float spacing_ = 0;
    WallKernel kernel_;
    WallCalibration calibration_;
    std::vector<int> members_;
    std::vector<std::unique_ptr<Wall>> walls_;  // one a member
    Buffer<Placed> placed_;
    int surfacePoints_ = 0;
    bool laidOut_ = false;
    Buffer<BoundaryPoint> points_;
    Buffer<BoundaryMotion> motions_;
    Buffer<int> owners_;
    Buffer<int> counts_, padded_, starts_, indices_;
    Buffer<int> standIns_, standInStarts_;  // of each particle
    float dt_ = 0;
};

}  // namespace purl
