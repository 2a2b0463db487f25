// Tiny scenes that between them fill every field of a state: what states are mutated from.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "solver/simulator.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/knit/fabrics.h"
#include "tests/solver/meshes.h"

namespace purl::test {

// A scene, moving with time where that is what it is about.
struct StateScene {
    std::string name;
    Scene scene;
    float drawnApart = 0;  // m/s, of the pinned points of its cloths along x

    Scene at(double time) const {
        Scene now = scene;
        for (Cloth& cloth : now.cloths)
            for (size_t i = 0; i < cloth.pins.size(); ++i)
                if (cloth.pins[i] > 0) cloth.points[i].x += (cloth.points[i].x > 0 ? 1 : -1) * drawnApart * float(time);
        return now;
    }
    static constexpr double kFrame = 1.0 / 24;  // s
    // After some frames.
    State state() const {
        Simulator simulator(Device::cpu(1));
        simulator.reset(at(0));
        for (int frame = 1; frame <= 3; ++frame) simulator.advanceTo(at(frame * kFrame), frame * kFrame);
        return simulator.state();
    }
};

inline Fluid tinyFluid(float spacing) {
    Fluid fluid;
    fluid.name = "water";
    fluid.params.particleSpacing = spacing;
    fluid.volumes.push_back(boxMesh({0, 0, 0}, {3 * spacing, 3 * spacing, 3 * spacing}));
    return fluid;
}

inline Collider tinyFloor() {
    Collider floor;
    floor.name = "floor";
    floor.params.shape = ColliderShape::plane;
    floor.pose.position = {0, -0.05f, 0};
    return floor;
}

inline std::vector<StateScene> stateScenes() {
    std::vector<StateScene> all;

    StateScene fluid{"fluid", {}};
    fluid.scene.solver.origins = true;
    fluid.scene.fluids.push_back(tinyFluid(0.02f));
    fluid.scene.fluids[0].params.viscosityModel = ViscosityModel::implicit;
    fluid.scene.fluids[0].params.dispersion = 1e-4f;
    Emitter tap;
    tap.name = "tap";
    tap.params.rate = 0.5f;
    tap.params.radius = 0.03f;
    tap.pose.position = {0.2f, 0.2f, 0};
    fluid.scene.fluids[0].emitters.push_back(tap);
    fluid.scene.colliders.push_back(tinyFloor());
    Collider rock;
    rock.name = "rock";
    rock.params.shape = ColliderShape::mesh;
    rock.params.motion = ColliderMotion::dynamic;
    rock.mesh = boxMesh({-0.2f, 0, 0}, {-0.1f, 0.1f, 0.1f});
    fluid.scene.colliders.push_back(rock);
    all.push_back(fluid);

    StateScene halfStep{"leapFrog", {}};
    halfStep.scene.solver.pressureSolver = PressureSolver::wcsph;
    halfStep.scene.fluids.push_back(tinyFluid(0.02f));
    halfStep.scene.fluids[0].params.viscosityModel = ViscosityModel::fractional;
    halfStep.scene.colliders.push_back(tinyFloor());
    all.push_back(halfStep);

    StateScene paste{"paste", {}};
    paste.scene.solver.pressureSolver = PressureSolver::doubleDensity;
    paste.scene.fluids.push_back(tinyFluid(0.02f));
    paste.scene.colliders.push_back(tinyFloor());
    all.push_back(paste);

    StateScene cloth{"cloth", sceneOf(levelCloth(4, 0.1f))};
    cloth.scene.cloths[0].params.immersion = 1;
    pin(cloth.scene.cloths[0], [](Vec3 p) { return p.x < -0.04f; });
    all.push_back(cloth);

    StateScene torn{"tear", sceneOf(gridCloth(9, 3, {-0.2f, 0, 0}, {0.4f, 0, 0}, {0, 0, 0.1f})), 0.5f};
    torn.scene.solver.gravity = 0;
    torn.scene.cloths[0].params.tearStrain = 0.05f;
    torn.scene.cloths[0].params.stretchStiffness = 200;
    pin(torn.scene.cloths[0], [](Vec3 p) { return std::fabs(p.x) > 0.19f; });
    all.push_back(torn);

    StateScene wet{"wet", {}};
    wet.scene.fluids.push_back(tinyFluid(0.01f));
    wet.scene.cloths.push_back(levelCloth(5, 0.08f, {0.015f, -0.01f, 0.015f}));
    wet.scene.cloths[0].params.thickness = 0.002f;
    wet.scene.cloths[0].pores.params.absorption = Absorption::soak;
    wet.scene.cloths[0].pores.params.startWetness = 0.5f;
    pin(wet.scene.cloths[0], [](Vec3 p) { return p.x < -0.02f; });
    all.push_back(wet);

    StateScene soft{"soft", {}};
    SoftBody body;
    body.name = "jelly";
    const TriangleMesh cube = boxMesh({0, 0, 0}, {0.1f, 0.1f, 0.1f});
    body.points = cube.vertices;
    body.faces.corners = cube.triangles;
    body.faces.counts.edit().assign(cube.triangles.size() / 3, 3);
    body.params.spacing = 0.05f;
    body.params.yieldStrain = 0.01f;
    body.params.drag = true;
    body.params.dragRadius = 1;
    soft.scene.softBodies.push_back(body);
    soft.scene.colliders.push_back(tinyFloor());
    all.push_back(soft);

    StateScene knit{"knit", {}};
    Knit sheet = purl::testing::swatch(4, 4);
    purl::testing::pinTop(sheet);
    knit.scene.knits.push_back(sheet);
    all.push_back(knit);
    return all;
}

}  // namespace purl::test
