"""User errors: each ends in one line that says who and what, and never in a crash."""
import json
import os
import subprocess

import pytest

from tinyScene import HEAD, cube, tinyScene


@pytest.mark.parametrize(
    "assignment, words",
    [
        ("watr.viscosity=1", ["watr", "water"]),
        ("water.viscocity=1", ["viscocity", "viscosity"]),
        ("water.viscosity=thick", ["water.viscosity", "thick"]),
        ("water.viscosity=-1", ["viscosity", "-1"]),
        ("water.viscosity=nan", ["viscosity"]),
        ("water.kind=plasma", ["kind", "plasma"]),
        ("water.startVelocity=1 2", ["startVelocity"]),
        ("water.inMesh=1", ["inMesh"]),
        ("water", ["water"]),
        ("=1", ["=1"]),
    ],
)
def test_aWrongAssignmentIsRefusedByName(purl, scene, assignment, words):
    complaint = purl.refuses("sim", scene(tinyScene(frames=1, surface=False)), "-o", "cache", "--set", assignment)
    assert all(word in complaint for word in words), complaint
    assert not (purl.folder / "cache").exists()


# Old scenes store the index, by the long or the short name; scripts and --set also give the name.
@pytest.mark.parametrize("line, options", [('setAttr ".tmdl" 2;', ()), ('setAttr ".tensionModel" 2;', ()), ("", ("--set", "water.tensionModel=colorNormals"))])
def test_aFormerValueSelectsItsReferenceVariantWithOneNote(purl, scene, hashes, line, options):
    text = tinyScene(frames=3, surface=False)
    old = scene(text.replace('setAttr ".stiffness" 60;', f'setAttr ".stiffness" 60; {line}'))
    done = purl.run("sim", old, "-o", "old", *options)
    assert done.returncode == 0, done.stderr
    note = "water: tensionModel colorNormals is deprecated; set referenceTension to colorNormals instead"
    assert (done.stdout + done.stderr).count(note) == 1, done.stderr
    new = purl.run("sim", scene(text), "-o", "new", "--set", "water.referenceTension=colorNormals")
    assert new.returncode == 0 and "deprecated" not in new.stdout + new.stderr, new.stderr
    purl("sim", scene(text), "-o", "standard")
    assert hashes(purl.folder / "old") == hashes(purl.folder / "new") != hashes(purl.folder / "standard")


@pytest.mark.parametrize("frames", ["x", "5-", "9-3", "1-2-3", "1.5"])
def test_wrongFramesAreRefused(purl, scene, frames):
    assert f'"{frames}"' in purl.refuses("sim", scene(tinyScene(frames=1)), "-o", "cache", "--frames", frames)


@pytest.mark.parametrize(
    "arguments, word",
    [
        ([], "subcommand"),
        (["sim"], "scene"),
        (["swim", "a.ma"], "swim"),
        (["sim", "a.ma", "--thread"], "--thread"),
        (["sim", "a.ma", "--threads", "-2"], "-2"),
        (["sim", "a.ma", "--device", "abacus"], "abacus"),
        (["describe", "--json", "--markdown"], "--markdown"),
    ],
)
def test_wrongUseIsToldInOneLine(purl, arguments, word):
    assert word in purl.refuses(*arguments)


def test_helpAndVersionAreNoMistake(purl):
    assert "sim" in purl("--help") and "--resume" in purl("sim", "--help")
    assert purl("--version").strip()[0].isdigit()


def test_aMissingSceneIsNamed(purl):
    assert "nowhere.ma" in purl.refuses("sim", "nowhere.ma")


def test_anEmptyFileIsNoScene(purl, scene):
    assert "empty.ma" in purl.refuses("sim", scene("", "empty.ma"))


def test_aBinaryFileIsNoScene(purl, tmp_path):
    (tmp_path / "binary.ma").write_bytes(bytes(range(256)) * 40)
    assert "binary.ma" in purl.refuses("sim", "binary.ma")


def test_aTruncatedSceneNamesFileAndLine(purl, scene):
    text = tinyScene()
    cut = text.index('setAttr ".stiffness"') + len('setAttr ".stif')
    line = text[:cut].count("\n") + 1
    complaint = purl.refuses("sim", scene(text[:cut], "cut.ma"))
    assert f"cut.ma:{line}" in complaint, complaint


def test_anUnknownNodeIsNotedAndTheRestPlays(purl, scene, hashes):
    extra = """createNode aiStandardSurface -n "shiny";
	setAttr ".base_color" -type "float3" 0.2 0.3 0.4 ;
createNode bifrostGraph -n "other";
connectAttr "shiny.outColor" "other.inColor";
"""
    done = purl.run("sim", scene(tinyScene(frames=2, extra=extra, surface=False)), "-o", "cache")
    assert done.returncode == 0, done.stderr
    assert "aiStandardSurface" in done.stderr and "bifrostGraph" in done.stderr
    purl("sim", scene(tinyScene(frames=2, surface=False), "plain.ma"), "-o", "plain")
    assert hashes(purl.folder / "cache") == hashes(purl.folder / "plain")


