"""purl render: images of a cache, without a display."""
import json
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import numpy
import pytest

from tinyScene import cube, paddle, tinyScene

ROOT = Path(__file__).resolve().parents[2]


def readPng(path):
    """Height x width x channels of an 8-bit PNG."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, idat, head = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        if kind == b"IDAT":
            idat += body
        at += 12 + length
    width, height, depth, color, _, _, interlace = head
    assert depth == 8 and interlace == 0
    channels = {0: 1, 2: 3, 6: 4}[color]
    stride = width * channels
    lines = numpy.frombuffer(zlib.decompress(idat), dtype=numpy.uint8).reshape(height, stride + 1)
    picture = numpy.zeros((height, stride), dtype=numpy.uint8)
    above = numpy.zeros(stride, dtype=int)
    for row in range(height):
        kind, line = int(lines[row, 0]), lines[row, 1:].astype(int)
        if kind == 2:
            line = (line + above) % 256
        elif kind in (1, 3, 4):
            for i in range(stride):
                left = line[i - channels] if i >= channels else 0
                up, corner = above[i], above[i - channels] if i >= channels else 0
                if kind == 1:
                    guess = left
                elif kind == 3:
                    guess = (left + up) // 2
                else:
                    p = left + up - corner
                    guess = min((abs(p - left), 0, left), (abs(p - up), 1, up), (abs(p - corner), 2, corner))[2]
                line[i] = (line[i] + guess) % 256
        picture[row] = line
        above = line
    return picture.reshape(height, width, channels)


@pytest.fixture
def cache(purl, scene):
    purl("sim", scene(tinyScene(frames=3)), "-o", "cache")
    return "cache"


def test_everyFrameGetsAPictureOfTheSizeAsked(purl, cache):
    purl("render", cache, "--size", "160x96")
    files = sorted((purl.folder / "cache" / "frames").glob("*.png"))
    assert [file.name for file in files] == ["0001.png", "0002.png", "0003.png"]
    first, last = readPng(files[0]), readPng(files[2])
    assert first.shape[:2] == (96, 160)
    # Water, ground and background differ; and the water has moved.
    assert first[..., :3].reshape(-1, 3).std(axis=0).max() > 10
    assert (first != last).any()


def test_particlesAreDrawnOnRequestAndWhereThereAreNoMeshes(purl, cache):
    purl("render", cache, "-o", "meshes", "--size", "96x64", "--frames", "2")
    purl("render", cache, "-o", "points", "--size", "96x64", "--frames", "2", "--points")
    assert (readPng(purl.folder / "meshes" / "0002.png") != readPng(purl.folder / "points" / "0002.png")).any()


def test_aSceneIsDrawnWithoutACache(purl, scene):
    purl("render", scene(tinyScene(frames=2)), "--size", "64x64", "-o", "pictures")
    assert len(list((purl.folder / "pictures").glob("*.png"))) == 2


def test_groundIsTheFloorThatThingsFallOn(purl, tmp_path):
    """The knit hangs above it, and is the only item of the first frame."""
    purl("render", ROOT / "scenes/jetOnKnit.ma", "--frames", "1", "--format", "json", "-o", tmp_path / "views")
    view = json.loads((tmp_path / "views/0001.json").read_text())
    assert view["ground"]["height"] == 0


def test_aMovieIsMade(purl, cache):
    if not shutil.which("ffmpeg"):
        pytest.skip("no ffmpeg")
    purl("render", cache, "--size", "160x96", "--movie", "tiny.mp4")
    movie = purl.folder / "tiny.mp4"
    assert movie.read_bytes()[4:8] == b"ftyp"
    if shutil.which("ffprobe"):
        output = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames",
                               "-of", "csv=p=0", movie], text=True, capture_output=True, check=True).stdout
        assert output.strip() == "160,96,3"


def test_wrongSizesFramesAndCamerasAreRefused(purl, cache):
    assert '"big"' in purl.refuses("render", cache, "--size", "big")
    assert '"0x9"' in purl.refuses("render", cache, "--size", "0x9")
    assert '"nobody"' in purl.refuses("render", cache, "--size", "64x64", "--camera", "nobody")
    assert "9" in purl.refuses("render", cache, "--size", "64x64", "--frames", "9")


def test_aShutterBlursWhatMoves(purl, cache):
    purl("render", cache, "-o", "sharp", "--frames", "3", "--size", "160x120")
    purl("render", cache, "-o", "blurred", "--frames", "3", "--size", "160x120", "--samples", "4", "--shutter", "4")
    sharp, blurred = (readPng(purl.folder / name / "0003.png").astype(float) for name in ("sharp", "blurred"))
    assert sharp.shape == blurred.shape
    assert numpy.abs(sharp - blurred).max() > 10  # falling objects are blurred
    assert numpy.abs(sharp - blurred)[:4].max() <= 2  # static ones are not


def test_aSheetAndAHeatmap(purl, cache):
    purl("render", cache, "-o", "hot", "--size", "320x240", "--show", "speed", "--scale", "0-1", "--sheet", "all.png")
    sheet = readPng(purl.folder / "all.png")
    assert sheet.shape[1] == 3 * 324 + 4 and sheet.shape[0] == 240 + 8
    assert '"5"' in purl.refuses("render", cache, "-o", "hot", "--show", "speed", "--scale", "5")


# Each quantity is shown for the items that have it: particles, fabrics, or both.
def test_everythingCanBeColoredByWhatItHas(purl, scene, tmp_path):
    path = scene(tinyScene(frames=2, extra=FABRICS))
    purl("sim", path, "-o", "fabrics")

    def picture(*options):
        purl("render", "fabrics", "-o", "out", "--size", "192x128", "--frames", "2", *options)
        return readPng(tmp_path / "out" / "0002.png").astype(int)

    pictures = {show: picture("--show", show) for show in ("speed", "density", "densityError", "pressure", "age", "wetness", "strain")}
    pictures["wire"] = picture("--wire")
    names = list(pictures)
    for a, first in enumerate(names):
        assert pictures[first][..., :3].std() > 5
        for second in names[a + 1:]:
            assert (pictures[first] != pictures[second]).any(), (first, second)
    assert "speed" in purl.refuses("render", "fabrics", "--show", "beauty")


def test_whatNothingHasIsNotShown(purl, cache):
    assert '"strain"' in purl.refuses("render", cache, "-o", "out", "--size", "64x64", "--show", "strain")


# Glow needs no light, and fades with age if cooling is set.
def test_incandescenceGlowsAndCools(purl, scene, tmp_path):
    def picture(name, glow, cooling):
        extra = f"""createNode lambert -n "paint";
	setAttr ".c" -type "float3" 0.02 0.02 0.02 ;
	setAttr ".ic" -type "float3" {glow} 0 0 ;
