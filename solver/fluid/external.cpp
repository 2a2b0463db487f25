#include "solver/fluid/external.h"

#include "solver/core/forEach.h"

namespace purl {
namespace {

struct GravityAndFields {
    Vec3 gravity;
    Span<const FieldConstants> fields;
    Span<const Vec3> x;
    Span<Vec3> a;
    PURL_HD void operator()(int i) const { a[i] = gravity + fieldsAt(x[i], fields); }
};

}  // namespace

void accelerateByGravityAndFields(const Materials& materials, const Buffer<Vec3>& x, Buffer<Vec3>& a) {
    a.resizeDiscard(x.size());
    forEach(x.device(), "gravityAndFields", x.size(),
            GravityAndFields{materials.gravity, materials.fields.spanOn(x.device()), x.span(), a.span()});
}

}  // namespace purl
