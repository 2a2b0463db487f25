// Parameters of force fields.
#pragma once
#include "solver/core/describe.h"
#include "solver/core/vec.h"

namespace purl {

struct FieldParams {
    float magnitude = 9.81f;
    Vec3 direction{0, -1, 0};
    float radius = 0;
};

template <class Visit>
void describe(Visit&& visit, FieldParams& p) {
    visit(p.magnitude, About{"magnitude", "mag", "m/s²", "Acceleration, added to the solver's gravity.", -kUnbounded,
                             kUnbounded, 0, 20});
    visit(p.direction, About{"direction", "dir", "", "Direction of the acceleration; its length is ignored."});
    visit(p.radius,
          About{"radius", "ra", "m", "Reach around the field's position. 0: everywhere.", 0, kUnbounded, 0, 10});
}

}  // namespace purl
