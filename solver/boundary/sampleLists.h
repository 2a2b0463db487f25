// The lists of boundary samples within the support radius of each particle: counted first, then written.
#pragma once
#include "solver/boundary/boundary.h"

namespace purl {

PURL_HD inline bool within(const Bounds& box, Vec3 x) {
    return x.x >= box.low.x && x.y >= box.low.y && x.z >= box.low.z && x.x <= box.high.x && x.y <= box.high.y &&
           x.z <= box.high.z;
}

// Signed height of x above a plane, towards the fluid.
PURL_HD inline float heightAbove(const Boundary::ColliderView& plane, Vec3 x) {
    return plane.side * (dot(x - plane.after.position, plane.after.axes.y) - plane.height);
}

// Visits the parts of a collider within the radius of p: its samples by index; or its volume map, with p in local
// coordinates; or its plane, with the height of p above it.
template <class OnSample, class OnMap, class OnPlane>
PURL_HD void visitNear(const Boundary::ColliderView& collider, Vec3 p, float radius, const OnSample& onSample,
                       const OnMap& onMap, const OnPlane& onPlane) {
    if (!within(collider.box, p)) return;
    if (collider.kind == Boundary::ColliderView::points) {
        const Vec3 local = collider.after.toLocal(p);
        if (const RunsAround runs = collider.grid.around(local))
            for (int r = 0; r < kRunsAround; ++r) {
                const Run run = runs[r];
                for (int k = run.begin; k < run.end; ++k)
                    if (lengthSquared(local - collider.local[k]) < square(radius)) onSample(k);
            }
    } else if (collider.kind == Boundary::ColliderView::map) {
        const Vec3 local = collider.after.toLocal(p);
        if (collider.volume.isNear(local)) onMap(local);
    } else if (collider.kind == Boundary::ColliderView::plane) {
        const float height = heightAbove(collider, p);
        if (std::fabs(height) < radius) onPlane(height);
    }
}

// Number of samples of each particle, also padded for the vectorized loops, and how many of them stand in for a volume
// map or a plane. None for a particle without samples of colliders from firstNeeded on.
struct CountSamples {
    Span<const Boundary::ColliderView> colliders;
    int firstNeeded;
    float radius;
    Span<const Vec3> x;
    Span<int> counts, padded, standIns;

    PURL_HD void operator()(int i) const {
        const Vec3 p = x[i];
        int surface = 0, alone = 0, before = 0;
        for (int c = 0; c < colliders.count; ++c) {
            if (c == firstNeeded) before = surface + alone;
            visitNear(
                colliders[c], p, radius, [&](int) { ++surface; }, [&](Vec3) { ++alone; }, [&](float) { ++alone; });
        }
        constexpr int kPad = Boundary::View::kPad;
        if (firstNeeded > 0 && surface + alone == before) surface = alone = 0;
        counts[i] = surface + alone;
        padded[i] = (surface + alone + kPad - 1) / kPad * kPad;
        standIns[i] = alone;
    }
};

// Writes the list of each particle, and its stand-ins for volume maps and planes.
struct ListSamples {
    Span<const Boundary::ColliderView> colliders;
    BoundaryKernel kernel;
    float gradientScale, dt;
    Span<const Vec3> x;
    const int *counts, *starts, *standInStarts;
    int firstStandIn;
    int* indices;
    BoundarySample* points;
    BoundaryMotion* motions;
    int* owners;

    PURL_HD void operator()(int i) const {
        if (!counts[i]) return;
        const Vec3 p = x[i];
        int* list = indices + starts[i];
        int next = firstStandIn + standInStarts[i];
        for (int c = 0; c < colliders.count; ++c) {
            const Boundary::ColliderView& collider = colliders[c];
            visitNear(
                collider, p, kernel.radius, [&](int k) { *list++ = collider.first + k; },
                [&, this](Vec3 local) {
                    Vec3 gradient;
                    const float share = collider.volume.share(local, gradient);
                    *list++ = stand(next++, c, p, share, collider.after.axes * gradient);
                },
                [&, this](float height) {
                    const Vec3 intoSolid = -collider.side * collider.after.axes.y;
                    *list++ = stand(next++, c, p, kernel.shareAt(height), kernel.layerAt(height) * intoSolid);
                });
        }
        for (const int* const end = indices + starts[i + 1]; list != end; ++list) *list = Boundary::View::kNoSample;
    }

    PURL_HD int stand(int at, int owner, Vec3 p, float share, Vec3 gradient) const {
        const Boundary::ColliderView& collider = colliders[owner];
        if (kernel.dimensions == 2) gradient.z = 0;
        const BoundarySample point = standIn(kernel, p, share, gradientScale * gradient);
        Vec3 displacement = point.x - collider.before.toWorld(collider.after.toLocal(point.x));
        if (kernel.dimensions == 2) displacement.z = 0;
        points[at] = point;
        motions[at] = {dt != 0 ? displacement / dt : Vec3{}, collider.friction};
        owners[at] = owner;
        return at;
    }
};

}  // namespace purl
