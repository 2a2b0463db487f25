"""Renders caches with Blender's Cycles from Alembic and USD files if bpy is installed; tests that need no bpy always run."""
import json
import math
import re
import shutil
import subprocess
import sys
import time

import numpy
import pytest

from purl import cycles
from tinyScene import tinyScene


@pytest.fixture(scope="module")
def tank(purlProgram, tmp_path_factory):
    """A small cache of water with a surface mesh."""
    folder = tmp_path_factory.mktemp("tank")
    (folder / "tiny.ma").write_text(tinyScene(frames=2))
    subprocess.run([purlProgram, "sim", "tiny.ma", "-o", "cache"], cwd=folder, check=True, capture_output=True)
    return folder / "cache"


def test_pliesFillTheYarnAndTouch():
    # A straight yarn of radius 1 along x has three plies of radius r at a distance of 1 − r from its axis, 120° apart.
    x = numpy.stack([numpy.arange(5.0), numpy.zeros(5), numpy.zeros(5)], axis=1)
    threads = cycles.ply_curves(x, numpy.ones(5), numpy.linspace(0, 6, 5), 3, {"wetness": numpy.linspace(0, 1, 5)})
    assert len(threads) == 3
    for points, radii, values in threads:
        from_middle = numpy.hypot(points[:, 1], points[:, 2])
        assert numpy.allclose(from_middle + radii, 1, atol=1e-5)
        assert numpy.allclose(values["wetness"].ravel(), points[:, 0] / 4, atol=1e-5)  # interpolated along the yarn
    gap = numpy.linalg.norm(threads[0][0] - threads[1][0], axis=1)
    assert numpy.allclose(gap, threads[0][1] + threads[1][1], atol=1e-5)


def test_waterKeepsItsColourAfterItsDepth():
    # Beer: exp(−σ D) = c
    taken = cycles.absorption((0.1, 0.4, 0.8), 5.0)
    assert numpy.allclose([math.exp(-t * 5.0) for t in taken], (0.1, 0.4, 0.8))


def test_viewsInNumbersNameWhatIsInTheCache(purl, tank, tmp_path):
    purl("render", tank, "--frames", "2", "--format", "json", "-o", "views", "--size", "160x96")
    view = json.loads((tmp_path / "views" / "0002.json").read_text())
    water = [mesh for mesh in view["meshes"] if mesh["inCache"]]
    assert [mesh["material"] for mesh in water] == ["water"] and "positions" not in water[0]
    axes = numpy.array([view["camera"][name] for name in ("right", "up", "back")])
    assert numpy.allclose(axes @ axes.T, numpy.eye(3), atol=1e-5)
    assert view["lights"] and all(len(light["color"]) == 3 for light in view["lights"])
    assert not (tmp_path / "views" / "0002.png").exists()


@pytest.mark.parametrize("words, complaint", [
    (["{tank}", "--frames", "7-9"], 'frames "7-9": the cache has 1-2'),
    (["{tank}", "--size", "huge"], 'size "huge"'),
    (["{tank}", "--samples", "0"], "samples 0"),
    (["nowhere"], "nowhere: not a cache"),
])
def test_wrongUseIsOneLine(tank, capsys, words, complaint):
    assert cycles.main([word.format(tank=tank) for word in words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and complaint in said


def test_seesFramesThatOnlyTheJournalLists(purlProgram, tmp_path):
    # The manifest and journal of a run that is still writing. The journal is merged into the manifest whenever it lists as many
    # frames, so most moments between frame 16 and frame 32 will do.
    (tmp_path / "tiny.ma").write_text(tinyScene(frames=60))
    cache, copy = tmp_path / "cache", tmp_path / "copy"
    copy.mkdir()
    run = subprocess.Popen([purlProgram, "sim", "tiny.ma", "-o", "cache", "--format", "ply:meshes"], cwd=tmp_path,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    merged, listed = [], []
    try:
        while not listed and run.poll() is None:
            time.sleep(0.005)
            try:
                for name in ("manifest.json", "manifest.journal"):
                    shutil.copy(cache / name, copy / name)
            except FileNotFoundError:
                continue
            manifest, journal = ((copy / name).read_text() for name in ("manifest.json", "manifest.journal"))
            head = re.search(r'"journalOf":"(\w+)"', journal)
            if head and head[1] in manifest:  # both were copied at the same stage
                merged = [frame["number"] for frame in json.loads(manifest)["frames"]]
                whole = journal.split("\n")[1:-1]  # the first line names the manifest; the last may be half written
                listed = [json.loads(line.split(" ", 1)[1])["frame"]["number"] for line in whole]
    finally:
        run.kill()
        run.wait()
    assert listed, "the run ended before a frame was found in its journal"
    assert cycles.cached_frames(copy) == merged + listed


def test_withoutBlenderItSaysWhatToInstall(tank, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "bpy", None)  # as if it were not installed
    assert cycles.main([str(tank)]) == 2
    assert "pip install bpy" in capsys.readouterr().err


def test_cyclesDrawsOurWater(tank, tmp_path, purlProgram, monkeypatch):
    bpy = pytest.importorskip("bpy", reason="pip install bpy (300 MB), to draw our files with Blender's Cycles")
    monkeypatch.setenv("PURL_BIN", purlProgram)
    assert cycles.main([str(tank), "--frames", "2", "--size", "64x48", "--samples", "4", "--out", str(tmp_path)]) == 0
    picture = bpy.data.images.load(str(tmp_path / "0002.png"))
    pixels = numpy.array(picture.pixels[:]).reshape(48, 64, 4)
    # The tank is in the middle of the image. Its water absorbs red and transmits blue; the grey ground does not.
    middle, corner = pixels[16:32, 22:42, :3].mean(axis=(0, 1)), pixels[2:6, 2:8, :3].mean(axis=(0, 1))
    assert middle[2] - middle[0] > corner[2] - corner[0] + 0.05
    objects = {thing.name: thing for thing in bpy.data.objects}
    assert any(thing.type == "MESH" and len(thing.data.polygons) > 100 for thing in objects.values())


def test_lightsOfEveryKindBecomeThoseOfBlender():
    bpy = pytest.importorskip("bpy", reason="pip install bpy (300 MB), to draw our files with Blender's Cycles")
    stage = cycles.BlenderScene(bpy, (16, 16), 1)
    stage.radius, stage.middle = 1.0, numpy.zeros(3)
    common = {"color": [2, 1, 1], "direction": [0, -1, 0], "position": [0, 4, 0], "decay": 2, "cone": 1.0, "penumbra": 0.25,
              "across": [3, 0, 0], "up": [0, 0, -1]}
    for kind in ("directional", "point", "spot", "area", "ambient"):
        stage.add_light({**common, "kind": kind})
    lamps = {thing.data.type: thing for thing in bpy.data.objects if thing.type == "LIGHT"}
    assert sorted(lamps) == ["AREA", "POINT", "SPOT", "SUN"]  # ambient light is part of the sky
    for lamp in lamps.values():
        back = numpy.array(lamp.matrix_world)[:3, 2]
        assert numpy.allclose(back, (0, 0, 1), atol=1e-5)  # Blender is z-up
    assert math.isclose(lamps["SPOT"].data.spot_size, 1.5, rel_tol=1e-5)
    assert math.isclose(lamps["SPOT"].data.spot_blend, 0.5 / 1.5, rel_tol=1e-5)
    assert math.isclose(lamps["AREA"].data.size, 6) and math.isclose(lamps["AREA"].data.size_y, 2)
    assert math.isclose(lamps["POINT"].data.energy, 8 * math.pi ** 2, rel_tol=1e-5)
