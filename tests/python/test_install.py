"""pip install . into an empty environment brings the package and the command; the example of the README runs there."""
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.nightly
def test_pipInstallBringsThePackageAndTheCommand(tmp_path):
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PURL_BIN")}

    def run(*words, **options):
        done = subprocess.run([str(word) for word in words], text=True, capture_output=True, env=environment, **options)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout

    run(sys.executable, "-m", "venv", tmp_path / "venv")
    python, purl = (tmp_path / "venv" / "bin" / name for name in ("python", "purl"))
    began = time.monotonic()
    run(python, "-m", "pip", "install", "--disable-pip-version-check", f"--config-settings=build-dir={tmp_path / 'build'}", ROOT)
    print(f"pip install . took {time.monotonic() - began:.0f} s")
    example, = re.findall(r"## Python\n```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    printed = run(python, "-c", example, cwd=ROOT)
    assert re.search(r"^\[ *-?\d.*\]\n[0-9a-f]{16}\n$", printed, re.M), printed
    assert "sim" in run(purl, "--help")
    run(purl, "sim", ROOT / "scenes" / "damBreak.ma", "-o", tmp_path / "dam", "--frames", "1-2", "--set", "water.particleSpacing=6")
    run(purl, "render", tmp_path / "dam", "--frames", "2", "--size", "96x54")
    assert "2 frames" in run(purl, "verify", tmp_path / "dam")
    assert run(python, "-c", "from purl.program import program; print(program())").strip() == str(purl)
