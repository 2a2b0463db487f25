#include "solver/colliders/rigid.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/colliders/contacts.h"
#include "solver/colliders/motion.h"
#include "solver/core/error.h"
#include "solver/core/math.h"

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kVelocityIterations = 12;
constexpr int kPositionIterations = 4;
constexpr float kSlop = 1e-3f;          // allowed overlap relative to a body's size, so that resting contacts persist
constexpr float kPositionShare = 0.5f;  // fraction of the overlap that one iteration removes

// ---- mass -----------------------------------------------------------------------------------------------------

struct Solid {
    double volume = 0;                 // m³
    std::array<double, 3> center{};    // m
    std::array<double, 3> diagonal{};  // m⁵: ∫x², ∫y², ∫z² about the centre
    std::array<double, 3> mixed{};     // m⁵: ∫yz, ∫zx, ∫xy about the centre
};

Solid boxSolid(Vec3 half) {
    Solid solid;
    solid.volume = 8 * double(half.x) * half.y * half.z;
    for (int k = 0; k < 3; ++k) solid.diagonal[size_t(k)] = solid.volume * square(half[k]) / 3;
    return solid;
}

Solid sphereSolid(double radius) {
    Solid solid;
    solid.volume = 4 * kPi / 3 * radius * radius * radius;
    solid.diagonal.fill(solid.volume * radius * radius / 5);
    return solid;
}

// A cylinder along y and two hemispheres at its ends.
Solid capsuleSolid(double halfLength, double radius) {
    const double r2 = radius * radius;
    const double cylinder = 2 * kPi * r2 * halfLength, ball = 4 * kPi / 3 * r2 * radius;
    Solid solid;
    solid.volume = cylinder + ball;
    solid.diagonal[0] = solid.diagonal[2] = cylinder * r2 / 4 + ball * r2 / 5;
    solid.diagonal[1] =
        cylinder * halfLength * halfLength / 3 + ball * (r2 / 5 + halfLength * halfLength + 0.75 * halfLength * radius);
    return solid;
}

// Sum over signed tetrahedra from one vertex of the mesh to each triangle (Tonon 2004, Mirtich 1996).
Solid meshSolid(const TriangleMesh& mesh) {
    std::array<double, 3> first{}, squares{}, mixed{};
    double volume = 0;
    const Vec3 origin = mesh.vertices[mesh.triangles[0]];
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        std::array<std::array<double, 3>, 3> p;
        for (size_t c = 0; c < 3; ++c) {
            const Vec3 v = mesh.vertices[mesh.triangles[t + c]] - origin;
            p[c] = {double(v.x), double(v.y), double(v.z)};
        }
        const double six = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
                           p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                           p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
        volume += six / 6;
        for (size_t k = 0; k < 3; ++k) {
            const double sum = p[0][k] + p[1][k] + p[2][k];
            first[k] += six / 24 * sum;
            const size_t a = (k + 1) % 3, b = (k + 2) % 3;
            double square = sum * sum, product = (p[0][a] + p[1][a] + p[2][a]) * (p[0][b] + p[1][b] + p[2][b]);
            for (const auto& corner : p) {
                square += corner[k] * corner[k];
                product += corner[a] * corner[b];
            }
            squares[k] += six / 120 * square;
            mixed[k] += six / 120 * product;
        }
    }
    Solid solid;
    const double sign = volume < 0 ? -1 : 1;  // a mesh may be inside out
    solid.volume = sign * volume;
    for (size_t k = 0; k < 3; ++k) {
        const size_t a = (k + 1) % 3, b = (k + 2) % 3;
        solid.center[k] = first[k] / volume + double(origin[static_cast<int>(k)]);
        // Parallel axis theorem
        solid.diagonal[k] = sign * (squares[k] - first[k] * first[k] / volume);
        solid.mixed[k] = sign * (mixed[k] - first[a] * first[b] / volume);
    }
    return solid;
}

bool isClosed(const TriangleMesh& mesh) {
    if (!meshFault(mesh.vertices, mesh.triangles).empty()) return false;
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    return tree.isClosed();
}

