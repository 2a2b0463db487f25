"""Scenes in plain Python as files: caches, .ma scenes, surfaces, and animated meshes from OBJ, PLY and Alembic files."""
import json
import math

import numpy
import pytest

import purl as module  # `purl` is the fixture that runs the command


def damBreak(spacing=0.03):
    water = module.Fluid("water", [module.box((0.15, 0.18, 0.15), (-0.12, 0.09, 0))], particle_spacing=spacing)
    tank = module.Collider("tank", shape="box", container=True, half_size=(0.2, 0.2, 0.08))
    tank.position = (0, 0.2, 0)
    return module.Scene([water], [tank])


def writeObj(path, height, size=10.0):
    """A square of four vertices and one face, in cm."""
    corners = [(-size, -size), (-size, size), (size, size), (size, -size)]
    path.write_text("".join(f"v {x} {height} {z}\n" for x, z in corners) + "f 1 2 3 4\n")


@pytest.fixture
def risingPlate(tmp_path):
    """plate.0001.obj … 0013.obj: a plate that rises by 1 cm a frame."""
    for frame in range(1, 14):
        writeObj(tmp_path / f"plate.{frame:04d}.obj", frame)
    return tmp_path / "plate.####.obj"


def test_aSceneIsCachedInAllFormats(tmp_path, purl):
    scene = damBreak()
    cache = scene.write_cache(tmp_path / "out" / "dam", last_frame=4, format="mcx,ply,abc,usda,obj,bgeo,vdb", threads=1)
    assert cache.numbers == [1, 2, 3, 4] and cache.verify() == []
    frame = cache.frame(4)
    assert len(frame.points) == 5 * 6 * 5 and any(mesh.name == "water" for mesh in frame.meshes), "with its surface"
    for ending in ("mcx", "ply", "abc", "usda", "obj", "bgeo", "vdb"):
        assert list((tmp_path / "out" / "dam").glob(f"*.{ending}")), ending
    # The scene beside it plays the same frames.
    assert module.load(tmp_path / "out" / "dam.ma").frame(4).hash == frame.hash
    assert "re-simulated" in purl("verify", "out/dam", "--rerun", "4") or cache.identity
    again = module.load(tmp_path / "out" / "dam.ma", threads=2).write_cache(tmp_path / "again", frames=(2, 3))
    assert again.numbers == [2, 3] and again.frame(3).hash == cache.frame(3).hash


def test_theSavedSceneIsTheSceneThatWasBuilt(tmp_path):
    scene = damBreak()
    live = module.Simulator(threads=1)
    live.reset(scene)
    frame = live.advance_to(scene, 6 / 24)
    scene.save(tmp_path / "dam.ma", last_frame=24)
    sim = module.load(tmp_path / "dam.ma", threads=1)
    assert sim.range == (1, 24) and sim.fps == 24 and sim.notes == []
    saved = sim.frame(7)
    sent = sim.scene
    assert sent.fluids[0].particle_spacing == pytest.approx(0.03) and sent.colliders[0].half_size == pytest.approx((0.2, 0.2, 0.08))
    # Centimetres and metres round differently; after six frames of splashing the mean still agrees to a hundredth of a spacing.
    assert saved.points.positions.mean(axis=0) / 100 == pytest.approx(frame.points.positions.mean(axis=0), abs=3e-4)


