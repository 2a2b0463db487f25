#include "solver/reference/rootFields.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

struct CentroidNormals {
    Neighbors::View neighbors;
    float h;
    Span<float> length;

    PURL_HD void operator()(int i) const {
        Vec3 sum;  // of xᵢ − xⱼ
        neighbors.forEach(i, [&](int, Vec3 d, float) { sum += d; });
        const int others = neighbors.count(i);
        length[i] = others ? purl::length(sum) / static_cast<float>(others + 1) : 0.375f * h;
    }
};

struct MeanLengths {
    Neighbors::View neighbors;
    float h;
    Span<const float> length;
    Span<float> mean;

    PURL_HD void operator()(int i) const {
        float sum = length[i];
        neighbors.forEach(i, [&](int j, Vec3, float) { sum += length[j]; });
        mean[i] = sum / (static_cast<float>(neighbors.count(i) + 1) * h);
    }
};

struct ValueAt {
    Span<const float> values;
    PURL_HD float operator()(int i) const { return values[i]; }
};

struct SurfaceValue {
    float most;
    Span<float> value;
    PURL_HD void operator()(int i) const { value[i] = clamp(1 - (value[i] + most / 2), 0.1f, 1); }
};

}  // namespace

float surfaceValues(const Neighbors& neighbors, float h, Buffer<float>& values) {
    const Device& device = values.device();
    const int count = neighbors.count();
    Buffer<float> lengths(device);
    lengths.resizeDiscard(count);
    values.resizeDiscard(count);
    forEach(device, "centroidNormals", count, CentroidNormals{neighbors.view(), h, lengths.span()});
    forEach(device, "meanLengths", count,
            MeanLengths{neighbors.view(), h, std::as_const(lengths).span(), values.span()});
    const float most = reduce(device, "largestMean", count, 0.0f, ValueAt{std::as_const(values).span()}, Largest{});
    forEach(device, "surfaceValue", count, SurfaceValue{most, values.span()});
    return most;
}

void applySurfaceValues(ReferenceField field, const Neighbors& neighbors, float h, Buffer<Blob>& blobs,
                        Buffer<Ball>& forms) {
    if (field == ReferenceField::none || field == ReferenceField::root) return;
    Buffer<float> values(blobs.device());
    surfaceValues(neighbors, h, values);
    for (int i = 0; i < values.size(); ++i) {
        const float s = values[i];
        Ball& ball = forms[i];
        if (field == ReferenceField::rootWeighted) blobs[i].peak *= s;
        // Zero beyond h s.
        if (field == ReferenceField::rootRadius) ball = {1 / (h * h * s * s), h * s, 0};
        // (1 − (d s/h)²)³ up to d = h, where it is cut off.
        if (field == ReferenceField::rootPrinted) ball = {s * s / (h * h), h, 1 - s * s};
    }
}

}  // namespace purl
