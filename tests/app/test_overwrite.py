"""A finished cache is never replaced unless the user asks for it."""
import signal
import time

import pytest

from tinyScene import tinyScene

FORMAT = ("--format", "mcx")


def filesOf(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def exists(purl, *arguments):
    """Must end with code 3 and one line; returns it."""
    done = purl.run(*arguments)
    assert done.returncode == 3, (done.returncode, done.stderr)
    lines = [line for line in done.stderr.splitlines() if line.startswith("purl: ")]
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.fixture
def path(scene):
    return scene(tinyScene(frames=3, surface=False))


def test_aFinishedCacheIsNotReplaced(purl, path, hashes):
    purl("sim", path, "-o", "cache", *FORMAT)
    before = filesOf(purl.folder / "cache")
    line = exists(purl, "sim", path, "-o", "cache", "--frames", "1-2", *FORMAT)
    for words in ("cache: already contains frames 1-3", "--resume", "--version-up to write cache_v002", "--force", "-o"):
        assert words in line
    assert filesOf(purl.folder / "cache") == before
    # Each choice that the line names.
    purl("sim", path, "-o", "cache", "--frames", "1-4", "--resume", *FORMAT)
    assert sorted(hashes(purl.folder / "cache")) == [1, 2, 3, 4]
    purl("sim", path, "-o", "cache", "--frames", "1-2", "--force", *FORMAT)
    assert sorted(hashes(purl.folder / "cache")) == [1, 2]


def test_theDefaultFolderIsProtectedToo(purl, path):
    purl("sim", path, "--frames", "1", *FORMAT)
    assert "out/tiny: already contains frame 1;" in exists(purl, "sim", path, "--frames", "1", *FORMAT)


def test_versionsCountUp(purl, path, hashes):
    for name in ("cache", "cache_v002", "cache_v003"):
        purl("sim", path, "-o", "cache", "--frames", "1", "--version-up", *FORMAT)
        assert list(hashes(purl.folder / name)) == [1]
    purl("sim", path, "-o", "cache_v002", "--frames", "1-2", "--version-up", *FORMAT)
    assert sorted(hashes(purl.folder / "cache_v004")) == [1, 2]
    assert list(hashes(purl.folder / "cache_v002")) == [1]
    purl("sim", path, "-o", "shot_v001", "--frames", "1", "--version-up", *FORMAT)
    purl("sim", path, "-o", "shot_v001", "--frames", "1", "--version-up", *FORMAT)
    assert (purl.folder / "shot_v002" / "manifest.json").exists()


def test_branchesAreProtected(purl, path, hashes):
    purl("sim", path, "-o", "cache", *FORMAT)
    branch = ("sim", path, "-o", "cache", "--branch", "thick", "--from", "2", "--set", "water.viscosity=9")
    purl(*branch)
    assert "branches/thick: already contains frames 2-3" in exists(purl, *branch)
    purl(*branch, "--version-up")
    folder = purl.folder / "cache" / "branches"
    assert hashes(folder / "thick") == hashes(folder / "thick_v002")
    purl(*branch, "--force")


def test_convertedCachesAndFilesAreProtected(purl, path):
    purl("sim", path, "-o", "cache", *FORMAT)
    purl("convert", "cache", "copy")
    purl("convert", "cache", "all.abc")
    purl("foam", "cache", "-o", "foam")
    for arguments in (("convert", "cache", "copy"), ("foam", "cache", "-o", "foam")):
        line = exists(purl, *arguments)
        assert "already contains frames 1-3" in line and "--force" in line and "--resume" not in line
        purl(*arguments, "--force")
        purl(*arguments, "--version-up")
    assert (purl.folder / "copy_v002").is_dir() and (purl.folder / "foam_v002").is_dir()
    assert "all.abc: exists already" in exists(purl, "convert", "cache", "all.abc")
    purl("convert", "cache", "all.abc", "--force")


def test_twoRunsDoNotShareAFolder(purl, scene):
    path = scene(tinyScene(frames=400, surface=False))
    first = purl.start("sim", path, "-o", "cache", *FORMAT)
    try:
        lock = purl.folder / "cache" / "manifest.lock"
        end = time.monotonic() + 60
        while not lock.exists():  # from the start of the run, before the first frame is done
            assert first.poll() is None and time.monotonic() < end
            time.sleep(0.01)
        for more in ((), ("--force",)):
            assert f"is being written by process {first.pid}" in purl.refuses("sim", path, "-o", "cache", *more, *FORMAT)
        purl("sim", path, "-o", "cache", "--version-up", "--frames", "1", *FORMAT)
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate()
    # The lock of a dead process is taken over.
    done = purl.run("sim", path, "-o", "cache", "--frames", "1", "--force", *FORMAT)
    assert done.returncode == 0 and "its lock was taken over" in done.stderr


def test_listsOfFramesAreCached(purl, scene, hashes):
    path = scene(tinyScene(frames=8, surface=False))
    purl("sim", path, "-o", "all", *FORMAT)
    purl("sim", path, "-o", "some", "--frames", "1-8x3,8", *FORMAT)
    all_, some = hashes(purl.folder / "all"), hashes(purl.folder / "some")
    assert some == {number: all_[number] for number in (1, 4, 7, 8)}
    assert "4 frames, all files intact" in purl("verify", "some")
    purl("sim", path, "-o", "killed", "--frames", "1,4", *FORMAT)
    purl("sim", path, "-o", "killed", "--frames", "1-8x3,8", "--resume", *FORMAT)
    assert hashes(purl.folder / "killed") == some
    purl("convert", "all", "fewer", "--frames", "2,8")
    assert sorted(hashes(purl.folder / "fewer")) == [2, 8]
    purl("verify", "fewer")
    # A frame that was asked for and is not there is still reported.
    (purl.folder / "fewer" / "waterFrame8.mcx").unlink()
    assert "waterFrame8.mcx: is missing" in purl.run("verify", "fewer").stderr
