"""purl farm openjd: the job runs with Open Job Description's own command, can be cancelled, and ends with the same bits."""
import json
import re
import shutil
import signal
import subprocess
import time

import pytest

from tinyScene import tinyScene

OPENJD = shutil.which("openjd")
pytestmark = pytest.mark.skipif(not OPENJD, reason="the openjd command is missing: pip install openjd-cli")


@pytest.fixture
def job(purl, purlProgram):
    """job(scene, options…): writes a job of the scene to the folder "shot"."""

    def write(scene, *options):
        return purl("farm", "openjd", scene, "-o", "shot", "--program", purlProgram, *options)

    return write


@pytest.fixture
def openjd(purl):
    """openjd(verb, scene, options…): runs the job in "shot"; gives what it prints."""

    def run(verb, scene, *options, start=False):
        command = [OPENJD, verb, "shot/job/template.yaml"]
        if verb != "check":
            command += ["-p", f"Scene={scene}", "-p", f"OutputFolder={purl.folder / 'shot'}"]
        command += options
        if start:
            return subprocess.Popen(command, cwd=purl.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        done = subprocess.run(command, cwd=purl.folder, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def statusOf(purl):
    return {wedge["wedge"]: wedge for wedge in json.loads(purl("status", "shot", "--json"))}


def test_aJobRunsToItsSheet(purl, scene, hashes, job, openjd):
    path = scene(tinyScene(frames=3))
    said = job(path, "--wedge", "water.viscosity=1,3", "--mesh", "--movie", "--chunk", "2", "--size", "64x48", "--memory", "1")
    assert "2 wedges, frames 1-3" in said and re.search(r"mesh +4 tasks", said) and "deadline bundle submit" in said
    assert {wedge["state"] for wedge in statusOf(purl).values()} == {"waiting"}
    assert "passes validation checks" in openjd("check", path)
    assert "Total steps: 4" in openjd("summary", path)
    printed = openjd("run", path)
    assert "openjd_progress: 100.0" in printed
    status = statusOf(purl)
    assert list(status) == ["1_viscosity1", "2_viscosity3"]
    for wedge in status.values():
        assert (wedge["state"], wedge["frames"], wedge["meshes"], wedge["images"]) == ("done", 3, 3, 3)
        assert (purl.folder / "shot" / wedge["wedge"] / "movie.mp4").stat().st_size > 0
    assert (purl.folder / "shot" / "sheet.png").stat().st_size > 0
    for value, name in ((1, "1_viscosity1"), (3, "2_viscosity3")):
        purl("sim", path, "-o", f"alone{value}", "--set", f"water.viscosity={value}")
        assert hashes(purl.folder / "shot" / name) == hashes(purl.folder / f"alone{value}")
        # In chunks of two and one, and in one go.
        purl("render", f"alone{value}", "-o", f"images{value}", "--size", "64x48")
        images = {file.name: file.read_bytes() for file in (purl.folder / f"images{value}").glob("*.png")}
        assert len(images) == 3
        assert {file.name: file.read_bytes() for file in (purl.folder / "shot" / name / "frames").glob("*.png")} == images


def test_aCancelledJobGoesOnWithTheSameBits(purl, scene, hashes, job, openjd):
    path = scene(tinyScene(frames=14, block=(20, 20, 16), surface=False))
    job(path)
    run = openjd("run", path, start=True)
    manifest = purl.folder / "shot" / "1" / "manifest.json"
    end = time.monotonic() + 60
    while not (manifest.exists() and len(json.loads(manifest.read_text())["frames"]) >= 2):
        assert run.poll() is None and time.monotonic() < end, run.communicate()[0]
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    printed, _ = run.communicate(timeout=60)
    assert run.returncode != 0, printed
    left = hashes(purl.folder / "shot" / "1")
    assert 2 <= len(left) < 14 and statusOf(purl)["1"]["state"] == "stopped", printed
    assert f"resuming after frame {max(left)}" in openjd("run", path)
    purl("sim", path, "-o", "alone")
    assert hashes(purl.folder / "shot" / "1") == hashes(purl.folder / "alone")


def test_windowsPathsAreMapped(purl, scene, hashes, job, openjd):
    """Those inside the scene, which Open Job Description itself does not see."""
    (purl.folder / "store").mkdir()
    scene(tinyScene(frames=2, surface=False), "store/inner.ma")
    text = '//Maya ASCII 2022 scene\nfile -r -ns ":" -dr 1 -rfn "innerRN" -typ "mayaAscii" "{}";\n// End of scene\n'
    here = scene(text.format(purl.folder / "store" / "inner.ma"), "here.ma")
    there = scene(text.format("Z:/shots/inner.ma"), "store/there.ma")
    job(here, "--frames", "1-2")
    rules = {"version": "pathmapping-1.0", "path_mapping_rules": [
        {"source_path_format": "WINDOWS", "source_path": "Z:\\shots", "destination_path": str(purl.folder / "store")}]}
    (purl.folder / "rules.json").write_text(json.dumps(rules))
    openjd("run", there, "--path-mapping-rules", f"file://{purl.folder / 'rules.json'}")
    purl("sim", here, "-o", "wanted", "--frames", "1-2")
    assert hashes(purl.folder / "shot" / "1") == hashes(purl.folder / "wanted")


def test_aFailedTaskSaysWhy(purl, scene, job, openjd):
    path = scene(tinyScene(frames=2, surface=False))
    job(path, "--memory", "1")
    template = purl.folder / "shot" / "job" / "template.yaml"
    template.write_text(template.read_text().replace("--memory-limit 1", "--memory-limit 0.01"))
    run = openjd("run", path, start=True)
    printed, _ = run.communicate(timeout=60)
    assert run.returncode != 0 and "--memory-limit 0.01 GB" in printed
    assert "--memory-limit" in statusOf(purl)["1"]["error"] and statusOf(purl)["1"]["state"] == "failed"
