"""Failing output never ends a run; commands that print their result report it by their exit code."""
import os
import subprocess

import pytest

from tinyScene import tinyScene


def closing(stream):
    """For preexec_fn: the command starts with this stream closed."""
    return lambda: os.close(stream)


def brokenPipe():
    """The writing end of a pipe without a reader."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def run(purl, *arguments, **options):
    return subprocess.run([purl.program, *map(str, arguments)], cwd=purl.folder, timeout=60, **options)


@pytest.mark.parametrize("how", ["full", "closed", "gone"])
@pytest.mark.parametrize("options", [[], ["--progress", "0"], ["--set", "nothing.at=1"]])
def test_aRunGoesOnWithoutItsMessages(purl, scene, hashes, how, options):
    path = scene(tinyScene(frames=3, surface=False))
    purl("sim", path, "-o", "heard")
    with open("/dev/full", "w") as full:
        streams = {"full": {"stderr": full}, "closed": {"preexec_fn": closing(2)}, "gone": {"stderr": brokenPipe()}}
        done = run(purl, "sim", path, "-o", "unheard", *options, **streams[how])
    if "--set" in options:
        assert done.returncode == 2
        return
    assert done.returncode == 0
    assert hashes(purl.folder / "unheard") == hashes(purl.folder / "heard")
    assert "3 frames, all files intact" in purl("verify", "unheard")


def test_messagesOfAClosedStreamEndUpInNoFile(purl, scene):
    """The first opened file must not take the descriptor of a closed stream."""
    path = scene(tinyScene(frames=2, surface=False))
    purl("sim", path, "-o", "heard")
    done = run(purl, "sim", path, "-o", "unheard", preexec_fn=lambda: [os.close(stream) for stream in (0, 1, 2)])
    assert done.returncode == 0
    for file in (purl.folder / "heard").glob("*.mcx"):
        assert (purl.folder / "unheard" / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("arguments", [["info", "tiny.ma"], ["info", "cache"], ["describe"], ["doctor", "tiny.ma"]])
@pytest.mark.parametrize("how", ["full", "closed", "gone"])
def test_aResultThatCannotBePrintedIsAnError(purl, scene, arguments, how):
    purl("sim", scene(tinyScene(frames=1, surface=False)), "-o", "cache")
    with open("/dev/full", "w") as full:
        streams = {"full": {"stdout": full}, "closed": {"preexec_fn": closing(1)}, "gone": {"stdout": brokenPipe()}}
        done = run(purl, *arguments, stderr=subprocess.PIPE, text=True, **streams[how])
    assert done.returncode == 2
    assert done.stderr.startswith("purl: cannot write to standard output: ") and done.stderr.count("\n") == 1
