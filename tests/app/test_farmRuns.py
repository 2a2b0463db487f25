"""What a farm needs of the commands: stops on its signals, limits, progress, and paths of other machines."""
import json
import os
import signal
import socket
import subprocess

import pytest

from runs import waitForFrames
from tinyScene import tinyScene

FRAMES = 14


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGUSR1])
def test_aStoppedRunGoesOnWithTheSameBits(purl, scene, hashes, sent):
    path = scene(tinyScene(frames=FRAMES, surface=False))
    purl("sim", path, "-o", "unbroken")
    run = purl.start("sim", path, "-o", "cache", "--resume")
    waitForFrames(run, purl.folder / "cache", 2)
    run.send_signal(sent)
    _, text = run.communicate(timeout=20)
    assert run.returncode == 75, text
    left = hashes(purl.folder / "cache")
    assert 2 <= len(left) < FRAMES
    # The last frame has a checkpoint, so nothing is simulated twice.
    assert (purl.folder / "cache" / "state" / f"{max(left)}.purl").exists()
    resumed = purl.run("sim", path, "-o", "cache", "--resume")
    assert resumed.returncode == 0 and f"resuming after frame {max(left)}" in resumed.stderr, resumed.stderr
    assert hashes(purl.folder / "cache") == hashes(purl.folder / "unbroken")


def test_aSecondTermKillsButOneAfterUsr1DoesNot(purl, scene):
    """Slurm sends USR1, and TERM when the grace time ends: frames that are being written are not lost."""
    path = scene(tinyScene(frames=FRAMES, surface=False))
    run = purl.start("sim", path, "-o", "cache")
    waitForFrames(run, purl.folder / "cache", 1)
    run.send_signal(signal.SIGUSR1)
    run.send_signal(signal.SIGTERM)
    _, text = run.communicate(timeout=20)
    assert run.returncode == 75, text
    purl("verify", "cache")


def test_threadsFollowTheAllocation(purl, purlProgram, scene):
    path = scene(tinyScene(frames=1, surface=False))

    def threads(prefix=(), **variables):
        subprocess.run([*prefix, purlProgram, "sim", path, "-o", "cache", "--force", "--stats", "stats.json", "-q"],
                       cwd=purl.folder, env={**os.environ, **variables}, check=True, timeout=60)
        return json.loads((purl.folder / "stats.json").read_text())["threads"]

    cores = len(os.sched_getaffinity(0))
    first = str(min(os.sched_getaffinity(0)))
    assert threads(SLURM_CPUS_PER_TASK="1") == 1
    assert threads(SLURM_CPUS_PER_TASK="1000") <= cores
    assert threads(["taskset", "-c", first]) == 1


def test_theMemoryLimitRefusesWithTheEstimate(purl, scene):
    path = scene(tinyScene(frames=3, surface=False))
    complaint = purl.refuses("sim", path, "-o", "cache", "--memory-limit", "0.02")
    assert "about 640 particles" in complaint and "--memory-limit 0.02 GB" in complaint
    assert not (purl.folder / "cache").exists()
    purl("sim", path, "-o", "cache", "--memory-limit", "1")


def test_progressForOpenJobDescription(purl, scene):
    path = scene(tinyScene(frames=4, surface=False))
    out = purl("sim", path, "-o", "cache", "--progress", "openjd").splitlines()
    assert [line for line in out if line.startswith("openjd_progress: ")] == [
        f"openjd_progress: {percent}" for percent in ("25.0", "50.0", "75.0", "100.0")]
    assert out[-1].startswith("openjd_status: frame 4 of 4")
    # A resumed run goes on where the first one ended.
    purl("sim", path, "-o", "half", "--frames", "1-2")
    rest = purl("sim", path, "-o", "half", "--frames", "1-4", "--resume", "--progress", "openjd").splitlines()
    assert rest[0] == "openjd_progress: 75.0"
    failed = purl.run("sim", path, "-o", "cache", "--set", "water.nonsense=1", "--progress", "openjd")
    assert failed.returncode == 2
    assert [line for line in failed.stdout.splitlines() if line.startswith("openjd_fail: ") and "nonsense" in line]


def test_progressAsJson(purl, scene, hashes):
    path = scene(tinyScene(frames=3, surface=False))
    events = lines(purl("sim", path, "-o", "cache", "--progress", "json"))
    frames = {event["frame"]: event["hash"] for event in events if event["event"] == "frame"}
    assert frames == hashes(purl.folder / "cache")
    assert events[-1] == {"event": "done", "cache": "cache"}
    events = lines(purl("mesh", "cache", "--frames", "2-3", "--progress", "json", "--scene", scene(tinyScene(frames=3))))
    assert [event["percent"] for event in events[:-1]] == [50, 100] and events[-1]["event"] == "done"
    failed = purl.run("sim", path, "-o", "cache", "--progress", "json")
    assert failed.returncode == 3 and "already contains" in lines(failed.stdout)[-1]["error"]
    assert "openjd nor json" in purl.refuses("sim", path, "--progress", "soon")


