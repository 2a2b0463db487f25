"""Caches in use: verified by re-simulation, branched, retimed, converted, and their integrity when the
disk fails."""
import json
import os
import re
import shutil
import signal
import subprocess
import time

import numpy
import pytest

import purl as purlModule
from tinyScene import paddleScene, tinyScene


def manifestOf(folder):
    return json.loads((folder / "manifest.json").read_text())


def test_theManifestIsAReceipt(purl, scene):
    purl("sim", scene(tinyScene(frames=2)), "-o", "cache", "--set", "water.viscosity=2")
    manifest = manifestOf(purl.folder / "cache")
    assert manifest["toolVersion"].startswith("purl ") and manifest["metersPerUnit"] == 0.01 and manifest["fps"] == 24
    assert manifest["assignments"] == ["water.viscosity=2"]
    assert any("viscosity = 2" in line for line in manifest["parameters"])
    attributes = {(entry["content"], entry["name"]): (entry["type"], entry["meaning"]) for entry in manifest["attributes"]}
    assert attributes["points", "position"] == ("float32[3]", "point")
    assert attributes["points", "id"] == ("int64", "id")
    assert attributes["mesh", "velocity"] == ("float32[3]", "vector")
    for frame in manifest["frames"]:
        assert all(file["receipt"]["bytes"] > 0 and len(file["receipt"]["hash"]) == 16 for file in frame["files"])


def test_verifyRunsTheSceneAgain(purl, scene):
    path = scene(tinyScene(frames=4, surface=False))
    purl("sim", path, "-o", "cache", "--set", "water.viscosity=2", "--threads", "2")
    assert "3 frames, identical when simulated again" in purl("verify", "cache", "--rerun", "3")
    # A mismatching receipt is detected.
    text = (purl.folder / "cache" / "manifest.json").read_text()
    manifest = manifestOf(purl.folder / "cache")
    manifest["frames"][2]["stateHash"] = "0123456789abcdef"
    (purl.folder / "cache" / "manifest.json").write_text(json.dumps(manifest))
    assert "was changed after it was written" in purl.run("verify", "cache", "--rerun", "4").stderr
    # A manifest without its own hash is accepted, like one from an earlier version.
    del manifest["manifestVersion"], manifest["manifestHash"]
    (purl.folder / "cache" / "manifest.json").write_text(json.dumps(manifest))
    done = purl.run("verify", "cache", "--rerun", "4")
    assert done.returncode == 2 and "frame 3 was 0123456789abcdef" in done.stderr
    (purl.folder / "cache" / "manifest.json").write_text(text)
    path.write_text(path.read_text() + "// changed\n")
    assert f"{path} has changed since" in purl.refuses("verify", "cache", "--rerun", "4")


def test_aBranchComputesOnlyWhatIsNew(purl, scene, hashes):
    path = scene(paddleScene(keyed=True, frames=10))
    purl("sim", path, "-o", "cache", "--checkpoints", "4", "--format", "mcx")
    states = {int(file.stem) for file in (purl.folder / "cache" / "state").iterdir()}
    assert states == {1, 5, 9, 10}  # every fourth frame from the first, and the last
    done = purl.run("sim", path, "-o", "cache", "--branch", "thick", "--from", "7", "--set", "water.viscosity=9")
    assert done.returncode == 0, done.stderr
    assert "continuing from frame 5" in done.stderr and "frame 5:" not in done.stderr and "frame 7:" in done.stderr
    main, branch = hashes(purl.folder / "cache"), hashes(purl.folder / "cache" / "branches" / "thick")
    assert sorted(main) == list(range(1, 11)) and sorted(branch) == [7, 8, 9, 10]
    assert all(branch[number] != main[number] for number in branch)
    # The same as changing the attribute during playback.
    sim = purlModule.load(path)
    for number in range(1, 7):
        sim.frame(number)
    sim.set("water.viscosity", 9)
    assert [sim.frame(number).hash for number in (7, 8, 9, 10)] == [branch[number] for number in (7, 8, 9, 10)]
    # A branch reads as a complete cache, and can be verified, re-run and resumed.
    folder = purl.folder / "cache" / "branches" / "thick"
    cache = purlModule.read_cache(folder)
    assert cache.numbers == list(range(1, 11))
    assert cache.frame(3).hash == main[3] and cache.frame(8).hash == branch[8]
    purl("verify", folder)
    assert "10 frames, identical when simulated again" in purl("verify", folder, "--rerun", "10")
    before = branch
    purl("sim", path, "-o", "cache", "--branch", "thick", "--from", "7", "--set", "water.viscosity=9", "--frames", "1-8", "--force")
    purl("sim", path, "-o", "cache", "--branch", "thick", "--from", "7", "--set", "water.viscosity=9", "--resume")
    assert hashes(folder) == before


