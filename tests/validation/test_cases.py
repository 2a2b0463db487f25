"""Measures and criteria of single validation cases."""
import numpy
import pytest

from validationCase import caseOf

pytest.importorskip("purl")
import run  # noqa: E402


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


# On a lattice forces keep their symmetry: nothing leans, and the slope of the pressure is that of a kernel of two spacings' support, 2 % low. Stretched upwards by a tenth, the same lattice leans as little and its sums are smaller.
def test_hydrostaticSumsOfALattice():
    case = caseOf("hydrostatic")
    x, z = (numpy.arange(0.01, case.WIDTH, 0.02),) * 2
    y = numpy.arange(0.01, case.DEPTH, 0.02)
    lattice = numpy.stack(numpy.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)
    stretch, lean, excess = case.needed(lattice, 2000, 0.02)
    assert stretch == pytest.approx(1.02, abs=0.001) and abs(lean) < 1e-9
    assert excess == pytest.approx(100 / stretch - 100, abs=1e-6)
    assert case.needed(lattice * [1, 1.1, 1], 2000, 0.02)[0] < stretch - 0.05


# The growth of a ripple is found although it also decays at first, and whether or not the lattice held it up.
def test_growthOfARippleOnAJet():
    case = caseOf("jetBreakup")
    assert [case.bessel(order, 1.0) for order in (0, 1)] == pytest.approx([1.2660659, 0.5651591], rel=1e-6)
    times = numpy.linspace(0, 0.22, 61)[1:]
    ripples = 0.24 * numpy.cosh(17.8 * numpy.maximum(times - 0.02, 0))
    assert case.grown(times, numpy.minimum(ripples, 0.9)) == pytest.approx(17.8, rel=0.01)


# O-55
@pytest.mark.nightly
def test_steadyCavityIsTheSameWithFractionalViscosity(tmp_path):
    case = run.Case("fractionalCavity", caseOf("fractionalCavity"), tmp_path, quick=False)
    case.module.run(case)
    assert case.misses() == []
