"""purl sim: simulates a scene into a cache."""
import json
import re
import sys

import pytest

from tinyScene import paddleScene, tinyScene


def test_everyFrameHasItsFiles(purl, scene):
    purl("sim", scene(tinyScene(frames=4)), "-o", "cache")
    cache = purl.folder / "cache"
    manifest = json.loads((cache / "manifest.json").read_text())
    assert [frame["number"] for frame in manifest["frames"]] == [1, 2, 3, 4]
    assert all(frame["particles"] == 640 for frame in manifest["frames"])
    for number in range(1, 5):
        assert len(list(cache.glob(f"*Frame{number}.mcx"))) == 1
    assert len(list(cache.glob("*.xml"))) == 1
    assert len(list(cache.glob("*.ply"))) == 4
    assert not list(cache.rglob("*.part"))


def test_theDefaultFolderIsNamedAfterTheScene(purl, scene, hashes):
    purl("sim", scene(tinyScene(frames=2, surface=False), "brook.ma"))
    assert sorted(hashes(purl.folder / "out" / "brook")) == [1, 2]


def test_everyFileIsTheSameForAnyNumberOfThreads(purl, scene, hashes):
    """Also if surfaces are built concurrently, as with more than one thread."""
    path = scene(tinyScene(frames=8, block=(16, 24, 16)))
    files = {}
    for threads in (1, 2, 3, 7):
        purl("sim", path, "-o", f"cache{threads}", "--threads", threads)
        folder = purl.folder / f"cache{threads}"
        files[threads] = {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix in (".mcx", ".ply")}
        assert hashes(folder) == hashes(purl.folder / "cache1")
    assert len(set(hashes(purl.folder / "cache1").values())) == 8
    assert sum(name.endswith(".ply") for name in files[1]) == 8
    for threads in (2, 3, 7):
        assert files[threads] == files[1], threads


def test_framesChoosesWhatIsKeptAndChangesNothingElse(purl, scene, hashes):
    path = scene(tinyScene(frames=6, surface=False))
    purl("sim", path, "-o", "all")
    purl("sim", path, "-o", "some", "--frames", "3-5")
    purl("sim", path, "-o", "last", "--frames", "6")
    whole = hashes(purl.folder / "all")
    assert hashes(purl.folder / "some") == {number: whole[number] for number in (3, 4, 5)}
    assert hashes(purl.folder / "last") == {6: whole[6]}


def test_aSecondRunTakesThePlaceOfTheFirst(purl, scene, hashes):
    path = scene(tinyScene(frames=4, surface=False))
    purl("sim", path, "-o", "cache")
    purl("sim", path, "-o", "cache", "--frames", "1-2", "--force")
    assert sorted(hashes(purl.folder / "cache")) == [1, 2]
    assert len(list((purl.folder / "cache").glob("*.mcx"))) == 2
    assert "2 frames" in purl("verify", "cache")


def test_setChangesAnAttribute(purl, scene, hashes):
    path = scene(tinyScene(frames=3, surface=False))
    purl("sim", path, "-o", "plain")
    purl("sim", path, "-o", "thick", "--set", "water.viscosity=6", "--set", "solver.gravity=3.7")
    purl("sim", path, "-o", "same", "--set", "water.viscosity=1.5")
    assert hashes(purl.folder / "same") == hashes(purl.folder / "plain")
    assert hashes(purl.folder / "thick")[3] != hashes(purl.folder / "plain")[3]


def test_lengthsAreSetInTheScenesUnits(purl, scene):
    purl("sim", scene(tinyScene(frames=1, surface=False)), "-o", "cache", "--set", "water.particleSpacing=4")
    manifest = json.loads((purl.folder / "cache" / "manifest.json").read_text())
    assert manifest["frames"][0]["particles"] == 4 * 5 * 4
    assert manifest["bodies"][0]["spacing"] == pytest.approx(4)


