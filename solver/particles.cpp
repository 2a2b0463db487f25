#include "solver/particles.h"

#include "solver/core/forEach.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

template <class T>
struct Gather {
    Span<const int> order;
    Span<const T> from;
    Span<T> to;

    PURL_HD void operator()(int i) const { to[i] = from[order[i]]; }
};

struct Compact {
    Span<const int> keep, place;
    Span<int> order;

    PURL_HD void operator()(int i) const {
        if (keep[i]) order[place[i]] = i;
    }
};

}  // namespace

Particles::Particles(const Device& device)
    : x(device),
      v(device),
      vHalf(device),
      a(device),
      normal(device),
      density(device),
      pressure(device),
      birth(device),
      id(device),
      body(device) {}

void Particles::resize(int count) {
    channels([&](const char*, auto& channel) { channel.resize(count); });
}

void Particles::reorder(const Buffer<int>& order) {
    PURL_ASSERT(order.size() <= count());
    const Device device = x.device();
    channels([&](const char* name, auto& channel) {
        using Channel = std::remove_reference_t<decltype(channel)>;
        Channel sorted(device, order.size());
        const Channel& from = channel;
        forEach(device, name, order.size(),
                Gather<typename Channel::Element>{order.span(), from.span(), sorted.span()});
        device.synchronize();
        channel.swap(sorted);
    });
}

void Particles::keepOnly(const Buffer<int>& keep) {
    PURL_ASSERT(keep.size() == count());
    const Device device = x.device();
    Buffer<int> flags(device, keep.size()), place(device);
    for (int i = 0; i < keep.size(); ++i) flags[i] = keep[i] != 0;
    scan(flags, place);
    if (place[count()] == count()) return;
    Buffer<int> order(device, place[count()]);
    const Buffer<int>&constFlags = flags, &constPlace = place;
    forEach(device, "keepOnly", count(), Compact{constFlags.span(), constPlace.span(), order.span()});
    device.synchronize();
    reorder(order);
}

}  // namespace purl
