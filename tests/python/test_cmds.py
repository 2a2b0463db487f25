"""purl.cmds: the commands of maya.cmds without Maya, including Purl's own."""
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import purl
from purl import cmds

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def emptyScene():
    cmds.file(new=True, force=True)
    yield
    cmds.file(new=True, force=True)


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scenes" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_resultsAreOfMayasTypes():
    assert cmds.polyCube(name="box", w=2) == ["box", "polyCube1"]
    assert cmds.getAttr("box.translate") == [(0.0, 0.0, 0.0)]
    assert cmds.setAttr("box.translate", 1, 2, 3) is None
    assert cmds.getAttr("box.ty") == 2.0 and isinstance(cmds.getAttr("box.ty"), float)
    assert cmds.getAttr("box.visibility") is True
    assert cmds.getAttr("box.rotateOrder") == 0 and cmds.getAttr("box.rotateOrder", asString=True) == "xyz"
    assert cmds.listConnections("persp") is None
    assert cmds.listRelatives("box", shapes=True) == ["boxShape"]
    assert cmds.ls("nobody*") == []
    assert cmds.objExists("box") is True
    assert cmds.currentTime(query=True) == 1.0
    assert len(cmds.xform("box", query=True, matrix=True, worldSpace=True)) == 16
    assert cmds.polyCube("box", query=True, width=True) == 2.0
    assert cmds.ls(type=["mesh", "polyCube"]) == ["boxShape", "polyCube1"]


def test_errorsAreRuntimeErrorsInOneLine():
    with pytest.raises(RuntimeError, match="^createNode: unknown node type purlFliud; did you mean purlFluid[?]$"):
        cmds.createNode("purlFliud")
    with pytest.raises(RuntimeError, match="^polyCube: unknown flag -wdith; did you mean -width[?]$"):
        cmds.polyCube(wdith=3)
    with pytest.raises(AttributeError, match="no command polyKube"):
        cmds.polyKube()
    with pytest.raises(TypeError):
        cmds.polyCube(name=object())


def test_listsOfNumbersFillArrays():
    cmds.createNode("purlCloth", name="towel")
    cmds.setAttr("towel.pins", [0, 0.5, 1], type="doubleArray")
    assert cmds.getAttr("towel.pins") == [0, 0.5, 1]
    np = pytest.importorskip("numpy")
    cmds.setAttr("towel.pins", np.linspace(0, 1, 5).tolist(), type="doubleArray")
    assert len(cmds.getAttr("towel.pins")) == 5


def test_allCommandsAreListed():
    assert {"createNode", "setAttr", "undo", "purlCreate", "purlCacheSim", "purlDescribe"} <= set(dir(cmds))


def test_everyCommandDescribesItself():
    for name in sorted(set(dir(cmds)) - {"help"}):
        text = getattr(cmds, name).__doc__
        assert re.match(rf"{name}: [A-Z].*\.\n", text), name
        assert text == cmds.help(name)
    assert "  width (w) double\n" in cmds.polyCube.__doc__
    text = cmds.help("purlCreate")
    assert text.startswith("purlCreate: Creates a body from the given or selected objects")
    assert "\n  type (typ) string: What to create: fluid" in text and "Works with query." in text
    assert "\n  format (fmt) string: Comma-separated formats: mcx" in cmds.purlCacheSim.__doc__
    with pytest.raises(RuntimeError, match="there is no command purlCraete; did you mean purlCreate[?]"):
        cmds.help("purlCraete")


def test_everyFlagOfPurlsCommandsIsDescribed():
    page = cmds.purlDescribe(commands=True)
    for name in (name for name in dir(cmds) if name.startswith("purl")):
        section = page.split(f"### {name}\n")[1].split("\n### ")[0]
        rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| [\w ]*\| (.+) \|$", section, re.M)
        assert rows and all(sentence.endswith((".", "]")) for _, _, sentence in rows), name
        flags = {line.split()[0] for line in cmds.help(name).splitlines() if line.startswith("  ")}
        assert flags == {row[0] for row in rows}