Solid solidOf(const Collider& collider) {
    const ColliderParams& p = collider.params;
    const auto refuse = [&](const char* what) {
        throw Error(collider.name + ": " + what + " cannot be a rigid body; set motion to keyed");
    };
    if (p.container) refuse("a container");
    Solid solid;
    switch (p.shape) {
        case ColliderShape::plane: refuse("a plane"); break;
        case ColliderShape::box: solid = boxSolid(p.halfSize); break;
        case ColliderShape::sphere: solid = sphereSolid(p.radius); break;
        case ColliderShape::capsule: solid = capsuleSolid(p.halfLength, p.radius); break;
        case ColliderShape::mesh:
            if (!isClosed(collider.mesh)) refuse("an open mesh");
            solid = meshSolid(collider.mesh);
            break;
    }
    if (!(solid.volume > 0)) refuse("a shape without volume");
    return solid;
}

Mat3 inverse(const Mat3& m) {
    const Vec3 a = cross(m.y, m.z), b = cross(m.z, m.x), c = cross(m.x, m.y);
    const float inverseDeterminant = 1 / dot(m.x, a);
    return transposed({inverseDeterminant * a, inverseDeterminant * b, inverseDeterminant * c});
}

// ---- rotation -------------------------------------------------------------------------------------------------

// Rodrigues' formula: rotates the axes by the rotation vector `turn`, rad.
Mat3 rotatedBy(const Mat3& axes, Vec3 turn) {
    const float angle = length(turn);
    if (!(angle > 0)) return axes;
    const Vec3 n = turn / angle;
    const float c = cos(angle), s = sin(angle);
    const auto rotate = [&](Vec3 v) { return c * v + s * cross(n, v) + ((1 - c) * dot(n, v)) * n; };
    const Vec3 x = normalized(rotate(axes.x)), y = rotate(axes.y);
    const Vec3 z = normalized(cross(x, y));
    return {x, cross(z, x), z};
}

Vec3 applied(const Mat3& local, const Mat3& axes, Vec3 v) { return axes * (local * (transposed(axes) * v)); }

}  // namespace

MassProperties massOf(const Collider& collider) {
    const Solid solid = solidOf(collider);
    const double density = collider.params.density;
    const auto& d = solid.diagonal;
    const auto f = [&](double value) { return static_cast<float>(density * value); };
    MassProperties mass;
    mass.mass = f(solid.volume);
    mass.inertia = {{f(d[1] + d[2]), -f(solid.mixed[2]), -f(solid.mixed[1])},
                    {-f(solid.mixed[2]), f(d[2] + d[0]), -f(solid.mixed[0])},
                    {-f(solid.mixed[1]), -f(solid.mixed[0]), f(d[0] + d[1])}};
    mass.inverseInertia = inverse(mass.inertia);
    return mass;
}

Pose bodyPose(const Collider& collider) {
    if (collider.params.shape != ColliderShape::mesh) return collider.pose;
    const Solid solid = solidOf(collider);
    return {
        {static_cast<float>(solid.center[0]), static_cast<float>(solid.center[1]), static_cast<float>(solid.center[2])},
        {}};
}

void updateRigidColliders(const Scene& scene, State& state) {
    for (size_t i = 0; i < scene.colliders.size(); ++i) {
        ColliderPlace& place = state.colliders[i];
        const bool rigid = isRigid(scene.colliders[i]);
        if (rigid == (place.rigid != 0)) continue;
        place.rigid = rigid;
        if (!rigid) continue;
        Collider collider = scene.colliders[i];
        if (state.time > 0) {
            collider.pose = place.pose;
            // The number of vertices has changed: start from the scene's positions.
            if (collider.params.shape == ColliderShape::mesh && place.vertices.size() != collider.mesh.vertices.size())
                place.vertices = collider.mesh.vertices;
            collider.mesh.vertices = place.vertices;
        } else {
            place.velocity = collider.params.startVelocity;
            place.spin = collider.params.startSpin;
        }
        place.pose = bodyPose(collider);
        state.shapes[i] = place;
    }
}

// ---- RigidBodies ----------------------------------------------------------------------------------------------

