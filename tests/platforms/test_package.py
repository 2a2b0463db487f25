"""The archives of scripts/package: what they hold, and that each plays a scene where nothing else is."""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tinyScene import tinyScene

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from platformBuilds import PLATFORMS, VERSION  # noqa: E402

loader = importlib.machinery.SourceFileLoader("package", str(ROOT / "scripts" / "package"))
package = importlib.util.module_from_spec(importlib.util.spec_from_loader("package", loader))
loader.exec_module(package)


@pytest.mark.parametrize("ending", ["tar.gz", "zip"])
def test_anArchiveHasTheSameBytesWheneverItIsMade(tmp_path, ending):
    files = {"b/scene.ma": (b"scene", False), "purl": (b"program", True)}
    first, second = tmp_path / f"first.{ending}", tmp_path / f"second.{ending}"
    package.archive(first, "top", files, 1_700_000_000)
    package.archive(second, "top", dict(reversed(files.items())), 1_700_000_000)
    assert first.read_bytes() == second.read_bytes()
    if ending == "zip":
        with zipfile.ZipFile(first) as opened:
            assert opened.namelist() == ["top/b/scene.ma", "top/purl"]
            assert opened.read("top/purl") == b"program" and opened.getinfo("top/purl").external_attr >> 16 & 0o111
    else:
        with tarfile.open(first) as opened:
            assert [(member.name, member.mode) for member in opened] == [("top/b/scene.ma", 0o644), ("top/purl", 0o755)]


def test_anUnknownPartIsRefused():
    done = subprocess.run([sys.executable, ROOT / "scripts/package", "--only", "floppy"], text=True, capture_output=True)
    assert done.returncode == 1 and done.stderr == "package: floppy is none of linux, windows, aarch64, maya, wheel\n"


def made(part, folder):
    """The one package of a part; skips the test where it cannot be made."""
    done = subprocess.run([sys.executable, ROOT / "scripts/package", "--only", part, "--out", folder], text=True, capture_output=True)
    if "left out" in done.stdout:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    path, = (path for path in folder.iterdir() if path.name.startswith("purl-"))
    return path


@pytest.mark.nightly
@pytest.mark.parametrize("part", list(PLATFORMS))
def test_theArchivePlaysASceneInAnEmptyPlace(tmp_path, part):
    platform = PLATFORMS[part]
    if not platform.runs():
        pytest.skip(f"{platform.emulator} is missing")
    path, empty = made(part, tmp_path / "packages"), tmp_path / "empty"
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            archive.extractall(empty)
    else:
        with tarfile.open(path) as archive:
            archive.extractall(empty)
    top, = empty.iterdir()
    assert top.name.startswith(f"purl-{VERSION}-")
    for name in ("LICENSE", "LICENSES", "CHANGELOG.md", "docs/install.md", "scenes/damBreak.ma"):
        assert (top / name).is_file(), name
    program = top / platform.program
    environment = {name: value for name, value in platform.environment().items() if name == "HOME" or name.startswith("WINE")}

    def run(*words):
        return subprocess.run([*platform.runner, program, *words], cwd=top, text=True, capture_output=True,
                              env={"PATH": "/usr/bin:/bin", **environment})

    assert run("--version").stdout.strip() == VERSION
    done = run("sim", "scenes/damBreak.ma", "-o", "out", "--frames", "1-2", "-q", "--set", "water.particleSpacing=8")
    assert done.returncode == 0, done.stderr
    assert run("verify", "out").returncode == 0


@pytest.mark.nightly
def test_theModuleIsWhatMayaLooksFor(tmp_path):
    with tarfile.open(made("maya", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert "purl.mod" in names and any(name.startswith("purl/scripts/") for name in names)
    assert any(name.startswith("purl/icons/") for name in names) and any(name.startswith("purl/presets/") for name in names)


@pytest.mark.nightly
def test_theWheelInstallsIntoAnEmptyEnvironmentAndRunsTheReadme(tmp_path, purl, hashes):
    wheel, venv = made("wheel", tmp_path / "packages"), tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    subprocess.run([venv / "bin/pip", "install", "-q", "--disable-pip-version-check", wheel], check=True)
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "damBreak.ma").write_text(tinyScene(frames=24), encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    example = readme.split("```python\n")[1].split("```")[0]
    environment = {"PATH": f"{venv}/bin:/usr/bin:/bin", "HOME": os.environ.get("HOME", str(tmp_path))}
    done = subprocess.run([venv / "bin/python", "-c", example], cwd=tmp_path, text=True, capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()[-1]) >= 16
    subprocess.run([venv / "bin/purl", "sim", "scenes/damBreak.ma", "-o", "wheel", "-q"], cwd=tmp_path, check=True, env=environment)
    purl("sim", "scenes/damBreak.ma", "-o", "here")
    assert hashes(tmp_path / "wheel") == hashes(tmp_path / "here") and len(hashes(tmp_path / "here")) == 24
    version = subprocess.run([venv / "bin/purl", "--version"], text=True, capture_output=True, env=environment).stdout
    assert version.strip() == VERSION
