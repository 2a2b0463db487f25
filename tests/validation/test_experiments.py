"""Experiments of the source documents, repeated: colliding flows, a ball on cornstarch, a shaken sphere, a large dam break. Long ones are nightly."""
import importlib.util
import sys
from pathlib import Path

import numpy
import pytest

purl = pytest.importorskip("purl")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "validation"))
import tank  # noqa: E402


def caseOf(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "validation" / "cases" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# O-62. The map of regions is green where fractional viscosity is nearer to the finer flow, red where ordinary viscosity is, yellow where both are alike.
def test_theRegionMapFollowsTheSignOfTheDifference():
    colors = caseOf("collidingFlows").regionColors(numpy.array([0.3, 0.1, 0.2, 0.2, numpy.nan]), numpy.array([0.1, 0.3, 0.2, 0.201, 0.1]))
    assert colors == ["green", "red", "yellow", "yellow", "white"]


# O-50 O-51 O-53. Two coarse flows start as the finer one does and drift off it; more where streams collide than elsewhere. Calibrated to the same steady
# viscosity, the two are alike there: neither their directions nor their speeds tell them apart.
@pytest.mark.nightly
def test_coarseFlowsDriftFromTheFinerOneWhereStreamsCollide():
    flows = caseOf("collidingFlows")
    fine, ordinary, fractional = (flows.play(across, flows.PLACES, viscosity_model=model)
                                  for across, model in ((50, "mueller"), (45, "mueller"), (45, "fractional")))
    drift = {}
    for name, coarse in (("ordinary", ordinary), ("fractional", fractional)):
        error = flows.angles(coarse, fine)
        early, late = numpy.nanmean(error[:10]), numpy.nanmean(error[50:])
        assert early < 0.5 * late
        rich, poor = flows.richAndPoor()
        assert numpy.nanmean(error[50:, rich]) > 1.2 * numpy.nanmean(error[50:, poor])
        speed = numpy.linalg.norm(coarse[50:], axis=2).mean() / numpy.linalg.norm(fine[50:], axis=2).mean()
        assert speed == pytest.approx(1, abs=0.1)
        drift[name] = late
    assert drift["fractional"] == pytest.approx(drift["ordinary"], rel=0.25)


# O-82. A ball that hits cornstarch is stopped and bounces; without hardening it sinks deeper; laid down it sinks.
@pytest.mark.nightly
def test_aBallBouncesOffCornstarchAndSinksIntoItLater():
    impact = caseOf("impact")
    times, struck, _ = impact.play(3, True, 0.03)
    _, liquid, _ = impact.play(3, False, 0.03)
    _, laid, _ = impact.play(0, True, 0.03)
    soon = times <= 0.3
    deepest = int(struck[times <= 0.5].argmax())
    assert struck[deepest] - struck[deepest:].min() > 0.02
    assert struck[soon].max() < 0.7 * liquid[soon].max()
    assert laid[-1] > 0.5


# O-54. A ball half as heavy again as the water it floats in, without gravity, in a closed box that is shaken once a second: its path is a sine of the box's
# frequency, and it does not drift across the shaking.
def test_aBallInAShakenBoxMovesAsASine():
    sim = purl.load(ROOT / "scenes" / "shakenSphere.ma")
    path = numpy.array([sim.frame(number).rigids[0].position for number in range(1, 74)], float)
    time = numpy.arange(73) / 24
    turn = 2 * numpy.pi * time
    basis = numpy.stack([numpy.sin(turn), numpy.cos(turn), numpy.ones(73), time], axis=1)[25:]
    fit = numpy.linalg.lstsq(basis, path[25:, 0], rcond=None)[0]
    amplitude = numpy.hypot(fit[0], fit[1])
    residual = path[25:, 0] - basis @ fit
    assert 3 < amplitude < 7  # 6.3 cm; the box moves by 6
    assert residual.std() < 0.15 * amplitude
    assert numpy.ptp(path[:, 1:], axis=0).max() < 0.2 * amplitude  # 5 mm in three seconds


# B-120. A dam of 200 000 particles, a quarter of the tank: the front never goes back until it meets the far wall, and stays between the shallow-water speed 2 √(g H) and
# half of it once it has developed (Martin and Moyce measured two thirds for a column of this shape).
@pytest.mark.nightly
def test_aDamOf200000ParticlesBreaksAtTheSpeedOfShallowWater():
    spacing, height = 0.02, 1.17
    water = purl.Fluid("water", [tank.block((0, 0, 0), (height, height, height))], particle_spacing=spacing)
    scene = purl.Scene([water], [tank.closedBox((0, 0, 0), (4 * height, 3 * height, height))])
    simulator = purl.Simulator(threads=2)
    count = len(simulator.reset(scene).points)
    assert 190000 < count < 210000
    front = [numpy.percentile(simulator.advance_to(scene, time).points.positions[:, 0], 99.9) for time in numpy.arange(1, 13) * 0.05]
    assert (numpy.diff(front) > 0).all()
    speed = (front[-1] - front[-5]) / 0.2
    assert 0.5 < speed / (2 * numpy.sqrt(9.81 * height)) < 1
