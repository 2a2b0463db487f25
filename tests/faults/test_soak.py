"""Runs of ten thousand frames: memory, open files and time a frame stay as they were after the first thousand."""
import os
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tinyScene import HEAD, cube

FRAMES = 10000


def fountain(frames):
    """Some dozens of drops at a time: they rise, fall on a plate and beside it, and end where they leave a box."""
    return HEAD + cube("plate", (6, 1, 6), (3, -3, 0)) + f"""createNode transform -n "nozzle";
createNode transform -n "room";
createNode purlEmitter -n "jet";
	setAttr ".rate" 0.05;
	setAttr ".speed" 1.2;
	setAttr ".radius" 1;
	setAttr ".spread" 0.1;
createNode purlFluid -n "water";
	setAttr ".particleSpacing" 1;
createNode purlCollider -n "plateSolid";
createNode purlCollider -n "drain";
	setAttr ".shape" 2;
	setAttr ".container" yes;
	setAttr ".effect" 1;
	setAttr ".halfSize" -type "double3" 12 12 12 ;
createNode purlSolver -n "solver";
createNode script -n "sceneConfigurationScriptNode";
	setAttr ".b" -type "string" "playbackOptions -min 1 -max {frames} -ast 1 -aet {frames} ";
	setAttr ".st" 6;
connectAttr "nozzle.wm" "jet.inMatrix";
connectAttr "jet.outEmitter" "water.inEmitter[0]";
connectAttr "plateShape.w" "plateSolid.inMesh";
connectAttr "room.wm" "drain.inMatrix";
connectAttr "water.outBody" "solver.bodies[0]";
connectAttr "plateSolid.outBody" "solver.bodies[1]";
connectAttr "drain.outBody" "solver.bodies[2]";
connectAttr ":time1.o" "solver.currentTime";
// End of scene
"""


@dataclass
class Sample:
    frame: int
    particles: int
    kilobytes: int  # resident
    files: int
    seconds: float  # of the processor, so far


def sampleOf(process, frame, particles):
    folder = Path("/proc") / str(process.pid)
    resident = next(line for line in (folder / "status").read_text().splitlines() if line.startswith("VmRSS:"))
    user, system = map(int, (folder / "stat").read_text().rsplit(")", 1)[1].split()[11:13])
    return Sample(frame, particles, int(resident.split()[1]), len(os.listdir(folder / "fd")),
                  (user + system) / os.sysconf("SC_CLK_TCK"))


def soak(purl, path, first, every):
    """Plays the scene to its end and keeps the frames from `first` on; a sample every so many frames."""
    process = subprocess.Popen([purl.program, "sim", str(path), "-o", "cache", "--format", "mcx", "--threads", "1",
                                "--frames", f"{first}-{FRAMES}"], cwd=purl.folder,
                               text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    samples, last = [], ""
    for line in process.stderr:
        last = line
        if not line.startswith("frame "):
            continue
        frame = int(line.split()[1].rstrip(":"))
        if frame % every == 0 and process.poll() is None:
            samples.append(sampleOf(process, frame, int(line.split()[2])))
    assert process.wait(timeout=60) == 0, last
    return samples


def median(samples, value):
    return statistics.median(getattr(sample, value) for sample in samples)


@pytest.mark.nightly
@pytest.mark.parametrize("first", [1, FRAMES - 9], ids=["allAreKept", "theLastTenAreKept"])
def test_tenThousandFramesTakeNoMoreMemoryFilesOrTimeThanOneThousand(purl, scene, record_property, first):
    samples = soak(purl, scene(fountain(FRAMES)), first, every=100)[:-1]  # the process may end while the last is taken
    begin = [sample for sample in samples if FRAMES // 10 < sample.frame <= FRAMES // 5]
    end = [sample for sample in samples if sample.frame > FRAMES - FRAMES // 10]
    paces = [(part[-1].seconds - part[0].seconds) / (part[-1].frame - part[0].frame) for part in (begin, end)]
    print("frame, particles, MB, files, ms a frame since the last")
    for before, sample in list(zip(samples, samples[1:]))[:: len(samples) // 20]:
        pace = (sample.seconds - before.seconds) / (sample.frame - before.frame)
        print(f"{sample.frame:6} {sample.particles:4} {sample.kilobytes / 1024:7.2f} {sample.files:3} {1000 * pace:6.2f}")
    record_property("megabytes", [median(part, "kilobytes") / 1024 for part in (begin, end)])
    record_property("millisecondsPerFrame", [1000 * pace for pace in paces])
    assert median(begin, "particles") > 10, "the fountain runs"
    assert median(end, "kilobytes") <= 1.01 * median(begin, "kilobytes")
    # One may be open while a frame is written.
    assert abs(median(end, "files") - median(begin, "files")) <= 1
    assert max(sample.files for sample in end) <= max(sample.files for sample in begin)
    # Processor time of the same work differs by a tenth or two where other programs share the caches.
    assert paces[1] <= 1.25 * paces[0]
