"""Scenes built in plain Python, and the Simulator that plays them."""
import gc
import os
import re
import signal
import threading
import time
import weakref

import numpy
import pytest

import purl


def damBreak(spacing=0.02):
    """A block of water at one end of a tank, in metres."""
    water = purl.Fluid("water", [purl.box((0.16, 0.2, 0.16), (-0.12, 0.1, 0))], particle_spacing=spacing, viscosity=1.5,
                       stiffness=60)
    tank = purl.Collider("tank", shape="box", container=True, half_size=(0.2, 0.2, 0.08))
    tank.position = (0, 0.2, 0)
    return purl.Scene([water], [tank])


def play(scene, threads=1, frames=4):
    simulator = purl.Simulator(threads=threads)
    simulator.reset(scene)
    return [simulator.advance_to(scene, (i + 1) / 24).hash for i in range(frames)]


def test_aDamBreaksInPlainPython():
    scene = damBreak()
    simulator = purl.Simulator(threads=1)
    start = simulator.reset(scene)
    assert start.time == 0 and len(start.points) == 8 * 10 * 8
    first = start.points.positions.copy()
    for i in range(12):
        frame = simulator.advance_to(scene, (i + 1) / 24)
    x, y, z = frame.points.positions.T
    # The water spreads along the tank, sinks, and stays inside.
    assert x.max() > first[:, 0].max() + 0.05 and y.mean() < first[:, 1].mean()
    assert abs(x).max() < 0.2001 and y.min() > -1e-4 and abs(z).max() < 0.0801
    assert frame.stats.steps > 0 and frame.stats.max_speed > 0.1
    assert "findNeighbors" in simulator.timings and simulator.state_hash == frame.hash
    assert (frame.bodies[0].name, frame.bodies[0].kind) == ("water", "liquid")


def test_framesAreTheSameForAnyNumberOfThreads():
    scene = damBreak()
    assert play(scene, threads=1) == play(scene, threads=2) == play(scene, threads=3)


def test_channelsAreReadOnlyViewsThatKeepTheFrameAlive():
    simulator = purl.Simulator(threads=1)
    frame = simulator.reset(damBreak())
    points = frame.points
    for name in ("positions", "velocities", "accelerations", "normals"):
        channel = getattr(points, name)
        assert channel.shape == (640, 3) and channel.dtype == numpy.float32
    for name, kind in (("ids", numpy.int64), ("bodies", numpy.int32), ("densities", numpy.float32),
                       ("pressures", numpy.float32), ("radii", numpy.float32), ("ages", numpy.float32)):
        channel = getattr(points, name)
        assert channel.shape == (640,) and channel.dtype == kind
    positions = points.positions
    assert not positions.flags.owndata and not positions.flags.writeable
    assert positions.__array_interface__["data"][0] == frame.points.positions.__array_interface__["data"][0]
    with pytest.raises(ValueError):
        positions[0] = 0
    before = positions.copy()
    del frame, points
    simulator.advance_to(damBreak(), 0.1)
    del simulator
    gc.collect()
    assert (positions == before).all()
    assert list(purl.Simulator(threads=1).reset(damBreak()).points.ids) == list(range(640))


def test_oldFramesStayAsTheyWere():
    scene, simulator = damBreak(), purl.Simulator(threads=1)
    first = simulator.advance_to(scene, 1 / 24)
    positions, receipt = first.points.positions.copy(), first.hash
    simulator.advance_to(scene, 2 / 24)
    assert (first.points.positions == positions).all() and first.hash == receipt


def test_parametersAreDeclaredOnce():
    for node, owner in (("purlFluid", purl.Fluid("a")), ("purlEmitter", purl.Emitter("a")),
                        ("purlCollider", purl.Collider("a")), ("purlField", purl.Field("a"))):
        rows = [row for row in next(n for n in purl.describe() if n["name"] == node)["attributes"] if row["use"] == "setting"]
        for row in rows:
            if row["name"] == "preset":  # specific to the node: in Python it is a keyword of the constructor
                continue
            name = re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", row["name"]).lower()
            value = getattr(owner, name)
            doc = getattr(type(owner), name).__doc__
            # Lengths are in centimetres in the node, in metres in Python.
            meters = 0.01 if row["unit"] == "cm" else 1
            assert doc.startswith(row["sentence"]) and ("m" if row["unit"] == "cm" else row["unit"]) in doc
            if row["type"] in ("float", "distance", "int"):
                assert value == pytest.approx(meters * float(row["default"]), rel=1e-5)
            if row["type"] == "enum":
                assert value == row["default"]
                for choice in row["choices"]:
                    setattr(owner, name, choice)
                    assert getattr(owner, name) == choice