// A contact: a sample of a body inside another collider.
struct RigidBodies::ContactPoint {
    int body = 0, other = -1;  // other: a body, or -1 for a collider that is not moved
    Vec3 at, normal;           // in world space; the normal points towards the body
    Vec3 surface;              // m/s, velocity of a collider that is not moved, at the contact
    float depth = 0;           // m
    float friction = 0, bounce = 0;
    float normalImpulse = 0;   // N s, accumulated
    Vec3 frictionImpulse;      // N s, accumulated
    float targetVelocity = 0;  // m/s, along the normal (restitution)
};

void RigidBodies::set(const Scene& scene, const State& state, StepColliders& colliders) {
    bodies_.clear();
    bodyOf_.assign(scene.colliders.size(), -1);
    for (size_t i = 0; i < scene.colliders.size(); ++i) {
        if (!isRigid(scene.colliders[i])) continue;
        Collider collider = scene.colliders[i];
        const ColliderParams& p = collider.params;
        const bool isMesh = p.shape == ColliderShape::mesh;
        Body body;
        body.collider = static_cast<int>(i);
        body.friction = p.friction;
        body.bounce = p.bounce;
        if (isMesh) {
            // The shape at the time it became rigid; later deformation is ignored.
            if (state.shapes[i].vertices.size() != collider.mesh.vertices.size())
                throw Error(collider.name + ": mesh has " + std::to_string(collider.mesh.vertices.size()) +
                            " vertices, but had " + std::to_string(state.shapes[i].vertices.size()) +
                            " when it became rigid; go back to the start frame");
            collider.mesh.vertices = state.shapes[i].vertices;
            for (const Vec3 vertex : collider.mesh.vertices) body.rest.push_back(state.shapes[i].pose.toLocal(vertex));
        }
        body.mass = massOf(collider);
        switch (p.shape) {
            case ColliderShape::sphere: body.samples = {{{}, p.radius}}; break;
            case ColliderShape::capsule:
                for (int k = -4; k <= 4; ++k)
                    body.samples.push_back({{0, 0.25f * static_cast<float>(k) * p.halfLength, 0}, p.radius});
                break;
            case ColliderShape::box:
                for (int k = 0; k < 125; ++k) {
                    const int x = k % 5 - 2, y = k / 5 % 5 - 2, z = k / 25 - 2;
                    if (std::max({std::abs(x), std::abs(y), std::abs(z)}) < 2) continue;
                    const Vec3 share = 0.5f * Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
                    body.samples.push_back(
                        {{share.x * p.halfSize.x, share.y * p.halfSize.y, share.z * p.halfSize.z}, 0});
                }
                break;
            case ColliderShape::mesh: {
                for (const Vec3 vertex : body.rest) body.samples.push_back({vertex, 0});
                const auto& corners = collider.mesh.triangles;
                for (size_t t = 0; t + 2 < corners.size(); t += 3)
                    body.samples.push_back(
                        {(body.rest[corners[t]] + body.rest[corners[t + 1]] + body.rest[corners[t + 2]]) / 3, 0});
                break;
            }
            case ColliderShape::plane: break;
        }
        for (const Sample& sample : body.samples) body.size = std::max(body.size, length(sample.at) + sample.radius);
        bodyOf_[i] = count();
        colliders[static_cast<int>(i)].after = positionAt(body, state.colliders[i].pose);
        bodies_.push_back(std::move(body));
    }
}

ColliderPosition RigidBodies::positionAt(const Body& body, const Pose& pose) {
    if (body.rest.empty()) return {pose, {}};
    std::vector<Vec3> vertices;
    vertices.reserve(body.rest.size());
    for (const Vec3 vertex : body.rest) vertices.push_back(pose.toWorld(vertex));
    return {pose, std::move(vertices)};
}

Vec3 RigidBodies::angularVelocityChange(const Body& body, const Pose& pose, Vec3 angularImpulse) const {
    return applied(body.mass.inverseInertia, pose.axes, angularImpulse);
}

