"""The scenes of scenes/newcomer, built by their scripts with default settings: expected results.

The quick tests play them coarser and shorter than they are shown; `nightly` plays all of each as it is.
"""
import os
import re
import runpy
from pathlib import Path

import numpy
import pytest

import purl as module  # `purl` is the fixture that runs the command

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "scenes" / "newcomer"

# Settings and last frame of the quick tests: a spacing that leaves a few hundred to two thousand particles.
QUICK = {
    "ball": (36, {"water.particleSpacing": 1.6}),
    "fountain": (36, {"water.particleSpacing": 1.0}),
    "glass": (60, {"purlFluid1.particleSpacing": 0.6}),
    "honey": (48, {"purlFluid1.particleSpacing": 0.6}),
    "jug": (72, {"water.particleSpacing": 0.9}),
    "scarf": (18, {"purlFluid1.particleSpacing": 0.6}),
    "sleeve": (24, {}),
    "sponge": (36, {"water.particleSpacing": 1.0}),
    "tablecloth": (30, {}),
    "towel": (64, {"water.particleSpacing": 1.2}),
    "tube": (24, {}),
    "twoColours": (36, {"red.particleSpacing": 1.2, "yellow.particleSpacing": 1.2}),
}
CLOTHS = {"tablecloth", "tube", "towel"}  # named after their scenes
LIQUIDS = {"ball", "fountain", "glass", "honey", "jug", "sponge", "towel", "twoColours"}


class Film:
    """A scene simulated to its last frame, with checks that apply to every frame of every scene."""

    def __init__(self, name, last, settings):
        runpy.run_path(str(SCENES / f"{name}.py"))  # saves NAME.ma in the working folder
        self.folder = Path.cwd()
        self.sim = module.load(f"{name}.ma", set=settings, threads=1)
        self.first = self.sim.range[0]
        self.last = last or self.sim.range[1]
        self.frames = [self.sim.frame(number) for number in range(self.first, self.last + 1)]

    def __getitem__(self, number):
        return self.frames[number - self.first]

    def mesh(self, frame, name):
        return next(mesh for mesh in frame.meshes if mesh.name == name)


@pytest.fixture(scope="module")
def films(tmp_path_factory):
    """films(name, full=False): each scene is simulated once, however many tests use it."""
    played = {}

    def film(name, full=False):
        key = name, full
        if key not in played:
            before = os.getcwd()
            os.chdir(tmp_path_factory.mktemp(name))
            try:
                played[key] = Film(name, *((None, {}) if full else QUICK[name]))
            finally:
                os.chdir(before)
        return played[key]

    return film


