#include "solver/particles.h"

#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "solver/core/forEach.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

// Element i of a channel becomes the old element order[i].
struct GatherBytes {
    const int* order;
    const char* from;
    char* to;
    size_t size;  // of an element

    template <size_t kSize>
    PURL_HD void element(int i) const {
        std::memcpy(to + kSize * static_cast<size_t>(i), from + kSize * static_cast<size_t>(order[i]), kSize);
    }
    template <size_t kSize>
    void elements(int begin, int end) const {
        for (int i = begin; i < end; ++i) element<kSize>(i);
    }
    PURL_HD void operator()(int i) const {
        if (size == 12) element<12>(i);
        if (size == 8) element<8>(i);
        if (size == 4) element<4>(i);
        if (size > 12)
            std::memcpy(to + size * static_cast<size_t>(i), from + size * static_cast<size_t>(order[i]), size);
    }
    void range(int begin, int end) const {
        if (size == 12) elements<12>(begin, end);
        if (size == 8) elements<8>(begin, end);
        if (size == 4) elements<4>(begin, end);
        if (size > 12)
            for (int i = begin; i < end; ++i) (*this)(i);
    }
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
      divergencePressure(device),
      birth(device),
      id(device),
      body(device),
      viscousChange(device) {}

void WideChannel::resize(int count) {
    const int64_t floats = int64_t(width) * count;
    if (floats > std::numeric_limits<int>::max())
        throw Error("solver: " + std::to_string(count) + " particles with " + std::to_string(width) +
                    " numbers of history each are too many; a shorter memory helps");
    values.resize(static_cast<int>(floats));
}

void WideChannel::widen(int wanted, int count) {
    if (width == wanted) return;
    width = wanted;
    values.resize(0);
    resize(count);
}

void Particles::resize(int count) {
    channels([&](const char*, auto& channel) { channel.resize(count); });
    wideChannels([&](const char*, WideChannel& wide) { wide.resize(count); });
}

void Particles::reorder(const Buffer<int>& order) {
    Particles spare(x.device());
    reorder(order, spare);
}

void Particles::reorder(const Buffer<int>& order, Particles& spare) {
    PURL_ASSERT(order.size() <= count());
    const Device device = x.device();
    std::vector<int> widths;
    std::as_const(*this).wideChannels([&](const char*, const WideChannel& wide) { widths.push_back(wide.width); });
    size_t nextWidth = 0;
    spare.wideChannels([&](const char*, WideChannel& wide) { wide.width = widths[nextWidth++]; });
    spare.resize(order.size());
    std::vector<GatherBytes> gathers;
    std::as_const(*this).channels([&](const char*, const auto& channel) {
        static_assert(sizeof channel[0] == 12 || sizeof channel[0] == 8 || sizeof channel[0] == 4);
        gathers.push_back({order.data(), reinterpret_cast<const char*>(channel.data()), nullptr, sizeof channel[0]});
    });
    std::as_const(*this).wideChannels([&](const char*, const WideChannel& wide) {
        gathers.push_back({order.data(), reinterpret_cast<const char*>(wide.values.data()), nullptr,
                           sizeof(float) * static_cast<size_t>(wide.width)});
    });
    size_t next = 0;
    spare.channels([&](const char*, auto& channel) { gathers[next++].to = reinterpret_cast<char*>(channel.data()); });
    spare.wideChannels(
        [&](const char*, WideChannel& wide) { gathers[next++].to = reinterpret_cast<char*>(wide.values.data()); });
    if (device.isCuda()) {
        for (const GatherBytes& gather : gathers) forEach(device, "reorder", order.size(), gather);
        device.synchronize();
    } else {
        // All channels of a chunk at once: one gathering of threads instead of a dozen.
        forEachChunk(device, "reorder", order.size(), 2048, [&](int begin, int end) {
            for (const GatherBytes& gather : gathers) gather.range(begin, end);
        });
    }
    std::swap(*this, spare);
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
