"""Conserved quantities
A rotating blob of water without gravity and walls: its mass, momentum and angular momentum are tracked over 200 steps. Momentum is relative to Σ m |v|, angular momentum relative to its initial value. Only pressure acts: viscosity
rightly damps rotation, and Kelager's colour-field tension is known not to conserve momentum.
"""
import numpy
import purl
import tank

REFERENCE = "conservation"


def run(case):
    for solver in ("wcsph", "pbf", "dfsph"):
        water = purl.Fluid("water", [tank.block((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1))], particle_spacing=0.02, rest_density=1000,
                           jitter=0.1, start_velocity=(1, 0.5, 0), surface_tension=0, viscosity=0)
        spin = purl.Field("spin", magnitude=5, direction=(0, 1, 0), radius=0.1)
        spin.position = (0.1, 0, 0)
        scene = purl.Scene([water], fields=[spin])
        tank.settings(scene, pressure_solver=solver, gravity=0, max_time_step=0.001, vorticity_confinement=0)
        simulator = purl.Simulator(threads=2)
        simulator.reset(scene)
        simulator.advance_to(scene, 0.1)  # the field has set it rotating
        still = purl.Scene([water])
        tank.settings(still, pressure_solver=solver, gravity=0, max_time_step=0.001, vorticity_confinement=0)
        first = totals(simulator.advance_to(still, 0.101).points)
        last = totals(simulator.advance_to(still, 0.301).points)
        case.row(f"particles, {solver}", last["count"], first["count"], within=0)
        case.below(f"momentum change per step, {solver}", numpy.linalg.norm(last["p"] - first["p"]) / first["sum"] / 200, 1e-6)
        case.below(f"angular momentum change per step, {solver}",
                   numpy.linalg.norm(last["l"] - first["l"]) / numpy.linalg.norm(first["l"]) / 200, 1e-4)


def totals(points):
    x, v = points.positions.astype(float), points.velocities.astype(float)
    return {"count": len(x), "p": v.sum(axis=0), "sum": numpy.linalg.norm(v, axis=1).sum(),
            "l": numpy.cross(x - x.mean(axis=0), v).sum(axis=0)}