createNode shadingEngine -n "paintSG";
createNode transform -n "shownMesh";
createNode mesh -n "shownMeshShape" -p "shownMesh";
createNode transform -n "shown";
createNode purlView -n "shownShape" -p "shown";
	setAttr ".cooling" {cooling};
connectAttr "surface.outFrame" "shownShape.inFrame";
connectAttr "surface.outMesh" "shownMeshShape.i";
connectAttr "paint.oc" "paintSG.ss";
connectAttr "shownMeshShape.iog" "paintSG.dsm" -na;
setAttr "water.opacity" 1;
"""
        purl("render", scene(tinyScene(frames=4, extra=extra)), "--size", "96x64", "--frames", "4", "-o", name)
        return readPng(tmp_path / name / "0004.png").astype(int)

    dark, hot, cooled = picture("dark", 0, 0), picture("hot", 1, 0), picture("cooled", 1, 0.05)
    assert (hot[..., 0] - dark[..., 0] > 60).sum() > 40
    assert hot[..., 0].sum() > cooled[..., 0].sum() > dark[..., 0].sum()


# G-62
def test_statsTellWhatEachPassTook(purl, cache, tmp_path):
    purl("render", cache, "--size", "160x96", "--frames", "2-3", "--stats", "passes.json")
    pictures = json.loads((tmp_path / "passes.json").read_text())["pictures"]
    assert [p["frame"] for p in pictures] == [2, 3]
    for picture in pictures:
        assert {"upload", "shadow", "environment", "develop"} <= set(picture["passes"])
        assert 0 < sum(picture["passes"].values()) <= 1.05 * picture["ms"]  # passes account for all of the time


def test_exrHoldsTheLayersForOthersToRead(purl, cache, tmp_path):
    openExr = pytest.importorskip("OpenEXR")
    purl("render", cache, "--size", "160x96", "--frames", "2", "-o", "numbers", "--format", "png,exr")
    assert (tmp_path / "numbers" / "0002.png").exists()
    with openExr.File(str(tmp_path / "numbers" / "0002.exr"), separate_channels=True) as file:
        channels = {name: channel.pixels for name, channel in file.channels().items()}
        names = file.header()["ids"]
    assert {"R", "G", "B", "A", "Z", "N.X", "velocity.Y", "wetness", "id"} <= set(channels)
    assert all(c.shape == (96, 160) for c in channels.values())
    ids = dict(entry.split(" ", 1) for entry in names.split(", "))
    water = next(number for number, name in ids.items() if name != "ground")
    seen = channels["id"] == int(water)
    assert seen.any()
    length = numpy.sqrt(sum(channels["N." + axis][seen].astype(float) ** 2 for axis in "XYZ"))
    assert numpy.allclose(length, 1, atol=1e-3)
    assert (channels["Z"][seen] < 1e9).all() and numpy.isfinite(channels["R"]).all()


def test_aSkyMustBeAPanorama(purl, cache, tmp_path):
    (tmp_path / "sky.hdr").write_bytes(b"#?RADIANCE\n\n-Y 8 +X 8\n" + bytes([200, 10, 10, 129]) * 64)
    purl("render", cache, "--size", "96x64", "--frames", "2", "-o", "red", "--sky", "sky.hdr")
    corner = readPng(tmp_path / "red" / "0002.png")[2, 2]
    assert corner[0] > 200 and corner[1] < 90
    assert "sky.jpg" in purl.refuses("render", cache, "--size", "64x64", "--sky", "sky.jpg")


SHADERS = {
    "lambert": 'setAttr ".c" -type "float3" 0.9 0.01 0.01 ;',
    "blinn": 'setAttr ".c" -type "float3" 0.9 0.01 0.01 ; setAttr ".ec" 0.2;',
    "phong": 'setAttr ".c" -type "float3" 0.9 0.01 0.01 ; setAttr ".cp" 40;',
    "standardSurface": 'setAttr ".bc" -type "float3" 0.9 0.01 0.01 ;',
}


def prop(shader, visible="yes"):
    """A static cube with a shader."""
    return f"""createNode transform -n "prop";
	setAttr ".v" {visible};
	setAttr ".t" -type "double3" 0 30 0 ;
