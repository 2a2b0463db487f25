#include "solver/particles.h"

#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "solver/core/copy.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/sort.h"
#include "solver/core/traffic.h"

namespace purl {
namespace {

// Element i of a channel becomes the old element order[i].
template <class T>
struct Gather {
    const int* order;
    const T* from;
    T* to;
    PURL_HD void operator()(int i) const { to[i] = from[order[i]]; }
};

// The same for rows of floats.
struct GatherRows {
    const int* order;
    const float* from;
    float* to;
    size_t width;
    PURL_HD void operator()(int i) const {
        const float* const row = from + width * static_cast<size_t>(order[i]);
        for (size_t k = 0; k < width; ++k) to[width * static_cast<size_t>(i) + k] = row[k];
    }
};

struct Flag {
    Span<const int> keep;
    Span<int> flags;
    PURL_HD void operator()(int i) const { flags[i] = keep[i] != 0; }
};

struct Compact {
    Span<const int> flags, place;
    Span<int> order;

    PURL_HD void operator()(int i) const {
        if (flags[i]) order[place[i]] = i;
    }
};

}  // namespace

Particles::Particles(const Device& device)
    : x(device, "particles.x"),
      v(device, "particles.v"),
      vHalf(device, "particles.vHalf"),
      a(device, "particles.a"),
      normal(device, "particles.normal"),
      density(device, "particles.density"),
      pressure(device, "particles.pressure"),
      divergencePressure(device, "particles.divergencePressure"),
      birth(device, "particles.birth"),
      id(device, "particles.id"),
      body(device, "particles.body"),
      source(device, "particles.source"),
      rest(device, "particles.rest"),
      history(device, "particles.history"),
      color(device, "particles.color"),
      viscousChange(device, "particles.viscousChange"),
      soaking(device, "particles.soaking") {}

void WideChannel::resize(int count) {
    const int64_t floats = int64_t(width) * count;
    if (floats > std::numeric_limits<int>::max())
        throw Error("solver: " + std::to_string(count) + " particles with " + std::to_string(width) +
                    " stored values each exceed the limit of 2147483647 values; fewer particles, or a shorter "
                    "fractionalMemory or hardeningMemory helps");
    values.resize(static_cast<int>(floats));
}

void WideChannel::widen(int wanted, int count) {
    if (width == wanted) return;
    width = wanted;
    values = spare = Buffer<float>(values.device(), values.name());
    resize(count);
}

void Particles::resize(int count) {
    const int before = this->count();
    channels([&](const char*, auto& channel, unsigned) {
        if (channel.size() == before) channel.resize(count);
    });
    wideChannels([&](const char*, WideChannel& wide) { wide.resize(count); });
}

void Particles::forgetOrigins() {
    source = Buffer<int>(source.device(), source.name());
    rest = Buffer<Vec3>(rest.device(), rest.name());
}

void Particles::holdFor(Method method) {
    // Methods with one velocity have no half-step velocity; it starts as v.
    if (!(method & kWcsphHalfStep))
        vHalf = Buffer<Vec3>(vHalf.device(), vHalf.name());
    else if (vHalf.size() != count())
        copyTo(vHalf, v);
    if (!(method & kDfsph))
        divergencePressure = Buffer<float>(divergencePressure.device(), divergencePressure.name());
    else
        divergencePressure.resize(count());
}

void Particles::reorder(const Buffer<int>& order) {
    const Device& device = x.device();
    Buffer<Vec3> vectors(device, "spare vectors");
    Buffer<float> numbers(device, "spare numbers");
    Buffer<int> indices(device, "spare indices");
    Buffer<int64_t> ids(device, "spare ids");
    reorder(order, {vectors, numbers, indices, ids});
}

void Particles::reorder(const Buffer<int>& order, const Spare& spare, Method method) {
    const int before = count(), after = order.size();
    PURL_ASSERT(after <= before);
    channels([&](const char*, auto& channel, unsigned readers) {
        using T = typename std::decay_t<decltype(channel)>::Element;
        if (channel.size() != before) return;
        if (!(readers & method)) return channel.resize(after);
        Buffer<T>& to = std::get<Buffer<T>&>(spare);
        to.resizeDiscard(after);
        expectTraffic((sizeof(int) + 3.0 * sizeof(T)) * after);
        forEach(channel.device(), "reorder", after, Gather<T>{order.data(), channel.data(), to.data()}, 2048);
        channel.swap(to);
    });
    wideChannels([&](const char*, WideChannel& wide) {
        if (wide.width == 0) return;
        wide.spare.resizeDiscard(wide.width * after);
        forEach(order.device(), "reorder", after,
                GatherRows{order.data(), wide.values.data(), wide.spare.data(), static_cast<size_t>(wide.width)}, 2048);
        wide.values.swap(wide.spare);
    });
}

void Particles::keepOnly(const Buffer<int>& keep) {
    PURL_ASSERT(keep.size() == count());
    const Device device = x.device();
    Buffer<int> flags(device, "flags of particles"), place(device, "places of particles");
    flags.resizeDiscard(keep.size());
    forEach(device, "flag", keep.size(), Flag{keep.span(), flags.span()}, 2048);
    scan(flags, place);
    const int kept = readElement(place, count());
    if (kept == count()) return;
    Buffer<int> order(device, "kept particles");
    order.resizeDiscard(kept);
    const Buffer<int>&constFlags = flags, &constPlace = place;
    forEach(device, "keepOnly", count(), Compact{constFlags.span(), constPlace.span(), order.span()});
    reorder(order);
}

ParticlesOnHost::ParticlesOnHost(Particles& particles) : particles_(particles), onDevice_(particles.x.device()) {
    if (particles.x.device().isCpu()) return;
    Particles onHost(particles.x.device().host());
    onHost = std::as_const(particles);
    std::swap(particles_, onDevice_);
    std::swap(particles_, onHost);
}

ParticlesOnHost::~ParticlesOnHost() {
    if (onDevice_.x.device().isCpu()) return;
    std::swap(particles_, onDevice_);
    particles_ = std::as_const(onDevice_);
}

}  // namespace purl
