"""The receipt: the same frame hashes on every instruction set, with any number of threads."""
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["x86-64-v2", "x86-64", "scalar", "x86-64-v4", "aarch64"])
def test_framesHaveTheSameHashesOn(name):
    if name == "aarch64":
        absent = [tool for tool in ("aarch64-linux-gnu-g++", "qemu-aarch64") if not shutil.which(tool)]
        if absent:
            pytest.skip(f"{', '.join(absent)} missing; on Debian install g++-aarch64-linux-gnu and qemu-user")
    done = subprocess.run([sys.executable, ROOT / "scripts/instructionSets", "--sets", f"x86-64-v3,{name}"], text=True,
                          capture_output=True)
    if f"{name}: left out" in done.stdout:
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


def test_anUnknownSetIsRefused():
    done = subprocess.run([sys.executable, ROOT / "scripts/instructionSets", "--sets", "sparc"], text=True, capture_output=True)
    assert done.returncode == 1
    assert done.stderr.startswith("instructionSets: sparc is none of x86-64-v3, ")