createNode mesh -n "propShape" -p "prop";
createNode polyCube -n "propMaker";
	setAttr ".w" 30; setAttr ".h" 30; setAttr ".d" 30;
createNode {shader} -n "paint";
	{SHADERS[shader]}
createNode shadingEngine -n "paintSG";
connectAttr "propMaker.out" "propShape.i";
connectAttr "paint.oc" "paintSG.ss";
connectAttr "propShape.iog" "paintSG.dsm" -na;
"""


def redPixels(picture):
    colors = picture[..., :3].astype(int)
    return int(((colors[..., 0] > 90) & (colors[..., 1] < 60) & (colors[..., 2] < 60)).sum())


@pytest.mark.parametrize("shader", SHADERS)
def test_shadersOfTheSceneColorItsMeshes(purl, scene, tmp_path, shader):
    purl("render", scene(tinyScene(frames=1, extra=prop(shader))), "--size", "96x64", "--frames", "1", "-o", "painted")
    assert redPixels(readPng(tmp_path / "painted" / "0001.png")) > 100


def test_hiddenMeshesAndLightsAreNotSeen(purl, scene, tmp_path):
    purl("render", scene(tinyScene(frames=1, extra=prop("lambert", "no"))), "--size", "96x64", "--frames", "1", "-o", "hidden")
    assert redPixels(readPng(tmp_path / "hidden" / "0001.png")) == 0

    def lamp(decay, visible="yes"):
        return f"""createNode transform -n "lamp";
	setAttr ".v" {visible};
	setAttr ".t" -type "double3" 0 200 0 ;
createNode pointLight -n "lampShape" -p "lamp";
	setAttr ".in" 2;
	setAttr ".de" {decay};
"""

    light = {}
    for name, text in {"none": "", "far": lamp(0), "decays": lamp(2), "hidden": lamp(0, "no")}.items():
        purl("render", scene(tinyScene(frames=1, extra=text)), "--size", "96x64", "--frames", "1", "-o", name)
        light[name] = readPng(tmp_path / name / "0001.png")[..., :3].mean()
    assert light["far"] > light["decays"] + 5  # at 200 cm nothing is left with quadratic decay
    assert light["hidden"] == light["none"]


def test_spotAndAreaLightsOfTheSceneShine(purl, scene, tmp_path):
    def lamp(kind, settings, degrees=-90):
        return f"""createNode transform -n "lamp";
	setAttr ".t" -type "double3" 0 100 0 ;
	setAttr ".r" -type "double3" {degrees} 0 0 ;
	setAttr ".s" -type "double3" 30 30 30 ;
