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


# O-55
@pytest.mark.nightly
def test_steadyCavityIsTheSameWithFractionalViscosity(tmp_path):
    case = run.Case("fractionalCavity", caseOf("fractionalCavity"), tmp_path, quick=False)
    case.module.run(case)
    assert case.misses() == []
