"""purl farm slurm: the job runs on Slurm's own daemons. Preemption, a killed task and a lost node change no bit."""
import json
import os
import re
import signal

import pytest

import slurm
from tinyScene import tinyScene

pytestmark = pytest.mark.skipif(bool(slurm.REASON), reason="Slurm is " + slurm.REASON)


@pytest.fixture
def cluster(tmp_path):
    cluster = slurm.Cluster(tmp_path / "cluster")
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


def submitted(cluster, purl):
    """Submits the job in "shot"; gives the id of its simulations."""
    return re.search(r"simulate: (\d+)", cluster.tell("bash", purl.folder / "shot" / "job" / "submit.sh"))[1]


def logs(purl):
    return "".join(f"--- {log.name}\n{log.read_text()}" for log in sorted((purl.folder / "shot" / "job" / "log").glob("*")))


def statusOf(purl):
    return {wedge["wedge"]: wedge for wedge in json.loads(purl("status", "shot", "--json"))}


def test_aSmallJobRunsToItsSheet(purl, purlProgram, scene, hashes, cluster):
    path = scene(tinyScene(frames=3))
    purl("farm", "slurm", path, "-o", "shot", "--wedge", "water.viscosity=1,3", "--mesh", "--movie", "--chunk", "2",
         "--size", "64x48", "--cpus", "1", "--program", purlProgram)
    submitted(cluster, purl)
    cluster.until(lambda: not cluster.queue(), 120)
    for name, wedge in statusOf(purl).items():
        assert (wedge["state"], wedge["frames"], wedge["meshes"], wedge["images"]) == ("done", 3, 3, 3), logs(purl)
        assert (purl.folder / "shot" / name / "movie.mp4").exists()
    assert (purl.folder / "shot" / "sheet.png").exists(), logs(purl)
    purl("sim", path, "-o", "alone", "--set", "water.viscosity=3")
    assert hashes(purl.folder / "shot" / "2_viscosity3") == hashes(purl.folder / "alone")


@pytest.mark.nightly
def test_nothingIsLostByPreemptionKillOrALostNode(purl, purlProgram, scene, hashes, cluster):
    frames = 160
    path = scene(tinyScene(frames=frames, block=(20, 24, 16)))
    purl("farm", "slurm", path, "-o", "shot", "--wedge", "water.viscosity=1,2,3,4", "--mesh", "--movie", "--chunk", "40",
         "--size", "64x48", "--cpus", "1", "--program", purlProgram)
    names = [f"{k}_viscosity{k}" for k in (1, 2, 3, 4)]
    job = submitted(cluster, purl)
    framesOf = lambda name: statusOf(purl)[name]["frames"]
    cluster.until(lambda: all(framesOf(name) >= 3 for name in names), 120)

    # A job of a higher partition wants all nodes: the simulations are requeued.
    before = {name: framesOf(name) for name in names}
    cluster.tell("sbatch", "-p", "high", "-N3", "--exclusive", "-o", "/dev/null", "--wrap", "sleep 5")
    cluster.until(lambda: "PENDING" in {cluster.queue().get(f"{job}_{k}") for k in range(4)}, 120)
    cluster.until(lambda: all(cluster.queue().get(f"{job}_{k}") == "RUNNING" for k in range(4)), 120)
    assert "exit code 75: requeue" in logs(purl)
    assert all(framesOf(name) >= before[name] for name in names)

    # The process of one task is killed, and comes back.
    task = cluster.tell("pgrep", "-f", f"{purlProgram} sim .*{names[0]}").split()[0]
    os.kill(int(task), signal.SIGKILL)
    cluster.until(lambda: "exit code 137: requeue" in logs(purl), 60)

    # A node goes down: its daemon and all that it ran are gone. It comes back later.
    cluster.until(lambda: cluster.queue().get(f"{job}_1") == "RUNNING", 120)
    node, number = cluster.tell("squeue", "-h", "-r", "-j", f"{job}_1", "-o", "%N %A").split()
    cluster.nodes[node].kill()
    for pattern in (rf"slurmstepd: \[{number}\.", rf"runTask.sh.* {purl.folder}/shot .*{names[1]}", rf"{purl.folder}/shot/{names[1]}"):
        for process in cluster.tell("pgrep", "-f", pattern, check=False).split():
            os.kill(int(process), signal.SIGKILL)
    cluster.until(lambda: cluster.queue().get(f"{job}_1") != "RUNNING", 90)
    cluster.nodes[node] = cluster.startNode(node)
    cluster.until(lambda: cluster.queue().get(f"{job}_1") == "RUNNING", 120)

    cluster.until(lambda: not cluster.queue(), 900)
    assert (purl.folder / "shot" / "sheet.png").exists(), logs(purl)
    for k, name in enumerate(names, 1):
        assert logs(purl).count("resuming after frame") >= 4
        wedge = statusOf(purl)[name]
        assert (wedge["state"], wedge["frames"], wedge["meshes"], wedge["images"]) == ("done",) + (frames,) * 3
        purl("sim", path, "-o", f"alone{k}", "--set", f"water.viscosity={k}")
        assert hashes(purl.folder / "shot" / name) == hashes(purl.folder / f"alone{k}")