void RigidBodies::move(State& state, Span<const PlacedCollider> placed, const std::vector<Vec3>& accelerations,
                       float dt, StepColliders& colliders) {
    std::vector<Pose> poses;
    for (size_t b = 0; b < bodies_.size(); ++b) {
        ColliderPlace& now = state.colliders[bodies_[b].collider];
        now.velocity += dt * accelerations[b];
        poses.push_back({now.pose.position + dt * now.velocity, rotatedBy(now.pose.axes, dt * now.spin)});
    }
    std::vector<ContactPoint> found = findContacts(state, placed, poses, dt);
    resolve(state, found, poses, dt);
    for (size_t b = 0; b < bodies_.size(); ++b) {
        const Body& body = bodies_[b];
        ColliderPlace& place = state.colliders[body.collider];
        ColliderPosition& after = colliders[body.collider].after;
        // Free rotation conserves the angular momentum, not the angular velocity.
        const Vec3 momentum = applied(body.mass.inertia, place.pose.axes, place.spin);
        place.spin = applied(body.mass.inverseInertia, poses[b].axes, momentum);
        after = positionAt(body, poses[b]);
        place.pose = poses[b];
        if (!after.vertices.empty()) place.vertices = after.vertices;
    }
}

std::vector<RigidBodies::ContactPoint> RigidBodies::findContacts(const State& state, Span<const PlacedCollider> placed,
                                                                 const std::vector<Pose>& poses, float dt) const {
    std::vector<ContactPoint> found;
    for (int b = 0; b < count(); ++b) {
        const Body& body = bodies_[b];
        const Pose& before = state.colliders[body.collider].pose;
        for (int c = 0; c < placed.count; ++c) {
            if (c == body.collider || placed[c].kills) continue;
            const int other = bodyOf_[c];
            const Pose* const otherBefore = other < 0 ? nullptr : &state.colliders[c].pose;
            // Broad phase by bounding spheres.
            if (other >= 0 && length(poses[b].position - poses[other].position) > body.size + bodies_[other].size)
                continue;
            PlacedCollider shape = placed[c];
            for (const Sample& sample : body.samples) {
                shape.gap = placed[c].gap + sample.radius;
                const Vec3 x = poses[b].toWorld(sample.at);
                const auto test = [&](Vec3 from, Vec3 to) {
                    return shape.shape == ColliderShape::mesh ? meshContact(shape, from, to, false)
                                                              : primitiveContact(shape, to);
                };
                ContactPoint touch;
                Contact contact;
                if (otherBefore) {
                    // `placed` has the other body at its old pose: test in that frame, and transform back.
                    const Pose& otherAfter = poses[other];
                    contact = test(before.toWorld(sample.at), otherBefore->toWorld(otherAfter.toLocal(x)));
                    contact.normal = otherAfter.axes * (transposed(otherBefore->axes) * contact.normal);
                } else {
                    contact = test(before.toWorld(sample.at), x);
                }
                if (!contact) continue;
                touch.body = b;
                touch.other = other;
                touch.normal = contact.normal;
                touch.depth = contact.depth;
                touch.at = x - sample.radius * contact.normal;
                touch.friction = std::max(body.friction, placed[c].friction);
                touch.bounce = body.bounce;
                if (other < 0) touch.surface = surfaceVelocity(shape, contact, dt);
                found.push_back(touch);
            }
        }
    }
    return found;
}

