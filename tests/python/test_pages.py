"""Runs the scripts and checks the commands of docs/liquids.md, docs/colliders.md, docs/cloth.md and docs/python.md."""
import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import purl as module  # `purl` is the fixture that runs the command

ROOT = Path(__file__).resolve().parents[2]
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("liquids", "colliders", "cloth", "python")}


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", PAGES[page], re.S)


def run(script, folder, **environment):
    (folder / "script.py").write_text(script, encoding="utf-8")
    done = subprocess.run([sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, env=dict(os.environ, **environment))
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("page, script, scene", [
    ("liquids", 0, "blocks"), ("colliders", 0, "vessels"), ("cloth", 0, "fabrics"), ("cloth", 1, "sleeve")])
def test_aPagesSceneIsSoundAndSimulates(page, script, scene, purl, tmp_path):
    code = blocks(page, "python")
    # Later scripts of a page continue the session of the first.
    run(code[script] if script == 0 else code[0].split("cmds.file(new")[0] + 'cmds.loadPlugin("purl", quiet=True)\n' + code[script], tmp_path)
    printed = purl("doctor", f"{scene}.ma")
    assert "no problems found" in printed, printed
    purl("sim", f"{scene}.ma", "-o", "out/x", "--frames", "1-3")
    assert "3 frames" in purl("verify", "out/x")
    purl("render", "out/x", "--frames", "3", "--size", "160x80")


def test_theCommandsOfThePagesExist(purl):
    for page in PAGES:
        for line in "".join(blocks(page, "sh")).splitlines():
            words = line.split("#")[0].split()
            text = purl(words[1], "--help")
            for option in (word for word in words if word.startswith("--")):
                assert option in text, line


def test_vesselsHoldTheirLiquid(purl, tmp_path):
    """Nothing leaks through the glass, the bowl or the tray."""
    run(blocks("colliders", "python")[0], tmp_path)
    sim = module.load(tmp_path / "vessels.ma", threads=1)
    frame = sim.frame(sim.range[1])
    points, bodies = frame.points.positions, frame.points.bodies
    counts = {body.name: (bodies == k).sum() for k, body in enumerate(frame.bodies)}
    assert min(counts.values()) > 200, counts
    for k, x in enumerate((-16, 0, 16)):
        own = points[bodies == k]
        within = (abs(own[:, 0] - x) < 7) & (abs(own[:, 2]) < 7) & (own[:, 1] > 0.4)
        assert within.mean() > 0.97, frame.bodies[k].name


def test_aHandFromFilesIsACollider(tmp_path, purl):
    (tmp_path / "hand.0001.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
    run("from purl import cmds\ncmds.file(new=True, force=True)\n" + blocks("colliders", "python")[1] +
        "assert cmds.polyEvaluate('handShape', face=True) == 4 and cmds.nodeType('handWall') == 'purlCollider'\n", tmp_path)


def filmScripts():
    named = {}
    for code in blocks("python", "python"):
        name = re.match(r"# (\w+\.py)\n", code)
        if name:
            named[name[1]] = code
    return named


def test_theFilmOfThePythonPage(tmp_path, purl, purlProgram):
    scripts = filmScripts()
    assert len([line for line in scripts["film.py"].splitlines() if line.strip() and not line.startswith("#")]) <= 20
    run(scripts["paddle.py"], tmp_path)
    printed = run(scripts["film.py"], tmp_path, PURL_BIN=purlProgram)
    assert re.search(r"^24 [1-9]\d+ particles, [1-9]\d+ triangles, hash \w{16}$", printed, re.M) and "24 frames" in printed
    assert (tmp_path / "film.mp4").stat().st_size > 10000 and (tmp_path / "film.abc").exists()
    assert list((tmp_path / "out" / "film").glob("*.usda"))
    run(scripts["filmCmds.py"], tmp_path)
    one, other = module.read_cache(tmp_path / "out" / "film"), module.read_cache(tmp_path / "out" / "filmCmds")
    assert other.numbers == one.numbers
    # The tank is a primitive in one and a mesh in the other; the water is the same until it reaches the walls.
    assert len(one.frame(1).points) == len(other.frame(1).points)
    assert abs(one.frame(6).points.positions.mean(axis=0) - other.frame(6).points.positions.mean(axis=0)).max() < 0.2
    purl("render", "out/filmCmds", "--movie", "filmCmds.mp4", "--size", "160x90", "--frames", "1-2")


def test_theOtherScriptsOfThePythonPage(tmp_path):
    """As they are, but shorter."""
    code = [block for block in blocks("python", "python") if not block.startswith("# ")]
    os.symlink(ROOT / "scenes", tmp_path / "scenes")
    run(code[0].replace("threads=2", "threads=1").replace("last + 1", "first + 2"), tmp_path)
    run(code[1].replace("1.0)", "0.1)"), tmp_path)
    run(code[2].replace("endFrame=48", "endFrame=3"), tmp_path)
    module.load(ROOT / "scenes" / "damBreak.ma", set={"water.particleSpacing": 6}).write_cache(tmp_path / "out" / "damBreak", frames=(24, 24))
    run("import purl\n" + code[3], tmp_path)
    assert len(code) == 4


def test_everyScriptIsPython():
    for page in PAGES:
        for code in blocks(page, "python"):
            ast.parse(code)


def test_thePicturesOfMayasMenuAndAttributeEditorAreCurrent(purlProgram, tmp_path):
    """Drawn from what the scripts record, so that a new menu item or section is seen in docs/viewer.md."""
    names = ("maya-menu", "maya-attributes")
    done = subprocess.run([sys.executable, str(ROOT / "scripts" / "pictures"), *names, "--out", str(tmp_path)], capture_output=True, text=True,
                          env=dict(os.environ, PURL_BUILD=str(Path(purlProgram).parents[1])))
    assert done.returncode == 0, done.stderr
    for name in names:
        drawn, shown = ((folder / f"{name}.svg").read_text(encoding="utf-8") for folder in (tmp_path, ROOT / "docs" / "images"))
        assert drawn == shown, f"run scripts/pictures {name}"