def test_notifyRunsACommandAtTheEnd(purl, scene):
    path = scene(tinyScene(frames=2, surface=False))
    command = 'printf "%s|%s|%s\\n" "$PURL_RESULT" "$PURL_CACHE" "$PURL_ERROR" >> told'
    purl("sim", path, "-o", "cache", "--notify", command)
    assert purl.run("sim", path, "-o", "cache", "--resume", "--set", "water.nonsense=1", "--notify", command).returncode == 2
    told = (purl.folder / "told").read_text().splitlines()
    assert told[0] == f"done|{purl.folder / 'cache'}|"
    assert told[1].startswith("failed|") and "nonsense" in told[1]
    done = purl.run("sim", path, "-o", "cache", "--resume", "--notify", "exit 3")
    assert done.returncode == 0 and "warning: --notify" in done.stderr


def test_framesSayWhichMachineAndVersionMadeThem(purl, scene):
    purl("sim", scene(tinyScene(frames=2, surface=False)), "-o", "cache")
    manifest = json.loads((purl.folder / "cache" / "manifest.json").read_text())
    for frame in manifest["frames"]:
        assert frame["machine"] == socket.gethostname() and frame["version"] == manifest["toolVersion"]
    assert manifest["identity"] == json.loads((purl.folder / "cache" / "manifest.json").read_text())["identity"]


def test_pathsOfAnotherMachineAreMapped(purl, scene, hashes):
    """A scene from Windows references another one, on a drive that the farm mounts elsewhere."""
    (purl.folder / "store").mkdir()
    scene(tinyScene(frames=2, surface=False), "store/Inner.ma")
    header = "//Maya ASCII 2022 scene\n"
    reference = 'file -r -ns ":" -dr 1 -rfn "innerRN" -typ "mayaAscii" "{}";\n// End of scene\n'
    here = scene(header + reference.format(purl.folder / "store" / "Inner.ma"), "here.ma")
    there = scene(header + reference.format("Z:/SHOTS/pool/Inner.ma"), "there.ma")
    rules = {"version": "pathmapping-1.0", "path_mapping_rules": [
        {"source_path_format": "WINDOWS", "source_path": "z:\\shots\\pool", "destination_path": str(purl.folder / "store")}]}
    (purl.folder / "rules.json").write_text(json.dumps(rules))
    purl("sim", here, "-o", "wanted", "--frames", "1-2")
    purl("sim", there, "-o", "mapped", "--frames", "1-2", "--path-map", "rules.json")
    assert hashes(purl.folder / "mapped") == hashes(purl.folder / "wanted")
    assert "no purlSolver" in purl.refuses("sim", there, "-o", "lost", "--frames", "1-2")
    (purl.folder / "rules.json").write_text("[]")
    assert "pathmapping-1.0" in purl.refuses("sim", there, "-o", "lost", "--frames", "1-2", "--path-map", "rules.json")


def test_aJobThatMovedToAnotherMachineTakesItsOwnLock(purl, purlProgram, scene):
    path = scene(tinyScene(frames=2, surface=False))
    purl("sim", path, "-o", "cache", "--frames", "1")

    def resumed(job):
        (purl.folder / "cache" / "manifest.lock").write_text("elsewhere 4711 2026-11-01T00:00:00Z slurm-77\n")
        return subprocess.run([purlProgram, "sim", path, "-o", "cache", "--resume"], cwd=purl.folder, capture_output=True,
                              text=True, env={**os.environ, "SLURM_JOB_ID": job}, timeout=60)

    other = resumed("78")
    assert other.returncode == 2 and "process 4711 on elsewhere" in other.stderr
    assert resumed("77").returncode == 0


def test_imagesInChunksEqualThoseOfOneRun(purl, scene):
    path = scene(tinyScene(frames=4))
    purl("sim", path, "-o", "cache")
    purl("render", "cache", "-o", "whole", "--size", "64x48")
    for frames in ("3-4", "1-2"):
        purl("render", "cache", "-o", "chunks", "--size", "64x48", "--frames", frames)
    images = {name: {file.name: file.read_bytes() for file in (purl.folder / name).glob("*.png")} for name in ("whole", "chunks")}
    assert len(images["whole"]) == 4 and images["chunks"] == images["whole"]
