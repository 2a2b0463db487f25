"""The periodic plane of the validation cases: its seam is not noticeable, and force sources add the momentum they should."""
import sys
from pathlib import Path

import numpy
import pytest

purl = pytest.importorskip("purl")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "validation"))
import tank  # noqa: E402

STEP = 0.001  # s


def periodicPlane(fields=(), center=(0, 0, 0), jitter=0.0):
    """A periodic plane of 0.4 m by 0.4 m, full of fluid with fractional viscosity, with time steps of 1 ms."""
    fluid = purl.Fluid("water", [tank.block((-0.2, -0.2, -1), (0.2, 0.2, 1))], rest_density=1000, viscosity=5, surface_tension=0,
                       viscosity_model="fractional", attraction=0, jitter=jitter)
    scene = purl.Scene([fluid], [], list(fields))
    return tank.settings(scene, pressure_solver="wcsph", dimensions=2, gravity=0, integrator="semiImplicitEuler", cfl=0,
                         periodic_size=(0.4, 0.4, 0), periodic_center=center, max_time_step=STEP)


def played(scene, time):
    simulator = purl.Simulator(threads=1)
    simulator.reset(scene)
    points = simulator.advance_to(scene, time).points
    order = numpy.argsort(points.ids)
    return points.positions[order].astype(float), points.velocities[order].astype(float)


# O-47. The position of the periodic boundary affects neither the flow nor the history of velocities: 30 steps, three times the history,
# of a jittered lattice driven by a source.
def test_flowDoesNotDependOnThePositionOfTheSeam():
    source = purl.Field("source", magnitude=20, direction=(1, 0.5, 0), radius=0.08)
    x, v = played(periodicPlane([source], jitter=0.2), 30 * STEP)
    shiftedX, shiftedV = played(periodicPlane([source], center=(0.1, 0.05, 0), jitter=0.2), 30 * STEP)
    speed = numpy.abs(v).max()
    assert speed > 0.1  # 0.55 m/s: the source moved the fluid
    apart = shiftedX - x
    assert numpy.abs(apart - 0.4 * numpy.round(apart / 0.4)).max() < 1e-6  # 1e-7 m: rounding of the shifted positions
    assert numpy.abs(shiftedV - v).max() < 1e-4 * speed  # 1.3e-5: that rounding over the step of 1 ms
    assert (numpy.abs(x[:, :2]) <= 0.2 + 1e-6).all()  # wrapped into the plane, up to rounding


# O-48. A source accelerates the fluid in its region with a constant force; in a periodic plane that momentum is conserved.
def test_momentumGrowsByTheSumOfTheSources():
    sources = []
    for place, direction in (((-0.1, 0.05, 0), (1, 0, 0)), ((0.1, 0.0, 0), (-0.5, 1, 0))):
        field = purl.Field(f"source{len(sources)}", magnitude=10, direction=direction, radius=0.06)
        field.position = place
        sources.append(field)
    scene = periodicPlane(sources)
    simulator = purl.Simulator(threads=1)
    x = simulator.reset(scene).points.positions.astype(float)
    expected = numpy.zeros(3)
    for field in sources:
        inside = numpy.linalg.norm(x - numpy.array(field.position), axis=1) < 0.06
        assert inside.sum() > 10  # a disc of 0.06 m holds about 30 particles
        expected += inside.sum() * 10 * STEP * numpy.array(field.direction) / numpy.linalg.norm(field.direction)
    gained = simulator.advance_to(scene, STEP).points.velocities.astype(float).sum(axis=0)
    assert numpy.abs(gained - expected).max() < 1e-4 * numpy.abs(expected).max()  # 2e-6: a sum of rounded velocities