def test_namesAsInMayaAreDeprecated():
    with pytest.warns(DeprecationWarning, match="brook: particleSpacing is now particle_spacing"):
        water = purl.Fluid("brook", particleSpacing=0.01)
    with pytest.warns(DeprecationWarning, match="particleSpacing is now particle_spacing"):
        assert water.particleSpacing == water.particle_spacing
    with pytest.warns(DeprecationWarning):
        water.particleSpacing = 0.03
    assert water.particle_spacing == pytest.approx(0.03)
    with pytest.raises(purl.Error, match='brook: has no setting "spacing"; the settings are .*particle_spacing'):
        purl.Fluid("brook", spacing=1)


def test_formerValuesSelectTheirReferenceVariant():
    water = purl.Fluid("brook")
    with pytest.warns(DeprecationWarning, match="brook: tensionModel colorNormals is deprecated; set referenceTension to colorNormals"):
        water.tension_model = "colorNormals"
    assert (water.tension_model, water.reference_tension) == ("cohesion", "colorNormals")
    with pytest.warns(DeprecationWarning, match="set referenceAbsorption to pores"):
        assert purl.Pores(absorption="pores").reference_absorption == "pores"
    with pytest.raises(purl.Error, match='solver is "magic", must be xpbd, implicitEuler, velocityVerlet or directional'):
        purl.Cloth("flag", numpy.eye(3, dtype=numpy.float32), numpy.array([(0, 1, 2)], numpy.int32), solver="magic")


def test_describeKnowsEveryNode():
    names = [node["name"] for node in purl.describe()]
    assert {"purlFluid", "purlEmitter", "purlCollider", "purlField", "purlSolver", "purlPoints", "purlSurface",
            "purlCache", "purlRigid"} <= set(names)


@pytest.mark.parametrize("wrong", [-1, 2e6, float("nan"), float("inf")])
def test_aValueOutOfRangeIsRefusedByName(wrong):
    water = purl.Fluid("brook")
    with pytest.raises(purl.Error, match="brook: viscosity") as error:
        water.viscosity = wrong
    assert isinstance(error.value, ValueError)
    assert water.viscosity == purl.Fluid("another").viscosity
    with pytest.raises(purl.Error, match="brook: viscosity"):
        purl.Fluid("brook", viscosity=wrong)


def test_wrongNamesAndKindsAreRefused():
    water = purl.Fluid("brook")
    with pytest.raises(purl.Error, match='kind is "plasma", must be liquid or gas'):
        water.kind = "plasma"
    with pytest.raises(purl.Error, match='no setting "viscocity"; the settings are .*viscosity'):
        purl.Fluid("brook", viscocity=1)
    with pytest.raises(AttributeError):
        water.viscocity = 1
    with pytest.raises(TypeError, match="viscosity"):
        water.viscosity = "thick"
    with pytest.raises(TypeError):
        water.color = (1, 2)
    with pytest.raises(purl.Error, match="color is 2"):
        water.color = (0, 1, 2)
    with pytest.raises(TypeError, match="purl.Fluid expected"):
        purl.Scene([1]).check()
    with pytest.raises(purl.Error, match="two bodies"):
        purl.Scene([purl.Fluid("a"), purl.Fluid("a")]).check()
    with pytest.raises(purl.Error, match="rock: mesh has no faces"):
        purl.Simulator().reset(purl.Scene(colliders=[purl.Collider("rock")]))
    with pytest.raises(purl.Error, match="vertex 7 of 3"):
        purl.Mesh(numpy.zeros((3, 3)), numpy.array([[0, 1, 7]]))


def test_listsAndMeshesStayTheUsersOwn():
    scene = damBreak()
    water = scene.fluids[0]
    for i in range(100):
        scene.fluids.append(purl.Fluid(f"drop{i}"))
    water.viscosity = 7
    assert scene.fluids[0].viscosity == 7 and len(scene.fluids) == 101
    collider = purl.Collider("rock", mesh=purl.box((1, 1, 1)))
    vertices = collider.mesh.vertices
    vertices += 1
    assert collider.mesh.vertices.min() == pytest.approx(0.5)
    collider.mesh = purl.box((2, 2, 2))
    assert vertices.max() == pytest.approx(1.5)  # the view keeps the old mesh alive
    assert collider.mesh.vertices.max() == pytest.approx(1)


