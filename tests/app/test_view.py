"""purl view: the command around the window; the window itself is tested in tests/app/view."""
import os
import struct
import subprocess
from pathlib import Path

import pytest

SCENE = Path(__file__).resolve().parents[2] / "scenes" / "damBreak.ma"


@pytest.fixture
def view(purl):
    """`purl view` without a display."""
    def run(*arguments):
        hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        done = subprocess.run([purl.program, "view", *map(str, arguments)], cwd=purl.folder, env=environment, text=True,
                              capture_output=True, timeout=120)
        if "built without Qt" in done.stderr:
            assert done.returncode == 2 and "qt6-base-dev" in done.stderr
            pytest.skip("built without Qt")
        return done
    return run


def test_withoutAScreenItSaysSo(view):
    done = view(SCENE)
    assert done.returncode == 2
    assert done.stderr.strip().splitlines()[-1].startswith("purl: view: no display")


def test_aScreenshotIsOfTheWholeWindow(view, tmp_path):
    done = view(SCENE, "--screenshot", tmp_path / "window.png", "--frame", "3", "--size", "900x560", "--set",
                "water.particleSpacing=5", "--tab", "plots")
    assert done.returncode == 0, done.stderr
    header = (tmp_path / "window.png").read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", header[16:24]) == (900, 560)


def test_wrongInputIsOneLine(view, tmp_path):
    for arguments, words in [(["nothing.ma"], "nothing.ma"), ([SCENE, "--size", "9"], "size"), ([tmp_path], "manifest")]:
        done = view(*arguments, "--screenshot", tmp_path / "no.png")
        assert done.returncode == 2 and words in done.stderr.splitlines()[-1]
    assert not (tmp_path / "no.png").exists()


@pytest.mark.parametrize("option, value, words", [
    ("--set", "water.viscosity=-1", "viscosity"), ("--create", "cloth", "mesh"), ("--compare", ".", "manifest"), ("--do", "dance", "no such action")])
def test_aScreenshotOfAWindowWithAnErrorIsAnError(view, tmp_path, option, value, words):
    done = view(SCENE, "--screenshot", tmp_path / "no.png", "--size", "640x400", "--set", "water.particleSpacing=8", option, value)
    assert done.returncode == 2 and words in done.stderr.splitlines()[-1], done.stderr
    assert not (tmp_path / "no.png").exists()