def test_everyKindOfBodyIsSaved(tmp_path):
    u, w = numpy.meshgrid(numpy.linspace(0, 0.2, 5), numpy.linspace(0, 0.2, 5), indexing="ij")
    sheet = numpy.stack([u.ravel(), 0 * u.ravel() + 1, w.ravel()], axis=1).astype(numpy.float32)
    corner = (numpy.arange(4)[:, None] * 5 + numpy.arange(4)).ravel()
    faces = numpy.stack([corner, corner + 1, corner + 6, corner + 5], axis=1).astype(numpy.int32)
    pins = [1.0] * 5 + [0.0] * 20
    towel = module.Cloth("towel", sheet, faces, pins=pins, preset="denim")
    towel.mass_map = [2.0] * 25
    towel.pores = module.Pores(absorption="soak", porosity=0.6)
    towel.attach_to, towel.attached_vertices = "ball", [0, 1]
    scarf = module.Knit("scarf", sheet + numpy.float32((1, 0, 0)), faces, pins=pins, motion="simulated", preset="chunky")
    cube = module.box((0.1, 0.1, 0.1), (0, 2, 0))
    jelly = module.SoftBody("jelly", cube.vertices, cube.triangles, spacing=0.05, preset="jelly")
    jet = module.Emitter("jet", rate=0.2, end_time=0.5)
    jet.position, jet.axes = (0.5, 1, 0.25), ((0, 1, 0), (-1, 0, 0), (0, 0, 1))
    hose = module.Emitter("hose", shape="curve", rate=0.1)
    hose.curve = [(0, 3, 0), (0.1, 3, 0), (0.2, 3.1, 0)]
    water = module.Fluid("water", emitters=[jet, hose], preset="mucus", color=(0.2, 0.4, 0.1))
    ball = module.Collider("ball", module.box((0.2, 0.2, 0.2), (0, 1, 0)), shape="mesh")
    crate = module.Collider("crate", shape="box", motion="dynamic", half_size=(0.1, 0.1, 0.1), density=300)
    crate.position = (3, 3, 0)
    wind = module.Field("wind", magnitude=3, direction=(1, 0, 0))
    scene = module.Scene([water], [ball, crate], [wind], [towel], [jelly], [scarf])
    scene.solver.gravity = 5
    scene.fps = 30
    scene.save(tmp_path / "all.ma", last_frame=3)
    sim = module.load(tmp_path / "all.ma", threads=1)
    assert sim.notes == [] and sim.fps == 30
    sim.frame(1)
    sent = sim.scene
    assert sent.solver.gravity == 5
    cloth, knit, soft, fluid = sent.cloths[0], sent.knits[0], sent.soft_bodies[0], sent.fluids[0]
    assert numpy.allclose(cloth.points, sheet, atol=1e-6) and cloth.pins == pins and cloth.mass_map == towel.mass_map
    assert cloth.density == pytest.approx(towel.density) and cloth.pores.porosity == pytest.approx(0.6)
    assert (cloth.attach_to, cloth.attached_vertices) == ("ball", [0, 1])
    assert knit.stitch_width == pytest.approx(scarf.stitch_width) and knit.motion == "simulated"
    assert soft.spacing == pytest.approx(0.05) and soft.stiffness == pytest.approx(jelly.stiffness)
    assert fluid.viscosity == pytest.approx(water.viscosity) and fluid.color == pytest.approx((0.2, 0.4, 0.1))
    read = {emitter.name: emitter for emitter in fluid.emitters}
    assert read["jet"].position == pytest.approx((0.5, 1, 0.25)) and read["jet"].rate == pytest.approx(0.2)
    assert numpy.allclose(read["jet"].axes, jet.axes, atol=1e-6)
    assert numpy.allclose(read["hose"].curve, hose.curve, atol=1e-6)
    colliders = {collider.name: collider for collider in sent.colliders}
    assert colliders["crate"].motion == "dynamic" and colliders["crate"].position == pytest.approx((3, 3, 0))
    assert numpy.allclose(colliders["ball"].mesh.vertices.min(axis=0), (-0.1, 0.9, -0.1), atol=1e-6)
    assert sent.fields[0].magnitude == pytest.approx(3) and sent.fields[0].direction == pytest.approx((1, 0, 0))
    assert len(sim.frame(3).curves) == 1


@pytest.mark.parametrize("name", ["my water", "1st", "tank"])
def test_aNameThatNoNodeCanHaveIsRefused(tmp_path, name):
    scene = damBreak()
    scene.fluids[0].name = name
    with pytest.raises(module.Error, match=name):
        scene.save(tmp_path / "dam.ma")


def test_aSequenceMovesAColliderInPlainPythonAndInTheSavedScene(risingPlate, tmp_path):
    files = module.MeshSequence(risingPlate)
    assert files.frames == list(range(1, 14))
    assert files.at(2.5).vertices[:, 1] == pytest.approx(0.025)
    assert files.at(-3).vertices[:, 1] == pytest.approx(0.01) and files.at(99).vertices[:, 1] == pytest.approx(0.13)
    plate = module.Collider("plate", files)
    ball = module.Collider("ball", shape="sphere", radius=0.03, motion="dynamic", density=500)
    ball.position = (0, 0.05, 0)
    scene = module.Scene(colliders=[plate, ball])
    simulator = module.Simulator(threads=1)
    simulator.reset(scene)
    frame = simulator.advance_to(scene, 12 / 24)
    assert plate.mesh.vertices[:, 1] == pytest.approx(0.13)
    assert frame.rigids[0].position[1] > 0.13, "the plate lifts the ball"
    cache = scene.write_cache(tmp_path / "lift", last_frame=13, threads=1)
    assert cache.frame(13).rigids[0].position[1] / 100 == pytest.approx(frame.rigids[0].position[1], abs=2e-3)
    text = (tmp_path / "lift.ma").read_text()
    assert '"plate.####.obj"' in text, "the files are relative to the scene"


def test_aKnitAndAClothFollowFiles(tmp_path, risingPlate):
    knit = module.Knit("swatch", module.MeshSequence(risingPlate), stitch_width=0.02, stitch_height=0.02)
    cloth = module.Cloth("rag", module.MeshSequence(risingPlate, meters_per_unit=0.02), pins=[1, 1, 0, 0])
    assert cloth.points[:, 0].max() == pytest.approx(0.2)
    scene = module.Scene(knits=[knit], cloths=[cloth])
    simulator = module.Simulator(threads=1)
    before = simulator.reset(scene).curves[0].positions.copy()
    frame = simulator.advance_to(scene, 6 / 24)
    assert numpy.allclose(frame.curves[0].positions - before, (0, 0.06, 0), atol=1e-5)
    assert frame.meshes[0].positions[:2, 1] == pytest.approx(0.14)
    scene.save(tmp_path / "follow.ma", last_frame=13)
    saved = module.load(tmp_path / "follow.ma", threads=1).frame(7)
    assert saved.meshes[0].positions[:2, 1] == pytest.approx(14, abs=1e-3)
    assert numpy.allclose(saved.curves[0].positions / 100, frame.curves[0].positions, atol=1e-5)