def test_createWiresLikeStock():
    cmds.polyPlane(name="sheet")
    made = cmds.purlCreate(type="cloth")  # the selection
    assert made == ["purlCloth1", "purlClothMesh1", "outputCloth1"]
    assert cmds.listConnections("purlCloth1.inMesh", shapes=True, plugs=True) == ["sheetShape.worldMesh[0]"]
    assert cmds.getAttr("sheetShape.intermediateObject") is True
    assert cmds.listConnections("purlSolver1.bodies[0]", plugs=True) == ["purlCloth1.outBody"]
    assert cmds.listConnections("purlSolver1.currentTime") == ["time1"]
    assert cmds.listConnections("outputCloth1Shape.inMesh", plugs=True) == ["purlClothMesh1.outMesh"]
    assert "outputCloth1Shape" in cmds.sets("initialShadingGroup", query=True)
    cmds.polySphere(name="ball")
    assert cmds.purlCreate("ball", type="collider", name="stone") == ["stone"]
    assert cmds.listConnections("stone.outBody", plugs=True) == ["purlSolver1.bodies[1]"], "the one solver is joined"
    before = cmds.ls()
    for kind in cmds.purlCreate(query=True, type=True):
        cmds.select("sheet" if kind in ("fluid", "emitter") else "ball")
        made = cmds.purlCreate(type=kind, solver="purlSolver1")
        assert made and all(cmds.objExists(name) for name in made), kind
        cmds.undo()
        assert not cmds.objExists(made[-1]), kind
        cmds.undo()
        assert cmds.ls() == before, kind
    with pytest.raises(RuntimeError, match="^purlCreate: no mesh is selected to be a cloth$"):
        cmds.purlCreate("persp", type="cloth")
    with pytest.raises(RuntimeError, match="^purlCreate: unknown type silk"):
        cmds.purlCreate(type="silk")


def test_jetOnClothFromNothing(tmp_path):
    scene = script("jetOnCloth")
    solver = scene.build()
    assert set(cmds.nodeType(n) for n in cmds.listConnections(solver + ".bodies")) == {"purlCloth", "purlFluid", "purlCollider"}
    directory = str(tmp_path / "cache")
    assert scene.cache(solver, directory, 6) == directory
    assert purl.read_cache(directory).numbers == [1, 2, 3, 4, 5, 6]
    assert purl.read_cache(directory).verify() == []
    # The cache is played instead of simulating.
    player = cmds.listConnections(solver + ".outFrame", type="purlCache")[0]
    assert cmds.purlCacheSim(query=True, directory=True, solver=solver) == directory
    assert cmds.purlCacheSim(query=True, endFrame=True) == 6
    cmds.currentTime(6)
    played = cmds.purlInfo(query=True, hash=True)
    assert cmds.purlInfo(query=True, particles=True) > 0
    output = cmds.listConnections(cmds.ls(type="purlClothMesh")[0] + ".outMesh", shapes=True)[0]
    assert cmds.polyEvaluate(output, vertex=True) == 169
    moved = cmds.exactWorldBoundingBox(output)
    # The liquid's mesh is in the cache too, so changing the surface settings has no effect on it.
    faces = cmds.polyEvaluate("outputFluid1", face=True)
    assert faces > 0
    maker = cmds.ls(type="purlSurface")[0]
    usual = cmds.getAttr(maker + ".resolution")
    cmds.setAttr(maker + ".resolution", usual / 2)
    assert cmds.polyEvaluate("outputFluid1", face=True) == faces
    cmds.setAttr(maker + ".useCached", False)
    assert cmds.polyEvaluate("outputFluid1", face=True) < faces
    cmds.setAttr(maker + ".useCached", True)
    cmds.setAttr(maker + ".resolution", usual)
    # Disabled, it simulates: the same bits.
    cmds.purlCacheSim(edit=True, enable=False)
    assert cmds.purlInfo(query=True, hash=True) == played
    assert cmds.exactWorldBoundingBox(output) == pytest.approx(moved, abs=1e-4)
    assert "towel" in cmds.purlInfo(query=True, bodies=True)
    assert cmds.purlInfo().startswith(solver + ": frame 6")
    # The command line plays the saved scene to the same state.
    path = tmp_path / "jetOnCloth.ma"
    cmds.file(rename=str(path))
    cmds.file(save=True, type="mayaAscii")
    assert purl.load(str(path)).frame(6).hash == played
    cmds.purlCacheSim(edit=True, delete=True)
    assert not cmds.objExists(player)
    cmds.undo()
    assert cmds.objExists(player)