def test_aKeyedColliderPushesTheWater(purl, scene):
    purl("sim", scene(paddleScene(keyed=True), "keyed.ma"), "-o", "keyed", "--format", "ply")
    purl("sim", scene(paddleScene(keyed=False), "still.ma"), "-o", "still", "--format", "ply")

    def meanX(folder, number):
        (path,) = (purl.folder / folder).glob(f"*{number:d}.ply") if number > 9 else (purl.folder / folder).glob(f"*0{number:d}.ply")
        return plyPositions(path).mean(axis=0)[0]

    assert meanX("keyed", 1) == pytest.approx(meanX("still", 1), abs=1e-3)
    # The plate takes 12 of the pool's 36 cm; its centre moves right by several centimetres.
    assert meanX("keyed", 12) - meanX("still", 12) > 3
    assert meanX("still", 12) - meanX("still", 1) == pytest.approx(0, abs=1)


def plyPositions(path):
    """Vertex positions of a binary little-endian PLY with any vertex properties."""
    import numpy

    data = path.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    head = data[:end].decode("ascii")
    assert "format binary_little_endian 1.0" in head
    types = {"float": "<f4", "int": "<i4", "uchar": "u1", "double": "<f8", "uint": "<u4", "short": "<i2"}
    count = int(re.search(r"element vertex (\d+)", head).group(1))
    vertex = head[head.index("element vertex"):]
    vertex = vertex[: vertex.index("element", 1)] if "element" in vertex[1:] else vertex
    fields = [(name, types[kind]) for kind, name in re.findall(r"property (\w+) (\w+)", vertex)]
    rows = numpy.frombuffer(data, dtype=fields, count=count, offset=end)
    return numpy.stack([rows["x"], rows["y"], rows["z"]], axis=1)


def test_oneFileHoldsAllFrames(purl, scene, hashes):
    path = scene(tinyScene(frames=4, surface=False))
    purl("sim", path, "-o", "many", "--format", "mcx")
    purl("sim", path, "-o", "one", "--format", "mcx", "--one-file")
    assert [file.suffix for file in sorted((purl.folder / "one").glob("*.mc?"))] == [".mcx"]
    assert hashes(purl.folder / "one") == hashes(purl.folder / "many")
    assert "4 frames" in purl("verify", "one")


# B-130, B-131
def test_statsTellTimesAndNumbersOfEveryFrame(purl, scene, hashes):
    purl("sim", scene(tinyScene(frames=3)), "-o", "cache", "--threads", "2", "--stats", "stats.json")
    stats = json.loads((purl.folder / "stats.json").read_text())
    assert stats["threads"] == 2
    assert {frame["frame"]: frame["hash"] for frame in stats["frames"]} == hashes(purl.folder / "cache")
    last = stats["frames"][-1]
    assert stats["system"] and stats["cores"] >= 1 and 1 < stats["peakMegabytes"] < stats["memoryMegabytes"]
    assert stats["processor"] or sys.platform != "linux"
    assert last["surfaceMegabytes"] > 0 and 0 < last["flicker"] < 0.5 and 0 <= last["surfaceChanged"] < 0.5
    assert last["bodies"] == {"water": 640}
    assert last["particles"] == 640 and last["steps"] > 0 and last["ms"] > 0
    assert last["maxCompression"] >= last["meanCompression"] > 0.5
    assert "findNeighbors" in last["phases"] and all(ms >= 0 for ms in last["phases"].values())


def test_statsPredictTheTimeOnMoreCores(purl, scene):
    purl("sim", scene(tinyScene(frames=3)), "-o", "cache", "--threads", "1", "--stats", "stats.json")
    stats = json.loads((purl.folder / "stats.json").read_text())
    # A single thread's CPU time is at most the wall-clock time, less interruptions and recording overhead. The two
    # clocks differ: sums of many short times may deviate by some microseconds.
    for name, phase in stats["phases"].items():
        assert 0 < phase["processor"] <= phase["clock"] + 1e-4, name
        assert -1e-6 <= phase["serial"] <= phase["processor"] + 1e-6, name
        assert phase["longestChunk"] <= phase["clock"] + 1e-4, name
    assert {"findNeighbors", "makeSurface", "makeFrame", "other"} <= stats["phases"].keys()
    assert stats["phases"]["makeSurface"]["chunks"] > stats["phases"]["makeSurface"]["loops"] > 0
    times = [stats["prediction"][str(cores)] for cores in (1, 2, 4, 8, 16, 32, 64)]
    assert times[0] == pytest.approx(sum(phase["processor"] for phase in stats["phases"].values()))
    # Speed-up is at most the number of cores, and limited by the serial part.
    assert times[1] >= 0.5 * times[0] and times[1] < times[0]
    assert all(late <= 1.01 * early for early, late in zip(times, times[1:]))