def test_infoShowsTheTree(purl, scene):
    path = scene(tinyScene(frames=4, surface=False))
    purl("sim", path, "-o", "cache", "--checkpoints", "1", "--format", "mcx")
    purl("sim", path, "-o", "cache", "--branch", "honey", "--from", "3", "--set", "water.viscosity=9")
    purl("sim", path, "-o", "cache", "--branch", "moon", "--from", "4", "--set", "solver.gravity=1.6")
    text = purl("info", "cache")
    assert "branch honey: from frame 3, 2 frames, water.viscosity=9" in text
    assert "branch moon: from frame 4, 1 frames, solver.gravity=1.6" in text
    assert "branch of ../.. from frame 3" in purl("info", "cache/branches/honey")
    assert "letters, digits" in purl.refuses("sim", path, "-o", "cache", "--branch", "../up", "--from", "3")


def test_convertWritesOtherFormats(purl, scene, hashes):
    purl("sim", scene(tinyScene(frames=3)), "-o", "cache")
    for formats in ("abc", "bgeo", "usda", "mcc,ply", "mcx,obj"):
        out = formats.replace(",", "_")
        purl("convert", "cache", out, "--format", formats)
        assert hashes(purl.folder / out) == hashes(purl.folder / "cache")
        purl("verify", out)
        one, other = (purlModule.read_cache(purl.folder / folder).frame(2) for folder in ("cache", out))
        assert numpy.array_equal(one.points.positions, other.points.positions)
        assert numpy.array_equal(one.points.ids, other.points.ids)
        assert numpy.array_equal(one.meshes[0].positions, other.meshes[0].positions)
    purl("convert", "cache", "all.abc")
    assert (purl.folder / "all.abc").stat().st_size > 10000
    assert "use a folder" in purl.refuses("convert", "cache", "all.ply")
    assert "is the source cache itself" in purl.refuses("convert", "cache", "cache")


def test_aMovedCacheFindsItsScene(purl, scene):
    (purl.folder / "shot" / "scenes").mkdir(parents=True)
    path = scene(tinyScene(frames=2), "shot/scenes/tiny.ma")
    purl("sim", path, "-o", "shot/out/cache")
    manifest = manifestOf(purl.folder / "shot" / "out" / "cache")
    assert manifest["scenePath"] == str(path) and manifest["sceneRelative"] == "../../scenes/tiny.ma"
    shutil.move(purl.folder / "shot", purl.folder / "moved")
    assert "2 frames, identical when simulated again" in purl("verify", "moved/out/cache", "--rerun", "2")
    assert purlModule.read_cache(purl.folder / "moved/out/cache").scene == str(purl.folder / "moved/scenes/tiny.ma")
    assert "was not found" not in purl.run("render", "moved/out/cache", "--size", "64x64", "--frames", "1").stderr
    # The cache alone: the absolute path still leads to the scene.
    shutil.move(purl.folder / "moved", purl.folder / "shot")
    shutil.move(purl.folder / "shot/out/cache", purl.folder / "cache")
    assert purlModule.read_cache(purl.folder / "cache").scene == str(path)