def test_meshesWithoutFacesAreNamed(purl, scene):
    extra = """createNode transform -n "nothing";
createNode mesh -n "nothingShape" -p "nothing";
	setAttr -s 3 ".vt[0:2]" 0 0 0 1 0 0 0 1 0;
createNode purlCollider -n "hollow";
connectAttr "nothingShape.w" "hollow.inMesh";
connectAttr "hollow.outBody" "solver.bodies[2]";
"""
    complaint = purl.refuses("sim", scene(tinyScene(extra=extra)), "-o", "cache")
    assert "hollow" in complaint and "no faces" in complaint


def test_aMeshWithNothingInItIsNamed(purl, scene):
    extra = """createNode transform -n "nothing";
createNode mesh -n "nothingShape" -p "nothing";
connectAttr "nothingShape.w" "water.inMesh[1]";
"""
    complaint = purl.refuses("sim", scene(tinyScene(extra=extra)), "-o", "cache")
    assert "nothingShape" in complaint and "no points and no history" in complaint


def test_aMeshOfUnknownHistoryIsNamed(purl, scene):
    extra = cube("rock", (5, 5, 5)).replace('connectAttr "rockCube.out" "rockShape.i";\n', "")
    extra += """createNode polyBevel3 -n "bevel";
createNode purlCollider -n "rockSolid";
connectAttr "rockCube.out" "bevel.ip";
connectAttr "bevel.out" "rockShape.i";
connectAttr "rockShape.w" "rockSolid.inMesh";
connectAttr "rockSolid.outBody" "solver.bodies[2]";
"""
    complaint = purl.refuses("sim", scene(tinyScene(extra=extra)), "-o", "cache")
    assert "rockShape" in complaint and "polyBevel3" in complaint


def test_aSceneWithoutASolverSaysSo(purl, scene):
    assert "purlSolver" in purl.refuses("sim", scene(HEAD + cube("box", (1, 1, 1)), "box.ma"))


def test_ofSeveralSolversOneIsChosen(purl, scene):
    extra = 'createNode purlSolver -n "other";\nconnectAttr ":time1.o" "other.currentTime";\n'
    path = scene(tinyScene(frames=1, extra=extra, surface=False))
    complaint = purl.refuses("sim", path, "-o", "cache")
    assert "--solver" in complaint and "solver" in complaint and "other" in complaint
    purl("sim", path, "-o", "cache", "--solver", "solver")
    assert "third" in purl.refuses("sim", path, "-o", "cache", "--solver", "third")


def test_aSceneWhoseBodiesBlowUpSaysWho(purl, scene):
    path = scene(tinyScene(frames=4, surface=False))
    complaint = purl.refuses("sim", path, "-o", "cache", "--set", "solver.pressureSolver=wcsph", "--set",
                             "water.stiffness=1000000", "--set",
                             "solver.maxTimeStep=0.04", "--set", "water.jitter=0.5")
    assert "water" in complaint and "blew up" in complaint


def test_aFileInTheFoldersPlaceIsRefused(purl, scene):
    (purl.folder / "taken").write_text("mine")
    assert "taken" in purl.refuses("sim", scene(tinyScene(frames=1)), "-o", "taken")
    assert (purl.folder / "taken").read_text() == "mine"


def test_aFolderThatCannotBeWrittenIsRefused(purl, scene):
    path = scene(tinyScene(frames=1))
    if os.geteuid() == 0:  # not writable even for root
        assert "/proc/purl" in purl.refuses("sim", path, "-o", "/proc/purl")
    else:
        (purl.folder / "shut").mkdir(mode=0o500)
        assert "shut" in purl.refuses("sim", path, "-o", "shut/cache")


def test_anUnknownFormatIsRefusedWithThoseThereAre(purl, scene):
    complaint = purl.refuses("sim", scene(tinyScene(frames=1)), "-o", "cache", "--format", "mcx,xyz")
    assert "xyz" in complaint and "ply" in complaint


@pytest.mark.parametrize("command", ["info", "render"])
def test_whatIsNoCacheIsRefused(purl, command):
    (purl.folder / "empty").mkdir()
    assert "empty" in purl.refuses(command, "empty")
    assert "nowhere" in purl.refuses(command, "nowhere")


