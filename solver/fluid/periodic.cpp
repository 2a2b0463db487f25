#include "solver/fluid/periodic.h"

#include <sstream>
#include <vector>

#include "solver/core/error.h"
#include "solver/core/forEach.h"

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
    particles.x.device().synchronize();
    for (int axis = 0; axis < 3; ++axis) {
        const float size = box.size[axis], low = box.low[axis];
        if (!(size > 0)) continue;
        if (size < reach) {
            std::ostringstream message;
            message << "solver: periodicSize of " << size << " m is less than the " << reach
                    << " m that forces reach in a step; use a larger box or a smaller particleSpacing";
            throw Error(message.str());
        }
        std::vector<int> from;
        std::vector<float> shift;
        for (int i = 0; i < particles.count(); ++i)
            for (const float side : {1.0f, -1.0f}) {
                const float inside = side > 0 ? particles.x[i][axis] - low : low + size - particles.x[i][axis];
                if (inside > reach) continue;
                from.push_back(i);
                shift.push_back(side * size);
            }
        const int first = particles.count();
        particles.resize(first + static_cast<int>(from.size()));
        particles.channels([&](const char*, auto& channel, unsigned) {
            if (channel.empty()) return;
            for (size_t k = 0; k < from.size(); ++k) channel[first + static_cast<int>(k)] = channel[from[k]];
        });
        particles.wideChannels([&](const char*, auto& wide) {
            for (size_t k = 0; k < from.size(); ++k)
                for (int part = 0; part < wide.width; ++part)
                    wide.values[wide.width * (first + static_cast<int>(k)) + part] =
                        wide.values[wide.width * from[k] + part];
        });
        for (size_t k = 0; k < from.size(); ++k) {
            const int i = first + static_cast<int>(k);
            particles.x[i][axis] += shift[k];
            particles.id[i] = -1 - static_cast<int64_t>(k);
        }
    }
}

void removeGhosts(Particles& particles) {
    const Device& device = particles.x.device();
    Buffer<int> own(device, particles.count());
    forEach(device, "isOwn", particles.count(), IsOwn{particles.id.span(), own.span()});
    device.synchronize();
    particles.keepOnly(own);
}

}  // namespace purl
