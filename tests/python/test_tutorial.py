"""Runs docs/tutorial.md as a reader would type it."""
import re
import subprocess
import sys
from pathlib import Path

TUTORIAL = (Path(__file__).resolve().parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TUTORIAL, re.S)


def python(*arguments, folder):
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=True)


def test_theTutorialRunsToItsEnd(purl, tmp_path):
    (tmp_path / "tutorial.py").write_text("\n".join(blocks("python")), encoding="utf-8")
    python("tutorial.py", folder=tmp_path)
    assert "no problems found" in purl("doctor", "jet.ma")
    purl("sim", "jet.ma", "-o", "out/jet", "--format", "mcx,abc", "--frames", "1-4")
    assert "4 frames" in purl("verify", "out/jet")
    frame = purl("info", "out/jet")
    assert re.search(r"frame +4 +[1-9]\d* particles", frame)
    purl("render", "out/jet", "--frames", "4", "--size", "160x90", "-o", "out/jet/pictures")
    assert (tmp_path / "out" / "jet" / "pictures" / "0004.png").exists()
    purl("sim", "jet.ma", "-o", "out/jet", "--branch", "honey", "--from", "3", "--set", "purlFluid1.viscosity=10",
         "--frames", "1-4")
    assert "branch honey: from frame 3" in purl("info", "out/jet")
    python("-m", "purl.graph", "jet.ma", "graph.svg", folder=tmp_path)
    picture = (tmp_path / "graph.svg").read_text(encoding="utf-8")
    assert all(f">{name}<" in picture for name in ("scarf", "jet", "floor", "purlSolver1", "purlYarn1"))


def test_itsCommandsAreOnesThereAre(purl):
    for line in "".join(blocks("sh")).splitlines():
        words = line.split("#")[0].split()
        text = purl(words[1], "--help")
        for option in (word for word in words if word.startswith("--")):
            assert option in text, line


def test_aSceneWithoutPurlHasNoGraph(tmp_path):
    (tmp_path / "a.ma").write_text("//Maya ASCII 2022 scene\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "purl.graph", "a.ma", "a.svg"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "a.ma" in done.stderr and not (tmp_path / "a.svg").exists()
