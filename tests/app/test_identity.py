"""A run's identity: a cache is resumed, branched and re-run only with the inputs of its own run."""
import json
import re
import shutil
from pathlib import Path

import pytest

import purl as purlModule
from tinyScene import HEAD, cube, paddleScene, tinyScene

SCENES = Path(__file__).resolve().parents[2] / "scenes"


def manifestOf(folder):
    return json.loads((folder / "manifest.json").read_text())


def filesOf(folder):
    """Every file below a folder, with content and time."""
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


# ---- what a run is ------------------------------------------------------------------------------------------------


def test_theManifestNamesTheRunAndItsFiles(purl, scene):
    path = scene(tinyScene(frames=2, surface=False))
    purl("sim", path, "-o", "cache", "--set", "water.viscosity=2")
    purl("sim", path, "-o", "other", "--set", "water.viscosity=3")
    manifest = manifestOf(purl.folder / "cache")
    assert len(manifest["identity"]) == 16 and manifest["identity"] != manifestOf(purl.folder / "other")["identity"]
    assert manifest["solver"] == "solver"
    assert [(file["use"], file["path"]) for file in manifest["inputs"]] == [("scene", str(path))]
    assert manifest["inputs"][0]["receipt"]["bytes"] == path.stat().st_size
    assert manifest["identity"] in purl("info", "cache")
    sim = purlModule.load(path, set={"water.viscosity": 2}, threads=1)
    assert sim.identity == purlModule.read_cache(purl.folder / "cache").identity == manifest["identity"]


def test_whereASceneLiesAndHowItIsSimulatedIsNoPartOfTheRun(purl, scene, hashes):
    path = scene(tinyScene(frames=3, surface=False))
    purl("sim", path, "-o", "cache", "--frames", "1-2", "--threads", "1", "--set", "solver.threads=1")
    (purl.folder / "elsewhere").mkdir()
    moved = path.rename(purl.folder / "elsewhere" / "renamed.ma")
    purl("sim", moved, "-o", "cache", "--threads", "2", "--resume")
    assert sorted(hashes(purl.folder / "cache")) == [1, 2, 3]


# ---- resuming as another run --------------------------------------------------------------------------------------


@pytest.mark.parametrize("then, now, words", [
    ([], ["--set", "water.viscosity=9"], "water.viscosity=9 was not set then"),
    (["--set", "water.viscosity=9"], [], "water.viscosity=9 was set then"),
    (["--format", "mcx"], ["--format", "mcx,ply"], "its formats are mcx"),
])
@pytest.mark.parametrize("frames", ["1-2", "1-4"])
def test_anotherRunIsRefusedBeforeAnythingIsSimulated(purl, scene, then, now, words, frames):
    """Also if the whole range already exists."""
    path = scene(tinyScene(frames=2, surface=False))
    purl("sim", path, "-o", "cache", *then)
    before = filesOf(purl.folder / "cache")
    done = purl.run("sim", path, "-o", "cache", "--frames", frames, *now, "--resume")
    assert done.returncode == 2, done.stderr
    assert words in done.stderr.splitlines()[-1] and "frame 3:" not in done.stderr
    assert filesOf(purl.folder / "cache") == before


def test_theOtherSolverOfASceneIsAnotherRun(purl, scene):
    second = """createNode purlSolver -n "second";
connectAttr "water.outBody" "second.bodies[0]";
connectAttr ":time1.o" "second.currentTime";
"""
    path = scene(tinyScene(frames=2, surface=False, extra=second))
    purl("sim", path, "-o", "cache", "--solver", "second")
    assert "second was simulated then, not solver" in purl.refuses("sim", path, "-o", "cache", "--solver", "solver", "--resume")
    assert "2 frames, identical when simulated again" in purl("verify", "cache", "--rerun", "2")


