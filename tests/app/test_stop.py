"""Interrupted runs, by Ctrl-C or kill -9: the cache contains complete frames, and --resume gives the same result."""
import signal

import pytest

from runs import waitForFrames
from tinyScene import paddleScene, tinyScene

FRAMES = 14


@pytest.mark.parametrize("oneFile", [False, True])
def test_aKilledRunResumesToTheSameBits(purl, scene, hashes, oneFile):
    # Includes a keyed collider: resuming must know its previous pose.
    path = scene(paddleScene(keyed=True, frames=FRAMES))
    options = ["--threads", "2", "--one-file"] if oneFile else ["--threads", "2"]
    purl("sim", path, "-o", "unbroken", *options)
    run = purl.start("sim", path, "-o", "broken", *options)
    broken = purl.folder / "broken"
    waitForFrames(run, broken, 3)
    run.send_signal(signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL

    left = hashes(broken)
    whole = hashes(purl.folder / "unbroken")
    assert 3 <= len(left) < FRAMES
    assert left == {number: whole[number] for number in left}

    resumed = purl.run("sim", path, "-o", "broken", *options, "--resume")
    assert resumed.returncode == 0 and "resuming after frame" in resumed.stderr, resumed.stderr
    assert "frame 2:" not in resumed.stderr  # nothing is simulated twice except, at most, the last frame
    assert hashes(broken) == whole
    assert f"{FRAMES} frames" in purl("verify", "broken")
    assert not list(broken.rglob("*.part"))


def test_everyFrameListedByAKilledRunIsWhole(purl, scene, hashes):
    path = scene(tinyScene(frames=FRAMES, block=(20, 24, 16)))
    for count in (1, 2, 4):
        run = purl.start("sim", path, "-o", f"cache{count}")
        waitForFrames(run, purl.folder / f"cache{count}", count)
        run.kill()
        run.wait()
        done = purl.run("verify", f"cache{count}")
        # An unfinished frame may leave an unlisted file; every listed one must be intact.
        assert not [line for line in done.stderr.splitlines() if "missing" in line or "changed" in line or "short" in line], done.stderr
        assert len(hashes(purl.folder / f"cache{count}")) >= count


def test_ctrlCStopsSoonAndLeavesAValidCache(purl, scene, hashes):
    path = scene(tinyScene(frames=FRAMES, block=(20, 20, 16), spacing=1, surface=False))
    purl("sim", path, "-o", "unbroken", "--frames", "1-4")
    run = purl.start("sim", path, "-o", "cache", "--frames", "1-4")
    waitForFrames(run, purl.folder / "cache", 2)
    run.send_signal(signal.SIGINT)
    _, text = run.communicate(timeout=60)
    assert run.returncode == 130, text
    assert "cancelled" in text and "--resume" in text
    purl("verify", "cache")
    purl("sim", path, "-o", "cache", "--frames", "1-4", "--resume")
    assert hashes(purl.folder / "cache") == hashes(purl.folder / "unbroken")


def test_resumingAFinishedRunChangesNothing(purl, scene, hashes):
    path = scene(tinyScene(frames=3, surface=False))
    purl("sim", path, "-o", "cache")
    before = hashes(purl.folder / "cache")
    times = {file: file.stat().st_mtime_ns for file in (purl.folder / "cache").glob("*.mcx")}
    purl("sim", path, "-o", "cache", "--resume")
    assert hashes(purl.folder / "cache") == before
    assert {file: file.stat().st_mtime_ns for file in (purl.folder / "cache").glob("*.mcx")} == times


def test_resumingPastTheOldEndGoesOn(purl, scene, hashes):
    path = scene(tinyScene(frames=6, surface=False))
    purl("sim", path, "-o", "whole")
    purl("sim", path, "-o", "cache", "--frames", "1-3")
    purl("sim", path, "-o", "cache", "--resume")
    assert hashes(purl.folder / "cache") == hashes(purl.folder / "whole")


def test_resumingWhereNothingIsStartsAnew(purl, scene, hashes):
    path = scene(tinyScene(frames=2, surface=False))
    done = purl.run("sim", path, "-o", "cache", "--resume")
    assert done.returncode == 0 and "nothing to resume" in done.stderr, done.stderr
    assert sorted(hashes(purl.folder / "cache")) == [1, 2]


def test_aSceneWhoseReferenceWasEditedIsAnotherScene(purl, scene):
    scene(tinyScene(frames=3, surface=False), "inner.ma")
    outer = scene('//Maya ASCII 2022 scene\nfile -r -ns ":" -dr 1 -rfn "innerRN" -typ "mayaAscii" "inner.ma";\n', "outer.ma")
    purl("sim", outer, "-o", "cache", "--frames", "1-2")
    purl("sim", outer, "-o", "cache", "--frames", "1-3", "--resume")
    scene(tinyScene(frames=3, surface=False).replace('".viscosity" 1.5', '".viscosity" 5'), "inner.ma")
    assert "inner.ma has changed since" in purl.refuses("sim", outer, "-o", "cache", "--frames", "1-4", "--resume")