createNode {kind} -n "lampShape" -p "lamp";
	setAttr ".in" 2;
{settings}"""

    light = {}
    for name, text in {"wide": lamp("spotLight", '	setAttr ".ca" 120;\n'), "narrow": lamp("spotLight", '	setAttr ".ca" 5;\n'),
                       "away": lamp("spotLight", '	setAttr ".ca" 60;\n', 90), "area": lamp("areaLight", ""),
                       "areaAway": lamp("areaLight", "", 90)}.items():
        purl("render", scene(tinyScene(frames=1, extra=text)), "--size", "96x64", "--frames", "1", "-o", name)
        light[name] = readPng(tmp_path / name / "0001.png")[..., :3].mean()
    assert light["wide"] > light["narrow"] + 2 > light["away"] + 2
    assert light["area"] > light["areaAway"] + 5


def test_purlViewSaysWhatIsShown(purl, scene, tmp_path):
    def picture(name, *settings, options=()):
        view = 'createNode transform -n "shown";\ncreateNode purlView -n "shownShape" -p "shown";\n'
        view += "".join(f"	setAttr {s};\n" for s in settings)
        view += 'connectAttr "surface.outFrame" "shownShape.inFrame";\n'
        purl("render", scene(tinyScene(frames=1, extra=view)), "--size", "96x64", "--frames", "1", "-o", name, *options)
        return readPng(tmp_path / name / "0001.png").astype(int)

    plain = picture("plain")
    bare = picture("bare", '".showSurface" no')
    ground = picture("ground", '".showGround" no')
    points = picture("points", '".showPoints" yes', '".pointScale" 1.5')
    box = picture("box", '".showBounds" yes')
    grid = picture("grid", '".showGrid" yes')
    rays = picture("rays", '".liquid" 1')
    sunk = picture("sunk", '".waterVisibility" 60')
    warm = picture("warm", '".studio" 1')
    even = picture("even", '".studio" 2')
    speed = picture("speed", '".show" 1')
    hidden = picture("hidden", '".v" no', '".showSurface" no')
    assert (hidden == plain).all()  # a hidden purlView has no effect
    for other in (bare, ground, points, box, sunk, warm, even, speed):
        assert (abs(other - plain).max(axis=2) > 10).sum() > 40
    assert (grid != plain).sum() > 40 and (abs(grid - plain).max(axis=2) > 40).sum() == 0  # faint
    assert (rays != plain).any() and (abs(rays - bare).max(axis=2) > 10).sum() > 40  # water, but not from its mesh
    assert sunk[2, 2, 2] > sunk[2, 2, 0] + 20  # in the distance everything has the water's colour
    assert warm[2, 2, 0] > warm[2, 2, 2] + 20 and plain[2, 2, 2] > plain[2, 2, 0] + 5  # redder, and bluer
    assert abs(even[2, 2] - even[-3, 2]).max() < 6  # neither ground nor horizon
    asked = picture("asked", '".show" 1', options=("--show", "look", "--studio", "warm"))
    assert (asked == warm).all()  # the command line overrides the scene
    assert (abs(box - plain).max(axis=2) > 10).sum() < (abs(points - plain).max(axis=2) > 10).sum()


FABRICS = """createNode transform -n "sheet";
	setAttr ".t" -type "double3" 30 20 0 ;
	setAttr ".r" -type "double3" 90 0 0 ;
createNode mesh -n "sheetShape" -p "sheet";
createNode polyPlane -n "sheetMaker";
	setAttr ".w" 20; setAttr ".h" 20; setAttr ".sw" 6; setAttr ".sh" 6;
createNode purlCloth -n "towel";
	setAttr ".pinnedVertices" -type "string" "0:48";
	setAttr ".absorption" 1;
createNode transform -n "frame";
	setAttr ".t" -type "double3" 30 45 0 ;
	setAttr ".r" -type "double3" 90 0 0 ;
createNode mesh -n "frameShape" -p "frame";
createNode polyPlane -n "frameMaker";
	setAttr ".w" 20; setAttr ".h" 20; setAttr ".sw" 2; setAttr ".sh" 2;
createNode purlKnit -n "swatch";
	setAttr ".stitchWidth" 2;
	setAttr ".stitchHeight" 1.6;
