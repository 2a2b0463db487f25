// Parameters of colliders: keyed or rigid bodies, primitives or meshes.
#pragma once
#include "solver/core/describe.h"
#include "solver/core/vec.h"
#include "solver/reference/params.h"

namespace purl {

enum class ColliderShape { mesh, sphere, box, capsule, plane };
inline Choices choicesOf(ColliderShape) { return {"mesh", "sphere", "box", "capsule", "plane"}; }

// How a collider enters the fluid's density and pressure. Particles never pass through it, whichever is chosen.
// automatic: contact for wcsph; otherwise a volume map for primitives and boundary samples for meshes, which may
// deform.
enum class WallModel { automatic, contact, particles, volumeMap };
inline Choices choicesOf(WallModel) { return {"automatic", "contact", "particles", "volumeMap"}; }

// keyed: moves as animated in the scene. dynamic: a rigid body that starts where the scene puts it.
enum class ColliderMotion { keyed, dynamic };
inline Choices choicesOf(ColliderMotion) { return {"keyed", "dynamic"}; }

// collide: particles cannot enter. kill: particles that enter it (or leave it, if it is a container) are deleted.
enum class ColliderEffect { collide, kill };
inline Choices choicesOf(ColliderEffect) { return {"collide", "kill"}; }

struct ColliderParams {
    ColliderShape shape = ColliderShape::mesh;
    ColliderEffect effect = ColliderEffect::collide;
    ColliderMotion motion = ColliderMotion::keyed;
    bool container = false;
    WallModel boundary = WallModel::automatic;
    float radius = 0.5f;
    Vec3 halfSize{0.5f, 0.5f, 0.5f};
    float halfLength = 0.5f;
    float friction = 0.4f;
    float adhesion = 0;
    float thickness = 0;
    float density = 500;
    float bounce = 0;
    Vec3 startVelocity{0, 0, 0};
    Vec3 startSpin{0, 0, 0};
    ColliderReference reference;
};

template <class Visit>
void describe(Visit&& visit, ColliderParams& p) {
    visit(p.shape,
          About{"shape", "shp", "", "The connected mesh, or a primitive placed by the connected matrix."}.section(
              "Collider", SectionPlace::identity));
    visit(p.effect, About{"effect", "eff", "",
                          "collide: keeps particles out; kill: deletes particles that enter. A container does so to "
                          "particles that leave."});
    visit(p.motion, About{"motion", "mot", "",
                          "keyed: follows its animation; dynamic: a rigid body that falls, floats and is pushed."}
                        .initialOnly());
    visit(p.container, About{"container", "cont", "", "Keeps particles inside instead of outside."});
    visit(p.boundary,
          About{"boundary", "bndy", "",
                "How the collider enters the fluid's density. contact: not at all; particles: as samples on its "
                "surface; volumeMap: as a volume, for shapes that do not deform."});
    visit(p.radius, About{"radius", "ra", "m", "Radius of the sphere or capsule.", 0, kUnbounded, 0, 2});
    visit(p.halfSize, About{"halfSize", "hsz", "m", "Half the edge lengths of the box.", 0, kUnbounded, 0, 2});
    visit(p.halfLength,
          About{"halfLength", "hln", "m", "Half the length of the capsule's axis, along y.", 0, kUnbounded, 0, 2});
    visit(p.friction,
          About{"friction", "fron", "",
                "0: everything slides freely; 1: whatever touches it moves along. Fluid loses nine tenths of its "
                "sliding speed per frame at 0.4. For cloth and rigid bodies it is the Coulomb coefficient.",
                0, 1, 0, 1}
              .section("Contact", SectionPlace::surroundings));
    visit(p.adhesion, About{"adhesion", "adh", "N/m",
                            "Work needed to pull a square metre of fluid off the surface (J/m²). With tensionModel "
                            "cohesion, drops cling above the fluid's surfaceTension and spread out above twice that.",
                            0, 1e4, 0, 1});
    visit(p.thickness,
          About{"thickness", "thss", "m", "Distance that particles keep from the surface.", 0, kUnbounded, 0, 0.1});
    visit(p.density,
          About{"density", "dens", "kg/m³", "dynamic: mass per volume. It floats if this is below the fluid's density.",
                1e-3, 1e6, 10, 8000}
              .section("Rigid body"));
    visit(p.bounce, About{"bounce", "bnc", "",
                          "dynamic: bounce off other colliders; 0 is none, 1 is perfectly elastic.", 0, 1, 0, 1});
    visit(p.startVelocity, About{"startVelocity", "stv", "m/s", "dynamic: initial velocity."}.initialOnly());
    visit(
        p.startSpin,
        About{"startSpin", "stsp", "rad/s", "dynamic: initial angular velocity, about the world axes."}.initialOnly());
    describe(visit, p.reference);
}

}  // namespace purl