// Sequential impulses (Catto 2005), then position correction; always in the order in which contacts were found.
void RigidBodies::resolve(State& state, std::vector<ContactPoint>& contacts, std::vector<Pose>& poses, float dt) const {
    if (contacts.empty()) return;
    const auto bodyOf = [&](int b) -> const Body& { return bodies_[b]; };
    const auto stateOf = [&](int b) -> ColliderPlace& { return state.colliders[bodyOf(b).collider]; };
    const auto velocityAt = [&](int b, Vec3 x) {
        const ColliderPlace& place = stateOf(b);
        return place.velocity + cross(place.spin, x - poses[b].position);
    };
    // Inverse effective mass at x along n, 1/kg.
    const auto inverseMass = [&](int b, Vec3 x, Vec3 n) {
        const Pose& pose = poses[b];
        const Vec3 arm = cross(x - pose.position, n);
        return 1 / bodyOf(b).mass.mass + dot(arm, angularVelocityChange(bodyOf(b), pose, arm));
    };
    const auto applyImpulse = [&](int b, Vec3 x, Vec3 impulse) {
        const Pose& pose = poses[b];
        stateOf(b).velocity += impulse / bodyOf(b).mass.mass;
        stateOf(b).spin += angularVelocityChange(bodyOf(b), pose, cross(x - pose.position, impulse));
    };
    const auto relative = [&](const ContactPoint& t) {
        return velocityAt(t.body, t.at) - (t.other < 0 ? t.surface : velocityAt(t.other, t.at));
    };
    const auto applyImpulses = [&](const ContactPoint& t, Vec3 impulse) {
        applyImpulse(t.body, t.at, impulse);
        if (t.other >= 0) applyImpulse(t.other, t.at, -impulse);
    };

    const std::vector<Pose> predicted = poses;
    std::vector<std::pair<Vec3, Vec3>> asPredicted;
    for (int b = 0; b < count(); ++b) asPredicted.emplace_back(stateOf(b).velocity, stateOf(b).spin);
    for (ContactPoint& t : contacts) t.targetVelocity = t.bounce * std::max(0.0f, -dot(relative(t), t.normal));
    for (int sweep = 0; sweep < kVelocityIterations; ++sweep)
        for (ContactPoint& t : contacts) {
            const auto inverseMassOf = [&](Vec3 n) {
                return inverseMass(t.body, t.at, n) + (t.other < 0 ? 0 : inverseMass(t.other, t.at, n));
            };
            const float before = t.normalImpulse;
            t.normalImpulse =
                std::max(0.0f, before + (t.targetVelocity - dot(relative(t), t.normal)) / inverseMassOf(t.normal));
            applyImpulses(t, (t.normalImpulse - before) * t.normal);
            // Coulomb: friction is at most μ times the normal impulse
            if (!(t.friction > 0)) continue;
            const Vec3 sliding = relative(t) - dot(relative(t), t.normal) * t.normal;
            const float speed = length(sliding);
            if (!(speed > 0)) continue;
            Vec3 friction = t.frictionImpulse - sliding / inverseMassOf(sliding / speed);
            const float maxFriction = t.friction * t.normalImpulse, wanted = length(friction);
            if (wanted > maxFriction) friction = (maxFriction / wanted) * friction;
            applyImpulses(t, friction - t.frictionImpulse);
            t.frictionImpulse = friction;
        }
    // Apply the velocity changes to the predicted poses.
    for (int b = 0; b < count(); ++b) {
        Pose& pose = poses[b];
        const auto& [velocity, spin] = asPredicted[b];
        pose.position += dt * (stateOf(b).velocity - velocity);
        pose.axes = rotatedBy(pose.axes, dt * (stateOf(b).spin - spin));
    }
    // Remove the remaining overlap by changing poses only, so that no velocity is added.
    for (int iteration = 0; iteration < kPositionIterations; ++iteration)
        for (const ContactPoint& t : contacts) {
            const auto moved = [&](int b) {
                const Pose &now = poses[b], &then = predicted[b];
                return now.toWorld(then.toLocal(t.at)) - t.at;
            };
            const Vec3 separated = moved(t.body) - (t.other < 0 ? Vec3{} : moved(t.other));
            const float left = t.depth - dot(separated, t.normal) - kSlop * bodyOf(t.body).size;
            if (left <= 0) continue;
            const float both =
                inverseMass(t.body, t.at, t.normal) + (t.other < 0 ? 0 : inverseMass(t.other, t.at, t.normal));
            const Vec3 shift = (kPositionShare * left / both) * t.normal;  // kg m
            const auto correctPose = [&](int b, Vec3 by) {
                Pose& pose = poses[b];
                const Vec3 turn = angularVelocityChange(bodyOf(b), pose, cross(t.at - pose.position, by));
                pose.position += by / bodyOf(b).mass.mass;
                pose.axes = rotatedBy(pose.axes, turn);
            };
            correctPose(t.body, shift);
            if (t.other >= 0) correctPose(t.other, -shift);
        }
}

void RigidBodies::push(State& state, int body, const Impulse& impulse) const {
    const Body& b = bodies_[body];
    ColliderPlace& place = state.colliders[b.collider];
    place.velocity += impulse.linear / b.mass.mass;
    place.spin += angularVelocityChange(b, place.pose, impulse.angular);
}

}  // namespace purl