def knitScene(chart):
    """A swatch in still air, knitted from a chart."""
    return HEAD + f"""createNode transform -n "sheet";
createNode mesh -n "sheetShape" -p "sheet";
createNode polyPlane -n "sheetPlane";
	setAttr ".w" 6;
	setAttr ".h" 6;
	setAttr ".sw" 3;
	setAttr ".sh" 3;
createNode purlKnit -n "swatch";
	setAttr ".pattern" -type "string" "{chart}";
createNode purlSolver -n "solver";
connectAttr "sheetPlane.out" "sheetShape.i";
connectAttr "sheetShape.w" "swatch.inMesh";
connectAttr "swatch.outBody" "solver.bodies[0]";
connectAttr ":time1.o" "solver.currentTime";
"""


def meshSequenceScene(files):
    """A block of water above a floor that comes from files."""
    floor = f"""createNode transform -n "floor";
createNode mesh -n "floorShape" -p "floor";
createNode purlMeshSequence -n "floorFiles";
	setAttr ".file" -type "string" "{files}";
createNode purlCollider -n "floorSolid";
connectAttr ":time1.o" "floorFiles.currentTime";
connectAttr "floorFiles.outMesh" "floorShape.i";
connectAttr "floorShape.w" "floorSolid.inMesh";
connectAttr "floorSolid.outBody" "solver.bodies[2]";
"""
    return tinyScene(frames=4, surface=False, extra=floor)


def writeFloor(path, height):
    path.write_text(f"v -20 {height} -8\nv 20 {height} -8\nv 20 {height} 8\nv -20 {height} 8\nf 1 4 3 2\n")


def withChart(purl, scene):
    chart = purl.folder / "swatch.chart"
    chart.write_text("k k\nk p\n")
    return scene(knitScene(chart)), chart, "swatch.pattern", lambda: chart.write_text("k p\np k\n")


def withMeshes(purl, scene):
    for number in range(1, 6):
        writeFloor(purl.folder / f"floor.{number:04d}.obj", 0.1 * number)
    last = purl.folder / "floor.0005.obj"
    return scene(meshSequenceScene("floor.####.obj")), last, "floorFiles.file", lambda: writeFloor(last, 3)


def withInitialState(purl, scene):
    plain = scene(tinyScene(frames=3, surface=False), "plain.ma")
    purl("sim", plain, "-o", "before", "--checkpoints", "1")
    state = purl.folder / "start.purl"
    shutil.copy(purl.folder / "before" / "state" / "2.purl", state)
    path = scene(tinyScene(frames=4, surface=False, extra=f'setAttr "solver.initialState" -type "string" "{state}";\n'))
    return path, state, "solver.initialState", lambda: shutil.copy(purl.folder / "before" / "state" / "3.purl", state)


@pytest.mark.parametrize("prepare", [withChart, withMeshes, withInitialState])
def test_aFileThatTheSceneReadsBelongsToTheRun(purl, scene, prepare):
    path, file, use, change = prepare(purl, scene)
    purl("sim", path, "-o", "cache", "--frames", "1-2", "--checkpoints", "1")
    inputs = manifestOf(purl.folder / "cache")["inputs"]
    assert (use, str(file)) in [(entry["use"], entry["path"]) for entry in inputs]
    purl("sim", path, "-o", "cache", "--frames", "1-3", "--resume")
    assert "3 frames, identical when simulated again" in purl("verify", "cache", "--rerun", "3")
    change()
    before = filesOf(purl.folder / "cache")
    for frames in ("1-3", "1-4"):
        assert f"{file} has changed since" in purl.refuses("sim", path, "-o", "cache", "--frames", frames, "--resume")
    assert f"{file} has changed since" in purl.refuses("verify", "cache", "--rerun", "3")
    assert f"{file} has changed since" in purl.refuses("sim", path, "-o", "cache", "--branch", "b", "--from", "3")
    assert filesOf(purl.folder / "cache") == before
    file.unlink()
    assert "existed then, but does not now" in purl.refuses("sim", path, "-o", "cache", "--resume") or prepare is withMeshes


def test_aMeshAddedToASequenceIsNamed(purl, scene):
    path = withMeshes(purl, scene)[0]
    purl("sim", path, "-o", "cache", "--frames", "1-2")
    writeFloor(purl.folder / "floor.0006.obj", 1)
    assert "floor.0006.obj was not read then" in purl.refuses("sim", path, "-o", "cache", "--resume")
    (purl.folder / "floor.0006.obj").unlink()
    (purl.folder / "floor.0005.obj").unlink()
    assert "floor.0005.obj was read then" in purl.refuses("sim", path, "-o", "cache", "--resume")


