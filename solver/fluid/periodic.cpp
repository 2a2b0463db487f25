#include "solver/fluid/periodic.h"

#include <sstream>
#include <type_traits>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

struct Wrap {
    PeriodicBox box;
    Span<Vec3> x;
    PURL_HD void operator()(int i) const {
        for (int axis = 0; axis < 3; ++axis) {
            const float size = box.size[axis], low = box.low[axis];
            if (!(size > 0) || !isFinite(x[i][axis])) continue;
            x[i][axis] -= size * std::floor((x[i][axis] - low) / size);
        }
    }
};

struct IsOwn {
    Span<const int64_t> id;
    Span<int> own;
    PURL_HD void operator()(int i) const { own[i] = id[i] >= 0; }
};

// Displacements of the ghosts of a particle along an axis: of one near the low side, of one near the high side.
struct NearSides {
    int axis;
    float low, size, reach;
    Span<const Vec3> x;

    template <class Visit>
    PURL_HD void forEach(int i, Visit&& visit) const {
        if (!(x[i][axis] - low > reach)) visit(size);
        if (!(low + size - x[i][axis] > reach)) visit(-size);
    }
};
struct CountGhosts {
    NearSides near;
    Span<int> counts;
    PURL_HD void operator()(int i) const {
        int count = 0;
        near.forEach(i, [&](float) { ++count; });
        counts[i] = count;
    }
};
struct ListGhosts {
    NearSides near;
    Span<const int> starts;
    Span<int> from;
    Span<float> shift;
    PURL_HD void operator()(int i) const {
        int at = starts[i];
        near.forEach(i, [&](float displacement) {
            from[at] = i;
            shift[at++] = displacement;
        });
    }
};
// Row first + k becomes row from[k].
template <class T>
struct CopyRows {
    int width, first;
    const int* from;
    T* values;
    PURL_HD void operator()(int k) const {
        for (int part = 0; part < width; ++part)
            values[size_t(width) * size_t(first + k) + size_t(part)] =
                values[size_t(width) * size_t(from[k]) + size_t(part)];
    }
};
struct MoveGhosts {
    int axis, first;
    Span<const float> shift;
    Span<Vec3> x;
    Span<int64_t> id;
    PURL_HD void operator()(int k) const {
        x[first + k][axis] += shift[k];
        id[first + k] = -1 - static_cast<int64_t>(k);
    }
};

}  // namespace

Vec3 PeriodicBox::wrapped(Vec3 x) const {
    Wrap{*this, Span<Vec3>{&x, 1}}(0);
    return x;
}

PeriodicBox makePeriodicBox(const SolverParams& params) {
    return {params.wcsph.periodicCenter - 0.5f * params.wcsph.periodicSize, params.wcsph.periodicSize};
}

void wrap(Particles& particles, const PeriodicBox& box) {
    forEach(particles.x.device(), "wrap", particles.count(), Wrap{box, particles.x.span()});
}

// Axis by axis, including the ghosts of previous axes, which covers edges and corners.
void addGhosts(Particles& particles, const PeriodicBox& box, float reach) {
    const Device& device = particles.x.device();
    Buffer<int> counts(device, "ghost counts"), starts(device, "ghost starts"), from(device, "ghost sources");
    Buffer<float> shift(device, "ghost displacements");
    for (int axis = 0; axis < 3; ++axis) {
        const float size = box.size[axis], low = box.low[axis];
        if (!(size > 0)) continue;
        if (size < reach) {
            std::ostringstream message;
            message << "solver: periodicSize of " << size << " m is less than the " << reach
                    << " m that forces reach in a step; use a larger box or a smaller particleSpacing";
            throw Error(message.str());
        }
        const int first = particles.count();
        const NearSides near{axis, low, size, reach, std::as_const(particles.x).span()};
        counts.resizeDiscard(first);
        forEach(device, "countGhosts", first, CountGhosts{near, counts.span()});
        scan(counts, starts);
        const int ghosts = readElement(starts, first);
        from.resizeDiscard(ghosts);
        shift.resizeDiscard(ghosts);
        forEach(device, "listGhosts", first, ListGhosts{near, std::as_const(starts).span(), from.span(), shift.span()});
        particles.resize(first + ghosts);
        particles.channels([&](const char*, auto& channel, unsigned) {
            using T = typename std::decay_t<decltype(channel)>::Element;
            if (!channel.empty())
                forEach(device, "copyGhosts", ghosts, CopyRows<T>{1, first, from.data(), channel.data()});
        });
        particles.wideChannels([&](const char*, WideChannel& wide) {
            if (wide.width > 0)
                forEach(device, "copyGhosts", ghosts,
                        CopyRows<float>{wide.width, first, from.data(), wide.values.data()});
        });
        forEach(device, "moveGhosts", ghosts,
                MoveGhosts{axis, first, std::as_const(shift).span(), particles.x.span(), particles.id.span()});
    }
}

void removeGhosts(Particles& particles) {
    const Device& device = particles.x.device();
    Buffer<int> own(device, "own particles");
    own.resizeDiscard(particles.count());
    forEach(device, "isOwn", particles.count(), IsOwn{particles.id.span(), own.span()});
    particles.keepOnly(own);
}

}  // namespace purl