def test_progressIsPlainLinesWithoutATerminal(purl, scene):
    done = purl.run("sim", scene(tinyScene(frames=2, surface=False)), "-o", "cache")
    assert [line for line in done.stderr.splitlines() if line.startswith("frame 2: 640 particles")]
    assert "\r" not in done.stderr and done.stdout == ""
    quiet = purl.run("sim", "tiny.ma", "-o", "cache", "--quiet", "--force")
    assert quiet.stderr == ""


def test_infoTellsWhatASceneAndACacheHold(purl, scene, hashes):
    path = scene(tinyScene(frames=2))
    text = purl("info", path)
    assert "frames 1 to 2 at 24 fps" in text and "fluid water" in text and "viscosity = 1.5" in text
    purl("sim", path, "-o", "cache")
    text = purl("info", "cache")
    assert "2 frames at 24 fps" in text and "640 particles" in text
    assert all(digest in text for digest in hashes(purl.folder / "cache").values())


@pytest.mark.parametrize("kind", ["*.mcx", "*.ply"])
def test_aFlippedByteIsFound(purl, scene, kind):
    purl("sim", scene(tinyScene(frames=2)), "-o", "cache")
    assert "2 frames, all files intact" in purl("verify", "cache")
    victim = sorted((purl.folder / "cache").glob(kind))[0]
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)
    done = purl.run("verify", "cache")
    assert done.returncode == 2 and victim.name in done.stderr


def test_aTruncatedOrMissingFileIsFoundAndReadingItIsRefused(purl, scene):
    purl("sim", scene(tinyScene(frames=2)), "-o", "cache", "--format", "mcx")
    first, second = sorted((purl.folder / "cache").glob("*.mcx"))
    first.write_bytes(first.read_bytes()[:-100])
    second.unlink()
    done = purl.run("verify", "cache")
    assert done.returncode == 2 and first.name in done.stderr and second.name in done.stderr
    assert first.name in purl.refuses("render", "cache", "--size", "64x64", "--frames", "1", "--quiet")


def test_setTakesUnitsAndEchoesThem(purl, scene, hashes):
    path = scene(tinyScene(frames=2, surface=False))
    for folder, value in (("bare", "2.5"), ("mm", "25mm"), ("m", "0.025m")):
        done = purl.run("sim", path, "-o", folder, "--set", f"water.particleSpacing={value}")
        assert done.returncode == 0 and "water.particleSpacing = 2.5 cm (0.025 m)\n" in done.stderr
    assert hashes(purl.folder / "bare") == hashes(purl.folder / "mm") == hashes(purl.folder / "m")
    assert purl.refuses("sim", path, "-o", "wrong", "--set", "water.particleSpacing=2kg").startswith(
        "water.particleSpacing is in cm: 'kg' does not fit; use mm, cm, m")


def test_whatARunTakesIsSaidBeforeIt(purl, scene):
    path = scene(tinyScene(frames=2, surface=False))
    lines = purl.run("sim", path, "-o", "cache").stderr.splitlines()
    estimate = next(line for line in lines if line.startswith("estimate: "))
    assert estimate == "estimate: about 640 particles, 41 MB, less than a minute"
    assert lines.index(estimate) < next(i for i, line in enumerate(lines) if line.startswith("frame 1:"))


