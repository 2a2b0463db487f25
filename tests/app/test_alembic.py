"""Alembic files as read by other software: alembic3d (the library itself, from PyPI), and Blender at night."""
import json
import subprocess
from pathlib import Path

import numpy
import pytest

import purl as purlModule
from tinyScene import tinyScene

SCENES = Path(__file__).resolve().parents[2] / "scenes"


@pytest.fixture(scope="module")
def library():
    pytest.importorskip("alembic3d", reason="pip install alembic3d, to read our Alembic files with its own library")
    from alembic3d import Abc, AbcGeom
    return Abc, AbcGeom


@pytest.fixture(scope="module")
def tank(purlProgram, tmp_path_factory):
    """Four frames of water and its mesh, all in one archive each."""
    folder = tmp_path_factory.mktemp("tank")
    (folder / "tiny.ma").write_text(tinyScene(frames=5))
    subprocess.run([purlProgram, "sim", "tiny.ma", "-o", "cache", "--format", "abc", "--one-file", "--frames", "2-5"],
                   cwd=folder, check=True, capture_output=True)
    return folder / "cache"


def shapes(library, path, kind):
    """The archive (to be kept) and the schemas of this kind in it, by the name of their transform."""
    Abc, AbcGeom = library
    archive = Abc.IArchive(str(path))
    top, found = archive.getTop(), {}
    for i in range(top.getNumChildren()):
        transform = top.getChild(i)
        assert AbcGeom.IXform.matches(transform.getHeader())
        shape = transform.getChild(0)
        if kind.matches(shape.getHeader()):
            found[transform.getName()] = kind(transform, shape.getName()).getSchema()
    return archive, found


def rows(array):
    return numpy.array([[v[0], v[1], v[2]] for v in array], dtype=numpy.float32)


def test_alembicReadsTheParticles(library, tank):
    Abc, AbcGeom = library
    archive, found = shapes(library, tank / "waterPoints.abc", AbcGeom.IPoints)
    points = found["waterPoints"]
    cache = purlModule.read_cache(tank)
    assert points.getNumSamples() == 4
    sampling = points.getTimeSampling()
    for index, number in enumerate(range(2, 6)):
        assert sampling.getSampleTime(index) == pytest.approx(number / 24)
        expected = cache.frame(number).points
        sample = points.getValue(Abc.ISampleSelector(number / 24))
        assert numpy.array_equal(rows(sample.getPositions()), expected.positions)
        assert numpy.array_equal(rows(sample.getVelocities()), expected.velocities)
        assert list(sample.getIds()) == list(expected.ids)
        widths = points.getWidthsParam().getValueProperty().getValue(Abc.ISampleSelector(number / 24))
        assert numpy.array_equal(numpy.array(list(widths), dtype=numpy.float32), 2 * expected.radii)  # diameters
        # Moving the points by velocity for half a frame brings them closer to their next positions.
        if number < 5:
            middle = (expected.positions + cache.frame(number + 1).points.positions) / 2
            displacement = rows(sample.getVelocities()) * (0.5 / 24)
            stood, moved, back = (numpy.abs(expected.positions + displacement * sign - middle).mean() for sign in (0, 1, -1))
            assert moved < stood < back
    more = points.getArbGeomParams()
    names = [more.getPropertyHeader(i).getName() for i in range(more.getNumProperties())]
    assert {"radius", "density", "acceleration", "age"} <= set(names)
    # For Blender, which reads only float parameters of points.
    ids = AbcGeom.IFloatGeomParam(more, "particleId").getExpandedValue(Abc.ISampleSelector(5 / 24)).getVals()
    assert list(ids) == list(cache.frame(5).points.ids)


def test_alembicKnowsUnitsAndFrameRate(library, tank):
    Abc, _ = library
    text = str(Abc.IArchive(str(tank / "waterPoints.abc")).getTop().getHeader().getMetaData())
    for word in ("purl:metersPerUnit=0.01", "purl:fps=24", "purl:upAxis=Y", "purl:simTime=", "units per second"):
        assert word in text


