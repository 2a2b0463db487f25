"""The basis of Özgen's experiments (2013, chapters 4 and 5): the periodic plane, force sources, his measure of comparison,
moving walls, and balls in cornstarch paste."""
import importlib.util
import sys
from pathlib import Path

import numpy
import pytest

purl = pytest.importorskip("purl")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "validation"))
import run  # noqa: E402
import tank  # noqa: E402

STEP = 0.001


def caseOf(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "validation" / "cases" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def periodicPlane(fields=(), center=(0, 0, 0), jitter=0.0):
    """A periodic plane of 0.4 m by 0.4 m, full of fluid with fractional viscosity, with time steps of 1 ms."""
    fluid = purl.Fluid("water", [tank.block((-0.2, -0.2, -1), (0.2, 0.2, 1))], restDensity=1000, viscosity=5, surfaceTension=0,
                       viscosityModel="fractional", attraction=0, jitter=jitter)
    scene = purl.Scene([fluid], [], list(fields))
    return tank.settings(scene, pressureSolver="wcsph", dimensions=2, gravity=0, integrator="semiImplicitEuler", cfl=0,
                         periodicSize=(0.4, 0.4, 0), periodicCenter=center, maxTimeStep=STEP)


def played(scene, time):
    simulator = purl.Simulator(threads=1)
    simulator.reset(scene)
    points = simulator.advance_to(scene, time).points
    order = numpy.argsort(points.ids)
    return points.positions[order].astype(float), points.velocities[order].astype(float)


# O-47. The position of the periodic boundary affects neither the flow nor the history of velocities: 30 steps, three times the history,
# of a jittered lattice driven by a source. Rounding of the shifted positions leaves differences of 1e-3 of the speeds.
def test_flowDoesNotKnowWhereTheSeamIs():
    source = purl.Field("source", magnitude=20, direction=(1, 0.5, 0), radius=0.08)
    x, v = played(periodicPlane([source], jitter=0.2), 30 * STEP)
    shiftedX, shiftedV = played(periodicPlane([source], center=(0.1, 0.05, 0), jitter=0.2), 30 * STEP)
    speed = numpy.abs(v).max()
    assert speed > 0.1
    apart = shiftedX - x
    assert numpy.abs(apart - 0.4 * numpy.round(apart / 0.4)).max() < 1e-5
    assert numpy.abs(shiftedV - v).max() < 1e-3 * speed
    assert (numpy.abs(x[:, :2]) <= 0.2 + 1e-6).all()


# O-48. A source accelerates the fluid in its region with a constant force; in a periodic plane that momentum is conserved.
def test_momentumGrowsByTheSumOfTheSources():
    sources = []
    for place, push in (((-0.1, 0.05, 0), (1, 0, 0)), ((0.1, 0.0, 0), (-0.5, 1, 0))):
        field = purl.Field(f"source{len(sources)}", magnitude=10, direction=push, radius=0.06)
        field.position = place
        sources.append(field)
    scene = periodicPlane(sources)
    simulator = purl.Simulator(threads=1)
    x = simulator.reset(scene).points.positions.astype(float)
    expected = numpy.zeros(3)
    for field in sources:
        inside = numpy.linalg.norm(x - numpy.array(field.position), axis=1) < 0.06
        assert inside.sum() > 10
        expected += inside.sum() * 10 * STEP * numpy.array(field.direction) / numpy.linalg.norm(field.direction)
    gained = simulator.advance_to(scene, STEP).points.velocities.astype(float).sum(axis=0)
    assert numpy.abs(gained - expected).max() < 1e-4 * numpy.abs(expected).max()


# O-49. The measure is the angle between mean velocities; it is zero for equal ones, and undefined where one is zero.
def test_theErrorOfARegionIsTheAngleBetweenItsMeans():
    angles = caseOf("collidingFlows").angles
    one = numpy.random.default_rng(1).uniform(0.5, 1, (7, 5, 2))
    for turn in (0, 0.3, 2.0):
        rotated = one @ numpy.array([[numpy.cos(turn), numpy.sin(turn)], [-numpy.sin(turn), numpy.cos(turn)]])
        assert numpy.allclose(angles(one, 3 * rotated), turn, atol=1e-6)
    one[2, 3] = 0
    found = angles(one, one)
    assert numpy.isnan(found[2, 3]) and numpy.isnan(found).sum() == 1


# O-55
@pytest.mark.nightly
def test_aSteadyCavityDoesNotFeelThatViscosityRemembers(tmp_path):
    case = run.Case("fractionalCavity", caseOf("fractionalCavity"), tmp_path, quick=False)
    case.module.run(case)
    assert case.misses() == []


# O-63. A shaken box keeps all its water for a thousand steps and moves it along; a moving lid drags the fluid next to it.
def test_wallsThatMoveKeepAndCarryTheFluid():
    fluid = purl.Fluid("water", [tank.block((0, 0, -1), (0.24, 0.16, 1))], viscosity=5, viscosityModel="fractional", surfaceTension=0,
                       kernel="cubicSpline")
    box = tank.closedBox((0, 0, -2), (0.24, 0.24, 2), boundary="particles", friction=1)
    middle = numpy.array(box.position)
    scene = tank.settings(purl.Scene([fluid], [box]), pressureSolver="wcsph", dimensions=2, maxTimeStep=STEP)
    simulator = purl.Simulator(threads=1)
    count = len(simulator.reset(scene).points)
    means = []
    for time in numpy.arange(1, 51) * 0.02:
        shift = 0.1 * numpy.sin(2 * numpy.pi * time)
        box.position = tuple(middle + (shift, 0, 0))
        points = simulator.advance_to(scene, time).points
        assert len(points) == count
        x = points.positions[:, :2] - (shift, 0)
        assert (x > -1e-4).all() and (x < 0.24 + 1e-4).all()
        means.append(points.positions[:, 0].mean() - 0.12 - shift)
    assert numpy.abs(means).max() < 0.05  # its mean velocity stays below that of the shaken box

    full = purl.Fluid("water", [tank.block((0, 0, -1), (0.24, 0.24, 1))], viscosity=5, viscosityModel="morris", surfaceTension=0,
                      kernel="cubicSpline")
    lid = purl.Collider("lid", shape="plane", container=True, boundary="volumeMap", friction=1)
    lid.position = (0, 0.24, 0)
    sides = tank.closedBox((0, 0, -2), (0.24, 0.5, 2), boundary="particles", friction=1)
    scene = tank.settings(purl.Scene([full], [sides, lid]), pressureSolver="wcsph", dimensions=2, gravity=0)
    simulator.reset(scene)
    for time in (0.1, 0.2, 0.3):
        lid.position = (0.5 * time, 0.24, 0)
        points = simulator.advance_to(scene, time).points
    # Half a spacing below a lid of 0.5 m/s, away from the corners.
    near = (points.positions[:, 1] > 0.22) & (numpy.abs(points.positions[:, 0] - 0.12) < 0.06)
    assert 0.25 < points.velocities[near, 0].mean() < 0.5


# O-81. The momentum of paste and ball is conserved without gravity and walls.
def test_aBallAndPasteKeepTheirMomentum():
    paste = purl.preset("cornstarch", "paste")
    paste.volumes = [tank.block((-0.12, -0.12, -0.12), (0.12, 0.12, 0.12))]
    paste.particleSpacing = 0.03
    ball = purl.Collider("ball", shape="sphere", radius=0.06, density=500, friction=0.5, motion="dynamic")
    ball.position = (0, 0.2, 0)
    paste.startVelocity = (0, 1, 0)
    scene = tank.settings(purl.Scene([paste], [ball]), pressureSolver="doubleDensity", gravity=0)
    simulator = purl.Simulator(threads=1)
    grain, mass = paste.restDensity * 0.03**3, 500 * 4 / 3 * numpy.pi * 0.06**3
    begin = grain * len(simulator.reset(scene).points)  # at 1 m/s
    heights = []
    for time in (0.3, 0.4):  # while the ball flies freely
        frame = simulator.advance_to(scene, time)
        heights.append(next(mesh for mesh in frame.meshes if mesh.name == "ball").positions[:, 1].astype(float).mean())
    ballHas = mass * (heights[1] - heights[0]) / 0.1
    pasteHas = grain * frame.points.velocities[:, 1].astype(float).sum()
    assert ballHas > 0.02 * begin  # the ball was hit
    assert abs(pasteHas + ballHas - begin) < 1e-3 * begin


# O-81. A ball of a quarter of the paste's density floats on it.
def test_aLightBallFloatsOnPaste():
    paste = purl.preset("cornstarch", "paste")
    paste.volumes = [tank.block((-0.12, 0, -0.12), (0.12, 0.15, 0.12))]
    paste.particleSpacing = 0.03
    ball = purl.Collider("ball", shape="sphere", radius=0.06, density=300, friction=0.5, motion="dynamic")
    ball.position = (0, 0.22, 0)
    scene = tank.settings(purl.Scene([paste], [tank.closedBox((-0.12, 0, -0.12), (0.12, 1, 0.12)), ball]), pressureSolver="doubleDensity")
    simulator = purl.Simulator(threads=1)
    simulator.reset(scene)
    frame = simulator.advance_to(scene, 1.5)
    middle = next(mesh for mesh in frame.meshes if mesh.name == "ball").positions[:, 1].mean()
    assert middle > numpy.percentile(frame.points.positions[:, 1], 90)