def test_presetsGiveTheirMaterials():
    assert "mucus" in purl.presets()["fluid"] and set(purl.presets()) == {"fluid", "cloth", "knit", "soft_body"}
    mucus = purl.Fluid("slime", preset="mucus", particle_spacing=0.05)
    assert mucus.viscosity != purl.Fluid("a").viscosity and mucus.particle_spacing == pytest.approx(0.05)
    assert purl.Fluid("thin", preset="mucus", viscosity=3).viscosity == 3, "other keywords have priority"
    water = purl.Fluid("a", particle_spacing=0.05)
    water.apply_preset("mucus")
    assert water.viscosity == mucus.viscosity and water.particle_spacing == pytest.approx(0.05)
    with pytest.raises(purl.Error, match="mucus"):
        purl.Fluid("a", preset="mucous")
    points, faces = numpy.eye(3, dtype=numpy.float32), numpy.array([(0, 1, 2)], numpy.int32)
    for kind, body in (("cloth", purl.Cloth), ("soft_body", purl.SoftBody)):
        for name in purl.presets()[kind]:
            by_name, applied = body("a", points, faces, preset=name), body("a", points, faces)
            applied.apply_preset(name)
            assert by_name.density == applied.density


def test_aMovedColliderPushes():
    scene = damBreak()
    plate = purl.Collider("plate", mesh=purl.box((0.02, 0.4, 0.16), (-0.25, 0.2, 0)))
    scene.colliders.append(plate)
    still, pushed = purl.Simulator(threads=1), purl.Simulator(threads=1)
    still.reset(scene)
    pushed.reset(scene)
    for i in range(6):
        calm = still.advance_to(scene, (i + 1) / 24)
    for i in range(6):
        plate.mesh.vertices[:, 0] += 0.025
        stirred = pushed.advance_to(scene, (i + 1) / 24)
    assert stirred.points.positions[:, 0].mean() > calm.points.positions[:, 0].mean() + 0.02


def test_anEmitterFillsAndAFieldPushes():
    tap = purl.Emitter("tap", rate=2, speed=1, radius=0.04)
    tap.position = (0, 0.5, 0)
    tap.axes = ((0, 0, 1), (1, 0, 0), (0, 1, 0))  # it emits along its y axis, which is the world's x axis
    wind = purl.Field("wind", magnitude=5, direction=(0, 0, 1))
    scene = purl.Scene([purl.Fluid("water", emitters=[tap])], fields=[wind])
    simulator = purl.Simulator(threads=1)
    frame = simulator.advance_to(scene, 0.25)
    assert len(frame.points) * 0.02**3 * 1000 == pytest.approx(0.5, rel=0.1)  # litres
    velocity = frame.points.velocities.mean(axis=0)
    assert velocity[0] > 0.5 and velocity[1] < 0 and velocity[2] > 0.2
    assert frame.points.ages.max() <= 0.25 and (frame.points.ages >= 0).all()


def test_aSavedStateGoesOnWithTheSameBits(tmp_path):
    scene = damBreak()
    unbroken = purl.Simulator(threads=1)
    for i in range(4):
        last = unbroken.advance_to(scene, (i + 1) / 24)
        if i == 1:
            unbroken.save_state(tmp_path / "two.purl")
    resumed = purl.Simulator(threads=2)
    assert resumed.restore(tmp_path / "two.purl", scene).time == pytest.approx(2 / 24)
    resumed.advance_to(scene, 3 / 24)
    assert resumed.advance_to(scene, 4 / 24).hash == last.hash
    with pytest.raises(purl.Error, match="nowhere"):
        resumed.restore(tmp_path / "nowhere.purl", scene)


