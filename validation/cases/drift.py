"""What must not change
A blob of water with a spin, without gravity and walls: its mass, momentum and angular momentum are followed over 200 steps. Momentum is
told in shares of Σ m |v|, angular momentum in shares of itself. Pressure alone acts: viscosity turns a spin into nothing as it should,
and Kelager's colour-field tension is known not to keep momentum.
"""
import numpy
import purl
import tank


def run(case):
    for solver in ("wcsph", "pbf", "dfsph"):
        water = purl.Fluid("water", [tank.block((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1))], particleSpacing=0.02, restDensity=1000,
                           jitter=0.1, startVelocity=(1, 0.5, 0), surfaceTension=0, viscosity=0)
        spin = purl.Field("spin", magnitude=5, direction=(0, 1, 0), radius=0.1)
        spin.position = (0.1, 0, 0)
        scene = purl.Scene([water], fields=[spin])
        tank.settings(scene, pressureSolver=solver, gravity=0, maxTimeStep=0.001, vorticityConfinement=0)
        simulator = purl.Simulator(threads=2)
        simulator.reset(scene)
        simulator.advance_to(scene, 0.1)  # the field has given it a turn
        still = purl.Scene([water])
        tank.settings(still, pressureSolver=solver, gravity=0, maxTimeStep=0.001, vorticityConfinement=0)
        first = totals(simulator.advance_to(still, 0.101).points)
        last = totals(simulator.advance_to(still, 0.301).points)
        case.row(f"particles, {solver}", last["count"], first["count"], within=0)
        case.below(f"momentum a step, {solver}", numpy.linalg.norm(last["p"] - first["p"]) / first["sum"] / 200, 1e-6)
        case.below(f"angular momentum a step, {solver}",
                   numpy.linalg.norm(last["l"] - first["l"]) / numpy.linalg.norm(first["l"]) / 200, 1e-4)


def totals(points):
    x, v = points.positions.astype(float), points.velocities.astype(float)
    return {"count": len(x), "p": v.sum(axis=0), "sum": numpy.linalg.norm(v, axis=1).sum(),
            "l": numpy.cross(x - x.mean(axis=0), v).sum(axis=0)}