def crossings(mesh):
    """Edges of a mesh that intersect one of its triangles without sharing a vertex with it."""
    x, triangles = mesh.positions.astype(float), mesh.triangles
    edges = numpy.unique(numpy.sort(numpy.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])), axis=0)
    a, b, c = (x[triangles[:, k]] for k in range(3))
    normals = numpy.cross(b - a, c - a)
    low, high = numpy.minimum(numpy.minimum(a, b), c), numpy.maximum(numpy.maximum(a, b), c)
    # Bin edges into cells of a few edge lengths, so that each has few triangles nearby.
    cell = 4 * numpy.median(numpy.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1))
    cells = (x[edges[:, 0]] // cell).astype(int)
    edges, cells = edges[order := numpy.lexsort(cells.T)], cells[order]
    count = 0
    for part in numpy.split(edges, numpy.flatnonzero((cells[1:] != cells[:-1]).any(1)) + 1):
        p, q = x[part[:, 0]], x[part[:, 1]]
        near = numpy.flatnonzero((numpy.minimum(p, q).min(0) <= high).all(1) & (numpy.maximum(p, q).max(0) >= low).all(1))
        boxes = (numpy.minimum(p, q)[:, None] <= high[near]).all(2) & (numpy.maximum(p, q)[:, None] >= low[near]).all(2)
        e, t = numpy.nonzero(boxes)
        t = near[t]
        apart = (part[e][:, :, None] != triangles[t][:, None, :]).all((1, 2))
        e, t = e[apart], t[apart]
        # The edge intersects the plane at parameter s; the point is inside the triangle if all three orientations have the same sign (Möller, Trumbore).
        above, below = ((p[e] - a[t]) * normals[t]).sum(1), ((q[e] - a[t]) * normals[t]).sum(1)
        through = above * below < 0
        e, t, s = e[through], t[through], (above / (above - below + (above == below)))[through]
        hit = p[e] + s[:, None] * (q[e] - p[e])
        turns = [(numpy.cross(v[t] - u[t], hit - u[t]) * normals[t]).sum(1) for u, v in ((a, b), (b, c), (c, a))]
        count += int(((turns[0] > 0) & (turns[1] > 0) & (turns[2] > 0)).sum())
    return count


def speeds(film):
    """Largest speed of particles, fabrics and yarns in each frame, m/s."""
    found = []
    for frame in film.frames:
        parts = [frame.points.velocities, *(mesh.velocities for mesh in frame.meshes), *(c.velocities for c in frame.curves)]
        found.append(max((numpy.linalg.norm(part, axis=1).max() / 100 for part in parts if len(part)), default=0))
    return numpy.array(found)


def inside(points, radius, bottom, top, x=0):
    """Mask of the points inside a vertical cylinder around (x, ·, 0), cm."""
    return (numpy.hypot(points[:, 0] - x, points[:, 2]) < radius) & (points[:, 1] > bottom) & (points[:, 1] < top)


everyScene = pytest.mark.parametrize("name", sorted(QUICK))
everyLength = pytest.mark.parametrize("full", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["quick", "nightly"])


def test_everyScriptIsTested():
    assert sorted(path.stem for path in SCENES.glob("*.py")) == sorted(QUICK)


@everyScene
def test_itsScriptIsShort(name):
    """A newcomer's script has at most fifty lines and changes no setting of the solver."""
    text = (SCENES / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 50
    tuning = ("pressureSolver", "viscosity", "stiffness", "friction", "selfCollision", "iterations", "TimeStep", "damping",
              "kernel", "boundary", "maxDensityError")
    assert not [word for word in tuning if word in text]


# Everything starts at rest and falls at most 80 cm, or leaves an emitter at 2 m/s: √(2 g h) is 4 m/s. The corners of the
# table cloth whip around the edge of the table at up to twice that speed.
@everyLength
@everyScene
def test_speedsAreThoseOfTheFall(films, name, full):
    assert speeds(films(name, full)).max() < (8 if name == "tablecloth" else 5)


# A frame of 1/24 s in steps of 0.4 ms and more.
@everyLength
@everyScene
def test_stepsAreFew(films, name, full):
    assert max(frame.stats.steps for frame in films(name, full).frames[1:]) <= 100


@everyLength
@pytest.mark.parametrize("name", sorted(LIQUIDS))
def test_theMeshHasTheLiquidsVolume(films, name, full):
    ratios = numpy.array([frame.stats.volume_ratio for frame in films(name, full).frames if len(frame.points) > 20])
    assert len(ratios) and 0.9 < ratios.min() and ratios.max() < 1.1, ratios.round(2)


@everyLength
@pytest.mark.parametrize("name", sorted(CLOTHS))
def test_clothNeverCrossesItself(films, name, full):
    film = films(name, full)
    for number in range(film.first, film.last + 1, 1 if full else 2):
        assert crossings(film.mesh(film[number], name)) == 0, number


# Water is conserved: it is in particles, in fabrics or evaporated. Stats are doubles, summed over all particles.
@everyLength
@pytest.mark.parametrize("name", ["scarf", "towel"])
def test_waterIsNeitherMadeNorLost(films, name, full):
    frames = films(name, full).frames
    start = frames[0].stats
    for frame in frames:
        s = frame.stats
        assert s.liquid_mass + s.fabric_mass + s.evaporated_mass + s.drained_mass == pytest.approx(
            start.liquid_mass + start.fabric_mass + s.supplied_mass - start.supplied_mass, rel=1e-9)


@everyLength
def test_theGlassHoldsTheTapsWater(films, full):
    film = films("glass", full)
    frame = film[film.last]
    x = frame.points.positions
    # The glass is 3.5 wide inside, from 0.5 to 9.5; above it is the jet. Drops may splash out.
    assert inside(x, 3.5, 0.4, 14.5).mean() > 0.97
    assert not ((numpy.hypot(x[:, 0], x[:, 2]) > 3.6) & (x[:, 1] > 0.5) & (x[:, 1] < 9)).any(), "nothing in or beyond the wall"
    still = x[inside(x, 3.5, 0, 9)]
    poured = len(x) * frame.bodies[0].spacing ** 3
    assert numpy.percentile(still[:, 1], 95) - 0.5 == pytest.approx(poured / (numpy.pi * 3.5 ** 2), abs=1.5 * frame.bodies[0].spacing)


@everyLength
def test_steelSinksAndWoodFloats(films, full):
    film = films("ball", full)
    centre = {name: film.mesh(film[film.last], name).positions[:, 1].mean() for name in ("steel", "wood")}
    assert centre["steel"] == pytest.approx(2.5, abs=1), "on the bottom"
    assert 7 < centre["wood"] < 14, "in the surface, which is 10 cm high"


@everyLength
def test_theTubeLiesOnTheBall(films, full):
    film = films("tube", full)
    x = film.mesh(film[film.last], "tube").positions
    # The facets of the ball's mesh lie up to 1.2 % inside its radius of 15.
    assert numpy.linalg.norm(x - [0, 15, 0], axis=1).min() > 14.8 and x[:, 1].min() > -0.1
    assert 30 < x[:, 1].max() < 36, "fallen from 80 cm and still on the ball"


@everyLength
def test_theScarfHangsOverTheBarAndGetsWet(films, full):
    film = films("scarf", full)
    yarn = film[film.last].curves[0]
    x = yarn.positions
    # The facets of the bar's mesh lie up to 1.2 % inside its radius of 1.5.
    assert numpy.hypot(x[:, 1] - 25.5, x[:, 2]).min() > 1.48
    for side in (-1, 1):
        assert x[numpy.sign(x[:, 2]) == side][:, 1].min() < 24, "an end on either side"
    assert x[:, 1].max() > 26.9, "still on the bar"
    assert yarn.wetness.max() > 0.2 and film[film.last].stats.fabric_mass > 1e-4


@everyLength
def test_coloursMix(films, full):
    film = films("twoColours", full)

    def between(frame):
        """Share of particles that are neither red nor yellow, by their green: 0.1 and 0.85."""
        green = frame.points.colors[:, 1]
        return ((green > 0.2) & (green < 0.75)).mean()

    assert between(film[2]) < 0.3 and between(film[film.last]) > between(film[2]) + 0.2
    surfaces = [mesh for mesh in film[film.last].meshes if len(mesh.triangles)]
    assert len(surfaces) == 1, "one surface for both"


@everyLength
def test_honeyClingsToTheBox(films, full):
    film = films("honey", full)
    frame = film[film.last]
    x, v = frame.points.positions, numpy.linalg.norm(frame.points.velocities, axis=1)
    onTop = inside(x, 3.5, 4.9, 7)
    # While pouring, honey forms a layer of 1.2 cm on the top of the box, water one of 0.7 cm.
    assert onTop.sum() * frame.bodies[0].spacing ** 3 / (numpy.pi * 3.5 ** 2) > 1, "cm on the lid"
    assert numpy.median(v[onTop]) < 10, "cm/s; water would leave at 50"
    assert numpy.hypot(x[:, 0], x[:, 2]).max() < 12, "the front stays near the box"
    red, green, blue = frame.bodies[0].color
    assert red > green > blue, "amber"


@everyLength
def test_theTowelComesOutWetAndThePoolStaysCalm(films, full):
    film = films("towel", full)
    frame = film[film.last]
    towel = film.mesh(frame, "towel")
    height = towel.positions[:, 1]
    assert height.max() == pytest.approx(20, abs=0.5)
    assert height.min() > 8, "it hangs clear of the water"
    assert towel.wetness[height < 12].mean() > 0.8, "what was in the water is soaked"
    assert towel.wetness[height > 19].mean() < 0.3, "and the upper edge was not"
    pool = frame.points.positions[:, 1] < 8
    assert pool.mean() > 0.9


@everyLength
def test_theKnitFollowsItsFiles(films, full):
    film = films("sleeve", full)
    for number in range(film.first, film.last + 1, 5):
        lines = (film.folder / "garment" / f"garment.{number:04d}.obj").read_text().splitlines()
        garment = numpy.array([line.split()[1:] for line in lines if line.startswith("v")], float)
        yarn = film[number].curves[0].positions[::50]
        gaps = numpy.linalg.norm(yarn[:, None] - garment, axis=2).min(1)
        # Faces are up to 1 × 0.8 cm, and yarn lies up to 0.3 cm off the mesh.
        assert gaps.max() < 1, number
    assert 5 < numpy.linalg.norm(film[12].curves[0].velocities, axis=1).max() < 100, "cm/s, as the files move"


@everyLength
def test_theBowlCatchesTheJugsWater(films, full):
    film = films("jug", full)
    start, end = film[1].points.positions, film[film.last].points.positions
    assert inside(start, 3.5, 11.4, 20.5, x=-8).mean() == 1
    bowl = numpy.linalg.norm(end - [0, 8.8, 0], axis=1) < 8.1
    assert (bowl & (end[:, 1] < 9)).mean() > 0.6, "most of it is in the bowl"
    beneath = numpy.linalg.norm(end - [0, 8.8, 0], axis=1)
    assert not ((beneath > 8.15) & (beneath < 8.7) & (end[:, 1] < 8)).any(), "nothing is in the bowl's wall"


@everyLength
def test_theTableclothHangsInFolds(films, full):
    film = films("tablecloth", full)
    x = film.mesh(film[film.last], "tablecloth").positions.reshape(57, 57, 3)
    assert x[14:43, 14:43, 1].min() > 71.4, "on the table, whose top is at 71.5"
    corners, edges = x[[0, 0, -1, -1], [0, -1, 0, -1]], x[[0, 28, 28, -1], [28, 0, -1, 28]]
    assert edges[:, 1].max() < 60, "edges hang down"
    assert corners[:, 1].max() < edges[:, 1].min() - 5, "corners hang lower"
    # A flat corner would reach 99 cm from the centre, a corner folded straight down 64 cm.
    assert numpy.hypot(corners[:, 0], corners[:, 2]).max() < 85


@everyLength
def test_theSpongeFloats(films, full):
    film = films("sponge", full)
    y = film.mesh(film[film.last], "sponge").positions[:, 1]
    assert 6 < y.mean() < 12, "in the surface, which is 8 cm high"


@everyLength
def test_theFountainFallsBackIntoItsBowl(films, full):
    film = films("fountain", full)
    heights = [frame.points.positions[:, 1].max() for frame in film.frames]
    # 1.6 m/s from 5 cm: 5 + v² / 2g = 18 cm.
    assert 14 < max(heights) < 22
    x = film[film.last].points.positions
    assert inside(x, 15, 0.9, 30).mean() > 0.97, "in the bowl or on its rim"
    # The wall is 1 cm thick; drops that splash over the rim fall outside of it.
    distance = numpy.hypot(x[:, 0], x[:, 2])
    assert not ((distance > 14.2) & (distance < 14.8) & (x[:, 1] > 1) & (x[:, 1] < 7.5)).any(), "nothing in the wall"


@everyScene
def test_thePageShowsTheScript(name):
    """docs/firstScenes.md shows every line of a script between its first and last lines."""
    page = (ROOT / "docs" / "firstScenes.md").read_text(encoding="utf-8")
    script = (SCENES / f"{name}.py").read_text(encoding="utf-8")
    body = re.search(r'cmds\.loadPlugin\("purl", quiet=True\)\n\n(.*?)\ncmds\.playbackOptions', script, re.S).group(1)
    assert f"```python\n{body.strip()}\n```" in page
    assert f"images/firstScenes/{name}.png" in page
    assert (ROOT / "docs" / "images" / "firstScenes" / f"{name}.png").stat().st_size <= 120_000
