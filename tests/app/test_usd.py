"""USD as read by its own library: text from C++, .usdc and value clips from Python."""
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import purl as purlModule
from tinyScene import tinyScene

SCENES = Path(__file__).resolve().parents[2] / "scenes"


@pytest.fixture(scope="module")
def pxr():
    return pytest.importorskip("pxr", reason="pip install usd-core, to read our USD files with its own library")


@pytest.fixture(scope="module")
def tank(purlProgram, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tank")
    (folder / "tiny.ma").write_text(tinyScene(frames=4))
    subprocess.run([purlProgram, "sim", "tiny.ma", "-o", "cache", "--format", "usda,mcx:points"], cwd=folder, check=True,
                   capture_output=True)
    return folder / "cache"


def complaints(path):
    """Messages of usdchecker's checks. usd-core is built without MaterialX, whose definitions it misses."""
    from pxr import Usd

    validation = pytest.importorskip("pxr.UsdValidation", reason="this usd-core has no validators")
    context = validation.ValidationContext(validation.ValidationRegistry().GetOrLoadAllValidators())
    stage = Usd.Stage.Open(str(path))
    return [f"{error.GetName()}: {error.GetMessage()}" for error in context.Validate(stage)
            if not (error.GetName() == "MissingShaderIdInRegistry" and "'ND_" in error.GetMessage())]


def test_usdReadsParticlesAndMesh(pxr, tank):
    from pxr import Usd, UsdGeom

    cache = purlModule.read_cache(tank)
    for number in cache.numbers:
        expected = cache.frame(number)
        stage = Usd.Stage.Open(str(tank / f"waterPoints.{number:04d}.usda"))
        points = UsdGeom.Points(stage.GetDefaultPrim())
        assert numpy.array_equal(points.GetPointsAttr().Get(number), expected.points.positions)
        assert numpy.array_equal(points.GetVelocitiesAttr().Get(number), expected.points.velocities)
        assert numpy.array_equal(points.GetAccelerationsAttr().Get(number), expected.points.accelerations)
        assert numpy.array_equal(points.GetIdsAttr().Get(number), expected.points.ids)
        ids = UsdGeom.PrimvarsAPI(points).GetPrimvar("id")  # for Blender
        assert ids.GetTypeName() == "int[]" and ids.GetInterpolation() == "vertex"
        assert numpy.array_equal(ids.Get(number), expected.points.ids)
        assert points.GetPrim().GetName() == "waterPoints"
        assert numpy.array_equal(points.GetWidthsAttr().Get(number), 2 * expected.points.radii)
        # Half a frame later: USD extrapolates by velocity and acceleration.
        later = number + 0.5
        step = 0.5 / 24
        exact = (expected.points.positions + expected.points.velocities * step
                 + 0.5 * expected.points.accelerations * step ** 2)
        moved = numpy.array(points.ComputePointsAtTime(later, number))
        assert numpy.abs(moved - exact).max() < 1e-3 * max(1, numpy.abs(exact).max())
        name = expected.meshes[0].name
        assert name == "water"
        stage = Usd.Stage.Open(str(tank / f"{name}.{number:04d}.usda"))
        mesh = UsdGeom.Mesh(stage.GetDefaultPrim())
        assert mesh.GetSubdivisionSchemeAttr().Get() == "none"
        assert numpy.array_equal(mesh.GetPointsAttr().Get(number), expected.meshes[0].positions)
        assert numpy.array_equal(mesh.GetVelocitiesAttr().Get(number), expected.meshes[0].velocities)
        corners = numpy.array(mesh.GetFaceVertexIndicesAttr().Get(number)).reshape(-1, 3)
        assert numpy.array_equal(corners, expected.meshes[0].triangles)
        assert UsdGeom.Mesh.ValidateTopology(mesh.GetFaceVertexIndicesAttr().Get(number),
                                             mesh.GetFaceVertexCountsAttr().Get(number),
                                             len(expected.meshes[0].positions))[0]


def test_usdsOwnCheckerIsContent(pxr, tank):
    for path in sorted(tank.glob("*.0002.usda")):
        assert complaints(path) == [], path


@pytest.mark.parametrize("name", ["water.usdc", "water.usda"])
def test_allFramesGoToOneFile(pxr, tank, tmp_path, name):
    from pxr import Usd, UsdGeom

    out = tmp_path / name
    done = subprocess.run([sys.executable, "-m", "purl.usd", str(tank), str(out)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.glob("*.part*"))
    stage = Usd.Stage.Open(str(out))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (1, 4) and stage.GetTimeCodesPerSecond() == 24
    assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01 and UsdGeom.GetStageUpAxis(stage) == "Y"
    check(stage, tank)
    assert complaints(out) == []


def check(stage, tank):
    from pxr import UsdGeom

    cache = purlModule.read_cache(tank)
    prims = {prim.GetTypeName(): prim for prim in stage.GetDefaultPrim().GetChildren()}
    points, mesh = UsdGeom.Points(prims["Points"]), UsdGeom.Mesh(prims["Mesh"])
    assert (prims["Points"].GetName(), prims["Mesh"].GetName()) == ("waterPoints", "water")  # as the files of frames
    ids = UsdGeom.PrimvarsAPI(points).GetPrimvar("id")
    assert numpy.array_equal(ids.Get(cache.numbers[-1]), cache.frame(cache.numbers[-1]).points.ids)
    for number in cache.numbers:
        expected = cache.frame(number)
        assert numpy.array_equal(points.GetPointsAttr().Get(number), expected.points.positions)
        assert numpy.array_equal(points.GetIdsAttr().Get(number), expected.points.ids)
        assert numpy.array_equal(points.GetWidthsAttr().Get(number), 2 * expected.points.radii)
        density = UsdGeom.PrimvarsAPI(points).GetPrimvar("density")
        assert numpy.array_equal(density.Get(number), expected.points.densities)
        assert numpy.array_equal(mesh.GetPointsAttr().Get(number), expected.meshes[0].positions)
        assert len(mesh.GetFaceVertexCountsAttr().Get(number)) == len(expected.meshes[0].triangles)


def test_valueClipsStringTheFramesTogether(pxr, tank, tmp_path):
    from pxr import Usd

    out = tmp_path / "water.usda"
    done = subprocess.run([sys.executable, "-m", "purl.usd", str(tank), str(out), "--clips"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("water.*.usdc"))) == 4
    check(Usd.Stage.Open(str(out)), tank)


# G-64
def test_yarnsGoToUsdc(pxr, purl, tmp_path):
    from pxr import Usd, UsdGeom

    purl("sim", SCENES / "knitTube.ma", "-o", "tube", "--frames", "1-2", "--set", "knitted.stitchWidth=1.2", "--set",
         "knitted.stitchHeight=1")
    out = tmp_path / "tube.usdc"
    subprocess.run([sys.executable, "-m", "purl.usd", str(purl.folder / "tube"), str(out)], check=True)
    stage = Usd.Stage.Open(str(out))
    curves = UsdGeom.BasisCurves(stage.GetPrimAtPath("/World/knitted"))
    expected = purlModule.read_cache(purl.folder / "tube").frame(2).curves[0]
    assert (curves.GetBasisAttr().Get(), curves.GetWrapAttr().Get()) == ("catmullRom", "pinned")
    assert numpy.array_equal(curves.GetPointsAttr().Get(2), expected.positions)
    assert numpy.array_equal(curves.GetWidthsAttr().Get(2), expected.widths)
    assert UsdGeom.PrimvarsAPI(curves).GetPrimvar("yarnId").GetInterpolation() == "uniform"


def test_aFolderThatIsNoCacheIsOneLine(pxr, tmp_path):
    done = subprocess.run([sys.executable, "-m", "purl.usd", str(tmp_path), "a.usdc"], capture_output=True, text=True)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "manifest.json" in done.stderr