@pytest.mark.parametrize("command", ["info", "render"])
def test_aBrokenManifestIsRefused(purl, scene, command):
    purl("sim", scene(tinyScene(frames=1, surface=False)), "-o", "cache")
    manifest = purl.folder / "cache" / "manifest.json"
    manifest.write_text(manifest.read_text()[:200])
    assert "manifest.json" in purl.refuses(command, "cache")


def test_verifyCountsAMissingOrBrokenManifestAsAProblem(purl, scene):
    done = purl.run("verify", "nowhere")
    assert done.returncode == 2 and "nowhere" in done.stderr
    purl("sim", scene(tinyScene(frames=1, surface=False)), "-o", "cache")
    manifest = purl.folder / "cache" / "manifest.json"
    manifest.write_text(manifest.read_text()[:200])
    done = purl.run("verify", "cache")
    assert done.returncode == 2 and "manifest.json" in done.stderr


def test_noCudaIsSaidOnAMachineWithoutIt(purl, scene):
    if os.path.exists("/dev/nvidia0"):
        pytest.skip("this machine has a GPU")
    assert "cuda" in purl.refuses("sim", scene(tinyScene(frames=1)), "-o", "cache", "--device", "cuda").lower()


def test_aSceneWrittenAnew(purl, scene):
    purl("edit", scene(tinyScene(frames=1, surface=False)), "--set", "water.viscosity=3", "-o", "thick.ma")
    assert 'createNode purlFluid -n "water"' in (purl.folder / "thick.ma").read_text()
    assert "water" in purl("info", "thick.ma")
    complaint = purl.refuses("edit", "thick.ma", "-o", "no/such/folder/a.ma")
    assert "no/such/folder/a.ma" in complaint and "cannot be written" in complaint


def test_wrongUseSaysOfWhichCommandAndWhereMoreIsTold(purl):
    assert purl.refuses("sim") == "sim: scene is required; see purl sim --help"
    assert purl.refuses("render", "a", "--nonsense").startswith("render: ")
    assert purl.refuses("melt").startswith('unknown command "melt"; available commands: sim, render, view')


def withRange(first, last):
    return tinyScene(frames=2, surface=False).replace("-min 1 -max 2", f"-min {first} -max {last}")


@pytest.mark.parametrize("text, options, words", [
    (tinyScene(frames=2, surface=False), ["--set", "solver.startFrame=1e30"], "solver.startFrame: frames go from -10000000"),
    (tinyScene(frames=2, surface=False), ["--set", "solver.startFrame=-1e30"], "solver.startFrame: frames go from -10000000"),
    (withRange(1, 20000000), [], "playback range: frames go from -10000000"),
    (withRange(-20000000, 1), [], "playback range: frames go from -10000000"),
    (withRange(9, 3), [], "playback range 9 to 3: the last frame is before the first"),
    (tinyScene(frames=2, surface=False), ["--frames", "1-2147483647"], '"1-2147483647": frames go from -10000000'),
    (tinyScene(frames=2, surface=False), ["--frames", "1-99999999999"], '"1-99999999999": frames go from -10000000'),
])
def test_framesBeyondAllBoundsAreRefused(purl, scene, text, options, words):
    assert words in purl.refuses("sim", scene(text), "-o", "cache", *options)
    assert not (purl.folder / "cache").exists()


def test_aFrameOfMinutesIsRefused(purl, scene):
    """Scenes may use Maya's hour as time unit; simulating with it is rejected."""
    text = tinyScene(frames=2, surface=False).replace("-t film", "-t hour")
    assert "the frame rate is not between 0.01 and 100,000" in purl.refuses("sim", scene(text), "-o", "cache")


def test_statisticsThatCannotBeWrittenAreRefusedBeforeTheRun(purl, scene):
    path = scene(tinyScene(frames=1, surface=False))
    assert "nowhere/stats.json: its folder does not exist" in purl.refuses("sim", path, "-o", "cache", "--stats", "nowhere/stats.json")
    assert "is a folder" in purl.refuses("sim", path, "-o", "cache", "--stats", ".")
    assert not (purl.folder / "cache").exists()


def test_namesOfFilesNeedNotBeUtf8(purl, tmp_path):
    name = os.fsdecode(b"w\xe4sser.ma")
    (tmp_path / name).write_text(tinyScene(frames=1, surface=False))
    stats = os.fsdecode(b"st\xe4ts.json")
    done = subprocess.run([purl.program, "sim", name, "-o", os.fsdecode(b"c\xe4che"), "--stats", stats], cwd=tmp_path,
                          capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / stats).read_text())["frames"][0]["particles"] == 640
    assert b"1 frames" in subprocess.run([purl.program, "verify", os.fsdecode(b"c\xe4che")], cwd=tmp_path, capture_output=True).stdout