def test_alembicAndPlyMoveMeshesToo(tmp_path, purl):
    """A cache of a falling cloth, written as Alembic and PLY, moves a collider."""
    points = numpy.array([(0, 1, 0), (0.4, 1, 0), (0.4, 1, 0.4), (0, 1, 0.4)], numpy.float32)
    cloth = module.Cloth("rag", points, numpy.array([(0, 3, 2, 1)], numpy.int32))
    cache = module.Scene(cloths=[cloth]).write_cache(tmp_path / "rag", last_frame=5, format="abc,ply", one_file=True, threads=1)
    heights = [cache.frame(n).meshes[0].positions[:, 1].mean() / 100 for n in range(1, 6)]
    assert heights[4] < heights[0] - 0.01
    archive, = (tmp_path / "rag").glob("*.abc")
    for files in (module.MeshSequence(archive), module.MeshSequence(tmp_path / "rag" / "rag.####.ply")):
        assert files.frames == [1, 2, 3, 4, 5]
        assert [files.at(n).vertices[:, 1].mean() for n in range(1, 6)] == pytest.approx(heights, abs=1e-5)
    scene = module.Scene(colliders=[module.Collider("falling", module.MeshSequence(archive, item="rag"), shape="mesh")])
    scene.save(tmp_path / "played.ma", last_frame=5)
    sim = module.load(tmp_path / "played.ma")
    sim.frame(5)
    assert sim.scene.colliders[0].mesh.vertices[:, 1].mean() == pytest.approx(heights[4], abs=1e-5)
    with pytest.raises(module.Error, match="rag.abc: has no mesh towel; it has rag"):
        module.MeshSequence(archive, item="towel").at(1)
    with pytest.raises(module.Error, match="gone.####.obj: not found"):
        module.MeshSequence(tmp_path / "gone.####.obj")
    with pytest.raises(module.Error, match="is neither .obj nor .ply, nor a cache"):
        module.MeshSequence(tmp_path / "played.ma")


def test_framesAreMeshedAndWrittenOneByOne(tmp_path):
    scene = damBreak()
    simulator = module.Simulator(threads=1)
    frame = simulator.reset(scene)
    assert not frame.meshes
    meshed = frame.with_surfaces(resolution=1)
    surface, = meshed.meshes
    corners = surface.positions[surface.triangles].astype(float)
    volume = numpy.einsum("ij,ij->i", corners[:, 0], numpy.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume == pytest.approx(150 * 0.03**3, rel=0.1)
    assert len(frame.with_surfaces(resolution=2).meshes[0].triangles) > 2 * len(surface.triangles)
    meshed.write(tmp_path / "water.obj")
    assert (tmp_path / "water.obj").read_text().count("\nv ") >= len(surface.positions) - 1
    with pytest.raises(module.Error, match="extension|format"):
        meshed.write(tmp_path / "water.xyz")
    with module.CacheWriter(tmp_path / "dam", format="ply,abc", fps=48) as writer:
        for number in range(1, 4):
            writer.write(number, simulator.advance_to(scene, (number - 1) / 48).with_surfaces(resolution=1))
    cache = module.read_cache(tmp_path / "dam")
    assert cache.numbers == [1, 2, 3] and cache.fps == 48 and cache.meters_per_unit == 1 and cache.verify() == []
    assert cache.frame(3).hash == simulator.state_hash
    with pytest.raises(module.Error, match="the cache is closed"):
        writer.write(4, frame)


def test_theCommandRunsFromPython(tmp_path, purl, monkeypatch, purlProgram):
    monkeypatch.setenv("PURL_BIN", purlProgram)
    damBreak().write_cache(tmp_path / "dam", last_frame=2, threads=1)
    module.render(tmp_path / "dam", frames=2, size="96x54", out=tmp_path / "pictures")
    assert (tmp_path / "pictures" / "0002.png").exists()
    assert "2 frames" in module.command("verify", tmp_path / "dam")
    with pytest.raises(module.Error, match="^unknown command|^nothing"):
        module.command("unravel")
    with pytest.raises(module.Error, match="gone"):
        module.render(tmp_path / "gone")


def test_aKilledCacheLeavesCompleteFrames(tmp_path):
    """Ctrl-C is covered by test_scene; here an exception from on_progress stops the run."""
    scene = damBreak()
    scene.save(tmp_path / "dam.ma", last_frame=6)
    sim = module.load(tmp_path / "dam.ma", threads=1)

    def stop(time, until, particles):
        if time > 2.5 / 24:
            raise RuntimeError("enough")

    sim.on_progress = stop
    with pytest.raises(RuntimeError, match="enough"):
        sim.write_cache(tmp_path / "dam")
    numbers = [frame["number"] for frame in json.loads((tmp_path / "dam" / "manifest.json").read_text())["frames"]]
    assert numbers == [1, 2, 3] and math.isfinite(module.read_cache(tmp_path / "dam").frame(3).stats.max_speed)