def test_alembicReadsTheMesh(library, tank):
    Abc, AbcGeom = library
    item = json.loads((tank / "manifest.json").read_text())["meshes"][0]["name"]
    archive, found = shapes(library, tank / f"{item}.abc", AbcGeom.IPolyMesh)
    mesh = found[item]
    cache = purlModule.read_cache(tank)
    for index, number in enumerate(range(2, 6)):
        expected = cache.frame(number).meshes[0]
        sample = mesh.getValue(Abc.ISampleSelector(number / 24))
        assert numpy.array_equal(rows(sample.getPositions()), expected.positions)
        assert numpy.array_equal(rows(sample.getVelocities()), expected.velocities)
        assert set(sample.getFaceCounts()) == {3}
        corners = numpy.array(list(sample.getFaceIndices())).reshape(-1, 3)
        assert numpy.array_equal(corners[:, ::-1], expected.triangles)  # Alembic winds faces clockwise


# G-64
def test_alembicReadsTheYarn(library, purl):
    Abc, AbcGeom = library
    purl("sim", SCENES / "knitTube.ma", "-o", "tube", "--frames", "1-2", "--format", "abc:curves", "--set",
         "knitted.stitchWidth=1.2", "--set", "knitted.stitchHeight=1")
    archive, found = shapes(library, purl.folder / "tube" / "knitted.0002.abc", AbcGeom.ICurves)
    expected = purlModule.read_cache(purl.folder / "tube").frame(2).curves[0]
    curves = found["knitted"]
    sample = curves.getValue()
    assert list(sample.getCurvesNumVertices()) == list(expected.counts)
    assert str(sample.getBasis()) == "kCatmullromBasis" and str(sample.getType()) == "kCubic"
    assert numpy.array_equal(rows(sample.getPositions()), expected.positions)
    widths = numpy.array(list(curves.getWidthsParam().getValueProperty().getValue()), dtype=numpy.float32)
    assert numpy.array_equal(widths, expected.widths)
    more = curves.getArbGeomParams()
    names = {more.getPropertyHeader(i).getName() for i in range(more.getNumProperties())}
    assert {"yarnId", "twist", "course", "wale", "Cd"} <= names


BLENDER = """
import json, sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
result = {}
for path in sys.argv[1:]:
    for o in list(bpy.data.objects): bpy.data.objects.remove(o)
    if path.endswith(".abc"):
        bpy.ops.wm.alembic_import(filepath=path, as_background_job=False)
    else:
        bpy.ops.wm.usd_import(filepath=path)
    bpy.context.scene.frame_set(3)
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for o in bpy.data.objects:
        e = o.evaluated_get(graph)
        entry = {"name": o.name, "type": o.type}
        if o.type == "MESH":
            entry["vertices"] = len(e.data.vertices)
            entry["attributes"] = [a.name for a in e.data.attributes]
        if o.type == "POINTCLOUD":
            entry["vertices"] = len(e.data.points)
            entry["attributes"] = [a.name for a in e.data.attributes]
        if o.type in ("CURVES", "CURVE"):
            entry["curves"] = len(e.data.curves if o.type == "CURVES" else e.data.splines)
        found.append(entry)
    result[path] = found
print("RESULT " + json.dumps(result))
"""


@pytest.mark.nightly
def test_blenderImportsOurFiles(purl, tank, tmp_path):
    """Blender as a Python module: PURL_BLENDER names a Python that has bpy."""
    import os

    python = os.environ.get("PURL_BLENDER")
    if not python:
        pytest.skip("PURL_BLENDER names no Python that has bpy (pip install bpy)")
    item = json.loads((tank / "manifest.json").read_text())["meshes"][0]["name"]
    purl("sim", SCENES / "knitTube.ma", "-o", "tube", "--frames", "3", "--format", "abc:curves", "--set",
         "knitted.stitchWidth=1.2", "--set", "knitted.stitchHeight=1")
    files = [tank / "waterPoints.abc", tank / f"{item}.abc", purl.folder / "tube" / "knitted.0003.abc"]
    (tmp_path / "look.py").write_text(BLENDER)
    done = subprocess.run([python, tmp_path / "look.py", *map(str, files)], capture_output=True, text=True, timeout=300)
    line = next((line for line in done.stdout.splitlines() if line.startswith("RESULT ")), None)
    assert line, done.stdout + done.stderr
    points, mesh, yarn = (json.loads(line[7:])[str(file)] for file in files)
    frame = purlModule.read_cache(tank).frame(3)
    shape = next(entry for entry in points if "vertices" in entry)
    assert shape["vertices"] == len(frame.points)
    shape = next(entry for entry in mesh if entry["type"] == "MESH")
    assert shape["vertices"] == len(frame.meshes[0].positions) and "velocity" in shape["attributes"]
    assert next(entry for entry in yarn if "curves" in entry)["curves"] == 2
