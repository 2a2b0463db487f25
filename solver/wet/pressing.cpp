#include "solver/wet/pressing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/colliders/contacts.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

constexpr float kNear = 1.25f;  // of what it keeps: farther away a thing does not press

// What is on the two sides of a place: how much room each leaves, 1 where it but touches.
struct Sides {
    float front = kNear, back = kNear;

    PURL_HD void meet(float room, bool inFront) {
        float& side = inFront ? front : back;
        if (room < side) side = room > 0 ? room : 0;
    }
    PURL_HD float lost() const {
        if (!(front < kNear) || !(back < kNear)) return 0;
        const float left = 0.5f * (front + back);
        return left < 1 ? 1 - left : 0;
    }
};

struct MeasurePressing {
    Span<const PoreCell> cells;
    Span<const Pressing::Fabric> fabrics;
    Span<const Vec3> x, rest, normal;
    Span<const PlacedCollider> colliders;
    Neighbors::View folds;
    bool anyFolds;
    Span<float> pressed;

    PURL_HD void operator()(int i) const {
        pressed[i] = 0;
        if (cells[i].fabric < 0) return;
        const Pressing::Fabric& own = fabrics[cells[i].fabric];
        if (own.thick()) {
            // Cells are in the middle of three layers.
            const int front = i - own.ofLayer, back = i + own.ofLayer;
            const float thick = length(rest[front] - rest[back]), now = length(x[front] - x[back]);
            if (now < thick) pressed[i] = 1 - now / thick;
            return;
        }
        const Vec3 n = normal[i];
        Sides sides;
        for (int c = 0; c < colliders.count && own.half > 0; ++c) {
            PlacedCollider collider = colliders[c];
            if (collider.kills) continue;
            collider.gap += kNear * own.half;
            const Contact contact = contactWith(collider, x[i], x[i], false);
            // What stands on a hem's edge does not press on its sides.
            if (!contact || std::fabs(dot(contact.normal, n)) < 0.5f) continue;
            sides.meet(kNear - contact.depth / own.half, dot(contact.normal, n) < 0);
        }
        if (anyFolds && own.apart > 0)
            folds.forEach(i, [&](int j, Vec3 d, float r2) {
                const bool same = j >= own.first && j < own.first + own.count;
                if (same && lengthSquared(rest[i] - rest[j]) < square(2 * (own.apart + own.aside))) return;
                if (cells[j].fabric >= 0 && fabrics[cells[j].fabric].thick()) return;
                const float up = std::fabs(dot(d, n)), off2 = r2 - up * up;
                // Folds that points keep apart are as far as these; those that triangles do, as they are straight up.
                if (own.aside > 0 ? off2 > square(own.aside) : up * up < 0.25f * r2) return;
                // They meet half way.
                const float room = (own.aside > 0 ? up : std::sqrt(r2)) / own.apart;
                if (room < kNear) sides.meet(room, dot(d, n) < 0);
            });
        pressed[i] = sides.lost();
    }
};

}  // namespace

Pressing::Pressing(const Device& device) : device_(device), fabrics_(device), neighbors_(device), pressed_(device) {}

void Pressing::set(const Scene& scene, const PoreSheet& sheet) {
    fabrics_.renew(static_cast<int>(scene.cloths.size()));
    reach_ = 0;
    int first = 0;
    for (int c = 0; c < fabrics_.size(); ++c) {
        const Cloth& cloth = scene.cloths[static_cast<size_t>(c)];
        const auto count = static_cast<int>(cloth.points.size());
        Fabric fabric{first, count, cloth.pointsOfLayer(), 0.5f * cloth.params.thickness, 0, 0};
        if (!sheet.empty() && cloth.pores.absorb() && !fabric.thick()) {
            // Points keep each other off by about an edge, so that none slips through between them.
            const float edge = sheet.meanLink(first, first + count), thickness = cloth.params.thickness;
            if (cloth.params.selfCollision == SelfCollision::points)
                fabric.apart =
                    cloth.params.selfDistance > 0 ? cloth.params.selfDistance : std::max(thickness, 0.8f * edge);
            if (cloth.params.selfCollision == SelfCollision::robust) {
                fabric.apart = thickness;
                fabric.aside = 0.75f * edge;
            }
            if (fabric.apart > 0) reach_ = std::max(reach_, kNear * fabric.apart + fabric.aside);
        }
        fabrics_[c] = fabric;
        first += count;
    }
}

const Buffer<float>& Pressing::measure(const Buffer<Vec3>& x, const Buffer<Vec3>& rest, PoreSheet& sheet,
                                       Span<const PlacedCollider> colliders) {
    pressed_.renew(sheet.cells.size());
    if (reach_ > 0) neighbors_.build(x, reach_);
    forEach(device_, "measurePressing", sheet.cells.size(),
            MeasurePressing{std::as_const(sheet.cells).span(), std::as_const(fabrics_).span(), x.span(), rest.span(),
                            sheet.measureNormals(x).span(), colliders, neighbors_.view(), reach_ > 0, pressed_.span()});
    device_.synchronize();
    return pressed_;
}

}  // namespace purl
