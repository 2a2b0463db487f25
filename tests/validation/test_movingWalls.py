"""Walls that move in the tank of the validation cases keep the fluid and carry it along."""
import sys
from pathlib import Path

import numpy
import pytest

purl = pytest.importorskip("purl")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "validation"))
import tank  # noqa: E402

STEP = 0.001  # s


# O-63. A shaken box keeps all its water for a thousand steps and moves it along; a moving lid drags the fluid next to it.
def test_wallsThatMoveKeepAndCarryTheFluid():
    fluid = purl.Fluid("water", [tank.block((0, 0, -1), (0.24, 0.16, 1))], viscosity=5, viscosity_model="fractional", surface_tension=0,
                       kernel="cubicSpline")
    box = tank.closedBox((0, 0, -2), (0.24, 0.24, 2), boundary="particles", friction=1)
    middle = numpy.array(box.position)
    scene = tank.settings(purl.Scene([fluid], [box]), pressure_solver="wcsph", dimensions=2, max_time_step=STEP)
    simulator = purl.Simulator(threads=1)
    count = len(simulator.reset(scene).points)
    means = []
    for time in numpy.arange(1, 51) * 0.02:
        shift = 0.1 * numpy.sin(2 * numpy.pi * time)
        box.position = tuple(middle + (shift, 0, 0))
        points = simulator.advance_to(scene, time).points
        assert len(points) == count
        x = points.positions[:, :2] - (shift, 0)
        assert (x > -1e-4).all() and (x < 0.24 + 1e-4).all()  # a hundredth of a spacing: the box moves within a step
        means.append(points.positions[:, 0].mean() - 0.12 - shift)
    assert numpy.abs(means).max() < 0.05  # 0.016 m of sloshing; water that the box does not carry would be 0.1 m off

    full = purl.Fluid("water", [tank.block((0, 0, -1), (0.24, 0.24, 1))], viscosity=5, viscosity_model="morris", surface_tension=0,
                      kernel="cubicSpline")
    lid = purl.Collider("lid", shape="plane", container=True, boundary="volumeMap", friction=1)
    lid.position = (0, 0.24, 0)
    sides = tank.closedBox((0, 0, -2), (0.24, 0.5, 2), boundary="particles", friction=1)
    scene = tank.settings(purl.Scene([full], [sides, lid]), pressure_solver="wcsph", dimensions=2, gravity=0)
    simulator.reset(scene)
    for time in (0.1, 0.2, 0.3):
        lid.position = (0.5 * time, 0.24, 0)
        points = simulator.advance_to(scene, time).points
    # Half a spacing below a lid of 0.5 m/s, away from the corners: slower than the lid, by less than half.
    near = (points.positions[:, 1] > 0.22) & (numpy.abs(points.positions[:, 0] - 0.12) < 0.06)
    assert 0.25 < points.velocities[near, 0].mean() < 0.5