# ---- states -------------------------------------------------------------------------------------------------------


def test_aStateOfAnEarlierRunIsNotUsed(purl, scene, hashes):
    path = scene(tinyScene(frames=5, surface=False))
    options = ["--checkpoints", "1", "--set", "water.viscosity=8"]
    purl("sim", path, "-o", "whole", *options)
    purl("sim", path, "-o", "old", "--checkpoints", "1")
    purl("sim", path, "-o", "cache", *options, "--frames", "1-3")
    # As left by a run killed after frame 3 was listed and before its state was written.
    shutil.copy(purl.folder / "old" / "state" / "3.purl", purl.folder / "cache" / "state" / "3.purl")
    done = purl.run("sim", path, "-o", "cache", *options, "--resume")
    assert done.returncode == 0 and "3.purl: is the state" in done.stderr and "after frame 2" in done.stderr, done.stderr
    assert hashes(purl.folder / "cache") == hashes(purl.folder / "whole")


def test_aDamagedStateIsPassedOverForTheOneBefore(purl, scene, hashes):
    path = scene(tinyScene(frames=5, surface=False))
    purl("sim", path, "-o", "whole", "--checkpoints", "1")
    purl("sim", path, "-o", "cache", "--checkpoints", "1", "--frames", "1-3")
    last = purl.folder / "cache" / "state" / "3.purl"
    data = bytearray(last.read_bytes())
    data[len(data) // 2] ^= 1
    last.write_bytes(data)
    (purl.folder / "cache" / "state" / "2.purl").write_bytes(b"")
    done = purl.run("sim", path, "-o", "cache", "--checkpoints", "1", "--resume")
    assert done.returncode == 0, done.stderr
    assert "3.purl: " in done.stderr and "2.purl: " in done.stderr and "resuming after frame 1" in done.stderr
    assert hashes(purl.folder / "cache") == hashes(purl.folder / "whole")


def test_framesBeforeThoseOfTheCacheAreSimulated(purl, scene, hashes):
    path = scene(tinyScene(frames=5, surface=False))
    purl("sim", path, "-o", "whole")
    purl("sim", path, "-o", "cache", "--frames", "3-4")
    purl("sim", path, "-o", "cache", "--frames", "1-5", "--resume")
    assert hashes(purl.folder / "cache") == hashes(purl.folder / "whole")


def test_packingIsFinishedWhereNothingIsLeftToSimulate(purl, scene, hashes):
    path = scene(tinyScene(frames=3, surface=False))
    purl("sim", path, "-o", "one", "--format", "mcx", "--one-file")
    purl("sim", path, "-o", "cache", "--format", "mcx")
    purl("sim", path, "-o", "cache", "--format", "mcx", "--one-file", "--resume")
    assert [file.name for file in (purl.folder / "cache").glob("*.mcx")] == ["water.mcx"]
    assert (purl.folder / "cache" / "water.mcx").read_bytes() == (purl.folder / "one" / "water.mcx").read_bytes()
    assert "3 frames" in purl("verify", "cache")


# ---- branches -----------------------------------------------------------------------------------------------------


BRANCH = ["--branch", "honey", "--from", "4", "--set", "water.viscosity=8"]


def test_aBranchWithoutAStateYetStartsAgainFromItsParent(purl, scene, hashes):
    path = scene(paddleScene(keyed=True, frames=6))
    purl("sim", path, "-o", "cache", "--checkpoints", "2")
    purl("sim", path, "-o", "cache", *BRANCH)
    branch = purl.folder / "cache" / "branches" / "honey"
    whole = hashes(branch)
    purl("sim", path, "-o", "cache", *BRANCH, "--frames", "1-4", "--force")
    shutil.rmtree(branch / "state")  # as left by a run killed before its first state was written
    done = purl.run("sim", path, "-o", "cache", *BRANCH, "--resume")
    assert done.returncode == 0 and "nothing to resume from" in done.stderr, done.stderr
    assert hashes(branch) == whole
    assert "6 frames, identical when simulated again" in purl("verify", branch, "--rerun", "6")


def test_anotherBranchIsNotResumed(purl, scene):
    path = scene(paddleScene(keyed=True, frames=5))
    purl("sim", path, "-o", "cache")
    purl("sim", path, "-o", "cache", *BRANCH)
    before = filesOf(purl.folder / "cache")
    other = [word.replace("=8", "=9") for word in BRANCH]
    assert "water.viscosity=9 was not set then" in purl.refuses("sim", path, "-o", "cache", *other, "--resume")
    other = [word.replace("4", "3") for word in BRANCH]
    assert "at a different frame" in purl.refuses("sim", path, "-o", "cache", *other, "--resume")
    assert filesOf(purl.folder / "cache") == before


def test_aBranchOfABranchTakesEachChangeAtItsFrame(purl, scene, hashes):
    """Also if the first branch has no checkpoint: its parent's settings hold until it begins."""
    path = scene(paddleScene(keyed=True, frames=7))
    purl("sim", path, "-o", "cache", "--format", "mcx")
    purl("sim", path, "-o", "cache", *BRANCH)
    honey = purl.folder / "cache" / "branches" / "honey"
    shutil.rmtree(honey / "state")
    shutil.rmtree(purl.folder / "cache" / "state")
    purl("sim", path, "-o", honey, "--branch", "moon", "--from", "6", "--set", "solver.gravity=1.6")
    sim = purlModule.load(path)
    expected = {}
    for number in range(1, 8):
        if number == 4:
            sim.set("water.viscosity", 8)
        if number == 6:
            sim.set("solver.gravity", 1.6)
        expected[number] = sim.frame(number).hash
    assert hashes(honey / "branches" / "moon") == {number: expected[number] for number in (6, 7)}
    assert "7 frames, identical when simulated again" in purl("verify", honey / "branches" / "moon", "--rerun", "7")


def test_aBranchKnowsWhenItsParentBecomesAnotherRun(purl, scene):
    path = scene(tinyScene(frames=5, surface=False))
    purl("sim", path, "-o", "cache", "--format", "mcx")
    purl("sim", path, "-o", "cache", *BRANCH)
    branch = purl.folder / "cache" / "branches" / "honey"
    purl("sim", path, "-o", "cache", "--format", "mcx", "--force")
    assert purlModule.read_cache(branch).frame(2).hash, "the same run again is the same parent"
    purl("sim", path, "-o", "cache", "--format", "mcx", "--force", "--set", "solver.gravity=1.6")
    cache = purlModule.read_cache(branch)
    with pytest.raises(purlModule.Error, match="is a branch of a different run"):
        cache.frame(2)
    assert cache.frame(4).hash
    done = purl.run("verify", branch)
    assert done.returncode == 2 and "is a branch of a different run" in done.stderr


def test_aCacheOfAnEarlierVersionIsReadButNotContinued(purl, scene):
    """Version 0.1.0 had no hash of the manifest in its first caches; without these lines, edits are accepted."""
    path = scene(tinyScene(frames=2, surface=False))
    purl("sim", path, "-o", "cache", "--frames", "1")
    manifest = purl.folder / "cache" / "manifest.json"
    lines = manifest.read_text().splitlines()
    lines = [line for line in lines if '"manifestVersion"' not in line and '"manifestHash"' not in line]
    text = re.sub(r'"toolVersion": "purl [0-9.]+"', '"toolVersion": "purl 0.1.0"', "\n".join(lines))
    manifest.write_text(re.sub(r",\s*}\s*$", "\n}\n", text))
    now = purl("--version").strip()
    assert "written by purl 0.1.0" in purl("info", "cache")
    purl("verify", "cache")
    purl("convert", "cache", "converted", "--format", "bgeo")
    why = f"it was made by purl 0.1.0, this is purl {now}"
    assert purl.refuses("sim", path, "-o", "cache", "--resume") == \
        f"cache: belongs to a different run: {why}; run without --resume to start again"
    assert purl.refuses("verify", "cache", "--rerun", "1") == f"cache: cannot be reproduced: {why}; simulate it again"