def test_initialStateBeginsWhereItWasKept(tmp_path):
    scene = script("jetOnCloth")
    solver = scene.build()
    cmds.currentTime(4)
    here = cmds.purlInfo(query=True, hash=True)
    cmds.currentTime(6)
    later = cmds.purlInfo(query=True, hash=True)
    cmds.currentTime(4)
    state = str(tmp_path / "rest.purl")
    assert cmds.purlInitialState(setFromCurrent=state) == solver
    assert cmds.purlInitialState(query=True) == state
    cmds.currentTime(1)
    assert cmds.purlInfo(query=True, hash=True) == here
    cmds.currentTime(3)
    assert cmds.purlInfo(query=True, hash=True) == later, "two frames on from there"
    cmds.undo(), cmds.undo()
    cmds.purlInitialState(clear=True)
    cmds.currentTime(4)
    assert cmds.purlInfo(query=True, hash=True) == here


def test_anInitialStateKeptAgainUnderItsNameIsTheNewOne(tmp_path):
    script("jetOnCloth").build()
    state = str(tmp_path / "rest.purl")
    for frame in (3, 2):
        cmds.currentTime(1)
        cmds.currentTime(frame)
        here = cmds.purlInfo(query=True, hash=True)
        cmds.purlInitialState(setFromCurrent=state)
        cmds.currentTime(1)
        assert cmds.purlInfo(query=True, hash=True) == here, frame


def test_aBranchPassesOverStatesThatAreNotItsParents(tmp_path):
    script("jetOnCloth").build()
    directory = tmp_path / "cache"
    cmds.purlCacheSim(directory=str(directory), endFrame=5, checkpoints=1)
    cmds.setAttr("jet.rate", 2)
    # The checkpoint before the branch belongs to another frame, and the one before that is damaged.
    states = directory / "state"
    (states / "3.purl").write_bytes((states / "5.purl").read_bytes())
    (states / "2.purl").write_bytes(b"damaged")
    passed = cmds.purlBranch(name="passed", fromFrame=4, endFrame=5)
    cmds.purlBranch(edit=True, root=True)
    shutil.rmtree(states)
    without = cmds.purlBranch(name="without", fromFrame=4, endFrame=5)
    assert purl.read_cache(passed).frame(5).hash == purl.read_cache(without).frame(5).hash


def test_branchesGoOnOtherwise(tmp_path):
    scene = script("jetOnCloth")
    solver = scene.build()
    directory = str(tmp_path / "cache")
    scene.cache(solver, directory, 5)
    cmds.setAttr("jet.rate", 2)
    folder = cmds.purlBranch(name="more", fromFrame=4, endFrame=5)
    assert cmds.purlCacheSim(query=True, directory=True) == folder
    branch, trunk = purl.read_cache(folder), purl.read_cache(directory)
    assert len(branch.frame(5).points) > len(trunk.frame(5).points)
    assert branch.frame(3).hash == trunk.frame(3).hash, "what was before is the parent's"
    inner = cmds.purlBranch(name="most", fromFrame=5, endFrame=5)
    assert cmds.purlBranch(query=True, list=True) == ["more", "more/most"], "all of the tree, wherever one stands"
    assert cmds.purlBranch(edit=True, root=True) == directory
    assert cmds.purlBranch(edit=True, name="more/most") == inner
    with pytest.raises(RuntimeError, match="there is no branch named mor; available: more, more/most"):
        cmds.purlBranch(edit=True, name="mor")
    cmds.purlBranch(edit=True, root=True)
    with pytest.raises(RuntimeError, match="a branch must start after frame 1"):
        cmds.purlBranch(name="early", fromFrame=1)