def test_twoSimulatorsTakeTurnsAndRunSideBySide():
    thin, thick = damBreak(), damBreak()
    thick.fluids[0].viscosity = 8
    alone = [play(thin), play(thick)]
    a, b = purl.Simulator(threads=1), purl.Simulator(threads=2)
    turns = [(a.advance_to(thin, (i + 1) / 24).hash, b.advance_to(thick, (i + 1) / 24).hash) for i in range(4)]
    assert [list(hashes) for hashes in zip(*turns)] == alone
    results = [None, None]

    def work(which, scene):
        results[which] = play(scene)

    threads = [threading.Thread(target=work, args=item) for item in ((0, thin), (1, thick))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == alone


def test_progressIsReportedAndMayRaise():
    scene, simulator, reported = damBreak(), purl.Simulator(threads=1), []
    simulator.on_progress = lambda time, until, particles: reported.append((time, until, particles))
    frame = simulator.advance_to(scene, 0.05)
    assert len(reported) == frame.stats.steps and reported[-1] == (pytest.approx(0.05), 0.05, 640)

    def refuse(*_):
        raise KeyError("enough")

    simulator.on_progress = refuse
    with pytest.raises(KeyError, match="enough"):
        simulator.advance_to(scene, 0.1)
    assert simulator.time == pytest.approx(0.05) and simulator.state_hash == frame.hash
    simulator.on_progress = lambda *_: simulator.advance_to(scene, 1)
    with pytest.raises(purl.Error, match="busy"):
        simulator.advance_to(scene, 0.1)
    simulator.on_progress = None
    assert simulator.advance_to(scene, 0.1).time == pytest.approx(0.1)


def test_ctrlCStopsSoonAndLeavesTheLastWholeState():
    # Python installs no handler if the parent process ignores the signal, as shells do for background jobs.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    scene, simulator = damBreak(spacing=0.01), purl.Simulator(threads=1)
    simulator.reset(scene)
    before = simulator.state_hash
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        simulator.advance_to(scene, 1000)  # takes hours
    assert simulator.state_hash == before and simulator.time == 0
    signal.signal(signal.SIGINT, handler)


def test_otherThreadsRunWhileItSteps():
    scene, simulator = damBreak(spacing=0.01), purl.Simulator(threads=1)
    counted = []
    worker = threading.Thread(target=lambda: simulator.advance_to(scene, 0.05))
    worker.start()
    while worker.is_alive():
        counted.append(1)
        time.sleep(0.01)
    worker.join()
    assert len(counted) > 3


def test_cyclesThroughCallbacksAndListsAreCollected():
    class Witness:
        pass

    witness = Witness()
    gone = weakref.ref(witness)
    simulator = purl.Simulator(threads=1)
    simulator.on_progress = lambda *_: (simulator, witness)
    scene = purl.Scene()
    scene.fluids.append(scene)
    scene.fluids.append(witness)
    del simulator, scene, witness
    gc.collect()
    assert gone() is None


def test_aRigidBodyReportsItsPose():
    crate = purl.Collider("crate", shape="box", motion="dynamic", half_size=(0.1, 0.1, 0.1))
    crate.position = (0, 2, 0)
    scene = purl.Scene(colliders=[crate])
    scene.solver.sub_steps = 10
    sim = purl.Simulator(threads=1)
    sim.reset(scene)
    body, = sim.advance_to(scene, 0.25).rigids
    assert body.name == "crate" and numpy.allclose(body.axes, numpy.eye(3))
    dt = 0.25 / 10
    assert body.position[1] == pytest.approx(2 - 9.81 * 0.25**2 / 2, abs=1.001 * 9.81 * 0.25 * dt / 2)


def test_aSoftBodyFallsHangsAndIsLetGo():
    grid = numpy.stack(numpy.meshgrid(*[numpy.arange(4)] * 3), axis=-1).reshape(-1, 3) * 0.1
    body = purl.SoftBody("jelly", grid.astype(numpy.float32), spacing=0.1, freeze=True)
    body.apply_preset("jelly")
    body.damping = 0  # it would also slow the fall
    scene = purl.Scene(soft_bodies=[body])
    simulator = purl.Simulator(threads=1)
    simulator.reset(scene)
    hanging = simulator.advance_to(scene, 0.25).meshes[0].positions.copy()
    assert numpy.abs(hanging - grid).max() < 1e-5
    body.freeze = False
    fallen = simulator.advance_to(scene, 0.5).meshes[0].positions
    # g t² / 2 after a quarter of a second; time steps of 4 ms add g t h / 2.
    assert numpy.allclose((hanging - fallen)[:, 1], 0.5 * 9.81 * 0.25**2, rtol=0.05)
    with pytest.raises(purl.Error, match="lava"):
        body.apply_preset("lava")


def test_aClothHangsByItsPinsWhichFollowThePoints():
    u, w = numpy.meshgrid(numpy.linspace(0, 0.4, 9), numpy.linspace(0, 0.4, 9), indexing="ij")
    points = numpy.stack([u.ravel(), numpy.zeros(81), w.ravel()], axis=1).astype(numpy.float32)
    corner = (numpy.arange(8)[:, None] * 9 + numpy.arange(8)).ravel()
    faces = numpy.stack([corner, corner + 1, corner + 10, corner + 9], axis=1)
    pins = [1.0 if i < 9 else 0.0 for i in range(81)]
    cloth = purl.Cloth("towel", points, faces, pins=pins, air_drag=0.2)
    cloth.apply_preset("denim")
    assert cloth.density == pytest.approx(0.4, rel=0.5)  # kg/m² of denim; cotton has 0.15
    scene = purl.Scene(cloths=[cloth])
    simulator = purl.Simulator(threads=1)
    simulator.reset(scene)
    cloth.points[:, 0] += 0.1
    hung = simulator.advance_to(scene, 0.5).meshes[0].positions
    assert numpy.abs(hung[:9] - cloth.points[:9]).max() < 1e-6
    assert hung[9:, 1].max() < 0 and hung[:, 1].min() > -0.42  # all points fell, and the cloth did not stretch
    assert len(cloth.pins) == 81
    with pytest.raises(purl.Error, match="cheese"):
        cloth.apply_preset("cheese")
    cloth.mass_map = [1.0] * 80
    with pytest.raises(purl.Error, match="towel"):
        purl.Simulator(threads=1).reset(scene)


def test_yarnFollowsPointsThatAreMoved():
    x, y = numpy.meshgrid(numpy.arange(5.0), numpy.arange(5.0))
    points = 0.01 * numpy.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1).astype(numpy.float32)
    corners = numpy.array([[5 * j + i, 5 * j + i + 1, 5 * j + i + 6, 5 * j + i + 5] for j in range(4) for i in range(4)],
                          dtype=numpy.int32)
    knit = purl.Knit("swatch", points, corners, chart="k p\np k\n", stitch_width=0.005, stitch_height=0.005)
    scene = purl.Scene(knits=[knit])
    simulator = purl.Simulator(threads=1)
    yarn = simulator.reset(scene).curves[0]
    before = yarn.positions.copy()
    assert yarn.name == "swatch" and list(yarn.counts) == [len(before)] and yarn.wales.max() == 7
    knit.points = knit.points + numpy.float32((0, 0, 0.012))
    after = simulator.advance_to(scene, 0.5).curves[0]
    assert numpy.allclose(after.positions, before + (0, 0, 0.012), atol=1e-6)
    assert numpy.allclose(after.velocities, (0, 0, 0.024), atol=1e-5)
    with pytest.raises(purl.Error, match="swatch: the new mesh has 3 points, not 25"):
        knit.points = points[:3]
    knit.pattern = "argyle"
    assert knit.pattern == "argyle"

    hung = purl.Knit("hung", points, corners, pins=[1.0 if y > 0.039 else 0.0 for y in points[:, 1]], motion="simulated")
    assert len(hung.pins) == len(points)
    hung.apply_preset("chunky")
    scene = purl.Scene(knits=[hung])
    start = simulator.reset(scene).curves[0].positions.copy()
    low = simulator.advance_to(scene, 0.25).curves[0].positions
    assert low[:, 1].min() < start[:, 1].min() and abs(low[:, 1].max() - start[:, 1].max()) < 1e-3


def test_aClothMaySoak():
    points = numpy.array([(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)], numpy.float32)
    cloth = purl.Cloth("towel", points, numpy.array([(0, 2, 1), (0, 3, 2)], numpy.int32))
    cloth.pores = purl.Pores(absorption="soak", porosity=0.5)
    assert cloth.pores.porosity == 0.5
    with pytest.raises(purl.Error, match="porosity"):
        purl.Pores(porosity=2)


def test_theHighestSpeedIsThatOfAnythingThatMoves():
    points = numpy.array([(0, 1, 0), (0.1, 1, 0), (0.1, 1, 0.1), (0, 1, 0.1)], numpy.float32)
    cloth = purl.Cloth("rag", points, numpy.array([(0, 1, 2, 3)], numpy.int32), air_drag=0, wind_drag=0)
    frame = purl.Simulator(threads=1).advance_to(purl.Scene(cloths=[cloth]), 0.1)
    assert frame.stats.max_speed == pytest.approx(0.981, rel=0.02)  # g t; the springs are slightly damped
