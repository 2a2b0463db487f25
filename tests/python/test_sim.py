"""purl.load: Maya scenes from Python give the same bits as the command line and as the Simulator alone."""
import os
import signal
import threading
from pathlib import Path

import numpy
import pytest
import purl as module  # `purl` is the fixture that runs the command

from tinyScene import paddleScene, tinyScene

ROOT = Path(__file__).resolve().parents[2]


def test_theExampleOfTheReadmeWorks():
    sim = module.load(ROOT / "scenes" / "damBreak.ma", set={"water.particleSpacing": 3.2, "water.viscosity": 0.5})
    frame = sim.frame(4)
    assert frame.points.positions.shape == (12 * 17 * 12, 3)
    assert frame.time == pytest.approx(3 / 24)
    assert len(frame.hash) == 16 and int(frame.hash, 16)


@pytest.mark.parametrize("threads", [1, 2])
def test_hashesAreThoseOfTheCommandLineAndOfTheSimulatorAlone(purl, scene, hashes, threads):
    path = scene(paddleScene(keyed=True, frames=5))
    purl("sim", path, "-o", "cache", "--threads", threads)
    cached = hashes(purl.folder / "cache")
    sim = module.load(path, threads=3 - threads)
    simulator = module.Simulator(threads=threads)
    assert sim.start_frame == 1 and sim.range == (1, 5) and sim.fps == 24
    for number in range(1, 6):
        frame = sim.frame(number)
        assert frame.hash == cached[number]
        alone = simulator.advance_to(sim.scene, (number - 1) / sim.fps)
        assert alone.hash == cached[number]
        # The scene is in centimetres, the solver in metres.
        assert frame.meters_per_unit == pytest.approx(0.01)
        assert numpy.allclose(frame.points.positions, 100 * alone.points.positions, rtol=1e-6)


def test_anyOrderOfFramesGivesTheSameBits(scene):
    path = scene(tinyScene(frames=6, surface=False))
    forward = module.load(path, threads=1)
    played = {number: forward.frame(number).hash for number in range(1, 7)}
    jumping = module.load(path, threads=1)
    for number in (5, 2, 6, 6, 1, 3):
        assert jumping.frame(number).hash == played[number]


def test_meshesAreViewsToo(scene):
    frame = module.load(scene(tinyScene()), threads=1).frame(2)
    (mesh,) = frame.meshes
    assert mesh.name and len(mesh.positions) > 100 and mesh.positions.dtype == numpy.float32
    assert mesh.triangles.shape[1] == 3 and mesh.triangles.max() == len(mesh.positions) - 1
    assert mesh.velocities.shape in (mesh.positions.shape, (0, 3)) and mesh.normals.shape in (mesh.positions.shape, (0, 3))
    assert not mesh.positions.flags.writeable and not mesh.positions.flags.owndata
    # Closed: every edge occurs once in each direction.
    edges = numpy.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]])
    there = set(map(tuple, edges.tolist()))
    assert len(there) == len(edges) and all((b, a) in there for a, b in there)


def test_setTakesNumbersNamesSwitchesAndVectors(scene):
    sim = module.load(scene(tinyScene(surface=False)), set={"solver.gravity": 0, "water.startVelocity": (1, 0, 0)}, threads=1)
    sim.set("water.kind", "gas")
    sim.set("walls.container", True)
    sim.set("water.stiffness", numpy.float32(30))
    frame = sim.frame(1)
    assert frame.bodies[0].kind == "gas"
    assert frame.points.velocities.mean(axis=0)[0] == pytest.approx(100)
    assert sim.scene.solver.gravity == 0 and sim.scene.fluids[0].stiffness == 30 and sim.scene.colliders[0].container


@pytest.mark.parametrize(
    "attribute, value, words",
    [
        ("watr.viscosity", 1, "water"),
        ("water.viscocity", 1, "viscosity"),
        ("water.viscosity", "thick", "thick"),
        ("water.viscosity", -1, "viscosity"),
    ],
)
def test_wrongSettingsAreRefusedByName(scene, attribute, value, words):
    path = scene(tinyScene())
    with pytest.raises(module.Error, match=words):
        module.load(path, set={attribute: value})
    sim = module.load(path)
    with pytest.raises(module.Error, match=words):
        sim.set(attribute, value)