connectAttr "frameMaker.out" "frameShape.i";
connectAttr "frameShape.w" "swatch.inMesh";
connectAttr "sheetMaker.out" "sheetShape.i";
connectAttr "sheetShape.w" "towel.inMesh";
connectAttr "towel.outBody" "solver.bodies[2]";
connectAttr "swatch.outBody" "solver.bodies[3]";
"""


# Each toggle of purlView changes the image, and only where its items are.
def test_purlViewShowsFabricsAsAsked(purl, scene, tmp_path):
    def picture(name, *settings):
        view = 'createNode transform -n "shown";\ncreateNode purlView -n "shownShape" -p "shown";\n'
        view += "".join(f"	setAttr {s};\n" for s in settings)
        view += 'connectAttr "surface.outFrame" "shownShape.inFrame";\n'
        purl("render", scene(tinyScene(frames=1, extra=FABRICS + view)), "--size", "192x128", "--frames", "1", "-o", name)
        return readPng(tmp_path / name / "0001.png").astype(int)

    def differing(a, b):
        return (abs(a - b).max(axis=2) > 10).sum()

    plain = picture("plain")
    bare = picture("bare", '".showCloth" no')
    none, tubes, fibres = (picture(mode, f'".yarn" {k}') for k, mode in ((0, "none"), (2, "tubes"), (3, "fibres")))
    wet = picture("wet", '".showWetness" yes')
    assert differing(bare, plain) > 100
    assert differing(none, plain) > 40
    assert differing(none, tubes) > 40 and differing(tubes, fibres) > 20
    # dry is the ramp's dark blue, unlike a towel or a yarn
    changed = abs(wet - plain).max(axis=2) > 10
    assert changed.sum() > 100
    assert (wet[changed][:, 2] > wet[changed][:, 0]).mean() > 0.8


# G-60
def test_poorerPicturesDifferWhereTheyShould(purl, scene, tmp_path):
    text = """createNode transform -n "board";
	setAttr ".t" -type "double3" 0 45 0 ;
createNode mesh -n "boardShape" -p "board";
createNode polyCube -n "boardMaker";
	setAttr ".w" 30; setAttr ".h" 2; setAttr ".d" 30;
connectAttr "boardMaker.out" "boardShape.i";
"""
    path = scene(tinyScene(frames=1, extra=text))

    def picture(name, *options):
        purl("render", path, "--size", "160x96", "--frames", "1", "-o", name, *options)
        return readPng(tmp_path / name / "0001.png").astype(int)

    whole, bright, dry = picture("whole"), picture("bright", "--without", "shadow"), picture("dry", "--without", "fluid")
    assert bright.mean() > whole.mean() + 0.2  # shadows are darker
    assert (dry != whole).any() and (bright >= whole - 2).all()  # and nothing gets darker without it
    purl.refuses("render", path, "--without", "nonsense")


def test_yarnIsDrawnAsAsked(purl, tmp_path):
    def picture(*options):
        purl("render", ROOT / "scenes" / "knitSwatch.ma", "--size", "240x136", "--frames", "1", "-o", "out", *options)
        return readPng(tmp_path / "out" / "0001.png").astype(int)

    images = [picture("--yarn", mode) for mode in ("tubes", "fibres", "oneStack", "straight")]
    for i, one in enumerate(images):
        for other in images[:i]:
            assert (abs(one - other).max(axis=2) > 10).sum() > 100  # all four differ over many pixels
    purl.refuses("render", ROOT / "scenes" / "knitSwatch.ma", "--yarn", "wool")


# Fitted camera, ground and colour scale are those of the whole cache.
def test_aFrameLooksTheSameWhicheverOthersAreDrawn(purl, scene, tmp_path):
    purl("sim", scene(tinyScene(frames=6)), "-o", "cache")
    for options in ((), ("--show", "speed")):
        purl("render", "cache", "--size", "160x90", "-o", "all", *options)
        purl("render", "cache", "--size", "160x90", "-o", "one", "--frames", "5", *options)
        assert (tmp_path / "all/0005.png").read_bytes() == (tmp_path / "one/0005.png").read_bytes()


def test_framesOfASceneLookTheSameToo(purl, scene, tmp_path):
    """Simulated while it is drawn, without a camera, and with an emitter that starts later: the first frame is empty."""
    late = tinyScene(frames=4, surface=False, extra=LATE).replace('connectAttr "blockShape.w" "water.inMesh[0]";', "")
    for name, text, options in (("filled", tinyScene(frames=4), ()), ("shown", tinyScene(frames=4), ("--show", "speed")),
                                ("late", late, ("--show", "speed"))):
        path = scene(text, f"{name}.ma")
        purl("render", path, "--size", "96x64", "-o", f"{name}All", "--frames", "1-4", *options)
        purl("render", path, "--size", "96x64", "-o", f"{name}One", "--frames", "4", *options)
        assert (tmp_path / f"{name}All/0004.png").read_bytes() == (tmp_path / f"{name}One/0004.png").read_bytes(), name


LATE = """createNode transform -n "nozzle";
	setAttr ".t" -type "double3" 0 30 0 ;
