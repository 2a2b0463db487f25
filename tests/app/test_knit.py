"""Yarn on disk: what `purl sim` writes for knits, as read by USD's own library."""
import subprocess
from pathlib import Path

import numpy
import pytest

SCENES = Path(__file__).resolve().parents[2] / "scenes"


@pytest.fixture(scope="module")
def tube(purlProgram, tmp_path_factory):
    """Three frames of the sleeve, coarser than in its scene."""
    folder = tmp_path_factory.mktemp("tube")
    subprocess.run([purlProgram, "sim", SCENES / "knitTube.ma", "-o", folder, "--frames", "1-3", "--set",
                    "knitted.stitchWidth=1.2", "--set", "knitted.stitchHeight=1"], check=True, capture_output=True)
    return folder


def test_yarnIsCachedAndVerified(purl, tube):
    assert [path.name for path in sorted(tube.glob("*.usda"))] == [f"knitted.{n:04d}.usda" for n in (1, 2, 3)]
    purl("verify", tube)


# G-64
def test_usdReadsTheYarnAsCurves(tube):
    usd = pytest.importorskip("pxr.Usd")
    geometry = pytest.importorskip("pxr.UsdGeom")
    stage = usd.Stage.Open(str(tube / "knitted.0002.usda"))
    assert geometry.GetStageMetersPerUnit(stage) == 0.01 and geometry.GetStageUpAxis(stage) == "Y"
    assert stage.GetStartTimeCode() == stage.GetEndTimeCode() == 2 and stage.GetTimeCodesPerSecond() == 24
    curves = geometry.BasisCurves(stage.GetDefaultPrim())
    assert (curves.GetTypeAttr().Get(), curves.GetBasisAttr().Get(), curves.GetWrapAttr().Get()) == ("cubic", "catmullRom", "pinned")
    counts, points = curves.GetCurveVertexCountsAttr().Get(), numpy.array(curves.GetPointsAttr().Get(2))
    assert len(counts) == 2 and sum(counts) == len(points)  # yarns A and B
    assert curves.GetWidthsInterpolation() == "vertex" and len(curves.GetWidthsAttr().Get(2)) == len(points)
    assert numpy.allclose(curves.GetWidthsAttr().Get(2), 0.16)  # cm, twice the radius
    for name, scope, size in (("yarnId", "uniform", 2), ("displayColor", "uniform", 2), ("course", "vertex", len(points)),
                              ("wale", "vertex", len(points)), ("twist", "vertex", len(points))):
        primvar = geometry.PrimvarsAPI(curves).GetPrimvar(name)
        assert primvar.GetInterpolation() == scope and len(primvar.Get()) == size, name
    # Moved by velocity, as a renderer does, the points are at their next positions, except for rotation in between.
    next = usd.Stage.Open(str(tube / "knitted.0003.usda"))
    later = geometry.BasisCurves(next.GetDefaultPrim())
    there = numpy.array(later.GetPointsAttr().Get(3))
    moved = points + numpy.array(later.GetVelocitiesAttr().Get(3)) / 24
    assert numpy.abs(moved - there).max() < 0.02, "cm"


def test_aWrongChartIsOneLine(purl, tmp_path):
    chart = tmp_path / "wrong.chart"
    chart.write_text("k k\nk ?\n")
    complaint = purl.refuses("sim", SCENES / "knitTube.ma", "-o", tmp_path / "out", "--set", f"knitted.pattern={chart}")
    assert f'{chart}:2:3: "?" is not a stitch' in complaint
