"""Cloth and soft bodies at rest
A cloth on a floor, a cloth on a slope slightly below its friction angle, and a block of jelly on both are left alone for ten seconds and must not creep. The table gives their displacement between the second and the tenth second, and the deviation of
the cloth from its height of half its thickness.
"""
import numpy
import purl
from sheets import positions, sheet

REFERENCE = "rest"


def left(angle, **things):
    """Positions of the first body after two and after ten seconds, on a plane inclined by an angle in degrees."""
    made = purl.Scene(colliders=[purl.Collider("floor", shape="plane")], **things)
    turn = numpy.radians(angle)
    made.solver.gravity_direction = (float(numpy.sin(turn)), float(-numpy.cos(turn)), 0.0)
    simulator = purl.Simulator(threads=1)
    simulator.reset(made)
    early = None
    for frame in range(1, 241):
        there = simulator.advance_to(made, frame / 24)
        early = positions(there) if frame == 48 else early
    return early, positions(there)


def run(case):
    for solver in ("xpbd", "implicitEuler"):
        for angle in (0, 24):
            cloth = sheet(9, 9, (-0.2, 0.0021, -0.2), (0, 0, 0.4), (0.4, 0, 0), solver=solver, friction=0.5, thickness=0.004)
            early, late = left(angle, cloths=[cloth])
            where = f"{solver}, {'level' if angle == 0 else '24° of 26.6°'}"
            case.below(f"displacement in 8 s, {where}", 1e3 * numpy.linalg.norm(late - early, axis=1).max(), 0.1, "mm")
            case.below(f"deviation from its height, {where}", 1e3 * abs(late[:, 1] - 0.002).max(), 0.05, "mm")
    block = purl.box((0.2, 0.1, 0.2), (0, 0.0501, 0))
    for angle in (0, 24):
        body = purl.SoftBody("sample", block.vertices, block.triangles, friction=0.5, spacing=0.02)
        early, late = left(angle, soft_bodies=[body])
        case.below(f"displacement in 8 s, jelly, {'level' if angle == 0 else '24° of 26.6°'}", 1e3 * numpy.linalg.norm(late - early, axis=1).max(), 0.1, "mm")