def test_channelsAreChosen(purl, scene, hashes):
    path = scene(tinyScene(frames=3, surface=False))
    purl("sim", path, "-o", "all", "--format", "mcx")
    purl("sim", path, "-o", "few", "--format", "mcx", "--channels", "velocity,age")
    assert hashes(purl.folder / "few") == hashes(purl.folder / "all")
    purl("verify", "few")
    all_, few = (purlModule.read_cache(purl.folder / name).frame(3).points for name in ("all", "few"))
    assert {a.name for a in few.attributes} == {"position", "id", "velocity", "age"} < {a.name for a in all_.attributes}
    for channel in ("positions", "ids", "velocities", "ages"):
        assert numpy.array_equal(getattr(few, channel), getattr(all_, channel))
    # What a mcx of few channels still has to have for an nParticle.
    description = (purl.folder / "few" / "water.xml").read_text()
    assert set(re.findall(r'ChannelName="water_(\w+)"', description)) == {"count", "position", "id", "velocity", "age",
                                                                         "birthTime", "lifespanPP"}
    sizes = [(purl.folder / name / "waterFrame3.mcx").stat().st_size for name in ("few", "all")]
    assert sizes[0] < 0.55 * sizes[1]
    # A run continues with the channels it began with; copies keep them.
    assert "its channels are velocity,age" in purl.refuses("sim", path, "-o", "few", "--format", "mcx", "--resume")
    purl("convert", "few", "copy")
    assert manifestOf(purl.folder / "copy")["channels"] == ["velocity", "age"]
    purl("convert", "all", "positions", "--channels", "position")
    assert {a.name for a in purlModule.read_cache(purl.folder / "positions").frame(3).points.attributes} == {"position", "id"}
    complaint = purl.refuses("sim", path, "-o", "none", "--channels", "speed")
    assert 'unknown channel "speed"' in complaint and "velocity" in complaint and "wallOffset" in complaint


def test_purlCacheHasChannels(purl, scene):
    text = tinyScene(frames=1, surface=False, extra="""createNode purlCache -n "cache";
	setAttr ".channels" -type "string" "density";
connectAttr "solver.outFrame" "cache.inFrame";
""")
    purl("sim", scene(text), "-o", "cache", "--format", "mcx")
    assert manifestOf(purl.folder / "cache")["channels"] == ["density"]