def test_exportWritesWhatLeaves(tmp_path):
    scene = script("jetOnCloth")
    scene.build()
    cmds.purlExport(directory=str(tmp_path / "out"), format="ply,abc", startFrame=3, endFrame=4)
    names = sorted(p.name for p in (tmp_path / "out").iterdir())
    assert any(n.endswith("0004.ply") for n in names), names
    with pytest.raises(RuntimeError, match="^purlExport: -directory is required"):
        cmds.purlExport()


def test_scriptRunsOnItsOwn(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "scenes" / "jetOnCloth.py", tmp_path / "out", "2"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "manifest.json").exists()


def tank():
    """Two blocks of liquid side by side in a box, made one after the other."""
    fluids = []
    for name, x in (("red", -5), ("yellow", 5)):
        block = cmds.polyCube(name=name + "Block", width=10, height=10, depth=8)[0]
        cmds.move(x, 5, 0, block)
        fluids.append(cmds.purlCreate(block, type="fluid", name=name)[0])
        cmds.setAttr(fluids[-1] + ".particleSpacing", 1)
    return fluids


def test_liquidsThatMixShareASurfaceByDefault():
    fluids = tank()
    surface, = cmds.ls(type="purlSurface")
    faces = {}
    for dispersion in (0, 0.001):
        for fluid in fluids:
            cmds.setAttr(fluid + ".dispersion", dispersion)
        for together in (0, 1, 2):
            cmds.setAttr(surface + ".together", together)
            faces[dispersion, together] = cmds.polyEvaluate("outputFluid1", face=True)
    apart, joined, automatic = 0, 1, 2
    assert faces[0, joined] < faces[0, apart], "no wall between them"
    assert faces[0, automatic] == faces[0, apart]
    assert faces[0.001, automatic] == faces[0.001, joined] < faces[0.001, apart]


def test_aRigidBodyIsShownWhereItIs():
    ball = cmds.polySphere(name="ball", radius=3)[0]
    cmds.move(2, 20, 0, ball)
    assert cmds.purlCreate(ball, type="rigid", name="stone") == ["stone", "purlRigid1", "outputRigid1"]
    assert cmds.getAttr("stone.motion", asString=True) == "dynamic"
    assert cmds.getAttr("ballShape.intermediateObject") is True
    cmds.currentTime(1)
    assert cmds.exactWorldBoundingBox("outputRigid1") == pytest.approx([-1, 17, -3, 5, 23, 3], abs=1e-5)
    cmds.currentTime(7)
    # A quarter of a second of free fall: g t² / 2 is 30.7 cm, and 35.8 cm in six steps of semi-implicit Euler.
    assert -36 < cmds.getAttr("outputRigid1.translateY") < -30
    assert cmds.getAttr("ball.translateY") == 20, "the rest pose is not driven"
    assert cmds.exactWorldBoundingBox("outputRigid1")[1] == pytest.approx(17 + cmds.getAttr("outputRigid1.translateY"), abs=1e-4)


def test_aColliderBecomesARigidBody():
    ball = cmds.polySphere(name="ball")[0]
    assert cmds.purlCreate(ball, type="collider", name="stone") == ["stone"]
    assert cmds.purlCreate(ball, type="rigid") == ["purlRigid1", "outputRigid1"], "its collider is taken"
    assert cmds.ls(type="purlCollider") == ["stone"] and cmds.getAttr("stone.motion") == 1
    assert cmds.purlCreate("stone", type="rigid") == [], "it is one already"
    cmds.select(clear=True)
    floor = cmds.purlCreate(type="collider", name="crate")[0]
    cmds.setAttr(floor + ".shape", 2)
    made = cmds.purlCreate(floor, type="rigid")
    assert [cmds.nodeType(node) for node in made] == ["purlRigid", "transform"], "a primitive is shown by a locator"
    with pytest.raises(RuntimeError, match="^purlCreate: no mesh or purlCollider is selected to be a rigid body$"):
        cmds.purlCreate("persp", type="rigid")


def test_lengthsAreTheNumbersThatWereTyped():
    cmds.createNode("purlFluid", name="water")
    cmds.createNode("purlCollider", name="wall")
    assert cmds.getAttr("water.particleSpacing") == 2
    assert cmds.getAttr("wall.radius") == 50
