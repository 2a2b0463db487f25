"""Looks of water and fabrics: validated by MaterialX, and bound in the USD layer of a cache, as USD's own library reads it."""
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import purl as purlModule
from tinyScene import tinyScene

ROOT = Path(__file__).resolve().parents[2]
LOOKS = ROOT / "python" / "purl" / "looks.mtlx"
READS = {"water": set(), "yarn": {"displayColor"}, "wetYarn": {"wetColor", "wetness", "filmThickness"},
         "wetCloth": {"displayColor", "wetness", "filmThickness"}}


@pytest.fixture(scope="module")
def pxr():
    return pytest.importorskip("pxr", reason="pip install usd-core, to read our USD files with its own library")


def test_materialxValidatesTheLooksAndMakesShadersOfThem():
    mx = pytest.importorskip("MaterialX", reason="pip install materialx, to validate the looks")
    from MaterialX import PyMaterialXGenGlsl, PyMaterialXGenShader

    library, looks = mx.createDocument(), mx.createDocument()
    mx.loadLibraries(mx.getDefaultDataLibraryFolders(), mx.getDefaultDataSearchPath(), library)
    mx.readFromXmlFile(looks, str(LOOKS))
    looks.setDataLibrary(library)
    assert looks.validate() == (True, "")
    assert {material.getName() for material in looks.getMaterialNodes()} == set(READS)
    generator = PyMaterialXGenGlsl.GlslShaderGenerator.create()
    context = PyMaterialXGenShader.GenContext(generator)
    context.registerSourceCodeSearchPath(mx.getDefaultDataSearchPath())
    made = {}
    for material in looks.getMaterialNodes():
        surface = mx.getShaderNodes(material)[0]
        assert surface.getCategory() == "open_pbr_surface"
        for given in surface.getInputs():
            assert given.getName() in {each.getName() for each in surface.getNodeDef().getActiveInputs()}, given.getName()
        made[material.getName()] = generator.generate(material.getName(), material, context)
    for name, reads in READS.items():
        vertex = made[name].getSourceCode("vertex")
        assert {word for word in ("wetness", "filmThickness", "wetColor", "displayColor") if f"geomprop_{word}" in vertex} == reads


def test_theLooksForUsdAreMadeFromThem(pxr):
    from pxr import Usd, UsdShade

    subprocess.run([sys.executable, ROOT / "scripts" / "looks", "--check"], check=True)
    stage = Usd.Stage.Open(str(LOOKS.with_suffix(".usda")))
    for name, reads in READS.items():
        surface, _, _ = UsdShade.Material(stage.GetPrimAtPath(f"/Looks/{name}")).ComputeSurfaceSource("mtlx")
        assert surface.GetIdAttr().Get() == "ND_open_pbr_surface_surfaceshader"
        read = set()
        for prim in stage.GetPrimAtPath(f"/Looks/{name}").GetChildren():
            shader = UsdShade.Shader(prim)
            if shader.GetIdAttr().Get().startswith("ND_geompropvalue"):
                read.add(shader.GetInput("geomprop").Get())
            for given in shader.GetInputs():  # connections lead to outputs of the same material
                for source in given.GetConnectedSources()[0]:
                    assert source.source.GetOutput(source.sourceName) and source.source.GetPath().HasPrefix(f"/Looks/{name}")
        assert read == reads


def test_aLayerFollowsTheCache(pxr, purl):
    from pxr import Usd, UsdGeom, UsdShade

    (purl.folder / "tiny.ma").write_text(tinyScene(frames=4))
    purl("sim", "tiny.ma", "-o", "tank", "--format", "usda")
    script = purl.folder / "stage.mel"
    script.write_text('print(`purlUsdStage -directory "tank" -layerOnly`);\n')
    assert "tank/stage.usda" in purl("mel", script)
    (purl.folder / "moved").mkdir()  # paths are relative
    (purl.folder / "tank").rename(purl.folder / "moved" / "tank")
    stage = Usd.Stage.Open(str(purl.folder / "moved" / "tank" / "stage.usda"))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode(), stage.GetTimeCodesPerSecond()) == (1, 4, 24)
    assert UsdGeom.GetStageMetersPerUnit(stage) == 0.01
    cache = purlModule.read_cache(purl.folder / "moved" / "tank")
    points = UsdGeom.Points(stage.GetPrimAtPath("/World/waterPoints"))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/World/water"))
    for number in cache.numbers:
        frame = cache.frame(number)
        assert numpy.array_equal(points.GetPointsAttr().Get(number), frame.points.positions)
        assert numpy.array_equal(points.GetVelocitiesAttr().Get(number), frame.points.velocities)
        assert numpy.array_equal(UsdGeom.PrimvarsAPI(points).GetPrimvar("density").Get(number), frame.points.densities)
        assert numpy.array_equal(mesh.GetPointsAttr().Get(number), frame.meshes[0].positions)
        assert len(mesh.GetFaceVertexCountsAttr().Get(number)) == len(frame.meshes[0].triangles)
    material, _ = UsdShade.MaterialBindingAPI(mesh).ComputeBoundMaterial()
    assert material.GetPath() == "/World/Looks/water" and material.ComputeSurfaceSource("mtlx")[0]
    assert mesh.GetPrim().GetAttribute("primvars:arnold:opaque").Get() is False
    assert points.GetPrim().GetAttribute("primvars:arnold:mode").Get() == "sphere"