def test_wrongScenesAreRefused(scene, tmp_path):
    with pytest.raises(module.Error, match="nowhere.ma"):
        module.load(tmp_path / "nowhere.ma")
    text = tinyScene()
    with pytest.raises(module.Error, match=r"cut.ma:\d+"):
        module.load(scene(text[: text.index('".stiffness"') + 4], "cut.ma"))


def test_notesListWhatWasSkipped(scene):
    sim = module.load(scene(tinyScene(extra='createNode bifrostGraph -n "other";\n')))
    assert any("bifrostGraph" in note for note in sim.notes)


def test_warningsAreKept(scene):
    sim = module.load(scene(tinyScene(surface=False)), set={"solver.pressureSolver": "wcsph", "solver.maxTimeStep": 0.01}, threads=1)
    sim.frame(2)
    assert any("maxTimeStep" in warning for warning in sim.warnings)


def test_twoSimsAreIndependent(scene):
    path = scene(tinyScene(frames=4, surface=False))
    alone = [module.load(path, threads=1).frame(4).hash,
             module.load(path, set={"water.viscosity": 6}, threads=1).frame(4).hash]
    assert alone[0] != alone[1]
    a, b = module.load(path, threads=1), module.load(path, set={"water.viscosity": 6}, threads=1)
    for number in range(1, 5):
        frames = a.frame(number), b.frame(number)
    assert [frame.hash for frame in frames] == alone
    results = [None, None]

    def work(which, viscosity):
        results[which] = module.load(path, set={"water.viscosity": viscosity}, threads=1).frame(4).hash

    threads = [threading.Thread(target=work, args=item) for item in ((0, 1.5), (1, 6))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == alone


def test_ctrlCStopsAFrameAndTheSimGoesOn(scene):
    path = scene(tinyScene(spacing=1, surface=False))
    sim = module.load(path, threads=1)
    sim.frame(1)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore Ctrl-C
    try:
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            sim.frame(500)
    finally:
        signal.signal(signal.SIGINT, before)
    assert sim.frame(2).hash == module.load(path, threads=1).frame(2).hash


def test_aCacheComesBackAsFrames(purl, scene, hashes):
    path = scene(tinyScene(frames=3))
    purl("sim", path, "-o", "cache", "--threads", 1)
    cache = module.read_cache(purl.folder / "cache")
    assert cache.numbers == [1, 2, 3] and len(cache) == 3 and cache.fps == 24 and cache.verify() == []
    sim = module.load(path, threads=1)
    for number in cache.numbers:
        read, played = cache.frame(number), sim.frame(number)
        assert read.hash == played.hash == hashes(purl.folder / "cache")[number]
        assert (read.points.ids == played.points.ids).all()
        assert (read.points.positions == played.points.positions).all()
        assert (read.points.velocities == played.points.velocities).all()
        assert (read.meshes[0].positions == played.meshes[0].positions).all()
        assert (read.meshes[0].triangles == played.meshes[0].triangles).all()
    with pytest.raises(module.Error, match="7"):
        cache.frame(7)
    with pytest.raises(module.Error, match="nowhere"):
        module.read_cache(purl.folder / "nowhere")
    victim = sorted((purl.folder / "cache").glob("*.mcx"))[0]
    victim.write_bytes(victim.read_bytes()[:-50])
    assert len(cache.verify()) == 1
    with pytest.raises(module.Error, match=victim.name):
        cache.frame(1)


def test_stubsListWhatThereIs():
    folder = Path(module.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_purl.pyi").read_text(encoding="utf-8")
    for line in ("def viscosity(self) -> float:", "class Scene:", "def load(", "def read_cache(", "class Error(ValueError):",
                 "def kind(self) -> Literal['liquid', 'gas']:", "Pa·s"):
        assert line in stub, line
    compile(stub, "_purl.pyi", "exec")
    for name in module.__all__:
        assert hasattr(module, name)
