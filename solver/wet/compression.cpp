#include "solver/wet/compression.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/colliders/contacts.h"
#include "solver/core/downloads.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

constexpr float kRange = 1.25f;  // in contact distances: farther objects do not compress

// Free space on the two sides of a cell, in contact distances: 1 if something just touches.
struct Sides {
    float front = kRange, back = kRange;

    PURL_HD void press(float room, bool inFront) {
        float& side = inFront ? front : back;
        if (room < side) side = room > 0 ? room : 0;
    }
    PURL_HD float lost() const {
        if (!(front < kRange) || !(back < kRange)) return 0;
        const float left = 0.5f * (front + back);
        return left < 1 ? 1 - left : 0;
    }
};

// Distance of the outer two of three layers.
struct MeasureThickness {
    int middle, pointsPerLayer;  // first point of the middle layer
    Span<const Vec3> x;
    Span<float> thickness;
    PURL_HD void operator()(int k) const {
        const int i = middle + k;
        thickness[i] = length(x[i - pointsPerLayer] - x[i + pointsPerLayer]);
    }
};

struct MeasureCompression {
    Span<const PoreCell> cells;
    Span<const Compression::Fabric> fabrics;
    Span<const Vec3> x, rest, normal;
    Span<const float> thickness;
    Span<const PlacedCollider> colliders;
    Neighbors::View folds;
    bool anyFolds;
    Span<float> pressed;

    PURL_HD void operator()(int i) const {
        pressed[i] = 0;
        if (cells[i].fabric < 0) return;
        const Compression::Fabric& own = fabrics[cells[i].fabric];
        if (own.thick()) {
            // Cells are in the middle one of three layers.
            const int front = i - own.pointsPerLayer, back = i + own.pointsPerLayer;
            const float thick = length(rest[front] - rest[back]), now = thickness[i];
            if (now < thick) pressed[i] = 1 - now / thick;
            return;
        }
        const Vec3 n = normal[i];
        Sides sides;
        for (int c = 0; c < colliders.count && own.colliderDistance > 0; ++c) {
            PlacedCollider collider = colliders[c];
            if (collider.kills) continue;
            collider.gap += kRange * own.colliderDistance;
            const Contact contact = contactWith(collider, x[i], x[i], false);
            // A contact at the edge of a hem does not compress the sides.
            if (!contact || std::fabs(dot(contact.normal, n)) < 0.5f) continue;
            sides.press(kRange - contact.depth / own.colliderDistance, dot(contact.normal, n) < 0);
        }
        if (anyFolds && own.foldDistance > 0)
            folds.forEach(i, [&](int j, Vec3 d, float r2) {
                const bool same = j >= own.first && j < own.first + own.count;
                if (same && lengthSquared(rest[i] - rest[j]) < square(2 * (own.foldDistance + own.lateralReach)))
                    return;
                if (cells[j].fabric >= 0 && fabrics[cells[j].fabric].thick()) return;
                const float up = std::fabs(dot(d, n)), off2 = r2 - up * up;
                // Point-based self-collision keeps folds apart by distance; triangle-based self-collision along the
                // normal.
                if (own.lateralReach > 0 ? off2 > square(own.lateralReach) : up * up < 0.25f * r2) return;
                // Each side takes half.
                const float room = (own.lateralReach > 0 ? up : std::sqrt(r2)) / own.foldDistance;
                if (room < kRange) sides.press(room, dot(d, n) < 0);
            });
        pressed[i] = sides.lost();
    }
};

}  // namespace

Compression::Compression(const Device& device)
    : device_(device), fabrics_(device), neighbors_(device), thickness_(device), pressed_(device) {}

void Compression::set(const Scene& scene, const PoreSheet& sheet) {
    fabrics_.resizeDiscard(static_cast<int>(scene.cloths.size()));
    reach_ = 0;
    int first = 0;
    for (int c = 0; c < fabrics_.size(); ++c) {
        const Cloth& cloth = scene.cloths[c];
        const auto count = static_cast<int>(cloth.points.size());
        Fabric fabric{first, count, cloth.pointsOfLayer(), 0.5f * cloth.params.thickness, 0, 0};
        if (!sheet.empty() && cloth.pores.absorb() && !fabric.thick()) {
            // Points keep a distance of about an edge, so that none slips between them.
            const float edge = sheet.meanLink(first, first + count), thickness = cloth.params.thickness;
            if (cloth.params.selfCollision == SelfCollision::points)
                fabric.foldDistance =
                    cloth.params.selfDistance > 0 ? cloth.params.selfDistance : std::max(thickness, 0.8f * edge);
            if (cloth.params.selfCollision == SelfCollision::robust) {
                fabric.foldDistance = thickness;
                fabric.lateralReach = 0.75f * edge;
            }
            if (fabric.foldDistance > 0) reach_ = std::max(reach_, kRange * fabric.foldDistance + fabric.lateralReach);
        }
        fabrics_[c] = fabric;
        first += count;
    }
}

void Compression::measureLayers(const Buffer<Vec3>& x) {
    thickness_.resize(x.size());
    if (std::none_of(fabrics_.begin(), fabrics_.end(), [](const Fabric& fabric) { return fabric.thick(); })) return;
    Buffer<float> measured(x.device(), "thickness of knits");
    measured.resizeDiscard(x.size());
    Downloads downloads(x.device());
    for (const Fabric& own : fabrics_) {
        if (!own.thick()) continue;
        const int middle = own.first + own.pointsPerLayer;
        forEach(x.device(), "measureThickness", own.pointsPerLayer,
                MeasureThickness{middle, own.pointsPerLayer, x.span(), measured.span()});
        downloads.add(thickness_.data() + middle, Span<const float>{measured.data() + middle, own.pointsPerLayer});
    }
    downloads.wait();
}

const Buffer<float>& Compression::measure(const Buffer<Vec3>& x, const Buffer<Vec3>& rest, PoreSheet& sheet,
                                          Span<const PlacedCollider> colliders) {
    pressed_.resizeDiscard(sheet.cells.size());
    if (reach_ > 0) neighbors_.build(x, reach_);
    forEach(device_, "measureCompression", sheet.cells.size(),
            MeasureCompression{std::as_const(sheet.cells).span(), std::as_const(fabrics_).span(), x.span(), rest.span(),
                               sheet.measureNormals(x).span(), std::as_const(thickness_).span(), colliders,
                               neighbors_.view(), reach_ > 0, pressed_.span()});
    return pressed_;
}

}  // namespace purl