def test_fabricsHaveTheirLooks(pxr, purl):
    from pxr import Usd, UsdGeom, UsdShade

    purl("sim", ROOT / "scenes" / "jetOnKnit.ma", "-o", "knit", "--format", "usda:curves", "--frames", "1-1")
    (purl.folder / "stage.mel").write_text('purlUsdStage -directory "knit" -file "knit.usda" -layerOnly;\n')
    purl("mel", "stage.mel")
    stage = Usd.Stage.Open(str(purl.folder / "knit.usda"))
    curves = [UsdGeom.BasisCurves(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.BasisCurves)]
    assert len(curves) == 1
    material, _ = UsdShade.MaterialBindingAPI(curves[0]).ComputeBoundMaterial()
    assert material.GetPath() == "/World/Looks/wetYarn"
    primvars = UsdGeom.PrimvarsAPI(curves[0])
    for name in READS["wetYarn"]:
        assert primvars.GetPrimvar(name).Get(1), name
    assert curves[0].GetPrim().GetAttribute("primvars:arnold:mode").Get() == "thick"


@pytest.mark.parametrize("scene, fabric, look", [("jetOnKnit", "panelKnit", "wetYarn"), ("towel", "towel", "wetCloth")])
@pytest.mark.parametrize("file, options", [("shot.usdc", []), ("shot.usda", ["--clips"])])
def test_exportsThroughPythonBindTheLooks(pxr, purl, scene, fabric, look, file, options):
    from pxr import Usd, UsdGeom, UsdShade

    purl("sim", ROOT / "scenes" / f"{scene}.ma", "-o", "cache", "--frames", "1-2", "--format", "mcx,ply,usda:curves")
    (purl.folder / "out").mkdir()
    subprocess.run([sys.executable, "-m", "purl.usd", "cache", f"out/{file}", *options], cwd=purl.folder, check=True)
    (purl.folder / "out").rename(purl.folder / "moved")  # the looks are beside the file
    stage = Usd.Stage.Open(str(purl.folder / "moved" / file))
    for name, bound in ((fabric, look), ("water", "water")):
        prim = stage.GetPrimAtPath(f"/World/{name}")
        material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
        assert material.GetPath() == f"/World/Looks/{bound}"
        assert material.ComputeSurfaceSource("mtlx")[0].GetIdAttr().Get() == "ND_open_pbr_surface_surfaceshader"
        for read in READS[bound]:
            primvar = UsdGeom.PrimvarsAPI(prim).GetPrimvar(read)
            assert len(primvar.Get(2)) == len(UsdGeom.PointBased(prim).GetPointsAttr().Get(2)), read
            assert primvar.GetInterpolation() == "vertex", read
    assert stage.GetPrimAtPath("/World/water").GetAttribute("primvars:arnold:opaque").Get() is False
    assert UsdGeom.Gprim(stage.GetPrimAtPath(f"/World/{fabric}")).GetDoubleSidedAttr().Get() == (look == "wetCloth")
    points = stage.GetPrimAtPath("/World/waterPoints")
    assert points.GetAttribute("primvars:arnold:mode").Get() == "sphere"
    assert not UsdShade.MaterialBindingAPI(points).ComputeBoundMaterial()[0]


def test_opaqueLiquidsKeepTheirColour(pxr, purl):
    """No material is bound, so none is written."""
    purl("sim", ROOT / "scenes" / "lava.ma", "-o", "cache", "--frames", "2-2", "--format", "mcx,ply")
    subprocess.run([sys.executable, "-m", "purl.usd", "cache", "out/lava.usda"], cwd=purl.folder, check=True)
    assert [file.name for file in (purl.folder / "out").iterdir()] == ["lava.usda"]
    assert purlModule.read_cache(purl.folder / "cache").look("mesh", "melt").material is None


def test_aProxyShapeShowsTheLayer(purl, buildFolder):
    """With a stand-in for maya-usd's node; without one, the message says what is missing and nothing is left behind."""
    (purl.folder / "tiny.ma").write_text(tinyScene(frames=2))
    purl("sim", "tiny.ma", "-o", "tank", "--format", "usda")
    (purl.folder / "proxy.mel").write_text(
        'string $made[] = `purlUsdStage -directory "tank" -name "pour"`;\n'
        'print($made[0] + " " + $made[1] + "\\n");\n'
        'print(`getAttr ($made[0] + ".filePath")` + " " + `getAttr ($made[0] + ".primPath")` + "\\n");\n'
        "currentTime 2;\nprint(`getAttr ($made[0] + \".time\")`);\n")
    plugin = buildFolder / "tests" / "plugins" / "usdProxy.so"
    said = purl("--plugin", plugin, "mel", "proxy.mel").splitlines()
    assert said[0] == "pourShape tank/stage.usda"
    assert said[1] == f"{purl.folder / 'tank' / 'stage.usda'} /World" and float(said[2]) == 2
    assert "mayaUsdProxyShape is unknown; load mayaUsdPlugin" in purl.run("mel", "proxy.mel").stderr
    said = purl.run("--plugin", plugin, "mel", "proxy.mel")
    assert said.returncode == 0
    purl("sim", "tiny.ma", "-o", "plain", "--format", "mcx,ply")
    (purl.folder / "none.mel").write_text('purlUsdStage -directory "plain" -layerOnly;\n')
    assert "plain: has no .usda files; write it with --format usda" in purl.run("mel", "none.mel").stderr