def filesOf(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("command", [["convert", "{source}", "{out}"], ["foam", "{source}", "-o", "{out}"]])
def test_whatACacheIsMadeFromIsNeverEmptied(purl, scene, command):
    path = scene(tinyScene(frames=4, surface=False))
    purl("sim", path, "-o", "cache", "--format", "mcx")
    for name in ("honey", "moon"):
        purl("sim", path, "-o", "cache", "--branch", name, "--from", "3", "--set", "water.viscosity=9")
    before = filesOf(purl.folder / "cache")
    honey, moon = "cache/branches/honey", "cache/branches/moon"
    for source, out in ((honey, "cache"), ("cache", honey), (honey, honey), (honey, moon), (honey, "cache/branches/../")):
        complaint = purl.refuses(*(word.format(source=source, out=out) for word in command))
        assert "choose another folder" in complaint
        assert filesOf(purl.folder / "cache") == before, (source, out)


def test_aTargetStaysUntilAllFramesAreKnownToBeThere(purl, scene):
    path = scene(tinyScene(frames=4, surface=False))
    purl("sim", path, "-o", "cache", "--format", "mcx")
    purl("convert", "cache", "target")
    before = filesOf(purl.folder / "target")
    assert "has no frame 5" in purl.refuses("convert", "cache", "target", "--frames", "3-6")
    assert "has no frame 0" in purl.refuses("convert", "cache", "target", "--frames", "0-2")
    (purl.folder / "cache" / "waterFrame4.mcx").unlink()
    assert "waterFrame4.mcx" in purl.refuses("convert", "cache", "target", "--speed", "0.5")
    assert "waterFrame4.mcx" in purl.refuses("foam", "cache", "-o", "target")
    assert filesOf(purl.folder / "target") == before


def test_convertRetimes(purl, scene):
    purl("sim", scene(tinyScene(frames=5, surface=False)), "-o", "cache", "--format", "mcx")
    purl("convert", "cache", "slow", "--speed", "0.5")
    cache, slow = (purlModule.read_cache(purl.folder / name) for name in ("cache", "slow"))
    assert slow.numbers == list(range(1, 10))
    for number in range(1, 6):
        assert numpy.array_equal(slow.frame(2 * number - 1).points.positions, cache.frame(number).points.positions)
        assert numpy.allclose(slow.frame(2 * number - 1).points.velocities, 0.5 * cache.frame(number).points.velocities)
    purl("convert", "cache", "fine", "--fps", "48")
    fine = purlModule.read_cache(purl.folder / "fine")
    assert fine.fps == 48 and fine.numbers == list(range(1, 10))
    # Half-way: cubic interpolation between the two frames.
    a, b = cache.frame(2).points, cache.frame(3).points
    middle = (a.positions + b.positions) / 2 + (a.velocities - b.velocities) / 24 / 8
    assert numpy.allclose(fine.frame(4).points.positions, middle, atol=1e-3)


def test_aFolderThatIsGoneIsNamed(purl, scene):
    run = purl.start("sim", scene(tinyScene(frames=400, surface=False)), "-o", "cache", "--format", "mcx")
    cache = purl.folder / "cache"
    for _ in range(2000):
        if (cache / "manifest.json").exists() and len(manifestOf(cache)["frames"]) >= 3:
            break
        time.sleep(0.01)
    os.rename(cache, purl.folder / "moved")
    _, text = run.communicate(timeout=60)
    assert run.returncode == 2
    complaint = text.splitlines()[-1]
    # Either a file in it or the folder itself, whichever is written next.
    assert re.search(r"\bcache[/:]", complaint) and "its folder does not exist" in complaint
    # The written frames are complete, and the run continues from there.
    moved = purl.folder / "moved"
    frames = int(re.search(r"(\d+) frames at", purl("info", "moved"))[1])
    assert frames >= 3
    done = purl.run("sim", "tiny.ma", "-o", "moved", "--format", "mcx", "--frames", f"1-{frames + 2}", "--resume")
    assert done.returncode == 0, done.stderr
    assert f"{frames + 2} frames, all files intact" in purl("verify", "moved")


def test_aFullDiskIsNamedAndTheRunGoesOnLater(purl, scene, hashes):
    """A full disk, emulated by a file size limit that a frame fits in and a state does not."""
    path = scene(tinyScene(frames=3, surface=False))
    purl("sim", path, "-o", "whole", "--format", "mcx")
    size = (purl.folder / "whole" / "waterFrame1.mcx").stat().st_size
    limited = ["bash", "-c", f"ulimit -f {size // 2 // 1024}; exec \"$0\" \"$@\"", purl.program]
    done = subprocess.run([*limited, "sim", str(path), "-o", "cache", "--format", "mcx"], cwd=purl.folder, text=True,
                          capture_output=True, timeout=60)
    assert done.returncode == 2, done.stderr
    complaint = done.stderr.splitlines()[-1]
    assert "cache/waterFrame1.mcx: cannot write" in complaint and "--resume" in complaint
    assert not list((purl.folder / "cache").glob("*.part")) and manifestOf(purl.folder / "cache")["frames"] == []
    purl("sim", path, "-o", "cache", "--format", "mcx", "--resume")
    assert hashes(purl.folder / "cache") == hashes(purl.folder / "whole")


def test_aFolderThatMayNotBeWrittenIsNamed(purl, scene):
    path = scene(tinyScene(frames=1, surface=False))
    if os.geteuid() == 0:
        complaint = purl.refuses("sim", path, "-o", "/proc/purl")  # not writable even for root
        assert "/proc/purl: cannot make this folder" in complaint
        return
    shut = purl.folder / "shut"
    shut.mkdir(mode=0o500)
    assert "choose a folder that you may write to" in purl.refuses("sim", path, "-o", "shut")


def test_killedWhileWritingBehindItResumesToTheSameBits(purl, scene, hashes):
    """Frames are written behind the simulation; at any time the listed ones are complete and resumable."""
    path = scene(tinyScene(frames=12, surface=False))
    purl("sim", path, "-o", "unbroken", "--format", "abc")
    for delay in (0.05, 0.15, 0.3):
        shutil.rmtree(purl.folder / "cache", ignore_errors=True)
        run = purl.start("sim", path, "-o", "cache", "--format", "abc")
        time.sleep(delay)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        if (purl.folder / "cache" / "manifest.json").exists():
            left, whole = hashes(purl.folder / "cache"), hashes(purl.folder / "unbroken")
            assert left == {number: whole[number] for number in left}
        purl("sim", path, "-o", "cache", "--format", "abc", "--resume")
        assert hashes(purl.folder / "cache") == hashes(purl.folder / "unbroken")
        purl("verify", "cache")