def test_moreParticlesThanTheSolverAllowsAreRefusedAtOnce(purl, scene):
    path = scene(tinyScene(frames=2, surface=False))
    words = purl.refuses("sim", path, "-o", "cache", "--set", "water.particleSpacing=0.01")
    assert words.startswith("water: its meshes hold about 5,120,000,000 particles at particleSpacing 0.01 cm")
    assert "solver.maxParticles 5,000,000" in words
    assert not (purl.folder / "cache").exists()


def onTerminal(purl, answer, *arguments):
    """Runs purl on a pseudo-terminal, types the answer when asked, and returns exit code and text."""
    import os
    import pty

    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(purl.folder)
        os.execv(purl.program, [purl.program, *map(str, arguments)])
    text = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # closed by the other end
            break
        if not part:
            break
        text += part
        if b"[y/N]" in part:
            os.write(terminal, answer.encode() + b"\n")
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text.decode()


def test_onlyATerminalIsAskedAboutARunBeyondItsLimits(purl, scene):
    # An emitter that emits twice as many particles as the solver allows.
    tap = """createNode purlEmitter -n "tap";
	setAttr ".rate" 40;
	setAttr ".speed" 4;
connectAttr "tap.outEmitter" "water.inEmitter[0]";
setAttr "solver.maxParticles" 650;
"""
    path = scene(tinyScene(frames=3, surface=False, extra=tap))
    done = purl.run("sim", path, "-o", "farm")
    assert done.returncode == 0, "whoever is no terminal is not waited for"
    assert "warning: the emitters would emit" in done.stderr and "maxParticles 650" in done.stderr
    code, text = onTerminal(purl, "n", "sim", path, "-o", "no")
    assert code == 130 and "simulate anyway? [y/N]" in text and not (purl.folder / "no").exists()
    code, text = onTerminal(purl, "y", "sim", path, "-o", "yes")
    assert code == 0 and (purl.folder / "yes" / "manifest.json").exists()
    code, text = onTerminal(purl, "n", "sim", path, "-o", "sure", "--yes")
    assert code == 0 and "[y/N]" not in text


def test_progressIsSaidWithinAFrame(purl, scene):
    path = scene(tinyScene(frames=2, surface=False))
    lines = purl.run("sim", path, "-o", "cache", "--progress", "0").stderr.splitlines()
    within = [line for line in lines if line.startswith("frame 2 of 2: ")]
    steps = int(re.search(r"frame 2: 640 particles, (\d+) steps", "\n".join(lines))[1])
    assert len(within) == steps
    assert re.match(r"frame 2 of 2: 1 steps, \d+ %, 640 particles, .* left$", within[0])
    assert f"{steps} steps, 100 %" in within[-1]
    # By default only frames of more than ten seconds print progress.
    assert "frame 2 of 2" not in purl.run("sim", path, "-o", "cache", "--force").stderr


def test_compressionIsWhatExceedsTheRestDensity(purl, scene):
    path = scene(tinyScene(frames=2, surface=False))
    said = purl.run("sim", path, "-o", "cache", "--stats", "stats.json").stderr
    stats = json.loads((purl.folder / "stats.json").read_text())["frames"][1]
    mean, most = map(float, re.search(r"frame 2: .* compressed ([\d.]+) % mean ([\d.]+) % max", said).groups())
    assert mean == pytest.approx(stats["densityError"], abs=0.005)
    assert most == pytest.approx(100 * max(0, stats["maxCompression"] - 1), abs=0.05)


def test_whatIsHarmlessIsNotNotedAndWhatIsNotIsNamed(purl, scene):
    shape = 'createNode mesh -n "blockShape" -p "block";\n'
    text = tinyScene(frames=1, surface=False)
    assert shape in text
    harmless = scene(text.replace(shape, shape + '\tsetAttr ".vir" yes;\n\tsetAttr ".vif" yes;\n'), "harmless.ma")
    assert "note" not in purl.run("sim", harmless, "-o", "cache").stderr
    odd = scene(text.replace('\tsetAttr ".w" 16;', '\tsetAttr ".w" 16;\n\tsetAttr ".roundness" 2;'), "odd.ma")
    assert "note: not understood and skipped: setAttr polyCube.roundness (1)\n" in purl.run("sim", odd, "-o", "odd").stderr