createNode purlEmitter -n "jet";
	setAttr ".startTime" 0.05;
	setAttr ".rate" 4;
connectAttr "nozzle.wm" "jet.inMatrix";
connectAttr "jet.outEmitter" "water.inEmitter[0]";
"""


def test_whatTheRunHasSetIsSetForItsImages(purl, scene):
    """As in a wedge of colliders: the paddle stands where --set put it, not where the scene has it."""
    there = tinyScene(frames=1, surface=False, extra=paddle(keyed=False))
    purl("sim", scene(there, "there.ma"), "-o", "set", "--set", "paddle.translateX=9")
    purl("sim", scene(there.replace('"double3" -18 20 0', '"double3" 9 20 0'), "here.ma"), "-o", "saved")
    for cache in ("set", "saved"):
        purl("render", cache, "--size", "96x64")
    images = [readPng(purl.folder / cache / "frames/0001.png") for cache in ("set", "saved")]
    assert (images[0] == images[1]).all()
    # The scene has changed since: the images are made without what it lacks, and the command says so.
    scene(tinyScene(frames=1, surface=False), "there.ma")
    done = purl.run("render", "set", "--size", "96x64")
    assert done.returncode == 0
    assert "paddle.translateX=9, as set for the cache, is ignored" in done.stderr
    assert (readPng(purl.folder / "set/frames/0001.png") != images[0]).any()


def test_listsOfFramesAreDrawn(purl, cache, tmp_path):
    purl("render", cache, "--size", "64x64", "-o", "all")
    purl("render", cache, "--size", "64x64", "-o", "some", "--frames", "3,1-2x2", "--sheet", "sheet.png")
    assert sorted(file.name for file in (tmp_path / "some").iterdir()) == ["0001.png", "0003.png"]
    for file in (tmp_path / "some").iterdir():
        assert file.read_bytes() == (tmp_path / "all" / file.name).read_bytes()
    assert readPng(tmp_path / "sheet.png").shape[1] == 2 * (64 + 4) + 4
    assert "expected frames like" in purl.refuses("render", cache, "--frames", "1;3")


def views(purl, tmp_path, scene, name):
    purl("render", scene, "--frames", "1", "--format", "json", "-o", name)
    return json.loads((tmp_path / name / "0001.json").read_text())


# Colour, opacity and glow come from the preset unless a shader is assigned.
def test_presetsBringTheirLook(purl, scene, tmp_path):
    def look(name, *settings):
        extra = "select -ne water;\n" + "".join(f"	setAttr {s};\n" for s in settings)
        view = views(purl, tmp_path, scene(tinyScene(frames=1, extra=extra)), name)
        return next(mesh for mesh in view["meshes"] if mesh["name"] == "water")

    plain, honey, milk, lava = look("plain"), look("honey", '".preset" 6'), look("milk", '".preset" 8'), look("lava", '".preset" 7')
    assert plain["material"] == honey["material"] == "water" and milk["material"] == lava["material"] == "matte"
    assert plain["color"][2] > plain["color"][0] and honey["color"][0] > 5 * honey["color"][2]
    assert min(milk["color"]) > 0.85 and max(milk["glow"]) == 0
    assert lava["glow"][0] > 1 > lava["glow"][2]
    green = look("green", '".preset" 6', '".color" -type "double3" 0.1 0.7 0.2')
    assert green["color"] == pytest.approx([0.1, 0.7, 0.2]) and green["turbidity"] == honey["turbidity"] > 0


def test_containersOfAnyShapeButABoxAreGlass(purl, scene, tmp_path):
    extra = cube("bowl", (80, 80, 80), (0, 30, 0)) + """createNode purlCollider -n "bowlWalls";
	setAttr ".container" yes;
connectAttr "bowlShape.w" "bowlWalls.inMesh";
connectAttr "bowlWalls.outBody" "solver.bodies[2]";
"""
    view = views(purl, tmp_path, scene(tinyScene(frames=1, extra=extra)), "glass")
    assert [mesh["material"] for mesh in view["meshes"]].count("glass") == 1
    assert view["lines"]  # the tank
